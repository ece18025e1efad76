"""What a journal tells of its matches: data, files and score cards."""
