"""The fold of the entries: turns, boards, match score, time, directives."""

from __future__ import annotations

import pytest

from jackspot.core.match import IllegalEntry, Match, MatchState, TimeUp, deal_points
from jackspot.core.pieces import Seat, Side
from jackspot.core.record import read_record
from jackspot.core.ruling import How
from jackspot.core.stroke import Stroke

N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W
RED, GREEN = Side.RED, Side.GREEN
NESW = 'seats = ["N", "E", "S", "W"]\n'


def match_of(lines: str, header: str = "", **options: object) -> Match:
    """Play lines separated by semicolons."""
    given = "".join(f"{name} = {_toml(value)}\n" for name, value in options.items())
    body = "\n".join(lines.split(";"))
    return read_record(f'rules = "hikone"\n{header}[options]\n{given}---\n{body}\n').match


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def played(lines: str, header: str = "", **options: object) -> MatchState:
    return match_of(lines, header, **options).state


def pockets(state: MatchState) -> tuple[int, int]:
    first, second = state.position.counts
    return first.pocketed, second.pocketed


# turns


def test_four_players_shoot_in_the_order_listed():
    match = match_of("N -;E -;S -;W -;N -", NESW)
    assert [step.state.next for step in match.steps] == [E, S, W, N, E]


def test_three_players_bounce_between_the_single_player_and_the_pair():
    # E plays alone; S is the pair's seat listed first after E
    match = match_of("N -;E -;S -;E -;N -", 'seats = ["N", "E", "S"]\n')
    assert [step.state.next for step in match.steps] == [E, S, E, N, E]


def test_the_single_player_who_is_listed_first_begins_the_bounce():
    match = match_of("E -;N -;E -;S -", 'seats = ["E", "N", "S"]\n')
    assert [step.state.next for step in match.steps] == [N, E, S, E]


def test_three_players_may_agree_to_go_round_as_listed():
    match = match_of("N -;E -;S -", 'seats = ["N", "E", "S"]\n', order3="clockwise")
    assert [step.state.next for step in match.steps] == [E, S, N]


def test_strokes_in_a_turn_are_counted():
    match = match_of("N red;N red;N -;S green")
    assert [step.state.position.strokes_in_turn for step in match.steps] == [1, 2, 0, 1]


def test_given_the_turn_a_seat_shoots_and_the_order_goes_on_from_there():
    match = match_of("N red;! turn S;S -;W -", NESW)
    assert [step.state.next for step in match.steps] == [N, S, W, N]
    assert match.steps[1].state.position.strokes_in_turn == 0


def test_a_turn_given_to_the_same_seat_is_a_fresh_one():
    assert played("N red;! turn N").position.strokes_in_turn == 0


def test_an_illegal_entry_leaves_the_match_as_it_was():
    match = match_of("N red")
    before = match.state
    with pytest.raises(IllegalEntry):
        match.enter(Stroke(S))
    assert match.state is before


# boards and the match


def test_the_losers_first_seat_opens_the_next_board():
    state = played("N 12*red;N jack", 'seats = ["N", "W", "S", "E"]\n', best_of=3)
    assert state.result is not None
    assert state.next is W
    assert not state.over


def test_after_a_draw_the_side_that_did_not_open_opens():
    assert played("N -;E red;S -;! draw", NESW, best_of=3).next is E
    assert played("N -;! draw;E -;! draw", NESW, best_of=3).next is N


def test_a_stroke_after_a_board_begins_the_next():
    state = played("N 12*red;N jack;S green", best_of=3)
    assert (state.board, state.opener, pockets(state)) == (2, S, (0, 1))
    assert len(state.boards) == 1
    assert state.boards[0].number == 1


def test_out_of_turn_after_a_board_is_not_the_opener():
    with pytest.raises(ValueError, match="it is S's turn, not N's"):
        played("N 12*red;N jack;N red", best_of=3)


def test_a_given_turn_after_a_board_opens_the_next_one_with_that_seat():
    state = played("N 12*red;N jack;! turn N", best_of=3)
    assert (state.board, state.opener, state.next, state.result) == (2, N, N, None)


def test_a_board_begun_before_the_end_makes_the_running_one_void():
    state = played("N red;N -;! board", best_of=3)
    assert (state.board, state.opener, state.next) == (2, N, N)
    assert (state.boards, pockets(state)) == ((), (0, 0))
    assert not state.points[RED]


def test_a_board_begun_after_the_end_voids_nothing():
    state = played("N 12*red;N jack;! board", best_of=3)
    assert (state.board, state.next, len(state.boards)) == (2, S, 1)


@pytest.mark.parametrize("line", ["! placed", "! set red pocketed=1", "! time", "! draw"])
def test_nothing_else_may_follow_a_finished_board(line):
    with pytest.raises(ValueError, match="board 1 is over"):
        played(f"N 12*red;N jack;{line}", best_of=3)


@pytest.mark.parametrize("line", ["S -", "! turn S", "! board", "! placed", "! resign N"])
def test_nothing_follows_the_match(line):
    with pytest.raises(ValueError, match="the match is over"):
        played(f"N 12*red;N jack;{line}")


def test_a_majority_ends_the_match():
    state = played("N 12*red;N jack;S -;N 12*red;N jack", best_of=3)
    assert (state.over, state.winner, state.next) == (True, RED, None)
    assert (dict(state.boards_won), dict(state.points)) == ({RED: 2, GREEN: 0}, {RED: 24, GREEN: 0})


def test_one_board_each_goes_on_to_the_third():
    state = played("N 12*red;N jack;S 12*green;S jack", best_of=3)
    assert (state.over, state.next) == (False, N)


def test_when_all_boards_are_played_more_boards_then_more_points_decide():
    # one drawn board of two: red 3, green 1
    by_boards = played("N red;N -;S 3*green;! resign N;N -;! draw", best_of=2)
    assert (by_boards.over, by_boards.winner) == (True, GREEN)
    by_points = played("N 2*red;! draw;S green;! draw", best_of=2)
    assert (by_points.over, by_points.winner) == (True, RED)
    level = played("N red;! draw;S green;! draw", best_of=2)
    assert (level.over, level.winner) == (True, None)


# resigning, drawing, correcting


def test_who_resigns_loses_and_each_side_scores_what_it_has():
    state = played("N 3*red;N -;S 5*green;! resign S")
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (RED, How.RESIGN)
    assert dict(state.result.points) == {RED: 3, GREEN: 5}
    assert state.winner is RED


def test_a_partner_resigns_for_both():
    state = played("N red;! resign S", NESW)
    assert state.result is not None
    assert state.result.winner is GREEN


def test_a_correction_assigns_and_neither_pays_nor_wins():
    state = played("N -;! set red owed=3;! set red pocketed=12")
    count = state.position.count(RED)
    assert (count.pocketed, count.owed, state.result) == (12, 3, None)


def test_a_corrected_debt_is_paid_at_the_next_stroke():
    state = played("! set red owed=3;! set red pocketed=5;N -")
    assert pockets(state) == (2, 0)
    assert list(state.place) == ["red"] * 3


def test_who_is_corrected_to_all_in_may_play_the_jack():
    assert played("! set red pocketed=12;N jack").winner is RED


# time


def test_by_default_one_more_stroke_is_played_whatever_it_keeps():
    match = match_of("N -;! time;S 2*green")
    assert match.steps[1].state.time_up is TimeUp.STROKE
    state = match.state
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (GREEN, How.TIME)
    assert dict(state.result.points) == {RED: 0, GREEN: 2}
    assert state.time_up is None


def test_what_the_last_stroke_owes_is_settled_before_the_count():
    state = played("N 2*red;N -;S 2*green;! time;S striker")
    assert list(state.place) == ["green"]
    assert state.result is not None
    assert dict(state.result.points) == {RED: 2, GREEN: 1}
    assert state.result.winner is RED


def test_the_last_stroke_may_still_win_by_the_jack():
    state = played("N 12*red;! time;N jack")
    assert state.result is not None
    assert state.result.how is How.JACK


def test_a_given_turn_is_no_stroke():
    state = played("N red;! time;! turn S;! set red pocketed=4")
    assert (state.result, state.time_up) == (None, TimeUp.STROKE)


def test_time_may_stop_the_board_at_once():
    state = played("N red;! time", time_end="stop")
    assert state.result is not None
    assert (state.result.winner, dict(state.result.points)) == (RED, {RED: 1, GREEN: 0})


def test_a_second_time_ends_the_board_at_once():
    state = played("N red;! time;! time", time_end="finish_round")
    assert state.result is not None
    assert state.result.winner is RED


def test_the_turn_that_is_next_is_finished_begun_or_not():
    on = played("N red;! time;N red", time_end="finish_turn")
    assert (on.result, on.time_up) == (None, TimeUp.TURN)
    assert played("N red;! time;N red;N -", time_end="finish_turn").result
    not_begun = match_of("N -;! time;S green;S -", time_end="finish_turn")
    assert [step.state.result is None for step in not_begun.steps] == [True, True, True, False]
    assert played("N red;! time;! turn S", time_end="finish_turn").result


def test_a_round_is_finished_with_the_seat_before_the_opener():
    match = match_of("N -;E red;! time;S -;W green;W -", NESW, time_end="finish_round")
    assert [step.state.result is None for step in match.steps] == [True] * 5 + [False]


def test_time_between_two_rounds_lets_the_next_be_played():
    match = match_of("N -;S -;! time;N -;S -", time_end="finish_round")
    assert [step.state.result is None for step in match.steps] == [True] * 4 + [False]


def test_a_round_of_the_bounce_has_four_turns():
    # N opens; the cycle is E S E N, so the round ends with the second turn of E after N and E
    match = match_of("N -;! time;E -;S -;E -", 'seats = ["N", "E", "S"]\n', time_end="finish_round")
    assert [step.state.result is None for step in match.steps] == [True] * 4 + [False]


def test_a_round_counts_from_the_opener_of_this_board():
    match = match_of("N 12*red;N jack;S -;! time;N -", best_of=3, time_end="finish_round")
    assert match.state.result is not None


def test_level_when_time_is_up_is_a_draw():
    state = played("N -;! time;S -")
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (None, How.TIME)
    assert (state.over, state.winner) == (True, None)


def test_sudden_death_goes_on_until_an_own_puck_without_a_fault():
    tie = {"timeout_tie": "sudden_death"}
    match = match_of("N -;! time;S -;N striker red;S red;N foul red;S -;N green", **tie)
    assert all(step.state.result is None for step in match.steps)
    assert match.steps[1].state.time_up is TimeUp.STROKE
    assert match.state.time_up is TimeUp.DECIDER
    state = played("N -;! time;S -;N -;S green", **tie)
    assert state.result is not None
    assert dict(state.result.points) == {RED: 0, GREEN: 1}


def test_in_sudden_death_the_jack_wins_as_always():
    state = played(
        "! set red pocketed=12;! set green pocketed=12;! time;N -;S jack",
        timeout_tie="sudden_death",
    )
    assert state.result is not None
    assert (state.result.winner, state.result.how) == (GREEN, How.JACK)


def test_a_further_time_in_sudden_death_ends_it_by_the_pucks_in():
    state = played("N -;! time;S -;N green;! time", timeout_tie="sudden_death")
    assert state.result is not None
    assert (state.result.winner, dict(state.result.points)) == (GREEN, {RED: 0, GREEN: 1})


def test_sudden_death_is_over_with_its_board():
    state = played("N -;! time;S -;N red;S green", timeout_tie="sudden_death", best_of=3)
    assert (state.board, state.result, state.time_up) == (2, None, None)


# points


def test_the_points_of_a_running_board_are_the_pucks_in():
    assert deal_points(played("N 3*red;N -;S striker")) == {RED: 3, GREEN: 0}


def test_what_is_owed_is_never_subtracted():
    assert deal_points(played("N 3*red;N jack")) == {RED: 0, GREEN: 0}
