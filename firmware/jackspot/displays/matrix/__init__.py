"""A matrix of LEDs on SPI."""
