"""What a display says when it cannot show anything.

Only the exception; who catches it and what follows is :mod:`jackspot.displays.thread`.
"""

from __future__ import annotations


class DisplayError(Exception):
    """A display does not answer: unplugged, absent, or refused by the system.

    The message says which device, what was found and what to do; it becomes the detail of
    the fault that people read.
    """
