"""A board among many: what boards and the hall's hub say to each other, and the board's link.

The messages and the code that makes them are pure; :mod:`jackspot.festival.link` has the one
thread.
"""
