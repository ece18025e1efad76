"""Results leave by USB stick: every match's record and the tables, in a folder of the board's name.

``writing.py`` puts the files there, ``device.py`` mounts a stick for it, ``notify_board.py``
carries what became of it to the board that runs.
"""
