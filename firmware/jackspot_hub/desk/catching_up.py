"""Results that a hub has acknowledged and its journal has not: boards are asked for them.

Whoever goes on with an older copy of an event has less than boards were told. So at a hub's start
each board is asked for its results after the newest that is there, acknowledged or not, until it
has no more. Before it has answered nothing is taken of it that comes by itself: a board is told the
newest alone that is there, so a younger result must not come before an older one. Pure.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jackspot_hub.desk.state import Journals

AGAIN_S = 3.0
"""A question without an answer is put again after this."""
PATIENCE_S = 15.0
"""A board that gives no answer for so long is believed to have no more."""
EACH_S = 0.1
"""Results that were asked for follow each other so soon."""


class AskedBoard(Struct):
    """A board of whose results the hub may not have all. Instants are in seconds."""

    journal: str
    since_s: float = 0.0
    """When it was asked, or sent a result, first; 0: neither."""
    next_s: float = 0.0
    """When it is to be asked again."""
    has_answered: bool = False


class CatchingUp:
    """The boards that are to be asked, by number, of a hub that begins with these results."""

    def __init__(self, on_disk: Journals) -> None:
        self._left = {board: AskedBoard([*of][-1]) for board, of in on_disk.items() if of}

    def question(self, board: int, on_disk: Journals, now_s: float) -> dict[str, Any] | None:
        """Return what a board that is there is to be asked now; None: nothing."""
        asked = self._left.get(board)
        if asked is None or now_s < asked.next_s:
            return None
        if self.takes(board, now_s) and not asked.has_answered:
            del self._left[board]
            return None
        asked.next_s = now_s + AGAIN_S
        return {"journal": asked.journal, "since": on_disk[board][asked.journal]}

    def answered(self, board: int, results: int, now_s: float) -> None:
        """Take note of how many results a board sends now; none: it has no more."""
        asked = self._left.get(board)
        if asked is None:
            return
        asked.has_answered = True
        asked.next_s = now_s + 1.0 + EACH_S * results
        if not results:
            del self._left[board]

    def takes(self, board: int, now_s: float) -> bool:
        """Whether results of a board may be taken now; one that may not sends them again."""
        asked = self._left.get(board)
        if asked is None or asked.has_answered:
            return True
        asked.since_s = asked.since_s or now_s
        return now_s > asked.since_s + PATIENCE_S
