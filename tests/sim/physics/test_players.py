"""Computer players: what they aim at, how well, and that they keep to the rules."""

from __future__ import annotations

import math
import random

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.physics import (
    HIKONE_BOARD,
    STRENGTHS,
    Lying,
    Task,
    as_seen,
    board_of,
    choose,
    disc_of,
    opening,
    placing,
    shoot,
    task_of,
)
from jackspot_sim.physics.places import is_free
from jackspot_sim.physics.players import must_call
from jackspot_sim.physics.values import Touch
from tests.conftest import thinned


def scattered(system: RuleSystem, seed: int) -> tuple[Lying, ...]:
    """Scatter ten pieces over the board."""
    board, rng = board_of(system), random.Random(seed)
    lying: list[Lying] = []
    for kind in opening(system)[1:11]:
        radius = disc_of(board, kind.piece).radius_mm
        while True:
            at = (rng.uniform(-1, 1) * board.half_mm, rng.uniform(-1, 1) * board.half_mm)
            if is_free(board, lying, at, radius + 3):
                lying.append(Lying(kind.number, kind.piece, *at))
                break
    return tuple(lying)


def task(system: RuleSystem, seed: int, seat: Seat = Seat.S) -> Task:
    lying = scattered(system, seed)
    first = opening(system)[1].piece
    return Task(system, seat, lying, {e.number: 1.0 for e in lying if e.piece is first})


def made(system: RuleSystem, strength: Strength, tries: int) -> int:
    """Count tasks whose wanted piece fell."""
    count = 0
    for seed in range(tries):
        given = task(system, seed)
        flick = choose(given, strength, seed).flick
        falls = shoot(board_of(system), given.lying, flick, seed).falls
        count += any(each.number in given.wanted for each in falls)
    return count


@pytest.mark.parametrize(
    "system", thinned([RuleSystem.HIKONE, RuleSystem.ICF], {RuleSystem.HIKONE})
)
def test_stronger_players_pocket_more(system: RuleSystem) -> None:
    beginner, club, master = (made(system, strength, 60) for strength in STRENGTHS)
    assert beginner < club < master
    assert master > 30
    assert beginner > 3


@pytest.mark.parametrize("system", RuleSystem)
@pytest.mark.parametrize("seat", Seat)
def test_a_player_shoots_from_where_the_rules_let_it(system: RuleSystem, seat: Seat) -> None:
    for seed in range(5):
        given = task(system, seed, seat)
        flick = choose(given, Strength.CLUB, seed).flick
        along, out = as_seen(seat, flick.x_mm, flick.y_mm)
        where = placing(system)
        allowed = [*where.spots, (min(max(along, -where.along_mm), where.along_mm), out)]
        assert any(math.dist((along, out), at) < 1e-6 for at in allowed)
        assert where.out_least_mm <= out <= where.out_most_mm
        assert 0 < flick.speed_mm_s <= board_of(system).fastest_mm_s
        if not where.backwards:
            meant = choose(given, Strength.MASTER, seed).flick
            _along, after = as_seen(
                seat, meant.x_mm + math.cos(meant.angle_rad), meant.y_mm + math.sin(meant.angle_rad)
            )
            assert after < out + 0.1, "not towards the player"


def test_the_same_seed_chooses_the_same() -> None:
    given = task(RuleSystem.ICF, 3)
    assert choose(given, Strength.CLUB, 9) == choose(given, Strength.CLUB, 9)
    assert choose(given, Strength.CLUB, 9) != choose(given, Strength.CLUB, 10)


def test_a_straight_shot_is_seen() -> None:
    at = HIKONE_BOARD.pocket_at(Pocket.NE)
    lying = (
        Lying(1, Piece.RED, at[0] - 50, at[1] - 60),
        Lying(2, Piece.RED, -200, 150),
        Lying(3, Piece.GREEN, -215, 180),
    )
    given = Task(RuleSystem.HIKONE, Seat.S, lying, {1: 1.0, 2: 1.0})
    choice = choose(given, Strength.MASTER, 1)
    assert (choice.number, choice.pocket) == (1, Pocket.NE)
    assert choice.chance > 0.8


def test_a_pair_leaves_alone_what_lies_in_its_own_area() -> None:
    settings = agree({"rules": "hikone", "seats": ["N", "E", "S", "W"]})
    state = Match.begin(settings).state
    behind = Lying(1, Piece.RED, 0, 260)
    given = task_of(state, (behind, Lying(2, Piece.RED, 100, 0)), first=False)
    assert given.forbidden == {1}
    assert choose(given, Strength.MASTER, 1).number != 1


def test_a_first_shot_is_from_the_tee() -> None:
    state = Match.begin(agree({"rules": "japan"})).state
    flick = choose(task_of(state, opening(RuleSystem.JAPAN), first=True), Strength.CLUB, 1).flick
    assert (flick.x_mm, flick.y_mm) == (0, 204)


def kinds_wanted(match: Match) -> set[Piece]:
    """Return the kinds that the seat to shoot wants, of all pieces of an opening."""
    lying = opening(match.state.settings.rules)
    found = task_of(match.state, lying, first=False).wanted
    return {each.piece for each in lying if each.number in found}


def test_the_jack_is_wanted_when_it_wins_and_not_before() -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    pucks = [Departure(Piece.RED, Pocket.NE)] * 11
    assert kinds_wanted(match) == {Piece.RED}
    match = match.enter(Stroke(Seat.N, tuple(pucks)))
    assert kinds_wanted(match) == {Piece.RED}
    match = match.enter(Stroke(Seat.N, tuple(pucks[:1])))
    assert kinds_wanted(match) == {Piece.JACK}
    match = match.enter(Stroke(Seat.N))
    assert kinds_wanted(match) == {Piece.GREEN}


def test_the_queen_is_wanted_when_it_may_be_taken() -> None:
    match = Match.begin(agree({"rules": "icf"}))
    assert kinds_wanted(match) == {Piece.WHITE}
    match = match.enter(Stroke(Seat.N, (Departure(Piece.WHITE, Pocket.NE),)))
    assert kinds_wanted(match) == {Piece.WHITE, Piece.QUEEN}
    match = match.enter(Stroke(Seat.N, (Departure(Piece.QUEEN, Pocket.NE),)))
    assert kinds_wanted(match) == {Piece.WHITE}, "cover it"


def test_every_counter_is_wanted_where_nobody_owns_any() -> None:
    match = Match.begin(agree({"rules": "points"}))
    assert kinds_wanted(match) == {Piece.BLACK, Piece.BROWN, Piece.QUEEN}


def ready_for_the_jack(**options: object) -> Match:
    """Return a match in which N may play the jack, the next stroke being N's."""
    match = Match.begin(agree({"rules": "hikone", **options}))
    return match.enter(Stroke(Seat.N, (Departure(Piece.RED, Pocket.NE),) * 12))


def test_the_jack_goes_for_the_pocket_that_was_called() -> None:
    jack = Lying(1, Piece.JACK, 0, -60)
    match = ready_for_the_jack(handicap={"N": {"called_pocket": True}})
    assert must_call(match.state, (jack,))
    for pocket in (Pocket.SE, Pocket.SW):
        given = task_of(match.state, (jack,), first=False, called=pocket)
        assert choose(given, Strength.MASTER, 1).pocket is pocket
    assert not must_call(ready_for_the_jack().state, (jack,))


def test_own_pucks_avoid_the_pockets_beside_the_own_seat_where_these_do_not_count() -> None:
    match = Match.begin(agree({"rules": "japan", "options": {"own_side_pockets": False}}))
    at = HIKONE_BOARD.pocket_at(Pocket.NE)
    lying = (Lying(1, Piece.RED, at[0] - 40, at[1] - 120),)
    choice = choose(task_of(match.state, lying, first=False), Strength.MASTER, 1)
    assert choice.pocket not in (Pocket.NE, Pocket.NW)
    usual = Match.begin(agree({"rules": "japan"}))
    assert task_of(usual.state, lying, first=False).pockets == {}


def test_a_pair_strikes_in_its_own_area_where_the_match_allows_it() -> None:
    settings = agree(
        {"rules": "hikone", "seats": ["N", "E", "S", "W"], "options": {"area_rule": False}}
    )
    lying = (Lying(1, Piece.RED, 0, 260),)
    assert task_of(Match.begin(settings).state, lying, first=False).forbidden == set()


def test_the_jack_is_played_by_a_cushion_where_that_is_asked_for() -> None:
    jack, fell = Lying(1, Piece.JACK, 20, -90), 0
    match = ready_for_the_jack(handicap={"N": {"must_bank": True}})
    given = task_of(match.state, (jack,), first=False)
    for seed in range(12):
        choice = choose(given, Strength.MASTER, seed)
        assert choice.pocket is not None
        shot = shoot(HIKONE_BOARD, (jack,), choice.flick, seed)
        for fall in (each for each in shot.falls if each.number == jack.number):
            by_frame = [
                met for met in shot.contacts if met.touch is Touch.FRAME and met.at_s < fall.at_s
            ]
            assert by_frame, f"seed {seed}"
            fell += 1
    assert fell >= 3
