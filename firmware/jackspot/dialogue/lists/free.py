"""The menu of free play."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.dialogue.lists.item import Item, closing, open_list
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.steps.free_play import add_piece, begin


def free_items(_desk: Desk) -> tuple[Item, ...]:
    """Give what can be done in free play."""
    return (
        Item(_("play a match"), _a_match),
        Item(_("add a piece"), add_piece),
        Item(_("reset the count"), begin),
        Item(_("manual pockets"), partial(open_list, kind=MenuKind.DARK_POCKETS)),
        closing(),
    )


def _a_match(talk: Talk) -> None:
    """End free play; set-up lies open again."""
    talk.change(free=None, menu=None)
    talk.mark_entry()
