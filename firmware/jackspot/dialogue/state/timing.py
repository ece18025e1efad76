"""When things happened: the part of the dialogue that changes when nothing but time passes.

Neither the question nor its subject depends on it, so whatever is computed from the rest of the
dialogue stays right for as long as only this changes.
"""

from __future__ import annotations

from typing import Self

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Seat
from jackspot.sensing.events import Button
from jackspot.values import changed

LATE_PICTURE_NS = 300_000_000
"""A picture that comes later than this after what it shows is late."""


class AwaitedShot(Struct, frozen=True):
    """The shot that the board waits for, and since when: what the shot clock counts."""

    board: int
    strokes: int
    seat: Seat
    since_ns: int


class Down(Struct, frozen=True):
    """A button that is down, and what it was asked when it went down."""

    button: Button
    down_ns: int
    ask: int
    fresh: bool
    """The question had only just been changed by another hand or a sensor."""
    falling: bool = False
    """Pieces were still falling when it went down: holding it means no more than pressing it."""
    woke: bool = False
    """It woke the board from its help pictures, and means nothing else."""
    held: bool = True
    """Still down."""


class Asked(Struct, frozen=True):
    """The question on the table: its token, since when it is asked and who caused it.

    ``shown_ns`` is when people could first read it, if that was late.
    """

    token: int = 1
    since_ns: int = -SECOND_NS
    by: Button | None = None
    shown_ns: int = -SECOND_NS


class LastEntry(Struct, frozen=True):
    """When something was last entered or taken back, and by which button.

    ``shown_ns`` is when people could first read that, if it was late.
    """

    at_ns: int
    button: Button | None
    shown_ns: int = -SECOND_NS

    @property
    def seen_ns(self) -> int:
        """When people can have seen it."""
        return max(self.at_ns, self.shown_ns)


class Timing(Struct, frozen=True):
    """When things happened, which buttons are down since when, and the number of the question."""

    now_ns: int = 0
    """The latest instant that reached the dialogue."""
    sequence: int = 0
    asked: Asked = field(default_factory=Asked)
    downs: tuple[Down, ...] = ()
    touched_ns: int = 0
    """When something was last pressed or fell."""
    answered_ns: int = 0
    """When somebody who may decide last pressed anything."""
    clock_noted_ns: int = 0
    """When the time used was last written down."""
    last_entry: LastEntry | None = None
    last_undo: LastEntry | None = None
    still_ns: int = 0
    """When the board will be still if nothing knocks again, where discs listen."""
    shots_from_ns: int = 0
    """A shake that began before this is no shot: nobody could shoot yet, or nobody listened."""
    shot: AwaitedShot | None = None
    """The shot that is waited for, where a shot clock is used."""

    @classmethod
    def at(cls, now_ns: int) -> Self:
        """Return the timing of a board that begins at an instant."""
        return cls(now_ns=now_ns, touched_ns=now_ns, answered_ns=now_ns, clock_noted_ns=now_ns)

    def shown(self, now_ns: int, before: Timing) -> Timing:
        """Return the timing once people can read what is new since ``before``.

        A disk that hangs holds the picture back. Until it comes, no press can answer what it asks.
        """
        if now_ns < self.now_ns + LATE_PICTURE_NS:
            return self
        asked, entry, undo = self.asked, self.last_entry, self.last_undo
        if asked.token != before.asked.token:
            asked = changed(asked, shown_ns=now_ns)
        if entry is not None and entry != before.last_entry:
            entry = changed(entry, shown_ns=now_ns)
        if undo is not None and undo != before.last_undo:
            undo = changed(undo, shown_ns=now_ns)
        return changed(self, asked=asked, last_entry=entry, last_undo=undo)
