"""What the pins of a board said, kept in a file."""
