"""The question whether a fall after the end was part of the last stroke."""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.phrases import _
from jackspot.dialogue.lists.item import Item
from jackspot.dialogue.proposals.open_falls import joined
from jackspot.dialogue.proposals.proposing import propose, read_anew
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.taking_back import take_back


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
