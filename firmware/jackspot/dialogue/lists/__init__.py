"""The lists that open over a phase, worked by OK and FIX alone: one file each."""
