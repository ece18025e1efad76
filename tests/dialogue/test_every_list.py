"""Every list there is: opened from each phase, it outlasts a power cut and leads on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.in_phase import IN_PHASE
from tests.dialogue.playing import Table

DEEP = 3
"""How many lists deep the search goes."""

BY_EVENTS = {
    MenuKind.LATE, MenuKind.DARK, MenuKind.WHICH_DARK, MenuKind.GATHERED, MenuKind.NAME_POCKET,
    MenuKind.IMPOSSIBLE, MenuKind.BANKED, MenuKind.WITHOUT, MenuKind.KEEP, MenuKind.STOPPED,
    MenuKind.KEPT, MenuKind.TOUCHED, MenuKind.FORGOTTEN, MenuKind.WAIVED, MenuKind.IN_TIME,
    MenuKind.DEMAND, MenuKind.QUEEN,
}  # fmt: skip
"""Questions that the board asks on its own; the tests of what makes it ask open them."""


ON_A_NETWORK = {MenuKind.REFEREE, MenuKind.HOTSPOT}
"""Lists of boards on a network; ``test_picking.py`` opens them."""


IN_A_HALL = {MenuKind.HALL, MenuKind.NUMBER, MenuKind.LEAVE}
"""Lists of boards in a hall, which say so after each start; ``test_hall_menu.py`` opens them."""


def in_free_play() -> Table:
    return Table(dialogue_settings=DialogueSettings(free_rest=True)).wait(1.0).fall("NE").wait(1.0)


def called() -> Table:
    """A match whose first seat must call its pocket and has all its needed pucks in."""
    handicap = {"N": {"pucks_needed": 1, "called_pocket": True, "must_bank": True}}
    return Table(handicap=handicap).started("N").shot("RED NE", "NE")


PLACES: dict[str, Callable[[], Table]] = {
    **{phase.value: make for phase, make in IN_PHASE.items() if phase is not Phase.FALLING},
    "free play": in_free_play,
    "called": called,
}


def closed(table: Table) -> bool:
    """Return whether no list is open."""
    return table.dialogue.menu is None


def each_line_chosen(table: Table) -> Iterator[Table]:
    """Do each line of the open list on a board of its own: FIX as often as needed, then OK."""
    marked = table.another()
    for _line in table.items:
        yield marked.another().wait(0.5).ok("referee").wait(0.9)
        marked.fix("referee")


@cache
def lists_from(where: str) -> dict[MenuKind, Table]:
    """Find every list that can be reached, each with a board on which it is open."""
    found: dict[MenuKind, Table] = {}
    reached = [(PLACES[where]().hold("referee", "fix").wait(1.0), 0)]
    while reached:
        table, deep = reached.pop(0)
        menu = table.dialogue.menu
        check_all(table)
        if menu is None or menu.kind in found:
            continue
        found[menu.kind] = table
        if deep < DEEP:
            reached += [(each, deep + 1) for each in each_line_chosen(table)]
    return found


@pytest.mark.xdist_group("every_list")
@pytest.mark.parametrize("where", PLACES)
def test_every_list_outlasts_a_power_cut_and_closes_by_itself(where: str) -> None:
    found = lists_from(where)
    assert found, "FIX held opens a list"
    for kind, opened in found.items():
        table = opened.another()
        table.watchers += [watch_the_question, watch_the_evidence(table)]
        assert table.dialogue.menu is not None
        items, phase = table.items, table.phase
        table.restart()
        assert table.dialogue.menu is not None, f"{kind} did not come back"
        assert table.dialogue.menu.kind is kind
        paused = phase is Phase.READY and kind is MenuKind.MENU
        assert paused or table.items == items, "in a pause the menu has fewer lines"
        copied = kind in {MenuKind.RECORD, MenuKind.RECORD_LARGE}
        assert closed(table.wait(121.0 if copied else 21.0)), f"{kind} never closes"
        assert table.phase in (phase, Phase.PAUSED), "closed by itself it changes nothing"
        check_all(table)


@pytest.mark.xdist_group("every_list")
def test_every_kind_of_list_is_opened_by_somebody() -> None:
    found = {kind for where in PLACES for kind in lists_from(where)}
    known = found | BY_EVENTS | ON_A_NETWORK | IN_A_HALL
    assert known == set(MenuKind), set(MenuKind) - known


def test_the_questions_about_pockets_outlast_a_power_cut() -> None:
    table = Table().started("N")
    for _ in range(2):
        table.fix("referee").choose("RED").wait(0.5).ok("referee").calm()
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.WHICH_DARK
    table.restart()
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.WHICH_DARK
    table.wait(1.0).ok("referee")
    assert table.view.by_hand == (Pocket.NE,)
