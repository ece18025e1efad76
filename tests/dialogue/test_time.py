"""The match clock, and 0:00 in each phase under each way that time can end a board."""

from __future__ import annotations

import pytest

from jackspot.core.match import TimeUp
from jackspot.core.pieces import Side
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.limits import SECOND
from tests.dialogue.playing import Table

ENDS = ("stop", "finish_stroke", "finish_turn", "finish_round")
LIMIT_S = 60


def timed(end: str = "finish_stroke", limit_s: int = LIMIT_S, **options: object) -> Table:
    """A match with a clock; N is one red ahead and to shoot."""
    table = Table(options={"time_limit_s": limit_s, "time_end": end, **options})
    return table.started("N").shot("RED NE", "NE")


def until_zero(table: Table, before_s: float = 0.0) -> Table:
    """Wait until 0:00, or until ``before_s`` seconds before it."""
    return table.wait(table.view.clock.remaining_ns / SECOND - before_s)


def test_the_clock_starts_at_the_press_that_starts_the_match() -> None:
    table = Table(options={"time_limit_s": 300}).wait(100.0)
    running = [table.view.clock.running, table.ok("N").view.clock.running]
    assert running == [False, True]
    table.wait(10.0)
    assert table.view.clock.remaining_ns == pytest.approx(290 * SECOND, abs=SECOND // 10)


def test_time_used_is_journaled_every_five_seconds_and_with_every_entry() -> None:
    table = Table(options={"time_limit_s": 300}).started("N")
    before = len(table.records)
    table.wait(20.0)
    assert table.kinds(before).count(EntryKind.CLOCK) == 4
    table.ok("referee")
    used_ns = table.last(EntryKind.DESK)["used_ns"]
    assert used_ns == pytest.approx(table.game.clock.used_at(table.now_ns), abs=SECOND // 10)


def test_a_long_pause_is_not_made_up_for_in_notes_of_the_clock() -> None:
    table = timed(limit_s=300).hold("referee", "fix").pick("pause").calm().wait(3600.0)
    table.ok("referee").wait(0.5).ok("referee").must_be(Phase.READY)
    before = len(table.records)
    table.wait(1.0)
    assert table.kinds(before).count(EntryKind.CLOCK) == 0


def test_a_minute_and_ten_seconds_before_the_end_there_is_a_warning() -> None:
    table = Table(options={"time_limit_s": 120}).started("N")
    until_zero(table, 60.5)
    assert Sound.MINUTE not in table.sounds
    table.wait(1.0)
    assert table.sounds.count(Sound.MINUTE) == 1
    until_zero(table, 9.5)
    assert table.sounds.count(Sound.TEN_SECONDS) == 1
    table.wait(10.0)
    assert table.sounds.count(Sound.HORN) == 1


def test_the_instant_of_zero_is_journaled_however_late_the_board_wakes() -> None:
    table = timed()
    zero_ns = table.now_ns + table.view.clock.remaining_ns
    table.now_ns += 90 * SECOND
    table.ok("referee")
    stamped = [each.at_ns for each in table.records if each.kind == EntryKind.TIME_UP]
    assert stamped == [zero_ns]


# in ready


def test_ready_under_stop_the_board_ends_at_zero() -> None:
    table = until_zero(timed("stop")).must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "! time"]
    assert table.view.winner is Side.RED
    assert Sound.HORN in table.sounds


@pytest.mark.parametrize("end", ENDS[1:])
def test_ready_under_the_others_time_is_entered_at_once_and_play_goes_on(end: str) -> None:
    table = until_zero(timed(end)).must_be(Phase.READY)
    assert table.entries == ["N red@NE", "! time"]
    assert table.game.match.state.time_up is TimeUp(end)
    assert str(table.view.detail) == "time is up: last stroke" or end != "finish_stroke"


def test_ready_under_finish_stroke_ok_ends_the_board() -> None:
    table = until_zero(timed()).wait(1.0).ok("referee").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "! time", "N -"]


def test_under_finish_stroke_the_stroke_after_zero_is_the_last() -> None:
    table = until_zero(timed()).wait(1.0).review("SE").wait(0.5).ok("referee")
    table.must_be(Phase.REVIEW)
    assert str(table.view.detail) == "hold OK: it ends the board"
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.view.result_points == (2, 0)


def test_under_finish_turn_the_turn_is_played_to_its_end() -> None:
    table = until_zero(timed("finish_turn")).wait(1.0).shot("RED SE", "SE").must_be(Phase.READY)
    table.ok("referee").must_be(Phase.MATCH_OVER)
    assert table.view.result_points == (2, 0)


def test_under_finish_round_the_round_is_played_to_its_end() -> None:
    table = until_zero(timed("finish_round")).calm().ok("referee").must_be(Phase.READY)
    assert table.shooter == "S"
    table.calm().ok("referee").must_be(Phase.MATCH_OVER)


# in falling


def test_falling_under_stop_the_stroke_goes_before_zero() -> None:
    table = until_zero(timed("stop"), 0.5)
    table.fall("SE").wait(3.0).must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE"]
    assert table.view.proposal is not None
    assert table.view.proposal.ends_board
    assert str(table.view.detail) == "RED wins, on time"
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    assert table.view.result_points == (2, 0)


@pytest.mark.parametrize("end", ENDS[1:])
def test_falling_under_the_others_the_stroke_is_the_one_still_played(end: str) -> None:
    table = until_zero(timed(end), 0.5)
    table.fall("SE").wait(3.0).must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE", "! time"]
    table.hold("referee", "ok")
    assert table.entries == ["N red@NE", "! time", "N red@SE"]
    table.must_be(Phase.MATCH_OVER if end == "finish_stroke" else Phase.READY)


def test_falling_under_stop_that_was_a_hand_ends_the_board_all_the_same() -> None:
    table = Table(options={"time_limit_s": LIMIT_S, "time_end": "stop"}).started("N")
    table.shot("STRIKER SW", "SW")
    until_zero(table, 0.2)
    table.fall("SW", 400).wait(3.0).must_be(Phase.MATCH_OVER)
    assert table.entries == ["N striker@SW", "! time"]


# in review


@pytest.mark.parametrize("end", ENDS)
def test_review_the_stroke_goes_before_zero(end: str) -> None:
    table = until_zero(timed(end), 4.0).review("SE")
    asked = table.view.ask
    table.wait(5.0).must_be(Phase.REVIEW)
    assert (table.view.ask != asked) == (end == "stop"), "under stop OK must now be held"
    table.hold("referee", "ok")
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    table.must_be(Phase.MATCH_OVER if end == "stop" else Phase.READY)


def test_review_of_no_stroke_at_zero_enters_the_time_and_can_be_taken_back() -> None:
    table = until_zero(timed(), 4.0)
    table.fall("SE", 90).wait(6.0).must_be(Phase.REVIEW).choose("NOT A STROKE").wait(0.5)
    table.ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "! time"]
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE"]


def test_what_waited_at_zero_goes_before_it_too() -> None:
    table = until_zero(timed("stop"), 6.0).review("SE")
    table.fall("SW").wait(6.0).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE", "N red@SE"]
    table.wait(1.0).hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N red@SE", "N red@SW", "! time"]


def test_what_came_after_zero_is_played_after_it() -> None:
    table = until_zero(timed(), 3.0).review("SE").wait(3.0)
    table.fall("SW").wait(3.0).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    table.wait(1.0).hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N red@SW"


# in the other phases


@pytest.mark.parametrize("end", ENDS)
def test_placing_time_is_entered_beside_the_stroke_that_was_settled(end: str) -> None:
    table = timed(end).review("SW").choose("STRIKER SW").wait(0.5).ok("referee")
    until_zero(table.must_be(Phase.PLACING))
    assert table.entries == ["N red@NE", "N striker@SW", "! time"]
    table.must_be(Phase.MATCH_OVER if end == "stop" else Phase.PLACING)


def test_paused_there_is_no_zero() -> None:
    table = timed("stop").hold("referee", "fix").pick("pause").wait(600.0)
    table.must_be(Phase.PAUSED)
    assert EntryKind.TIME_UP not in table.kinds()


def test_zero_closes_a_list_that_lies_over_the_end() -> None:
    table = until_zero(timed("stop"), 3.0).hold("referee", "fix").wait(4.0)
    table.must_be(Phase.MATCH_OVER)
    assert table.view.menu is None


# undo


def test_undo_takes_time_back_together_with_the_stroke_beside_it() -> None:
    table = until_zero(timed("stop"), 4.0).review("SE").wait(6.0).hold("referee", "ok")
    table.must_be(Phase.MATCH_OVER).wait(1.0).undo().must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE"]
    table.choose("GREEN SE").wait(0.5).hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N green@SE", "! time"]
    assert table.kinds().count(EntryKind.TIME_UP) == 1
    assert table.sounds.count(Sound.HORN) == 1


def test_undo_of_time_alone_puts_it_back_as_it_was() -> None:
    table = Table(options={"time_limit_s": 20, "time_end": "stop"}).started("N").wait(20.0)
    table.must_be(Phase.MATCH_OVER)
    assert table.entries == ["! time"]
    table.undo().must_be(Phase.READY).wait(1.0).ok("referee").must_be(Phase.MATCH_OVER)
    assert table.entries == ["! time"]


def test_a_change_before_zero_does_not_bring_the_end_forward() -> None:
    """The stroke two back is mended; the stroke beside 0:00 is entered again before it."""
    table = until_zero(timed("stop"), 4.0).review("SE").wait(6.0).hold("referee", "ok")
    table.wait(1.0).undo().wait(0.1).undo().must_be(Phase.REVIEW)
    assert table.entries == []
    table.choose("RED NE").off().off().wait(0.5).ok("referee").calm().fix("referee")
    table.calm().must_be(Phase.PLACING)
    assert table.entries == ["N red@NE red^"], "0:00 is still to come"
    table.ok("referee").calm().fix("referee").choose("RED").wait(0.5).hold("referee", "ok")
    table.must_be(Phase.MATCH_OVER)
    assert table.entries[-2:] == ["N red", "! time"]


def test_a_level_board_under_sudden_death_goes_on_until_a_stroke_decides() -> None:
    table = Table(
        options={"time_limit_s": 20, "time_end": "stop", "timeout_tie": "sudden_death"}
    ).started("N")
    table.wait(20.0).must_be(Phase.READY)
    assert table.game.match.state.time_up is TimeUp.DECIDER
    table.review("NE").hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.view.winner is Side.RED


def test_the_clock_stands_at_the_first_edge_of_the_stroke_that_ended_the_board() -> None:
    table = Table(options={"time_limit_s": 300}, handicap={"N": {"pucks_needed": 1}}).started("N")
    table.shot("RED NE", "NE").wait(10.0)
    left_ns = table.view.clock.remaining_ns
    table.review("SE").choose("JACK SE").wait(20.0).hold("referee", "ok")
    table.must_be(Phase.MATCH_OVER)
    assert table.view.clock.remaining_ns == left_ns


def test_a_stroke_carries_the_match_clock_used_when_it_was_settled() -> None:
    table = timed(limit_s=300)
    used_ns = table.strokes[0].used_ns
    assert used_ns is not None
    assert 0 < used_ns < 10 * SECOND
    seconds = f"{used_ns / SECOND:.9f}".rstrip("0")
    assert f"N red@NE t={seconds}" in table.record
