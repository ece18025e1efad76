"""The journal: what happened, kept so that a power cut loses nothing."""
