"""The page on how people and the board talk, sentence by sentence: below the table of phases.

The menu and editing, questions, play without a referee, free play, nobody playing.
"""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece
from jackspot.core.stroke import Flag
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import Phase
from tests.dialogue.in_phase import IN_PHASE, in_ready, in_review, in_setup
from tests.dialogue.playing import Table


def question(table: Table) -> str:
    """Return the open question or list; empty if there is none."""
    return str(table.view.menu.title) if table.view.menu else ""


def test_a_striker_that_only_has_to_be_fetched_is_a_line_in_ready() -> None:
    table = in_ready().shot("STRIKER SW", "SW").must_be(Phase.READY)
    assert str(table.view.detail) == "striker in SW"


def test_fix_held_for_a_second_opens_the_menu() -> None:
    assert question(in_ready().hold("N", "fix")) == "menu"


def test_in_review_fix_held_opens_editing_shooter_pieces_flags_and_menu_last() -> None:
    pieces = ["shooter N", "piece 1: RED", "piece 1: in NE", "piece 1: remove", "add a piece"]
    calls = ["called: nothing"]
    assert in_review().hold("referee", "fix").items == ["done", *pieces, *calls, "menu"]
    calls += ["piece off the board"]
    assert in_review().hold("N", "fix").items == ["done", *calls, *pieces, "menu"]


def test_the_menu_has_all_that_is_said_of_a_match() -> None:
    handicap = {"N": {"called_pocket": True}}
    table = Table(handicap=handicap).started("N").shot("RED NE", "NE").undo().calm()
    table.hold("N", "fix").wait(1.0).pick("menu", "N")
    said = {
        "correct the counts", "whose turn", "foul", "piece off the board", "call a pocket",
        "put back what was undone", "resign", "draw", "void the board", "end this match",
    }  # fmt: skip
    assert said <= set(table.items)
    table = in_ready().shot("RED NE", "NE").hold("N", "fix")
    assert {"pause", "time-out", "history"} <= set(table.items)


@pytest.mark.parametrize("item", ["resign", "draw", "void the board", "end this match"])
def test_resign_draw_void_the_board_and_end_this_match_by_a_held_ok(item: str) -> None:
    table = in_ready().hold("N", "fix").pick(item, "N")
    if item == "resign":
        table.pick("S resigns", "N")
    assert str(table.view.detail) == "hold OK for this"
    table.must_be(Phase.READY).calm().hold("N", "ok")
    assert table.phase is not Phase.READY or table.view.board == 2


def test_between_boards_the_menu_has_the_boards_own_settings() -> None:
    table = in_setup().hold("N", "fix").wait(1.0)
    assert {each.split(":")[0].split(" N")[0] for each in table.items} >= {
        "seats", "no time limit", "boards", "names", "handicaps", "rules and options",
    }  # fmt: skip
    table.pick("the board itself", "N")
    own = " ".join(table.items)
    for word in ("language", "brightness", "sensor test", "safe shutdown"):
        assert word in own, own


@pytest.mark.parametrize("phase", [Phase.BOARD_OVER, Phase.MATCH_OVER])
def test_history_is_in_the_menu_between_boards(phase: Phase) -> None:
    assert "history" in IN_PHASE[phase]().hold("N", "fix").items


def test_the_menu_works_with_ok_and_fix_alone() -> None:
    table = Table("NS", box=False, page=False).started("N").hold("N", "fix").wait(1.0)
    table.pick("whose turn", "N").pick("turn to S", "N")
    assert table.entries == ["! turn S"]


def test_settings_can_be_locked_by_the_organiser() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(locked=frozenset({Lock.TIME})))
        .wait(1.0)
        .hold("N", "fix")
    )
    table.wait(1.0).pick("locked: no time limit", "N")
    assert str(table.view.detail) == "locked by organiser"


@pytest.mark.parametrize(("press", "flag"), [("ok", Flag.BANKED), ("fix", Flag.UNBANKED)])
def test_yes_no_questions_ok_yes_fix_no(press: str, flag: Flag) -> None:
    banks = {"N": {"pucks_needed": 1, "must_bank": True}}
    table = Table(handicap=banks).started("N").shot("RED NE", "NE").review("SE")
    table.choose("JACK SE").wait(0.5).ok("N").wait(0.5)
    assert question(table) == "by the cushion?"
    table.press("N", press).wait(1.0).hold("N", "ok")
    assert table.strokes[-1].flags == {flag}


def test_referee_free_play_confirm_anyone() -> None:
    table = Table(box=False, dialogue_settings=DialogueSettings(confirm=Confirm.ANYONE)).started(
        "N"
    )
    table.shot("GREEN NE", "NE", by="S").miss("N")
    assert table.entries == ["N green@NE", "S -"]


def test_free_play_counts_only_no_turns() -> None:
    table = in_setup().hold("N", "fix").wait(1.0).pick("free play", "N").wait(1.0)
    table.fall("NE").wait(3.0)
    assert table.view.free is not None
    assert dict(table.view.free.counts)[Piece.RED] == 1
    assert table.view.shooter is None


def test_an_attract_screen_with_three_pictures_of_help_when_nobody_plays() -> None:
    table = in_setup().wait(121.0)
    pictures = [table.view.attract, *(table.wait(6.0).view.attract for _ in range(3))]
    assert pictures == [0, 1, 2, 0]
