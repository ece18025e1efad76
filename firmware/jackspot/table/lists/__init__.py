"""The lists that lie over a phase: one file a list, all worked by OK and FIX alone."""
