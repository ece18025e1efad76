"""The board's one queue: where drivers, pages and displays put what happened.

:class:`EventSource` is what the board's loop reads; :class:`EventQueue` is the one for real
time. The simulated table has its own, which keeps virtual time. Nothing here looks into an
event: what it means is the table's business.

Theory of operation. Any thread may ``submit``; one thread, the loop, calls ``next`` with the
instant at which it wants to be woken. It sleeps in one timed wait, so an idle board wakes as
often as its loop asks and no oftener. The queue is bounded: what does not fit is counted, and
the count comes out of ``next`` as a fault before anything else, so a loss is never silent.
"""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from typing import Protocol

from jackspot.table.events import Event, FaultRaised, Trouble

QUEUE_LIMIT = 4096
"""How many events may wait: 12 inputs that all chatter at 1 kHz for a third of a second."""

QUEUE_PART = "queue"
"""The part that an overflow is a fault of."""


class SourceClosed(Exception):
    """There will be no more events: the source was closed."""


class EventSource(Protocol):
    """Where the loop gets its events and its time from."""

    def submit(self, event: Event) -> None:
        """Put an event in, from any thread. Never blocks; what does not fit becomes a fault."""

    def next(self, deadline_ns: int | None) -> Event | None:
        """Wait for an event until ``deadline_ns`` (None: as long as it takes).

        Gives None when the deadline was reached first. Only the loop's thread may call it.
        Raises :class:`SourceClosed` once the source is closed.
        """

    def now_ns(self) -> int:
        """Give the monotonic instant, in the time that every event is stamped with."""

    def close(self) -> None:
        """Wake the loop and end. May be called from any thread and from a signal handler."""


def overflow(at_ns: int, lost: int, limit: int) -> FaultRaised:
    """Make the fault that says how many events did not fit since the start."""
    detail = f"{lost} events lost: more than {limit} were waiting"
    return FaultRaised(at_ns, QUEUE_PART, Trouble.OVERFLOW, detail)


class EventQueue:
    """The event source of a real board: the machine's monotonic clock and a bounded queue."""

    def __init__(self, limit: int = QUEUE_LIMIT) -> None:
        # SimpleQueue.put is reentrant, so close() is safe in a signal handler that interrupts
        # this very thread in the middle of next(). The bound is kept here; threads that meet
        # at it may exceed it by one each.
        self._limit = limit
        self._queue: SimpleQueue[Event | None] = SimpleQueue()
        self._loss = threading.Lock()
        self._lost = 0
        self._told = 0
        self._closed = False

    def submit(self, event: Event) -> None:
        """Put an event in; see :meth:`EventSource.submit`."""
        if self._queue.qsize() < self._limit:
            self._queue.put(event)
            return
        with self._loss:
            self._lost += 1

    def next(self, deadline_ns: int | None) -> Event | None:
        """Wait for an event or the deadline; see :meth:`EventSource.next`."""
        if self._lost != self._told:
            self._told = self._lost
            return overflow(self.now_ns(), self._told, self._limit)
        while not self._closed:
            event = self._wait(deadline_ns)
            if event is not None:
                return event
            if deadline_ns is not None and self.now_ns() >= deadline_ns:
                return None
        raise SourceClosed

    def _wait(self, deadline_ns: int | None) -> Event | None:
        try:
            if deadline_ns is None:
                return self._queue.get()
            wait_ns = deadline_ns - self.now_ns()
            if wait_ns <= 0:
                return self._queue.get_nowait()
            return self._queue.get(timeout=wait_ns / 1e9)
        except Empty:
            return None

    def now_ns(self) -> int:
        """Give the machine's monotonic time."""
        return time.monotonic_ns()

    def close(self) -> None:
        """Wake the loop and end; see :meth:`EventSource.close`."""
        self._closed = True
        self._queue.put(None)
