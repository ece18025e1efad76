"""Hikone carom as the town explains it: win by the jack, no points.

To be read beside the town's page: letters and numbers such as 11-A, 12-C and section 10
are that page's; HK-07 and the like are rows of the decision table, A-05, LR-13 and HC-2
the alternatives that people may agree on. Twelve red and twelve green pucks, one jack.

A stroke is judged in the order the page implies: what fell; faults, seen against the
state *before* the stroke; the end of the game; penalties; payment by both sides, as far
as pucks are there; what goes back on the jack spot; who shoots next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from jackspot.core.directives import RedPlace
from jackspot.core.options import text_option, yes_no_option
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules import hikone_rows as row
from jackspot.core.rules.common import (
    best_of_boards,
    by_side,
    losers_first_seat,
    order_of_turns,
)
from jackspot.core.rules.hikone_table import direct, pucks_in
from jackspot.core.rules.hikone_terms import OWN_SIDE_POCKETS, Memo, Terms, memo_of, read_terms
from jackspot.core.rules.system import FinishedBoard, Rules, Standing
from jackspot.core.ruling import BoardResult, How, IllegalStroke, Ruling
from jackspot.core.settings import FIRST_SIDES, Handicap, MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke

PUCKS_EACH = 12
SIDES = FIRST_SIDES[RuleSystem.HIKONE]
OBVIOUS_FOUL = 1
"""12-C: "As a penalty, return one puck to the jack spot."."""
MISSED_JACK = 5
"""LR-16: pucks that come back when the one try at the jack is missed."""


def opening(settings: MatchSettings, _board_number: int, opener: Seat) -> Position:
    """Set a board up (section 3); ``opener`` shoots first."""
    order = order_of_turns(settings)
    terms = read_terms(settings, SIDES)
    first, second = terms.handicaps
    return Position(
        order=order,
        turn=order.index(opener),
        seat_sides=settings.sides,
        sides=SIDES,
        counts=(Count(first.head_start), Count(second.head_start)),
        pieces_each=PUCKS_EACH,
        memo=Memo(terms),
    )


class _Fell(NamedTuple):
    """What left the board in one stroke. ``own_home``: into the own side's pockets (LR-11)."""

    own: int = 0
    opp: int = 0
    jack: int = 0
    striker: int = 0
    own_off: int = 0
    opp_off: int = 0
    jack_off: int = 0
    striker_off: int = 0
    own_home: int = 0


_NOTHING = _Fell()


@dataclass(slots=True)
class _Verdict:
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
    last_shot: bool = False
    because: list[str] = field(default_factory=list)


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; :class:`IllegalStroke` if it cannot have happened."""
    memo = memo_of(position)
    terms = memo.terms
    me = position.sides.index(position.side)
    if terms.mass_break and not memo.broken:
        return _mass_break(position, memo, stroke)
    fell = _sort_out(position, me, terms, stroke) if stroke.departures else _NOTHING
    if stroke.flags or stroke.called:
        check(settings, stroke)
    handicap = terms.handicaps[me]
    before = position.counts[me]
    ready = before.owed == 0 and before.pocketed >= handicap.pucks_needed
    if ready and fell.jack and (handicap.called_pocket or handicap.must_bank):
        _require_answers(handicap, stroke)

    foul = Flag.FOUL in stroke.flags
    area = Flag.AREA in stroke.flags
    if foul or (area and terms.area_hit_is_foul):
        verdict = _invalid_play(terms, fell)
    elif area:
        verdict = _restored(terms, handicap, fell)
    else:
        verdict = _penalties(terms, handicap, before, ready, fell, stroke)
    if ready and not verdict.won and not verdict.void and not memo.jack_tried[me]:
        _one_shot_only(terms, verdict)
    facts = _facts(position, me, ready, fell, verdict, foul=foul or area)
    rows = [row.AREA_HIT if area and not foul else row.row_for(facts)]
    if area and not foul and terms.area_hit_is_foul:
        rows.append("A-07")
    return _settle(position, memo, me, ready, verdict, rows)


def _sort_out(position: Position, me: int, terms: Terms, stroke: Stroke) -> _Fell:
    """Count what fell, and refuse what is not there to fall."""
    own_piece, opp_piece = position.sides[me].piece, position.sides[1 - me].piece
    home = None if terms.own_side_pockets else OWN_SIDE_POCKETS[stroke.seat]
    own_left = PUCKS_EACH - position.counts[me].pocketed
    opp_left = PUCKS_EACH - position.counts[1 - me].pocketed
    own = opp = jack = striker = own_off = opp_off = jack_off = striker_off = own_home = 0
    for index, departure in enumerate(stroke.departures):
        piece, off = departure.piece, departure.flew_off
        if piece is own_piece:
            if off:
                own_off += 1
            elif home is not None and departure.pocket in home:
                own_home += 1
            else:
                own += 1
            if own + own_off + own_home > own_left:
                raise _too_many(piece, own_left, index)
        elif piece is opp_piece:
            opp, opp_off = (opp, opp_off + 1) if off else (opp + 1, opp_off)
            if opp + opp_off > opp_left:
                raise _too_many(piece, opp_left, index)
        elif piece is Piece.JACK:
            jack, jack_off = (jack, jack_off + 1) if off else (jack + 1, jack_off)
            if jack + jack_off > 1:
                raise _too_many(piece, 1, index)
        elif piece is Piece.STRIKER:
            striker, striker_off = (striker, striker_off + 1) if off else (striker + 1, striker_off)
            if striker + striker_off > 1:
                raise IllegalStroke("a stroke has one striker, this is a second", departure=index)
        else:
            raise IllegalStroke(f"there is no {piece} in hikone carom", departure=index)
        if home is not None and departure.pocket is None and not off and piece in _PUCKS:
            raise IllegalStroke(
                f"with own_side_pockets = false the pocket must be named: {piece}@NE, "
                f"{piece}@SE, {piece}@SW or {piece}@NW",
                departure=index,
            )
    return _Fell(own, opp, jack, striker, own_off, opp_off, jack_off, striker_off, own_home)


_PUCKS = frozenset({Piece.RED, Piece.GREEN})


def _too_many(piece: Piece, left: int, index: int) -> IllegalStroke:
    there = f"only {left} {'is' if left == 1 else 'are'}" if left else "none is"
    return IllegalStroke(
        f"{piece} number {left + 1} of this stroke: {there} left on the board", departure=index
    )


def check(settings: MatchSettings, stroke: Stroke) -> None:
    """Refuse flags, calls and strikers that these settings never allow (IllegalStroke)."""
    side = settings.sides.get(stroke.seat)
    handicap = settings.handicaps.get(side) if side else None
    for flag in sorted(stroke.flags):
        if flag is Flag.NOBREAK:
            raise IllegalStroke("hikone has no duty to break: no flag 'nobreak'", flag=flag)
        if flag is Flag.AREA:
            _check_area(settings, side)
        if flag in (Flag.BANKED, Flag.UNBANKED) and not (handicap and handicap.must_bank):
            raise IllegalStroke(f"'{flag}' goes with the handicap must_bank only", flag=flag)
    if {Flag.BANKED, Flag.UNBANKED} <= stroke.flags:
        raise IllegalStroke("'banked' and 'unbanked' exclude each other", flag=Flag.UNBANKED)
    if stroke.called and not (handicap and handicap.called_pocket):
        raise IllegalStroke("'call@' goes with the handicap called_pocket only", flag="call")
    strikers = 0
    allowed = len(settings.seats) if text_option(settings, "opening") == "mass_break" else 1
    for index, departure in enumerate(stroke.departures):
        strikers += departure.piece is Piece.STRIKER
        if strikers > allowed:
            words = "one striker" if allowed == 1 else f"{allowed} strikers at most"
            raise IllegalStroke(f"a stroke has {words}, this is one more", departure=index)


def _check_area(settings: MatchSettings, side: Side | None) -> None:
    """Section 8: the area rule is for players with a partner."""
    if not yes_no_option(settings, "area_rule"):
        raise IllegalStroke("area_rule = false: no flag 'area'", flag=Flag.AREA)
    if list(settings.sides.values()).count(side or SIDES[0]) < 2:
        raise IllegalStroke(
            "the area rule is for doubles: who plays alone may hit every piece", flag=Flag.AREA
        )


def _require_answers(handicap: Handicap, stroke: Stroke) -> None:
    """A ready seat under HC-6 or HC-7 pocketed the jack: was it as agreed?"""
    jack = next(
        index
        for index, departure in enumerate(stroke.departures)
        if departure.piece is Piece.JACK and not departure.flew_off
    )
    if handicap.called_pocket and stroke.called is None:
        raise IllegalStroke(
            "this side calls its pocket: 'call@' and the pocket named is missing", departure=jack
        )
    if handicap.called_pocket and stroke.departures[jack].pocket is None:
        raise IllegalStroke(
            "this side calls its pocket: the pocket the jack fell in is missing (jack@NE)",
            departure=jack,
        )
    if handicap.must_bank and not stroke.flags & {Flag.BANKED, Flag.UNBANKED}:
        raise IllegalStroke(
            "this side must bank the jack: 'banked' or 'unbanked' is missing", departure=jack
        )


def _as_called(handicap: Handicap, stroke: Stroke, verdict: _Verdict) -> bool:
    """Tell whether the jack of a ready seat came as HC-6 and HC-7 ask."""
    if handicap.must_bank and Flag.UNBANKED in stroke.flags:
        verdict.because.append("HC-7")
        return False
    if handicap.called_pocket:
        jack = next(d for d in stroke.departures if d.piece is Piece.JACK)
        if jack.pocket is not stroke.called:
            verdict.because.append("HC-6")
            return False
    return True


def _invalid_play(terms: Terms, fell: _Fell) -> _Verdict:
    """12-C: "that play is deemed invalid", what fell comes back, and one puck more."""
    verdict = _Verdict(
        own_back=fell.own + fell.own_off + fell.own_home,
        opp_back=fell.opp + fell.opp_off,
        jack_back=bool(fell.jack or fell.jack_off),
        due=OBVIOUS_FOUL,
        fault=True,
    )
    if fell.opp and not terms.foul_returns_opponents:
        verdict.opp_back -= fell.opp
        verdict.opp_in = fell.opp
        verdict.because.append("A-06")
    return verdict


def _restored(terms: Terms, handicap: Handicap, fell: _Fell) -> _Verdict:
    """Section 8: the opponent puts everything back where it was; a striker still pays."""
    verdict = _Verdict(void=True)
    if fell.striker or fell.striker_off:
        verdict.fault = True
        verdict.due = _striker_penalty(terms, handicap, verdict)
    return verdict


def _striker_penalty(terms: Terms, handicap: Handicap, verdict: _Verdict) -> int:
    """11-A and 11-C-a: one puck for a striker in a pocket or off the board."""
    if handicap.no_striker_penalty:
        verdict.because.append("HC-1")
        return 0
    if terms.striker_penalty != 1:
        verdict.because.append("LR-20")
    return terms.striker_penalty


def _jack_penalty(terms: Terms, verdict: _Verdict) -> int:
    """11-B and 11-C-b: five pucks, the jack on top of them."""
    if terms.jack_penalty != 5:
        verdict.because.append("LR-8" if terms.jack_penalty in (2, 3) else "LR-20")
    return terms.jack_penalty


def _penalties(
    terms: Terms, handicap: Handicap, before: Count, ready: bool, fell: _Fell, stroke: Stroke
) -> _Verdict:
    """Go through sections 10 to 13 for a stroke that was no obvious foul."""
    verdict = _Verdict(
        own_in=fell.own,
        opp_in=fell.opp,
        own_back=fell.own_off + fell.own_home,  # 12-D
        opp_back=fell.opp_off,
        jack_back=bool(fell.jack_off),
        keeps=fell.own > 0,  # section 10
    )
    if fell.own_home:
        verdict.because.append("LR-11")
    if fell is _NOTHING:
        return verdict
    striker = fell.striker or fell.striker_off
    verdict.fault = bool(striker or fell.jack_off)
    if striker:
        verdict.due += _striker_penalty(terms, handicap, verdict)
    if fell.jack_off:
        verdict.due += _jack_penalty(terms, verdict)
    all_in_with_this = (
        before.pocketed < handicap.pucks_needed <= (before.pocketed + fell.own - before.owed)
    )
    if fell.jack and ready:
        _jack_when_ready(terms, handicap, fell, stroke, verdict)
    elif fell.jack:
        _jack_too_early(terms, fell, verdict, all_in_with_this=all_in_with_this)
    if verdict.won:
        return verdict
    if verdict.fault:
        verdict.keeps = False
        only_early_jack = fell.jack and not striker
        if not (only_early_jack and all_in_with_this and terms.last_puck_with_jack == "five"):
            _add_for_own_pucks(terms, handicap, fell, verdict)
        elif terms.last_puck_with_jack == "five":
            verdict.because.append("A-04")
        if ready and fell.jack and not verdict.wrong_call and verdict.due == 0:
            verdict.won = True  # all in, jack and striker, and nothing comes back
            verdict.jack_back = False
        elif fell.striker and fell.own and not (fell.jack or fell.jack_off):
            _striker_with_own(terms, handicap, before, fell, verdict)
    return verdict


def _jack_when_ready(
    terms: Terms, handicap: Handicap, fell: _Fell, stroke: Stroke, verdict: _Verdict
) -> None:
    """Section 13: all pucks were in, so the jack wins; 12-B, 12-D: whatever else fell."""
    if not _as_called(handicap, stroke, verdict):
        verdict.wrong_call = verdict.jack_back = True
        verdict.keeps = False
        return
    if handicap.pucks_needed < PUCKS_EACH:
        verdict.because.append("HC-3b")
    if not (fell.striker or fell.striker_off):
        verdict.won = True
    elif terms.jack_with_striker == "win":
        verdict.because.append("A-05")
        verdict.won = True
    else:  # rule A takes a puck back, so no longer are all in
        verdict.jack_back = True
        if terms.jack_with_striker == "jack_penalty":
            verdict.because.append("A-05")
            verdict.due += _jack_penalty(terms, verdict)


def _jack_too_early(
    terms: Terms, fell: _Fell, verdict: _Verdict, *, all_in_with_this: bool
) -> None:
    """11-B: five and the jack. 12-A: also when the last puck came with it, unless LR-15."""
    striker = fell.striker or fell.striker_off
    if all_in_with_this and terms.last_puck_with_jack == "win":
        verdict.because.append("LR-15")
        if not striker or terms.jack_with_striker == "win":
            verdict.won = True
            return
    verdict.fault = True
    verdict.jack_back = True
    verdict.due += _jack_penalty(terms, verdict)


def _add_for_own_pucks(terms: Terms, handicap: Handicap, fell: _Fell, verdict: _Verdict) -> None:
    """11-D: "Since it's a foul, add one of your pocketed pucks"; pocketed, not flown."""
    only_striker = not (fell.jack or fell.jack_off)
    if fell.own == 0 or (only_striker and handicap.no_striker_penalty):
        return
    verdict.due += fell.own if terms.per_puck else 1
    if terms.per_puck and fell.own > 1:
        verdict.because.append("A-01")


def _striker_with_own(
    terms: Terms, handicap: Handicap, before: Count, fell: _Fell, verdict: _Verdict
) -> None:
    """LR-14 and HC-2: agreed exceptions for a striker that fell with an own puck."""
    if terms.two_keep:
        verdict.because.append("LR-14")
        there = max(0, before.pocketed + fell.own - before.owed)
        verdict.keeps = there >= 2 or handicap.no_striker_penalty
        verdict.due = 0 if handicap.no_striker_penalty else min(2, there)
    if handicap.keep_turn_with_striker:
        verdict.because.append("HC-2")
        verdict.keeps = True


def _one_shot_only(terms: Terms, verdict: _Verdict) -> None:
    """LR-16: the first stroke of a ready side did not win."""
    if terms.jack_one_shot == "off":
        return
    verdict.fault = verdict.last_shot = True
    verdict.keeps = False
    if terms.jack_one_shot == "loss":
        verdict.because.append("LR-16b")
        verdict.lost = True
    else:
        verdict.because.append("LR-16a")
        verdict.due += MISSED_JACK


def _facts(
    position: Position, me: int, ready: bool, fell: _Fell, verdict: _Verdict, *, foul: bool
) -> int:
    """Say what happened in the words of the decision table."""
    before, other = position.counts[me], position.counts[1 - me]
    facts = (
        (row.READY if ready else row.NOT_READY)
        | (row.SOME if before.pocketed else row.NONE)
        | (row.OWING if before.owed else row.CLEAR)
    )
    if fell is _NOTHING and not foul:
        return facts
    handicaps = memo_of(position).terms.handicaps
    need, his_need = handicaps[me].pucks_needed, handicaps[1 - me].pucks_needed
    for fact, holds in (
        (row.OWN, fell.own),
        (row.TWO_OWN, fell.own > 1),
        (row.LAST, before.pocketed < need <= before.pocketed + fell.own),
        (row.OPP, fell.opp),
        (row.HIS_LAST, other.pocketed < his_need <= other.pocketed + fell.opp),
        (row.STRIKER, fell.striker),
        (row.ANY_STRIKER, fell.striker or fell.striker_off),
        (row.JACK, fell.jack),
        (row.JACK_OFF, fell.jack_off),
        (row.OWN_OFF, fell.own_off),
        (row.OPP_OFF, fell.opp_off),
        (row.ANY_OFF, fell.own_off or fell.opp_off),
        (row.SHORT, before.pocketed + fell.own < verdict.due),
        (row.HE_OWES, other.owed),
        (row.FOUL, foul),
    ):
        if holds:
            facts |= fact
    return facts


def _settle(
    position: Position, memo: Memo, me: int, ready: bool, verdict: _Verdict, rows: list[str]
) -> Ruling:
    """Pay on both sides, say what goes back on the jack spot and who shoots next."""
    before, other = position.counts[me], position.counts[1 - me]
    terms = memo.terms
    mine, his = before.pocketed + verdict.own_in, other.pocketed + verdict.opp_in
    result = _result(position, memo, me, verdict, mine, his)
    if result is not None:
        return _ended(position, memo, me, verdict, rows, result)
    owed = before.owed + verdict.due
    pays, he_pays = min(owed, mine), min(other.owed, his)
    owed -= pays
    if terms.forgive_debt and owed:
        verdict.because.append("A-02")
        owed = 0
    count, his_count = Count(mine - pays, owed), other
    if verdict.opp_in or he_pays:
        his_count = Count(his - he_pays, other.owed - he_pays)
    if terms.shots_per_puck or not verdict.keeps:
        credit, spent_second = _turn_goes_on(memo, me, ready, verdict)
    else:
        credit, spent_second = 1, False
    keeps = verdict.keeps
    opponents, own = position.sides[1 - me].piece, position.sides[me].piece
    place = (
        (opponents,) * (verdict.opp_back + he_pays)  # 12-E: own on top of the opponent's
        + (own,) * (verdict.own_back + pays)
        + ((Piece.JACK,) if verdict.jack_back else ())  # 12-F
    )
    after = Position(
        order=position.order,
        turn=position.turn if keeps else position.following,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, his_count) if me == 0 else (his_count, count),
        pieces_each=position.pieces_each,
        strokes_in_turn=position.strokes_in_turn + 1 if keeps else 0,
        memo=_remember(memo, me, ready, verdict, count, credit, spent_second),
    )
    return Ruling(
        rows=(*rows, *verdict.because) if verdict.because else tuple(rows),
        after=after,
        foul=verdict.fault,
        keeps_turn=keeps,
        place=place,
        paid=(pays, he_pays) if me == 0 else (he_pays, pays),
    )


def _turn_goes_on(memo: Memo, me: int, ready: bool, verdict: _Verdict) -> tuple[int, bool]:
    """LR-13 and HC-4: shots left, and whether the second chance went with this stroke."""
    terms, handicap = memo.terms, memo.terms.handicaps[me]
    credit = 1 if verdict.keeps else 0
    ends_turn = verdict.void or verdict.last_shot or verdict.wrong_call
    if terms.shots_per_puck and not ends_turn and (verdict.keeps or not verdict.fault):
        credit = memo.credit - 1 + verdict.own_in
        if (credit > 0) != verdict.keeps or credit > 1:
            verdict.because.append("LR-13")
        verdict.keeps = credit > 0
    missed = not (verdict.keeps or verdict.fault or verdict.void or verdict.last_shot)
    if missed and handicap.second_chance and memo.second_chance:
        if not ready or handicap.second_chance_on_jack:
            verdict.because.append("HC-4b" if ready else "HC-4")
            verdict.keeps = True
            return 1, True
    return credit, False


def _remember(
    memo: Memo,
    me: int,
    ready: bool,
    verdict: _Verdict,
    count: Count,
    credit: int,
    spent_second: bool,
) -> Memo:
    """Carry on what the next ruling depends on; the same memo when nothing changed."""
    tried = memo.jack_tried
    if memo.terms.jack_one_shot != "off":
        still = count.owed == 0 and count.pocketed >= memo.terms.handicaps[me].pucks_needed
        mine = still and (tried[me] or (ready and not verdict.void))
        tried = (mine, tried[1]) if me == 0 else (tried[0], mine)
    second = not verdict.keeps or (memo.second_chance and not spent_second)
    shots = credit if verdict.keeps else 1
    if (shots, second, tried) == (memo.credit, memo.second_chance, memo.jack_tried):
        return memo
    return Memo(memo.terms, shots, second, tried, memo.broken, memo.level_at)


def _result(
    position: Position, memo: Memo, me: int, verdict: _Verdict, mine: int, his: int
) -> BoardResult | None:
    """Tell whether the stroke ended the board: by the jack, LR-16b, or in sudden death."""
    side, other = position.sides[me], position.sides[1 - me]
    if verdict.won or verdict.lost:
        points = {side: mine, other: his}
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
    memo: Memo,
    me: int,
    verdict: _Verdict,
    rows: list[str],
    result: BoardResult,
) -> Ruling:
    """Give the ruling of a stroke that ended the board: nothing is paid or placed."""
    before, other = position.counts[me], position.counts[1 - me]
    count = Count(before.pocketed + verdict.own_in, before.owed)
    his_count = Count(other.pocketed + verdict.opp_in, other.owed)
    after = Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(count, his_count) if me == 0 else (his_count, count),
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


def _mass_break(position: Position, memo: Memo, stroke: Stroke) -> Ruling:
    """LR-1: all seats shoot at once; pucks count for their colours, no fault is made."""
    if stroke.flags or stroke.called:
        flag = min(stroke.flags) if stroke.flags else "call"
        raise IllegalStroke(f"no '{flag}' in a mass break: it has no fouls", flag=flag)
    strikers = len(set(position.order))
    first, second = (side.piece for side in position.sides)
    left = {
        first: position.left(position.sides[0]),
        second: position.left(position.sides[1]),
        Piece.JACK: 1,
        Piece.STRIKER: strikers,
    }
    gone = dict.fromkeys(left, 0)
    for index, departure in enumerate(stroke.departures):
        if departure.piece not in left:
            raise IllegalStroke(f"there is no {departure.piece} in hikone carom", departure=index)
        gone[departure.piece] += 1
        if gone[departure.piece] > left[departure.piece]:
            raise _too_many(departure.piece, left[departure.piece], index)
    me = position.sides.index(position.side)
    own, opponents = position.sides[me].piece, position.sides[1 - me].piece
    place = (
        (opponents,) * stroke.flown(opponents)
        + (own,) * stroke.flown(own)
        + (Piece.JACK,) * gone[Piece.JACK]
    )
    ones, twos = position.counts
    after = Position(
        order=position.order,
        turn=position.turn,
        seat_sides=position.seat_sides,
        sides=position.sides,
        counts=(
            Count(ones.pocketed + stroke.pocketed(first), ones.owed),
            Count(twos.pocketed + stroke.pocketed(second), twos.owed),
        ),
        pieces_each=position.pieces_each,
        memo=Memo(memo.terms, broken=True, level_at=memo.level_at),
    )
    return Ruling(rows=("LR-1",), after=after, foul=False, keeps_turn=True, place=place)


def _standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    return best_of_boards(settings, boards, SIDES, losers_first_seat)


HIKONE = Rules(
    id=RuleSystem.HIKONE,
    sides=SIDES,
    pieces=(Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER),
    red=Piece.JACK,
    flags=frozenset({Flag.FOUL, Flag.AREA, Flag.BANKED, Flag.UNBANKED}),
    opening=opening,
    check=check,
    judge=judge,
    direct=direct,
    points=pucks_in,
    standing=_standing,
)
