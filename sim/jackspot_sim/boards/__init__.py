"""Whole boards, on simulated devices or without any."""
