"""Hands: falls that are surely no piece are shown, not asked, and settle with the next OK.

Until that OK such a group stays in the dialogue, so that mistaking a piece for a hand costs
nothing: FIX in *ready* offers it as the fall that it may have been.
"""

from __future__ import annotations

from jackspot.core.pieces import Pocket
from jackspot.dialogue.proposals.queueing import opened, pockets_of
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.proposal import FallGroup
from jackspot.dialogue.state.transition import MatchTransition, Transition
from jackspot.sensing.events import Fall
from jackspot.values import changed

MOST_HANDS = 16
"""More hands than people can still have a doubt about."""


def assume(transition: Transition, group: FallGroup) -> None:
    """Take falls for a hand until somebody says otherwise."""
    transition.change(assumed=(*transition.dialogue.assumed, group))
    transition.settle_hands(transition.dialogue.assumed[:-MOST_HANDS])


def offer(transition: MatchTransition) -> None:
    """Open the newest hand as the fall that it may have been."""
    group = transition.dialogue.assumed[-1]
    fresh = opened(transition.dialogue, group, transition.now_ns)
    at = next((index for index, each in enumerate(fresh.readings) if each.stroke), 0)
    transition.change(assumed=transition.dialogue.assumed[:-1])
    transition.review(changed(fresh, chosen=at))


def grow(transition: Transition, fall: Fall) -> bool:
    """Let a further pulse join the hand that it belongs to; return whether there is one."""
    for at, group in enumerate(transition.dialogue.assumed):
        if any(each.number == fall.number for each in group.falls):
            falls = tuple(fall if each.number == fall.number else each for each in group.falls)
            assumed = transition.dialogue.assumed
            longer = changed(group, falls=falls)
            transition.change(assumed=(*assumed[:at], longer, *assumed[at + 1 :]))
            return True
    return False


def hand_pockets(dialogue: DialogueState) -> tuple[Pocket, ...]:
    """Return the pockets in which a hand is assumed."""
    return pockets_of(tuple(fall for group in dialogue.assumed for fall in group.falls))
