"""The state in words and numbers: what every display shows."""
