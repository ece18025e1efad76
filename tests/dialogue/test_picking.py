"""Taps on a page: on a line of a list, one of its values, or a reading.

A tap must do what OK and FIX would do: each tap is compared with the presses that say the same
on a box.
"""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure
from jackspot.dialogue.lists.menu import items
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import rules_of, time_limit_s
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Button, Gesture, Key, Pick, Place, Press
from tests.dialogue.playing import Table


def tap(table: Table, key: Key, pick: Pick | None, *, held: bool = False) -> Table:
    """Press a button of the page that points at something."""
    gesture = Gesture.HOLD if held else Gesture.SHORT
    button, now_ns = Button(Place.PAGE, key), table.now_ns
    table.give(Press(now_ns, now_ns, button, gesture, table.view.ask, pick))
    return table.wait(1.0)


def line(table: Table, starts: str, *, held: bool = False, **more: Any) -> Table:
    """Tap the line of the open list that starts with these words."""
    at = next(n for n, label in enumerate(table.items) if label.startswith(starts))
    return tap(table, Key.OK, Pick(at, table.items[at], **more), held=held)


def value(table: Table, starts: str, word: str) -> Table:
    """Tap one of the values of a line."""
    assert table.view.menu is not None
    at = next(n for n, label in enumerate(table.items) if label.startswith(starts))
    words = [str(choice) for choice in table.view.menu.lines[at].choices]
    return line(table, starts, choice=words.index(word))


def menu(table: Table) -> Table:
    return tap(table, Key.FIX, None, held=True)


@pytest.fixture
def reviewed() -> Table:
    return Table().started().review("NE").wait(1.0)


# --- readings --------------------------------------------------------------------------


def test_a_tapped_reading_is_proposed_and_ok_confirms_it(reviewed):
    for at, wanted in reversed(list(enumerate(reviewed.view.readings))):
        tap(reviewed, Key.FIX, Pick(at, str(wanted.what)))
        assert reviewed.proposed == str(wanted.what)
        assert reviewed.phase is Phase.REVIEW
    at, jack = next(
        (n, r) for n, r in enumerate(reviewed.view.readings) if str(r.what) == "JACK NE"
    )
    tap(reviewed, Key.FIX, Pick(at, str(jack.what)))
    tap(reviewed, Key.OK, None)
    assert reviewed.entries[-1] == "N jack@NE"


@pytest.mark.parametrize("off", [False, True], ids=["", "off"])
@pytest.mark.parametrize("pockets", [["SE", "SE"], ["SE", "SE", "NW"]], ids=" ".join)
@pytest.mark.parametrize("rules", RuleSystem)
def test_fix_shows_each_reading_that_is_listed_also_in_another_order(
    rules: RuleSystem, pockets: list[str], off: bool
) -> None:
    table = Table(rules=rules.value).started().review(*pockets)
    if off:
        table.off()
    listed = {str(each.what) for each in table.view.readings}
    shown = set()
    for _ in listed:
        shown.add(table.proposed)
        table.fix("referee")
    assert shown == listed


def test_a_reading_that_is_no_longer_there_is_not_shown(reviewed):
    before = reviewed.proposed
    tap(reviewed, Key.FIX, Pick(1, "GREEN SW"))
    tap(reviewed, Key.FIX, Pick(99, before))
    assert reviewed.proposed == before
    assert reviewed.sounds[-1] is Sound.REFUSED


def test_pointing_where_nothing_is_proposed_does_nothing():
    table = Table().started()
    tap(table, Key.FIX, Pick(0, "RED NE"))
    assert table.phase is Phase.READY
    assert table.last(EntryKind.SWALLOWED)["why"] == "not now"


def test_a_reading_may_be_tapped_while_it_still_falls():
    table = Table().started().wait(1.0).fall("NE").wait(0.6)
    assert table.phase is Phase.FALLING
    shown = [str(each.what) for each in table.view.readings]
    tap(table, Key.FIX, Pick(1, shown[1]))
    assert (table.phase, table.proposed) == (Phase.REVIEW, shown[1])


def test_the_view_says_whose_press_led_to_what_is_asked(reviewed):
    tap(reviewed, Key.OK, None)
    assert reviewed.view.asked_by == Button(Place.PAGE, Key.OK)
    reviewed.calm().fall("SW").wait(1.6)
    assert reviewed.view.asked_by is None


# --- lists -----------------------------------------------------------------------------


def test_a_tapped_line_is_done_without_going_through_the_others():
    table = menu(Table().started())
    line(table, "correct the counts")
    line(table, "RED in")
    line(table, "GREEN in")
    line(table, "GREEN in")
    line(table, "GREEN in", held=True)
    line(table, "the table is right")
    assert table.counts == (1, 1)
    assert table.dialogue.menu is None


def test_a_line_that_wants_ok_held_wants_it_of_a_finger_too():
    table = menu(Table().started())
    line(table, "resign")
    line(table, "S resigns")
    assert table.last(EntryKind.SWALLOWED)["why"] == "hold OK for this"
    line(table, "S resigns", held=True)
    assert table.phase is Phase.MATCH_OVER


def test_a_line_that_has_changed_under_the_finger_does_nothing():
    table = menu(Table().started())
    tap(table, Key.OK, Pick(0, "safe shutdown"))
    tap(table, Key.OK, Pick(400, "menu"))
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.MENU
    assert table.last(EntryKind.SWALLOWED)["why"] == "it just changed"


def test_the_history_opens_any_entry():
    table = Table().started().shot("RED NE", "NE").miss().miss("S")
    menu(table)
    line(table, "history")
    line(table, "1 N RED NE")
    assert (table.phase, table.proposed) == (Phase.REVIEW, "RED NE")


def test_editing_gives_a_piece_any_kind_and_place_at_once(reviewed):
    menu(reviewed)
    value(reviewed, "piece 1: RED", "GREEN")
    value(reviewed, "piece 1: in NE", "in SW")
    assert reviewed.view.proposal is not None
    assert reviewed.view.proposal.departures == (Departure(Piece.GREEN, Pocket.SW),)
    value(reviewed, "piece 1: in SW", "flew off")
    value(reviewed, "called", "foul")
    value(reviewed, "shooter N", "shooter S (N missed)")
    line(reviewed, "done")
    assert str(reviewed.view.proposal.seat) == "S"
    tap(reviewed, Key.OK, None)
    assert reviewed.entries[-2:] == ["N -", "S green^ foul"]


def test_set_up_takes_each_value_at_once():
    table = menu(Table())
    value(table, "no time limit", "time 5 min")
    value(table, "seats", "N E S W")
    value(table, "clock", "by gong")
    line(table, "rules and options")
    value(table, "rules", "japan")
    plan = table.dialogue.plan
    assert (time_limit_s(plan), rules_of(plan).value, plan.armed) == (300, "japan", True)
    assert "".join(plan.lineup) == "NESW"


def test_a_value_that_is_not_there_does_nothing():
    table = menu(Table())
    line(table, "seats", choice=77)
    assert table.last(EntryKind.SWALLOWED)["why"] == "not possible"


def test_what_is_locked_has_no_values_and_says_so():
    table = menu(Table(dialogue_settings=DialogueSettings(locked=frozenset(Lock))))
    assert table.view.menu is not None
    lines = dict(zip(table.items, table.view.menu.lines, strict=True))
    assert lines["locked: no time limit"].locked
    assert lines["locked: no time limit"].choices == ()
    line(table, "locked: no time limit", choice=0)
    assert time_limit_s(table.dialogue.plan) == 0


@pytest.mark.parametrize("way", [(), ("rules and options",), ("the board itself",)], ids=" ".join)
def test_every_value_that_can_be_tapped_is_one_that_ok_reaches_and_the_other_way_round(way):
    def opened() -> Table:
        table = menu(Table())
        for each in way:
            line(table, each)
        return table

    looked = opened()
    for at, item in enumerate(items(looked.dialogue)):
        if not item.choices:
            continue
        tapped = set()
        for number in range(len(item.choices)):
            table = opened()
            tap(table, Key.OK, Pick(at, str(item.label), number))
            tapped.add(table.items[at])
        stepped, table = set(), opened()
        for _press in item.choices:
            tap(table, Key.OK, Pick(at, table.items[at]))
            stepped.add(table.items[at])
        assert tapped == stepped, item.label


# --- names -----------------------------------------------------------------------------


def people(dialogue_settings: DialogueSettings | None = None) -> Table:
    table = menu(Table(dialogue_settings=dialogue_settings))
    line(table, "names")
    return line(table, "N: ")


def test_a_name_that_is_typed_sits_down():
    table = people()
    line(table, "another name", text="  Änne \u2028 Müller ")
    assert table.view.sides[0].names[0] == "Änne Müller"
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.NAMES


def test_marks_piled_up_on_a_letter_that_is_typed_are_left_out():
    table = people()
    line(table, "another name", text="Z" + "\u0301" * 20 + "oë")
    assert table.view.sides[0].names[0] == "Z" + "\u0301" * 5 + "oë"


@pytest.mark.parametrize("text", ["", "   ", "\x00\x1b"])
def test_a_name_without_a_letter_is_none(text):
    table = people()
    line(table, "another name", text=text)
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.PEOPLE
    assert table.view.sides[0].names[0] == ""


def test_a_list_in_which_somebody_types_stays_open_longer():
    table = people().wait(100.0)
    line(table, "another name", text="Anna")
    assert table.view.sides[0].names[0] == "Anna"


def test_on_buttons_nothing_can_be_typed_and_no_line_asks_for_it():
    table = Table().hold("referee", "fix").wait(1.0).pick("names").wait(1.0).pick("N: ").wait(1.0)
    assert not any(label.startswith("another") for label in table.items)


def test_locked_names_are_not_typed():
    table = menu(Table(dialogue_settings=DialogueSettings(locked=frozenset({Lock.NAMES}))))
    line(table, "locked: names", text="Anna")
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.MENU


# --- the way to the page ---------------------------------------------------------------


def test_on_a_network_the_board_itself_leads_to_the_way_to_the_page_and_stays_there_longer():
    table = menu(Table(dialogue_settings=DialogueSettings(has_referees_page=True)))
    line(table, "the board itself")
    line(table, "referee's page").wait(100.0)
    assert table.view.menu is not None
    assert (table.view.menu.kind, table.items) == (MenuKind.REFEREE, ["back"])
    table.wait(30.0)
    assert table.dialogue.menu is None


def test_a_new_pin_wants_ok_held_and_shows_itself():
    settings = DialogueSettings(has_referees_page=True, made_its_pin=True)
    table = menu(Table(dialogue_settings=settings))
    line(table, "the board itself")
    line(table, "new PIN")
    assert str(table.view.detail) == "hold OK for this"
    written = len(table.records)
    table.wait(1.0).hold("page", "ok")
    assert "new_pin" in table.kinds(written)
    assert table.view.menu is not None
    assert table.view.menu.kind == MenuKind.REFEREE


def test_a_pin_of_the_config_is_told_to_be_so_and_stays():
    table = menu(Table(dialogue_settings=DialogueSettings(has_referees_page=True)))
    line(table, "the board itself")
    line(table, "new PIN")
    assert str(table.view.detail) == "PIN is set in config"
    table.wait(1.0).hold("page", "ok")
    assert "new_pin" not in table.kinds()


def test_where_the_board_has_a_network_ok_and_fix_go_through_its_codes_and_back():
    table = menu(Table(dialogue_settings=DialogueSettings(has_hotspot=True)))
    line(table, "the board itself")
    line(table, "the board's Wi-Fi").wait(100.0)
    assert table.view.menu is not None
    assert (table.view.menu.kind, table.view.menu.chosen) == (MenuKind.HOTSPOT, 0)
    assert table.items == ["join by code", "page by code"]
    table.wait(1.0).ok("page").wait(1.0)
    assert (table.view.menu.kind, table.view.menu.chosen) == (MenuKind.HOTSPOT, 1)
    table.fix("page", 1).wait(1.0)
    assert table.view.menu.chosen == 0
    table.ok("page").wait(1.0).ok("page").wait(1.0)
    assert table.view.menu.kind == MenuKind.PREFERENCES


def test_a_board_without_a_network_of_its_own_offers_none():
    table = menu(Table())
    line(table, "the board itself")
    assert "the board's Wi-Fi" not in table.items


def test_on_the_machine_itself_there_is_no_way_for_phones():
    table = menu(Table())
    line(table, "the board itself")
    assert "referee's page" not in table.items
    assert "new PIN" not in table.items
