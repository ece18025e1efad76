"""The penalties of carom with a jack, one function each: what ``hikone`` and ``japan`` share.

11-A to 11-D and section 10 are paragraphs of the town of Hikone's page; the ringed numbers
are those of the Japanese championship rules' list of mistakes and penalties. A-05, LR-14,
HC-2 and the like are alternatives that people may agree on.
"""

from __future__ import annotations

from jackspot.core.pieces import Piece
from jackspot.core.rules.jack.case import JackCase
from jackspot.core.rules.jack.settling import JackVerdict
from jackspot.core.rules.jack.terms import PUCKS_EACH
from jackspot.core.stroke import Flag

_MORE_THAN_TWO = ("LR-20", "A-01", "A-08")
"""What changes what a striker with own pucks costs, but not the two of LR-14."""


def striker_penalty(case: JackCase, verdict: JackVerdict) -> None:
    """11-A and 11-C-a: one puck for a striker in a pocket or off the board."""
    if case.handicap.no_striker_penalty:
        verdict.because.append("HC-1")
        return
    verdict.due += case.terms.striker_penalty
    if case.terms.striker_penalty != 1:
        verdict.because.append("LR-20")


def jack_penalty(case: JackCase, verdict: JackVerdict) -> None:
    """11-B and 11-C-b: five pucks, the jack on top of them."""
    penalty = case.terms.jack_penalty
    verdict.due += penalty
    agreed = "LR-8" if penalty in (2, 3) else "LR-20"
    if penalty != 5 and agreed not in verdict.because:
        verdict.because.append(agreed)


def jack_when_ready(case: JackCase, verdict: JackVerdict) -> None:
    """Section 13: all pucks were in, so the jack wins; 12-B, 12-D: whatever else fell."""
    if case.before.pocketed < PUCKS_EACH:
        verdict.because.append("HC-3b")
    if not _as_called(case, verdict):
        verdict.wrong_call = verdict.jack_back = True
        verdict.keeps = False
        return
    if not case.striker:
        verdict.won = True
    elif case.terms.jack_with_striker == "win":
        verdict.because.append("A-05")
        verdict.won = True
    else:  # 11-A takes a puck back, so no longer are all in
        verdict.jack_back = True
        if case.terms.jack_with_striker == "jack_penalty":
            verdict.because.append("A-05")
            jack_penalty(case, verdict)


def _as_called(case: JackCase, verdict: JackVerdict) -> bool:
    """Return whether the jack of a ready seat came as HC-6 and HC-7 ask."""
    if case.handicap.must_bank and Flag.UNBANKED in case.stroke.flags:
        verdict.because.append("HC-7")
        return False
    if case.handicap.called_pocket:
        jack = next(d for d in case.stroke.departures if d.piece is Piece.JACK)
        if jack.pocket is not case.stroke.called:
            verdict.because.append("HC-6")
            return False
    return True


def jack_too_early(case: JackCase, verdict: JackVerdict) -> None:
    """11-B: five and the jack. 12-A: also when the last puck came with it, unless LR-15."""
    terms = case.terms
    wins = terms.last_puck_with_jack == "win" and (
        not case.striker or terms.jack_with_striker == "win"
    )
    if case.last and wins:
        _fewer_needed(case, verdict)
        verdict.because.append("LR-15")
        verdict.won = True
        return
    verdict.fault = verdict.jack_back = True
    jack_penalty(case, verdict)


def faulty(case: JackCase, verdict: JackVerdict) -> None:
    """Section 10: a mistake ends the turn. 11-D: an own puck pocketed with it adds one."""
    fell = case.fell
    verdict.keeps = False
    _own_puck_with_it(case, verdict)
    if case.ready and fell.jack and not verdict.wrong_call and verdict.due == 0:
        verdict.won = True  # jack and striker, but nothing comes back: all are still in
        verdict.jack_back = False
    elif fell.striker and fell.own and not case.jack_gone:
        _only_striker_with_own(case, verdict)


def _own_puck_with_it(case: JackCase, verdict: JackVerdict) -> None:
    """11-D: "Since it's a foul, add one of your pocketed pucks to each of the penalties".

    One a stroke, unless agreed otherwise; and for pucks pocketed, unless flown ones count.
    """
    terms, own, flown = case.terms, case.fell.own, case.fell.own_off * case.terms.flown_adds
    striker = case.striker and not case.handicap.no_striker_penalty
    penalties = striker + _is_jack_at_fault(case, verdict)
    if not (own or flown) or not penalties:
        return  # HC-1: nor the one more that comes with the striker
    if case.fell.jack and case.last and not striker:
        five = terms.last_puck_with_jack == "five"
        if five != (terms.usual_last == "five"):
            verdict.because.append("A-04")
        if five:
            _fewer_needed(case, verdict)
            own = 0
    most = own + flown if terms.per_puck else 1
    added = min(own + flown, most)
    verdict.due += added * (penalties if terms.plus_one_each else 1)
    if added > min(own, most):
        verdict.because.append("A-08")
    if added > 1 or (terms.plus_one_each and penalties > 1):
        verdict.because.append("A-01")


def _fewer_needed(case: JackCase, verdict: JackVerdict) -> None:
    """HC-3b: the puck was the last needed, and not the last there is."""
    if case.before.pocketed + case.fell.own < PUCKS_EACH:
        verdict.because.append("HC-3b")


def _is_jack_at_fault(case: JackCase, verdict: JackVerdict) -> bool:
    """Return whether the jack is one of the faults; a ready side's wrong call is none (HC-6)."""
    if case.fell.jack_off:
        return True
    early = not case.ready or case.terms.jack_with_striker == "jack_penalty"
    return bool(case.fell.jack) and early and not verdict.wrong_call


def _only_striker_with_own(case: JackCase, verdict: JackVerdict) -> None:
    """LR-14 and HC-2: agreed exceptions for a striker that fell with an own puck."""
    free = case.handicap.no_striker_penalty
    if case.terms.two_keep:  # two are two, whatever a striker or a puck more would cost
        verdict.because = [each for each in verdict.because if each not in _MORE_THAN_TWO]
        verdict.because.append("LR-14")
        there = max(0, case.before.pocketed + case.fell.own - case.before.owed)
        verdict.keeps = free or there >= 2
        verdict.due = 0 if free else min(2, there)
    if case.handicap.keep_turn_with_striker:
        verdict.because.append("HC-2")
        verdict.keeps = True
