"""A stroke of carom with a jack before the rules: what fell, and how its side stood."""

from __future__ import annotations

from typing import NamedTuple

from jackspot.core.position import Count, Position
from jackspot.core.rules.jack import facts as fact
from jackspot.core.rules.jack.settling import JackVerdict
from jackspot.core.rules.jack.stroke import NOTHING, JackFell, count_fallen, require_answers
from jackspot.core.rules.jack.terms import JackTerms
from jackspot.core.settings import Handicap
from jackspot.core.stroke import Flag, Stroke


class JackCase(NamedTuple):
    """What fell in a stroke, and how its side stood before it.

    ``ready``: all needed pucks in and nothing owed. ``last``: with this stroke all needed
    pucks are in.
    """

    stroke: Stroke
    fell: JackFell
    terms: JackTerms
    handicap: Handicap
    before: Count
    ready: bool
    last: bool

    @property
    def striker(self) -> bool:
        """Whether the striker is in a pocket or off the board."""
        return bool(self.fell.striker or self.fell.striker_off)

    @property
    def jack_gone(self) -> bool:
        """Whether the jack is in a pocket or off the board."""
        return bool(self.fell.jack or self.fell.jack_off)


def make_case(position: Position, me: int, terms: JackTerms, stroke: Stroke) -> JackCase:
    """Look at a stroke of side ``me``; IllegalStroke if it cannot have happened."""
    fell = count_fallen(position, me, terms, stroke)
    handicap, before = terms.handicaps[me], position.counts[me]
    need = handicap.pucks_needed
    ready = before.owed == 0 and before.pocketed >= need
    if ready and fell.jack:
        require_answers(handicap, stroke)
    last = before.pocketed < need <= before.pocketed + fell.own - before.owed
    return JackCase(stroke, fell, terms, handicap, before, ready, last)


def facts_of(position: Position, me: int, case: JackCase, verdict: JackVerdict) -> int:
    """Say what happened in the words of the decision tables."""
    before, fell, other = case.before, case.fell, position.counts[1 - me]
    facts = (
        (fact.READY if case.ready else fact.NOT_READY)
        | (fact.SOME if before.pocketed else fact.NONE)
        | (fact.OWING if before.owed else 0)
        | (fact.FOUL if Flag.FOUL in case.stroke.flags else 0)
    )
    if fell is NOTHING:
        return facts
    his_need = case.terms.handicaps[1 - me].pucks_needed
    there = before.pocketed + fell.own
    for each, holds in (
        (fact.OWN, fell.own),
        (fact.TWO_OWN, fell.own > 1),
        (fact.LAST, case.last),
        (fact.OPP, fell.opp),
        (fact.OPPONENT_LAST, other.pocketed < his_need <= other.pocketed + fell.opp - other.owed),
        (fact.STRIKER, fell.striker),
        (fact.ANY_STRIKER, case.striker),
        (fact.JACK, fell.jack),
        (fact.JACK_OFF, fell.jack_off),
        (fact.OWN_OFF, fell.own_off),
        (fact.OPP_OFF, fell.opp_off),
        (fact.ANY_OFF, fell.own_off or fell.opp_off),
        (fact.SHORT, there < verdict.due),
        (fact.UNPAID, there < before.owed + verdict.due),
        (fact.HE_OWES, other.owed),
        (fact.FAULT, case.striker or fell.jack_off or (fell.jack and not case.ready)),
    ):
        if holds:
            facts |= each
    return facts
