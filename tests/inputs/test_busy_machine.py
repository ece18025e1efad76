"""A busy machine: order, holds, a wire that chatters, and no loss that goes unreported."""

from __future__ import annotations

import itertools
import threading

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.inputs.crowding import WAITING_AT_MOST
from jackspot.inputs.queue import GRACE_NS, HUB_LIMIT, LATE_NS, EventQueue, SourceClosed
from jackspot.sensing.events import (
    Button,
    ColourSeen,
    Edge,
    Event,
    FaultRaised,
    Gesture,
    Key,
    Place,
    Press,
    SignalEvent,
    Tick,
    Trouble,
)
from jackspot.sensing.limits import MS, SECOND, Limits
from jackspot.sensing.signals import Signals, Source
from tests.conftest import PATIENCE_S

OK = Button(Place.REFEREE, Key.OK)
NE, SW = Pocket.NE, Pocket.SW
WIRES: tuple[Source, ...] = (NE, SW, OK)


class HandClock(EventQueue):
    """The real queue, with a clock that only a test moves."""

    at_ns = 0

    def now_ns(self) -> int:
        return self.at_ns


def drained(queue: EventQueue) -> list[Event]:
    events = []
    while not queue.is_empty:
        event = queue.next(None)
        assert event is not None
        events.append(event)
    return events


def sensed(events: list[Event]) -> list[SignalEvent]:
    """Return what the table makes of edges, with a tick long after them."""
    signals = Signals.at_start(Limits(), WIRES, -1)
    made: list[SignalEvent] = []
    for event in events:
        if isinstance(event, Edge):
            signals, told = signals.step(event)
            made += told
    return [*made, *signals.step(Tick(10**12))[1]]


# order


@st.composite
def late_arrivals(draw: st.DrawFn) -> tuple[list[Edge], list[Edge]]:
    """Draw edges in order of time, and as they arrive: each wire's in order, some wires late."""
    spans = draw(st.lists(st.tuples(st.sampled_from(WIRES), st.integers(2, 60)), max_size=25))
    edges, at_ns = list[Edge](), 0
    for wire, ms in spans:
        at_ns += draw(st.integers(15, 200)) * MS
        edges += [Edge(at_ns, wire, active=True), Edge(at_ns + ms * MS, wire, active=False)]
        at_ns += ms * MS
    late = draw(st.fixed_dictionaries({wire: st.integers(0, 500) for wire in WIRES}))
    arriving = sorted(edges, key=lambda edge: edge.at_ns + late[edge.source] * MS)
    return edges, arriving


@given(late_arrivals())
def test_what_waits_is_taken_as_it_happened_however_late_some_wires_are(
    streams: tuple[list[Edge], list[Edge]],
) -> None:
    edges, arriving = streams
    queue = EventQueue()
    for edge in arriving:
        queue.submit(edge)
    assert sensed(drained(queue)) == sensed(list(edges))


# late wake-ups


@pytest.fixture
def slow_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for drivers as long as a test's own driver may take on a busy machine."""
    monkeypatch.setattr("jackspot.inputs.queue.GRACE_NS", int(PATIENCE_S * SECOND))


@pytest.mark.usefixtures("slow_drivers")
def test_a_loop_that_wakes_late_waits_for_what_its_drivers_still_have() -> None:
    queue = HandClock()
    let_go = Edge(90 * MS, OK, active=False)

    def stopped_and_continued() -> None:
        queue.at_ns = 3 * SECOND  # the machine was asleep, loop and drivers alike
        queue.submit(let_go)

    deadline_ns = SECOND
    queue.at_ns = deadline_ns + LATE_NS + 1
    driver = threading.Timer(0.005, stopped_and_continued)
    driver.start()
    assert queue.next(deadline_ns) == let_go
    driver.join()


@pytest.mark.usefixtures("slow_drivers")
def test_a_short_press_over_a_sleep_of_the_machine_is_no_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop's rule: waiting events come before the deadline, which counts at its own instant."""
    queue = HandClock()
    signals = Signals.at_start(Limits(), [OK], -1)
    signals, _ = signals.step(Edge(0, OK, active=True))
    wake_ns = signals.next_wake_ns()
    assert wake_ns is not None
    queue.at_ns = 30 * SECOND
    driver = threading.Timer(0.005, queue.submit, [Edge(90 * MS, OK, active=False)])
    driver.start()
    presses: list[Press] = []
    while len(presses) < 1:
        event = queue.next(wake_ns)
        monkeypatch.setattr("jackspot.inputs.queue.GRACE_NS", 0)
        assert event is None or isinstance(event, Edge)
        signals, events = signals.step(event or Tick(signals.next_wake_ns() or 0))
        presses += [each for each in events if isinstance(each, Press)]
        wake_ns = signals.next_wake_ns() or wake_ns
    driver.join()
    assert [(p.gesture, p.at_ns) for p in presses] == [(Gesture.SHORT, 90 * MS)]


def test_a_deadline_that_is_reached_in_time_is_not_waited_over() -> None:
    queue = HandClock()
    queue.at_ns = SECOND
    assert queue.next(SECOND) is None
    assert queue.next(SECOND - LATE_NS) is None


def frame(at_ns: int) -> ColourSeen:
    return ColourSeen(at_ns, NE, 3_000, 2_000, 1_500, 100)


def test_what_keeps_coming_puts_off_a_missed_deadline_only_once() -> None:
    queue = HandClock()
    deadline_ns = SECOND
    queue.at_ns = deadline_ns + LATE_NS + 1
    over_ns = queue.at_ns + GRACE_NS
    while queue.at_ns < over_ns:
        queue.submit(frame(queue.at_ns))
        assert queue.next(deadline_ns) == frame(queue.at_ns), "drivers still have their moment"
        queue.at_ns += 4 * MS
    early, late = Edge(deadline_ns - 1, OK, active=False), frame(queue.at_ns)
    for event in (late, early):
        queue.submit(event)
    assert queue.next(deadline_ns) == early, "it happened before"
    assert queue.next(deadline_ns) is None
    assert queue.next(deadline_ns) == late, "a loop that fails at a deadline goes on"
    assert queue.next(deadline_ns) is None


@given(st.lists(st.integers(1, 25), min_size=30, max_size=60), st.integers(25, 400))
def test_every_deadline_is_reached_within_a_bound_whatever_comes(
    steps: list[int], lag_ms: int
) -> None:
    queue, deadline_ns = HandClock(), SECOND
    queue.at_ns = woke_ns = deadline_ns + lag_ms * MS
    for step in steps:
        queue.submit(frame(queue.at_ns))
        if queue.next(deadline_ns) is None:
            break
        queue.at_ns += step * MS
    assert queue.at_ns <= woke_ns + GRACE_NS + max(steps) * MS


def test_a_hub_that_sends_without_end_shuts_nothing_out() -> None:
    queue = HandClock()
    press = Edge(HUB_LIMIT, OK, active=True)
    queue.submit(press)
    taken: list[Event | None] = []
    for n in range(4 * HUB_LIMIT):
        for at_ns in (n, n):
            queue.submit(frame(at_ns))
        taken.append(queue.next(None))
    assert press in taken
    told = [event for event in taken if isinstance(event, FaultRaised)]
    assert 0 < len(told) <= 4
    queue.close()
    with pytest.raises(SourceClosed):
        queue.next(None)


# a wire that chatters


def burst(count: int, wire: Source = NE) -> list[Edge]:
    return [Edge(1_000 * MS + i * 100_000, wire, active=i % 2 == 0) for i in range(count)]


def test_ten_thousand_edges_of_one_wire_leave_the_others_whole() -> None:
    queue = EventQueue()
    fall = [Edge(1_500 * MS, SW, active=True), Edge(1_509 * MS, SW, active=False)]
    press = [Edge(1_600 * MS, OK, active=True), Edge(1_700 * MS, OK, active=False)]
    for edge in [*burst(9_999), *fall, *press]:
        queue.submit(edge)
    events = drained(queue)
    others = [e for e in events if isinstance(e, Edge) and e.source is not NE]
    assert others == [*fall, *press]
    assert sum(isinstance(e, Edge) and e.source is NE for e in events) == WAITING_AT_MOST + 1
    faults = [e for e in events if isinstance(e, FaultRaised)]
    assert [(f.part, f.trouble) for f in faults] == [("pocket_ne", Trouble.LOST)]
    lost = 9_999 - WAITING_AT_MOST - 1
    assert faults[0].detail.startswith(f"{lost} edges lost on pocket_ne")


def test_of_what_did_not_fit_the_newest_edge_follows_so_that_the_level_is_true() -> None:
    for count in (WAITING_AT_MOST + 1, WAITING_AT_MOST + 2, 5_000, 5_001):
        queue = EventQueue()
        edges = burst(count)
        for edge in edges:
            queue.submit(edge)
        told = [event for event in drained(queue) if isinstance(event, Edge)]
        assert told == [*edges[:WAITING_AT_MOST], edges[-1]]


def test_a_wire_is_let_in_again_once_the_loop_has_caught_up() -> None:
    queue = EventQueue()
    for turn in range(3):
        edges = [Edge(turn * SECOND + i, NE, active=i % 2 == 0) for i in range(300)]
        for edge in edges:
            queue.submit(edge)
        told = [event for event in drained(queue) if isinstance(event, Edge)]
        assert told == [*edges[:WAITING_AT_MOST], edges[-1]]


def test_a_burst_while_the_loop_takes_events_loses_nothing_of_the_others() -> None:
    queue = EventQueue()
    quiet = [Edge(i * MS, SW, active=i % 2 == 0) for i in range(200)]
    storm = (Edge(i * 100_000, NE, active=i % 2 == 0) for i in itertools.count())
    going = threading.Event()

    def chatter() -> None:
        while not going.is_set():
            queue.submit(next(storm))

    thread = threading.Thread(target=chatter)
    thread.start()
    taken: list[Edge] = []
    for edge in quiet:
        queue.submit(edge)
        while not taken or taken[-1] != edge:
            event = queue.next(None)
            if isinstance(event, Edge) and event.source is SW:
                taken.append(event)
    going.set()
    thread.join()
    assert taken == quiet


@given(st.lists(st.sampled_from(WIRES), max_size=600), st.integers(1, 5))
def test_what_is_left_out_is_counted_to_the_last_edge(wires: list[Source], every: int) -> None:
    queue = EventQueue()
    events: list[Event] = []
    levels = dict.fromkeys(WIRES, False)
    for i, wire in enumerate(wires):
        levels[wire] = not levels[wire]
        queue.submit(Edge(i, wire, levels[wire]))
        if i % (every * 100) == 0:
            events += drained(queue)
    events += drained(queue)
    told = [event for event in events if isinstance(event, Edge)]
    lost: dict[str, int] = {}
    for event in events:
        if isinstance(event, FaultRaised):
            lost[event.part] = int(event.detail.split()[0])
    assert len(told) + sum(lost.values()) == len(wires)
    for wire, level in levels.items():
        last = [edge.active for edge in told if edge.source == wire]
        assert (last[-1] if last else False) is level
