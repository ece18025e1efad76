"""A hub that is set up on a machine: installed, examined, uninstalled."""
