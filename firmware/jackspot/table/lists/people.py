"""Who sits where: names from the list that the configuration gives."""

from __future__ import annotations

from functools import partial

from jackspot.core.pieces import Seat
from jackspot.table.desk import Desk
from jackspot.table.lists.item import Item, going_back, open_list
from jackspot.table.menu_kinds import MenuKind
from jackspot.table.phrases import _
from jackspot.table.plans import table_of, with_name
from jackspot.table.talk import Talk


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
    return (*people, nobody, going_back(MenuKind.NAMES))


def _sit(seat: Seat, name: str, talk: Talk) -> None:
    talk.change(plan=with_name(talk.desk.plan, seat, name))
    open_list(talk, MenuKind.NAMES)
