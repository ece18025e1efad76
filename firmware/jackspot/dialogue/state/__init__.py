"""The dialogue as values: the game, what is proposed, the settings, the view."""
