"""Whole boards on simulated devices, and the same without them."""
