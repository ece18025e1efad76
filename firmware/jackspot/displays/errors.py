"""The error of a display that cannot show anything.

Only the exception is here; :mod:`jackspot.displays.thread` catches and handles it.
"""

from __future__ import annotations

from jackspot.sensing.events import Trouble


class DisplayError(Exception):
    """A display does not answer: it is unplugged or absent, or the system refuses access.

    The message names the device, what was found and what to do; it becomes the detail of the
    fault that people read. ``trouble`` says the same in two short lines: gone, in use by another
    program, or refused until somebody changes a setting.
    """

    def __init__(self, message: str, trouble: Trouble = Trouble.GONE) -> None:
        super().__init__(message)
        self.trouble = trouble
