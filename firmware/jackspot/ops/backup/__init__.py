"""A board in one file, its journal, settings and calibration, and back from such a file.

:mod:`.archive` is the file, :mod:`.making` fills it, :mod:`.restoring` puts it in place.
"""
