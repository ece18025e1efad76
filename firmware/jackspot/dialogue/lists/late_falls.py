"""The question whether a fall after the end was part of the last stroke."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.dialogue.actions.taking_back import open_last_stroke
from jackspot.dialogue.lists.item import Item, MatchItems
from jackspot.dialogue.proposals.open_falls import joined
from jackspot.dialogue.proposals.proposing import propose, read_anew
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.sensing.events import Fall
from jackspot.values import changed


def late_items(menu: Menu, _dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("part of the last stroke"), partial(_join_late, menu.falls)),)


def _join_late(falls: tuple[Fall, ...], transition: MatchTransition) -> None:
    """Open the last stroke again, with the falls that came after it."""
    open_last_stroke(transition)
    opened = transition.dialogue.proposal
    if opened is None:
        transition.review(propose(transition.dialogue, falls, transition.now_ns))
    else:
        longer = changed(opened, falls=joined((*opened.falls, *falls)))
        transition.review(read_anew(transition.dialogue, longer, transition.now_ns))


def clear_late(menu: Menu, transition: MatchTransition) -> None:
    """Note that the falls belong to no stroke."""
    transition.record(EntryKind.CLEARING, falls=[fall.number for fall in menu.falls])
    transition.change(menu=None)
