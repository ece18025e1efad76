"""Where a signal ends and noise begins: every duration and count that sensing uses.

Only values and their validation. The defaults come from measured and computed figures: a flat disc
of 8 mm in free fall breaks a beam for 7 to 13 ms, one on edge for 26 to 52 ms.
"""

from __future__ import annotations

import itertools

from msgspec import Struct

MS = 1_000_000
"""Nanoseconds in a millisecond."""
SECOND = 1_000 * MS
"""Nanoseconds in a second."""


class Limits(Struct, frozen=True):
    """The limits of sensing, in nanoseconds and edges.

    Raises ValueError, naming the limit and what it must be, when they contradict each other.
    """

    min_pulse_ns: int = 2 * MS
    """A beam broken, or a button down, for less than this is noise."""
    debounce_ns: int = 10 * MS
    """A button is up when its contact has been open for this long: its hold-off, unless its wire
    has its own."""
    hold_ns: int = SECOND
    """A button down for this long is held."""
    blocked_ns: int = 2 * SECOND
    """A beam broken for this long is blocked."""
    stuck_ns: int = 60 * SECOND
    """A button down for this long is stuck."""
    join_ns: int = 15 * MS
    """Pulses in one pocket with a shorter gap between them belong to one fall."""
    beam_edges: int = 40
    """More edges of a beam than this within ``chatter_window_ns`` are a storm."""
    button_edges: int = 120
    """More edges of a button than this within ``chatter_window_ns`` are a storm."""
    chatter_window_ns: int = SECOND
    """The window in which the edges of a storm are counted."""
    chatter_quiet_ns: int = 2 * SECOND
    """A storm is over when the wire has been quiet for this long."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} = {getattr(self, name)}: expected more than 0")
        self._ascending("min_pulse_ns", "debounce_ns", "hold_ns", "stuck_ns")
        self._ascending("min_pulse_ns", "blocked_ns")
        for edges in (self.beam_edges, self.button_edges):
            if edges > self.chatter_window_ns:
                raise ValueError(
                    f"chatter_window_ns = {self.chatter_window_ns}: "
                    f"expected at least 1 ns for each of the {edges} edges allowed in it"
                )

    def _ascending(self, *names: str) -> None:
        for shorter, longer in itertools.pairwise(names):
            if getattr(self, shorter) > getattr(self, longer):
                raise ValueError(
                    f"{shorter} = {getattr(self, shorter)}: expected at most {longer}, "
                    f"which is {getattr(self, longer)}"
                )
