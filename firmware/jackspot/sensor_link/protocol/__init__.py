"""What the sensor hub says, as values: its lines, its clock, and what is wrong with either."""
