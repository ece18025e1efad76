"""What pieces and people do, how often and for how long; drawn with a seed."""
