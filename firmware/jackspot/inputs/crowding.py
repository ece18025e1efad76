"""Bounds how many edges of one wire may wait, so that a chattering wire starves no other.

It knows counts only: the owner of a queue calls :meth:`Crowding.let_in` before an edge goes in and
:meth:`Crowding.taken` when one comes out. Of the edges that do not fit only the newest is kept,
since it has the current level of the wire. It follows when the others have been taken, with a
fault that says how many were left out.
"""

from __future__ import annotations

import threading

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Button, Edge, Event, FaultRaised, Trouble, wire_name

WAITING_AT_MOST = 128
"""The most edges of one wire that may wait. The table silences a beam with more than 40 in a second
and a button with more than 120, so more than this are never of use."""


def lost_edges(at_ns: int, source: Pocket | Button, lost: int, why: str) -> FaultRaised:
    """Return the fault that says how many edges of a wire were lost since the start."""
    edges = "1 edge" if lost == 1 else f"{lost} edges"
    name = wire_name(source)
    return FaultRaised(at_ns, name, Trouble.LOST, f"{edges} lost on {name}: {why}")


class _Wire(Struct):
    """The waiting edges of one wire. ``newest`` did not fit."""

    waiting: int = 0
    newest: Edge | None = None
    left_out: int = 0


class Crowding:
    """Counts the waiting edges of each wire. Any thread may call it."""

    def __init__(self, limit: int = WAITING_AT_MOST) -> None:
        self._limit = limit
        self._gate = threading.Lock()
        self._wires: dict[Pocket | Button, _Wire] = {}

    def let_in(self, edge: Edge) -> bool:
        """Return whether there is room for an edge; if not, it is kept, or counted as left out."""
        with self._gate:
            wire = self._wires.setdefault(edge.source, _Wire())
            if wire.waiting < self._limit and wire.newest is None:
                wire.waiting += 1
                return True
            wire.left_out += wire.newest is not None
            wire.newest = edge
            return False

    def taken(self, edge: Edge) -> tuple[Event, ...]:
        """Note that an edge came out; return what follows now that there is room."""
        with self._gate:
            wire = self._wires[edge.source]
            wire.waiting -= 1
            newest = wire.newest
            if wire.waiting or newest is None:
                return ()
            wire.newest, wire.waiting = None, 1
            if not wire.left_out:
                return (newest,)
            why = f"it changes faster than the board can take it ({self._limit} waited)"
            return newest, lost_edges(newest.at_ns, newest.source, wire.left_out, why)
