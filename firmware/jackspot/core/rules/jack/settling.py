"""Settle a stroke after judging: payment on both sides, the jack spot, the next shot.

A :class:`JackVerdict` says what becomes of a stroke; here it is turned into the ruling.
"""

from __future__ import annotations

from msgspec import Struct, field

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side
from jackspot.core.rules.jack.carom import JackMemo, is_ready, memo_of
from jackspot.core.rules.own_colours import after_stroke, by_order, pay, take_in
from jackspot.core.ruling import BoardResult, How, Ruling


class JackVerdict(Struct):
    """What becomes of one stroke, filled in while the rules are applied."""

    own_in: int = 0
    opp_in: int = 0
    own_back: int = 0
    opp_back: int = 0
    jack_back: bool = False
    due: int = 0
    fault: bool = False
    keeps: bool = False
    void: bool = False
    won: bool = False
    lost: bool = False
    wrong_call: bool = False
    because: list[str] = field(default_factory=list)


def settle(
    position: Position, me: int, verdict: JackVerdict, *, ready: bool, rows: tuple[str, ...]
) -> Ruling:
    """Pay on both sides, and return what goes back on the jack spot and who shoots next.

    ``rows`` are those that the ruling follows; options that changed the outcome are added.
    """
    memo = memo_of(position)
    mine = take_in(position.counts[me], verdict.own_in)
    theirs = take_in(position.counts[1 - me], verdict.opp_in)
    result = _result(position, memo, me, verdict, (mine.pocketed, theirs.pocketed))
    if result is not None:  # nothing is paid or placed
        red = RedPlace.POCKETED if verdict.won else RedPlace.BOARD
        after = after_stroke(position, by_order(me, mine, theirs), memo, red=red)
        rows = (*rows, *verdict.because)
        return Ruling(rows, after, foul=verdict.fault, keeps_turn=False, result=result)
    mine, pays = pay(mine, verdict.due)
    theirs, opponent_pays = pay(theirs)
    if mine.owed and memo.terms.forgive_debt:
        verdict.because.append("A-02")
        mine = Count(mine.pocketed)
    memo = _remember(memo, me, verdict, mine, ready=ready)
    passes_to = None if verdict.keeps else position.following
    after = after_stroke(position, by_order(me, mine, theirs), memo, passes_to=passes_to)
    own, opponents = position.sides[me].piece, position.sides[1 - me].piece
    return Ruling(
        rows=(*rows, *verdict.because),
        after=after,
        foul=verdict.fault,
        keeps_turn=verdict.keeps,
        place=(opponents,) * (verdict.opp_back + opponent_pays)  # 12-E: own on top of it
        + (own,) * (verdict.own_back + pays)
        + (Piece.JACK,) * verdict.jack_back,  # 12-F
        paid=by_order(me, pays, opponent_pays),
    )


def _remember(
    memo: JackMemo, me: int, verdict: JackVerdict, count: Count, *, ready: bool
) -> JackMemo:
    """Return the memo for the next ruling; the same memo if nothing changed.

    LR-13 and HC-4 may still keep the turn here.
    """
    terms = memo.terms
    credit, second = 1, memo.second_chance
    if terms.shots_per_puck:
        credit = _shots_left(memo, verdict)
    missed = not (verdict.keeps or verdict.fault or verdict.void or verdict.own_in)
    if missed and _has_second_chance(memo, me, ready=ready):
        verdict.because.append("HC-4b" if ready else "HC-4")
        verdict.keeps = True
        credit, second = 1, False
    if not verdict.keeps:
        credit, second = 1, True
    tried = memo.jack_tried
    if terms.jack_one_shot != "off":
        tries = tried[me] or (ready and not verdict.void)
        tried = by_order(me, tries and is_ready(terms.handicaps[me], count), tried[1 - me])
    if (credit, second, tried) == (memo.credit, memo.second_chance, memo.jack_tried):
        return memo
    return JackMemo(terms, credit, second, tried, memo.broken, memo.level_at)


def _shots_left(memo: JackMemo, verdict: JackVerdict) -> int:
    """LR-13: each stroke takes one and adds the own pucks that count; a fault takes all."""
    ended = verdict.void or verdict.wrong_call or (verdict.fault and not verdict.keeps)
    credit = 0 if ended else memo.credit - 1 + verdict.own_in
    if credit > 1 or (credit > 0) != verdict.keeps:
        verdict.because.append("LR-13")
    verdict.keeps = credit > 0
    return credit


def _has_second_chance(memo: JackMemo, me: int, *, ready: bool) -> bool:
    """HC-4: once a turn after a miss; HC-4b: at the jack only if that was agreed."""
    handicap = memo.terms.handicaps[me]
    allowed = handicap.second_chance and memo.second_chance
    return allowed and (not ready or handicap.second_chance_on_jack)


def _result(
    position: Position, memo: JackMemo, me: int, verdict: JackVerdict, pucks_in: tuple[int, int]
) -> BoardResult | None:
    """Return the result if the stroke ended the board: by the jack, LR-16b, or in sudden death."""
    if verdict.won:
        winner, how = me, How.JACK
        scored = (pucks_in[0] + memo.terms.jack_points, pucks_in[1])
    elif verdict.lost:
        winner, how, scored = 1 - me, How.FOUL, pucks_in
    elif memo.level_at is not None and verdict.own_in and not verdict.fault:
        winner, how, scored = me, How.TIME, (memo.level_at + 1, memo.level_at)
    else:
        return None
    points = by_side(position.sides, *by_order(me, *scored))
    return BoardResult(position.sides[winner], how, points)
