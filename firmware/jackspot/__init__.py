"""Jackspot: a carom or carrom board that keeps its own score."""

__version__ = "0.1.0"
