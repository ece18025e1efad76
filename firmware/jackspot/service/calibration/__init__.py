"""Calibrating a board: the file it is kept in, and the sitting that a person is led through."""
