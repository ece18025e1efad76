"""A festival to learn on: broker, hub and boards on one machine, and all that goes wrong."""
