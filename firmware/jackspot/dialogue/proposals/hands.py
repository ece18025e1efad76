"""Hands: falls that are surely no piece are shown, not asked, and settle with the next OK.

Until that OK such a group stays on the desk, so that a hand that was none costs nothing: FIX
in *ready* offers it as the fall that it may have been.
"""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.pieces import Pocket
from jackspot.dialogue.proposals.queueing import opened, pockets_of
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.proposal import Group
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall


def assume(talk: Talk, group: Group) -> None:
    """Take falls for a hand until somebody says otherwise."""
    talk.change(assumed=(*talk.desk.assumed, group))


def offer(talk: Talk) -> None:
    """Open the newest hand as the fall that it may have been."""
    group = talk.desk.assumed[-1]
    fresh = opened(talk.desk, group, talk.now_ns)
    at = next((index for index, each in enumerate(fresh.readings) if each.stroke), 0)
    talk.change(assumed=talk.desk.assumed[:-1], proposal=replace(fresh, chosen=at))
    talk.go(Phase.REVIEW)


def grow(talk: Talk, fall: Fall) -> bool:
    """Let a further pulse join a hand that it belongs to; tell whether there is one."""
    for at, group in enumerate(talk.desk.assumed):
        if any(each.number == fall.number for each in group.falls):
            falls = tuple(fall if each.number == fall.number else each for each in group.falls)
            assumed = talk.desk.assumed
            longer = replace(group, falls=falls)
            talk.change(assumed=(*assumed[:at], longer, *assumed[at + 1 :]))
            return True
    return False


def hand_pockets(desk: Desk) -> tuple[Pocket, ...]:
    """Give the pockets in which a hand is assumed."""
    return pockets_of(tuple(fall for group in desk.assumed for fall in group.falls))
