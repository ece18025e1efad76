"""Carrom with the queen: kagw, grundregeln and icf."""
