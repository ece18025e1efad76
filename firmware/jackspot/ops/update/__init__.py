"""Taking a newer version on a machine that has Jackspot by apt's packages, or going back.

:mod:`.release` reads the one signed file; :mod:`.plan` says what follows what, also after a power
cut, as values; :mod:`.packages` has dpkg do it and :mod:`.trial` looks whether the board still
works; :mod:`.running` takes the steps, from a copy of the program.
"""
