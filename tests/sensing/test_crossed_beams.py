"""Two crossed beams of a pocket on one wire: a piece is one piece, however it breaks them."""

from __future__ import annotations

from hypothesis import assume, given, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import BeamBroken, Edge, Pulse, Tick
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import MS, Limits
from jackspot.sensing.signals import Signals
from tests.sensing.signal_player import N_OK, Input, faults, ms, play, pressed, presses

NE = Pocket.NE
LIMITS = Limits()
HOLD_OFF_NS = 5 * MS
US = 1_000

Span = tuple[int, int]


def start(hold_off_ns: int = HOLD_OFF_NS) -> Signals:
    return Signals.at_start(LIMITS, [NE, N_OK], -1, hold_offs={NE: hold_off_ns})


def on_one_wire(*spans: Span) -> list[Edge]:
    """Return the edges of open collectors tied together: active while any of them is."""
    changes = sorted([(at, 1) for at, _ in spans] + [(until, -1) for _, until in spans])
    edges, broken = [], 0
    for at_ns, change in changes:
        before, broken = broken, broken + change
        if bool(before) is not bool(broken):
            edges.append(Edge(at_ns, NE, active=bool(broken)))
    return edges


def pulses_of(edges: list[Edge], hold_off_ns: int = HOLD_OFF_NS) -> list[Pulse]:
    return [e for e in play(start(hold_off_ns), edges)[1] if isinstance(e, Pulse)]


def falls_of(pulses: list[Pulse]) -> int:
    falls, numbers = Falls.at_start(LIMITS), set()
    for pulse in pulses:
        falls, fall = falls.step(pulse)
        numbers.add(fall.number)
    return len(numbers)


@st.composite
def crossings(draw: st.DrawFn) -> tuple[Span, Span]:
    """Draw a piece that breaks one beam and then, within a hold-off of leaving it, the other."""
    first = draw(st.integers(200, 60_000)) * US
    second_at = draw(st.integers(0, (first + HOLD_OFF_NS) // US - 1)) * US
    second = draw(st.integers(200, 60_000)) * US
    at = 1_000 * MS
    return (at, at + first), (at + second_at, at + second_at + second)


@given(crossings())
def test_a_piece_through_crossed_beams_is_one_pulse_from_the_first_break_to_the_last(
    spans: tuple[Span, Span],
) -> None:
    start_ns, end_ns = min(s for s, _ in spans), max(e for _, e in spans)
    assume(end_ns - start_ns >= LIMITS.min_pulse_ns)
    pulses = pulses_of(on_one_wire(*spans))
    assert pulses == [Pulse(NE, start_ns, end_ns)]
    assert falls_of(pulses) == 1


@given(crossings())
def test_without_a_hold_off_its_parts_are_still_one_fall(spans: tuple[Span, Span]) -> None:
    assume(all(end - begin >= LIMITS.min_pulse_ns for begin, end in spans))
    assert falls_of(pulses_of(on_one_wire(*spans), 0)) == 1


@given(crossings(), st.integers(0, 200))
def test_a_second_piece_after_the_hold_off_is_a_pulse_of_its_own(
    spans: tuple[Span, Span], more_ms: int
) -> None:
    end_ns = max(end for _, end in spans)
    assume(end_ns - spans[0][0] >= LIMITS.min_pulse_ns)
    next_ns = end_ns + HOLD_OFF_NS + more_ms * MS
    pulses = pulses_of(on_one_wire(*spans, (next_ns, next_ns + 9 * MS)))
    assert [p.start_ns for p in pulses] == [spans[0][0], next_ns]


@given(crossings(), st.lists(st.integers(0, 90_000), max_size=8))
def test_ticks_in_the_middle_of_a_crossing_change_nothing(
    spans: tuple[Span, Span], ticks_us: list[int]
) -> None:
    edges = on_one_wire(*spans)
    ticks = [Tick(spans[0][0] + at_us * US) for at_us in ticks_us]
    often: list[Input] = sorted([*edges, *ticks], key=lambda event: event.at_ns)
    assert play(start(), edges)[1] == play(start(), often)[1]


def test_a_pulse_is_told_when_the_hold_off_has_passed_with_its_true_end() -> None:
    signals, events = play(start(), pressed(NE, (0, 9)), until_ms=13.9)
    assert events == [BeamBroken(0, NE)]
    assert signals.next_wake_ns() == 14 * MS
    assert signals.step(Tick(14 * MS))[1] == (Pulse(NE, 0, 9 * MS),)


def test_a_beam_is_lit_once_its_parts_together_are_no_noise() -> None:
    signals, events = play(start(), pressed(NE, (0, 1)), until_ms=3)
    assert events == []
    assert signals.step(ms(4, NE, True))[1] == (BeamBroken(0, NE),)


def test_noise_alone_is_noise_with_a_hold_off_too() -> None:
    assert play(start(), pressed(NE, (0, 1.9), (100, 101)))[1] == []


def test_a_blocked_beam_is_well_only_when_it_stays_whole() -> None:
    _, events = play(start(), pressed(NE, (0, 3000), (3003, 4000)))
    assert [fault.at_ns for fault in faults(events)] == [2000 * MS, 4000 * MS]


def test_a_button_with_a_longer_hold_off_is_one_press_over_a_longer_bounce() -> None:
    bouncing = pressed(N_OK, (0, 3), (30, 60))
    slow = Signals.at_start(LIMITS, [N_OK], -1, hold_offs={N_OK: 40 * MS})
    usual = Signals.at_start(LIMITS, [N_OK], -1)
    assert [(p.down_ns, p.at_ns) for p in presses(play(slow, bouncing)[1])] == [(0, 60 * MS)]
    assert len(presses(play(usual, bouncing)[1])) == 2
