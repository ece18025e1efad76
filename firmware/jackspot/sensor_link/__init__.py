"""The board's end of the sensor hub's line; the program of the hub is ``firmware/sensor_hub``."""
