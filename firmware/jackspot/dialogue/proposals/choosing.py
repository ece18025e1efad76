"""Choosing among readings: what FIX shows next, and finding a reading again."""

from __future__ import annotations

from collections import Counter

from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import rules_for
from jackspot.dialogue.proposals.permitted import MISSED
from jackspot.dialogue.proposals.proposing import outcome, read_anew, stroke_of
from jackspot.dialogue.proposals.spanning import READINGS_BY_FIX
from jackspot.dialogue.state.dialogue_settings import Confirm
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.proposal import Proposal
from jackspot.readings.own_pieces import counts_by_colour
from jackspot.values import changed


def next_reading(
    dialogue: InMatch, shown: Proposal, by: Seat | None, now_ns: int
) -> Proposal | None:
    """Return the proposal with its next reading shown; None: there is no other.

    FIX at a seat says that this seat shot: its readings come first from now on. Where the
    opponent confirms, and in a review that UNDO reopened, FIX says nothing about who shot:
    people are then correcting what was confirmed.
    """
    if shown.flags & MISSED:
        broke = changed(shown, flags=shown.flags - MISSED, changed_ns=now_ns)
        if stroke_of(dialogue.game, shown).flags & MISSED:
            return broke  # it was a break after all: what fell stays as it is
        shown = broke  # more fell than a missed break can have: it was not said
    turned, first = shown, shown.chosen + 1
    speaks = by is not None and shown.reopened is None and _may_have_shot(dialogue, by)
    if speaks and shown.falls and shown.spoke is None:
        turned, first = (
            read_anew(dialogue, changed(shown, spoke=by, chosen=0, edited=None), now_ns),
            0,
        )
    other = _possible(dialogue, turned, first, shown)
    if other is None and outcome(dialogue, shown) is None:
        # The call and the flown pieces make it impossible: without them something is possible.
        bare = changed(turned, flags=frozenset(), flown=(), called=None)
        if turned.flown:  # what fell was read together with what flew off
            bare = read_anew(dialogue, changed(bare, chosen=0, edited=None), now_ns)
            first = 0
        other = _possible(dialogue, bare, first, shown)
    if other is None:
        return None
    return changed(other, opened_ns=shown.opened_ns, changed_ns=now_ns)


def _possible(
    dialogue: InMatch, proposal: Proposal, first: int, shown: Proposal
) -> Proposal | None:
    """Return a proposal with its next reading that the rules allow and that says something else.

    Readings are tried from number ``first`` on; None: there is none.
    """
    reached, said = min(len(proposal.readings), READINGS_BY_FIX), _said(dialogue, shown)
    for step in range(reached):
        other = changed(proposal, chosen=(first + step) % reached, edited=None)
        if _said(dialogue, other) != said and outcome(dialogue, other) is not None:
            return other
    return None


def _said(dialogue: InMatch, proposal: Proposal) -> tuple[object, ...]:
    """Return what people read in a proposal, however it came to say so.

    In which order pieces fell is part of it where the rules ask for it; that of a striker, or of
    what flew off, never is.
    """
    stroke = proposal.as_stroke(None)
    joins = proposal.joining is not None
    fallen: list[Piece] = []
    if not counts_by_colour(rules_for(dialogue.game.match.settings.rules)):
        fallen = [each.piece for each in stroke.departures if not each.flew_off]
    return (
        Counter(stroke.departures), [each for each in fallen if each is not Piece.STRIKER],
        changed(stroke, departures=()), proposal.is_stroke, joins, proposal.missed,
    )  # fmt: skip


def _may_have_shot(dialogue: InMatch, seat: Seat) -> bool:
    """Whether a FIX at this seat says that the seat shot."""
    playing = seat in dialogue.game.match.state.position.order
    return playing and dialogue.settings.confirm is not Confirm.OPPONENT
