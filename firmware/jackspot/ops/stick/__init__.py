"""Results on a USB stick: every match's record and the tables, in a folder named after the board.

``writing.py`` writes the files, ``device.py`` mounts a stick for them, ``notify_board.py`` reports
the outcome to the running board.
"""
