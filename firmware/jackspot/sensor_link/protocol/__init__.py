"""The sensor hub's messages as values: its lines, its clock, and what is wrong with either."""
