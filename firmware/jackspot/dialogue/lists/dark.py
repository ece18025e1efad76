"""The questions about pockets by hand: whether, which, and where a piece fell."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Departure
from jackspot.dialogue.lists.item import Item, closing, shut
from jackspot.dialogue.proposals.dark import dark_first, forget_unseen, mark, unmark
from jackspot.dialogue.proposals.proposing import ends_board, unnamed, with_pieces
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.steps.entering import confirm


def _pocket(desk: Desk) -> Pocket:
    menu = desk.menu
    assert menu is not None, "the question is open"
    assert menu.pocket is not None, "the question names a pocket"
    return menu.pocket


# is it to be marked?


def dark_items(desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes."""
    pocket = _pocket(desk)
    return (Item(_("{pocket} manual", pocket=pocket.value), partial(_mark, pocket)),)


def _mark(pocket: Pocket, talk: Talk) -> None:
    shut(talk)
    mark(talk, pocket)


def not_dark(talk: Talk) -> None:
    """Leave the pocket to its beam, and ask again after as many entries more."""
    forget_unseen(talk, _pocket(talk.desk))
    shut(talk)


# which is it?


def which_dark_items(desk: Desk) -> tuple[Item, ...]:
    """Give the pockets that the pieces may have fallen into, and the way out."""
    asked = [pocket for pocket in Pocket if pocket not in desk.dark]
    return (
        *(Item(_("{pocket} manual", pocket=p.value), partial(_mark_one, p)) for p in asked),
        Item(_("none of them"), none_dark),
    )


def _mark_one(pocket: Pocket, talk: Talk) -> None:
    forget_unseen(talk, None)
    _mark(pocket, talk)


def none_dark(talk: Talk) -> None:
    """Leave all pockets to their beams, and ask again after as many entries more."""
    forget_unseen(talk, None)
    shut(talk)


# the menu's list of pockets


def dark_pocket_items(desk: Desk) -> tuple[Item, ...]:
    """Give each pocket with how it is entered; OK changes it."""
    listed = [
        Item(_("{pocket}: manual", pocket=pocket.value), partial(unmark, pocket=pocket))
        if pocket in desk.dark
        else Item(_("{pocket}: beam", pocket=pocket.value), partial(mark, pocket=pocket))
        for pocket in Pocket
    ]
    return (*listed, closing())


# where did it fall?


def name_pocket_items(desk: Desk) -> tuple[Item, ...]:
    """Give the pockets, those by hand first."""
    pockets = dark_first(desk)
    return (
        *(Item(_("in {pocket}", pocket=each.value), partial(_name, each)) for each in pockets),
        closing(),
    )


def _name(pocket: Pocket, talk: Talk) -> None:
    """Say where the piece fell; once every pocket is named, that is confirmed."""
    shown = talk.proposal
    at = unnamed(talk.desk, shown)
    assert at is not None, "a piece without a pocket is asked about"
    pieces = list(shown.departures)
    pieces[at] = Departure(pieces[at].piece, pocket)
    known = with_pieces(talk.desk, shown, tuple(pieces), talk.now_ns)
    talk.change(proposal=known, menu=None)
    if not ends_board(talk.desk, known):
        confirm(talk)
