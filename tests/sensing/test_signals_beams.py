"""What falls, hands and sunlight do to beams."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import (
    BeamBroken,
    BeamWhole,
    Edge,
    FaultCleared,
    FaultRaised,
    Pulse,
    Tick,
    Trouble,
)
from jackspot.sensing.limits import MS, Limits
from jackspot.sensing.signals import Signals, instant_ns
from tests.sensing.signal_player import N_OK, faults, in_time, ms, play, pressed, presses, start

NE, SW = Pocket.NE, Pocket.SW


def pulses(events):
    return [e for e in events if isinstance(e, Pulse)]


def pulse(start_ms: float, end_ms: float, pocket: Pocket = NE) -> Pulse:
    return Pulse(pocket, round(start_ms * MS), round(end_ms * MS))


def test_a_piece_that_falls_gives_a_broken_beam_and_then_its_pulse():
    _, events = play(start(NE), pressed(NE, (10, 19)))
    assert events == [BeamBroken(10 * MS, NE), pulse(10, 19)]


def test_a_broken_beam_is_told_after_two_milliseconds_and_not_before():
    signals, events = play(start(NE), [ms(10, NE, True)], until_ms=11.9)
    assert events == []
    assert signals.next_wake_ns() == 12 * MS
    assert signals.step(Tick(12 * MS))[1] == (BeamBroken(10 * MS, NE),)


def test_a_pulse_shorter_than_two_milliseconds_is_noise_and_lights_nothing():
    assert play(start(NE), pressed(NE, (0, 1.99), (100, 100.001)))[1] == []


def test_a_pulse_of_two_milliseconds_counts():
    assert pulses(play(start(NE), pressed(NE, (0, 2)))[1]) == [pulse(0, 2)]


def test_the_pulse_comes_without_any_tick_when_the_beam_is_whole_again():
    signals = start(NE)
    signals, _ = signals.step(ms(0, NE, True))
    assert signals.step(ms(9, NE, False))[1] == (BeamBroken(0, NE), pulse(0, 9))


def test_a_beam_broken_for_two_seconds_is_blocked_and_gives_no_pulse_when_it_clears():
    _, events = play(start(NE), pressed(NE, (0, 5000), (6000, 6009)))
    assert faults(events) == [
        FaultRaised(2000 * MS, "pocket_ne", Trouble.BLOCKED),
        FaultCleared(5000 * MS, "pocket_ne", Trouble.BLOCKED),
    ]
    assert pulses(events) == [pulse(6000, 6009)]


def test_a_hand_that_stays_for_less_than_two_seconds_is_a_long_pulse():
    _, events = play(start(NE), pressed(NE, (0, 1999)))
    assert pulses(events) == [pulse(0, 1999)]
    assert faults(events) == []


def test_a_beam_broken_at_the_start_is_blocked_after_two_seconds():
    _, events = play(start(NE, active=[NE]), [ms(9000, NE, False)])
    assert [(f.at_ns + 1, f.trouble) for f in faults(events)] == [
        (2000 * MS, Trouble.BLOCKED),
        (9000 * MS + 1, Trouble.BLOCKED),
    ]
    assert pulses(events) == []


def test_a_beam_broken_at_the_start_and_whole_soon_after_is_neither_pulse_nor_fault():
    assert play(start(NE, active=[NE]), [ms(300, NE, False)])[1] == []


def test_every_pocket_counts_for_itself():
    inputs = in_time(pressed(NE, (0, 9)), pressed(SW, (4, 15)))
    assert pulses(play(start(NE, SW), inputs)[1]) == [pulse(0, 9), pulse(4, 15, SW)]


# storms


def storm(pocket: Pocket, first_ms: float, count: int, step_ms: float = 5):
    return [ms(first_ms + i * step_ms, pocket, i % 2 == 0) for i in range(count)]


def test_a_beam_that_flickers_faster_than_pieces_can_fall_is_named_and_silenced():
    _, events = play(start(NE), storm(NE, 0, 2000))
    assert [(f.trouble, type(f).__name__) for f in faults(events)] == [
        (Trouble.CHATTER, "FaultRaised"),
        (Trouble.CHATTER, "FaultCleared"),
    ]
    assert len(pulses(events)) <= Limits().beam_edges
    assert faults(events)[1].at_ns == (1999 * 5 + 2000) * MS


def test_a_storm_on_one_beam_never_disturbs_the_others():
    fall = pressed(SW, (3003, 3012))
    press = pressed(N_OK, (4000, 4100))
    quiet = play(start(NE, SW, N_OK), in_time(fall, press))[1]
    loud = play(start(NE, SW, N_OK), in_time(storm(NE, 0, 2000), fall, press))[1]
    assert pulses(quiet) == [p for p in pulses(loud) if p.pocket is SW]
    assert presses(quiet) == presses(loud)


def test_a_beam_works_again_after_its_storm():
    _, events = play(start(NE), [*storm(NE, 0, 400), *pressed(NE, (9000, 9009))])
    assert pulses(events)[-1] == pulse(9000, 9009)


def test_a_beam_left_dark_by_a_storm_is_blocked_when_it_stays_so():
    _, events = play(start(NE), storm(NE, 0, 401))
    assert [f.trouble for f in faults(events)] == [
        Trouble.CHATTER,
        Trouble.CHATTER,
        Trouble.BLOCKED,
    ]


def test_a_beam_left_dark_by_a_storm_gives_no_pulse_when_it_is_whole_soon_after():
    _, events = play(start(NE), [*storm(NE, 0, 401), ms(5000, NE, False)])
    assert [f.trouble for f in faults(events)] == [Trouble.CHATTER, Trouble.CHATTER]
    assert all(p.end_ns < 1000 * MS for p in pulses(events))


def test_a_storms_newest_edge_says_how_it_left_the_beam_whatever_comes_late():
    inputs = [*storm(NE, 0, 401), ms(1999, NE, False)]
    signals = start(NE)
    for edge in inputs:
        signals, _ = signals.step(edge)
    _, events = play(signals, [])
    assert [f.trouble for f in faults(events)][-1] == Trouble.BLOCKED


def test_what_one_tick_brings_comes_in_the_order_it_happened():
    signals, _ = start(NE, SW, N_OK).step(ms(500, NE, True))
    signals, _ = signals.step(ms(0, SW, True))
    signals, _ = signals.step(ms(100, N_OK, True))
    _, events = signals.step(Tick(9000 * MS))
    times = [instant_ns(e) for e in events]
    assert times == sorted(times)
    assert len(times) == 6


def test_a_storm_takes_the_place_of_a_blocked_beam():
    inputs = [ms(0, NE, True), *storm(NE, 3001, 400, 0.1)[1:]]
    raised: set[tuple[str, Trouble]] = set()
    for fault in faults(play(start(NE), inputs)[1]):
        key = (fault.part, fault.trouble)
        if isinstance(fault, FaultRaised):
            assert not raised, "one fault at a time"
            raised.add(key)
        else:
            raised.remove(key)
    assert raised == set()


def test_a_storm_costs_no_memory():
    calm, _ = play(start(NE, N_OK), pressed(NE, (0, 9)))
    stormy = calm
    for i in range(50_000):
        stormy, _ = stormy.step(ms(100 + i * 0.01, (NE, N_OK)[i % 2], i % 4 < 2))
    assert len(repr(stormy)) < len(repr(calm)) + 400


# edges that come twice, late, or in the wrong order


def test_an_edge_told_twice_counts_once():
    twice = [e for e in pressed(NE, (0, 9)) for _ in range(2)]
    assert pulses(play(start(NE), twice)[1]) == [pulse(0, 9)]


def test_a_second_active_edge_does_not_shorten_the_pulse():
    inputs = [ms(0, NE, True), ms(4, NE, True), ms(9, NE, False)]
    assert pulses(play(start(NE), inputs)[1]) == [pulse(0, 9)]


def test_a_pulse_whose_edges_come_in_the_wrong_order_is_not_lost():
    assert pulses(play(start(NE), pressed(NE, (5, 14))[::-1])[1]) == [pulse(5, 14)]


def test_two_pulses_stay_two_when_the_edges_between_them_are_swapped():
    one, two, three, four = pressed(NE, (0, 9), (30, 39))
    assert pulses(play(start(NE), [one, three, two, four])[1]) == [pulse(0, 9), pulse(30, 39)]


def test_edges_that_come_after_a_later_tick_keep_their_own_times():
    signals, _ = start(NE, N_OK).step(Tick(100 * MS))
    inputs = in_time(pressed(NE, (80, 89)), pressed(N_OK, (20, 70)))
    _, events = play(signals, inputs)
    assert pulses(events) == [pulse(80, 89)]
    assert [(p.down_ns, p.at_ns) for p in presses(events)] == [(20 * MS, 70 * MS)]


def test_a_beam_called_blocked_too_early_by_a_late_edge_still_gives_its_pulse():
    signals, _ = start(NE).step(ms(0, NE, True))
    signals, _ = signals.step(Tick(2001 * MS))
    _, events = signals.step(ms(1999, NE, False))
    assert events == (
        FaultCleared(2000 * MS, "pocket_ne", Trouble.BLOCKED),
        pulse(0, 1999),
    )


@pytest.mark.parametrize("hold_off_ns", [0, 5 * MS])
@pytest.mark.parametrize("width_ns", [1, MS, 2 * MS - 1])
@pytest.mark.parametrize("late_ns", [0, 1, 300_000, 90 * MS])
def test_noise_that_a_late_edge_ends_leaves_the_beam_whole(width_ns, late_ns, hold_off_ns):
    """A tick between may have called the beam broken; what comes next counts as ever."""
    signals = Signals.at_start(Limits(), [NE], -1, hold_offs={NE: hold_off_ns})
    signals, events = play(signals, [Edge(0, NE, True)], (width_ns + late_ns) / MS)
    signals, told = play(signals, [Edge(width_ns, NE, False)])
    events += told
    seen = width_ns + late_ns >= 2 * MS
    assert events == ([BeamBroken(0, NE), BeamWhole(width_ns, NE)] if seen else [])
    assert play(signals, pressed(NE, (500, 509)))[1] == [BeamBroken(500 * MS, NE), pulse(500, 509)]


# limits


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        ({"min_pulse_ns": 0}, "min_pulse_ns = 0"),
        ({"min_pulse_ns": 20 * MS}, "debounce_ns"),
        ({"hold_ns": 61_000 * MS}, "stuck_ns"),
        ({"blocked_ns": MS}, "blocked_ns"),
        ({"chatter_window_ns": 100}, "chatter_window_ns"),
    ],
)
def test_limits_that_contradict_each_other_are_refused_by_name(limits, named):
    with pytest.raises(ValueError, match=named):
        Limits(**limits)
