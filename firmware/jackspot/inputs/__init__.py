"""What comes in: break beams and buttons on GPIO pins."""
