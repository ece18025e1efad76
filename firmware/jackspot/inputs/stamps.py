"""Whose clock an edge was stamped by, and how its stamp becomes one of ours.

The loop's clock is the kernel's CLOCK_MONOTONIC, and so is the stamp that the kernel gives an
edge in its interrupt: since Linux 5.7 always, unless whoever asked for the line wanted
CLOCK_REALTIME. A stamp of that clock is recognised, since it lies half a century ahead of any
time since the machine started, and moved onto ours. Pure: both clocks are handed in.
"""

from __future__ import annotations

FAR_NS = 3_600_000_000_000
"""An hour. No edge is passed on so long before it happens."""


def on_our_clock(stamp_ns: int, now_ns: int, wall_ns: int) -> int:
    """Return a kernel's stamp on our clock; ``now_ns`` and ``wall_ns`` are read together.

    What is nearer to the wall clock than to ours was stamped by it.
    """
    if abs(stamp_ns - now_ns) <= abs(stamp_ns - wall_ns):
        return stamp_ns
    return stamp_ns - wall_ns + now_ns
