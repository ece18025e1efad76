"""What each press does in each phase, as a table.

Longer answers have files of their own: :mod:`jackspot.dialogue.phases.starting` for set-up and
:mod:`jackspot.dialogue.phases.reviewing` for what fell; those of *ready*, of *placing*, of pauses
and of the ends stand here. Who may press, and when a press counts, is asked before
(:mod:`jackspot.dialogue.steps.guards`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jackspot.core.phrases import _
from jackspot.dialogue.lists.corrections import resume
from jackspot.dialogue.lists.editing import next_flag
from jackspot.dialogue.lists.item import open_list
from jackspot.dialogue.lists.told import ask_for_the_point, ask_of_placing
from jackspot.dialogue.phases.reviewing import (
    edit,
    enter_by_hand,
    mark_next_off,
    ok_falling,
    ok_held_review,
    ok_review,
    review_foul,
    review_piece_off,
    show_next_reading,
    undo_falling,
)
from jackspot.dialogue.phases.starting import last_match_back, next_setting, start
from jackspot.dialogue.proposals.keeping import let_later_wait
from jackspot.dialogue.proposals.permitted import asks_in_time, break_is_asked
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import NEXT_BOARD, PLACED, Transition
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.steps.entering import directive, miss
from jackspot.dialogue.steps.guards import Action
from jackspot.dialogue.steps.settling import people_went_on, to_ready
from jackspot.dialogue.steps.taking_back import redo_all, shelve, take_back
from jackspot.dialogue.words.wording import counted


def _menu(transition: Transition) -> None:
    open_list(transition, MenuKind.MENU)


def _stroke_over(transition: Transition) -> None:
    """Nothing fell; after an undo, put back what was taken back; or the gong."""
    if transition.dialogue.waits_for_gong and not transition.game.undone:
        _gong(transition)
    elif transition.dialogue.broken:
        transition.refuse(_("something falls just now"))
    elif transition.game.undone:
        redo_all(transition)
    elif break_is_asked(transition.dialogue):
        open_list(transition, MenuKind.TOUCHED)
    else:
        miss(transition)


def _gong(transition: Transition) -> None:
    """Start the clock that was armed."""
    transition.change(armed=None)
    transition.start_clock()
    transition.record(EntryKind.GONG)
    transition.mark_entry()
    transition.sound(Sound.AGAIN)


def _placed(transition: Transition) -> None:
    """Note that it was put back; where it matters when, what people shot since opens first.

    What opens after it is told that this was what the OK said.
    """
    if asks_in_time(transition.dialogue) and people_went_on(transition):
        return
    before, placed = transition.game, transition.dialogue.place
    transition.join(PLACED)
    if before.undone:
        let_later_wait(transition, before, replaces=False)
    transition.change(lying=(), missing=())
    transition.mark_entry()
    to_ready(transition)
    if transition.dialogue.proposal is not None and placed:
        transition.change(note=_("{pieces} placed", pieces=counted(placed)))


def _paused_fix(transition: Transition) -> None:
    open_list(transition, MenuKind.COUNTS if transition.dialogue.glance else MenuKind.MENU)


def _next_board(transition: Transition) -> None:
    """Begin the next board; after an undo, put back what was taken back."""
    transition.change(over_ns=None)
    if transition.game.undone:
        redo_all(transition)
    else:
        directive(transition, NEXT_BOARD)


def _again(transition: Transition) -> None:
    shelve(transition, "match over")


def _hold_for_again(transition: Transition) -> None:
    transition.refuse(_("hold OK to play again"))


Handler = Callable[[Transition], None]

TABLE: Mapping[tuple[Phase, Action], Handler] = {
    (Phase.SETUP, Action.OK): start,
    (Phase.SETUP, Action.FIX): next_setting,
    (Phase.SETUP, Action.FIX_HELD): _menu,
    (Phase.SETUP, Action.UNDO): last_match_back,
    (Phase.READY, Action.OK): _stroke_over,
    (Phase.READY, Action.FIX): enter_by_hand,
    (Phase.READY, Action.FIX_HELD): _menu,
    (Phase.READY, Action.FOUL): review_foul,
    (Phase.READY, Action.OFF): review_piece_off,
    (Phase.READY, Action.UNDO): take_back,
    (Phase.FALLING, Action.OK): ok_falling,
    (Phase.FALLING, Action.FIX): show_next_reading,
    (Phase.FALLING, Action.FIX_HELD): edit,
    (Phase.FALLING, Action.FOUL): next_flag,
    (Phase.FALLING, Action.OFF): mark_next_off,
    (Phase.FALLING, Action.UNDO): undo_falling,
    (Phase.REVIEW, Action.OK): ok_review,
    (Phase.REVIEW, Action.OK_HELD): ok_held_review,
    (Phase.REVIEW, Action.FIX): show_next_reading,
    (Phase.REVIEW, Action.FIX_HELD): edit,
    (Phase.REVIEW, Action.FOUL): next_flag,
    (Phase.REVIEW, Action.OFF): mark_next_off,
    (Phase.REVIEW, Action.UNDO): take_back,
    (Phase.PLACING, Action.OK): _placed,
    (Phase.PLACING, Action.FIX): ask_of_placing,
    (Phase.PLACING, Action.FIX_HELD): _menu,
    (Phase.PLACING, Action.UNDO): take_back,
    (Phase.PAUSED, Action.OK): resume,
    (Phase.PAUSED, Action.FIX): _paused_fix,
    (Phase.PAUSED, Action.FIX_HELD): _menu,
    (Phase.BOARD_OVER, Action.OK): _next_board,
    (Phase.BOARD_OVER, Action.FIX): ask_for_the_point,
    (Phase.BOARD_OVER, Action.FIX_HELD): _menu,
    (Phase.BOARD_OVER, Action.UNDO): take_back,
    (Phase.MATCH_OVER, Action.OK): _hold_for_again,
    (Phase.MATCH_OVER, Action.OK_HELD): _again,
    (Phase.MATCH_OVER, Action.FIX): _menu,
    (Phase.MATCH_OVER, Action.FIX_HELD): _menu,
    (Phase.MATCH_OVER, Action.UNDO): take_back,
}
"""What each press does in each phase. What is missing does nothing but a low beep."""

WORKS_A_LIST = frozenset({Action.OK, Action.OK_HELD, Action.FIX, Action.FIX_HELD, Action.UNDO})
"""What presses work an open list, and free play."""


def can_do(dialogue: DialogueState) -> frozenset[str]:
    """Name the presses that do something now; the others are answered by a low beep."""
    if dialogue.attract is not None:
        return frozenset(Action)
    if dialogue.menu is not None or dialogue.free is not None:
        return WORKS_A_LIST
    return frozenset(action for phase, action in TABLE if phase is dialogue.phase)


BENEATH_FREE_PLAY = frozenset({(Phase.SETUP, Action.FIX_HELD), (Phase.SETUP, Action.UNDO)})
"""What presses do in set-up also while free play lies over it."""
