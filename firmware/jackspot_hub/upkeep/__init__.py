"""A hub that is set up on a machine and looked after: installed, examined, taken off again."""
