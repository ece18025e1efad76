"""Turn what the wires say into pulses, falls, presses and faults. Pure."""
