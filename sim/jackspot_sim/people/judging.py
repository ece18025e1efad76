"""Whether what a board shows is what happened, as people who saw it judge. Pure."""

from __future__ import annotations

from collections import Counter

from jackspot.core.directives import Entry
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.view import ReadingView


def fits(shown: ReadingView, stroke: Stroke) -> bool:
    """Whether a reading says what happened: these pieces by this seat, and nothing else."""
    pieces = Counter(shown.departures) == Counter(sensed(stroke))
    return pieces and shown.flags == stroke.flags and shown.stroke and is_plain(shown, stroke)


def is_plain(shown: ReadingView, stroke: Stroke) -> bool:
    """Whether a reading is this seat's own stroke: nobody missed before, none is replaced."""
    return shown.seat is stroke.seat and not shown.before and not shown.missed


def sensed(stroke: Stroke) -> tuple[Departure, ...]:
    """Return the departures as the board comes to know them: every fall has a pocket."""
    fallen = [
        each if each.pocket else Departure(each.piece, Pocket.NE)
        for each in stroke.departures
        if not each.flew_off
    ]
    return (*fallen, *(each for each in stroke.departures if each.flew_off))


def touched(entry: Entry) -> bool:
    """Whether the group was touched by a stroke in which nothing fell."""
    return not isinstance(entry, Stroke) or Flag.NOBREAK not in entry.flags
