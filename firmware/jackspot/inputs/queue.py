"""The board's only queue: drivers, pages and displays put their events into it.

The board's loop reads an :class:`EventSource`; :class:`EventQueue` is the one for real time. The
simulated table has its own, which keeps virtual time. Nothing here looks into an event: the table
decides what it means.

Theory of operation. Any thread may ``submit``; one thread, the loop, calls ``next`` with the
instant at which it wants to be woken. It sleeps in one timed wait, so an idle board wakes only as
often as its loop asks.

Order. Events that wait together come out in the order of their instants, not of their arrival: a
page's press can overtake an edge that its driver passes on a little late.

Late. If the loop wakes long after its deadline, the machine was busy or asleep, and drivers were
as late as the loop. They are given a moment, once, before the deadline counts as reached, so that a
button that was released in time is not taken for a held one. After it, the deadline comes before
whatever happened later, however much of that waits.

Bounds. The queue is bounded. Events of one wire (:mod:`jackspot.inputs.crowding`) and of a sensor
hub have bounds well below that, so that a chattering wire starves no other. Faults and their ends
always fit: parts report few, and one whose end was lost would stand for ever. Events that do not
fit are counted, and the count comes out of ``next`` as a fault, so a loss is never silent. While
more are lost, it comes out again only when what waited then has been taken.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from queue import Empty, SimpleQueue
from typing import Protocol

from jackspot.inputs.crowding import Crowding
from jackspot.sensing.events import Edge, Event, FaultCleared, FaultRaised, HubEvent, Trouble

QUEUE_LIMIT = 4096
"""The most events that may wait. Four beams and 17 buttons that all chatter fill less than 2,700 of
them, so events of other parts and pages have room, and no edge is lost at this bound."""

HUB_LIMIT = 1024
"""The most frames and knocks of a sensor hub that may wait: twenty pieces at once. So a babbling
hub leaves room for events of pages and other parts."""

LATE_NS = 20_000_000
"""A wake-up later than this means that the machine was busy."""

GRACE_NS = 30_000_000
"""How long to wait for drivers after that: they pass an edge on within a millisecond or two."""

QUEUE_PART = "queue"
"""The part that has the fault of an overflow."""


class SourceClosed(Exception):
    """The source was closed: there will be no more events."""


class EventSource(Protocol):
    """The source of the loop's events and time."""

    @property
    def is_real_time(self) -> bool:
        """Whether its seconds are real ones, so that others can count on from it."""

    def submit(self, event: Event) -> None:
        """Put an event in, from any thread. Never blocks; what does not fit becomes a fault."""

    def next(self, deadline_ns: int | None) -> Event | None:
        """Wait for an event until ``deadline_ns`` (None: as long as it takes).

        Return None when the deadline was reached first. Only the loop's thread may call it.
        Raises :class:`SourceClosed` once the source is closed.
        """

    def now_ns(self) -> int:
        """Return the monotonic instant, on the clock that stamps every event."""

    def close(self) -> None:
        """Wake the loop and end. May be called from any thread and from a signal handler."""


def overflow(at_ns: int, lost: int, limit: int) -> FaultRaised:
    """Return the fault that says how many events did not fit since the start."""
    detail = f"{lost} events lost: more than {limit} were waiting"
    return FaultRaised(at_ns, QUEUE_PART, Trouble.OVERFLOW, detail)


class EventQueue:
    """The event source of a real board: the machine's monotonic clock and a bounded queue."""

    is_real_time = True

    def __init__(self, limit: int = QUEUE_LIMIT) -> None:
        # SimpleQueue.put is reentrant, so close() is safe in a signal handler that interrupts
        # this very thread in the middle of next(). The bound is checked here; threads that reach
        # it together may exceed it by one each.
        self._limit = limit
        self._arrived: SimpleQueue[Event | None] = SimpleQueue()
        self._waiting: list[tuple[int, int, Event]] = []
        self._numbers = itertools.count()
        self._crowding = Crowding()
        self._loss = threading.Lock()
        self._of_the_hub = 0
        self._lost = 0
        self._told = 0
        self._before_telling = 0
        """So many events are taken before a loss is told again."""
        self._late: tuple[int, int] | None = None
        """The newest deadline that was missed, and until when drivers are waited for."""
        self._told_over: int | None = None
        """The newest deadline that came before what waits: a loop that fails at it goes on."""
        self._closed = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return self._arrived.empty() and not self._waiting

    def submit(self, event: Event) -> None:
        """Put an event in; see :meth:`EventSource.submit`."""
        if isinstance(event, Edge) and not self._crowding.let_in(event):
            return
        if isinstance(event, HubEvent) and not self._has_room_for_the_hub():
            return
        if (
            isinstance(event, Edge | HubEvent | FaultRaised | FaultCleared)
            or len(self._waiting) + self._arrived.qsize() < self._limit
        ):
            self._arrived.put(event)
            return
        with self._loss:
            self._lost += 1

    def _has_room_for_the_hub(self) -> bool:
        with self._loss:
            fits = self._of_the_hub < HUB_LIMIT
            self._of_the_hub += fits
            self._lost += not fits
        return fits

    def next(self, deadline_ns: int | None) -> Event | None:
        """Wait for an event or the deadline; see :meth:`EventSource.next`."""
        while not self._closed:
            self._sort_in()
            if self._lost != self._told and not (self._before_telling and self._waiting):
                return self._loss_told()
            if self._waiting:
                if self._is_over(deadline_ns) and self._told_over != deadline_ns:
                    self._told_over = deadline_ns
                    return None
                return self._take()
            if not self._wait(deadline_ns):
                return None
        raise SourceClosed

    def _sort_in(self) -> None:
        """Sort arrived events into the waiting ones."""
        while not self._arrived.empty():
            self._keep(self._arrived.get())

    def _keep(self, event: Event | None) -> None:
        if event is not None:
            heapq.heappush(self._waiting, (event.at_ns, next(self._numbers), event))

    def _loss_told(self) -> Event:
        self._told = self._lost
        self._before_telling = len(self._waiting)
        oldest_ns = (each[0] for each in self._waiting[:1])  # time must not pass those that wait
        return overflow(min((self.now_ns(), *oldest_ns)), self._told, self._limit)

    def _is_over(self, deadline_ns: int | None) -> bool:
        """Whether a deadline was missed before all that waits, and drivers had their moment."""
        if deadline_ns is None or self._waiting[0][0] <= deadline_ns:
            return False
        return self._patience_ns(deadline_ns, self.now_ns()) == 0

    def _patience_ns(self, deadline_ns: int, now_ns: int) -> int | None:
        """Return how much longer drivers are waited for after a deadline; None: not late yet."""
        if now_ns - deadline_ns <= LATE_NS:
            return None
        if self._late is None or self._late[0] != deadline_ns:
            self._late = deadline_ns, now_ns + GRACE_NS
        return max(self._late[1] - now_ns, 0)

    def _take(self) -> Event:
        event = heapq.heappop(self._waiting)[2]
        self._before_telling = max(self._before_telling - 1, 0)
        if isinstance(event, HubEvent):
            with self._loss:
                self._of_the_hub -= 1
        if isinstance(event, Edge):
            for follower in self._crowding.taken(event):
                self._keep(follower)
        return event

    def _wait(self, deadline_ns: int | None) -> bool:
        """Wait until something has arrived; return False when the deadline came first."""
        if deadline_ns is None:
            self._keep(self._arrived.get())
            return True
        if self._arrives_within((deadline_ns - self.now_ns()) / 1e9):
            return True
        while (now_ns := self.now_ns()) < deadline_ns:
            if self._arrives_within((deadline_ns - now_ns) / 1e9):
                return True
        patience_ns = self._patience_ns(deadline_ns, now_ns)
        return patience_ns is not None and self._arrives_within(patience_ns / 1e9)

    def _arrives_within(self, seconds: float) -> bool:
        try:
            self._keep(self._arrived.get(timeout=max(seconds, 0.0)))
        except Empty:
            return False
        return True

    def now_ns(self) -> int:
        """Return the machine's monotonic time."""
        return time.monotonic_ns()

    def close(self) -> None:
        """Wake the loop and end; see :meth:`EventSource.close`."""
        self._closed = True
        self._arrived.put(None)
