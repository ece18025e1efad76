"""What a board needs around the game: it is installed, examined, backed up and mended."""
