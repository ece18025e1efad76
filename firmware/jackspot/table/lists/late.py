"""The question whether a fall after the end was part of the last stroke."""

from __future__ import annotations

from dataclasses import replace

from jackspot.table.desk import Desk
from jackspot.table.entries import Kind
from jackspot.table.lists.item import Item
from jackspot.table.open_falls import joined
from jackspot.table.phrases import _
from jackspot.table.proposing import propose, read_anew
from jackspot.table.taking_back import take_back
from jackspot.table.talk import Talk
from jackspot.table.view import Phase


def late_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes."""
    return (Item(_("part of the last stroke"), _join_late),)


def _join_late(talk: Talk) -> None:
    """Open the last stroke again, with the fall that came after it."""
    menu = talk.desk.menu
    assert menu is not None, "the question is open"
    take_back(talk)
    opened = talk.desk.proposal
    if opened is None:
        fresh = propose(talk.desk, menu.falls, talk.now_ns)
    else:
        longer = replace(opened, falls=joined((*opened.falls, *menu.falls)))
        fresh = read_anew(talk.desk, longer, talk.now_ns)
    talk.change(proposal=fresh)
    talk.go(Phase.REVIEW)


def clear_late(talk: Talk) -> None:
    """Note that the falls belong to no stroke."""
    menu = talk.desk.menu
    assert menu is not None, "the question is open"
    talk.record(Kind.CLEARING, falls=[fall.number for fall in menu.falls])
    talk.change(menu=None)
