"""What each press, each fall and the passing of time do in each phase."""
