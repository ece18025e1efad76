"""One file for whoever is asked for help: what the board is, has, did and says.

:mod:`.names` takes players' names out, :mod:`.bundle` puts the file together.
"""
