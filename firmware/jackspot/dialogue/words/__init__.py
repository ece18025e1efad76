"""Lines, hints, faults and refusals in words."""
