"""Printed boards: parts and nets from the pin and cable tables, drawn and routed by script."""
