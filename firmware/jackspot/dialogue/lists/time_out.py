"""A time-out: a pause that a side asked for, with the clock stopped and the reason written down."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Side
from jackspot.dialogue.lists.item import Item, MatchItems, closing
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.words.wording import side_word


def time_out_items(dialogue: InMatch) -> MatchItems:
    """Return the sides that can ask for a time-out."""
    sides = (
        Item(_("time-out of {side}", side=side_word(side)), partial(_take, side))
        for side in dialogue.game.match.state.position.sides
    )
    return (*sides, closing())


def _take(side: Side, transition: MatchTransition) -> None:
    pause(transition, side)


def pause(transition: MatchTransition, side: Side | None = None) -> None:
    """Stop the clock until somebody resumes play; with a side it is that side's time-out."""
    transition.change(menu=None)
    transition.stop_clock()
    transition.change(question=Paused(side))
    if side is not None:
        transition.record(EntryKind.TIME_OUT, side=side.value)
