"""How bright the OLED is: what people set, what a list needs, and what spares its dots.

Pure: a view and a duration in, numbers out. An OLED's dots fade with the light they have
given, so help that nobody reads is dimmed after a while.
"""

from __future__ import annotations

from jackspot.table.view import BoardView

FAINTEST = 10
"""Per cent at which a list and the last picture are shown at least: else nobody who made the
display dark would find the way back."""

IDLE_DIM_NS = 300_000_000_000
"""How long help is shown before it is dimmed: nobody has come."""

IDLE_SHARE = 4
"""Help that is dimmed has this part of the brightness."""


def brightness(view: BoardView, idle_ns: int) -> int:
    """Give the brightness of a view in per cent; 0: dark.

    ``idle_ns`` is how long help has been shown over everything.
    """
    percent = view.house.brightness
    if view.attract is not None and idle_ns >= IDLE_DIM_NS:
        percent = -(-percent // IDLE_SHARE)
    is_needed = view.menu is not None or view.farewell
    return max(percent, FAINTEST) if is_needed else percent


def contrast(full: int, percent: int) -> int:
    """Give the controller's contrast, at least 1, for a share of ``full``.

    Its light grows evenly with it, what eyes make of light does not: half as bright is a
    quarter of the light.
    """
    return max(1, round(full * (percent / 100) ** 2)) if full else 0
