"""Updating a machine that has Jackspot from apt's packages, or going back to its old version.

:mod:`.release` reads the one signed file. :mod:`.plan` defines the order of stages, also after a
power cut, as values. :mod:`.packages` has dpkg do the work and :mod:`.trial` checks whether the
board still works. :mod:`.stages` takes the steps, from a copy of the program.
"""
