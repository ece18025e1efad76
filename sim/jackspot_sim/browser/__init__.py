"""The simulated table in a browser."""
