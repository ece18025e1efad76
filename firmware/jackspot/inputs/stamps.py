"""Which clock an edge was stamped by, and how to move its stamp to the loop's clock.

The loop's clock is the kernel's CLOCK_MONOTONIC. So is the clock of the stamp that the kernel
gives an edge in its interrupt: always since Linux 5.7, unless whoever requested the line wanted
CLOCK_REALTIME. A stamp of that clock is recognised, since it is half a century ahead of any time
since the machine started, and is moved to the loop's clock. Pure: both clocks are passed in.
"""

from __future__ import annotations

FAR_NS = 3_600_000_000_000
"""An hour. No edge is passed on that long before it happens."""


def on_our_clock(stamp_ns: int, now_ns: int, wall_ns: int) -> int:
    """Return a kernel's stamp on the loop's clock; ``now_ns`` and ``wall_ns`` are read together.

    A stamp that is nearer to the wall clock than to the loop's was made by the wall clock.
    """
    if abs(stamp_ns - now_ns) <= abs(stamp_ns - wall_ns):
        return stamp_ns
    return stamp_ns - wall_ns + now_ns
