"""After the rules have spoken: payment on both sides, the jack spot, the next shot.

A :class:`JackVerdict` says what becomes of a stroke; here it turns into the ruling.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side
from jackspot.core.rules.jack.terms import JackMemo, memo_of
from jackspot.core.ruling import BoardResult, How, Ruling


@dataclass(slots=True)
class JackVerdict:
    """What becomes of one stroke, filled in while the rules are gone through."""

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
    """Pay on both sides, say what goes back on the jack spot and who shoots next.

    ``rows`` are what the ruling follows; options that changed the outcome are added.
    """
    memo = memo_of(position)
    before, other = position.counts[me], position.counts[1 - me]
    mine, theirs = before.pocketed + verdict.own_in, other.pocketed + verdict.opp_in
    result = _result(position, memo, me, verdict, mine, theirs)
    if result is not None:
        return _ended(position, memo, me, verdict, rows, result)
    owed, opponent_owes = before.owed + verdict.due, other.owed
    pays, opponent_pays = min(owed, mine), min(opponent_owes, theirs)
    owed -= pays
    if owed and memo.terms.forgive_debt:
        verdict.because.append("A-02")
        owed = 0
    count, opponent_count = (
        Count(mine - pays, owed),
        Count(theirs - opponent_pays, opponent_owes - opponent_pays),
    )
    memo = _remember(memo, me, verdict, count, ready=ready)
    keeps = verdict.keeps
    opponents, own = position.sides[1 - me].piece, position.sides[me].piece
    after = Position(
        order=position.order,
        turn=position.turn if keeps else position.following,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, opponent_count) if me == 0 else (opponent_count, count),
        pieces_each=position.pieces_each,
        strokes_in_turn=position.strokes_in_turn + 1 if keeps else 0,
        memo=memo,
    )
    return Ruling(
        rows=(*rows, *verdict.because),
        after=after,
        foul=verdict.fault,
        keeps_turn=keeps,
        place=(opponents,) * (verdict.opp_back + opponent_pays)  # 12-E: own on top of it
        + (own,) * (verdict.own_back + pays)
        + (Piece.JACK,) * verdict.jack_back,  # 12-F
        paid=(pays, opponent_pays) if me == 0 else (opponent_pays, pays),
    )


def _remember(
    memo: JackMemo, me: int, verdict: JackVerdict, count: Count, *, ready: bool
) -> JackMemo:
    """Carry on what the next ruling depends on; the same memo when nothing changed.

    LR-13 and HC-4 may still keep the turn here.
    """
    terms = memo.terms
    credit, second = 1, memo.second_chance
    if terms.shots_per_puck:
        credit = _shots_left(memo, verdict)
    missed = not (verdict.keeps or verdict.fault or verdict.void)
    if missed and _has_second_chance(memo, me, ready=ready):
        verdict.because.append("HC-4b" if ready else "HC-4")
        verdict.keeps = True
        credit, second = 1, False
    if not verdict.keeps:
        credit, second = 1, True
    tried = memo.jack_tried
    if terms.jack_one_shot != "off":
        still = count.owed == 0 and count.pocketed >= terms.handicaps[me].pucks_needed
        mine = still and (tried[me] or (ready and not verdict.void))
        tried = (mine, tried[1]) if me == 0 else (tried[0], mine)
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
    position: Position, memo: JackMemo, me: int, verdict: JackVerdict, mine: int, theirs: int
) -> BoardResult | None:
    """Return whether the stroke ended the board: by the jack, LR-16b, or in sudden death."""
    side, other = position.sides[me], position.sides[1 - me]
    if verdict.won or verdict.lost:
        mine += memo.terms.jack_points if verdict.won else 0
        points = {side: mine, other: theirs}
        return BoardResult(
            side if verdict.won else other,
            How.JACK if verdict.won else How.FOUL,
            MappingProxyType({each: points[each] for each in position.sides}),
        )
    if memo.level_at is not None and verdict.own_in and not verdict.fault:
        level = memo.level_at
        ones, twos = (level + 1, level) if me == 0 else (level, level + 1)
        return BoardResult(side, How.TIME, by_side(position.sides, ones, twos))
    return None


def _ended(
    position: Position,
    memo: JackMemo,
    me: int,
    verdict: JackVerdict,
    rows: tuple[str, ...],
    result: BoardResult,
) -> Ruling:
    """Return the ruling of a stroke that ended the board: nothing is paid or placed."""
    before, other = position.counts[me], position.counts[1 - me]
    count = Count(before.pocketed + verdict.own_in, before.owed)
    opponent_count = Count(other.pocketed + verdict.opp_in, other.owed)
    after = Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, opponent_count) if me == 0 else (opponent_count, count),
        pieces_each=position.pieces_each,
        red=RedPlace.POCKETED if verdict.won else RedPlace.BOARD,
        strokes_in_turn=position.strokes_in_turn + 1,
        memo=memo,
    )
    return Ruling(
        rows=(*rows, *verdict.because),
        after=after,
        foul=verdict.fault,
        keeps_turn=False,
        result=result,
    )
