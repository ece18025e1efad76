"""Virtual time: the agenda's order, jumps at full speed, and a pace that can be set."""

from __future__ import annotations

import random
import threading
import time
from functools import partial

import pytest

from jackspot.core.pieces import Pocket
from jackspot.inputs.queue import EventSource, SourceClosed
from jackspot.sensing.events import Edge, FaultRaised, Tick, Trouble
from jackspot_sim.clock import START_NS, SimClock
from tests.conftest import PATIENCE_S

MS = 1_000_000
SECOND = 1_000 * MS


def edge(clock: SimClock, pocket: Pocket = Pocket.NE) -> None:
    clock.submit(Edge(clock.now_ns(), pocket, active=True))


def drain(source: EventSource, deadline_ns: int) -> list[object]:
    found: list[object] = []
    while (event := source.next(deadline_ns)) is not None:
        found.append(event)
    return found


def test_an_hour_passes_at_once_at_full_speed() -> None:
    clock = SimClock()
    began_s = time.monotonic()
    assert clock.next(START_NS + 3600 * SECOND) is None
    assert clock.now_ns() == START_NS + 3600 * SECOND
    assert time.monotonic() - began_s < PATIENCE_S


def test_an_action_happens_at_exactly_its_own_instant() -> None:
    clock = SimClock()
    clock.after(7, lambda: edge(clock))
    assert clock.next(None) == Edge(START_NS + 7, Pocket.NE, active=True)
    assert clock.now_ns() == START_NS + 7


def test_a_deadline_before_the_next_action_comes_first() -> None:
    clock = SimClock()
    clock.after(10, lambda: edge(clock))
    assert clock.next(START_NS + 9) is None
    assert clock.next(START_NS + 10) == Edge(START_NS + 10, Pocket.NE, active=True)


def test_actions_of_one_instant_keep_the_order_they_were_planned_in() -> None:
    clock = SimClock()
    for pocket in (Pocket.SW, Pocket.NE, Pocket.NW):
        clock.after(5, partial(edge, clock, pocket))
    found = drain(clock, START_NS + 6)
    assert [e.source for e in found if isinstance(e, Edge)] == [Pocket.SW, Pocket.NE, Pocket.NW]


def test_an_action_planned_by_an_action_counts_from_that_instant() -> None:
    clock = SimClock()
    clock.after(5, lambda: clock.after(5, lambda: edge(clock)))
    assert clock.next(None) == Edge(START_NS + 10, Pocket.NE, active=True)


def test_an_action_planned_for_the_past_is_performed_now() -> None:
    clock = SimClock()
    clock.next(START_NS + SECOND)
    clock.at(START_NS, lambda: edge(clock))
    assert clock.next(None) == Edge(START_NS + SECOND, Pocket.NE, active=True)


def test_an_event_that_is_ready_comes_before_time_moves_on() -> None:
    clock = SimClock()
    clock.after(5, lambda: edge(clock))
    clock.submit(Tick(START_NS))
    assert clock.next(None) == Tick(START_NS)
    assert clock.now_ns() == START_NS


def test_an_event_is_taken_before_the_next_action_of_the_same_instant() -> None:
    clock = SimClock()
    done: list[str] = []
    clock.after(5, lambda: edge(clock))
    clock.after(5, lambda: done.append("second"))
    assert clock.next(None) == Edge(START_NS + 5, Pocket.NE, active=True)
    assert done == []
    assert clock.next(START_NS + 6) is None
    assert done == ["second"]


def test_two_runs_of_one_seed_are_the_same_run() -> None:
    def run() -> list[object]:
        clock = SimClock()
        chance = random.Random(4711)

        def again() -> None:
            edge(clock, chance.choice(list(Pocket)))
            clock.after(chance.randrange(1, 50 * MS), again)
            if chance.random() < 0.2:
                clock.after(chance.randrange(3), lambda: edge(clock))

        clock.after(1, again)
        found: list[object] = []
        for deadline_ns in range(START_NS, START_NS + 20 * SECOND, SECOND // 3):
            found += [*drain(clock, deadline_ns), clock.now_ns()]
        return found

    first = run()
    assert first == run()
    assert len(first) > 500


def test_stamps_never_run_backwards_at_full_speed() -> None:
    clock = SimClock()
    chance = random.Random(12)
    for _ in range(500):
        clock.at(START_NS + chance.randrange(SECOND), lambda: edge(clock))
    stamps = [e.at_ns for e in drain(clock, START_NS + SECOND) if isinstance(e, Edge)]
    assert stamps == sorted(stamps)
    assert len(stamps) == 500


def test_what_does_not_fit_becomes_a_fault() -> None:
    clock = SimClock(limit=2)
    for at_ns in range(5):
        clock.submit(Tick(at_ns))
    fault = clock.next(None)
    assert isinstance(fault, FaultRaised)
    assert fault.trouble is Trouble.OVERFLOW
    assert fault.detail.startswith("3 events lost")


class RealTime:
    """A real clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at_ns = 77 * SECOND

    def __call__(self) -> int:
        return self.at_ns


def test_at_a_finite_speed_virtual_time_runs_that_many_times_as_fast() -> None:
    real = RealTime()
    clock = SimClock(20.0, real_ns=real)
    real.at_ns += 100 * MS
    assert clock.now_ns() == START_NS + 2 * SECOND
    clock.set_speed(0.5)
    real.at_ns += 100 * MS
    assert clock.now_ns() == START_NS + 2 * SECOND + 50 * MS


def test_time_goes_on_from_where_it_was_when_full_speed_ends() -> None:
    real = RealTime()
    clock = SimClock(real_ns=real)
    clock.next(START_NS + 30 * SECOND)
    clock.set_speed(1.0)
    real.at_ns += SECOND
    assert clock.now_ns() == START_NS + 31 * SECOND


def test_an_action_that_is_performed_late_still_happens_at_its_own_instant() -> None:
    real = RealTime()
    clock = SimClock(1.0, real_ns=real)
    clock.after(5 * MS, lambda: edge(clock))
    real.at_ns += 9 * MS
    assert clock.next(None) == Edge(START_NS + 5 * MS, Pocket.NE, active=True)


def test_an_event_never_overtakes_an_action_of_an_earlier_instant() -> None:
    real = RealTime()
    clock = SimClock(1.0, real_ns=real)
    clock.after(5 * MS, lambda: edge(clock))
    real.at_ns += 9 * MS
    clock.submit(Tick(clock.now_ns()))
    assert clock.next(None) == Edge(START_NS + 5 * MS, Pocket.NE, active=True)
    assert clock.next(None) == Tick(START_NS + 9 * MS)


def test_at_a_finite_speed_the_loop_really_waits() -> None:
    clock = SimClock(50.0)
    began_ns = time.monotonic_ns()
    clock.at(START_NS + SECOND, lambda: edge(clock))
    assert clock.next(START_NS + 5 * SECOND) == Edge(START_NS + SECOND, Pocket.NE, active=True)
    assert time.monotonic_ns() - began_ns >= 20 * MS


def test_an_action_planned_by_another_thread_ends_the_wait() -> None:
    clock = SimClock(1.0)
    threading.Timer(0.01, lambda: clock.after(0, lambda: edge(clock))).start()
    event = clock.next(START_NS + 60 * SECOND)
    assert isinstance(event, Edge)
    assert event.at_ns < START_NS + 10 * SECOND


@pytest.mark.parametrize("speed", [None, 1.0])
def test_closing_ends_a_wait_without_a_deadline(speed: float | None) -> None:
    clock = SimClock(speed)
    threading.Timer(0.01, clock.close).start()
    with pytest.raises(SourceClosed):
        clock.next(None)


@pytest.mark.parametrize("speed", [0, -1.0, float("nan")])
def test_a_speed_that_is_not_above_zero_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        SimClock(speed)
