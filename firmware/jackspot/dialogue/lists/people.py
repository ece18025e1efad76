"""Who sits where: names from the list that the configuration gives."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.dialogue.lists.item import Item, going_back, open_list
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import table_of, with_name
from jackspot.dialogue.state.talk import Talk
from jackspot.sensing.events import Place


def name_items(desk: Desk) -> tuple[Item, ...]:
    """Give each seat that plays, with who sits there."""
    names = table_of(desk.plan, "names")
    seats = (
        Item(
            _("{seat}: {name}", seat=seat.value, name=str(names.get(seat.value) or "-")),
            partial(open_list, kind=MenuKind.PEOPLE, about=seat.value),
        )
        for seat in desk.plan.lineup
    )
    return (*seats, going_back(MenuKind.MENU))


def people_items(desk: Desk) -> tuple[Item, ...]:
    """Give everybody who can sit at a seat, and nobody."""
    assert desk.menu is not None, "the list is open"
    seat = Seat(desk.menu.about)
    planned = (str(each) for each in table_of(desk.plan, "names").values())
    known = dict.fromkeys((*desk.customs.people, *planned))
    people = (
        Item(_("{seat}: {name}", seat=seat.value, name=name), partial(_sit, seat, name))
        for name in known
    )
    nobody = Item(_("{seat}: {name}", seat=seat.value, name="-"), partial(_sit, seat, ""))
    return (*people, *_typed_name(desk, seat), nobody, going_back(MenuKind.NAMES))


def _typed_name(desk: Desk, seat: Seat) -> tuple[Item, ...]:
    """Give the line for any other name, where people can type one."""
    if desk.menu is None or desk.menu.opener is not Place.PAGE:
        return ()
    return (Item(_("another name"), _no_keyboard, typed=partial(_sit_typed, seat)),)


def _no_keyboard(talk: Talk) -> None:
    talk.refuse(_("type a name"))


def _sit_typed(seat: Seat, talk: Talk, text: str) -> None:
    name = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if name:
        _sit(seat, name, talk)
    else:
        _no_keyboard(talk)


def _sit(seat: Seat, name: str, talk: Talk) -> None:
    talk.change(plan=with_name(talk.desk.plan, seat, name))
    open_list(talk, MenuKind.NAMES)
