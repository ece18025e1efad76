"""The shot clock: what starts, stops and sounds it; it judges nothing."""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.view import Phase, Sound
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import playing


def shooting(**options: object) -> Table:
    return playing("hikone", options={"shot_clock_s": 15, **options})


def left_s(table: Table) -> float | None:
    """Return what the shot clock shows, in seconds."""
    return None if table.view.shot is None else round(table.view.shot.remaining_ns / 1e9, 1)


def test_the_shot_clock_starts_with_the_press_that_gives_the_turn() -> None:
    table = shooting()
    first = left_s(table)
    assert first is not None
    assert 11 < first < 13, "the match was started three seconds ago"
    table.wait(5.0).ok("N")
    again = left_s(table)
    assert again is not None
    assert again > 14


def test_the_shot_clock_warns_and_sounds_and_judges_nothing() -> None:
    table = shooting()
    table.sounds.clear()
    table.wait(6.0)
    assert table.sounds == []
    table.wait(4.0)
    assert table.sounds == [Sound.SHOT_SOON]
    table.wait(4.0)
    assert table.sounds == [Sound.SHOT_SOON, Sound.SHOT_UP]
    assert left_s(table) == 0
    table.wait(20.0)
    assert table.sounds == [Sound.SHOT_SOON, Sound.SHOT_UP], "each once"
    assert (table.entries, table.shooter, table.phase) == ([], "N", Phase.READY)


@pytest.mark.parametrize("says_so", [False, True])
def test_after_what_entered_itself_it_starts_once_nobody_is_asked_any_more(says_so: bool) -> None:
    """It starts with the OK that says it is right, at the latest when the board asks no more."""
    table = Table(
        options={"shot_clock_s": 15}, dialogue_settings=DialogueSettings(auto_confirm=0.6)
    )
    table.started("N").fall("NE").wait(1.8).must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
    assert left_s(table) is None
    table.wait(3.0)
    assert left_s(table) is None
    if says_so:
        table.ok("N")
    else:
        table.wait(2.0)
    left = left_s(table)
    assert left is not None
    assert left > 14
    table.wait(5.0)
    assert left_s(table) == pytest.approx(left - 5, abs=0.2)


def test_nobody_loses_time_to_what_entered_itself_and_was_wrong() -> None:
    table = Table(
        options={"shot_clock_s": 15}, dialogue_settings=DialogueSettings(auto_confirm=0.6)
    )
    table.started("N").fall("NE").wait(1.8).must_be(Phase.READY).wait(1.0).fix("N").wait(20.0)
    table.must_be(Phase.REVIEW).fix("N").wait(1.0).ok("N")
    left = left_s(table)
    assert left is not None
    assert left > 14
    assert Sound.SHOT_UP not in table.sounds


def test_a_fall_stops_the_shot_clock_and_a_hand_gives_no_time() -> None:
    table = shooting()
    before = left_s(table)
    table.fall("NE").wait(0.5)
    assert left_s(table) is None
    table.wait(1.5).must_be(Phase.REVIEW).choose("NOT A STROKE").wait(1.0).ok("referee")
    after = left_s(table)
    assert before is not None
    assert after is not None
    assert after < before - 2, "the same shot goes on"


def test_a_pause_begins_the_shot_clock_anew() -> None:
    table = shooting().wait(5.0).hold("N", "fix").wait(1.0).pick("pause", by="N")
    assert left_s(table) is None
    table.wait(5.0).ok("N")
    assert left_s(table) == pytest.approx(15, abs=0.5)


def test_without_the_option_there_is_no_shot_clock() -> None:
    table = playing("icf")
    assert table.view.shot is None
    table.wait(60.0)
    assert Sound.SHOT_UP not in table.sounds


def test_a_desk_with_a_shot_clock_is_woken_for_its_digits() -> None:
    table = shooting()
    shown = set()
    for _ in range(8):
        table.wait(1.0)
        shown.add(left_s(table))
    assert len(shown) == 8
    assert table.dialogue.timing.shot is not None
