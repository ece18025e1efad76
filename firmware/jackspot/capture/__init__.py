"""Pin captures: what a board's pins did, kept in a file."""
