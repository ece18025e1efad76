"""Promises of the dialogue's page, in the corners where they once did not hold."""

from __future__ import annotations

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.show.showing import looks_alike, show, visible_part
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table


def views_by_themselves(table: Table, seconds: int) -> list[str]:
    """Let time pass, and return what the displays get: a view for each visible change."""
    posted, seen = [table.view], visible_part(table.dialogue)
    for _ in range(seconds * 10):
        table.wait(0.1)
        view = show(table.dialogue, table.dialogue.timing.now_ns)
        if visible_part(table.dialogue) != seen:
            seen = visible_part(table.dialogue)
            posted.append(view)
        assert looks_alike(posted[-1], view), "what is seen has changed and was not shown"
    return [str(view.detail) for view in posted]


def test_a_shot_clock_without_a_match_clock_counts_on_at_the_displays() -> None:
    table = Table(options={"shot_clock_s": 10}).started("N")
    view, digits = table.view, []
    while (ticks_at_ns := view.ticks_at_ns) is not None:
        view = view.at(ticks_at_ns)
        table.wait((ticks_at_ns - table.dialogue.timing.now_ns) / SECOND_NS)
        anew = show(table.dialogue, ticks_at_ns)
        assert view.shot is not None
        assert anew.shot is not None
        assert view.shot.remaining_ns == anew.shot.remaining_ns
        digits.append(view.shot.remaining_ns // SECOND_NS)
    assert digits == [*reversed(range(len(digits)))]
    assert len(digits) > 5


def test_any_seat_may_answer_reaches_the_displays() -> None:
    dialogue_settings = DialogueSettings(
        confirm=Confirm.REFEREE, attract_ns=0, unanswered_ns=900 * SECOND_NS
    )
    table = Table(dialogue_settings=dialogue_settings).started("referee").review("NE")
    assert any("anyone: hold OK" in said for said in views_by_themselves(table, 12))


# --- lists -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["pause", "time-out", "foul", "whose turn", "history", "resign"])
def test_after_a_power_cut_a_list_marks_the_same_line_or_is_closed(line: str) -> None:
    table = Table(options={"best_of": 3}).started("N").miss("N").miss("S")
    table.hold("referee", "fix").wait(0.5)
    for _ in range(30):
        if table.item.startswith(line):
            break
        table.fix("referee").wait(0.05)
    assert table.item.startswith(line)
    table.restart()
    assert table.dialogue.menu is None or table.item.startswith(line)


@pytest.mark.parametrize("pause_s", [0.15, 0.4, 0.9])
def test_each_ok_in_the_counts_counts_one_however_fast(pause_s: float) -> None:
    table = Table().started("N")
    table.hold("referee", "fix").pick("correct the counts").wait(1.0)
    for _ in range(5):
        table.ok("referee").wait(pause_s)
    assert table.counts == (5, 0)


# --- taking back -----------------------------------------------------------------------


def test_fix_at_a_seat_mends_the_stroke_that_undo_reopened() -> None:
    table = Table(box=False).started("N").review("NE").wait(0.5).ok("N").calm()
    assert table.entries == ["N red@NE"]
    table.undo("S").calm().must_be(Phase.REVIEW).fix("S").wait(0.5)
    table.ok("S").calm()
    assert [entry.split()[0] for entry in table.entries] == ["N"], "N shot, whoever mends it"
    assert table.entries != ["N red@NE"]


@pytest.mark.parametrize("after_s", [0.5, 0.8, 1.1])
def test_undo_soon_after_the_stroke_before_grew_takes_it_back(after_s: float) -> None:
    table = Table().started("N").review("NE").choose("RED NE").ok("referee").wait(1.0)
    table.fall("SW").wait(1.6).must_be(Phase.REVIEW).choose(
        "replace N's last stroke: RED NE, RED SW"
    )
    table.wait(0.6).ok("N").wait(after_s)
    lines = len(table.game.lines)
    table.undo("referee")
    assert len(table.game.lines) == lines - 1, table.dialogue.note


@pytest.mark.parametrize("after_s", [0.1, 0.5, 0.8, 1.1])
@pytest.mark.parametrize("key", ["foul", "off"])
def test_undo_soon_after_a_late_foul_or_piece_off_takes_it_back(key: str, after_s: float) -> None:
    table = Table().started("N").review("NE").choose("RED NE").ok("referee").wait(1.5)
    table.press("referee", key).wait(0.8)
    assert table.proposed.startswith("replace N's last stroke: ")
    table.ok("referee")
    assert len(table.strokes[-1].flags) + len(table.strokes[-1].departures) == 2
    table.wait(after_s).undo("referee")
    assert not table.game.lines, table.dialogue.note


def test_undo_twice_after_a_first_stroke_reaches_set_up_and_undo_brings_it_back() -> None:
    table = Table().started("N").review("NE").choose("RED NE").ok("referee").calm()
    table.undo().calm().must_be(Phase.REVIEW).undo().calm()
    table.must_be(Phase.SETUP).undo().calm()
    for _ in range(3):
        if not table.game.lines:
            table.ok("referee").calm()
    assert table.entries == ["N red@NE"]


def test_a_hand_that_was_only_shown_is_accounted_for_when_undo_reaches_set_up() -> None:
    table = Table().started("N")
    table.fall("NE", 900.0).wait(8.0)
    assert table.dialogue.assumed, "a hand that is shown and not asked"
    number = table.dialogue.assumed[0].falls[0].number
    table.undo().calm().must_be(Phase.SETUP)
    cleared = [each.body["falls"] for each in table.records if each.kind == EntryKind.CLEARING]
    assert [number] in cleared


def test_three_seats_with_handicaps_that_clash_stay_three_after_a_power_cut() -> None:
    handicap = {"N": {"head_start": 4}, "S": {"head_start": 6}}
    table = Table(handicap=handicap)
    for _ in range(9):
        if len(table.dialogue.plan.lineup) == 4:
            break
        table.fix("N").wait(1.0)
    assert len(table.dialogue.plan.lineup) == 4
    table.restart()
    assert len(table.dialogue.plan.lineup) == 4
    table.ok("N").calm().must_be(Phase.SETUP)
    assert str(table.dialogue.note).startswith("not possible")


# --- falling ---------------------------------------------------------------------------


def test_ok_held_since_pieces_fell_does_not_end_the_board_under_the_finger() -> None:
    table = Table(handicap={"N": {"pucks_needed": 1}}).started("N").shot("RED NE", "NE")
    table.fall("SW").wait(1.2).must_be(Phase.FALLING)
    assert table.proposed == "JACK SW"
    table.down("referee", "ok").wait(3.0).up("referee", "ok").must_be(Phase.REVIEW)
    assert table.game.match.state.result is None
    table.wait(0.5).hold("referee", "ok").must_be(Phase.MATCH_OVER)


def test_a_reading_must_have_stood_when_the_finger_came_down() -> None:
    table = Table().started("N").fall("NE").wait(0.05).must_be(Phase.FALLING)
    table.down("referee", "ok").wait(0.7).up("referee", "ok")
    assert not table.game.lines, "it had stood for less than half a second"


def test_what_ok_in_placing_said_is_told_when_something_else_opens() -> None:
    table = Table().started("N").shot("RED NE", "NE").shot("RED NE", "NE")
    table.review("SW").choose("STRIKER SW").ok("referee").must_be(Phase.PLACING).wait(0.5)
    table.fall("SE").wait(2.0).ok("referee").must_be(Phase.REVIEW)
    assert "RED placed" in str(table.view.detail)


def test_where_nobody_who_plays_has_buttons_any_seat_may_answer() -> None:
    dialogue_settings = DialogueSettings(confirm=Confirm.REFEREE, attract_ns=0)
    table = Table(
        "NS", lineup="EW", box=False, page=False, dialogue_settings=dialogue_settings
    ).started("N")
    table.review("NE").wait(12.0).hold("N", "ok").calm()
    assert len(table.game.lines) == 1
