"""What a board has measured and learnt of itself: how long pieces break its beams."""
