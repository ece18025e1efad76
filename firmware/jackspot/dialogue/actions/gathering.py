"""One question for all that waits, where asking about each thing in turn would ask too much.

The board asks for the counts when more than four proposals wait, when more fell than there are
pieces on the board, or when nobody has pressed for three minutes while something waits. It shows
what the counts come to if everything is taken as its likeliest reading.

- Yes enters every stroke as its own line, so that each can be opened later.
- The details can still be opened one by one.
- Where the readings are hopeless the counts can be set instead, if each side has one by colour.

The counts are found by entering everything on a copy of the dialogue, so the answer is the one
that yes gives.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from jackspot.core.directives import SetPocketed
from jackspot.core.phrases import _
from jackspot.core.pieces import Side
from jackspot.core.rules import rules_for
from jackspot.dialogue.actions.entering import confirm
from jackspot.dialogue.actions.settling import go_on, pause_again, people_went_on, to_ready
from jackspot.dialogue.proposals.hands import assume
from jackspot.dialogue.proposals.legal import whole
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.proposals.proposing import outcome
from jackspot.dialogue.proposals.queueing import is_hand, read
from jackspot.dialogue.state.dialogue_state import DialogueState, Gathered, InMatch
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import Paused, Review
from jackspot.dialogue.state.transition import MatchTransition, Transition, plays
from jackspot.dialogue.state.view import Phase
from jackspot.readings.own_pieces import counts_by_colour, out_of_play
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall
from jackspot.values import changed

MOST_WAITING = 4
"""More waiting proposals than this become one question."""

MOST_STEPS = 200
"""Far more steps than it takes to enter all that can wait."""

ASKED_IN = frozenset({Phase.REVIEW, Phase.PLACING, Phase.PAUSED})
"""Phases in which something can wait."""


# --- when it is asked ------------------------------------------------------------------


def ask_if_due(transition: Transition) -> None:
    """Ask the one question if it is due; while it is open, keep its counts true."""
    menu, details = transition.dialogue.menu, transition.dialogue.details
    if details and not (transition.dialogue.waiting or transition.dialogue.parked):
        transition.change(details=False)
    if plays(transition) and menu is not None and menu.kind is MenuKind.GATHERED:
        transition.change(gathered=gathered(transition.dialogue, transition.now_ns))
    elif transition.dialogue.gathered is not None:
        transition.change(gathered=None)
    elif plays(transition) and not details and _is_due(transition.dialogue):
        ask(transition)


def _is_due(dialogue: InMatch) -> bool:
    return _may_ask(dialogue) and (_too_many(dialogue) or _too_much(dialogue))


def _may_ask(dialogue: InMatch) -> bool:
    """Whether a question about what waits could be asked now."""
    waits = bool(dialogue.waiting or dialogue.parked)
    if dialogue.game.undone or dialogue.kept is not None:
        return False
    return waits and dialogue.menu is None and dialogue.phase in ASKED_IN


def _too_many(dialogue: InMatch) -> bool:
    """Whether more proposals wait than anybody wants to step through."""
    if len(dialogue.waiting) + len(dialogue.parked) <= MOST_WAITING:
        return False
    asked = sum(not is_hand(read(dialogue, group)) for group in dialogue.waiting)
    return asked + len(dialogue.parked) > MOST_WAITING


def _too_much(dialogue: InMatch) -> bool:
    """Whether more falls are open than there are pieces on the board."""
    match = dialogue.game.match
    pieces = sum(rules_for(match.settings.rules).on_board(match.state.position).values())
    return len(open_falls(dialogue, dialogue.proposal)) > pieces


def unanswered_at_ns(dialogue: DialogueState) -> int | None:
    """Return when the one question is asked because nobody has pressed for so long; None: never."""
    return (
        dialogue.timing.answered_ns + dialogue.settings.unanswered_ns
        if isinstance(dialogue, InMatch) and _may_ask(dialogue)
        else None
    )


def ask(transition: MatchTransition) -> None:
    """Ask the one question; it stays until it is answered."""
    found = gathered(transition.dialogue, transition.now_ns)
    transition.change(
        menu=Menu(MenuKind.GATHERED, 0, transition.now_ns), gathered=found, details=False
    )


# --- what it comes to ------------------------------------------------------------------


def gathered(dialogue: InMatch, now_ns: int) -> Gathered:
    """Return what the counts come to if everything is taken as its likeliest reading."""
    return _gathered(_Lying(dialogue, now_ns))


class _Lying(Struct, frozen=True, eq=False):
    """What is open in a dialogue, as a key to remember what it comes to."""

    dialogue: InMatch
    now_ns: int

    @property
    def what(self) -> tuple[object, ...]:
        """What the counts depend on; a match is the same only as long as nothing is entered."""
        dialogue, due = self.dialogue, self.dialogue.time_due
        return (
            id(dialogue.game.match), dialogue.game.lines, dialogue.game.undone, dialogue.proposal,
            dialogue.waiting, dialogue.parked, dialogue.phase, dialogue.place, dialogue.take, due,
            due and (due.zero_ns, due.beams, due.began), dialogue.glance, dialogue.dark,
            dialogue.faults, dialogue.settings,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Lying):
            return NotImplemented
        return self.what == other.what

    def __hash__(self) -> int:
        return hash((self.dialogue.waiting, self.dialogue.phase))


@lru_cache(maxsize=4)
def _gathered(lying: _Lying) -> Gathered:
    dialogue = lying.dialogue
    falls = tuple(fall.number for fall in open_falls(dialogue, dialogue.proposal))
    copy = MatchTransition(changed(dialogue, menu=None, gathered=None), lying.now_ns)
    enter_all(copy)
    over = copy.dialogue.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    return Gathered(falls, out_of_play(copy.game.match.state), over)


def enter_all(transition: MatchTransition) -> None:
    """Enter everything that waits, each stroke as its own line, until the board ends.

    A pause is a pause again afterwards. Anything that needs an answer of its own is left open.
    """
    before = transition.dialogue.question if not transition.dialogue.glance else None
    transition.change(menu=None)
    for _step in range(MOST_STEPS):
        dialogue = transition.dialogue
        if dialogue.menu is not None:
            return
        if isinstance(dialogue.question, Review):
            _confirm_likeliest(transition, dialogue.question.proposal)
        elif dialogue.phase in (Phase.PLACING, Phase.PAUSED) and (
            dialogue.waiting or dialogue.parked
        ):
            _open_what_waits(transition)
        else:
            break
    if isinstance(before, Paused):
        pause_again(transition, before)


def _open_what_waits(transition: MatchTransition) -> None:
    """Open what people have shot since; hands alone leave what is to be put back as it is."""
    dialogue = transition.dialogue
    if not (dialogue.place or dialogue.take):
        to_ready(transition)
    elif not people_went_on(transition):
        for group in dialogue.waiting:
            assume(transition, group)
        transition.change(waiting=())
        transition.go(Phase.PLACING)


def _confirm_likeliest(transition: MatchTransition, shown: Proposal) -> None:
    """Confirm what is shown, else the likeliest reading that the rules allow, else no stroke."""
    options = [shown]
    options += [changed(shown, chosen=n, edited=None) for n in range(len(shown.readings))]
    fits = next((each for each in options if outcome(transition.dialogue, each) is not None), None)
    _confirm_as(transition, fits or _no_stroke(shown))
    left = transition.dialogue.proposal
    if transition.dialogue.menu is None and left is not None and _same(left, shown):
        _confirm_as(transition, _no_stroke(shown))


def _confirm_as(transition: MatchTransition, shown: Proposal) -> None:
    transition.propose(shown)
    confirm(transition, shown)


def _same(one: Proposal, other: Proposal) -> bool:
    """Whether a proposal is still open after an attempt to enter it."""
    return (one.falls, one.opened_ns) == (other.falls, other.opened_ns)


def _no_stroke(shown: Proposal) -> Proposal:
    """Take a proposal for no stroke at all."""
    none = Reading((), 1.0, _("no legal reading"), stroke=False)
    return changed(
        shown, readings=whole((none,)), chosen=0, edited=None, flags=frozenset(), flown=(),
    )  # fmt: skip


# --- answers ---------------------------------------------------------------------------


def one_by_one(transition: MatchTransition) -> None:
    """Leave the question; what waits is asked one by one, until nothing waits."""
    transition.change(menu=None, gathered=None, details=True)
    transition.change_timing(answered_ns=transition.now_ns)


def set_counts(transition: MatchTransition) -> None:
    """Set the counts instead, with all falls noted beside them as one line.

    Only where each side's count is the count of its colour.
    """
    found = transition.dialogue.gathered or gathered(transition.dialogue, transition.now_ns)
    position = transition.game.match.state.position
    entries = tuple(
        SetPocketed(side, count)
        for side, count in ((Side(piece.value), count) for piece, count in found.counts)
        if position.count(side).pocketed != count
    )
    falls: tuple[Fall, ...] = open_falls(transition.dialogue, transition.dialogue.proposal)
    before = transition.dialogue.question
    transition.change(menu=None, gathered=None, waiting=(), parked=())
    transition.enter(entries, falls)
    go_on(transition)
    if isinstance(before, Paused):
        pause_again(transition, before)


def may_set_counts(dialogue: InMatch) -> bool:
    """Whether the counts can be set instead."""
    return counts_by_colour(rules_for(dialogue.game.match.settings.rules))
