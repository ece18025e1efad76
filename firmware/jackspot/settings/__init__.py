"""Read and write tables of the config: keys with their bounds, and mistakes in words.

:mod:`jackspot.config` reads the file. Packages with their own tables, such as each display, make
them of these parts.
"""
