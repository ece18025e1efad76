"""The lists that lie over a phase, worked by OK and FIX alone: a file each."""
