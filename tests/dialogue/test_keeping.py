"""Later strokes are kept when something before them is corrected."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart, check_all
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import lost_improperly, playing

JUST_ONE = {"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}}


def back_to(table: Table, strokes: int) -> Table:
    """Press UNDO until this many lines are taken back."""
    for _ in range(strokes):
        table.undo().wait(0.1)
    return table.wait(1.0)


def four_strokes() -> Table:
    """N pockets a red, then another, misses; S pockets a green."""
    table = Table().started("N").shot("RED NE", "NE").shot("RED SE", "SE").miss()
    return table.shot("GREEN SW", "SW")


def asked(table: Table) -> str:
    """Return the open question, in words."""
    assert table.view.menu is not None, f"nothing is asked in {table.phase}"
    assert table.view.menu.question
    return str(table.view.menu.title)


def test_after_a_change_further_back_the_board_asks_whether_to_keep_what_came_later() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee")
    assert asked(table) == "keep 3 later strokes?"
    assert table.items == ["N RED SE", "N MISSED", "S GREEN SW"]
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")
    assert table.entries == ["N green@NE"]


def test_kept_strokes_are_entered_again_with_their_falls() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee")
    table.wait(1.0).ok("referee")
    assert table.entries[1:] == ["! turn N", "N red@SE", "N -", "S green@SW"]
    assert [[fall.number for fall in line.falls] for line in table.game.lines] == [
        [1],
        [2],
        [],
        [3],
    ]
    assert table.kinds().count(EntryKind.FALL) == 3
    assert table.counts == (1, 2)


def test_a_seat_that_shot_out_of_the_corrected_turn_keeps_its_stroke_with_a_turn_before_it() -> (
    None
):
    table = Table().started("N").miss().shot("GREEN SE", "SE")
    back_to(table, 2).fix("referee").choose("RED").wait(0.5).ok("referee")
    assert asked(table) == "keep 1 later stroke?"
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red", "! turn S", "S green@SE"]


def test_a_turn_given_because_of_a_mistake_is_not_given_again_when_that_is_mended() -> None:
    table = Table().started("N").miss().shot("GREEN SE", "SE")
    back_to(table, 2).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    assert table.entries == ["N red", "! turn S", "S green@SE"]
    back_to(table, 2).hold("referee", "fix").pick("piece 1: remove").pick("done")
    table.wait(1.0).ok("referee").wait(1.0).ok("referee")
    assert table.entries == ["N -", "S green@SE"]


def test_fix_leaves_them_out_and_their_falls_stay_as_evidence() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").calm()
    table.fix("referee").must_be(Phase.READY)
    assert table.entries == ["N green@NE"]
    assert table.shooter == "S"
    assert str(table.view.detail) == "left out: 3"
    left = table.last(EntryKind.LEFT_OUT)
    assert (left["entries"], left["falls"]) == (["N red@SE", "N -", "S green@SW"], [2, 3])


def test_nobodys_silence_answers_the_question() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").wait(300.0)
    assert asked(table) == "keep 3 later strokes?"
    table.ok("S")
    assert len(table.entries) == 5, "whoever may decide answers it, not only who asked"


def test_undo_at_the_question_goes_back_to_the_change() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").calm()
    table.undo().must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"
    table.choose("RED NE").wait(1.0).ok("referee").calm().ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE", "N -", "S green@SW"]


def test_ok_without_a_change_is_still_redo_of_it_and_of_all_that_was_undone_after_it() -> None:
    table = four_strokes()
    entries, state = table.entries, table.game.match.state
    back_to(table, 4).ok("referee").must_be(Phase.READY)
    assert (table.entries, table.game.match.state) == (entries, state)
    assert table.view.menu is None


def test_what_was_undone_together_with_a_kept_stroke_is_kept_in_order() -> None:
    """Go back and change, go back further while the question is open, and change again."""
    table = back_to(four_strokes(), 3).choose("STRIKER SE").wait(0.5).ok("referee").calm()
    assert asked(table) == "keep 2 later strokes?"
    table.undo().wait(0.1).undo().must_be(Phase.REVIEW)
    table.choose("STRIKER NE").wait(1.0).ok("referee").calm()
    assert asked(table) == "keep 3 later strokes?"
    assert table.items == ["N STRIKER SE", "N MISSED", "S GREEN SW"]


# what the board says afterwards


def test_nothing_differs_and_the_board_says_how_it_stands() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().shot("GREEN SE", "SE")
    back_to(table, 3).hold("referee", "fix").pick("piece 1: in NE").pick("done")
    table.wait(1.0).ok("referee").wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@SE", "N -", "S green@SE"]
    assert str(table.view.detail) == "kept 2: RED 1, GREEN 1"


def test_what_was_ruled_otherwise_is_shown_until_somebody_has_seen_it() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE")
    table.shot("GREEN SW", "SW")
    back_to(table, 3).choose("GREEN NE").wait(0.5).ok("referee").wait(1.0).ok("referee")
    assert table.view.menu is not None
    assert str(table.view.menu.title) == "kept 2: RED 0, GREEN 2"
    assert table.items == ["now 2 N STRIKER SE, fault", "RED 0, GREEN 2"]
    assert table.owed == (1, 0), "there was a red to pay with, now there is none"
    table.calm().ok("referee")
    assert table.view.menu is None


def test_a_debt_that_arises_by_the_correction_is_paid_by_the_strokes_that_follow() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE").miss()
    table.shot("RED SW", "SW")
    assert (table.counts, table.owed) == ((1, 0), (0, 0))
    back_to(table, 4).choose("NOT A STROKE").wait(0.5).ok("referee").wait(1.0).ok("referee")
    assert table.entries == ["N striker@SE", "S -", "N red@SW", "! placed"]
    assert (table.counts, table.owed) == ((0, 0), (0, 0))


# pieces on the board


def test_pieces_that_lie_back_already_are_not_asked_for_again() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("RED SE", "SE")
    table.shot("STRIKER SW", "SW").miss()
    assert table.entries[2:4] == ["N striker@SW", "! placed"]
    back_to(table, 3).hold("referee", "fix").pick("piece 1: in SE").pick("done")
    table.wait(1.0).ok("referee").wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.view.place == ()
    assert table.entries[2:4] == ["N striker@SW", "! placed"]


def test_what_a_kept_stroke_sends_back_beyond_that_is_asked_for_at_the_end() -> None:
    table = Table().started("N").shot("GREEN NE", "NE").miss().shot("STRIKER SE", "SE")
    table.must_be(Phase.READY)
    assert table.owed == (1, 0)
    back_to(table, 3).choose("RED NE").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.calm().ok("referee").must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,)
    check_a_restart(table)
    table.calm().ok("referee").must_be(Phase.READY)
    assert table.owed == (0, 0)


def test_what_was_put_back_for_a_stroke_that_was_another_comes_off_again() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE").must_be(Phase.READY)
    assert table.counts == (0, 0)
    table.undo().choose("RED SE").wait(1.0).ok("referee").must_be(Phase.PLACING)
    assert (str(table.view.headline), str(table.view.detail)) == ("take off", "RED")
    check_a_restart(table)
    table.calm().ok("referee").must_be(Phase.READY)
    assert table.counts == (2, 0)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("side", ["", "RED"], ids=["pause", "time-out"])
def test_a_pause_does_not_forget_what_is_to_be_taken_off(side: str, *, cut: bool) -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE")
    table.undo().choose("RED SE").wait(1.0).ok("referee").must_be(Phase.PLACING).calm()
    table.hold("referee", "fix").wait(1.0).pick("time-out" if side else "pause")
    if side:
        table.wait(1.0).pick("time-out of RED")
    table.must_be(Phase.PAUSED)
    check_a_restart(table)
    if cut:
        table.restart()
    table.calm().ok("referee").must_be(Phase.PLACING)
    assert (str(table.view.headline), str(table.view.detail)) == ("take off", "RED")
    check_a_restart(table)
    table.calm().ok("referee").must_be(Phase.READY)
    assert table.counts == (2, 0)


def test_what_lies_back_for_one_stroke_serves_another() -> None:
    """The penalty was paid for the wrong stroke, but the red is back all the same."""
    table = Table().started("N").shot("RED NE", "NE").shot("STRIKER SE", "SE").miss()
    back_to(table, 2).choose("NOT A STROKE").foul().wait(0.5).ok("referee")
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N foul", "! placed", "S -"]


def test_the_jack_that_a_later_stroke_pocketed_was_put_back_by_somebody() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().miss().shot("JACK SE", "SE")
    assert table.entries[-2:] == ["N jack@SE", "! placed"]
    back_to(table, 4).choose("JACK NE").wait(0.5).ok("referee").wait(1.0).ok("referee")
    if table.view.menu is not None:
        table.calm().ok("referee")
    assert Piece.JACK not in table.view.place


# what is no longer possible


def test_the_first_that_is_no_longer_legal_opens_in_review_and_the_rest_wait_behind_it() -> None:
    table = Table().started("N")
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().shot("GREEN SE", "SE").miss().shot("RED SW", "SW").miss().miss()
    assert table.counts == (12, 1)
    back_to(table, 6).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW)
    assert table.entries[11:] == ["N red", "! turn S", "S green@SE", "S -"]
    assert table.proposed == "RED SW", "what had been confirmed is shown first"
    assert str(table.view.detail) == "RED: 1 too many"
    assert table.view.waiting == 2
    assert table.dialogue.proposal is not None
    assert len(table.dialogue.proposal.falls) == 1, "with its falls"
    table.calm().choose("NOT A STROKE").wait(1.0).ok("referee").calm()
    assert table.entries[11:] == ["N red", "! turn S", "S green@SE", "S -", "N -", "S -"]


def test_one_that_cannot_be_entered_again_is_not_entered_by_ok() -> None:
    table = Table().started("N")
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().miss().shot("RED SW", "SW").miss()
    back_to(table, 4).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW).calm().ok("referee")
    assert table.entries[11:] == ["N red", "! turn S", "S -"]
    check_all(table)


def test_undo_in_that_review_goes_back_to_the_line_before_and_nothing_is_lost() -> None:
    table = Table().started("N")
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().miss().shot("RED SW", "SW").miss()
    back_to(table, 4).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW).calm().undo().must_be(Phase.READY)
    table.calm().ok("referee").must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == ("RED SW", 1)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
def test_what_lies_back_for_a_stroke_that_grows_in_that_review_is_not_asked_for_again(
    cut: bool,
) -> None:
    """S's last piece only now ends the board, and may have hung since N's stroke."""
    table = Table(rules="icf", options={"best_of": 3}).started("N").shot("WHITE NE", "NE").miss()
    table.shot("WHITE NW", "NW").miss()
    for piece in (*["BLACK"] * 6, "QUEEN", "BLACK"):
        table.shot(f"{piece} NE", "NE")
    table.miss().shot("STRIKER SW", "SW").shot("BLACK SE", "SE")
    back_to(table, 13).choose("BLACK NW").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW).wait(1.0).hold("referee", "fix").wait(0.5).pick("shooter")
    table.hold("referee", "fix").wait(0.5)
    table.choose("replace N's last stroke: STRIKER SW, BLACK SE").wait(1.0).hold("referee", "ok")
    table.calm().must_be(Phase.BOARD_OVER)
    if cut:
        table.restart().calm()
    table.undo().wait(1.0).choose("STRIKER SW, WHITE SE").wait(1.0).ok("referee").calm()
    assert table.must_be(Phase.PLACING).view.place == (Piece.WHITE,), "of two, one lies there"


# boards that end, and the next board


def two_boards() -> Table:
    """N wins the first board by the jack; on the second S misses and N pockets a red."""
    table = Table(options={"best_of": 5}, handicap=JUST_ONE).started("N")
    table.shot("RED NE", "NE").shot("JACK SE", "SE").must_be(Phase.BOARD_OVER)
    table.ok("referee").calm().miss().shot("RED SW", "SW")
    assert table.entries == ["N red@NE", "N jack@SE", "! board", "S -", "N red@SW"]
    return table


def test_a_stroke_of_an_earlier_board_is_corrected_and_the_later_board_is_kept() -> None:
    table = back_to(two_boards(), 4).must_be(Phase.REVIEW)
    table.hold("referee", "fix").pick("piece 1: in SE").pick("done").wait(1.0)
    table.hold("referee", "ok").must_be(Phase.BOARD_OVER)
    assert asked(table) == "keep 3 later strokes?"
    check_a_restart(table)
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N jack@SW", "! board", "S -", "N red@SW"]
    assert (table.view.board, table.counts) == (2, (1, 0))


def test_a_board_that_is_no_longer_over_is_asked_about_before_the_next_one_is_kept() -> None:
    table = back_to(two_boards(), 4).choose("RED SE").wait(1.0).ok("referee")
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert str(table.view.menu and table.view.menu.title) == "board 1 is not over"
    assert table.items == ["board 1 is void", "leave out all 3", "change the one before"]
    check_a_restart(table)
    table.pick("board 1 is void", held=True).must_be(Phase.READY)
    assert table.entries[:3] == ["N red@NE", "N red@SE", "! board"]
    assert table.entries[3:] == ["! turn S", "S -", "N red@SW"], "nobody lost the void board"
    assert table.view.board == 2


def test_what_came_after_the_end_that_a_correction_makes_is_left_out_by_people() -> None:
    table = Table(options={"best_of": 5}, handicap=JUST_ONE).started("N")
    table.shot("RED NE", "NE").shot("GREEN SE", "SE").shot("GREEN SW", "SW").miss()
    back_to(table, 3).choose("JACK SE").wait(1.0).hold("referee", "ok")
    table.must_be(Phase.BOARD_OVER).wait(1.0).ok("referee")
    assert str(table.view.menu and table.view.menu.title) == "board 1 is over"
    table.pick("leave out all 2").must_be(Phase.BOARD_OVER)
    assert table.entries == ["N red@NE", "N jack@SE"]
    assert table.last(EntryKind.LEFT_OUT)["falls"] == [3]
    table.calm().ok("referee").must_be(Phase.READY)
    assert table.view.board == 2


def test_a_kept_stroke_that_ends_the_board_only_now_wants_ok_held() -> None:
    table = Table(options={"best_of": 5}, handicap={"N": {"pucks_needed": 2}}).started("N")
    table.shot("RED NE", "NE").miss().miss().shot("JACK SE", "SE").must_be(Phase.READY)
    back_to(table, 3).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    assert str(table.view.ok) == "hold: yes"
    table.calm().ok("referee").must_be(Phase.REVIEW)
    table.wait(1.0).hold("referee", "ok").must_be(Phase.BOARD_OVER)
    assert table.view.winner is Side.RED


def test_a_kept_stroke_that_ends_the_board_no_longer_is_shown_before_it_is_entered() -> None:
    table = Table(options={"best_of": 5}, handicap=JUST_ONE).started("N")
    table.shot("RED NE", "NE").shot("JACK SE", "SE").must_be(Phase.BOARD_OVER).calm()
    back_to(table, 2).choose("GREEN NE").wait(1.0).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    assert "JACK" in str(table.view.detail), "too early: it goes back"


# directives among the later lines


def test_counts_and_turns_given_by_word_of_mouth_are_kept_as_they_were_said() -> None:
    table = Table().started("N").shot("RED NE", "NE").hold("referee", "fix")
    table.pick("correct the counts").pick("GREEN in: 0").pick("the table is right").calm()
    table.hold("referee", "fix").pick("whose turn").pick("turn to S").calm().miss()
    back_to(table, 4).choose("GREEN NE").wait(0.5).ok("referee").wait(1.0).ok("referee")
    assert table.entries == ["N green@NE", "! set green pocketed=1", "! turn S", "S -"]
    assert table.counts == (0, 1)


@pytest.mark.parametrize("end", ["finish_stroke", "finish_turn"])
def test_zero_is_entered_again_in_its_place_among_the_later_strokes(end: str) -> None:
    options = {"time_limit_s": 60, "time_end": end, "best_of": 3}
    table = Table(options=options).started("N").shot("RED NE", "NE").shot("RED SE", "SE")
    table.review("SW").wait(60.0).ok("referee").calm()
    assert table.entries[-2:] == ["N red@SW", "! time"]
    back_to(table, 3).choose("GREEN NE").wait(1.0).ok("referee").wait(1.0).ok("referee")
    if table.view.menu is not None:
        table.calm().ok("referee")
    assert table.entries == ["N green@NE", "! turn N", "N red@SE", "N red@SW", "! time"]


def test_zero_that_comes_while_later_strokes_wait_follows_them() -> None:
    options = {"time_limit_s": 60, "time_end": "finish_stroke"}
    table = Table(options=options).started("N").shot("RED NE", "NE").miss()
    back_to(table, 2).choose("GREEN NE").wait(1.0).ok("referee").wait(60.0)
    assert asked(table) == "keep 1 later stroke?"
    table.ok("referee")
    assert table.entries[-2:] == ["N -", "! time"]


# power cuts, and falls meanwhile


def test_everything_that_waits_outlasts_a_power_cut() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee")
    check_a_restart(table)
    table.restart().must_be(Phase.PAUSED)
    assert asked(table) == "keep 3 later strokes?"
    table.wait(1.0).ok("referee").must_be(Phase.PAUSED)
    assert table.entries[1:] == ["! turn N", "N red@SE", "N -", "S green@SW"]


def test_the_review_of_one_that_does_not_fit_outlasts_a_power_cut() -> None:
    table = Table().started("N")
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().miss().shot("RED SW", "SW").miss()
    back_to(table, 4).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW).fix("referee")
    shown = table.proposed
    check_a_restart(table)
    table.restart().must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == (shown, 1)


def test_the_power_may_go_after_any_step_of_a_correction() -> None:
    table = Table().started("N")
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().shot("GREEN SE", "SE").miss().shot("RED SW", "SW").miss().miss()
    seen: list[int] = []

    def check(_before: DialogueState, _event: DialogueEvent, after: DialogueState) -> None:
        check_a_restart(table)
        seen.append(0 if after.kept is None else len(after.kept.lines))

    table.watchers.append(check)
    back_to(table, 6).fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0).ok("referee")
    table.must_be(Phase.REVIEW).calm().choose("NOT A STROKE").wait(1.0).ok("referee").calm()
    assert {5, 3, 0} <= set(seen), "asked, stopped at the thirteenth, all entered again"


def test_pieces_that_fall_while_the_question_is_open_wait_for_their_turn() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").wait(1.0)
    table.fall("NW").wait(3.0)
    assert table.view.waiting == 4
    table.ok("referee")
    if table.dialogue.menu is not None and table.dialogue.menu.kind is MenuKind.KEPT:
        table.calm().ok("referee")
    table.must_be(Phase.REVIEW)
    assert table.dialogue.proposal is not None
    assert [fall.number for fall in table.dialogue.proposal.falls] == [4]
    assert table.shooter == "S"


def test_a_parked_proposal_comes_back_after_the_kept_strokes() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().review("SE")
    table.undo().wait(0.1).undo().must_be(Phase.REVIEW)
    table.choose("GREEN NE").wait(1.0).ok("referee").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == ["N green@NE", "! turn N", "N -"]
    assert table.shooter == "S"
    assert table.dialogue.proposal is not None
    assert [fall.number for fall in table.dialogue.proposal.falls] == [2]


def test_a_match_ended_while_later_strokes_wait_notes_them() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").calm()
    table.undo().must_be(Phase.REVIEW).hold("referee", "fix").pick("menu").wait(1.0)
    table.pick("end this match", held=True).must_be(Phase.SETUP)
    assert table.last(EntryKind.LEFT_OUT)["falls"] == [2, 3]
    check_a_restart(table)


def test_undo_before_the_first_line_loses_no_later_strokes() -> None:
    table = back_to(four_strokes(), 4).choose("GREEN NE").wait(0.5).ok("referee").calm()
    table.undo().calm().must_be(Phase.REVIEW)
    for _ in range(2):
        table.undo().calm().must_be(Phase.REVIEW)
    assert str(table.view.detail) == "confirm this first: later strokes wait"
    table.ok("referee").calm()
    assert asked(table) == "keep 3 later strokes?"
    table.ok("referee").calm()
    assert table.entries[-3:] == ["N red@SE", "N -", "S green@SW"]


def test_a_jack_that_falls_again_in_a_kept_stroke_is_not_taken_off_in_the_end() -> None:
    table = Table().started("N").shot("JACK SE", "SE").miss().miss().shot("JACK NW", "NW").miss()
    back_to(table, len(table.game.lines)).choose("STRIKER SE").wait(0.6).ok("referee").calm()
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-3:] == ["S jack@NW", "! placed", "N -"]
    assert (table.dialogue.take, table.dialogue.place) == ((), ())


def test_a_demand_before_the_next_board_keeps_that_board() -> None:
    table = lost_improperly().ok("referee").calm()
    table.shot("BLACK NE", "NE").miss()
    later = table.entries[-3:]
    assert later[0] == "! board"
    back_to(table, 3).must_be(Phase.BOARD_OVER).calm().fix("referee").wait(1.0).ok("referee").calm()
    assert asked(table) == "keep 3 later strokes?"
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-4:] == ["! demand", *later]


def test_a_board_that_was_void_is_void_after_an_earlier_change_too() -> None:
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE").miss()
    table.hold("referee", "fix").wait(1.0).pick("void the board", held=True).calm()
    table.miss().shot("GREEN SW", "SW")
    later = table.entries[-3:]
    back_to(table, 3).hold("referee", "fix").wait(1.0).pick("correct the counts").wait(1.0)
    table.pick("RED in").wait(1.0).pick("the table is right").calm()
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-4:] == ["! set red pocketed=2", *later]


def test_a_waiver_that_wins_is_given_again_and_the_next_board_is_kept() -> None:
    table = won_by_waiver().calm().ok("referee").calm().shot("BLACK NE", "NE").miss()
    entries = table.entries
    for _ in range(4):
        table.undo().calm()
    table.must_be(Phase.PLACING).fix("S").wait(1.0).ok("S").calm()
    assert asked(table) == "keep 3 later strokes?"
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries == entries


def won_by_waiver() -> Table:
    """N has all in, the last with the striker; S waives what is due, so N has won the board."""
    table = playing("icf").hold("referee", "fix").wait(1.0).pick("correct the counts")
    for _ in range(8):
        table.pick("WHITE in: ")
    table.pick("queen").pick("queen: covered by WHITE").wait(1.0).pick("the table is right").calm()
    table.review("NE", "SW").choose("WHITE NE, STRIKER SW").wait(1.0).ok("referee").calm()
    table.must_be(Phase.PLACING).fix("S").wait(1.0).ok("S").wait(1.0)
    return table.must_be(Phase.BOARD_OVER)


# --- a fall after the end, where more was said than a stroke ---------------------------


def test_a_late_fall_joins_the_stroke_that_ended_the_board_and_the_demand_waits() -> None:
    table = lost_improperly().undo().wait(1.2).hold("referee", "ok").wait(0.6)
    table.fix("referee").wait(0.6).ok("referee")
    assert table.entries[-1] == "! demand"
    table.fall("SW").wait(1.0)
    assert table.items == ["part of the last stroke"]
    table.ok("referee").wait(1.0).must_be(Phase.REVIEW)
    assert [fall.pocket.value for fall in table.in_match.proposal.falls] == ["NE", "SW"]  # type: ignore[union-attr]
    table.calm().hold("referee", "ok").calm()
    assert asked(table) == "keep 1 later stroke?"
    table.ok("referee").calm().must_be(Phase.BOARD_OVER)
    assert table.entries[-2:] == [table.entries[-2], "! demand"]
    assert table.entries[-2].startswith("N black@NE")
    assert table.game.match.state.board == 1


def test_a_late_fall_takes_no_resignation_back_in_silence() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss()
    table.hold("referee", "fix").wait(1.0).pick("resign").wait(1.0).pick("N resigns", held=True)
    table.wait(1.0).fall("SE").wait(1.0).ok("referee").wait(1.0).must_be(Phase.REVIEW)
    table.calm().ok("referee").calm()
    assert asked(table) == "keep 1 later stroke?"
    table.ok("referee").calm().must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! resign N"


def test_a_late_fall_joins_the_stroke_before_a_waiver_that_won() -> None:
    table = won_by_waiver().fall("SE").wait(1.5).ok("referee").wait(1.5).must_be(Phase.REVIEW)
    shown = table.in_match.proposal
    assert shown is not None
    assert [fall.pocket.value for fall in shown.falls] == ["NE", "SW", "SE"]


def test_a_fall_after_a_board_that_was_given_up_unplayed_is_asked_about_nowhere() -> None:
    table = Table().started("N").hold("referee", "fix").wait(1.0).pick("resign").wait(1.0)
    table.pick("N resigns", held=True).wait(1.0).fall("SE").wait(1.0)
    assert table.view.menu is None
    assert EntryKind.CLEARING in table.kinds()


def test_pieces_cleared_away_while_a_demand_is_taken_back_are_asked_about_nowhere() -> None:
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    assert table.entries[-1] == "! demand"
    table.undo().calm().must_be(Phase.BOARD_OVER).wait(10.0)
    for pocket in ("NE", "SE", "SW", "NW"):
        table.fall(pocket).wait(2.0)
    table.ok("referee").calm()
    assert (table.entries[-1], table.view.menu) == ("! demand", None)
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.game.match.state.board == 2


def test_a_board_that_is_void_again_after_undo_is_void_at_once() -> None:
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE").miss()
    for _ in range(2):
        table.hold("referee", "fix").wait(1.0).pick("void the board", held=True).calm()
        assert (table.game.match.state.board, table.view.menu) == (2, None)
        table.undo().calm()
    assert table.game.match.state.board == 1


@pytest.mark.parametrize("later", [False, True], ids=["", "a later stroke"])
def test_what_was_placed_beside_a_count_stays_placed_when_a_turn_takes_its_place(
    *, later: bool
) -> None:
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE")
    table.review("SE").choose("STRIKER SE").wait(0.5).ok("referee").calm()
    table.must_be(Phase.PLACING).hold("referee", "fix").wait(1.0).pick("correct the counts")
    table.wait(1.0).pick("GREEN in").wait(1.0).pick("the table is right").calm()
    table.must_be(Phase.PLACING).ok("referee").calm()
    assert table.entries[-1] == "! placed"
    if later:
        table.miss().undo().calm()
    table.undo().calm().hold("referee", "fix").wait(1.0).pick("whose turn").wait(1.0)
    table.pick("turn to N").calm()
    if later:
        table.ok("referee").calm()
    table.must_be(Phase.READY)
    assert (table.dialogue.place, table.dialogue.take) == ((), ())
    assert table.entries.count("! placed") == 1
    table.undo().calm()
    assert table.dialogue.place == ()


@pytest.mark.parametrize("by", ["history", "undo"])
def test_a_fall_while_an_older_board_is_shown_again_is_asked_about_on_its_own_board(
    by: str,
) -> None:
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE").miss()
    table.hold("referee", "fix").wait(1.0).pick("resign").wait(1.0).pick("N resigns", held=True)
    table.calm().ok("referee").calm().must_be(Phase.READY).miss().miss()
    entries = table.entries
    if by == "history":
        table.hold("referee", "fix").wait(1.0).pick("history").wait(1.0)
        table.pick(next(each for each in table.items if "next board" in each)).wait(1.0)
    else:
        back_to(table, 3)
    table.must_be(Phase.BOARD_OVER).fall("SE").wait(2.5).must_be(Phase.BOARD_OVER)
    (table.undo() if by == "history" else table.ok("referee")).calm()
    table.must_be(Phase.REVIEW)
    assert table.entries == entries
    assert table.in_match.game.match.state.board == 2


def test_undo_at_the_question_over_the_end_of_a_match_goes_back_to_putting_back() -> None:
    table = playing("kagw", options={"best_of": 1}).shot("STRIKER NE", "NE").miss("S")
    table.hold("referee", "fix").wait(1.0).pick("correct the counts")
    for _ in range(8):
        table.pick("WHITE in: ")
    table.pick("queen").pick("queen: covered by WHITE").wait(1.0).pick("the table is right").calm()
    table.review("SW").choose("WHITE SW").wait(1.0).ok("referee").calm().must_be(Phase.PLACING)
    table.hold("referee", "fix").wait(1.0).pick("whose turn").wait(0.5).pick("turn to S").calm()
    table.undo().calm().must_be(Phase.PLACING).fix("S").wait(1.0).ok("S").calm()
    table.must_be(Phase.MATCH_OVER)
    assert asked(table) == "keep 1 later stroke?"
    table.undo().calm().must_be(Phase.PLACING)
    check_all(table)
