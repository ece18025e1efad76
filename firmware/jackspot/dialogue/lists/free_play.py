"""The menu of free play."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.dialogue.actions.free_play import add_piece, begin
from jackspot.dialogue.lists.item import Item, Items, closing, open_list
from jackspot.dialogue.state.layers import FreePlay
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import Transition


def free_items(free: FreePlay) -> Items:
    """Return what can be done in free play."""
    return (
        Item(_("play a match"), _a_match),
        Item(_("add a piece"), partial(add_piece, free=free)),
        Item(_("reset the count"), begin),
        Item(_("manual pockets"), partial(open_list, kind=MenuKind.DARK_POCKETS)),
        closing(),
    )


def _a_match(transition: Transition) -> None:
    """End free play; set-up is open again."""
    transition.change(free=None, menu=None)
    transition.mark_entry()
