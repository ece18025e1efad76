"""How people confirm what fell. Pure: the only time it knows comes from events."""
