"""Removing players' names from everything a board keeps.

:mod:`.names` decides what is left of an entry or a file, :mod:`.places` where names can be and what
is done there, :mod:`.retention` which are old enough to be removed automatically.
"""
