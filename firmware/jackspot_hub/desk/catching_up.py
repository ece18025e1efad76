"""Results that a hub has acknowledged but its journal lacks: boards are asked for them.

A hub that continues an older copy of an event has less than boards were told. So at a hub's start
each board is asked for its results after the newest that is there, acknowledged or not, until it
has no more. A board of which nothing is there, or that has another journal now, is asked for all of
them: another board, or another card, may have come in after the copy was made. Before a board has
answered, none of its unrequested results is taken: a board is told only the newest that is there,
so a younger result must not come before an older one. Pure.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jackspot_hub.desk.state import Journals

AGAIN_S = 3.0
"""A question without an answer is repeated after this."""
PATIENCE_S = 15.0
"""A board that gives no answer for this long is assumed to have no more."""
EACH_S = 0.1
"""Time between two results that were asked for."""


class AskedBoard(Struct):
    """A board whose results the hub may not have completely. Instants are in seconds."""

    journal: str
    """That of its last result; empty: all of its results are asked for."""
    since_s: float = 0.0
    """When it was first asked, or sent a result; 0: neither."""
    next_s: float = 0.0
    """When it is to be asked again."""
    has_answered: bool = False


class CatchingUp:
    """The boards to be asked, by number, for a hub that begins with these results.

    With ``everyone`` boards are asked also if they have none.
    """

    def __init__(self, on_disk: Journals, *, everyone: bool = False) -> None:
        self._left = {board: AskedBoard([*of][-1]) for board, of in on_disk.items() if of}
        self._known = {*self._left}
        self._everyone = everyone

    def _asked(self, board: int) -> AskedBoard | None:
        """Return a board that is to be asked; None: it has no more."""
        if self._everyone and board not in self._known:
            self._known.add(board)
            self._left[board] = AskedBoard("")
        return self._left.get(board)

    def question(self, board: int, on_disk: Journals, now_s: float) -> dict[str, Any] | None:
        """Return what to ask a board that is there now; None: nothing."""
        asked = self._asked(board)
        if asked is None or now_s < asked.next_s:
            return None
        if self.takes(board, now_s) and not asked.has_answered:
            del self._left[board]
            return None
        asked.next_s = now_s + AGAIN_S
        if not asked.journal:
            return {"since": 0}
        since = on_disk.get(board, {}).get(asked.journal, 0)
        return {"journal": asked.journal, "since": since}

    def heard(self, board: int, journal: str) -> None:
        """Note that a result of this journal has come: the next question goes on from it."""
        if (asked := self._asked(board)) is not None:
            asked.journal = journal

    def refused(self, board: int) -> None:
        """Note that a board does not answer that: it has another journal now. Ask for all of it.

        One that refuses that too is asked for as long as others, or no longer if it has answered.
        """
        asked = self._asked(board)
        if asked is not None and asked.journal:
            asked.journal, asked.next_s = "", 0.0
        elif asked is not None and asked.has_answered:
            del self._left[board]

    def answered(self, board: int, results: int, now_s: float) -> None:
        """Note how many results a board is sending now; none: it has no more."""
        asked = self._asked(board)
        if asked is None:
            return
        asked.has_answered = True
        asked.next_s = now_s + 1.0 + EACH_S * results
        if not results:
            del self._left[board]

    def takes(self, board: int, now_s: float) -> bool:
        """Whether results of a board may be taken now; a refused board sends them again."""
        asked = self._asked(board)
        if asked is None or asked.has_answered:
            return True
        asked.since_s = asked.since_s or now_s
        return now_s > asked.since_s + PATIENCE_S
