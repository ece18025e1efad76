"""What fell, as ranked readings: what usually falls, and how long it breaks a beam. Pure."""
