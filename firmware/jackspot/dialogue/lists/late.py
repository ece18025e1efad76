"""The question whether a fall after the end was part of the last stroke."""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.phrases import _
from jackspot.dialogue.lists.item import Item
from jackspot.dialogue.proposals.open_falls import joined
from jackspot.dialogue.proposals.proposing import propose, read_anew
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.taking_back import take_back


def late_items(_dialogue: DialogueState) -> tuple[Item, ...]:
    """Return the one answer that is a yes."""
    return (Item(_("part of the last stroke"), _join_late),)


def _join_late(transition: Transition) -> None:
    """Open the last stroke again, with the fall that came after it."""
    menu = transition.dialogue.menu
    assert menu is not None, "the question is open"
    take_back(transition)
    opened = transition.dialogue.proposal
    if opened is None:
        fresh = propose(transition.dialogue, menu.falls, transition.now_ns)
    else:
        longer = replace(opened, falls=joined((*opened.falls, *menu.falls)))
        fresh = read_anew(transition.dialogue, longer, transition.now_ns)
    transition.change(proposal=fresh)
    transition.go(Phase.REVIEW)


def clear_late(transition: Transition) -> None:
    """Note that the falls belong to no stroke."""
    menu = transition.dialogue.menu
    assert menu is not None, "the question is open"
    transition.record(EntryKind.CLEARING, falls=[fall.number for fall in menu.falls])
    transition.change(menu=None)
