"""The OLED: pictures of the view, and the bus to the panel."""
