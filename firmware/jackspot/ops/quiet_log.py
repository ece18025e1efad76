"""A log that nobody can flood: of repeated messages, only the first are written.

Events from outside (invalid requests, parts that come and go) may cause a line each time. A line
from one place in the program is written :data:`AT_ONCE` times. Then that place is silent for
:data:`SILENT_S`, and what was left out is counted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from msgspec import Struct

AT_ONCE = 20
SILENT_S = 60.0
PLACES = 500
"""This many places are distinguished; no program has more that log."""


class _Place(Struct):
    since_s: float
    said: int = 0


class RateLimit(logging.Filter):
    """Lets through what is not logged too often; for a handler."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._places: dict[tuple[str, int], _Place] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written; the last one before a silence says so."""
        now_s, where = self._clock(), (record.pathname, record.lineno)
        place = self._places.get(where)
        if place is None or now_s - place.since_s >= SILENT_S:
            if place is None and len(self._places) >= PLACES:
                self._places.clear()
            left_out = 0 if place is None else place.said - AT_ONCE
            place = self._places[where] = _Place(now_s)
            if left_out > 0:
                record.msg = f"{record.getMessage()} ({left_out} more like this were left out)"
                record.args = None
        place.said += 1
        return place.said <= AT_ONCE


def make_quiet() -> None:
    """Add the filter to all handlers of this program's log."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(RateLimit())
