"""Both sides as displays show them: places kept, colours by board, games, points, the queen."""

from __future__ import annotations

import pytest

from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.record import read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.words.sides import colours_change, game_now, red_words, seated, sides_in

KAGW = 'rules = "kagw"\n[names]\nN = "Aiko"\n---\nN white@NE\n! resign S\n! board\n'
ICF = 'rules = "icf"\n---\n! resign S\n! board\nS white\n! resign N\n! board\n'
QUEEN = 'rules = "kagw"\n---\nN white\nN queen\n'


def match(text: str) -> Match:
    return read_record(text).match


def test_a_side_keeps_its_place_and_is_named_by_the_colour_of_the_board() -> None:
    played = match(KAGW)
    first, second = sides_in(played, played.state.next)
    assert (first.seats, first.side) == ((Seat.N,), Side.BLACK)
    assert (second.seats, second.side, second.shoots) == ((Seat.S,), Side.WHITE, True)
    assert (first.points, first.boards_won, first.pocketed) == (9, 1, 0)
    assert (second.points, second.boards_won) == (0, 0)
    assert first.pieces == (Piece.BLACK,)


def test_where_colours_have_changed_a_side_is_named_by_its_people() -> None:
    state = match(KAGW + "S white\n! resign N\n").state
    assert colours_change(state)
    assert str(seated(state.settings, Side.WHITE)) == "Aiko"
    assert str(seated(state.settings, Side.BLACK)) == "S"
    assert not colours_change(match(QUEEN).state)


def test_points_of_a_game_are_those_of_its_boards_whatever_their_colours() -> None:
    played = match(ICF)
    assert game_now(played.state) == (1, 3)
    first, second = sides_in(played, None)
    assert (first.game_points, second.game_points) == (12, 12)
    assert (first.games_won, second.games_won) == (0, 0)


def test_a_game_that_is_over_stays_until_the_next_board_begins() -> None:
    text = 'rules = "icf"\n[options]\ntarget = 12\n---\n! resign S\n'
    over, begun = match(text), match(text + "! board\n")
    assert (game_now(over.state), game_now(begun.state)) == ((1, 1), (2, 1))
    assert [side.game_points for side in sides_in(over, None)] == [12, 0]
    assert [side.game_points for side in sides_in(begun, None)] == [0, 0]
    assert [side.games_won for side in sides_in(begun, None)] == [1, 0]


def test_systems_without_games_have_none() -> None:
    assert game_now(match(KAGW).state) == (0, 0)


@pytest.mark.parametrize(
    ("option", "pieces"),
    [
        ("false", [(Piece.BLACK, Piece.BROWN)] * 2),
        ("true", [(Piece.BLACK,), (Piece.BROWN,)]),
    ],
)
def test_counters_belong_to_everybody_or_to_their_side(
    option: str, pieces: list[tuple[Piece, ...]]
) -> None:
    played = match(f'rules = "points"\n[options]\ntwo_colours = {option}\n---\nN black\n')
    sides = sides_in(played, Seat.N)
    assert [side.pieces for side in sides] == pieces
    assert [side.board_points for side in sides] == [5, 0]
    assert sides[0].pocketed == 1
    assert sides[0].left == 8 + (9 if option == "false" else 0)


def test_the_queen_is_told_of_where_that_is_news() -> None:
    played = match(QUEEN)
    assert str(red_words(played.state)) == "cover the queen now"
    covered = match(QUEEN + "N white\n")
    assert str(red_words(covered.state)) == "queen covered by WHITE"
    early = match('rules = "kagw"\n---\nN queen\n')
    assert str(red_words(early.state)) == "queen back after turn"
    assert str(red_words(match(KAGW).state)) == ""


@pytest.mark.parametrize("rules", RULES)
def test_every_system_begins_with_two_sides_that_have_all_before_them(rules: RuleSystem) -> None:
    first, second = sides_in(match(f'rules = "{rules}"\n---\n'), Seat.N)
    assert first.shoots
    assert not second.shoots
    assert first.pocketed == second.pocketed == 0
    assert first.left == second.left > 0
    assert not first.all_in
