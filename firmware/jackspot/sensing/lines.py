"""One wire as heard: its level, its edges put in order, and whether it storms.

This is the layer beneath beams and buttons, the same for both; it knows nothing of pulses and
presses. Its output alternates (active, inactive, active ...) with times that never go back,
whatever comes in: an edge may be reported twice, late, or after the edge that followed it. An edge
older than the last change taken in is stale and ignored. A wire that storms (a loose plug, the sun
in a sensor) says nothing until it is quiet.

A storm is counted by a leaky bucket, one number a wire: every edge adds its share of the
window, time drains it, and a wire whose bucket overflows storms.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.sensing.limits import Limits
from jackspot.values import changed


class Change(Struct, frozen=True):
    """A level that really changed, after edges were put in order."""

    at_ns: int
    active: bool


class WireState(Struct, frozen=True):
    """The state of one wire.

    ``since_ns`` is when ``active`` last changed. ``spare_ns`` is a later edge that repeated the
    level: the edge between them may still be on its way. ``drained_ns`` is when the storm bucket
    will be empty, ``heard_ns`` the newest edge of all.
    """

    active: bool
    since_ns: int
    heard_ns: int
    drained_ns: int
    spare_ns: int | None = None
    storms: bool = False

    @classmethod
    def at_start(cls, at_ns: int) -> WireState:
        """Return a wire from which nothing has been heard: inactive."""
        return cls(active=False, since_ns=at_ns, heard_ns=at_ns, drained_ns=at_ns)

    def hear(
        self, at_ns: int, active: bool, edges: int, limits: Limits
    ) -> tuple[WireState, tuple[Change, ...]]:
        """Take one edge; return what really changed: nothing, one change, or two.

        ``edges`` is how many edges the window may hold. The edge that makes a quiet wire
        storm, and every one while it storms, changes nothing but ``active``.
        """
        if self.storms:
            newest = at_ns >= self.heard_ns
            return (
                changed(
                    self,
                    active=active if newest else self.active,
                    heard_ns=max(at_ns, self.heard_ns),
                ),
                (),
            )
        window = limits.chatter_window_ns
        drained_ns = max(self.drained_ns, at_ns) + window // edges
        counted = changed(self, heard_ns=max(at_ns, self.heard_ns), drained_ns=drained_ns)
        if drained_ns - at_ns > window:
            return changed(counted, storms=True, active=active, spare_ns=None), ()
        return _in_order(counted, at_ns, active)

    def quiet_ns(self, limits: Limits) -> int | None:
        """Return when the storm will be over if nothing more is heard; None without a storm."""
        return self.heard_ns + limits.chatter_quiet_ns if self.storms else None

    def calmed(self, at_ns: int) -> WireState:
        """Return the wire after its storm, at the level last heard."""
        return changed(WireState.at_start(at_ns), active=self.active)


def _in_order(line: WireState, at_ns: int, active: bool) -> tuple[WireState, tuple[Change, ...]]:
    if active == line.active:
        later = at_ns > line.since_ns
        return (changed(line, spare_ns=at_ns) if later else line), ()
    if at_ns < line.since_ns:
        return line, ()
    first = Change(at_ns, active)
    if line.spare_ns is not None and line.spare_ns > first.at_ns:
        second = Change(line.spare_ns, not active)
        return changed(line, since_ns=second.at_ns, spare_ns=None), (first, second)
    return changed(line, active=active, since_ns=first.at_ns, spare_ns=None), (first,)
