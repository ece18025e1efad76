"""The menu of free play."""

from __future__ import annotations

from functools import partial

from jackspot.table.desk import Desk
from jackspot.table.free_play import add_piece, begin
from jackspot.table.lists.item import Item, closing, open_list
from jackspot.table.menu_kinds import MenuKind
from jackspot.table.phrases import _
from jackspot.table.talk import Talk


def free_items(_desk: Desk) -> tuple[Item, ...]:
    """Give what can be done in free play."""
    return (
        Item(_("play a match"), _a_match),
        Item(_("add a piece"), add_piece),
        Item(_("count anew"), begin),
        Item(_("pockets by hand"), partial(open_list, kind=MenuKind.DARK_POCKETS)),
        closing(),
    )


def _a_match(talk: Talk) -> None:
    """End free play; set-up lies open again."""
    talk.change(free=None, menu=None)
    talk.mark_entry()
