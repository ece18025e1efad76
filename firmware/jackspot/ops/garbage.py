"""Python's garbage collection, kept out of what people wait for.

Python collects whenever some hundred more objects were made than freed, which is often in the
middle of an edge, and now and then it searches all objects. Here the objects a board is made of are
frozen once it is up. The rest is searched when the loop has nothing to do, which is when it feeds
the watchdog. Python's own collection stays, for a board that is never fed: rarer, and longer.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from jackspot.ops.watchdog import Watchdog

WORTH: Final = 700
"""This many more objects make a search worthwhile: Python's own threshold."""
MOST: Final = 10_000
"""At this many Python collects on its own."""
ROUNDS: Final = 10
"""One in this many searches covers every generation, except what is frozen."""


class TidyWatchdog(Watchdog):
    """Feeds the service manager's watchdog, and collects garbage at the same time."""

    _before: tuple[int, int, int] | None = None
    _searches = 0

    def ready(self) -> None:
        """Report that the board is up, and freeze the objects it is made of."""
        super().ready()
        gc.freeze()
        self._before = self._before or gc.get_threshold()
        gc.set_threshold(MOST, *self._before[1:])

    def feed(self) -> None:
        """Report that the loop is alive, and collect if it is worthwhile."""
        super().feed()
        if gc.get_count()[0] >= WORTH:
            self._searches += 1
            gc.collect(1 if self._searches % ROUNDS else 2)

    def stopping(self) -> None:
        """Report an orderly shutdown; Python collects as it did before."""
        super().stopping()
        if self._before is not None:
            gc.set_threshold(*self._before)


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Freeze what exists so far and collect rarely: for long runs without a watchdog."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(MOST, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
