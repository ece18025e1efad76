"""Taking names of players out of all that a board keeps.

:mod:`.names` says what is left of an entry or a file, :mod:`.places` where names can be and what
is done there, :mod:`.retention` which are old enough to go by themselves.
"""
