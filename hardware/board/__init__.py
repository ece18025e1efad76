"""A printed board for the hub: its parts and nets, from the pin and cable tables."""
