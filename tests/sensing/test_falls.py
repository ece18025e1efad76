"""How pulses become falls."""

from __future__ import annotations

import itertools

from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Fall, Pulse
from jackspot.sensing.falls import MOST_PULSES, Falls
from jackspot.sensing.limits import MS, Limits

LIMITS = Limits()
NE, SW = Pocket.NE, Pocket.SW


def pulse(start_ms: float, end_ms: float, pocket: Pocket = NE) -> Pulse:
    return Pulse(pocket, round(start_ms * MS), round(end_ms * MS))


def feed(*pulses: Pulse, next_number: int = 1) -> list[Fall]:
    falls = Falls.at_start(LIMITS, next_number)
    out = []
    for each in pulses:
        falls, fall = falls.step(each)
        out.append(fall)
    return out


def test_a_pulse_is_given_out_as_a_fall_at_once():
    assert feed(pulse(0, 9)) == [Fall(1, NE, (pulse(0, 9),))]


def test_a_pulse_less_than_fifteen_milliseconds_later_joins_the_fall_under_its_number():
    first, second = feed(pulse(0, 9), pulse(23.9, 30))
    assert second == Fall(first.number, NE, (pulse(0, 9), pulse(23.9, 30)))
    assert second.widths_ns == (9 * MS, round(6.1 * MS))


def test_a_pulse_fifteen_milliseconds_later_is_the_next_fall():
    assert [f.number for f in feed(pulse(0, 9), pulse(24, 30))] == [1, 2]


def test_three_pulses_close_together_are_one_fall():
    assert [len(f.pulses) for f in feed(pulse(0, 9), pulse(20, 29), pulse(40, 49))] == [1, 2, 3]


def test_pulses_in_two_pockets_are_two_falls_however_close():
    falls = feed(pulse(0, 9), pulse(4, 12, SW), pulse(15, 20), pulse(16, 30, SW))
    assert [f.number for f in falls] == [1, 2, 1, 2]


def test_falls_are_numbered_on_from_where_the_journal_ended():
    assert [f.number for f in feed(pulse(0, 9), pulse(100, 109), next_number=41)] == [41, 42]


def test_a_pulse_that_comes_late_takes_its_place_in_the_fall():
    assert feed(pulse(20, 29), pulse(0, 9))[-1].pulses == (pulse(0, 9), pulse(20, 29))


def test_a_fall_does_not_grow_without_end():
    falls = feed(*(pulse(i * 20, i * 20 + 9) for i in range(3 * MOST_PULSES)))
    assert max(len(f.pulses) for f in falls) == MOST_PULSES
    assert falls[-1].number == 3


@given(
    st.lists(
        st.tuples(st.sampled_from(Pocket), st.integers(0, 40 * MS), st.integers(2 * MS, 90 * MS)),
        max_size=40,
    )
)
def test_every_pulse_is_in_exactly_one_fall_and_falls_of_a_pocket_are_apart(steps):
    clock = dict.fromkeys(Pocket, 0)
    falls = Falls.at_start(LIMITS)
    latest: dict[int, Fall] = {}
    pulses = []
    for pocket, gap_ns, width_ns in steps:
        start_ns = clock[pocket] + gap_ns + 1
        clock[pocket] = start_ns + width_ns
        pulses.append(Pulse(pocket, start_ns, clock[pocket]))
        falls, fall = falls.step(pulses[-1])
        assert pulses[-1] in fall.pulses
        latest[fall.number] = fall
    given_out = [p for fall in latest.values() for p in fall.pulses]
    assert sorted(given_out, key=repr) == sorted(pulses, key=repr)
    for pocket in Pocket:
        own = sorted((f for f in latest.values() if f.pocket is pocket), key=lambda f: f.number)
        for before, after in itertools.pairwise(own):
            full = len(before.pulses) == MOST_PULSES
            assert full or after.start_ns - before.end_ns >= LIMITS.join_ns
