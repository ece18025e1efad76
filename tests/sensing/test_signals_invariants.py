"""What holds for any edges at all."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import (
    BeamBroken,
    BeamWhole,
    Button,
    ButtonDown,
    ButtonUp,
    Edge,
    FaultCleared,
    FaultRaised,
    Gesture,
    Place,
    Press,
    Pulse,
    SignalEvent,
    Tick,
    beam_wire,
)
from jackspot.sensing.limits import MS, Limits
from jackspot.sensing.signals import Source, instant_ns
from tests.sensing.signal_player import (
    ALL_WIRES,
    LIMITS,
    N_FIX,
    N_OK,
    REFEREE,
    SEAT,
    Input,
    in_time,
    ms,
    play,
    presses,
    start,
)

STEPS_US = st.one_of(
    st.integers(0, 3_000),
    st.integers(1_000, 40_000),
    st.sampled_from([2_000, 10_000, 1_000_000, 2_000_000, 60_000_000]),
    st.integers(0, 3_000_000),
)
"""From bounce to a minute, with the limits themselves."""


def streams(most: int = 40) -> st.SearchStrategy[list[Edge]]:
    """Draw edges in order of time: any wire, any level, repeats included."""
    step = st.tuples(STEPS_US, st.sampled_from(ALL_WIRES), st.booleans())
    few, many = st.lists(step, max_size=most), st.lists(step, min_size=most // 2, max_size=most)
    return st.one_of(few, many).map(in_sequence)


def in_sequence(steps: list[tuple[int, Source, bool]]) -> list[Edge]:
    """Return edges that follow each other after these microseconds."""
    times_us = itertools.accumulate(step_us for step_us, _, _ in steps)
    return [Edge(t * 1_000, w, a) for t, (_, w, a) in zip(times_us, steps, strict=True)]


def released(edges: list[Edge]) -> list[Edge]:
    """Return the same edges, with everything let go a while after the end."""
    end_ns = edges[-1].at_ns if edges else 0
    return [*edges, *(Edge(end_ns + 100 * MS, wire, active=False) for wire in ALL_WIRES)]


def part_of(event: SignalEvent) -> str:
    match event:
        case BeamBroken() | BeamWhole() | Pulse():
            return beam_wire(event.pocket)
        case FaultRaised() | FaultCleared():
            return event.part
        case Press():
            return f"{event.button.wire}:presses"
        case _:
            return event.button.wire


def by_part(events: list[SignalEvent]) -> dict[str, list[SignalEvent]]:
    parts: dict[str, list[SignalEvent]] = defaultdict(list)
    for event in events:
        parts[part_of(event)].append(event)
    return parts


def check_alternation(events: list[SignalEvent]) -> None:
    """Check that downs and ups alternate, as do faults and their ends: one at a time per part."""
    down: set[Button] = set()
    wrong: dict[str, object] = {}
    for event in events:
        match event:
            case ButtonDown():
                assert event.button not in down, "down while down"
                assert event.button.wire not in wrong, "a button with a fault says nothing"
                down.add(event.button)
            case ButtonUp():
                assert event.button in down, "up without a down"
                down.remove(event.button)
            case FaultRaised():
                assert event.part not in wrong, "a second fault at once"
                wrong[event.part] = event.trouble
            case FaultCleared():
                assert wrong.pop(event.part, None) == event.trouble, "cleared, never raised"
            case _:
                pass


def check_presses(events: list[SignalEvent]) -> None:
    """Check that each press belongs to a down at its place, and that no down makes two."""
    downs = {(e.button.place, e.at_ns): e for e in events if isinstance(e, ButtonDown)}
    seen: set[tuple[Place, int, str]] = set()
    for press in presses(events):
        key = (press.button.place, press.down_ns, press.button.key)
        assert key not in seen, "two presses from one down: held and short both"
        assert key[:2] in downs, "a press without its down"
        seen.add(key)
        assert press.at_ns >= press.down_ns
    count: dict[Place, int] = defaultdict(int)
    for event in events:
        if isinstance(event, ButtonDown):
            count[event.button.place] += 1
    for place in Place:
        own = [p for p in presses(events) if p.button.place is place]
        assert len(own) <= count[place], "one press per down at most"


def check_pulses(events: list[SignalEvent]) -> None:
    """Check that a pocket's pulses follow each other, none as short as noise or long as blocked."""
    end_ns: dict[Pocket, int] = {}
    for event in events:
        if isinstance(event, Pulse):
            assert LIMITS.min_pulse_ns <= event.width_ns < LIMITS.blocked_ns
            assert event.start_ns >= end_ns.get(event.pocket, -1)
            end_ns[event.pocket] = event.end_ns


def check_broken(events: list[SignalEvent]) -> None:
    """Check that each beam that is called broken turns out to be something, or whole again."""
    broken: set[str] = set()
    for event in events:
        match event:
            case BeamBroken():
                broken.add(part_of(event))
            case BeamWhole():
                broken.remove(part_of(event))
            case Pulse() | FaultRaised():
                broken.discard(part_of(event))
            case _:
                pass
    assert broken == set()


@given(streams())
def test_downs_ups_and_faults_take_turns_and_presses_belong_to_downs(edges):
    _, events = play(start(*ALL_WIRES), released(edges))
    check_alternation(events)
    check_presses(events)
    check_pulses(events)
    check_broken(events)


@given(streams())
def test_when_all_is_let_go_nothing_is_down_wrong_or_due(edges):
    signals, events = play(start(*ALL_WIRES), released(edges))
    assert signals.next_wake_ns() is None
    for kind, end in ((ButtonDown, ButtonUp), (FaultRaised, FaultCleared)):
        opened = sum(isinstance(e, kind) for e in events)
        assert opened == sum(isinstance(e, end) for e in events)


@given(streams(), st.lists(st.integers(0, 5_000_000), max_size=20))
def test_more_ticks_than_asked_for_change_nothing(edges, ticks_us):
    inputs = released(edges)
    ticks = [Tick(at_us * 1_000) for at_us in ticks_us]
    often: list[Input] = sorted([*inputs, *ticks], key=lambda e: e.at_ns)
    assert play(start(*ALL_WIRES), inputs)[1] == play(start(*ALL_WIRES), often)[1]


@given(streams())
def test_ticks_that_come_only_at_the_end_change_no_event_and_no_time(edges):
    inputs = released(edges)
    late: list[SignalEvent] = []
    signals = start(*ALL_WIRES)
    for edge in inputs:
        signals, events = signals.step(edge)
        late += events
    _, events = signals.step(Tick(10**18))
    late += events
    assert by_part(late) == by_part(play(start(*ALL_WIRES), inputs)[1])


@settings(max_examples=30)
@given(streams())
def test_what_one_wire_gives_does_not_depend_on_the_others(edges):
    together = by_part(play(start(*ALL_WIRES), edges)[1])
    alone: tuple[Source, ...] = (*Pocket, *REFEREE)
    for wire in alone:
        own = [e for e in edges if e.source == wire]
        for part, events in by_part(play(start(*ALL_WIRES), own)[1]).items():
            mine = [e for e in together[part] if not isinstance(e, Press) or e.button == wire]
            assert mine == events
    for place in (Place.N, Place.E):
        own = [e for e in edges if isinstance(e.source, Button) and e.source.place is place]
        for part, events in by_part(play(start(*ALL_WIRES), own)[1]).items():
            assert together[part] == events


@given(streams(), st.randoms(use_true_random=False))
def test_edges_in_any_order_never_crash_and_give_nothing_impossible(edges, random):
    shuffled = [edge for edge in edges for _ in range(random.choice((1, 1, 1, 2)))]
    random.shuffle(shuffled)
    signals, events = start(*ALL_WIRES), list[SignalEvent]()
    for edge in shuffled:
        if random.random() < 0.3:
            signals, more = signals.step(Tick(edge.at_ns))
            events += more
        signals, more = signals.step(edge)
        events += more
    events += signals.step(Tick(10**18))[1]
    check_alternation(events)
    check_pulses(events)
    check_broken(events)
    assert all(p.at_ns >= p.down_ns for p in presses(events))
    assert all(instant_ns(e) >= -1 for e in events)


@given(st.permutations(SEAT), st.permutations(SEAT), st.tuples(*[st.integers(0, 2_000)] * 4))
def test_a_press_is_over_no_earlier_than_it_began_whatever_times_its_edges_have(down, up, times_us):
    signals, events = start(*SEAT), list[SignalEvent]()
    told = [*((button, True) for button in down), *((button, False) for button in up)]
    for at_us, (i, (button, is_down)) in zip(times_us, enumerate(told, start=1), strict=True):
        for each in (Edge(at_us * 1_000, button, is_down), Tick(i * 20 * MS)):
            signals, more = signals.step(each)
            events += more
    events += signals.step(Tick(10**18))[1]
    check_alternation(events)
    assert all(p.at_ns >= p.down_ns for p in presses(events))


# nothing real is lost


@st.composite
def bouncing_presses(draw, button: Button) -> tuple[list[Edge], list[tuple[int, int, Gesture]]]:
    """Draw bouncing presses of 20 ms and more, 40 ms and more apart, and what they must give."""
    at_ns, edges, expected = 0, [], []
    for _ in range(draw(st.integers(1, 8))):
        down_ns = at_ns + draw(st.integers(40 * MS, 900 * MS))
        at_ns = down_ns + draw(st.one_of(st.integers(20 * MS, 900 * MS), st.just(1300 * MS)))
        edges += bounces(draw, button, down_ns, active=True)
        up = bounces(draw, button, at_ns, active=False)
        edges += up
        up_ns = up[-1].at_ns
        held = up_ns - down_ns >= LIMITS.hold_ns
        pressed_ns = down_ns + LIMITS.hold_ns if held else up_ns
        expected.append((down_ns, pressed_ns, Gesture.HOLD if held else Gesture.SHORT))
        at_ns = up_ns
    return edges, expected


def bounces(draw, button: Button, at_ns: int, *, active: bool) -> list[Edge]:
    """Draw a contact that closes or opens: an odd number of edges within four milliseconds."""
    edges = [Edge(at_ns, button, active)]
    for _ in range(draw(st.integers(0, 4))):
        for level in (not active, active):
            at_ns += draw(st.integers(1_000, 500_000))
            edges.append(Edge(at_ns, button, level))
    return edges


@given(bouncing_presses(N_OK))
def test_no_bouncing_press_is_lost_or_doubled(case):
    edges, expected = case
    _, events = play(start(*SEAT), edges)
    assert [(p.down_ns, p.at_ns, p.gesture) for p in presses(events)] == expected


@given(bouncing_presses(REFEREE[0]), bouncing_presses(REFEREE[1]))
def test_two_buttons_of_the_box_pressed_at_will_lose_nothing(first, second):
    _, events = play(start(*REFEREE), in_time(first[0], second[0]))
    for button, (_, expected) in ((REFEREE[0], first), (REFEREE[1], second)):
        own = [p for p in presses(events) if p.button == button]
        assert [(p.down_ns, p.at_ns, p.gesture) for p in own] == expected


@given(
    st.lists(st.tuples(st.integers(3 * MS, 900 * MS), st.integers(2 * MS, 90 * MS)), max_size=12),
    st.randoms(use_true_random=False),
)
def test_no_pulse_is_lost_when_edges_are_told_twice_or_neighbours_swapped(spans, random):
    at_ns, expected, edges = 0, [], []
    for gap_ns, width_ns in spans:
        pulse = Pulse(Pocket.NE, at_ns + gap_ns, at_ns + gap_ns + width_ns)
        at_ns = pulse.end_ns
        expected.append(pulse)
        edges += [Edge(pulse.start_ns, Pocket.NE, True), Edge(pulse.end_ns, Pocket.NE, False)]
    index = 0
    while index + 1 < len(edges):
        if random.random() < 0.4:
            edges[index : index + 2] = edges[index : index + 2][::-1]
            index += 1
        index += 1
    told = [edge for edge in edges for _ in range(random.choice((1, 2)))]
    signals, events = start(Pocket.NE), list[SignalEvent]()
    for edge in told:
        signals, more = signals.step(edge)
        events += more
    assert [e for e in events if isinstance(e, Pulse)] == expected


@given(st.integers(0, 900), st.integers(1, 400), st.integers(1, 400))
def test_every_chord_of_a_seat_is_one_undo_and_nothing_else(lead_ms, ok_ms, fix_ms):
    ok_up, fix_up = lead_ms + ok_ms, lead_ms + fix_ms
    edges = in_time(
        [ms(0, N_OK, True), ms(ok_up + 10, N_OK, False)],
        [ms(lead_ms, N_FIX, True), ms(fix_up + 2, N_FIX, False)],
    )
    _, events = play(start(*SEAT), edges)
    (press,) = presses(events)
    assert (press.button.key, press.gesture) == ("undo", Gesture.SHORT)
    assert press.down_ns == lead_ms * MS
    assert press.at_ns == max(ok_up + 10, fix_up + 2) * MS


@pytest.mark.long
@settings(max_examples=1_000)
@given(streams(most=200))
def test_long_streams_give_nothing_impossible(edges):
    _, events = play(start(*ALL_WIRES), released(edges))
    check_alternation(events)
    check_presses(events)
    check_pulses(events)


def test_the_default_limits_are_the_ones_the_field_notes_start_from():
    limits = Limits()
    assert limits.min_pulse_ns == 2 * MS
    assert limits.join_ns == 15 * MS
    assert limits.blocked_ns == 2_000 * MS
    assert limits.hold_ns == 1_000 * MS
    assert limits.stuck_ns == 60_000 * MS
