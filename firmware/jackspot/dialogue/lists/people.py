"""Who sits where: names from the list in the configuration."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.core.printable import without_piles
from jackspot.dialogue.lists.item import Item, Items, going_back, open_list
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.plans import table_of, with_name
from jackspot.dialogue.state.transition import Transition
from jackspot.sensing.events import Place


def name_items(dialogue: DialogueState) -> Items:
    """Return each seat that plays, with its player's name."""
    names = table_of(dialogue.plan, "names")
    seats = (
        Item(
            _("{seat}: {name}", seat=seat.value, name=str(names.get(seat.value) or "-")),
            partial(open_list, kind=MenuKind.PEOPLE, about=seat.value),
        )
        for seat in dialogue.plan.lineup
    )
    return (*seats, going_back(MenuKind.MENU))


def people_items(menu: Menu, dialogue: DialogueState) -> Items:
    """Return everybody who can sit at a seat, and nobody."""
    seat = Seat(menu.about)
    planned = (str(each) for each in table_of(dialogue.plan, "names").values())
    known = dict.fromkeys((*dialogue.settings.people, *planned))
    people = (
        Item(_("{seat}: {name}", seat=seat.value, name=name), partial(_sit, seat, name))
        for name in known
    )
    nobody = Item(_("{seat}: {name}", seat=seat.value, name="-"), partial(_sit, seat, ""))
    return (*people, *_typed_name(menu, seat), nobody, going_back(MenuKind.NAMES))


def _typed_name(menu: Menu, seat: Seat) -> Items:
    """Return the line for any other name, where people can type one."""
    if menu.opener is not Place.PAGE:
        return ()
    return (Item(_("another name"), _no_keyboard, typed=partial(_sit_typed, seat)),)


def _no_keyboard(transition: Transition) -> None:
    transition.refuse(_("type a name"))


def _sit_typed(seat: Seat, transition: Transition, text: str) -> None:
    shown = "".join(c if c.isprintable() else " " for c in without_piles(text))
    name = " ".join(shown.split())
    if name:
        _sit(seat, name, transition)
    else:
        _no_keyboard(transition)


def _sit(seat: Seat, name: str, transition: Transition) -> None:
    transition.change(plan=with_name(transition.dialogue.plan, seat, name))
    open_list(transition, MenuKind.NAMES)
