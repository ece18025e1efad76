"""The break in systems with a queen: whether the group was touched, what a third miss costs."""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.queen_tables import QUEEN_SYSTEMS, broken, kind, playing


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_while_the_break_is_to_be_made_ok_after_a_miss_asks_about_it(rules: str) -> None:
    table = playing(rules).ok("N").wait(1.0)
    assert table.view.menu is not None
    assert str(table.view.menu.title) == "was the group touched?"
    assert table.view.menu.question
    check_all(table)
    table.fix("N").calm()
    assert table.entries == ["N nobreak"]
    assert str(table.view.detail) == "break missed 1 of 3"
    assert table.shooter == "N"


@pytest.mark.parametrize("by", ["referee", "N", "S"])
@pytest.mark.parametrize(("key", "entry"), [("ok", "N -"), ("fix", "N nobreak")])
def test_whoever_may_pass_the_turn_says_whether_the_group_was_touched(
    by: str, key: str, entry: str
) -> None:
    """Whoever opened the question: the shooter presses, and the other side or the box knows."""
    table = playing("icf").ok("N").wait(3.1)
    assert table.items == ["group was touched"]
    assert table.press(by, key).wait(1.0).entries == [entry]


@pytest.mark.parametrize("by", ["referee", "S"])
@pytest.mark.parametrize("seconds", [0.2, 0.6, 1.5, 2.5])
def test_two_who_say_that_the_stroke_is_over_have_said_nothing_of_the_break(
    by: str, seconds: float
) -> None:
    table = playing("icf").ok("N").wait(seconds).ok(by).wait(1.0)
    assert table.entries == []
    assert table.items == ["group was touched"]


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_a_group_that_was_touched_is_a_break_and_nobody_asks_again(rules: str) -> None:
    table = playing(rules).ok("N").wait(1.0).ok("N").calm()
    assert (table.entries, table.shooter) == (["N -"], "S")
    table.ok("S").calm()
    assert (table.entries, table.shooter) == (["N -", "S -"], "N")


def test_the_third_missed_break_passes_the_turn_and_the_next_seat_has_three_of_its_own() -> None:
    table = playing("icf")
    for n in (1, 2):
        table.ok("N").wait(1.0).fix("N").calm()
        assert str(table.view.detail) == f"break missed {n} of 3"
    table.ok("N").wait(1.0).fix("N").calm()
    assert table.shooter == "S"
    assert str(table.view.detail) == ""
    table.ok("S").wait(1.0).fix("S").calm()
    assert str(table.view.detail) == "break missed 1 of 3"


def test_an_option_says_how_many_attempts_there_are() -> None:
    table = playing("kagw", options={"break_attempts": 2}).ok("N").wait(1.0).fix("N").calm()
    assert str(table.view.detail) == "break missed 1 of 2"


def test_closing_the_question_of_the_break_enters_nothing() -> None:
    table = playing("kagw").ok("N").wait(1.0).hold("N", "fix").wait(1.0)
    assert (kind(table), table.entries, table.phase) == (None, [], Phase.READY)
    table.ok("N").wait(21.0)
    assert (kind(table), table.entries) == (None, [])


def test_whoever_may_pass_the_turn_may_answer_about_the_break() -> None:
    dialogue_settings = DialogueSettings(confirm=Confirm.REFEREE)
    table = playing("kagw", dialogue_settings=dialogue_settings).ok("N").wait(1.0).fix("N").calm()
    assert table.entries == ["N nobreak"]
    table.ok("S").wait(1.0).ok("S").calm()
    assert table.entries == ["N nobreak", "N -"]
    table.wait(3.0).ok("S").calm()
    assert len(table.entries) == 3


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_foul_goes_through_the_flags_that_can_be_called_now(rules: str) -> None:
    table = playing(rules)
    seen = [table.foul().wait(0.9).proposed for _ in range(4)]
    assert seen == ["foul", "break missed", "foul, break missed", "MISSED"]
    table.undo().calm()
    broken(table).wait(6.0)
    seen = [table.foul().wait(0.9).proposed for _ in range(3)]
    assert seen == ["foul", "MISSED", "foul"], "the break is made"


def test_a_break_is_not_missed_by_who_pockets_a_piece() -> None:
    table = playing("icf").review("NE").wait(0.5)
    assert table.proposed == "WHITE NE"
    seen = [table.foul().wait(0.9).proposed for _ in range(3)]
    assert seen == ["foul, WHITE NE", "WHITE NE", "foul, WHITE NE"]
    table.foul().wait(0.9).choose("STRIKER NE").wait(0.5)
    seen = [table.foul().wait(0.9).proposed for _ in range(2)]
    assert seen == ["foul, STRIKER NE", "break missed, STRIKER NE"]


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_a_striker_alone_is_a_break_only_if_people_say_that_the_group_was_touched(
    rules: str,
) -> None:
    table = playing(rules).review("SW").choose("STRIKER SW").wait(0.5)
    assert str(table.view.detail) == "OK: group touched?"
    table.ok("referee").wait(1.0)
    assert kind(table) is MenuKind.TOUCHED
    check_all(table)
    table.restart().wait(1.0).ok("referee").calm()
    assert table.entries == ["N striker@SW"]
    check_all(table)


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_a_striker_alone_of_a_break_that_touched_nothing_is_a_missed_break(rules: str) -> None:
    table = playing(rules).review("SW").choose("STRIKER SW").wait(0.5).ok("referee").wait(1.0)
    table.fix("referee").calm()
    assert table.entries == ["N striker@SW nobreak"]
    check_all(table)
    table.undo().wait(1.0).ok("referee").calm()
    assert table.entries == ["N striker@SW nobreak"], "put back: asked once is enough"


def test_closing_the_question_of_a_striker_at_the_break_leaves_its_review_open() -> None:
    table = playing("icf").review("SW").choose("STRIKER SW").wait(0.5).ok("referee").wait(21.0)
    assert (kind(table), table.entries) == (None, [])
    table.must_be(Phase.REVIEW)


def test_only_who_may_decide_on_the_stroke_answers_for_a_striker_at_the_break() -> None:
    table = playing("icf", dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE))
    table.review("SW").choose("STRIKER SW").wait(0.5).ok("referee").wait(4.0).ok("S").wait(4.0)
    assert (kind(table), table.entries) == (MenuKind.TOUCHED, [])


def test_what_people_marked_as_missed_or_as_a_foul_is_not_asked_about() -> None:
    table = playing("icf").review("SW").choose("STRIKER SW").foul().wait(0.5).ok("referee").calm()
    assert table.entries == ["N striker@SW foul"]


def test_hikone_never_asks_about_a_break() -> None:
    table = playing("hikone").ok("N").calm()
    assert table.entries == ["N -"]


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_fix_passes_over_a_missed_break_that_what_fell_has_made_impossible(rules: str) -> None:
    table = playing(rules).review("SW").choose("STRIKER SW").wait(0.5).ok("referee").wait(1.0)
    table.fix("referee").calm().undo().wait(1.0).hold("referee", "fix").wait(0.5)
    table.pick("piece 1: STRIKER").wait(0.5).pick("done").wait(1.0)
    shown = str(table.view.headline)
    assert "missed" not in shown
    table.fix("referee").wait(1.0)
    assert str(table.view.headline) != shown
    check_all(table)


@pytest.mark.parametrize("rules", QUEEN_SYSTEMS)
def test_a_missed_break_that_a_late_fall_disproves_costs_no_press_of_foul(rules: str) -> None:
    options = {"time_limit_s": 60, "time_end": "finish_stroke"}
    table = playing(rules, options=options).wait(58.0).off().wait(0.5).foul().foul().wait(3.0)
    assert table.proposed == "break missed, STRIKER off"
    table.hold("referee", "ok").wait(0.5).fall("SW").wait(1.0)
    assert kind(table) is MenuKind.LATE
    table.ok("referee").wait(1.0)
    shown = table.proposed
    assert "break missed" not in shown
    asked = table.dialogue.timing.asked.token
    table.foul()
    assert table.proposed == f"foul, {shown}"
    assert table.dialogue.timing.asked.token == asked + 1
    check_all(table)
    table.foul()
    assert table.proposed == shown
    check_all(table)
