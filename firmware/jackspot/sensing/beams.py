"""A pocket's beam: edges to pulses, and the two ways a beam can be wrong.

    whole --broken--> dark --2 ms--> seen --whole--> Pulse, whole
                       | whole within 2 ms: noise     | 2 s
                       +--> whole                     +--> blocked --whole--> whole, no pulse

A beam counts as whole once it has been whole for its hold-off, and is dated back to the instant it
became whole. Usually there is no hold-off. Where two crossed beams share a wire, one piece can
break one after the other; a hold-off longer than the gap makes that one pulse, from the first break
to the last.

An edge can come after the tick for its instant: a beam that was seen to break, but whose break
turns out to be noise, is said to be whole again.

A beam that is found broken at the start, or after a storm, gives no pulse when it becomes whole,
because nobody saw the break begin; if it stays dark it is blocked. In any state a storm of edges
drops what was under way and silences the beam until it has been quiet. A beam has one fault at a
time: a storm replaces a blocked beam.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import (
    BeamBroken,
    BeamWhole,
    Edge,
    FaultCleared,
    FaultRaised,
    Pulse,
    SignalEvent,
    Trouble,
    beam_wire,
)
from jackspot.sensing.limits import Limits
from jackspot.sensing.lines import Change, WireState
from jackspot.values import changed


class Dark(Struct, frozen=True):
    """A beam broken since ``since_ns``; ``found``: it was found broken, not seen to break."""

    since_ns: int
    found: bool
    seen: bool = False
    blocked: bool = False
    whole_ns: int | None = None
    """When it became whole again, while its hold-off lasts."""

    def width_ns(self, at_ns: int) -> int:
        """Return how long it has been broken at ``at_ns``."""
        return (at_ns if self.whole_ns is None else self.whole_ns) - self.since_ns


class Beam(Struct, frozen=True):
    """The state of one pocket's beam; it must be whole for ``hold_off_ns`` to count as whole."""

    pocket: Pocket
    line: WireState
    born_ns: int
    hold_off_ns: int = 0
    dark: Dark | None = None

    @classmethod
    def at_start(cls, pocket: Pocket, at_ns: int, hold_off_ns: int = 0) -> Beam:
        """Return a whole beam."""
        return cls(pocket, WireState.at_start(at_ns), at_ns, hold_off_ns)

    def take(self, edge: Edge, limits: Limits) -> tuple[Beam, list[SignalEvent]]:
        """Take one edge of this beam."""
        beam, events = self.until(edge.at_ns, limits)
        stormed = beam.line.storms
        line, changes = beam.line.hear(edge.at_ns, edge.active, limits.beam_edges, limits)
        beam = changed(beam, line=line)
        if line.storms and not stormed:
            return _storm(beam, events)
        for change in changes:
            beam, due = beam.until(change.at_ns, limits)
            events += due
            beam = _changed(beam, change, limits, events)
        if beam.hold_off_ns:
            beam, due = beam.until(edge.at_ns, limits)
            events += due
        return beam, events

    def until(self, at_ns: int, limits: Limits) -> tuple[Beam, list[SignalEvent]]:
        """Let everything happen that is due at ``at_ns``."""
        beam, events = self, list[SignalEvent]()
        quiet_ns = beam.line.quiet_ns(limits)
        if quiet_ns is not None and quiet_ns <= at_ns:
            events.append(FaultCleared(quiet_ns, beam_wire(beam.pocket), Trouble.CHATTER))
            dark = Dark(quiet_ns, found=True) if beam.line.active else None
            beam = changed(beam, line=beam.line.calmed(quiet_ns), dark=dark)
        if beam.dark is None:
            return beam, events
        beam = changed(beam, dark=_darker(beam, beam.dark, at_ns, limits, events))
        if beam.whole_again_ns is not None and beam.whole_again_ns <= at_ns:
            beam = _whole(beam, limits, events)
        return beam, events

    @property
    def whole_again_ns(self) -> int | None:
        """When a beam that is whole counts as whole; None while it is broken."""
        whole_ns = self.dark.whole_ns if self.dark else None
        return None if whole_ns is None else whole_ns + self.hold_off_ns

    def wake_ns(self, limits: Limits) -> int | None:
        """Return when something is due; None while nothing is."""
        if self.line.storms:
            return self.line.quiet_ns(limits)
        if self.dark is None:
            return None
        if self.whole_again_ns is not None:
            return self.whole_again_ns
        if self.dark.blocked:
            return None
        unseen = not self.dark.found and not self.dark.seen
        return self.dark.since_ns + (limits.min_pulse_ns if unseen else limits.blocked_ns)


def _darker(beam: Beam, dark: Dark, at_ns: int, limits: Limits, events: list[SignalEvent]) -> Dark:
    """Return the dark beam after so long; add the events that follow from its length."""
    width_ns = dark.width_ns(at_ns)
    if not dark.found and not dark.seen and limits.min_pulse_ns <= width_ns:
        events.append(BeamBroken(dark.since_ns, beam.pocket))
        dark = changed(dark, seen=True)
    if not dark.blocked and limits.blocked_ns <= width_ns:
        blocked_ns = dark.since_ns + limits.blocked_ns
        events.append(FaultRaised(blocked_ns, beam_wire(beam.pocket), Trouble.BLOCKED))
        dark = changed(dark, blocked=True)
    return dark


def _changed(beam: Beam, change: Change, limits: Limits, events: list[SignalEvent]) -> Beam:
    dark = beam.dark
    if change.active:
        if dark is None:
            dark = Dark(change.at_ns, found=change.at_ns <= beam.born_ns)
        return changed(beam, dark=changed(dark, whole_ns=None))
    if dark is None:
        return beam
    beam = changed(beam, dark=changed(dark, whole_ns=change.at_ns))
    return beam if beam.hold_off_ns else _whole(beam, limits, events)


def _whole(beam: Beam, limits: Limits, events: list[SignalEvent]) -> Beam:
    """End a break: as a pulse, as a fault that clears, as noise seen too soon, or as nothing."""
    dark = beam.dark
    assert dark is not None
    assert dark.whole_ns is not None
    if dark.blocked:
        cleared_ns = max(dark.whole_ns, dark.since_ns + limits.blocked_ns)
        events.append(FaultCleared(cleared_ns, beam_wire(beam.pocket), Trouble.BLOCKED))
    width_ns = dark.whole_ns - dark.since_ns
    if not dark.found and limits.min_pulse_ns <= width_ns < limits.blocked_ns:
        events.append(Pulse(beam.pocket, dark.since_ns, dark.whole_ns))
    elif dark.seen and not dark.blocked:
        events.append(BeamWhole(dark.whole_ns, beam.pocket))
    return changed(beam, dark=None)


def _storm(beam: Beam, events: list[SignalEvent]) -> tuple[Beam, list[SignalEvent]]:
    at_ns, wire = beam.line.heard_ns, beam_wire(beam.pocket)
    if beam.dark is not None and beam.dark.blocked:
        events.append(FaultCleared(at_ns, wire, Trouble.BLOCKED))
    events.append(FaultRaised(at_ns, wire, Trouble.CHATTER))
    return changed(beam, dark=None), events
