"""A card for a board's Pi: what is put into one folder of it, and what has it taken up there.

The card was written by the Raspberry Pi Imager. On its boot partition, which every computer can
read, comes a folder ``jackspot`` with packages, settings and a script
(``systemd/jackspot-first-boot.sh``), which the Pi runs with each start until all of it is done.
"""
