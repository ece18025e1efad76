"""The wall clock and the boot, as notes for the journal.

Nothing measures durations by this clock: a Raspberry Pi has no battery clock, and the time
jumps when the network comes.
"""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Protocol

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
TIME_ERROR = 5
"""What adjtimex(2) returns while the kernel's clock is not synchronised."""
TIMEX_BYTES = 512
"""More than struct timex has on any platform; zeros ask without changing anything."""


class Wall(Protocol):
    """What the journal asks of a wall clock. A simulator brings its own."""

    def now_ns(self) -> int:
        """Give nanoseconds since 1970, right or wrong."""

    def synchronised(self) -> bool:
        """Say whether the clock is known to be right."""

    def boot(self) -> str:
        """Name the boot: monotonic instants of different boots have nothing in common."""


class SystemWall:
    """The machine's own clock. Asking costs a few microseconds."""

    def __init__(self) -> None:
        self._adjtimex = getattr(ctypes.CDLL(None, use_errno=True), "adjtimex", None)
        self._boot = BOOT_ID.read_text("ascii").strip()

    def now_ns(self) -> int:
        """Give nanoseconds since 1970, right or wrong."""
        return time.time_ns()

    def synchronised(self) -> bool:
        """Ask the kernel; False where it does not say."""
        if self._adjtimex is None:
            return False
        status = int(self._adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)))
        return 0 <= status < TIME_ERROR

    def boot(self) -> str:
        """Give the kernel's boot id."""
        return self._boot
