"""An LED matrix on SPI."""
