"""What the wires say: edges to pulses, falls, presses and faults. Pure."""
