"""What presses do in *ready*, in *placing*, in pauses and after an end.

Presses in set-up are in :mod:`jackspot.dialogue.phases.starting`, presses on what fell in
:mod:`jackspot.dialogue.phases.reviewing`.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.dialogue.actions.by_itself import agree
from jackspot.dialogue.actions.entering import directive, miss
from jackspot.dialogue.actions.gong import strike
from jackspot.dialogue.actions.settling import people_went_on, to_ready
from jackspot.dialogue.actions.taking_back import redo_all, shelve
from jackspot.dialogue.lists.item import open_list
from jackspot.dialogue.proposals.keeping import let_later_wait
from jackspot.dialogue.proposals.permitted import asks_in_time, break_is_asked
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.transition import NEXT_BOARD, PLACED, MatchTransition, Transition
from jackspot.dialogue.words.wording import counted


def open_menu(transition: Transition) -> None:
    """Open the menu."""
    open_list(transition, MenuKind.MENU)


def stroke_over(transition: MatchTransition) -> None:
    """Agree with what entered itself, strike the gong, put lines back, or enter a miss."""
    if transition.dialogue.by_itself is not None:
        agree(transition)
    elif transition.dialogue.waits_for_gong and not transition.game.undone:
        strike(transition)
    elif transition.dialogue.broken:
        transition.refuse(_("something falls just now"))
    elif transition.game.undone:
        redo_all(transition)
    elif break_is_asked(transition.dialogue):
        transition.change(menu=Menu(MenuKind.TOUCHED, 0, transition.now_ns))  # for all to answer
    else:
        miss(transition)


def put_back(transition: MatchTransition) -> None:
    """Note that the pieces were put back; where the order matters, first open what was shot since.

    Whatever opens afterwards shows a remark that the OK said this. Lines that UNDO had taken back
    wait as later lines.
    """
    if asks_in_time(transition.dialogue) and people_went_on(transition):
        return
    before, placed = transition.game, transition.dialogue.place
    transition.join(PLACED)
    transition.change(lying=(), missing=())
    if before.undone:
        let_later_wait(transition, before, replaced=0)
    transition.mark_entry()
    to_ready(transition)
    if transition.dialogue.proposal is not None and placed:
        transition.change(note=_("{pieces} placed", pieces=counted(placed)))


def correct_or_menu(transition: MatchTransition) -> None:
    """Open the counts while people compare them; otherwise the menu."""
    open_list(transition, MenuKind.COUNTS if transition.dialogue.glance else MenuKind.MENU)


def next_board(transition: MatchTransition) -> None:
    """Begin the next board; after an UNDO, put back what was taken back."""
    transition.change(over_ns=None)
    if transition.game.undone:
        redo_all(transition)
    else:
        directive(transition, NEXT_BOARD)


def play_again(transition: MatchTransition) -> None:
    """Go to set-up for another match."""
    shelve(transition, "match over")


def ask_to_hold(transition: MatchTransition) -> None:
    """Say that OK must be held to play again."""
    transition.refuse(_("hold OK to play again"))
