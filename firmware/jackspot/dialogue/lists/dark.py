"""The questions about pockets by hand: whether one is, which one, and where a piece fell."""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import _
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Departure
from jackspot.dialogue.actions.entering import confirm
from jackspot.dialogue.lists.item import Item, Items, MatchItems, closing, shut
from jackspot.dialogue.proposals.dark import dark_first, forget_unseen, mark, unmark
from jackspot.dialogue.proposals.proposing import ends_board, unnamed, with_pieces
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.menu_kinds import Menu
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import MatchTransition, Transition

# is it to be marked?


def dark_items(menu: Menu, dialogue: DialogueState) -> Items:
    """Return the one line, which means yes."""
    if menu.pocket is None:
        return which_dark_items(dialogue)
    return (Item(_("{pocket} manual", pocket=menu.pocket.value), partial(_mark, menu.pocket)),)


def _mark(pocket: Pocket, transition: Transition) -> None:
    shut(transition)
    mark(transition, pocket)


def not_dark(menu: Menu, transition: Transition) -> None:
    """Leave the pocket to its beam, and ask again after the same number of entries."""
    forget_unseen(transition, menu.pocket)
    shut(transition)


# which is it?


def which_dark_items(dialogue: DialogueState) -> Items:
    """Return the pockets that the pieces may have fallen into, and the way out."""
    asked = [pocket for pocket in Pocket if pocket not in dialogue.dark]
    return (
        *(Item(_("{pocket} manual", pocket=p.value), partial(_mark_one, p)) for p in asked),
        Item(_("none of them"), none_dark),
    )


def _mark_one(pocket: Pocket, transition: Transition) -> None:
    forget_unseen(transition, None)
    _mark(pocket, transition)


def none_dark(transition: Transition) -> None:
    """Leave all pockets to their beams, and ask again after the same number of entries."""
    forget_unseen(transition, None)
    shut(transition)


# the menu's list of pockets


def dark_pocket_items(dialogue: DialogueState) -> Items:
    """Return a line for each pocket that says how it is entered; OK changes it."""
    listed = [
        Item(_("{pocket}: manual", pocket=pocket.value), partial(unmark, pocket=pocket))
        if pocket in dialogue.dark
        else Item(_("{pocket}: beam", pocket=pocket.value), partial(mark, pocket=pocket))
        for pocket in Pocket
    ]
    return (*listed, closing())


# where did it fall?


def name_pocket_items(shown: Proposal, dialogue: InMatch) -> MatchItems:
    """Return the pockets, those by hand first."""
    pockets = dark_first(dialogue)
    return (
        *(
            Item(_("in {pocket}", pocket=each.value), partial(_name, shown, each))
            for each in pockets
        ),
        closing(),
    )


def _name(shown: Proposal, pocket: Pocket, transition: MatchTransition) -> None:
    """Say where the piece fell; once all are named, confirm the stroke unless it ends the board."""
    at = unnamed(transition.dialogue, shown)
    pieces = list(shown.departures)
    if at is not None:
        pieces[at] = Departure(pieces[at].piece, pocket)
    known = with_pieces(transition.dialogue, shown, tuple(pieces), transition.now_ns)
    transition.change(menu=None)
    transition.propose(known)
    if not ends_board(transition.dialogue, known):
        confirm(transition, known)
