"""Who reads what a board tells of itself as it happens: their places, and what one is told.

Nothing here needs a server, so that a board is ready before there is one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct


class StreamEvent(Struct, frozen=True):
    """One event. ``data`` is one line; ``name`` is empty for a plain message."""

    data: str
    name: str = ""
    id: str = ""

    def encode(self) -> bytes:
        """Write it as the event-stream format has it."""
        lines = []
        if self.id:
            lines.append(f"id: {self.id}")
        if self.name:
            lines.append(f"event: {self.name}")
        lines.append(f"data: {self.data}")
        return ("\n".join(lines) + "\n\n").encode()


Read = Callable[[], Iterable[StreamEvent]]
"""Gives what is new to one reader since it was last called; everything at first."""


HELD_S = 30.0
"""So long a place is held in any case by one of many who come by one address."""


class Readers:
    """The places of who reads, ``limit`` of them.

    Who holds most of them gives one up for who holds fewer, so that nobody can take all. A hall
    full of phones may come by one address: there, who has read longest gives up a place for who
    comes, and comes back by itself; so whoever holds all places and does nothing shuts out nobody.
    """

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._places: dict[StreamPlace, None] = {}

    @property
    def count(self) -> int:
        """How many read."""
        return len(self._places)

    def take(self, whose: str) -> StreamPlace | None:
        """Take a place; None where all are taken, and nobody is to give one up for this one."""
        now_s = self._clock()
        if len(self._places) >= self.limit:
            giving = self._giving_up(whose, now_s)
            if giving is None:
                return None
            self.leave(giving)
        taken = StreamPlace(self, whose, now_s)
        self._places[taken] = None
        return taken

    def _giving_up(self, whose: str, now_s: float) -> StreamPlace | None:
        """Return whose place is given up for one who comes: the newest of many, their own oldest.

        None where nobody holds more than one more than they do, and they hold one, or all of theirs
        are new.
        """
        held = Counter(place.whose for place in self._places)
        fullest, most = held.most_common(1)[0]
        if most > held[whose] + 1:
            return next(place for place in reversed(self._places) if place.whose == fullest)
        oldest = next((place for place in self._places if place.whose == whose), None)
        if oldest is None or held[whose] == 1 or now_s < oldest.since_s + HELD_S:
            return None
        return oldest

    def leave(self, place: StreamPlace) -> None:
        """Free a place; who reads there is sent nothing more."""
        self._places.pop(place, None)
        place.end()

    def end(self, whose: str) -> None:
        """Free all places of somebody."""
        for place in [place for place in self._places if place.whose == whose]:
            self.leave(place)


class StreamPlace:
    """A place to read at: ``whose`` it is, since when, and whether it has ended."""

    def __init__(self, readers: Readers, whose: str, since_s: float) -> None:
        self.whose = whose
        self.since_s = since_s
        self.is_ended = False
        self._readers = readers
        self._tell: Callable[[], None] | None = None

    def when_ended(self, tell: Callable[[], None]) -> None:
        """Have somebody told as soon as it has ended."""
        self._tell = tell
        if self.is_ended:
            tell()

    def end(self) -> None:
        """Say that whoever reads here is sent nothing more."""
        self.is_ended = True
        if self._tell is not None:
            self._tell()

    def leave(self) -> None:
        """Return it back."""
        self._readers.leave(self)
