"""The simulated table: what lies where, what falls, and what the wires say of it."""
