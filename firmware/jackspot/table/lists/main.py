"""The menu of a match: corrections, pause, and how to end by word of mouth."""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import Say, Saying
from jackspot.table.desk import Desk, MenuKind
from jackspot.table.lists.free import free_items
from jackspot.table.lists.item import Item, closing, open_list
from jackspot.table.lists.set_up import set_up_items
from jackspot.table.phrases import _
from jackspot.table.settling import directive, redo_all, shelve
from jackspot.table.talk import Talk
from jackspot.table.view import Phase


def menu_items(desk: Desk) -> tuple[Item, ...]:
    """Give what can be said by word of mouth now; before a match, its settings."""
    if desk.free is not None:
        return free_items(desk)
    if desk.game is None:
        return set_up_items(desk)
    over = desk.game.match.state.over
    listed: list[Item] = []
    if not over:
        listed += [
            Item(
                _("correct the counts"),
                partial(open_list, kind=MenuKind.COUNTS),
                act_held=partial(open_list, kind=MenuKind.OWED),
                says=_("do it, hold: owed"),
            ),
            Item(_("whose turn"), partial(open_list, kind=MenuKind.TURN)),
        ]
    if desk.phase in (Phase.READY, Phase.PLACING):
        listed.append(Item(_("pause"), _pause))
    if desk.game.undone:
        listed.append(Item(_("put back what was undone"), redo_all))
    if not over and desk.game.match.state.result is None:
        listed += [
            Item(_("resign"), partial(open_list, kind=MenuKind.RESIGN)),
            Item(_("draw"), partial(directive, entry=Say(Saying.DRAW)), held=True),
            Item(_("void the board"), partial(directive, entry=Say(Saying.BOARD)), held=True),
        ]
    listed.append(Item(_("end this match"), _end_match, held=True))
    listed.append(Item(_("pockets by hand"), partial(open_list, kind=MenuKind.DARK_POCKETS)))
    return (*listed, closing())


def _pause(talk: Talk) -> None:
    talk.change(menu=None)
    talk.stop_clock()
    talk.go(Phase.PAUSED)


def _end_match(talk: Talk) -> None:
    shelve(talk, "ended from the menu")
