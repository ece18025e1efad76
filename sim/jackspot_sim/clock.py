"""Virtual time: one clock and one agenda for the whole simulated table.

:class:`SimClock` is the event source of a simulated board. It may know nothing of pins, pieces
or pages: it performs actions at instants and hands on the events that they cause.

Theory of operation. The future is an agenda of actions, each with its virtual instant; equal
instants keep the order in which they were planned. Only the thread that calls ``next`` (the
board's loop) performs actions, so the edges that they cause are made by the same thread that
takes them out again. At full speed time does not pass but jumps: to the next action or to the
loop's deadline, whichever comes first. A run at full speed whose actions come only from the
agenda is therefore the same run every time. At a finite speed the loop sleeps until the real
instant that the next action or deadline falls on, and a page may plan further actions
meanwhile; an action that is performed a little late still happens at its own instant.

An event that is ready is handed out before time moves on, the earliest stamp first; but never
before an action of an earlier instant.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from jackspot.inputs.queue import QUEUE_LIMIT, SourceClosed, overflow
from jackspot.sensing.events import Event, FaultCleared, FaultRaised

Action = Callable[[], object]
"""What is done at an instant; its result is dropped."""

START_NS = 1_000_000_000
"""Where virtual time begins: a second after the machine was switched on."""


_ALWAYS_FIT = FaultRaised | FaultCleared
"""As in the board's own queue: one whose end was lost would stand for ever."""

_LONGEST_SLEEP_S = 1.0
"""A signal handler that closes the clock in the one moment between the loop's check and its
sleep wakes nobody; the loop looks again after this long."""


@dataclass(order=True, slots=True)
class _Planned:
    at_ns: int
    number: int
    action: Action = field(compare=False)


@dataclass(order=True, slots=True)
class _Ready:
    at_ns: int
    number: int
    event: Event = field(compare=False)


class _Pace(Struct, frozen=True):
    """Virtual time runs ``speed`` times as fast as real time, from this pair of instants on."""

    speed: float
    real_ns: int
    virtual_ns: int

    def now_ns(self, real_ns: int) -> int:
        return self.virtual_ns + int((real_ns - self.real_ns) * self.speed)

    def real_s_until(self, virtual_ns: int, real_ns: int) -> float:
        return (virtual_ns - self.now_ns(real_ns)) / self.speed / 1e9


class _Acting(Struct, frozen=True):
    """The action being performed: for the thread that performs it, time stands still."""

    thread: int
    at_ns: int


class SimClock:
    """An event source on virtual time. ``speed`` None: as fast as it goes; 2.0: twice as fast.

    Implements :class:`jackspot.inputs.queue.EventSource`. ``real_ns`` is the clock that a
    finite speed is measured by.
    """

    is_real_time = False

    def __init__(
        self,
        speed: float | None = None,
        *,
        start_ns: int = START_NS,
        limit: int = QUEUE_LIMIT,
        real_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._limit = limit
        self._real_ns = real_ns
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._numbers = itertools.count()
        self._agenda: list[_Planned] = []
        self._ready: list[_Ready] = []
        self._reached_ns = start_ns
        self._pace: _Pace | None = None
        self._acting: _Acting | None = None
        self._lost = 0
        self._told = 0
        self._closed = False
        self.set_speed(speed)

    @property
    def speed(self) -> float | None:
        """How many times as fast as real time, None for as fast as it goes."""
        return self._pace.speed if self._pace else None

    def set_speed(self, speed: float | None) -> None:
        """Change the speed from now on. ValueError unless it is None or above zero."""
        if speed is not None and not speed > 0:
            raise ValueError(f"speed is {speed}; give a number above 0, or None for full speed")
        with self._lock:
            now_ns = self._now()
            self._reached_ns = now_ns
            self._pace = None if speed is None else _Pace(speed, self._real_ns(), now_ns)
            self._changed.notify_all()

    def now_ns(self) -> int:
        """Return the virtual instant; inside an action, exactly the action's own."""
        if self._pace is None and self._acting is None:
            return self._reached_ns  # it is one number, and is read all the time
        with self._lock:
            return self._now()

    def at(self, at_ns: int, action: Action) -> None:
        """Plan an action for a virtual instant; one that has passed is performed at once."""
        with self._lock:
            planned = _Planned(max(at_ns, self._reached_ns), next(self._numbers), action)
            heapq.heappush(self._agenda, planned)
            self._changed.notify_all()

    def after(self, delay_ns: int, action: Action) -> None:
        """Plan an action for ``delay_ns`` from now."""
        with self._lock:
            self.at(self._now() + delay_ns, action)

    def submit(self, event: Event) -> None:
        """Put an event in, from any thread; beyond the limit it is counted and lost."""
        with self._lock:
            if len(self._ready) >= self._limit and not isinstance(event, _ALWAYS_FIT):
                self._lost += 1
            else:
                ready = _Ready(event.at_ns, next(self._numbers), event)
                heapq.heappush(self._ready, ready)
            self._changed.notify_all()

    def next(self, deadline_ns: int | None) -> Event | None:
        """Move time on to the next event, or to the deadline (then return None).

        With nothing planned, nothing ready and no deadline it waits for another thread to
        plan or submit something. Raises :class:`SourceClosed` once closed.
        """
        while True:
            with self._lock:
                if self._closed:
                    raise SourceClosed
                if self._lost != self._told:
                    self._told = self._lost
                    return overflow(self._now(), self._told, self._limit)
                planned = self._take_due()
                if planned is None:
                    if self._ready:
                        return heapq.heappop(self._ready).event
                    if deadline_ns is not None and self._now() >= deadline_ns:
                        return None
                    self._move_on(deadline_ns)
            if planned is not None:
                self._perform(planned)

    def close(self) -> None:
        """Wake the loop and end; see :meth:`jackspot.inputs.queue.EventSource.close`."""
        self._closed = True
        with self._lock:
            self._changed.notify_all()

    def _now(self) -> int:
        if self._acting is not None and self._acting.thread == threading.get_ident():
            return self._acting.at_ns
        if self._pace is None:
            return self._reached_ns
        return max(self._reached_ns, self._pace.now_ns(self._real_ns()))

    def _take_due(self) -> _Planned | None:
        """Take the next action if it comes now, before every event that is ready."""
        if not self._agenda or self._agenda[0].at_ns > self._now():
            return None
        if self._ready and self._ready[0].at_ns <= self._agenda[0].at_ns:
            return None
        return heapq.heappop(self._agenda)

    def _perform(self, planned: _Planned) -> None:
        with self._lock:
            self._reached_ns = max(self._reached_ns, planned.at_ns)
            self._acting = _Acting(threading.get_ident(), planned.at_ns)
        try:
            planned.action()
        finally:
            with self._lock:
                self._acting = None

    def _move_on(self, deadline_ns: int | None) -> None:
        """Let time pass, or jump, to whatever comes first; wake early when that changes."""
        coming = [planned.at_ns for planned in self._agenda[:1]]
        if deadline_ns is not None:
            coming.append(deadline_ns)
        if not coming:
            self._changed.wait(_LONGEST_SLEEP_S)
        elif self._pace is None:
            self._reached_ns = max(self._reached_ns, min(coming))
        else:
            sleep_s = self._pace.real_s_until(min(coming), self._real_ns())
            self._changed.wait(min(max(sleep_s, 0.0), _LONGEST_SLEEP_S))
