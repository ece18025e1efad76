"""The phases at rest: *paused*, *board_over* and *match_over*, press by press."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import without_instants
from tests.dialogue.in_phase import at_board_over, at_match_over, board_won, in_pause, in_placing
from tests.dialogue.playing import Table

# --- paused ---------------------------------------------------------------------------


def test_paused_the_clock_stands_and_ok_goes_on() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").hold("referee", "fix")
    table.pick("pause").must_be(Phase.PAUSED)
    stood = table.view.clock.remaining_ns
    table.wait(30.0)
    assert table.view.clock.remaining_ns == stood
    assert not table.view.clock.running
    table.ok("referee").must_be(Phase.READY)
    assert table.view.clock.running


def test_paused_fix_opens_the_menu() -> None:
    table = in_pause().fix("referee").must_be(Phase.PAUSED)
    assert table.item == "correct the counts"


def test_paused_a_fall_waits_as_a_proposal() -> None:
    table = in_pause()
    table.fall("NE").wait(2.0).must_be(Phase.PAUSED)
    assert table.view.waiting == 1
    table.ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"


def test_a_pause_while_placing_comes_back_to_placing() -> None:
    table = in_placing().hold("referee", "fix").pick("pause").calm().must_be(Phase.PAUSED)
    table.ok("referee").must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,)


def test_counts_corrected_in_a_pause_leave_it_a_pause() -> None:
    table = in_pause().fix("referee").pick("correct the counts").pick("RED in: 0")
    table.must_be(Phase.PAUSED)
    assert table.counts == (1, 0)
    table.calm().pick("the table is right").must_be(Phase.PAUSED)


# --- board over, match over -----------------------------------------------------------


def test_board_over_shows_the_result_and_ok_begins_the_next_board() -> None:
    table = at_board_over()
    assert str(table.view.headline) == "RED wins"
    assert table.view.winner is Side.RED
    assert table.view.result_points == (1, 0)
    table.ok("referee").must_be(Phase.READY)
    assert table.view.board == 2
    assert table.shooter == "S", "the loser opens"


def test_board_over_undo_goes_back_to_the_review() -> None:
    table = at_board_over().undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    assert table.view.board == 1


@pytest.mark.parametrize("best_of", [1, 3])
def test_a_fall_within_five_seconds_of_the_end_is_asked_about(best_of: int) -> None:
    table = board_won(best_of)
    table.fall("SW")
    assert str(table.view.menu and table.view.menu.title) == "a fall after the end"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")


def test_a_late_fall_that_was_part_of_the_stroke_joins_its_review() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE, STRIKER SW"
    table.wait(0.5).ok("referee").calm()
    assert table.entries[-1] == "N jack@SE striker@SW"
    table.must_be(Phase.PLACING)
    assert table.view.winner is None, "with the striker the jack wins nothing"


def test_a_late_fall_that_was_not_part_of_it_is_cleared_away() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).fix("referee").must_be(Phase.BOARD_OVER)
    assert table.view.menu is None
    assert table.last(EntryKind.CLEARING)["falls"] == [3]
    assert table.entries[-1] == "N jack@SE"


def test_a_fall_later_than_that_is_clearing_and_logged() -> None:
    table = at_board_over()
    table.fall("SW").must_be(Phase.BOARD_OVER)
    assert table.view.menu is None
    assert table.last(EntryKind.CLEARING)["falls"] == [3]


def test_match_over_shows_the_winner_the_points_and_the_record() -> None:
    table = at_match_over()
    assert table.view.winner is Side.RED
    assert table.view.result_points == (1, 0)
    assert table.view.record == table.record
    assert table.view.record.endswith("N red@NE\nN jack@SE\n")


def test_match_over_ok_held_plays_again_with_the_same_settings() -> None:
    table = at_match_over().ok("referee").must_be(Phase.MATCH_OVER)
    assert str(table.view.detail) == "hold OK to play again"
    table.hold("referee", "ok").must_be(Phase.SETUP).calm()
    table.ok("S").must_be(Phase.READY)
    assert table.game.match.settings.handicaps[Side.RED].pucks_needed == 1


def test_match_over_fix_opens_the_menu() -> None:
    table = at_match_over().fix("referee")
    assert table.items[:2] == ["record by code", "end this match"]


def test_match_over_undo_goes_back_to_the_review() -> None:
    table = at_match_over().undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    table.choose("RED SE").wait(0.5).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE"]


def test_a_board_over_without_falls_cannot_be_left_by_looking_at_it() -> None:
    """Nothing happens on its own at the end: people read the result for as long as they like."""
    table = at_board_over()
    before: DialogueState = table.dialogue
    table.wait(3600.0)
    assert without_instants(table.dialogue) == without_instants(before)


def test_a_late_fall_in_a_reopened_review_waits_when_undo_goes_further() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    table.wait(1.0).undo("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE", "the stroke before"
    assert [[fall.number for fall in each.falls] for each in table.dialogue.waiting] == [[3]]
