"""Readings in every rule system: what can have fallen, how usual it is, and what it is called."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import RedPlace, SetPocketed, SetRed
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.rules import RULES, rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.proposals.legal import entered
from jackspot.dialogue.proposals.proposing import by_hand, propose
from jackspot.dialogue.proposals.scenes import ranked, scene_in
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.question import AtRest
from jackspot.dialogue.state.view import Phase
from jackspot.readings.own_pieces import own_of
from jackspot.readings.reading import Reading, Role
from jackspot.readings.usual import HABITS
from jackspot.sensing.events import Fall
from tests.conftest import thinned
from tests.dialogue.playing import Table
from tests.dialogue.read_matches import QUEENS, TWO_SIDES, begin, fall, pieces, read, shot

DOUBLES = ["N", "E", "S", "W"]

HEADERS: list[dict[str, object]] = [
    {"rules": "japan", "seats": ["N", "E", "S"], "handicap": {"N": {"called_pocket": True}}},
    {"rules": "japan", "options": {"own_side_pockets": False, "shots_per_puck": True}},
    {"rules": "hikone", "seats": DOUBLES, "options": {"opening": "mass_break"}},
    {"rules": "japan", "handicap": {"N": {"pucks_needed": 1, "must_bank": True}}},
    {"rules": "kagw", "options": {"off_board_is_foul": True}},
    {"rules": "grundregeln", "options": {"early_queen": "pass", "max_boards": 0}},
    {"rules": "icf", "options": {"early_queen": "keep", "best_of": 1, "target": 5}},
    {"rules": "points", "options": {"two_colours": True}},
    {"rules": "points", "options": {"void_returns_counters": True}},
]
for system in RULES:
    HEADERS += [{"rules": system.value}, {"rules": system.value, "seats": DOUBLES}]


def words(header: dict[str, object]) -> str:
    return " ".join(str(each).replace(" ", "") for each in header.values())


def chance(readings: tuple[Reading, ...], *wanted: Piece) -> float:
    """Return the probability that exactly these pieces fell, in this order."""
    return sum(each.probability for each in readings if pieces(each) == wanted)


# --- whatever happens --------------------------------------------------------------------


def some_falls(rng: random.Random) -> tuple[Fall, ...]:
    falls: list[Fall] = []
    for number in range(1, rng.choice((1, 1, 1, 2, 2, 3)) + 1):
        widths = [
            rng.choice((5.0, 9.0, 11.0, 19.0, 33.0, 45.0)) for _ in range(rng.choice((1, 1, 2)))
        ]
        falls.append(fall(*widths, pocket=rng.choice(list(Pocket)), number=number,
                          at_ms=700.0 * number))  # fmt: skip
    return tuple(falls)


def played(header: dict[str, object], rng: random.Random, strokes: int) -> Iterator[Match]:
    """Yield matches in random play: mostly pieces, some misses, fouls and flown pieces."""
    match = Match.begin(agree(dict(header)))
    for _ in range(strokes):
        if match.state.over:
            return
        yield match
        match = one_more(match, rng)


def one_more(match: Match, rng: random.Random) -> Match:
    seat = match.state.next
    assert seat is not None
    rules = rules_for(match.settings.rules)
    kinds = [
        each for each in rules.pieces for _ in range(1 if each in (rules.red, Piece.STRIKER) else 5)
    ]
    for _ in range(20):
        fallen = [rng.choice(kinds) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
        departures = tuple(
            Departure(each, flew_off=True) if rng.random() < 0.05 else Departure(each, Pocket.SW)
            for each in fallen
        )
        flags = frozenset({Flag.FOUL}) if rng.random() < 0.05 else frozenset[Flag]()
        after = entered(match, Stroke(seat, departures, flags))
        if after is not None:
            return after
    return match.enter(Stroke(seat))


@pytest.mark.parametrize("first", thinned((0, 4), {0}))
@pytest.mark.parametrize("header", HEADERS, ids=words)
def test_every_reading_that_is_proposed_is_legal_and_their_probabilities_add_up(
    header: dict[str, object], first: int
) -> None:
    rng = random.Random(words(header))
    for match in itertools.islice(played(header, rng, 120), first, None, 8):
        if match.state.result is not None:
            continue
        dialogue = InMatch(
            DialogueSettings(), Plan(), question=AtRest(Phase.READY), game=Game(match)
        )
        falls = some_falls(rng)
        shown = propose(dialogue, falls, 10**12)
        assert sum(each.probability for each in shown.readings) == pytest.approx(1.0)
        said = [(each.departures, each.stroke, each.seat, each.missed) for each in shown.readings]
        assert len(said) == len(set(said)), "one account, one reading"
        for each in shown.readings:
            if each.stroke:
                stroke = Stroke(each.seat or shown.seat, each.departures)
                assert entered(match, stroke, each.missed) is not None, str(stroke)
        lies = rules_for(match.settings.rules).on_board(match.state.position)
        for each in by_hand(dialogue, 10**12).readings:
            for piece, count in Counter(pieces(each)).items():
                assert piece is Piece.STRIKER or count <= lies[piece]


@pytest.mark.parametrize("header", HEADERS, ids=words)
def test_every_kind_that_lies_on_the_board_can_be_read_and_no_other(
    header: dict[str, object],
) -> None:
    rng = random.Random(words(header))
    for match in itertools.islice(played(header, rng, 60), 0, None, 5):
        if match.state.result is not None:
            continue
        lies = rules_for(match.settings.rules).on_board(match.state.position)
        there = {piece for piece, count in lies.items() if count} | {Piece.STRIKER}
        found = {piece for each in read(match, fall(9)) for piece in pieces(each)}
        assert found == there


@pytest.mark.parametrize("system", RULES)
def test_with_presses_alone_one_fall_becomes_every_piece_there_is(system: RuleSystem) -> None:
    table = Table(rules=system.value, box=False).started("N").review("NE").hold("N", "fix").wait(1)
    seen = set()
    for _ in range(6):
        seen.add(table.proposed)
        table.pick("piece 1: ", by="N").wait(0.3)
    assert seen == {f"{piece.value.upper()} NE" for piece in rules_for(system).pieces}


@pytest.mark.parametrize("system", RULES)
def test_by_hand_every_kind_is_within_reach_of_fix(system: RuleSystem) -> None:
    dialogue = InMatch(
        DialogueSettings(), Plan(), question=AtRest(Phase.READY), game=Game(begin(system.value))
    )
    readings = by_hand(dialogue, 10**12).readings
    singles = {pieces(each) for each in readings[:6] if len(each.departures) == 1}
    assert singles == {(piece,) for piece in rules_for(system).pieces}


# --- what is usual -----------------------------------------------------------------------


@pytest.mark.parametrize("system", RULES)
def test_the_first_reading_of_a_plain_fall_is_an_own_piece(system: RuleSystem) -> None:
    match = begin(system.value)
    first = read(match, fall(11))[0]
    assert len(first.departures) == 1
    assert first.departures[0].piece in own_of(match.settings, match.state.position, Seat.N)


@pytest.mark.parametrize("system", TWO_SIDES)
def test_an_own_piece_is_read_by_the_colour_of_the_seat_that_shot(system: RuleSystem) -> None:
    match = begin(system.value, Stroke(Seat.N))
    assert pieces(read(match, fall(11))[0]) == (Piece.BLACK,)
    assert pieces(read(match, fall(11), seat=Seat.N)[0]) == (Piece.WHITE,)


@pytest.mark.parametrize("system", QUEENS)
def test_a_queen_that_may_be_taken_is_likelier_than_one_that_would_come_back(
    system: RuleSystem,
) -> None:
    fresh = begin(system.value)
    own = own_of(fresh.settings, fresh.state.position, Seat.N)
    match = fresh.enter(shot(Seat.N, min(own)))
    may = chance(read(match, fall(11)), Piece.QUEEN)
    if system is RuleSystem.POINTS:
        assert chance(read(fresh, fall(11)), Piece.QUEEN) == pytest.approx(may, rel=0.3)
    else:
        assert may > 4 * chance(read(fresh, fall(11)), Piece.QUEEN)
    assert 0.02 < may < 0.25


@pytest.mark.parametrize("system", QUEENS)
def test_with_the_last_own_piece_the_queen_comes_first(system: RuleSystem) -> None:
    match = last_piece(system.value)
    assert scene_in(match, Seat.N).roles[Piece.QUEEN] is Role.QUEEN_FIRST
    readings = read(match, fall(11))
    assert pieces(readings[0]) == (Piece.QUEEN,)


def last_piece(rules: str) -> Match:
    """N has one piece left, and the queen is on the board."""
    match = begin(rules)
    if rules != RuleSystem.POINTS:
        return match.enter(SetPocketed(Side.WHITE, 8))
    for piece in [Piece.BLACK] * 9 + [Piece.BROWN] * 8:
        match = match.enter(shot(Seat.N, piece))
    return match


@pytest.mark.parametrize("system", QUEENS)
def test_while_a_queen_is_to_be_covered_none_can_fall_and_an_own_piece_is_first(
    system: RuleSystem,
) -> None:
    match = begin(system.value)
    own = min(own_of(match.settings, match.state.position, Seat.N))
    match = match.enter(shot(Seat.N, own)).enter(shot(Seat.N, Piece.QUEEN))
    assert match.state.position.red is RedPlace.PENDING
    readings = read(match, fall(11))
    assert pieces(readings[0])[0] in own_of(match.settings, match.state.position, Seat.N)
    assert not any(Piece.QUEEN in pieces(each) for each in readings)


@pytest.mark.parametrize("system", TWO_SIDES)
def test_a_covered_queen_falls_no_more(system: RuleSystem) -> None:
    covered = SetRed(RedPlace.COVERED, Side.BLACK, Piece.QUEEN)
    match = begin(system.value, covered)
    assert not any(Piece.QUEEN in pieces(each) for each in read(match, fall(11), fall(9, number=2)))
    match = begin(system.value, covered, SetPocketed(Side.WHITE, 8))
    assert pieces(read(match, fall(11))[0]) == (Piece.WHITE,), "nothing to be afraid of any more"


def test_every_table_of_what_is_usual_leaves_room_for_a_miss() -> None:
    for habits in HABITS.values():
        for column in zip(*habits.strokes.values(), strict=True):
            assert 5_000 < sum(column) < 100_000


# --- how long it took --------------------------------------------------------------------


@pytest.mark.parametrize("system", QUEENS)
def test_a_carrom_striker_on_edge_is_told_from_a_piece_by_its_width(system: RuleSystem) -> None:
    match = begin(system.value)
    usual, long = (chance(read(match, fall(ms)), Piece.STRIKER) for ms in (33, 46))
    assert long > 3 * usual
    hikone = begin("hikone")
    usual, long = (chance(read(hikone, fall(ms)), Piece.STRIKER) for ms in (33, 46))
    assert long < 2 * usual, "pucks and strikers of carom are of one size"


@pytest.mark.parametrize("system", QUEENS)
def test_a_queen_is_as_wide_as_any_other_piece(system: RuleSystem) -> None:
    match = begin(system.value)
    odds = [
        chance(readings, Piece.QUEEN) / max(chance(readings, piece) for piece in (
            Piece.WHITE, Piece.BLACK, Piece.BROWN))
        for readings in (read(match, fall(ms)) for ms in (9, 11, 33, 45))
    ]  # fmt: skip
    assert odds == pytest.approx([odds[0]] * 4)


# --- in which order ----------------------------------------------------------------------


def test_in_points_another_order_of_pieces_is_another_reading() -> None:
    match = begin("points")
    two = (fall(11), fall(11, number=2, at_ms=500))
    found = [pieces(each) for each in read(match, *two)]
    assert (Piece.BLACK, Piece.BROWN) in found[:4]
    assert (Piece.BROWN, Piece.BLACK) in found[:4]
    assert len(found) == len(set(found))


def test_in_points_two_at_once_may_have_fallen_in_either_order() -> None:
    readings = read(begin("points"), fall(11, 10))
    one, other = (
        chance(readings, *order) for order in itertools.permutations((Piece.BLACK, Piece.BROWN))
    )
    assert one == pytest.approx(other)
    assert one > 0.001


def test_in_points_a_strikers_place_among_the_pieces_makes_no_reading_of_its_own() -> None:
    two = (fall(11), fall(11, number=2, at_ms=500))
    found = [sorted(pieces(each)) for each in read(begin("points"), *two)]
    assert found.count([Piece.BLACK, Piece.STRIKER]) == 1


def test_in_points_pieces_stand_in_the_order_in_which_the_beams_saw_them() -> None:
    falls = (fall(11, pocket=Pocket.SW), fall(11, number=2, at_ms=400, pocket=Pocket.NE))
    for reading in read(begin("points"), *falls):
        pockets = [each.pocket for each in reading.departures]
        assert pockets == sorted(pockets, key=lambda pocket: pocket is Pocket.NE)


def test_in_points_what_fell_last_is_what_a_striker_gives_back() -> None:
    match = begin("points")
    for last, kept in itertools.permutations((Piece.BLACK, Piece.BROWN)):
        after = match.enter(shot(Seat.N, kept, last, Piece.STRIKER))
        assert after.state.place == (last,)
        stood = [
            each for each in read(match, *three()) if pieces(each) == (kept, last, Piece.STRIKER)
        ]
        assert len(stood) == 1, "both orders are there, each with its own ruling"


def three() -> tuple[Fall, ...]:
    return tuple(fall(11, number=n, at_ms=500.0 * n) for n in (1, 2, 3))


def test_where_each_side_owns_its_colour_the_order_is_not_asked_for() -> None:
    for system in (RuleSystem.HIKONE, *TWO_SIDES):
        match = begin(system.value)
        assert not scene_in(match, Seat.N).in_order
        found = [frozenset(Counter(pieces(each)).items()) for each in read(match, *three()[:2])]
        assert len(found) == len(set(found))


def test_with_two_colours_in_points_the_opponents_colour_is_read_as_such() -> None:
    match = begin("points", two_colours=True)
    scene = scene_in(match, Seat.N)
    assert (scene.roles[Piece.BLACK], scene.roles[Piece.BROWN]) == (Role.OWN, Role.OPPONENT)
    assert scene_in(match, Seat.S).roles[Piece.BROWN] is Role.OWN
    assert scene.in_order, "it is still the last one that is given back"


# --- all at once -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["hikone", "japan"])
def test_a_mass_break_is_one_stroke_with_as_many_strikers_as_seats(rules: str) -> None:
    header = {"rules": rules, "seats": DOUBLES, "options": {"opening": "mass_break"}}
    match = Match.begin(agree(header))
    scene = scene_in(match, Seat.N)
    assert scene.available[Piece.STRIKER] == 4
    falls = tuple(fall(11, pocket=pocket, number=n, at_ms=300.0 * n)
                  for n, pocket in enumerate(Pocket, start=1))  # fmt: skip
    readings = ranked(scene, falls)
    kinds = [Counter(pieces(each)) for each in readings]
    assert max(each[Piece.STRIKER] for each in kinds) > 1
    assert kinds[0][Piece.RED] + kinds[0][Piece.GREEN] >= 3
    after = match.enter(Stroke(Seat.N, readings[0].departures))
    assert after.state.next is Seat.N
    assert scene_in(after, Seat.N, DialogueSettings()).available[Piece.STRIKER] == 1


def test_at_the_table_a_mass_break_becomes_one_line() -> None:
    table = Table(lineup="NESW", options={"opening": "mass_break"}).started("N")
    table.falls_in("NE", "SE", "SW", "NW", "NE").wait(1.6).must_be(Phase.REVIEW)
    table.wait(0.5).ok("referee").calm()
    assert len(table.entries) == 1
    assert table.entries[0].startswith("N ")
    assert table.shooter == "N"


# --- what it is called -------------------------------------------------------------------


def why(match: Match, *falls: Fall, index: int = 0) -> str:
    return str(read(match, *falls)[index].why)


@pytest.mark.parametrize("system", TWO_SIDES)
def test_the_reason_speaks_of_pieces_and_queens(system: RuleSystem) -> None:
    match = begin(system.value)
    assert why(match, fall(11)) == "11 ms in NE: piece, striker or queen; own piece likely"
    early = next(each for each in read(match, fall(11)) if Piece.QUEEN in pieces(each))
    assert str(early.why).endswith("; queen too early unlikely")
    match = match.enter(shot(Seat.N, Piece.WHITE))
    queen = next(each for each in read(match, fall(11)) if pieces(each) == (Piece.QUEEN,))
    assert str(queen.why).endswith("; queen sometimes")
    other = next(each for each in read(match, fall(11)) if pieces(each) == (Piece.BLACK,))
    assert str(other.why).endswith("; opponent's piece sometimes")
    match = match.enter(SetRed(RedPlace.COVERED, Side.WHITE, Piece.QUEEN))
    assert why(match, fall(11)) == "11 ms in NE: piece or striker; own piece likely"


def test_the_reason_in_points_does_not_speak_of_own_pieces() -> None:
    match = begin("points")
    assert why(match, fall(11)) == "11 ms in NE: piece, striker or queen; one piece likely"
    assert "2 pieces" in why(match, fall(11), fall(11, number=2, at_ms=500))
    two_colours = begin("points", two_colours=True)
    assert why(two_colours, fall(11)).endswith("own piece likely")


def test_the_reason_of_a_mass_break_counts_strikers() -> None:
    header = {"rules": "hikone", "seats": DOUBLES, "options": {"opening": "mass_break"}}
    readings = read(Match.begin(agree(header)), *three())
    said = [str(each.why) for each in readings if pieces(each).count(Piece.STRIKER) == 2]
    assert said
    assert "2 strikers" in said[0]
