"""What a board has measured and learnt about itself: how long pieces break its beams."""
