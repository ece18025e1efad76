"""The board's end of the sensor hub's line; the hub's program is ``firmware/sensor_hub``."""
