"""Corrections by word of mouth: counts, whose turn, who resigns."""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import GiveTurn as Turn
from jackspot.core.directives import RedPlace, Resign, SetOwed, SetPocketed, SetRed
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.table.desk import Desk, MenuKind
from jackspot.table.entering import directive
from jackspot.table.lists.item import Item, closing, open_list, shut
from jackspot.table.phrases import Phrase, _
from jackspot.table.settling import to_ready
from jackspot.table.talk import Talk
from jackspot.table.view import Phase
from jackspot.table.wording import piece_word


def count_items(desk: Desk) -> tuple[Item, ...]:
    """Give the pucks that are in: one line for each side, OK is one more, held one less.

    So a count that is one off is right after five presses at most, with opening and closing
    the list: FIX held, OK, FIX, OK, FIX held.
    """
    position = _position(desk)
    listed = [
        _count(
            _("{side} in: {n}", side=_side(side), n=position.count(side).pocketed),
            SetPocketed(side, position.count(side).pocketed + 1),
            SetPocketed(side, position.count(side).pocketed - 1),
            position.pieces_each,
        )
        for side in position.sides
    ]
    done = Item(_("the table is right"), _counts_done)
    owed = Item(_("what is owed"), partial(open_list, kind=MenuKind.OWED))
    jack = Item(_("jack is on the board"), partial(_correct, SetRed(RedPlace.BOARD)))
    return (*listed, done, owed, jack)


def owed_items(desk: Desk) -> tuple[Item, ...]:
    """Give what is owed: one line for each side, OK is one more, held one less."""
    position = _position(desk)
    listed = [
        _count(
            _("{side} owes: {n}", side=_side(side), n=position.count(side).owed),
            SetOwed(side, position.count(side).owed + 1),
            SetOwed(side, position.count(side).owed - 1),
            MOST_OWED,
        )
        for side in position.sides
    ]
    return (*listed, Item(_("the table is right"), _counts_done))


MOST_OWED = 99
"""More than any stroke or match can make anybody owe."""


def _position(desk: Desk) -> Position:
    assert desk.game is not None, "counts belong to a match"
    return desk.game.match.state.position


def _count(
    label: Phrase, more: SetPocketed | SetOwed, less: SetPocketed | SetOwed, most: int
) -> Item:
    """Make the line of one count; what is not possible does nothing but say so."""
    return Item(
        label,
        partial(_correct, more) if more.count <= most else _cannot,
        act_held=partial(_correct, less) if less.count >= 0 else _cannot,
        says=_("+1, hold: -1"),
    )


def _cannot(talk: Talk) -> None:
    talk.refuse(_("not possible"))


def _side(side: Side) -> Phrase:
    return piece_word(Piece(side.value))


def _correct(entry: SetPocketed | SetOwed | SetRed, talk: Talk) -> None:
    """Correct a count at once, and keep the list open for a further correction."""
    menu = talk.desk.menu
    last = talk.game.lines[-1].entries if talk.game.lines else ()
    join = bool(last) and isinstance(last[-1], SetPocketed | SetOwed | SetRed)
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
