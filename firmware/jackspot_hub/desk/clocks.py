"""What a hub knows of its boards' clocks, from questions and their answers. Pure.

A board's clock showed the time in its answer after the question was sent and before the answer
came. Many answers together leave little doubt: the fastest round trips say most.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from msgspec import Struct, field

LATEST = 100
"""How many answers are kept for a clock: older ones say nothing of its drift since."""
OFTEN = 6
"""This many questions follow each other quickly; then one now and then."""
MOST_DRIFT = 0.01
"""No board's clock drifts by more than this share of the time that has passed."""
SOON_MS, SELDOM_MS = 500, 10_000
OPEN = 16
"""How many questions to a board may be unanswered; then the oldest is given up for another."""


class BoardClock(Struct):
    """The clock of one board since the start that ``boot`` names."""

    boot: str
    bounds: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=LATEST))
    """The hub's clock less the board's is within each of these, in milliseconds."""
    pair: dict[str, Any] | None = None
    """An instant on both clocks, in the form of messages."""
    doubt_ms: float = 0.0
    heard_ms: int | None = None
    """What it showed in its last answer."""

    def keeps_time(self, newest: tuple[float, float], board_ms: int) -> bool:
        """Whether its last two answers fit a clock at all: those of a faster table do not."""
        if self.heard_ms is None:
            return True
        before = self.bounds[-1]
        apart = max(newest[0] - before[1], before[0] - newest[1])
        return apart <= MOST_DRIFT * abs(board_ms - self.heard_ms)


class BoardClocks:
    """The clocks of all boards; instants are of the hub's clock, in milliseconds."""

    def __init__(self) -> None:
        self._clocks: dict[str, BoardClock] = {}
        self._asked_ms: dict[str, dict[int, float]] = {}
        self._asked: dict[str, tuple[int, float]] = {}
        """How often each board was asked since its start, and when last."""
        self._transaction = 0

    def due(self, board: str, now_ms: float) -> bool:
        """Whether a board should be asked now."""
        count, last_ms = self._asked.get(board, (0, -float(SELDOM_MS)))
        waits_ms = SOON_MS if count < OFTEN else SELDOM_MS
        return not last_ms <= now_ms < last_ms + waits_ms  # the hub's clock may be set back

    def question(self, board: str, now_ms: float) -> dict[str, Any]:
        """Return what to ask a board now, with what is known of its clock."""
        self._transaction += 1
        count, _last_ms = self._asked.get(board, (0, 0.0))
        self._asked[board] = (count + 1, now_ms)
        asked_ms = self._asked_ms.setdefault(board, {})
        asked_ms[self._transaction] = now_ms
        while len(asked_ms) > OPEN:
            del asked_ms[min(asked_ms)]
        return {
            "v": 1, "transaction": self._transaction, "what": "clock", "pair": self.pair(board),
        }  # fmt: skip

    def learn(self, board: str, answer: dict[str, Any], now_ms: float) -> None:
        """Take an answer; one that nobody asked for, or that came far too late, is ignored."""
        asked_ms = self._asked_ms.get(board, {}).pop(answer["transaction"], None)
        if asked_ms is None or answer["what"] != "clock":
            return
        clock = self._clocks.get(board)
        if clock is None or clock.boot != answer["boot"]:
            clock = self._clocks[board] = BoardClock(answer["boot"])
            self._asked[board] = (1, asked_ms)
        board_ms = answer["board_ms"]
        newest = asked_ms - board_ms, now_ms - board_ms
        keeps_time = clock.keeps_time(newest, board_ms)
        clock.heard_ms = board_ms
        clock.bounds.append(newest)
        least, most = max(each[0] for each in clock.bounds), min(each[1] for each in clock.bounds)
        if least > most:  # it drifted or was set: earlier answers no longer count
            least, most = newest
            clock.bounds = deque([newest], maxlen=LATEST)
        clock.doubt_ms = (most - least) / 2
        clock.pair = None if not keeps_time else {
            "hub_ms": round(board_ms + (least + most) / 2), "board_ms": board_ms,
            "boot": answer["boot"],
        }  # fmt: skip

    def pair(self, board: str) -> dict[str, Any] | None:
        """Return the best that is known of a board's clock."""
        clock = self._clocks.get(board)
        return None if clock is None else clock.pair

    def hub_ms(self, board: str, board_ms: int) -> float | None:
        """Return the hub's time of an instant of a board's clock; None: nothing is known."""
        pair = self.pair(board)
        return None if pair is None else pair["hub_ms"] + board_ms - pair["board_ms"]

    def doubt_ms(self, board: str) -> float | None:
        """Return how far that may be from right; None: nothing is known."""
        clock = self._clocks.get(board)
        return None if clock is None else clock.doubt_ms
