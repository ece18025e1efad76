"""Beams during a match: sun in them, dirt on them, and beams that go dark."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.core.settings import RuleSystem
from jackspot.sensing.events import Pulse
from jackspot.sensing.limits import SECOND
from jackspot.values import changed
from jackspot_sim.chance.frequencies import SPIKES, Referee, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.sensing.quality import DEFAULT, QUALITIES, Quality, Sensors
from jackspot_sim.soak.beams import in_the_sun
from jackspot_sim.soak.counting import Job, measure
from jackspot_sim.soak.matches import Played, play
from jackspot_sim.traffic.matches import TimedShot, TimedTurn
from jackspot_sim.traffic.passing import APART_NS, Cause, Passage, draw_spikes
from tests.conftest import thinned

GLARE: Sensors = dict.fromkeys(Pocket, changed(DEFAULT, sun_a_minute=40.0))


def job(quality: Quality, number: int = 1) -> Job:
    return Job(number, 1, RuleSystem.HIKONE, Strength.MASTER, Referee.WATCHING, quality)


def turns_on(sensors: Sensors, number: int = 1, shots: int = 160) -> list[TimedTurn]:
    one = job(Quality.DEFAULT, number)
    return list(play(one.settings, one.strength, one.referee, one.case.seed, sensors, shots))


@cache
def turns(quality: Quality, number: int = 1, shots: int = 160) -> tuple[TimedTurn, ...]:
    return tuple(turns_on(QUALITIES[quality], number, shots))


def darkened(turn: TimedTurn) -> list[Passage]:
    return [each for each in turn.hands if each.end_ns > 3_600_000_000_000]


def pieces(shot: TimedShot) -> list[Passage]:
    return [each for each in shot.falls if each.cause is Cause.PIECES]


# --- dark -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quality", "whole"),
    thinned(
        [(each, whole) for each in (Quality.DARK, Quality.CLOUDING) for whole in (False, True)],
        {(Quality.DARK, True), (Quality.CLOUDING, False)},
    ),
)
def test_a_match_is_played_to_its_end_though_a_beam_stays_broken(
    quality: Quality, whole: bool
) -> None:
    count = measure(changed(job(quality), whole=whole))
    assert count.broken == ()
    assert (count.unended, count.tally.stuck, count.tally.finals_wrong) == (0, 0, 0)
    assert 0 < count.missed < count.fell, "what falls into that pocket is entered by hand"


def test_a_beam_without_power_is_broken_from_the_first_shot_on() -> None:
    first, *rest = turns(Quality.DARK)
    assert [(each.pocket, each.start_ns) for each in darkened(first)] == [(Pocket.NE, 0)]
    assert not any(darkened(each) for each in rest)


def test_a_stroke_is_over_once_its_last_piece_has_fallen_though_no_beam_saw_it() -> None:
    one, filmed = job(Quality.DEAD), list[Played]()
    found = list(
        play(
            one.settings, one.strength, one.referee, one.case.seed, QUALITIES[Quality.DEAD], 80,
            filmed.append,
        )
    )  # fmt: skip
    unseen = 0
    for turn, played in zip(found, filmed, strict=True):
        ends_ns = [round(each.at_s * SECOND) for each in played.shot.falls if not each.late]
        assert turn.shot.over_ns >= max(ends_ns, default=0)
        if turn.plan.press_ns is not None:
            assert turn.plan.press_ns > min(ends_ns, default=0)
        unseen += bool(turn.shot.missed)
    assert unseen > 5


def test_a_lens_that_gets_too_dirty_in_the_middle_of_a_match_stays_dark_from_that_fall_on() -> None:
    played = turns(Quality.CLOUDING)
    [(at, dark)] = [(at, each) for at, turn in enumerate(played) for each in darkened(turn)]
    assert dark.pocket is Pocket.NE
    assert at > 0

    def fallen(some: Sequence[TimedTurn]) -> int:
        gone = [each for turn in some for each in turn.shot.stroke.departures]
        return sum(each.pocket is Pocket.NE for each in gone)

    assert fallen(played[:at]) < 3 <= fallen(played[: at + 1]), "0.49, and 0.004 for each of three"
    last = [each.end_ns for each in pieces(played[at].shot) if each.pocket is Pocket.NE]
    assert dark.start_ns > max(last, default=0)
    after = [each.shot for each in played[at + 1 :]]
    assert not any(each.pocket is Pocket.NE for shot in after for each in shot.falls if each.kinds)
    missed = sum(each.pocket is Pocket.NE for shot in after for each in shot.missed)
    assert missed == fallen(played[at + 1 :])


def test_a_default_match_makes_no_lens_dark() -> None:
    assert not any(darkened(each) for each in turns(Quality.DEFAULT))


# --- the sun --------------------------------------------------------------------------------


def test_on_a_sunny_board_flickers_and_pieces_are_one_passage_now_and_then() -> None:
    met = 0
    for turn in turns(Quality.DEFAULT, shots=12):
        for seed in range(20):
            lit, _hands = in_the_sun(GLARE, turn.shot, turn.hands, random.Random(seed))
            changed = [each for each in pieces(lit) if each not in turn.shot.falls]
            met += len(changed)
            assert (lit.stroke, lit.missed) == (turn.shot.stroke, turn.shot.missed)
            assert len(pieces(lit)) <= len(pieces(turn.shot))
    assert met > 3


def test_the_sun_moves_no_piece() -> None:
    plain, glaring = turns(Quality.DEFAULT, shots=1)[0].shot, turns_on(GLARE, shots=1)[0].shot
    assert plain.stroke == glaring.stroke


PASSAGES = st.lists(
    st.tuples(st.integers(0, 3_000), st.integers(3, 60), st.booleans()), max_size=4, unique=True
)


@given(given_passages=PASSAGES, seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_sun_loses_no_piece_and_leaves_one_fall_for_each_passage(
    given_passages: list[tuple[int, int, bool]], seed: int
) -> None:
    shot = turns_of_a_miss()
    falls: list[Passage] = []
    end_ns = 0
    kinds = [*shot.stand.pieces]
    for gap_ms, width_ms, piece in given_passages:
        start_ns = end_ns + APART_NS + gap_ms * MS + 1
        end_ns = start_ns + width_ms * MS
        cause, whose = (Cause.PIECES, (kinds[0],)) if piece else (Cause.HAND, ())
        falls.append(Passage(cause, Pocket.NE, whose, (Pulse(Pocket.NE, start_ns, end_ns),)))
    shot = changed(shot, falls=tuple(falls))
    lit, hands = in_the_sun(GLARE, shot, (), random.Random(seed))
    after = [*lit.falls, *hands]
    assert sum(len(each.kinds) for each in lit.falls) == sum(len(each.kinds) for each in falls)
    assert not any(each.kinds for each in hands)
    for old in falls:  # a beam that was broken still is, by the same
        [owner] = [each for each in after if each.pocket is old.pocket
                   and any(one.start_ns <= old.start_ns and old.end_ns <= one.end_ns
                           for one in each.pulses)]  # fmt: skip
        assert set(old.kinds) <= set(owner.kinds)
    for pocket in Pocket:
        there = sorted((each for each in after if each.pocket is pocket), key=lambda e: e.start_ns)
        assert all(two.start_ns - one.end_ns > APART_NS for one, two in pairwise(there))


def turns_of_a_miss() -> TimedShot:
    [turn] = turns(Quality.DEFAULT, shots=1)
    return changed(turn.shot, falls=(), late=None, spikes=(), missed=())


def test_what_falls_in_the_sun_still_belongs_to_its_stroke() -> None:
    plain, sunny = (
        measure(changed(job(each, 2), most_shots=30)) for each in (Quality.DEFAULT, Quality.SUNNY)
    )
    assert sunny.tally.stuck == sunny.tally.finals_wrong == 0
    assert (plain.fell, plain.tally.strokes) == (sunny.fell, sunny.tally.strokes)
    assert len(sunny.samples) == len(plain.samples), "each stroke that was seen was read"


# --- spikes ---------------------------------------------------------------------------------


def test_a_sensor_says_how_often_its_wire_has_spikes() -> None:
    assert DEFAULT.spikes == SPIKES
    pulse = Pulse(Pocket.NE, 1_000 * MS, 1_010 * MS)
    one = Passage(Cause.PIECES, Pocket.NE, (), (pulse,))

    def drawn(chance: float) -> int:
        return len(draw_spikes([one], random.Random(1), dict.fromkeys(Pocket, chance)))

    assert drawn(0.0) == 0
    assert drawn(1.0) > 1
    spikes = [each for turn in turns(Quality.IDEAL, 2) for each in turn.shot.spikes]
    assert spikes == []
