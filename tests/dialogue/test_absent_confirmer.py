"""When nobody entitled answers for ten seconds, any playing seat settles by holding OK."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table

REFEREE = DialogueSettings(confirm=Confirm.REFEREE)
HINT = "anyone: hold OK"


def table_with(confirm: Confirm = Confirm.REFEREE, lineup: str = "NS", **options: object) -> Table:
    return Table(
        dialogue_settings=DialogueSettings(confirm=confirm), lineup=lineup, options=options
    ).started()


def in_review() -> Table:
    return table_with().review("NE")


def in_placing() -> Table:
    table = table_with().shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    return table.wait(0.5).ok("referee").must_be(Phase.PLACING)


def paused() -> Table:
    table = table_with().hold("referee", "fix").pick("pause").wait(1.0)
    return table.must_be(Phase.PAUSED)


def after_a_power_cut() -> Table:
    return table_with().restart().must_be(Phase.PAUSED)


def board_over() -> Table:
    table = table_with(best_of=3).hold("referee", "fix").pick("resign").wait(0.5)
    return table.pick("N resigns", held=True).must_be(Phase.BOARD_OVER)


def match_over() -> Table:
    table = table_with().hold("referee", "fix").pick("resign").wait(0.5)
    return table.pick("N resigns", held=True).must_be(Phase.MATCH_OVER)


def taken_back() -> Table:
    return table_with().miss().undo().must_be(Phase.READY)


def late_question() -> Table:
    return board_over().wait(1.0).fall("NE").wait(0.1)


DUE = [in_review, in_placing, paused, after_a_power_cut, board_over, match_over, taken_back,
       late_question]  # fmt: skip


@pytest.mark.parametrize("due", DUE)
def test_wherever_an_answer_is_due_any_playing_seat_settles_after_ten_seconds(
    due: Callable[[], Table],
) -> None:
    table = due()
    before = table.view.ask
    table.wait(6.5).hold("S", "ok")
    assert table.view.ask == before, "not yet"
    assert " decides, not " in table.last(EntryKind.SWALLOWED)["why"]
    table.wait(4.0).hold("S", "ok")
    assert table.view.ask != before
    assert table.last(EntryKind.STOOD_IN)["wire"] == "seat_s_ok"


@pytest.mark.parametrize("due", DUE)
def test_it_is_shown_from_when_on_any_seat_may(due: Callable[[], Table]) -> None:
    table = due()
    assert HINT not in str(table.view.detail)
    asked = str(table.view.detail)
    table.wait(10.5)
    assert str(table.view.detail) == (f"{asked} - {HINT}" if asked else HINT)


def test_a_short_press_of_a_seat_still_settles_nothing() -> None:
    table = in_review().wait(20.0).ok("S").must_be(Phase.REVIEW)
    assert " decides, not " in table.last(EntryKind.SWALLOWED)["why"]


def test_only_seats_that_play_may() -> None:
    in_review().wait(20.0).hold("E", "ok").must_be(Phase.REVIEW)


def test_holding_ok_ends_a_board_too_where_nobody_else_is_there() -> None:
    table = Table(dialogue_settings=REFEREE, handicap={"N": {"pucks_needed": 1}}).started()
    table.shot("RED NE", "NE").review("SE").choose("JACK SE").wait(20.0).hold("N", "ok")
    table.must_be(Phase.MATCH_OVER)


def test_any_press_of_who_may_shows_that_somebody_is_there() -> None:
    table = in_review().wait(8.0).press("referee", "foul").wait(8.0)
    assert HINT not in str(table.view.detail)
    table.hold("S", "ok").must_be(Phase.REVIEW)


def test_in_ready_nothing_is_due() -> None:
    table = table_with().wait(60.0)
    assert HINT not in str(table.view.detail)


def test_a_list_that_somebody_works_closes_first() -> None:
    table = in_review().hold("referee", "fix").wait(15.0)
    assert HINT not in str(table.view.detail)
    table.wait(6.0).must_be(Phase.REVIEW)
    assert table.dialogue.menu is None
    assert HINT not in str(table.view.detail), "the question has just come back"
    table.wait(11.0)
    assert HINT in str(table.view.detail)


def test_where_everybody_may_there_is_no_such_thing() -> None:
    table = table_with(Confirm.ANYONE).review("NE").wait(60.0)
    assert HINT not in str(table.view.detail)


# the opponent confirms


def test_an_absent_opponent_is_stood_in_for_by_the_shooter_too() -> None:
    table = Table(box=False, dialogue_settings=DialogueSettings(confirm=Confirm.OPPONENT)).started(
        "N"
    )
    table.review("NE").hold("N", "ok").must_be(Phase.REVIEW).wait(10.5).hold("N", "ok")
    assert table.entries == ["N red@NE"]


def test_in_pairs_the_opponents_are_both_of_the_other_pair() -> None:
    for seat, counts in (("E", True), ("W", True), ("S", False), ("N", False)):
        table = table_with(Confirm.OPPONENT, "NESW").review("NE").wait(0.5).ok(seat)
        assert (table.phase is Phase.READY) == counts, seat


def test_with_three_the_one_who_plays_alone_confirms_for_two_and_each_of_them_for_one() -> None:
    table = table_with(Confirm.OPPONENT, "NES").review("NE").wait(0.5)
    table.ok("S").must_be(Phase.REVIEW).wait(0.5).ok("E").must_be(Phase.READY)
    for seat in ("N", "S"):
        table = table_with(Confirm.OPPONENT, "NES").miss().must_be(Phase.READY)
        assert table.game.match.state.next is Seat.E
        table.review("NE").wait(0.5).ok(seat).must_be(Phase.READY)


def test_what_a_stroke_sends_back_is_confirmed_by_the_opponent_of_who_shot() -> None:
    for seat, counts in (("N", False), ("S", True)):
        table = table_with(Confirm.OPPONENT).shot("RED NE", "NE", by="referee")
        table.review("SW").choose("STRIKER SW").wait(0.5).ok("referee").must_be(Phase.PLACING)
        table.calm().ok(seat)
        assert (table.phase is Phase.READY) == counts, seat


def test_a_result_is_acknowledged_by_anybody_who_plays() -> None:
    for seat in ("N", "S"):
        table = table_with(Confirm.OPPONENT, best_of=3).hold("referee", "fix").pick("resign")
        table.wait(0.5).pick("N resigns", held=True).calm().ok(seat).must_be(Phase.READY)
