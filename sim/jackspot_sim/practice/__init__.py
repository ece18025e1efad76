"""A festival to learn on: broker, hub and boards on one machine, and everything that goes wrong."""
