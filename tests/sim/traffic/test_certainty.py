"""How sure first readings are, and whether they are right that often."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.certainty import (
    BoardPhase,
    Certainties,
    Certainty,
    bins_of,
    calibration_error,
    phase_of,
    score_of,
    wilson,
)
from jackspot_sim.traffic.measures import case_of, measure


def said(probability: float, right: int, wrong: int) -> Certainties:
    one = Certainty(Strength.CLUB, BoardPhase.MIDDLE, probability, right=True)
    return Counter({one: right, one._replace(right=False): wrong})


def test_readings_are_sorted_by_what_they_said() -> None:
    low, high = bins_of(said(0.62, 3, 2) + said(0.68, 3, 2) + said(1.0, 4, 0))
    assert (low.count, low.right, low.share) == (10, 6, 0.6)
    assert low.said == pytest.approx(0.65)
    assert (high.count, high.share, high.said) == (4, 1.0, 1.0)


def test_who_is_right_as_often_as_said_errs_by_nothing() -> None:
    assert calibration_error(bins_of(said(0.75, 75, 25))) == 0.0
    assert calibration_error(bins_of(said(0.95, 75, 25))) == pytest.approx(0.2)
    assert calibration_error(()) == 0.0


def test_no_other_saying_scores_as_well_as_the_truth() -> None:
    scores = {each: score_of(said(each / 100, 75, 25)) for each in range(60, 96, 5)}
    assert max(scores, key=scores.__getitem__) == 75
    assert score_of(said(1.0, 1, 0)) == 0.0
    assert score_of(said(1.0, 0, 1)) == math.log(0.0005)


def test_few_of_few_leave_much_open() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_board_is_at_its_break_until_something_is_in_and_ends_with_a_quarter_left() -> None:
    match = Match.begin(agree({"rules": "hikone", "seats": ["N", "S"]}))
    assert phase_of(match) is BoardPhase.BREAK
    red = Stroke(Seat.N, (Departure(Piece.RED, Pocket.NE),))
    phases = []
    for _ in range(12):
        match = match.enter(red)
        phases.append(phase_of(match))
    assert phases == [BoardPhase.MIDDLE] * 8 + [BoardPhase.END] * 4


def test_a_match_says_how_sure_its_readings_were() -> None:
    counted = measure(case_of(3, Referee.WATCHING, 7))
    found = counted.certainties
    assert 0.5 * counted.fell < found.total() < 3 * counted.fell
    assert {each.strength for each in found} == {Strength.MASTER}
    share = sum(often for each, often in found.items() if each.right) / found.total()
    assert 0.6 < share < 1.0
