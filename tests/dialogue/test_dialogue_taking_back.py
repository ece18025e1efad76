"""The page on how people and the board talk, sentence by sentence: taking back.

One test for each sentence, in order; ``test_taking_back``, ``test_keeping`` and
``test_history`` tell the longer stories.
"""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, QueuedKind
from tests.dialogue.in_phase import in_ready
from tests.dialogue.playing import Table


def back(table: Table, times: int) -> Table:
    """Press UNDO this many times."""
    for _ in range(times):
        table.undo().wait(0.2)
    return table.wait(0.8)


def question(table: Table) -> str:
    """Return the open question or list; empty if there is none."""
    return str(table.view.menu.title) if table.view.menu else ""


def numbers(table: Table) -> list[int]:
    """Return the numbers of the open proposal's falls."""
    assert table.dialogue.proposal is not None
    return [fall.number for fall in table.dialogue.proposal.falls]


# --- undo ------------------------------------------------------------------------------


def test_undo_takes_the_last_entry_back_and_opens_its_review_with_its_falls() -> None:
    table = in_ready().shot("RED NE", "NE").shot("GREEN SE", "SE").undo().must_be(Phase.REVIEW)
    assert (table.entries, numbers(table)) == (["N red@NE"], [2])


def test_showing_first_what_had_been_confirmed() -> None:
    table = in_ready().shot("JACK NE", "NE").undo().must_be(Phase.REVIEW)
    assert (table.proposed, str(table.view.readings[0].what)) == ("JACK NE", "JACK NE")


def test_a_wrong_ok_is_mended_by_undo_fix_ok() -> None:
    table = in_ready().shot("RED NE", "NE").undo("N").fix("N").ok("N")
    assert table.entries == ["N green@NE"]


def test_a_fresh_proposal_is_not_lost_by_it_parked_and_comes_back_afterwards() -> None:
    table = in_ready().shot("RED NE", "NE").wait(3.0).review("SE").undo()
    assert [each.kind for each in table.view.queue] == [QueuedKind.PARKED]
    table.choose("GREEN NE").wait(0.5).ok("N").must_be(Phase.REVIEW)
    assert numbers(table) == [2]


def test_pressed_again_it_goes_one_entry_further_across_turns() -> None:
    table = in_ready().shot("RED NE", "NE").miss().shot("GREEN SE", "SE")
    assert back(table, 2).must_be(Phase.READY).entries == ["N red@NE"]
    assert back(table, 1).must_be(Phase.REVIEW).proposed == "RED NE"


def test_across_boards() -> None:
    table = Table(options={"best_of": 3}).started("N").miss().hold("N", "fix").wait(1.0)
    table.pick("draw", "N", held=True).must_be(Phase.BOARD_OVER).calm().ok("N").calm()
    assert back(table, 1).must_be(Phase.BOARD_OVER).entries == ["N -", "! draw"]
    assert back(table, 1).must_be(Phase.READY).entries == ["N -"]


def test_across_restarts() -> None:
    table = in_ready().shot("RED NE", "NE").restart().ok("N").calm().undo()
    assert table.must_be(Phase.REVIEW).proposed == "RED NE"


def test_ok_without_a_change_is_redo_of_it_and_of_all_that_was_undone_after_it() -> None:
    table = in_ready().shot("RED NE", "NE").miss().shot("GREEN SE", "SE")
    said = table.entries
    assert back(table, 3).ok("N").must_be(Phase.READY).entries == said
    assert table.kinds().count(EntryKind.REDO) == 3


def test_undoing_a_miss_returns_to_ready_of_that_seat() -> None:
    table = in_ready().miss().undo().must_be(Phase.READY)
    assert table.shooter == "N"


def test_undo_in_ready_with_nothing_before_it_returns_to_setup() -> None:
    in_ready().undo().must_be(Phase.SETUP)


def test_not_a_stroke_is_a_reading_like_any_other_n_still_to_shoot() -> None:
    table = in_ready().review("NE").choose("NOT A STROKE").wait(0.5).ok("N")
    assert (table.must_be(Phase.READY).shooter, table.entries) == ("N", [])
    assert back(table.calm(), 1).must_be(Phase.REVIEW).proposed == "NOT A STROKE"


def test_and_not_the_same_as_a_miss() -> None:
    assert in_ready().ok("N").shooter == "S"


def test_what_sensors_saw_is_evidence_and_is_never_undone() -> None:
    table = in_ready().shot("RED NE", "NE").shot("RED SE", "SE")
    seen = table.kinds().count(EntryKind.FALL)
    back(table, 2)
    assert table.kinds().count(EntryKind.FALL) == seen == 2


# --- later strokes are kept ------------------------------------------------------------


def changed(table: Table, times: int, what: str) -> Table:
    """Go back this many entries and change that one."""
    return back(table, times).choose(what).wait(0.5).ok("N").wait(1.0)


def four() -> Table:
    """N red, N red, N misses, S green."""
    return in_ready().shot("RED NE", "NE").shot("RED SE", "SE").miss().shot("GREEN SW", "SW")


def test_after_a_change_further_back_keep_3_later_strokes_ok_fix() -> None:
    table = changed(four(), 4, "JACK NE")
    assert question(table) == "keep 3 later strokes?"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")


def test_kept_ones_are_entered_again_with_their_falls() -> None:
    table = changed(four(), 4, "GREEN NE").ok("N")
    assert [each for each in table.entries if not each.startswith("!")] == [
        "N green@NE", "N red@SE", "N -", "S green@SW",
    ]  # fmt: skip
    assert [fall.number for line in table.game.lines for fall in line.falls] == [1, 2, 3]


def test_fix_leaves_them_out() -> None:
    table = changed(four(), 4, "GREEN NE").calm().fix("N").must_be(Phase.READY)
    assert (table.entries, table.shooter) == (["N green@NE"], "S")


def test_a_seat_that_shot_out_of_the_corrected_turn_keeps_its_stroke_with_a_turn() -> None:
    table = in_ready().shot("GREEN NE", "NE").shot("GREEN SE", "SE")
    changed(table, 2, "RED NE").ok("N")
    assert table.entries == ["N red@NE", "! turn S", "S green@SE"]


def one_too_many() -> Table:
    """The miss before the last three entries turns out to have been the twelfth red puck."""
    table = in_ready()
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.miss().miss().shot("RED SW", "SW").miss()
    back(table, 4).fix("N").choose("RED").wait(0.5).ok("N").wait(1.0)
    assert question(table) == "keep 3 later strokes?"
    return table.ok("N")


def test_the_first_that_is_no_longer_legal_opens_in_review() -> None:
    table = one_too_many().must_be(Phase.REVIEW)
    assert (table.proposed, str(table.view.detail)) == ("RED SW", "RED: 1 too many")


def test_the_rest_wait_behind_it() -> None:
    table = one_too_many()
    assert [each.kind for each in table.view.queue] == [QueuedKind.KEPT]
    table.calm().choose("NOT A STROKE").wait(0.5).ok("N").calm()
    assert table.entries[-1] == "N -", "entered once it is settled"


def test_what_differs_is_shown() -> None:
    table = in_ready().shot("RED NE", "NE").shot("RED SE", "SE").shot("STRIKER SW", "SW")
    table.miss()
    changed(table, 4, "JACK NE").ok("N")
    assert question(table), "a list of what was ruled otherwise"
    assert table.items


def test_the_history_in_the_menu_opens_any_entry_directly_during_a_board_too() -> None:
    table = four().hold("N", "fix").wait(1.0).pick("history", "N").pick("2 N RED SE", "N")
    assert table.must_be(Phase.REVIEW).proposed == "RED SE"


@pytest.mark.parametrize("by", ["N", "referee", "page"])
def test_it_opens_them_at_every_place(by: str) -> None:
    table = four().hold(by, "fix").wait(1.0).pick("history", by).pick("1 N RED NE", by)
    assert table.must_be(Phase.REVIEW).entries == []
