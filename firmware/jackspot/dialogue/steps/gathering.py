"""One question for all that waits, where asking one after the other would ask too much.

When more than four proposals wait, when more fell than pieces are on the board, or when
nobody pressed for three minutes while something waits, the board asks for the counts: what
they come to if everything is taken as it reads likeliest. Yes enters every stroke as a line of
its own, so that each can be opened later. The details stay there to be opened one by one, and
where the readings are hopeless the counts can be set instead, if each side has one by colour.

What the counts come to is found by entering everything on a copy of the desk, so the answer
is the one that yes gives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from jackspot.core.directives import SetPocketed
from jackspot.core.phrases import _
from jackspot.core.pieces import Side
from jackspot.core.rules import rules_for
from jackspot.dialogue.proposals.legal import whole
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.proposals.proposing import outcome
from jackspot.dialogue.proposals.queueing import is_hand, read
from jackspot.dialogue.state.desk import Desk, Gathered
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.talk import PLACED, Talk
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.entering import confirm
from jackspot.dialogue.steps.settling import go_on, to_ready
from jackspot.readings.own_pieces import counts_by_colour, out_of_play
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall

MOST_WAITING = 4
"""More proposals than this ask one question instead."""

MOST_STEPS = 200
"""Far more steps than entering all that can wait takes."""

ASKED_IN = frozenset({Phase.REVIEW, Phase.PLACING, Phase.PAUSED})
"""Phases in which something can wait."""


# --- when it is asked ------------------------------------------------------------------


def ask_if_due(talk: Talk) -> None:
    """Ask the one question where it is due; keep what it says true while it is open."""
    desk = talk.desk
    if desk.details and not (desk.waiting or desk.parked):
        talk.change(details=False)
    if desk.menu is not None and desk.menu.kind is MenuKind.GATHERED:
        talk.change(gathered=gathered(talk.desk, talk.now_ns))
    elif desk.gathered is not None:
        talk.change(gathered=None)
    elif _may_ask(desk) and not desk.details and (_too_many(desk) or _too_much(desk)):
        ask(talk)


def _may_ask(desk: Desk) -> bool:
    """Whether a question about what waits could be asked now."""
    waits = bool(desk.waiting or desk.parked)
    if desk.game is None or desk.game.undone or desk.kept is not None:
        return False
    return waits and desk.menu is None and desk.phase in ASKED_IN


def _too_many(desk: Desk) -> bool:
    """Whether more proposals wait than anybody wants to go through."""
    if len(desk.waiting) + len(desk.parked) <= MOST_WAITING:
        return False
    asked = sum(not is_hand(read(desk, group)) for group in desk.waiting)
    return asked + len(desk.parked) > MOST_WAITING


def _too_much(desk: Desk) -> bool:
    """Whether more fell than pieces are on the board."""
    assert desk.game is not None, "falls wait only in a match"
    match = desk.game.match
    pieces = sum(rules_for(match.settings.rules).on_board(match.state.position).values())
    return len(open_falls(desk, desk.proposal)) > pieces


def unanswered_at_ns(desk: Desk) -> int | None:
    """Say when nobody has pressed for so long that the one question is asked; None: never."""
    return desk.answered_ns + desk.customs.unanswered_ns if _may_ask(desk) else None


def ask(talk: Talk) -> None:
    """Ask the one question; it stays until it is answered."""
    found = gathered(talk.desk, talk.now_ns)
    talk.change(menu=Menu(MenuKind.GATHERED, 0, talk.now_ns), gathered=found, details=False)


# --- what it comes to ------------------------------------------------------------------


def gathered(desk: Desk, now_ns: int) -> Gathered:
    """Say what the counts come to if everything is taken as it reads likeliest."""
    return _gathered(_Lying(desk, now_ns))


@dataclass(frozen=True, slots=True, eq=False)
class _Lying:
    """What lies on a desk, as a key to remember what it comes to."""

    desk: Desk
    now_ns: int

    @property
    def what(self) -> tuple[object, ...]:
        """What the counts depend on; a match is the same only as long as nothing is entered."""
        desk = self.desk
        assert desk.game is not None, "falls wait only in a match"
        return (
            id(desk.game.match), desk.game.lines, desk.game.undone, desk.proposal, desk.waiting,
            desk.parked, desk.phase, desk.place, desk.time_due, desk.glance, desk.dark,
            desk.faults, desk.customs,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Lying):
            return NotImplemented
        return self.what == other.what

    def __hash__(self) -> int:
        return hash((self.desk.waiting, self.desk.phase))


@lru_cache(maxsize=4)
def _gathered(lying: _Lying) -> Gathered:
    desk = lying.desk
    falls = tuple(fall.number for fall in open_falls(desk, desk.proposal))
    copy = Talk(replace(desk, menu=None, gathered=None), lying.now_ns)
    enter_all(copy)
    over = copy.desk.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    return Gathered(falls, out_of_play(copy.game.match.state), over)


def enter_all(talk: Talk) -> None:
    """Enter everything that waits, each stroke as its own line, until the board ends.

    A pause is a pause again afterwards. What needs an answer of its own is left open.
    """
    paused = talk.desk.phase is Phase.PAUSED and not talk.desk.glance
    talk.change(menu=None)
    for _step in range(MOST_STEPS):
        desk = talk.desk
        if desk.menu is not None:
            return
        if desk.phase is Phase.REVIEW:
            _confirm_likeliest(talk)
        elif desk.phase is Phase.PLACING and (desk.waiting or desk.parked):
            talk.join(PLACED)
            to_ready(talk)
        elif desk.phase is Phase.PAUSED and (desk.waiting or desk.parked):
            to_ready(talk)
        else:
            break
    if paused and talk.desk.phase is Phase.READY:
        talk.stop_clock()
        talk.go(Phase.PAUSED)


def _confirm_likeliest(talk: Talk) -> None:
    """Confirm what is shown, else the likeliest reading that the rules allow, else none."""
    shown = talk.proposal
    options = [shown]
    options += [replace(shown, chosen=n, edited=None) for n in range(len(shown.readings))]
    fits = next((each for each in options if outcome(talk.desk, each) is not None), None)
    talk.change(proposal=fits or _no_stroke(shown))
    confirm(talk)
    if talk.desk.menu is None and talk.desk.proposal is not None and _same(talk, shown):
        talk.change(proposal=_no_stroke(shown))
        confirm(talk)


def _same(talk: Talk, shown: Proposal) -> bool:
    """Whether a proposal is still open after an attempt to enter it."""
    return talk.proposal.falls == shown.falls and talk.proposal.opened_ns == shown.opened_ns


def _no_stroke(shown: Proposal) -> Proposal:
    """Take a proposal for no stroke at all."""
    none = Reading((), 1.0, _("no legal reading"), stroke=False)
    return replace(
        shown, readings=whole((none,)), chosen=0, edited=None, flags=frozenset(), flown=(),
    )  # fmt: skip


# --- answers ---------------------------------------------------------------------------


def one_by_one(talk: Talk) -> None:
    """Leave the question; what waits is asked one after the other, until nothing waits."""
    talk.change(menu=None, gathered=None, details=True, answered_ns=talk.now_ns)


def set_counts(talk: Talk) -> None:
    """Set the counts instead, with all falls noted beside them as one line.

    Only where each side's count is that of its colour.
    """
    found = talk.desk.gathered or gathered(talk.desk, talk.now_ns)
    position = talk.game.match.state.position
    entries = tuple(
        SetPocketed(side, count)
        for side, count in ((Side(piece.value), count) for piece, count in found.counts)
        if position.count(side).pocketed != count
    )
    falls: tuple[Fall, ...] = open_falls(talk.desk, talk.desk.proposal)
    glance = talk.desk.phase is Phase.PAUSED
    talk.change(menu=None, gathered=None, proposal=None, waiting=(), parked=())
    talk.enter(entries, falls)
    go_on(talk)
    if glance and talk.desk.phase is Phase.READY:
        talk.stop_clock()
        talk.go(Phase.PAUSED)


def may_set_counts(desk: Desk) -> bool:
    """Whether the counts can be set instead."""
    assert desk.game is not None, "counts belong to a match"
    return counts_by_colour(rules_for(desk.game.match.settings.rules))
