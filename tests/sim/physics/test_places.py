"""Where pieces and strikers go, and the page that lists the numbers."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import has_jack, rules_for
from jackspot.core.settings import RuleSystem
from jackspot_sim.physics import (
    HIKONE_BOARD,
    Lying,
    as_seen,
    board_of,
    disc_of,
    opening,
    out_of_bounds,
    place_striker,
    placing,
    put_back,
    seen_from,
)
from jackspot_sim.physics.places import bound_by_area
from jackspot_sim.sensing.page import page

ROOT = Path(__file__).resolve().parents[3]
CARROM = [each for each in RuleSystem if not has_jack(each)]


def gaps(system: RuleSystem, lying: tuple[Lying, ...]) -> list[float]:
    """Return the gaps between all pieces."""
    board = board_of(system)
    return [
        math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
        - disc_of(board, one.piece).radius_mm
        - disc_of(board, other.piece).radius_mm
        for one in lying
        for other in lying
        if one.number < other.number
    ]


@pytest.mark.parametrize("system", RuleSystem)
def test_an_opening_has_the_pieces_of_its_rules_and_none_on_another(system: RuleSystem) -> None:
    lying = opening(system)
    counts = {kind: sum(each.piece is kind for each in lying) for kind in Piece}
    start = Match.begin(agree({"rules": system.value})).state.position
    assert {kind: count for kind, count in counts.items() if count} == dict(
        rules_for(system).on_board(start)
    )
    assert min(gaps(system, lying)) > 0


@pytest.mark.parametrize("system", CARROM)
def test_carrom_men_touch_their_neighbours_and_arms_point_at_the_corners(
    system: RuleSystem,
) -> None:
    lying = opening(system, Seat.N)
    assert sum(gap < 0.1 for gap in gaps(system, lying)) == 42, "the closest packing of nineteen"
    first = lying[1].piece
    arms = [
        as_seen(Seat.N, each.x_mm, each.y_mm)
        for each in lying
        if each.piece is first and math.hypot(each.x_mm, each.y_mm) < 40
    ]
    assert len(arms) == 3
    towards_me = sorted(along for along, out in arms if out > 10)
    assert towards_me == pytest.approx([-26.9, 26.9], abs=0.1)


@pytest.mark.parametrize("system", [RuleSystem.HIKONE, RuleSystem.JAPAN])
def test_pucks_take_turns_on_the_centre_circle(system: RuleSystem) -> None:
    jack, *pucks = opening(system)
    assert (jack.piece, jack.x_mm, jack.y_mm) == (Piece.JACK, 0, 0)
    round_it = sorted(pucks, key=lambda each: math.atan2(each.y_mm, each.x_mm))
    assert all(one.piece is not two.piece for one, two in pairwise(round_it))


def test_a_head_start_leaves_pucks_out() -> None:
    lying = opening(RuleSystem.JAPAN, without={Piece.GREEN: 4})
    assert sum(each.piece is Piece.GREEN for each in lying) == 8
    assert sum(each.piece is Piece.RED for each in lying) == 12


@pytest.mark.parametrize("seat", Seat)
def test_seats_see_the_board_from_their_own_side(seat: Seat) -> None:
    x, y = seen_from(seat, 0, 200)
    assert (x, y) == {Seat.N: (0, 200), Seat.E: (200, 0), Seat.S: (0, -200), Seat.W: (-200, 0)}[
        seat
    ]
    assert as_seen(seat, *seen_from(seat, 30, 70)) == (30, 70)
    right = seen_from(seat, 10, 0)
    assert right == {Seat.N: (-10, 0), Seat.E: (0, 10), Seat.S: (10, 0), Seat.W: (0, -10)}[seat]


@pytest.mark.parametrize("system", RuleSystem)
@pytest.mark.parametrize("seat", Seat)
def test_a_striker_goes_where_the_rules_let_it_and_pieces_leave_room(
    system: RuleSystem, seat: Seat
) -> None:
    board = board_of(system)
    line = board.line_from_middle_mm
    in_the_way = (Lying(1, opening(system)[1].piece, *seen_from(seat, 0, line)),)
    at = place_striker(system, seat, in_the_way, seen_from(seat, 0, 0))
    assert at is not None
    along, out = as_seen(seat, *at)
    where = placing(system)
    assert abs(along) <= where.along_mm
    assert where.out_least_mm <= out <= where.out_most_mm
    assert math.dist(at, seen_from(seat, 0, line)) >= 30


def test_the_first_shot_is_from_the_tee_spot_or_next_to_it() -> None:
    system = RuleSystem.HIKONE
    assert place_striker(system, Seat.S, (), (170, 0), first=True) == (0, -204)
    blocked = (Lying(1, Piece.RED, 0, -204),)
    at = place_striker(system, Seat.S, blocked, (170, 0), first=True)
    assert at is not None
    assert 30 <= math.dist(at, (0, -204)) < 38


def test_a_carrom_striker_stands_in_a_circle_or_clear_of_it() -> None:
    where = placing(RuleSystem.ICF)
    assert where.nearest(230, 250) == (219.1, where.usual_mm)
    along, _out = where.nearest(190, 250)
    assert along == where.along_mm
    radius = disc_of(board_of(RuleSystem.ICF), Piece.STRIKER).radius_mm
    assert along + radius <= 219.1 - 31.8 / 2 + 0.01, "it does not cut the moon"


def test_no_room_at_all_is_said() -> None:
    wall = tuple(
        Lying(number, Piece.RED, -225 + 15 * number, y)
        for number, y in enumerate([-204, -180, -228] * 10, start=1)
    )
    assert place_striker(RuleSystem.HIKONE, Seat.S, wall, (0, -204)) is None


def test_penalty_pucks_are_stacked_on_the_jack_spot() -> None:
    lying = opening(RuleSystem.HIKONE)
    after = put_back(RuleSystem.HIKONE, lying, [(30, Piece.GREEN), (31, Piece.RED)])
    assert [(each.x_mm, each.y_mm, each.level) for each in after[-2:]] == [(0, 0, 1), (0, 0, 2)]


@pytest.mark.parametrize("system", CARROM)
def test_carrom_men_come_back_free_and_near_the_middle(system: RuleSystem) -> None:
    lying = opening(system)
    back = lying[1]
    rest = lying[2:]
    after = put_back(system, rest, [(1, lying[0].piece), (back.number, back.piece)])
    queen, man = after[-2:]
    assert queen.level == man.level == 0
    assert math.hypot(queen.x_mm, queen.y_mm) < 16, "there is room in the gap of two"
    assert math.hypot(man.x_mm, man.y_mm) < 90, "just outside the rosette"
    assert min(gaps(system, after)) >= 0
    queen = put_back(system, (), [(1, Piece.QUEEN)])[0]
    assert (queen.x_mm, queen.y_mm) == (0, 0)


def test_a_pair_may_not_strike_what_lies_wholly_in_its_own_area() -> None:
    line = HIKONE_BOARD.line_from_middle_mm
    inside = Lying(1, Piece.GREEN, 40, -(line + 15.5))
    on_line = Lying(2, Piece.RED, 0, -(line + 14.5))
    assert out_of_bounds(Seat.S, (inside, on_line)) == (inside,)
    assert out_of_bounds(Seat.N, (inside, on_line)) == ()


@pytest.mark.parametrize(
    ("match", "bound"),
    [
        ({"rules": "hikone", "seats": ["N", "E", "S", "W"]}, {Seat.N, Seat.E, Seat.S, Seat.W}),
        ({"rules": "japan", "seats": ["E", "S", "N"]}, {Seat.N, Seat.S}),
        ({"rules": "hikone", "seats": ["N", "S"]}, set()),
        ({"rules": "icf", "seats": ["N", "E", "S", "W"]}, set()),
        (
            {
                "rules": "hikone",
                "seats": ["N", "E", "S", "W"],
                "options": {"area_rule": False},
            },
            set(),
        ),
    ],
)
def test_the_own_area_is_forbidden_to_pairs_where_that_is_the_rule(
    match: dict[str, object], bound: set[Seat]
) -> None:
    settings = agree(match)
    assert {seat for seat in settings.seats if bound_by_area(settings, seat)} == bound


def test_the_page_is_what_the_module_says() -> None:
    written = (ROOT / "sim" / "PHYSICS.md").read_text(encoding="utf-8")
    assert written == page(), "python -m jackspot_sim.sensing > sim/PHYSICS.md"
