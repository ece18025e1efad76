"""What goes wrong in a hall, drawn by seed: boards that are cut off, boards and brokers that die.

It runs in a thread of its own, and only that thread starts and ends boards. It knows nothing of the
hub, which learns of it as a real one would.
"""

from __future__ import annotations

import heapq
import random
import threading
from collections.abc import Callable, Sequence
from itertools import count

from jackspot.festival.broker import Broker
from jackspot_sim.hall.boards import SimHall

MINUTE_S = 60.0
CUT_EACH_MIN = 120.0
"""How often a board's network fails, on average: Wi-Fi in a hall full of phones."""
CUT_FOR_MIN = 1.0, 8.0
DIES_EACH_MIN = 900.0
"""How often a board dies, on average: of forty boards about three in an hour."""
DEAD_FOR_MIN = 2.0, 6.0
STAYS_DEAD = 0.4
"""The share of boards that do not come back."""
BROKER_EACH_MIN = 45.0
BROKER_FOR_MIN = 0.2, 1.0
MOST_DEAD = 4
"""At most one board of this many stays dead."""


class HallMishaps:
    """Starts the boards with these numbers, then makes things go wrong.

    ``speed`` is how fast the hall's time runs. ``say`` is called with a line for each mishap.
    Without ``faults`` nothing goes wrong. A board or broker that cannot be started ends all of it:
    :meth:`check` raises why.
    """

    def __init__(
        self, hall: SimHall, broker: Broker, boards: Sequence[int], seed: str, speed: float,
        say: Callable[[str], None], *, faults: bool = True,
    ) -> None:  # fmt: skip
        self._hall, self._broker, self._speed, self._say = hall, broker, speed, say
        self._boards, self._faults = boards, faults
        self._random = random.Random(f"{seed} mishaps")
        self._numbers = count()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._now_min = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mishaps", daemon=True)
        self.started = 0
        """How many boards have been started."""
        self.dead: frozenset[int] = frozenset()
        """Boards that are dead now."""
        self._gone = 0
        self._failed: Exception | None = None
        self.happened: dict[str, int] = {"cut": 0, "died": 0, "broker": 0}
        """How often each has happened."""

    @property
    def told(self) -> str:
        """Return what has happened, in words."""
        return ("Boards were cut off {cut} times, {died} boards died, the broker was killed "
                "{broker} times.").format(**self.happened)  # fmt: skip

    def __enter__(self) -> HallMishaps:
        """Begin, with the start of all boards."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let nothing go wrong any more."""
        self._ended.set()
        self._thread.join()

    def check(self) -> None:
        """Raise what a mishap itself has failed with; after that no more of them happen."""
        if self._failed is not None:
            raise self._failed

    def _run(self) -> None:
        try:
            self._let_happen()
        except Exception as error:  # noqa: BLE001  whoever checks raises it
            self._failed = error

    def _let_happen(self) -> None:
        for number in self._boards:
            if self._ended.is_set():
                return
            self._hall.start(number)
            self.started += 1
        if not self._faults:
            return
        self._plan(self._drawn(CUT_EACH_MIN / len(self._boards)), self._cut)
        self._plan(self._drawn(DIES_EACH_MIN / len(self._boards)), self._die)
        self._plan(self._drawn(BROKER_EACH_MIN), self._end_broker)
        while True:
            at_min, _, does = heapq.heappop(self._due)
            if self._ended.wait(max(at_min - self._now_min, 0) * MINUTE_S / self._speed):
                return
            self._now_min = at_min
            does()

    def _drawn(self, each_min: float) -> float:
        return self._random.expovariate(1 / each_min)

    def _plan(self, after_min: float, does: Callable[[], None]) -> None:
        heapq.heappush(self._due, (self._now_min + after_min, next(self._numbers), does))

    def _one(self) -> int | None:
        there = sorted(set(self._hall.boards) - self.dead)
        return self._random.choice(there) if there else None

    def _cut(self) -> None:
        """Cut a board off, and plan the next."""
        self._plan(self._drawn(CUT_EACH_MIN / len(self._boards)), self._cut)
        board = self._one()
        if board is None:
            return
        after_min = self._random.uniform(*CUT_FOR_MIN)
        self.happened["cut"] += 1
        self._say(f"board {board}: no network, for {after_min:.0f} min; it plays on")
        self._hall.unplug(board)
        self._plan(after_min, lambda: self._hall.plug_in(board))

    def _die(self) -> None:
        """Let a board die, and plan whether and when it comes back."""
        self._plan(self._drawn(DIES_EACH_MIN / len(self._boards)), self._die)
        board = self._one()
        if board is None:
            return
        self.happened["died"] += 1
        may_stay = (self._gone + 1) * MOST_DEAD <= len(self._boards)
        stays = self._random.random() < STAYS_DEAD and may_stay
        self._say(f"board {board}: died{', for good' if stays else ''}")
        self.dead |= {board}
        self._hall.kill(board)
        if stays:
            self._gone += 1
        else:
            self._plan(self._random.uniform(*DEAD_FOR_MIN), lambda: self._revive(board))

    def _revive(self, board: int) -> None:
        self._say(f"board {board}: is back, and goes on where it was")
        self._hall.start(board)
        self.dead -= {board}

    def _end_broker(self) -> None:
        self.happened["broker"] += 1
        self._say("the broker was killed; boards play on, and keep their results")
        self._broker.kill()
        self._plan(self._random.uniform(*BROKER_FOR_MIN), self._begin_broker)

    def _begin_broker(self) -> None:
        self._broker.start()
        self._say("the broker is back, with nothing in its memory")
        self._plan(self._drawn(BROKER_EACH_MIN), self._end_broker)
