"""Provide the wall clock and the boot, as notes for the journal.

Nothing measures durations with this clock: a Raspberry Pi has no battery clock, and the time jumps
when the network comes up.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
TIME_ERROR = 5
"""What adjtimex(2) returns while the kernel's clock is not synchronised."""
TIMEX_BYTES = 512
"""More than struct timex has on any platform. Zeros ask without changing anything, also the next
time, because the kernel's answer leaves the fields zero that would."""


class Wall(Protocol):
    """What the journal needs of a wall clock. A simulator brings its own."""

    def now_ns(self) -> int:
        """Return nanoseconds since 1970, right or wrong."""

    def synchronised(self) -> bool:
        """Return whether the clock is known to be right."""

    def boot(self) -> str:
        """Return the boot's name: monotonic instants of different boots cannot be compared."""


class SystemWall:
    """The machine's own clock. Asking costs a few microseconds."""

    def __init__(self) -> None:
        self._adjtimex = getattr(ctypes.CDLL(None, use_errno=True), "adjtimex", None)
        self._asked = ctypes.create_string_buffer(TIMEX_BYTES)
        self._boot = BOOT_ID.read_text("ascii").strip()

    def now_ns(self) -> int:
        """Return nanoseconds since 1970, right or wrong."""
        return time.time_ns()

    def synchronised(self) -> bool:
        """Ask the kernel; False if it does not say."""
        if self._adjtimex is None:
            return False
        status = int(self._adjtimex(self._asked))
        return 0 <= status < TIME_ERROR

    def boot(self) -> str:
        """Return the kernel's boot id."""
        return self._boot


class GivenWall:
    """The machine's clock, or while that is not known to be right, the time that somebody gave.

    The given time is carried on by the monotonic clock and forgotten when the program ends. Once
    the machine's own clock is known to be right, it takes over. Safe to use from any thread.
    """

    def __init__(
        self, machine: Wall | None = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._machine = machine or SystemWall()
        self._clock = clock
        self._lock = threading.Lock()
        self._ahead_ns: int | None = None

    def give(self, wall_ns: int) -> None:
        """Set what time it is now, in nanoseconds since 1970."""
        with self._lock:
            self._ahead_ns = wall_ns - self._clock()

    def now_ns(self) -> int:
        """Return nanoseconds since 1970, right or wrong."""
        with self._lock:
            ahead_ns = self._ahead_ns
        if ahead_ns is None or self._machine.synchronised():
            return self._machine.now_ns()
        return self._clock() + ahead_ns

    def synchronised(self) -> bool:
        """Return whether the time is known, from the machine or because somebody gave it."""
        with self._lock:
            given = self._ahead_ns is not None
        return given or self._machine.synchronised()

    def boot(self) -> str:
        """Return the name of this start of the machine."""
        return self._machine.boot()
