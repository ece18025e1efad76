"""Play edges to the sensing as the board's loop does, with a tick at every requested wake-up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    Edge,
    FaultCleared,
    FaultRaised,
    Key,
    Place,
    Press,
    SignalEvent,
    Tick,
)
from jackspot.sensing.limits import MS, Limits
from jackspot.sensing.signals import Signals, Source

LIMITS = Limits()
N_OK = Button(Place.N, Key.OK)
N_FIX = Button(Place.N, Key.FIX)
N_UNDO = Button(Place.N, Key.UNDO)
REFEREE = tuple(Button(Place.REFEREE, key) for key in Key)
SEAT = (N_OK, N_FIX)
POOR = (N_OK, N_UNDO)
PAGE_OK = Button(Place.PAGE, Key.OK)

Input = Edge | ButtonDown | ButtonUp | Tick


def ms(at: float, source: Source, active: bool) -> Edge:
    """Return an edge at this many milliseconds."""
    return Edge(round(at * MS), source, active)


def pressed(source: Source, *spans: tuple[float, float]) -> list[Edge]:
    """Return the edges of a wire that is active in these spans, in milliseconds."""
    return [ms(at, source, i == 0) for span in spans for i, at in enumerate(span)]


def in_time(*streams: Iterable[Edge]) -> list[Edge]:
    """Merge streams of edges by time."""
    return sorted((e for stream in streams for e in stream), key=lambda e: e.at_ns)


def start(*wires: Source, limits: Limits = LIMITS, active: Sequence[Source] = ()) -> Signals:
    """Return a board with these wires, started at 1 ns before 0."""
    return Signals.at_start(limits, wires, at_ns=-1, active=active)


def tick_until(signals: Signals, at_ns: int, out: list[SignalEvent]) -> Signals:
    """Give every tick that is asked for up to an instant, and return the signals."""
    for _ in range(10_000):
        wake_ns = signals.next_wake_ns()
        if wake_ns is None or wake_ns > at_ns:
            return signals
        signals, events = signals.step(Tick(wake_ns))
        out += events
        after_ns = signals.next_wake_ns()
        assert after_ns is None or after_ns > wake_ns, "a tick must settle all that was due"
    raise AssertionError("the wake-ups do not end")


def play(
    signals: Signals, inputs: Iterable[Input], until_ms: float | None = None
) -> tuple[Signals, list[SignalEvent]]:
    """Play inputs in the order given, then tick on until a time or until no wake-up is left."""
    out: list[SignalEvent] = []
    for event in inputs:
        signals = tick_until(signals, event.at_ns, out)
        signals, events = signals.step(event)
        out += events
    end_ns = 10**18 if until_ms is None else round(until_ms * MS)
    return tick_until(signals, end_ns, out), out


def presses(events: Iterable[SignalEvent]) -> list[Press]:
    """Return only the presses."""
    return [e for e in events if isinstance(e, Press)]


def faults(events: Iterable[SignalEvent]) -> list[FaultRaised | FaultCleared]:
    """Return only the faults."""
    return [e for e in events if isinstance(e, FaultRaised | FaultCleared)]


ALL_WIRES: tuple[Source, ...] = (
    *Pocket,
    *SEAT,
    Button(Place.E, Key.OK),
    Button(Place.E, Key.UNDO),
    *REFEREE,
)
"""Four beams, a seat with chords, a seat without FIX, and a referee's box."""
