"""A time-out: a pause that a side asked for, with the clock stopped and the reason written down."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Side
from jackspot.dialogue.lists.item import Item, closing
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.wording import side_word


def time_out_items(desk: Desk) -> tuple[Item, ...]:
    """Give the sides that can ask for a time-out."""
    assert desk.game is not None, "a time-out belongs to a match"
    sides = (
        Item(_("time-out of {side}", side=side_word(side)), partial(_take, side))
        for side in desk.game.match.state.position.sides
    )
    return (*sides, closing())


def _take(side: Side, talk: Talk) -> None:
    pause(talk, side)


def pause(talk: Talk, side: Side | None = None) -> None:
    """Stop the clock until somebody says go on; with a side it is that side's time-out."""
    talk.change(menu=None)
    talk.stop_clock()
    talk.go(Phase.PAUSED)
    talk.change(time_out=side)
    if side is not None:
        talk.record(Kind.TIME_OUT, side=side.value)
