"""Rank readings of what fell, by what usually falls and how long it breaks a beam. Pure."""
