"""Games of boards: the target, the last board, extra boards, who opens, what the queen counts."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import GiveTurn, Resign, Say, Saying, SetPocketed
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Seat, Side

VOID = Say(Saying.BOARD)
DRAW = Say(Saying.DRAW)
N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W


def begin(rules: str = "icf", *seats: str, colours: Any = None, **options: Any) -> Match:
    data = {"rules": rules, "seats": list(seats or ("N", "S")), "options": options}
    return Match.begin(agree(data | ({"colours": colours} if colours else {})))


def won_by(match: Match, *seats: Seat) -> Match:
    """Let each of these win a board: 9 pieces and the queen, as the other side resigns at once."""
    plays = match.settings.sides
    for winner in seats:
        if match.state.result is not None:
            match = match.enter(VOID)
        loser = next(seat for seat in match.settings.seats if plays[seat] is not plays[winner])
        match = match.enter(Resign(loser))
    return match


def drawn(match: Match, boards: int) -> Match:
    for _ in range(boards):
        match = match if match.state.result is None else match.enter(VOID)
        match = match.enter(DRAW)
    return match


def games_of(match: Match) -> tuple[int, ...]:
    return match.state.standing.games


def test_a_game_is_won_at_the_target_and_its_points_are_not_cut_off():
    match = won_by(begin(best_of=1), N, N)
    assert match.state.points[Side.WHITE] == 24
    assert not match.state.over
    match = won_by(match, N)
    assert match.state.over
    assert match.state.winner is Side.WHITE
    assert match.state.points[Side.WHITE] == 33  # 9 only: with 24 the queen counts nothing


def test_the_queen_counts_nothing_for_a_side_from_the_cap_on_in_this_game():
    match = won_by(begin(best_of=3, target=30), N, N)
    assert match.state.points[Side.WHITE] == 24
    match = won_by(match, S)  # the other side still gets it
    assert match.state.points[Side.BLACK] == 12
    match = won_by(match, N)
    assert match.state.points[Side.WHITE] == 33
    match = won_by(match, N)  # a new game: it counts again
    assert games_of(match) == (1, 1, 1, 1, 2)
    assert match.state.points[Side.WHITE] == 45


def test_after_the_last_board_the_leader_has_won():
    match = drawn(won_by(begin(best_of=1, max_boards=3), N), 1)
    assert not match.state.over
    match = drawn(match, 1)
    assert match.state.over
    assert match.state.winner is Side.WHITE


def test_level_after_the_last_board_extra_boards_are_played_until_one_leads():
    match = drawn(begin(best_of=1, max_boards=2), 4)
    assert not match.state.over
    assert games_of(match) == (1, 1, 1, 1)
    match = won_by(match, S)
    assert match.state.over
    assert match.state.winner is Side.BLACK


def test_without_a_number_of_boards_a_game_goes_on_to_the_target():
    match = drawn(won_by(begin(best_of=1, max_boards=0), N), 20)
    assert not match.state.over
    assert set(games_of(match)) == {1}


def test_a_void_board_counts_for_nothing_and_has_the_same_opener():
    match = begin(best_of=1, max_boards=1).enter(VOID).enter(VOID)
    assert (match.state.board, match.state.opener) == (3, N)
    assert match.state.boards == ()
    match = won_by(match, S)
    assert match.state.over


def openers(match: Match, boards: int) -> list[Seat]:
    opened = [match.state.opener]
    for _ in range(boards - 1):
        match = won_by(match, N).enter(VOID)
        opened.append(match.state.opener)
    return opened


def test_the_next_seat_opens_each_board_and_the_second_seat_the_second_game():
    # three boards of 12, 12 and 9 make a game, so games begin with boards 1, 4 and 7
    two = begin("icf", "N", "S", best_of=9)
    assert openers(two, 8) == [N, S, N, S, N, S, N, S]
    four = begin("grundregeln", "S", "E", "N", "W", best_of=9)
    assert openers(four, 9) == [S, E, N, E, N, W, S, E, N]


def test_after_four_boards_the_second_game_is_still_opened_by_the_second_seat():
    match = won_by(begin(best_of=3, max_boards=4), N)
    match = drawn(match, 3)
    assert games_of(match) == (1, 1, 1, 1)
    assert match.state.next is S


def test_a_board_opened_by_another_seat_hands_on_from_that_seat():
    match = won_by(begin("icf", "S", "E", "N", "W"), N).enter(GiveTurn(W))
    assert match.state.opener is W
    match = won_by(match, N)
    assert match.state.next is S


def sides(match: Match) -> dict[str, str]:
    return {str(seat): str(side) for seat, side in match.state.position.seat_sides.items()}


def test_the_openers_side_plays_white():
    match = begin("icf", "S", "E", "N", "W")
    assert sides(match) == {"S": "white", "E": "black", "N": "white", "W": "black"}
    match = won_by(match, N).enter(VOID)
    assert sides(match) == {"S": "black", "E": "white", "N": "black", "W": "white"}


def test_colours_hold_for_the_first_board_and_its_void_repeats_only():
    match = begin(colours={"N": "black"})
    assert sides(match) == {"N": "black", "S": "white"}
    match = match.enter(VOID)
    assert sides(match) == {"N": "black", "S": "white"}
    match = won_by(match, N)
    assert (match.state.points[Side.BLACK], match.state.boards_won[Side.BLACK]) == (12, 1)
    match = match.enter(VOID)  # S opens
    assert sides(match) == {"N": "black", "S": "white"}
    match = won_by(match, N).enter(VOID)
    assert sides(match) == {"N": "white", "S": "black"}
    match = won_by(match, N)  # played with white, but named as on board 1
    assert match.state.points == {Side.WHITE: 0, Side.BLACK: 33}


def test_a_majority_of_games_ends_the_match():
    match = won_by(begin(best_of=3, target=12), N, N)
    assert match.state.over
    assert match.state.standing.games_won == {Side.WHITE: 2, Side.BLACK: 0}


def test_with_an_even_number_of_games_points_decide_then_it_is_drawn():
    level = won_by(begin(best_of=2, target=12), N, S)
    assert level.state.over
    assert level.state.winner is None
    ahead = won_by(begin(best_of=2, target=13), N, S, N, S, S)
    assert ahead.state.standing.games_won == {Side.WHITE: 1, Side.BLACK: 1}
    assert ahead.state.points == {Side.WHITE: 24, Side.BLACK: 36}
    assert ahead.state.winner is Side.BLACK
    with pytest.raises(IllegalEntry, match="over"):
        won_by(ahead, N)


def test_games_decide_a_match_and_not_points():
    few = SetPocketed(Side.BLACK, 8)  # then a resignation of black is worth 1 and the queen
    match = won_by(begin(best_of=3, target=4).enter(few), N)
    match = won_by(match, S)  # 12, and the second game
    match = match.enter(VOID)
    assert match.state.opener is N
    match = won_by(match.enter(few), N)
    assert match.state.points == {Side.WHITE: 8, Side.BLACK: 12}
    assert match.state.over
    assert match.state.winner is Side.WHITE
