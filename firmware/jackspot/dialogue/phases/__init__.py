"""What each press, fall and instant does in each phase."""
