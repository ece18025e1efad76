"""The board's inputs: break beams and buttons on GPIO pins."""
