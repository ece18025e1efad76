"""The hall in the board's menu: its number, the call for the desk, leaving and coming back."""

from __future__ import annotations

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.phases.failures import put_aside
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import DeskComes, DeskTold, GongTold, HallPlace, OrderTold, PlaceTold
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table, kept, order

IN_HALL = HallPlace("hikone", 7)


def there(place: HallPlace = IN_HALL, table: Table | None = None) -> Table:
    """A board that has been told where it is."""
    table = table or Table()
    return table.give(PlaceTold(table.now_ns, place)).wait(1.0)


def menu(table: Table, *lines: str) -> Table:
    """Open the menu and go into lists by their lines."""
    table.hold("referee", "fix").wait(0.5)
    for line in lines:
        table.pick(line).wait(0.5)
    return table


def listed(table: Table) -> list[str]:
    assert table.view.menu is not None
    return [str(each) for each in table.view.menu.items]


def caller(table: Table) -> str | None:
    """Return who calls the desk, as reported to the hall."""
    call = None if table.view.hall is None else table.view.hall.call
    return None if call is None else call.by.value


def offers(table: Table) -> bool:
    return table.dialogue.offered is not None


def playing() -> Table:
    return there().ok("N").calm().must_be(Phase.READY)


def test_a_board_that_stands_alone_has_a_number_and_no_hall() -> None:
    table = menu(there(HallPlace()))
    assert not [line for line in listed(table) if "hall" in line or "desk" in line]
    table.pick("the board itself").wait(0.5)
    assert "board number: none" in listed(table)
    assert table.view.hall is None
    check_all(table)


@pytest.mark.parametrize("opened", [("hall hikone",), ("hall hikone", "leave the hall")])
@pytest.mark.parametrize("press", ["ok", "fix", "undo"])
def test_what_was_open_of_a_hall_is_closed_by_a_power_cut_until_the_board_knows_where_it_is(
    opened: tuple[str, ...], press: str
) -> None:
    table = menu(playing(), *opened).restart()
    assert table.view.menu is None
    table.press("referee", press).wait(1.0)
    check_all(table)
    there(table=table)
    check_all(table)


def test_a_board_of_which_nobody_said_where_it_is_has_neither() -> None:
    table = menu(Table(), "the board itself")
    assert not [line for line in listed(table) if "number" in line]


def test_the_desk_is_called_in_a_match_and_the_match_goes_on() -> None:
    table = playing()
    before = table.record
    menu(table, "call the desk")
    assert (caller(table), table.phase) == ("referee", Phase.READY)
    assert "desk called" in [str(each) for each in table.view.hints]
    table.wait(5.0).ok("N").calm()
    assert table.record != before
    assert caller(table) == "referee"
    check_all(table)
    menu(table, "desk called: take back")
    assert (caller(table), table.phase) == (None, Phase.READY)
    check_all(table)


def test_the_call_ends_once_the_desk_comes_and_only_then_it_says_so() -> None:
    table = playing()
    assert str(table.give(DeskComes(table.now_ns)).wait(1.0).view.detail) != "the desk is coming"
    menu(table, "call the desk").give(DeskComes(table.now_ns)).wait(1.0)
    assert caller(table) is None
    assert str(table.view.detail) == "the desk is coming"
    check_all(table)


def test_what_is_open_stays_open_under_a_call() -> None:
    table = playing().fall("NE").wait(2.0).must_be(Phase.REVIEW)
    asked = str(table.view.headline)
    menu(table, "menu", "call the desk").must_be(Phase.REVIEW)
    assert str(table.view.headline) == asked
    check_all(table)


def test_a_number_is_set_digit_by_digit_and_written_down() -> None:
    table = menu(there(HallPlace("hikone")), "the board itself", "board number: none")
    assert "set the board number" in [str(each) for each in table.view.hints]
    table.pick("use number 0").wait(0.5)
    assert EntryKind.HALL not in [EntryKind(each) for each in table.kinds()]
    table.pick("hundreds: 0").wait(0.5).pick("ones: 0").wait(0.5).pick("ones: 1").wait(0.5)
    table.pick("use number 102").wait(0.5)
    assert table.last(EntryKind.HALL) == {"number": 102}
    there(HallPlace("hikone", 102), table)
    assert "set the board number" not in [str(each) for each in table.view.hints]
    check_all(table)


def test_a_digit_goes_round_from_nine_to_nought() -> None:
    table = menu(there(HallPlace("hikone", 9)), "the board itself", "board number: 9")
    table.pick("ones: 9").wait(0.5)
    assert listed(table)[:4] == ["hundreds: 0", "tens: 0", "ones: 0", "use number 0"]


def test_leaving_asks_first_and_names_what_is_kept() -> None:
    table = there()
    table.give(DeskTold(table.now_ns, True, 2)).wait(1.0)
    menu(table, "hall hikone")
    assert listed(table)[:2] == ["the desk is away", "results to send: 2"]
    table.pick("leave the hall").wait(0.5)
    assert listed(table) == ["leave, 2 kept unsent"]
    table.fix("referee").wait(0.5)
    assert "leave the hall" in listed(table)
    assert EntryKind.HALL not in [EntryKind(each) for each in table.kinds()]
    table.pick("leave the hall").wait(0.5).ok("referee").wait(0.5)
    assert table.last(EntryKind.HALL) == {"left": True}
    there(HallPlace("hikone", 7, left=True), table)
    assert caller(table) is None
    check_all(table)
    menu(table, "the board itself", "back to hall hikone")
    assert table.last(EntryKind.HALL) == {"left": False}


@pytest.mark.parametrize("answered", [False, True])
def test_until_the_hall_has_told_nothing_is_said_of_its_desk(answered: bool) -> None:
    table = there()
    table.give(OrderTold(table.now_ns, order())).wait(1.0)
    table = table.ok("N").calm() if answered else table
    table.give(DeskTold(table.now_ns, True, 2)).wait(1.0)
    menu(there(table=table.restart()), "hall hikone")
    assert listed(table)[:2] == ["looking for the desk", "board number: 7"]
    table.pick("leave the hall").wait(0.5)
    assert listed(table) == ["leave"]
    table.fix("referee").wait(0.5).give(DeskTold(table.now_ns, False, 0)).wait(1.0)
    assert listed(table)[:2] == ["desk connected", "results to send: 0"]
    check_all(table)


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.READY, Phase.MATCH_OVER])
def test_what_fails_and_is_put_aside_leaves_the_board_in_its_hall(phase: Phase) -> None:
    """What the hall shows for a while goes, because it may be what failed."""
    table = there()
    table.give(OrderTold(table.now_ns, order())).wait(1.0).ok("N").calm()
    if phase is not Phase.SETUP:
        table.ok("N").calm()
    if phase is Phase.MATCH_OVER:
        menu(table, "resign").pick("S resigns", held=True).calm()
    table.must_be(phase).give(GongTold(table.now_ns, table.now_ns + 9 * SECOND_NS)).wait(1.0)
    before = table.view.hall
    table.dialogue, effects = put_aside(table.dialogue, table.now_ns)
    table.records += map(kept, effects.records)
    for cut in (False, True):
        table = there(table=table.restart()) if cut else table.wait(1.0)
        assert table.dialogue.hall is not None
        assert table.dialogue.hall.gong_ns is None
        assert table.view.hall == before
        menu(table)
        assert {"call the desk", "hall hikone"} <= set(listed(table))
        table.undo().wait(1.0)
    check_all(table)


def test_leaving_takes_an_order_that_nobody_answered_along() -> None:
    table = there()
    table.give(OrderTold(table.now_ns, order())).wait(1.0)
    assert offers(table)
    there(HallPlace("hikone", 7, left=True), table)
    assert not offers(table)
    assert str(table.view.headline) == "N shoots first"
    check_all(table)


def test_a_match_that_is_played_outlasts_leaving() -> None:
    table = there()
    table.give(OrderTold(table.now_ns, order())).wait(1.0).ok("N").calm().ok("N").calm()
    before = table.record
    there(HallPlace("hikone", 7, left=True), table)
    assert (table.phase, table.record) == (Phase.READY, before)
    check_all(table)
    there(IN_HALL, table).give(OrderTold(table.now_ns, order())).wait(1.0)
    menu(table, "resign").pick("S resigns", held=True).calm().must_be(Phase.MATCH_OVER)
    assert table.dialogue.offered is None
    check_all(table)


@pytest.mark.parametrize("lines", [(), ("leave the hall",)])
def test_a_hall_that_is_left_elsewhere_closes_its_list(lines: tuple[str, ...]) -> None:
    table = menu(there(), "hall hikone", *lines)
    there(HallPlace("hikone", 7, left=True), table)
    assert table.view.menu is None
    check_all(table)


def test_where_the_hall_is_told_again_nothing_changes() -> None:
    table = menu(there(), "call the desk")
    there(IN_HALL, table)
    assert caller(table) == "referee"


@pytest.mark.parametrize("line", ["leave the hall", "board number: 7"])
def test_what_the_organiser_locked_only_says_so(line: str) -> None:
    table = there(table=Table(dialogue_settings=DialogueSettings(locked=frozenset({Lock.HALL}))))
    menu(table, "hall hikone", f"locked: {line}")
    assert f"locked: {line}" in listed(table)
    assert EntryKind.HALL not in [EntryKind(each) for each in table.kinds()]
