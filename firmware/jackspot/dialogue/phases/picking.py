"""Presses that point at something: a line of the open list, one of its values, or a reading.

On buttons FIX goes from line to line and OK does the marked one; on a page people tap the line
they want. A press on a page marks the line first and is then the same press as on buttons. If
its line has changed meanwhile, it does nothing.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.lists.item import T_contra
from jackspot.dialogue.lists.menu import Listing, in_match, in_set_up
from jackspot.dialogue.proposals.proposing import stroke_of
from jackspot.dialogue.proposals.spanning import READINGS_BY_FIX
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import MatchTransition, Transition, TransitionOf, plays
from jackspot.dialogue.words.wording import proposal_word
from jackspot.sensing.events import Pick
from jackspot.values import changed

TYPED_LENGTH = 40
"""At most this many characters of typed text are taken."""


def point_at(transition: Transition, pick: Pick, action: Action) -> bool:
    """Take what a press points at; return whether it goes on as a press like any other."""
    menu = transition.dialogue.menu
    if menu is not None:
        if plays(transition):
            return _line(transition, in_match(transition.dialogue, menu), menu, pick)
        return _line(transition, in_set_up(menu), menu, pick)
    shown = transition.dialogue.proposal
    if action is Action.FIX and shown is not None and plays(transition):
        _reading(transition, shown, pick)
    else:
        transition.refuse(_("not now"))
    return False


def _line(
    transition: TransitionOf[T_contra], listing: Listing[T_contra], menu: Menu, pick: Pick
) -> bool:
    listed = listing.items(transition.dialogue)
    if pick.line >= len(listed) or str(listed[pick.line].label) != pick.label:
        transition.refuse(_("it just changed"))
        return False
    item = listed[pick.line]
    transition.change(menu=changed(menu, chosen=pick.line, used_ns=transition.now_ns))
    if pick.choice is not None:
        if pick.choice < len(item.choices):
            item.choices[pick.choice].act(transition)
        else:
            transition.refuse(_("not possible"))
        return False
    if pick.text and item.typed is not None:
        item.typed(transition, pick.text[:TYPED_LENGTH])
        return False
    return True


def _reading(transition: MatchTransition, shown: Proposal, pick: Pick) -> None:
    """Show a reading, so that OK confirms it; FIX goes on from there."""
    known = min(len(shown.readings), READINGS_BY_FIX)
    meant = changed(
        shown, chosen=min(pick.line, known - 1), edited=None, changed_ns=transition.now_ns
    )
    says = proposal_word(stroke_of(transition.game, meant), meant)
    if pick.line >= known or str(says) != pick.label:
        transition.refuse(_("it just changed"))
        return
    transition.review(meant)
