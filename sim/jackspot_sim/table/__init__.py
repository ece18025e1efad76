"""The simulated table: where the pieces are, what falls, and what the wires carry of it."""
