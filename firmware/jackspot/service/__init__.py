"""Keeping the board alive: health, watchdog, doctor, calibration."""
