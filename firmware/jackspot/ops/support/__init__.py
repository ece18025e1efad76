"""One file for anyone who is asked for help: what the board is, has, did and reports.

:mod:`.names` takes players' names out, :mod:`.bundle` puts the file together.
"""
