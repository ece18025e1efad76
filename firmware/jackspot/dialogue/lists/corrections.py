"""Corrections by word of mouth: counts, whose turn, who resigns."""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import (
    GiveTurn as Turn,
    RedPlace,
    Resign,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import Match
from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import rules_for
from jackspot.dialogue.actions.entering import directive, end_by_word
from jackspot.dialogue.actions.settling import to_play
from jackspot.dialogue.lists.item import Item, MatchItems, closing, going_back, open_list, shut
from jackspot.dialogue.proposals.permitted import may_say
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.wording import queen_word, side_word


def count_items(dialogue: InMatch) -> MatchItems:
    """Return the pieces that are in: one line for each side; OK adds one, OK held takes one off.

    So a count that is one off is corrected in few presses, including opening and closing the list:
    on the box FIX held, OK, FIX, OK, FIX held.
    """
    match = dialogue.game.match
    position = match.state.position
    listed = [
        _count(
            match,
            _("{side} in: {n}", side=side_word(side), n=position.count(side).pocketed),
            SetPocketed(side, position.count(side).pocketed + 1),
            SetPocketed(side, position.count(side).pocketed - 1),
        )
        for side in position.sides
    ]
    done = Item(_("the table is right"), _counts_done)
    owed = Item(_("what is owed"), partial(open_list, kind=MenuKind.OWED))
    owes = may_say(match, SetOwed(position.side, position.count(position.side).owed))
    return (*listed, done, *([owed] if owes else []), _red_item(match))


def owed_items(dialogue: InMatch) -> MatchItems:
    """Return what is owed: one line for each side; OK adds one, OK held takes one off."""
    match = dialogue.game.match
    position = match.state.position
    listed = [
        _count(
            match,
            _("{side} owes: {n}", side=side_word(side), n=position.count(side).owed),
            SetOwed(side, position.count(side).owed + 1),
            SetOwed(side, position.count(side).owed - 1),
        )
        for side in position.sides
    ]
    return (*listed, Item(_("the table is right"), _counts_done))


# --- the jack, the queen ---------------------------------------------------------------


def _red_item(match: Match) -> Item[InMatch]:
    """Return the line of the jack, or the line that opens the places where a queen can be."""
    if rules_for(match.settings.rules).red is Piece.JACK:
        return Item(_("jack is on the board"), partial(_correct, SetRed(RedPlace.BOARD)))
    position = match.state.position
    where = queen_word(position.red, position.red_side)
    return Item(_("queen: {where}", where=where), partial(open_list, kind=MenuKind.QUEEN))


def queen_items(dialogue: InMatch) -> MatchItems:
    """Return the places where the queen can be."""
    match = dialogue.game.match
    sides = match.state.position.sides
    places = [
        SetRed(RedPlace.BOARD, None, Piece.QUEEN),
        *(SetRed(RedPlace.PENDING, side, Piece.QUEEN) for side in sides),
        *(SetRed(RedPlace.COVERED, side, Piece.QUEEN) for side in sides),
    ]
    listed = [
        Item(_("queen: {where}", where=queen_word(each.place, each.side)), partial(_put, each))
        for each in places
        if may_say(match, each)
    ]
    return (*listed, going_back(MenuKind.COUNTS))


def _put(entry: SetRed, transition: MatchTransition) -> None:
    """Say where the queen is, and go back to the counts."""
    _correct(entry, transition)
    if transition.dialogue.menu is not None:
        open_list(transition, MenuKind.COUNTS)


# --- one count -------------------------------------------------------------------------


MOST_OWED = 99
"""More than any stroke or match can make a side owe."""


def _count(
    match: Match, label: Phrase, more: SetPocketed | SetOwed, less: SetPocketed | SetOwed
) -> Item[InMatch]:
    """Return the line of one count; pressing for an impossible count only says so."""
    up = more.count <= MOST_OWED and may_say(match, more)
    down = less.count >= 0 and may_say(match, less)
    return Item(
        label,
        partial(_correct, more) if up else _cannot,
        act_held=partial(_correct, less) if down else _cannot,
        says=_("+1, hold: -1") if up or not down else _("hold: -1"),
        pages=(_("+1"), _("-1")),
    )


def _cannot(transition: MatchTransition) -> None:
    transition.refuse(_("not possible"))


def _correct(entry: SetPocketed | SetOwed | SetRed, transition: MatchTransition) -> None:
    """Correct a count at once, and keep the list open for another correction."""
    menu = transition.dialogue.menu
    last = transition.game.lines[-1].entries if transition.game.lines else ()
    join = bool(last) and isinstance(last[-1], SetPocketed | SetOwed | SetRed)
    directive(transition, entry, join=join)
    if transition.game.match.state.result is None:
        transition.change(menu=menu)


def _counts_done(transition: MatchTransition) -> None:
    shut(transition)
    if transition.dialogue.phase is Phase.PAUSED and transition.dialogue.glance:
        resume(transition)


def resume(transition: MatchTransition) -> None:
    """Go on after a pause, or after a look at the table."""
    transition.change(glance=None, menu=None)
    transition.start_clock()
    transition.mark_entry()
    to_play(transition)


def turn_items(dialogue: InMatch) -> MatchItems:
    """Return the seats that can be given the turn."""
    order = dict.fromkeys(dialogue.game.match.state.position.order)
    given = [Item(_("turn to {seat}", seat=seat.value), partial(_give, seat)) for seat in order]
    return (*given, closing())


def _give(seat: Seat, transition: MatchTransition) -> None:
    directive(transition, Turn(seat))


def resign_items(dialogue: InMatch) -> MatchItems:
    """Return the seats that can resign."""
    order = dict.fromkeys(dialogue.game.match.state.position.order)
    seats = [
        Item(_("{seat} resigns", seat=seat.value), partial(_resign, seat), held=True)
        for seat in order
    ]
    return (*seats, closing())


def _resign(seat: Seat, transition: MatchTransition) -> None:
    end_by_word(transition, Resign(seat))
