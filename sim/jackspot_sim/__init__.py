"""The simulated table: pins, pieces that fall, people who press, and the page to play on.

Imports :mod:`jackspot`; the firmware never imports this package.
"""
