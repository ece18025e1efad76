"""The record as codes: where they are found, how they turn on their own, how buttons step them."""

from __future__ import annotations

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.core.record_codes import record_from
from jackspot.dialogue.actions.codes import CODE_NS
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.in_phase import at_board_over, at_match_over, in_pause, in_placing, in_ready
from tests.dialogue.playing import Table

CODE_S = CODE_NS / 1e9


def opened(table: Table, sizes: int = 1) -> Table:
    """Open the list of codes from the menu; twice for the larger ones."""
    table.hold("referee", "fix").wait(1.0).pick("record by code").wait(0.1)
    for _size in range(sizes - 1):
        table.wait(1.0).ok("referee")
    return table


def shown(table: Table) -> int:
    """Return which code is shown, counted from 1, by the view and by the list's marked line."""
    assert table.view.menu is not None
    assert table.view.menu.chosen == table.view.code
    return table.view.code + 1


def in_a_long_match(
    pockets: str = "NE SW - SE NE - - NW NE SE - SW - NE",
    dialogue_settings: DialogueSettings | None = None,
) -> Table:
    """A match whose record takes several large codes."""
    table = Table(rules="points", dialogue_settings=dialogue_settings).started("N")
    for pocket in pockets.split():
        if pocket == "-":
            table.miss()
        else:
            table.falls_in(pocket).wait(2.0).ok("referee").calm()
    return table.must_be(Phase.READY)


def large() -> Table:
    return opened(in_a_long_match(), sizes=2)


@pytest.mark.parametrize("make", [in_ready, in_placing, in_pause, at_board_over, at_match_over])
def test_every_menu_of_a_match_leads_to_its_record(make) -> None:
    table = opened(make())
    assert record_from("\n".join(table.view.codes)) == table.record


def test_at_the_end_of_a_match_it_is_what_fix_and_ok_say() -> None:
    table = at_match_over().fix("N").wait(1.0)
    assert table.item == "record by code"
    assert table.ok("N").dialogue.menu is not None


def test_the_end_of_a_match_shows_the_record_without_being_asked() -> None:
    table = at_match_over()
    assert table.view.codes == (table.record,)
    assert table.view.menu is None


def test_no_code_is_made_where_none_is_shown() -> None:
    assert in_ready().view.codes == ()
    assert in_ready().hold("referee", "fix").view.codes == ()
    assert at_match_over().wait(130.0).view.codes == (), "help lies over it"


def test_codes_turn_by_themselves_and_begin_again() -> None:
    table = large()
    count = len(table.view.codes)
    assert count > 1
    seen = [shown(table), *(shown(table.wait(CODE_S)) for _code in range(count))]
    assert seen == [*range(1, count + 1), 1]


def test_fix_steps_from_the_code_that_is_shown_and_gives_the_next_its_whole_time() -> None:
    table = large()
    count = len(table.view.codes)
    table.wait(CODE_S + 3.5)
    at = shown(table)
    assert shown(table.fix("referee")) == at % count + 1
    assert shown(table.wait(CODE_S - 0.5)) == at % count + 1


def test_fix_on_the_only_code_is_refused_and_said() -> None:
    table = Table().started("N").wait(3.5).hold("referee", "fix").wait(1.0)
    table.pick("record by code").wait(1.0)
    assert table.items == ["code 1 of 1"]
    assert str(table.view.fix) == ""
    before = len(table.records)
    table.press("referee", "fix")
    assert str(table.view.detail) == "no other line"
    assert [each.kind for each in table.records[before:]] == [EntryKind.SWALLOWED]


def test_ok_shows_larger_codes_and_from_there_leads_back_to_the_menu() -> None:
    table = opened(in_a_long_match("NE - - SW"))
    assert (str(table.view.ok), len(table.items)) == ("larger", 1)
    table.wait(1.0).ok("referee")
    assert str(table.view.ok) == "back"
    assert len(table.items) > 1
    assert table.items[1] == f"code 2 of {len(table.items)}"
    table.wait(1.0).ok("referee")
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.MENU


def test_turning_writes_nothing_down_and_changes_no_question() -> None:
    table = large()
    written, asked = len(table.records), table.view.ask
    for _turn in range(5):
        table.wait(CODE_S)
        assert (len(table.records), table.view.ask) == (written, asked)


def test_a_press_just_as_the_code_turns_counts() -> None:
    table = large().wait(0.5)
    table.fix("referee").wait(CODE_S + 0.05)
    at = shown(table)
    assert shown(table.fix("referee")) == at % len(table.view.codes) + 1


def test_the_list_stays_for_some_rounds_of_all_codes_and_then_closes() -> None:
    table = large()
    rounds_s = 3 * CODE_S * len(table.view.codes)
    assert rounds_s < 120
    table.wait(119.0)
    assert table.dialogue.menu is not None
    assert table.wait(2.0).dialogue.menu is None


def test_many_codes_stay_for_three_rounds_however_soon_lists_close() -> None:
    table = opened(
        in_a_long_match(dialogue_settings=DialogueSettings(menu_idle_ns=3 * SECOND_NS)), sizes=2
    )
    rounds_s = 3 * CODE_S * len(table.view.codes)
    assert rounds_s > 6 * 3
    table.wait(rounds_s - 1.0)
    assert table.dialogue.menu is not None
    assert table.wait(2.0).dialogue.menu is None


def test_the_list_outlasts_a_power_cut() -> None:
    table = large()
    said = table.record
    table.restart()
    assert record_from("\n".join(table.view.codes)) == said
