"""A pocket's beam: edges to pulses, and the two ways a beam can be wrong.

    whole --broken--> dark --2 ms--> seen --whole--> Pulse, whole
                       | whole within 2 ms: noise     | 2 s
                       +--> whole                     +--> blocked --whole--> whole, no pulse

A beam that is found broken at the start, or after a storm, gives no pulse when it is whole
again, because nobody saw it begin; it is blocked when it stays dark. From anywhere a storm of
edges drops what was under way and silences the beam until it has been quiet. One fault at a
time: a storm takes the place of a blocked beam.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackspot.core.pieces import Pocket
from jackspot.table.events import (
    BeamBroken,
    Edge,
    FaultCleared,
    FaultRaised,
    Pulse,
    SignalEvent,
    Trouble,
    beam_wire,
)
from jackspot.table.limits import Limits
from jackspot.table.lines import Change, Line


@dataclass(frozen=True, slots=True)
class Dark:
    """A beam is broken since ``since_ns``; ``found`` so, not seen to break."""

    since_ns: int
    found: bool
    seen: bool = False
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Beam:
    """The state of one pocket's beam."""

    pocket: Pocket
    line: Line
    born_ns: int
    dark: Dark | None = None

    @classmethod
    def at_start(cls, pocket: Pocket, at_ns: int) -> Beam:
        """Give a whole beam."""
        return cls(pocket, Line.at_start(at_ns), at_ns)

    def take(self, edge: Edge, limits: Limits) -> tuple[Beam, list[SignalEvent]]:
        """Take one edge of this beam."""
        beam, events = self.until(edge.at_ns, limits)
        stormed = beam.line.storms
        line, changes = beam.line.hear(edge.at_ns, edge.active, limits.beam_edges, limits)
        beam = replace(beam, line=line)
        if line.storms and not stormed:
            return _storm(beam, events)
        for change in changes:
            beam, due = beam.until(change.at_ns, limits)
            events += due
            beam = _changed(beam, change, limits, events)
        return beam, events

    def until(self, at_ns: int, limits: Limits) -> tuple[Beam, list[SignalEvent]]:
        """Let everything happen that is due at ``at_ns``."""
        beam, events = self, list[SignalEvent]()
        quiet_ns = beam.line.quiet_ns(limits)
        if quiet_ns is not None and quiet_ns <= at_ns:
            events.append(FaultCleared(quiet_ns, beam_wire(beam.pocket), Trouble.CHATTER))
            dark = Dark(quiet_ns, found=True) if beam.line.active else None
            beam = replace(beam, line=beam.line.calmed(quiet_ns), dark=dark)
        dark = beam.dark
        if dark is None:
            return beam, events
        if not dark.found and not dark.seen and dark.since_ns + limits.min_pulse_ns <= at_ns:
            events.append(BeamBroken(dark.since_ns, beam.pocket))
            dark = replace(dark, seen=True)
        blocked_ns = dark.since_ns + limits.blocked_ns
        if not dark.blocked and blocked_ns <= at_ns:
            events.append(FaultRaised(blocked_ns, beam_wire(beam.pocket), Trouble.BLOCKED))
            dark = replace(dark, blocked=True)
        return (beam if dark is beam.dark else replace(beam, dark=dark)), events

    def wake_ns(self, limits: Limits) -> int | None:
        """Tell when something is due; None while nothing is."""
        if self.line.storms:
            return self.line.quiet_ns(limits)
        if self.dark is None or self.dark.blocked:
            return None
        unseen = not self.dark.found and not self.dark.seen
        return self.dark.since_ns + (limits.min_pulse_ns if unseen else limits.blocked_ns)


def _changed(beam: Beam, change: Change, limits: Limits, events: list[SignalEvent]) -> Beam:
    if change.active:
        return replace(beam, dark=Dark(change.at_ns, found=change.at_ns <= beam.born_ns))
    dark = beam.dark
    if dark is None:
        return beam
    if dark.blocked:
        cleared_ns = max(change.at_ns, dark.since_ns + limits.blocked_ns)
        events.append(FaultCleared(cleared_ns, beam_wire(beam.pocket), Trouble.BLOCKED))
    width_ns = change.at_ns - dark.since_ns
    if not dark.found and limits.min_pulse_ns <= width_ns < limits.blocked_ns:
        events.append(Pulse(beam.pocket, dark.since_ns, change.at_ns))
    return replace(beam, dark=None)


def _storm(beam: Beam, events: list[SignalEvent]) -> tuple[Beam, list[SignalEvent]]:
    at_ns, wire = beam.line.heard_ns, beam_wire(beam.pocket)
    if beam.dark is not None and beam.dark.blocked:
        events.append(FaultCleared(at_ns, wire, Trouble.BLOCKED))
    events.append(FaultRaised(at_ns, wire, Trouble.CHATTER))
    return replace(beam, dark=None), events
