"""The readers of a board's live streams: their places, and what they are sent.

Nothing here needs a server, so that a board is ready before its server is.
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
        """Return it in the event-stream format."""
        lines = []
        if self.id:
            lines.append(f"id: {self.id}")
        if self.name:
            lines.append(f"event: {self.name}")
        lines.append(f"data: {self.data}")
        return ("\n".join(lines) + "\n\n").encode()


Read = Callable[[], Iterable[StreamEvent]]
"""Returns what is new to one reader since the last call; everything at first."""


HELD_S = 30.0
"""How long one of many readers behind one address keeps a place in any case."""


class Readers:
    """The places of readers, ``limit`` of them.

    The owner of most places gives one up for an owner of fewer, so that nobody can take all. A
    hall full of phones may share one address: there the oldest reader gives up its place to a
    newcomer, and comes back automatically. So whoever holds all places and does nothing shuts
    nobody out.
    """

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._places: dict[StreamPlace, None] = {}

    @property
    def count(self) -> int:
        """The number of readers."""
        return len(self._places)

    def take(self, whose: str) -> StreamPlace | None:
        """Take a place; return None if all are taken, and none is to be given up for this one."""
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
        """Return the place to give up for a newcomer: the newest of many, or their own oldest.

        Return None if nobody holds at least two more than the newcomer, and the newcomer holds at
        most one, or only new ones.
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
        """Free a place; its reader is sent nothing more."""
        self._places.pop(place, None)
        place.end()

    def end(self, whose: str) -> None:
        """Free all places of somebody."""
        for place in [place for place in self._places if place.whose == whose]:
            self.leave(place)


class StreamPlace:
    """A reader's place: ``whose`` it is, since when, and whether it has ended."""

    def __init__(self, readers: Readers, whose: str, since_s: float) -> None:
        self.whose = whose
        self.since_s = since_s
        self.is_ended = False
        self._readers = readers
        self._tell: Callable[[], None] | None = None

    def when_ended(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` as soon as the place has ended."""
        self._tell = tell
        if self.is_ended:
            tell()

    def end(self) -> None:
        """End the place: its reader is sent nothing more."""
        self.is_ended = True
        if self._tell is not None:
            self._tell()

    def leave(self) -> None:
        """Give the place back."""
        self._readers.leave(self)
