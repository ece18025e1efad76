"""Python's searches for garbage, kept out of what people wait for.

Python searches whenever some hundred things more were made than thrown away, which is in the middle
of an edge as often as not, and now and then it goes through all there is. Here what a board is made
of is left out once it is up; the rest is searched when the loop has nothing to do, which is when
it feeds the watchdog. Python's own searches stay, for a board that is never fed: rarer, and longer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from jackspot.ops.watchdog import Watchdog

WORTH: Final = 700
"""So many things more make a search worth its while: Python's own measure."""
MOST: Final = 10_000
"""With so many Python searches by itself."""
ROUNDS: Final = 10
"""Each of so many searches goes through all there is, what is left out excepted."""


class TidyWatchdog(Watchdog):
    """Feeds the service manager's watchdog, and searches for garbage beside it."""

    _before: tuple[int, int, int] | None = None
    _searches = 0

    def ready(self) -> None:
        """Say that the board is up, and leave out what it is made of."""
        super().ready()
        gc.freeze()
        self._before = self._before or gc.get_threshold()
        gc.set_threshold(MOST, *self._before[1:])

    def feed(self) -> None:
        """Say that the loop is alive, and search if it is worth it."""
        super().feed()
        if gc.get_count()[0] >= WORTH:
            self._searches += 1
            gc.collect(1 if self._searches % ROUNDS else 2)

    def stopping(self) -> None:
        """Say that the board is going down in order; Python searches as it did."""
        super().stopping()
        if self._before is not None:
            gc.set_threshold(*self._before)


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Leave out what there is so far and search seldom: for what runs on, and has no watchdog."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(MOST, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
