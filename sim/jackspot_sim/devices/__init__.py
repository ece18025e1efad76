"""The far ends of pins and buses: an OLED, a matrix, signs, and the pins themselves."""
