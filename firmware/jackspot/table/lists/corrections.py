"""Corrections by word of mouth: counts, whose turn, who resigns."""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import GiveTurn as Turn
from jackspot.core.directives import Resign, SetOwed, SetPocketed
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.table.desk import Desk
from jackspot.table.lists.item import Item, closing, shut
from jackspot.table.phrases import Phrase, _
from jackspot.table.settling import directive, to_ready
from jackspot.table.talk import Talk
from jackspot.table.view import Phase
from jackspot.table.wording import piece_word


def count_items(desk: Desk) -> tuple[Item, ...]:
    """Give the counts to correct: always the same items, so that OK can be pressed again."""
    assert desk.game is not None, "counts belong to a match"
    position = desk.game.match.state.position
    listed: list[Item] = []
    for step, sign in ((1, "+1"), (-1, "-1")):
        for side in position.sides:
            count = position.count(side).pocketed
            label = _("{side} {n}: {sign}", side=_side(side), n=count, sign=sign)
            entry = SetPocketed(side, count + step)
            fits = 0 <= entry.count <= position.pieces_each
            listed.append(Item(label, partial(_correct, entry) if fits else _cannot))
    for side in position.sides:
        for step, sign in ((1, "+1"), (-1, "-1")):
            owed = position.count(side).owed
            label = _("{side} owes {n}: {sign}", side=_side(side), n=owed, sign=sign)
            debt = SetOwed(side, owed + step)
            listed.append(Item(label, partial(_correct, debt) if debt.count >= 0 else _cannot))
    return (*listed, Item(_("the table is right"), _counts_done))


def _cannot(talk: Talk) -> None:
    talk.refuse(_("not possible"))


def _side(side: Side) -> Phrase:
    return piece_word(Piece(side.value))


def _correct(entry: SetPocketed | SetOwed, talk: Talk) -> None:
    """Correct a count at once, and keep the list open for a further correction."""
    menu = talk.desk.menu
    last = talk.game.lines[-1].entries if talk.game.lines else ()
    join = bool(last) and isinstance(last[-1], SetPocketed | SetOwed)
    directive(talk, entry, join=join)
    if talk.game.match.state.result is None:
        talk.change(menu=menu)


def _counts_done(talk: Talk) -> None:
    shut(talk)
    if talk.desk.phase is Phase.PAUSED and talk.desk.glance:
        resume(talk)


def resume(talk: Talk) -> None:
    """Go on after a pause, or after a look at the table."""
    talk.change(glance=False, menu=None)
    talk.start_clock()
    talk.mark_entry()
    if talk.desk.place:
        talk.go(Phase.PLACING)
    else:
        to_ready(talk)


def turn_items(desk: Desk) -> tuple[Item, ...]:
    """Give the seats that the turn can be given to."""
    assert desk.game is not None, "a turn belongs to a match"
    order = dict.fromkeys(desk.game.match.state.position.order)
    given = [Item(_("turn to {seat}", seat=seat.value), partial(_give, seat)) for seat in order]
    return (*given, closing())


def _give(seat: Seat, talk: Talk) -> None:
    directive(talk, Turn(seat))


def resign_items(desk: Desk) -> tuple[Item, ...]:
    """Give the seats that can resign."""
    assert desk.game is not None, "one resigns a match"
    order = dict.fromkeys(desk.game.match.state.position.order)
    seats = [
        Item(_("{seat} resigns", seat=seat.value), partial(_resign, seat), held=True)
        for seat in order
    ]
    return (*seats, closing())


def _resign(seat: Seat, talk: Talk) -> None:
    directive(talk, Resign(seat))
