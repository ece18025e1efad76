"""Knocks as evidence: shares that add up, weights that are fair, and sides that are told apart."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.readings.reading import Scene, rank
from jackspot.readings.shots import (
    IMAGINED,
    LEVEL,
    LOUDNESSES,
    OTHERS_A_MINUTE,
    WINDOW_NS,
    Followed,
    ShotModel,
    Strongest,
    followed,
    loudness,
    strongest,
)
from jackspot.sensing.events import Fall, Pulse, Shake
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensing.shaking import BEFORE_NS
from tests.readings.test_reading import scene

FALL_NS = 500 * SECOND
OFTEN = OTHERS_A_MINUTE / 60


def shake(side: str = "S", before_ns: int = SECOND, height: int = 5_000, knocks: int = 1) -> Shake:
    n, e, s, w = (height if each == side else height // 2 for each in "NESW")
    if side == "alike":
        n = e = s = w = height
    at_ns = FALL_NS - before_ns
    return Shake(at_ns, at_ns, (n, e, s, w), knocks)


def fall(*heard: Shake) -> Fall:
    return Fall(1, Pocket.NE, (Pulse(Pocket.NE, FALL_NS, FALL_NS + 9 * MS),), heard)


UNHEARD = Fall(1, Pocket.NE, (Pulse(Pocket.NE, FALL_NS, FALL_NS + 9 * MS),))

shakes = st.builds(
    lambda peaks, knocks: Shake(0, 0, peaks, knocks),
    st.tuples(*[st.integers(0, 65_535)] * 4),
    st.integers(1, 60),
)
models = st.builds(
    lambda quiet, flicks, ns: ShotModel().learnt(ns, quiet, flicks),
    st.lists(shakes, max_size=20),
    st.dictionaries(st.sampled_from(Seat), st.lists(shakes, max_size=12)),
    st.integers(1, 600 * SECOND),
)


# --- shares -----------------------------------------------------------------------------


def every_class() -> list[Shake]:
    """Return one shake of each class there is."""
    sides = [*Strongest]
    heights = [LEVEL * 2**n for n in range(LOUDNESSES)]
    return [
        shake(side.value, height=height, knocks=knocks)
        for side, height, knocks in itertools.product(sides, heights, (1, 2, 9))
    ]


def test_there_is_a_shake_of_each_class() -> None:
    found = {(strongest(each), loudness(each), followed(each)) for each in every_class()}
    assert len(found) == len(Strongest) * LOUDNESSES * len(Followed)


@settings(deadline=None)
@given(models)
def test_shares_of_all_classes_add_up_to_one_whatever_was_learnt(model: ShotModel) -> None:
    for shares in (model.others, *model.shots.values()):
        assert math.fsum(shares.of(each, still=True) for each in every_class()) == pytest.approx(1)


@given(models, shakes)
def test_no_shake_is_proof(model: ShotModel, one: Shake) -> None:
    for seat in Seat:
        assert 0.001 < model.fits(one, seat, still=True) < 1_000


# --- weights ----------------------------------------------------------------------------


def test_where_nobody_listened_knocks_weigh_nothing_at_all() -> None:
    assert ShotModel().made_by(Seat.N, UNHEARD) == 1.0
    assert ShotModel().shot_before([Seat.N], UNHEARD, 20 * SECOND) == 1.0


def test_a_shot_is_heard_and_silence_speaks_against_one() -> None:
    model = ShotModel()
    assert model.made_by(Seat.S, fall(shake("S"))) > 10
    assert model.made_by(Seat.S, fall()) == pytest.approx(1 - model.heard)


def test_the_side_tells_who_shot() -> None:
    model = ShotModel()
    mine, its = (model.made_by(seat, fall(shake("S"))) for seat in (Seat.S, Seat.N))
    assert mine > 10 * its


def test_a_thump_on_the_table_is_hardly_a_shot() -> None:
    model = ShotModel()
    assert model.made_by(Seat.S, fall(shake("alike"))) < model.made_by(Seat.S, fall(shake("S"))) / 5


def test_what_knocked_too_long_before_made_no_fall() -> None:
    early = fall(shake("S", WINDOW_NS + MS))
    assert ShotModel().made_by(Seat.S, early) == ShotModel().made_by(Seat.S, fall())


def test_with_too_few_discs_the_side_says_nothing_and_the_shot_is_still_heard() -> None:
    told = Shake(FALL_NS - SECOND, FALL_NS - SECOND, (5_000, 0, 0, 0), 1, (Seat.N,))
    model = ShotModel()
    weights = {model.made_by(seat, fall(told)) for seat in Seat}
    assert len(weights) == 1
    assert weights.pop() > 3


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(Seat), models, st.floats(0.5, 30))
def test_listening_alone_wins_nothing(seat: Seat, model: ShotModel, a_minute: float) -> None:
    """Over all that can be heard while nobody shoots, the mean weight of a shot is one."""
    classes = every_class()
    found = math.fsum(
        model.others.of(each, still=True) * model.fits(each, seat, still=True) for each in classes
    )
    assert found == pytest.approx(1.0)  # a shake that comes by itself weighs one on average,
    lasts_s, a_second = 20.0, a_minute / 60
    weights = [
        model.in_order([seat], [each], round(lasts_s * SECOND), a_second, still=True)
        for each in classes
    ]
    mean = math.fsum(
        model.others.of(each, still=True) * weight
        for each, weight in zip(classes, weights, strict=True)
    )
    expected = 1 - model.heard + model.heard / (lasts_s * a_second)
    assert mean == pytest.approx(expected)  # and how many come is what such a time has


@pytest.mark.parametrize("shots", [1, 2, 3, 4])
def test_nor_does_it_in_any_number_of_shots(shots: int) -> None:
    """Where shots sound like all else, only the number of shakes counts: a Poisson number."""
    model = ShotModel(dict.fromkeys(Seat, ShotModel().others))
    lasts_s, a_second, seats = 30, 0.2, [Seat.N, Seat.S, Seat.N, Seat.S][:shots]
    mean, chance = 0.0, math.exp(-a_second * lasts_s)
    for count in range(60):
        heard = [shake("N")] * count
        weight = model.in_order(seats, heard, lasts_s * SECOND, a_second, still=True)
        mean += chance * weight
        chance *= a_second * lasts_s / (count + 1)
    assert mean == pytest.approx(1.0)


def test_shots_in_the_order_of_turns_fit_better_than_in_another() -> None:
    model = ShotModel()
    heard = [shake("N", 20 * SECOND), shake("S", 10 * SECOND)]
    right = model.in_order([Seat.N, Seat.S], heard, 30 * SECOND, OFTEN, still=False)
    wrong = model.in_order([Seat.S, Seat.N], heard, 30 * SECOND, OFTEN, still=False)
    assert right > 20 * wrong


@given(st.lists(st.integers(BEFORE_NS, WINDOW_NS), max_size=8), st.sampled_from(Seat))
def test_one_more_shake_never_speaks_against_a_shot(befores: list[int], seat: Seat) -> None:
    model, heard = ShotModel(), [shake("S", each) for each in befores]
    weights = [model.made_by(seat, fall(*heard[:n])) for n in range(len(heard) + 1)]
    assert weights == sorted(weights)


def test_a_board_that_shakes_all_the_time_makes_each_shake_say_less() -> None:
    calm = fall(shake("S"))
    wild = fall(*(shake("alike", n * SECOND) for n in range(6, 90, 3)), shake("S"))
    model = ShotModel()
    assert model.made_by(Seat.S, wild) < model.made_by(Seat.S, calm) / 2


# --- what is learnt ---------------------------------------------------------------------


def test_a_few_flicks_teach_what_a_side_sounds_like() -> None:
    soft = [Shake(0, 0, (950, 940, 1_000, 940), 5)] * 8
    fresh = ShotModel()
    taught = fresh.learnt(60 * SECOND, (), {Seat.S: soft})
    assert taught.fits(soft[0], Seat.S) > 2 * fresh.fits(soft[0], Seat.S)
    assert taught.fits(soft[0], Seat.N) == pytest.approx(fresh.fits(soft[0], Seat.N))


def test_a_quiet_minute_that_is_not_quiet_makes_knocks_say_less() -> None:
    neighbours = [shake("alike", height=1_000, knocks=4)] * 10
    taught = ShotModel().learnt(60 * SECOND, neighbours, {})
    heard = fall(shake("alike", height=1_000))
    assert taught.others_a_minute > ShotModel().others_a_minute + 5
    assert taught.made_by(Seat.S, heard) < ShotModel().made_by(Seat.S, heard)


def test_what_was_imagined_goes_with_what_was_heard() -> None:
    many = [shake("S", knocks=5)] * 600
    shares = ShotModel().learnt(60 * SECOND, (), {Seat.S: many}).shots[Seat.S]
    assert shares.sides[Strongest.S] > 1 - IMAGINED / 600


# --- in a reading -----------------------------------------------------------------------


def ranked_with(told: Fall, seat: Seat | None = Seat.S):
    plain = scene()
    shots = ShotModel().of_seat(seat)
    return rank(Scene(plain.available, plain.roles, plain.hands, seat=Seat.S, shots=shots), (told,))


def test_a_fall_for_which_nobody_shot_is_rather_no_stroke() -> None:
    heard, silent = ranked_with(fall(shake("S"))), ranked_with(fall())

    def of_nothing(readings) -> float:
        return sum(each.probability for each in readings if not each.stroke)

    assert of_nothing(silent) > 10 * of_nothing(heard)
    assert {each.stroke for each in heard} == {each.stroke for each in silent} == {True, False}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from("NESW"), st.integers(MS, 60 * SECOND)), max_size=6))
def test_whatever_was_heard_readings_add_up_to_one_and_pieces_keep_their_order(heard) -> None:
    readings = ranked_with(fall(*(shake(side, ns) for side, ns in heard)))
    plain = ranked_with(UNHEARD)
    assert math.fsum(each.probability for each in readings) == pytest.approx(1)
    order = [each.departures for each in readings if each.stroke]
    assert order[:4] == [each.departures for each in plain if each.stroke][:4]


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(Pocket), st.integers(2 * MS, 600 * MS))
def test_with_discs_that_do_not_listen_a_reading_is_the_same_to_the_last_bit(pocket, ns) -> None:
    told = Fall(1, pocket, (Pulse(pocket, FALL_NS, FALL_NS + ns),))
    assert ranked_with(told) == ranked_with(told, None)
    assert Piece.STRIKER in scene().available
