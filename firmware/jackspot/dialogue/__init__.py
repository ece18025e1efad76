"""How people confirm what fell. Pure: time comes only from events."""
