"""What goes out: OLED, LED sign, buzzer, lamps and pages, each in its own way."""
