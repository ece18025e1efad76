"""The OLED: drawing views as pictures, and the bus to the panel."""
