"""What a display says when it cannot show anything.

Only the exception; who catches it and what follows is :mod:`jackspot.displays.thread`.
"""

from __future__ import annotations

from jackspot.sensing.events import Trouble


class DisplayError(Exception):
    """A display does not answer: unplugged, absent, or refused by the system.

    The message says which device, what was found and what to do; it becomes the detail of
    the fault that people read. ``trouble`` says the same in two short lines: gone, in use by
    another program, or refused until somebody changes a setting.
    """

    def __init__(self, message: str, trouble: Trouble = Trouble.GONE) -> None:
        super().__init__(message)
        self.trouble = trouble
