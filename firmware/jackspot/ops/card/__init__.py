"""A card for a board's Pi: what goes into one folder of it, and what makes the Pi use that folder.

The Raspberry Pi Imager has written the card. Its boot partition, which every computer can read,
gets a folder ``jackspot`` with packages, settings and a script
(``systemd/jackspot-first-boot.sh``), which the Pi runs at each start until all of it is done.
"""
