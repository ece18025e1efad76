"""Carom with the jack: hikone and japan."""
