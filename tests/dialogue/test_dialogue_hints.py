"""What the board says besides the question: colours and games, the last round, hints."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import playing

# --- colours and games ----------------------------------------------------------------


def test_prompts_use_the_colours_of_the_board() -> None:
    table = playing("kagw").hold("N", "fix").wait(1.0).pick("draw", by="N", held=True).calm()
    assert str(table.view.detail).endswith("S opens")
    table.ok("S").calm().must_be(Phase.READY)
    assert str(table.view.headline) == "WHITE S to shoot"
    table.shot("WHITE NE", "NE", by="S")
    assert table.entries[-1] == "S white@NE"


def after_boards(*winners: str, **options: object) -> Table:
    """A match of icf in which each of these seats has won a board by resignation; - is a draw."""
    table = playing("icf", options=options)
    for seat in winners:
        if table.phase is Phase.BOARD_OVER:
            table.ok("referee").calm()
        table.hold("referee", "fix").wait(1.0)
        if seat == "-":
            table.pick("draw", held=True).calm()
        else:
            other = "N" if seat == "S" else "S"
            table.pick("resign").pick(f"{other} resigns", held=True).calm()
    return table


def told(table: Table) -> list[str]:
    return [str(each) for each in table.view.hints]


def test_players_change_sides_after_each_game() -> None:
    """A board that is given up counts nine pieces and the queen."""
    table = after_boards("N", target=12)
    assert told(table) == ["game to N", "change sides"]
    assert str(table.view.detail) == "resigned, S opens, game to N, change sides"
    assert told(after_boards("N", target=13)) == []


TWO_GAMES = ("N", "N", "S", "S")
"""Two games of 20 points or more, one each."""


def test_in_the_third_game_sides_change_at_thirteen_points() -> None:
    assert told(after_boards(*TWO_GAMES, "N", target=20)) == []
    forty = ("N", "N", "N", "N", "S", "S", "S", "S")
    assert told(after_boards(*forty, "N", target=40)) == []
    assert told(after_boards(*forty, "N", "N", target=40)) == ["change sides"]
    assert told(after_boards(*forty, "N", "N", "S", target=40)) == [], "only once"


def test_in_the_third_game_sides_change_after_four_boards() -> None:
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", target=20)) == []
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", "-", target=20)) == ["change sides"]
    assert told(after_boards(*TWO_GAMES, "-", "-", "-", "-", "N", target=20)) == []


def test_other_systems_do_not_say_that_sides_change() -> None:
    table = playing("grundregeln", options={"target": 9, "best_of": 3})
    table.hold("N", "fix").wait(1.0).pick("resign", by="N").pick("S resigns", by="N", held=True)
    assert told(table.calm()) == ["game to N"]


# --- time -----------------------------------------------------------------------------


def test_in_the_last_round_the_board_says_who_shoots_last() -> None:
    table = playing("icf", options={"time_limit_s": 30, "time_end": "finish_round"})
    table.ok("N").wait(1.0).ok("N").calm().ok("S").wait(40.0)
    assert str(table.view.detail) == "time is up: last round"
    assert "S is last" in told(table)


# --- other hints ----------------------------------------------------------------------


def test_all_seats_break_at_once_where_that_was_agreed() -> None:
    table = playing("hikone", options={"opening": "mass_break"})
    assert str(table.view.detail) == "mass break: all at once"
    table.shot("RED NE", "NE")
    assert str(table.view.detail) == ""
    assert told(table.miss("N")) == [], "S has shot too: no first shot from the tee spot"


@pytest.mark.parametrize("lineup", ["NS", "NESW"])
def test_foul_does_nothing_before_a_mass_break_which_has_none(lineup: str) -> None:
    table = playing("hikone", lineup=lineup, options={"opening": "mass_break"})
    table.foul()
    assert (table.phase, str(table.view.detail)) == (Phase.READY, "mass break: no fouls")
    table.review("NE").foul()
    assert table.view.proposal is not None
    assert table.view.proposal.flags == frozenset()
    assert str(table.view.proposal.follows) != "not possible here"


def test_a_board_that_was_void_begins_with_a_mass_break_again() -> None:
    table = playing("hikone", options={"opening": "mass_break"}).shot("RED NE", "NE")
    table.hold("referee", "fix").wait(1.0).pick("void the board", held=True).calm()
    assert told(table) == ["mass break: all at once"]


def test_an_area_hit_is_restored_by_the_opponents() -> None:
    table = playing("hikone", lineup="NESW").foul().wait(0.9).foul().wait(0.9)
    assert table.proposed == "area hit"
    table.ok("referee").calm()
    assert str(table.view.detail) == "opponents restore"


def test_the_one_try_at_the_jack_is_said() -> None:
    handicap = {"N": {"pucks_needed": 1, "must_bank": True}}
    table = playing("hikone", handicap=handicap, options={"jack_one_shot": "loss"})
    table.shot("RED NE", "NE")
    assert str(table.view.detail) == "jack may be played, must cushion, one shot only"


def test_the_one_try_at_the_jack_is_not_said_once_it_is_over() -> None:
    options = {"jack_one_shot": "penalty", "last_puck_with_jack": "five"}
    table = playing("hikone", handicap={"N": {"pucks_needed": 3}}, options=options)
    table.hold("referee", "fix").wait(1.0).pick("correct the counts").wait(1.0)
    for _press in range(12):
        table.pick("RED in")
    table.pick("the table is right").calm()
    assert str(table.view.detail) == "jack may be played, one shot only"
    table.miss("N").calm()
    while table.phase is Phase.PLACING:
        table.ok("referee").calm()
    table.miss("S").calm()
    assert str(table.view.detail) == "jack may be played"


def test_first_shots_and_a_weak_hand_are_hinted() -> None:
    table = playing("japan", handicap={"S": {"weak_hand": True}})
    assert told(table) == ["from the tee spot"]
    table.miss("N")
    assert told(table) == ["from the tee spot", "with the weak hand"]
    table.miss("S")
    assert told(table) == []


def test_points_of_a_turn_that_count_nothing_are_said_to_be_void() -> None:
    table = playing("points").shot("BLACK NE", "NE").shot("QUEEN SE", "SE")
    assert str(table.view.detail) == "cover the queen now"
    table.ok("N").calm()
    assert "points of turn are void" in told(table) or table.phase is Phase.PLACING
    assert table.view.place == (Piece.QUEEN,)


def test_points_of_a_turn_whose_queen_was_covered_beside_the_striker_are_not_void() -> None:
    table = playing("points").shot("QUEEN SE", "SE")
    table.shot("BLACK NE, BLACK NW, STRIKER SW", "NE", "NW", "SW")
    assert "queen covered by SIDE 1" in told(table)
    assert "points of turn are void" not in told(table)
