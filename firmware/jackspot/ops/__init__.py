"""What a board needs around the game: installation, checks, backups and repair."""
