"""How a table of the config is written: its keys with their bounds, and what is wrong in words.

:mod:`jackspot.config` reads the file. The rooms that have tables of their own, as each display
has, make them of these parts.
"""
