"""Points carrom."""
