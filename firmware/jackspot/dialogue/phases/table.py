"""The table of phases: what a press or a fall does in each, and which phase may come next.

Theory of operation. :data:`TABLE` has a cell for each phase and press, :data:`FALLS` one for the
fall in each phase. A cell has the words for it on the page about the dialogue, the step that is
taken, and the phases it may lead to. :data:`LEADS` has the phases for triggers that are no press: a
line of a list, the quiet that ends *falling*, 0:00. A pair without a cell only gives a low beep.
The table is made of three, by what their steps are given: :data:`SET_UP`, :data:`IN_MATCH`, and
:data:`PROPOSED` for presses on what is proposed; :func:`take_press` chooses among them.

Any step may stay in its phase, since it may be refused, or may ask something first. :func:`lead`
takes each step and checks the phase it arrives in against the table. A wrong phase raises
:class:`WrongPhase`: a mistake in the program, which the net in
:mod:`jackspot.dialogue.phases.failures` catches and which makes any test fail.

The tables of DIALOGUE.md and its diagram are made from this one (``make pictures``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import product
from typing import Generic, TypeVar

from msgspec import Struct

from jackspot.core.order import MatchOrder
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.actions.taking_back import take_back
from jackspot.dialogue.lists.corrections import resume
from jackspot.dialogue.lists.editing import next_flag, next_off
from jackspot.dialogue.lists.yes_or_no import ask_for_the_point, ask_of_placing
from jackspot.dialogue.phases.ordered import not_us, put_aside, stay, we_are_here
from jackspot.dialogue.phases.presses import (
    ask_to_hold,
    correct_or_menu,
    next_board,
    open_menu,
    play_again,
    put_back,
    stroke_over,
)
from jackspot.dialogue.phases.reviewing import (
    edit,
    enter_by_hand,
    ok_falling,
    ok_held_review,
    ok_review,
    review_foul,
    review_piece_off,
    show_next_reading,
    undo_falling,
)
from jackspot.dialogue.phases.sensed import (
    ask_after_end,
    begin_stroke,
    join_stroke,
    let_fall_wait,
    show_width,
)
from jackspot.dialogue.phases.starting import last_match_back, next_setting, start
from jackspot.dialogue.state.dialogue_state import TAKES_ORDERS, DialogueState
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import (
    MatchTransition,
    StateT_co,
    Transition,
    TransitionOf,
    plays,
)
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall

SETUP, READY, FALLING, REVIEW, PLACING, PAUSED, BOARD_OVER, MATCH_OVER = Phase

StepT_co = TypeVar("StepT_co", covariant=True)
ReturnT = TypeVar("ReturnT")


class PhaseCell(Struct, Generic[StepT_co], frozen=True):
    """What a press or a fall does in a phase: in words, the step, the phases it may lead to."""

    says: str
    step: StepT_co
    to: tuple[Phase, ...] = ()


class Trigger(StrEnum):
    """What changes the phase without being a press."""

    FALL = "a fall"
    LIST = "a list"
    """A line of a list is done, or the list is closed."""
    QUIET = "quiet"
    """Nothing falls any more, or pieces have been falling for too long."""
    ZERO = "0:00"


MatchStep = Callable[[MatchTransition], None]
ProposalStep = Callable[[MatchTransition, Proposal], None]
OrderStep = Callable[[Transition, MatchOrder], None]
FallStep = Callable[[MatchTransition, Fall], None]

SET_UP: Mapping[Action, PhaseCell[Callable[[Transition], None]]] = {
    Action.OK: PhaseCell(
        "the match starts: this seat shoots first; from box and page, the seat shown",
        start, (READY, REVIEW),
    ),
    Action.FIX: PhaseCell(
        "seat: others play; box, page: another seat is first", next_setting
    ),
    Action.FIX_HELD: PhaseCell("menu", open_menu),
    Action.UNDO: PhaseCell(
        "the last match is back", last_match_back, (PAUSED, BOARD_OVER, MATCH_OVER)
    ),
}  # fmt: skip
"""What each press does in *setup*, where no match is on the board."""

ORDERED: Mapping[Action, PhaseCell[OrderStep]] = {
    Action.OK: PhaseCell(
        "its players are here: *setup* has their match; one that begins at once is started, one "
        "that began at another board goes on",
        we_are_here, (SETUP, READY, PLACING, PAUSED, BOARD_OVER),
    ),
    Action.OK_HELD: PhaseCell(
        "the same", we_are_here, (SETUP, READY, PLACING, PAUSED, BOARD_OVER)
    ),
    Action.FIX: PhaseCell("others are here: the desk is told", not_us),
}  # fmt: skip
"""What presses do to a hall's order, in *setup* and in *match_over*; they take precedence there."""

MOVED: Mapping[Action, PhaseCell[MatchStep]] = {
    Action.OK: PhaseCell("it goes on there: *setup*", put_aside, (SETUP,)),
    Action.FIX: PhaseCell("it goes on here all the same", stay),
}
"""What presses do in *paused* when the hall's desk says that the match went on elsewhere."""

PROPOSED: Mapping[tuple[Phase, Action], PhaseCell[ProposalStep]] = {
    (FALLING, Action.OK): PhaseCell(
        "confirms, if the reading has stood a while, no beam is broken and it ends no board; else "
        "*review*",
        ok_falling, (READY, REVIEW, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    ),
    (FALLING, Action.FIX): PhaseCell("*review*, next reading", show_next_reading, (REVIEW,)),
    (FALLING, Action.FOUL): PhaseCell("marks a foul", next_flag),
    (FALLING, Action.OFF): PhaseCell("marks a piece off", next_off),
    (REVIEW, Action.OK): PhaseCell(
        "confirms, unless it ends the board",
        ok_review, (READY, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    ),
    (REVIEW, Action.OK_HELD): PhaseCell(
        "confirms it in any case", ok_held_review, (READY, PLACING, PAUSED, BOARD_OVER, MATCH_OVER)
    ),
    (REVIEW, Action.FIX): PhaseCell("next reading", show_next_reading),
    (REVIEW, Action.FOUL): PhaseCell("next flag", next_flag),
    (REVIEW, Action.OFF): PhaseCell("next piece off", next_off),
    (FALLING, Action.FIX_HELD): PhaseCell("edit", edit, (REVIEW,)),
    (FALLING, Action.UNDO): PhaseCell(
        "takes the last entry back; what fell comes back later",
        undo_falling, (SETUP, READY, REVIEW, PLACING, BOARD_OVER),
    ),
    (REVIEW, Action.FIX_HELD): PhaseCell("edit", edit),
}  # fmt: skip
"""What presses do to what is proposed."""

IN_MATCH: Mapping[tuple[Phase, Action], PhaseCell[MatchStep]] = {
    (READY, Action.OK): PhaseCell(
        "nothing fell: recorded, the turn passes; not while a beam is broken. After UNDO: puts "
        "back what was taken back. Right after an automatic entry: it is right",
        stroke_over, (REVIEW, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    ),
    (READY, Action.FIX): PhaseCell(
        "right after an automatic entry: takes it back; else what was taken for a hand, first; "
        "else manual entry of something no beam saw",
        enter_by_hand, (REVIEW,),
    ),
    (READY, Action.FIX_HELD): PhaseCell("menu", open_menu),
    (READY, Action.FOUL): PhaseCell(
        "review with a foul; soon after an entry, of the stroke before", review_foul, (REVIEW,)
    ),
    (READY, Action.OFF): PhaseCell(
        "review with a piece off the board, the striker first, because it flies most often; soon "
        "after an entry, of the stroke before",
        review_piece_off, (REVIEW,),
    ),
    (READY, Action.UNDO): PhaseCell(
        "takes the last entry back",
        take_back, (SETUP, REVIEW, PLACING, BOARD_OVER),
    ),
    (REVIEW, Action.UNDO): PhaseCell(
        "takes the last entry back, see below",
        take_back, (SETUP, READY, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    ),
    (PLACING, Action.OK): PhaseCell(
        "it is placed; in kagw, where people shot on meanwhile, opens that first",
        put_back, (READY, REVIEW, PAUSED, BOARD_OVER, MATCH_OVER),
    ),
    (PLACING, Action.FIX): PhaseCell(
        "asks, where the record allows it and not the debtor: forgotten (kagw), waived (icf, "
        "grundregeln)",
        ask_of_placing,
    ),
    (PLACING, Action.FIX_HELD): PhaseCell("menu", open_menu),
    (PLACING, Action.UNDO): PhaseCell(
        "takes the stroke back", take_back, (SETUP, READY, REVIEW, BOARD_OVER)
    ),
    (PAUSED, Action.OK): PhaseCell(
        "goes on", resume, (READY, REVIEW, PLACING, BOARD_OVER, MATCH_OVER)
    ),
    (PAUSED, Action.FIX): PhaseCell(
        "menu; after a power cut, corrects the counts", correct_or_menu
    ),
    (PAUSED, Action.FIX_HELD): PhaseCell("menu", open_menu),
    (BOARD_OVER, Action.OK): PhaseCell(
        "next board; after UNDO, puts back what was taken back",
        next_board, (READY, REVIEW, PLACING, PAUSED, MATCH_OVER),
    ),
    (BOARD_OVER, Action.FIX): PhaseCell(
        "icf: asks, was the extra point demanded", ask_for_the_point
    ),
    (BOARD_OVER, Action.FIX_HELD): PhaseCell("menu", open_menu),
    (BOARD_OVER, Action.UNDO): PhaseCell(
        "takes the last entry back",
        take_back, (READY, REVIEW, PLACING, PAUSED, MATCH_OVER),
    ),
    (MATCH_OVER, Action.OK): PhaseCell("says only that it must be held", ask_to_hold),
    (MATCH_OVER, Action.OK_HELD): PhaseCell("*setup* with the same settings", play_again, (SETUP,)),
    (MATCH_OVER, Action.FIX): PhaseCell("menu", open_menu),
    (MATCH_OVER, Action.FIX_HELD): PhaseCell("menu", open_menu),
    (MATCH_OVER, Action.UNDO): PhaseCell(
        "takes the last entry back", take_back, (READY, REVIEW, PLACING, BOARD_OVER)
    ),
}  # fmt: skip
"""What all other presses do in a match."""

TABLE: Mapping[tuple[Phase, Action], PhaseCell[object]] = {
    **{(SETUP, action): cell for action, cell in SET_UP.items()}, **PROPOSED, **IN_MATCH,
}  # fmt: skip
"""What each press does in each phase. A held OK without a cell counts as an OK."""

FALLS: Mapping[Phase, PhaseCell[FallStep]] = {
    SETUP: PhaseCell("tick; shows which beam saw how many ms", show_width),
    READY: PhaseCell("*falling*", begin_stroke, (FALLING,)),
    FALLING: PhaseCell("joins", join_stroke),
    REVIEW: PhaseCell("waits", let_fall_wait),
    PLACING: PhaseCell("waits", let_fall_wait),
    PAUSED: PhaseCell("waits", let_fall_wait),
    BOARD_OVER: PhaseCell("asks, or is cleared away", ask_after_end),
    MATCH_OVER: PhaseCell("asks, or is cleared away", ask_after_end),
}
"""What a fall does in each phase."""

LEADS: Mapping[tuple[Phase, Trigger], tuple[Phase, ...]] = {
    (READY, Trigger.LIST): (SETUP, REVIEW, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    (REVIEW, Trigger.LIST): (SETUP, READY, PLACING, PAUSED, BOARD_OVER, MATCH_OVER),
    (PLACING, Trigger.LIST): (SETUP, READY, REVIEW, PAUSED, BOARD_OVER, MATCH_OVER),
    (PAUSED, Trigger.LIST): (SETUP, READY, REVIEW, PLACING, BOARD_OVER, MATCH_OVER),
    (BOARD_OVER, Trigger.LIST): (SETUP, READY, REVIEW, PLACING, PAUSED, MATCH_OVER),
    (MATCH_OVER, Trigger.LIST): (SETUP, READY, REVIEW, PLACING, BOARD_OVER),
    (FALLING, Trigger.QUIET): (READY, REVIEW, PAUSED, BOARD_OVER, MATCH_OVER),
    (READY, Trigger.ZERO): (BOARD_OVER, MATCH_OVER),
    (PLACING, Trigger.ZERO): (BOARD_OVER, MATCH_OVER),
}
"""The phases that triggers other than presses may lead to: lists, and what happens on its own."""

NEXT: Mapping[tuple[Phase, Action | Trigger], frozenset[Phase]] = {
    **{at: frozenset(cell.to) for at, cell in TABLE.items()},
    **{
        (phase, action): frozenset({*TABLE[phase, action].to, *ORDERED[action].to} - {phase})
        for phase, action in product(TAKES_ORDERS, ORDERED)
        if (phase, action) in TABLE
    },
    **{
        (PAUSED, action): frozenset({*TABLE[PAUSED, action].to, *cell.to})
        for action, cell in MOVED.items()
    },
    **{(phase, Trigger.FALL): frozenset(cell.to) for phase, cell in FALLS.items()},
    **{at: frozenset(phases) for at, phases in LEADS.items()},
}
"""The phases that each press, fall, list and instant may lead to, besides the current one."""


class WrongPhase(AssertionError):
    """A step led to a phase that the table does not list for it."""


def lead(
    transition: TransitionOf[StateT_co],
    trigger: Action | Trigger,
    step: Callable[[TransitionOf[StateT_co]], ReturnT],
) -> ReturnT:
    """Take a step and check where it arrives against the table; raises :class:`WrongPhase`."""
    came_from = transition.dialogue.phase
    returned = step(transition)
    arrived = transition.dialogue.phase
    if arrived is not came_from and arrived not in NEXT.get((came_from, trigger), ()):
        raise WrongPhase(f"{trigger} led from {came_from} to {arrived}, which the table has not")
    return returned


def plain_press(phase: Phase, action: Action) -> Action | None:
    """Return what a press means in a phase: a held OK without a cell of its own is an OK."""
    if (phase, action) not in TABLE and action is Action.OK_HELD:
        action = Action.OK
    return action if (phase, action) in TABLE else None


def take_press(transition: Transition, action: Action) -> bool:
    """Take the step of a press in this phase; return whether there is one."""
    shown, phase = transition.dialogue.proposal, transition.dialogue.phase
    plain = plain_press(phase, action)
    if plain is None:
        return False
    order = transition.dialogue.offered
    if order is not None and plain in ORDERED:
        lead(transition, plain, lambda taken: ORDERED[plain].step(taken, order))
    elif not plays(transition):
        lead(transition, plain, SET_UP[plain].step)
    elif phase is PAUSED and transition.dialogue.moved_to is not None and plain in MOVED:
        lead(transition, plain, MOVED[plain].step)
    elif shown is not None and (phase, plain) in PROPOSED:
        step = PROPOSED[phase, plain].step
        lead(transition, plain, lambda taken: step(taken, shown))
    else:
        lead(transition, plain, IN_MATCH[phase, plain].step)
    return True


def take_fall(transition: Transition, fall: Fall) -> None:
    """Take the step of a fall in this phase."""
    if plays(transition):
        step = FALLS[transition.dialogue.phase].step
        lead(transition, Trigger.FALL, lambda taken: step(taken, fall))
    else:
        show_width(transition, fall)


_PRESSES: Mapping[Phase, frozenset[str]] = {
    phase: frozenset(action for at, action in TABLE if at is phase) for phase in Phase
}

WORKS_A_LIST = frozenset({Action.OK, Action.OK_HELD, Action.FIX, Action.FIX_HELD, Action.UNDO})
"""The presses that work an open list, and free play."""


def can_do(dialogue: DialogueState) -> frozenset[str]:
    """Return the names of presses that do something now; others get a low beep."""
    if dialogue.attract is not None:
        return frozenset(Action)
    if dialogue.menu is not None or dialogue.free is not None:
        return WORKS_A_LIST
    return _PRESSES[dialogue.phase]


BENEATH_FREE_PLAY = frozenset({(SETUP, Action.FIX_HELD), (SETUP, Action.UNDO)})
"""The presses that do the same in set-up while free play is open over it."""
