"""Points carrom: 5 and 10 for the counters, 50 for the queen, which must be covered.

Read this beside "How to Play Carrom": the words in quotes are that page's. PT-01 and the like are
rows of the decision table of ``points.md``; D-03 and D-05 are alternatives that people may agree
on. There are nine black and nine brown counters and one queen, and no own colours unless agreed.

A stroke is judged in this order: what fell is credited in the order it fell; a board lost;
the striker or a foul, which puts the last piece back; a queen not covered, which makes the
turn void; all counters out; who strikes next.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import RedPlace, Saying, SetOwed, SetPocketed, SetRed
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import (
    Directives,
    ahead,
    best_of_boards,
    by_side,
    check_flags,
    check_queen_put,
    end_at,
    index_of_turn,
    resigned_at,
)
from jackspot.core.rules.points import ledger
from jackspot.core.rules.points.ledger import Ledger, PointsShot, memo_of
from jackspot.core.rules.system import Effect, Facts, FinishedBoard, IllegalDirective, Rules
from jackspot.core.ruling import BoardResult, How, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed

LOST_BOARD_COSTS = 3
"""PT-13: "you lose the board, three points"; below nothing, too."""

ALL_OUT = "PT-14"
BOARD_LOST = "PT-13"
NOT_COVERED = "PT-06"
FLAGS = frozenset({Flag.FOUL})


def opening(settings: MatchSettings, _boards: tuple[FinishedBoard, ...], opener: Seat) -> Position:
    """Set up the star; ``opener`` breaks it."""
    return Position(
        order=settings.seats,
        turn=settings.seats.index(opener),
        seat_sides=settings.sides,
        sides=ledger.SIDES,
        counts=(Count(), Count()),
        pieces_each=ledger.COUNTERS_EACH,
        memo=ledger.PointsMemo(ledger.read_terms(settings)),
    )


def judge(settings: MatchSettings, position: Position, stroke: Stroke) -> Ruling:
    """Rule on a stroke; IllegalStroke if it cannot have happened."""
    check_flags(settings, stroke, FLAGS)
    shot = ledger.look_at(position, stroke)
    after = _credited(position, shot, shot.pocketed)
    costs = _cost_of_lost_board(after, shot)
    if costs:
        return _lost(position, shot, costs, covered=_is_covered(after, shot))
    if shot.fault:
        return _fault(after, shot)
    covered = _is_covered(after, shot)
    none_left = _none_of_own_left(after, shot)
    if shot.queen_at_stake and not covered and (shot.pending or shot.others or none_left):
        agreed = ("D-03",) if none_left and any(ledger.on_board(after).values()) else ()
        after, back = ledger.void_turn(after)
        rows = (NOT_COVERED, *_too_soon(shot), *_returned(back), *agreed)
        return _passed(after, shot, rows, back)
    if covered:
        after = changed(after, red=RedPlace.COVERED, red_side=position.side)
    if after.red is RedPlace.COVERED and not any(ledger.on_board(after).values()):
        result = BoardResult(ahead(ledger.totals(after)), How.PIECES, ledger.totals(after))
        return _ended(after, (ALL_OUT,), result, foul=False)
    if shot.pocketed and not shot.others:
        return _kept(after, shot, () if covered else _too_soon(shot))
    return _passed(after, shot, (_row_of_clean(shot),), ())


def _credited(position: Position, shot: PointsShot, pieces: Ledger) -> Position:
    """Credit what fell, in the order it fell, to the shooter or to the owner of its colour."""
    memo = memo_of(position)
    if memo.broken and not pieces:
        return position
    mine = (*ledger.own_counters(memo.terms, shot.me), Piece.QUEEN)
    ledgers = list(memo.ledgers)
    for piece in pieces:
        owner = shot.me if piece in mine else 1 - shot.me
        ledgers[owner] = (*ledgers[owner], piece)
    memo = changed(memo, ledgers=(ledgers[0], ledgers[1]), broken=True)
    if Piece.QUEEN in pieces:
        position = changed(position, red=RedPlace.PENDING, red_side=position.side)
    return ledger.with_ledgers(position, memo)


def _covers(after: Position, shot: PointsShot, pieces: Ledger) -> bool:
    """Return whether a counter among these, in the order they fell, covers the queen."""
    terms = memo_of(after).terms
    if not shot.queen_at_stake:
        return False
    if terms.cover_after and shot.queen:
        pieces = pieces[pieces.index(Piece.QUEEN) :]
    return any(piece in ledger.own_counters(terms, shot.me) for piece in pieces)


def _is_covered(after: Position, shot: PointsShot) -> bool:
    """Return whether the stroke covers the queen, once a fault has taken its last piece back."""
    if not shot.fault:
        return _covers(after, shot, shot.pocketed)
    last = memo_of(after).ledgers[shot.me][-1:]
    if not shot.queen_at_stake or last == (Piece.QUEEN,):
        return False
    return _covers(after, shot, ledger.without_last(shot.pocketed, last[0]))


def _too_soon(shot: PointsShot) -> tuple[str, ...]:
    """Return the agreement by which counters that fell before the queen did not cover her."""
    return ("D-01",) if shot.queen and shot.own else ()


def _cost_of_lost_board(after: Position, shot: PointsShot) -> int:
    """Return what a stroke that loses the board costs; 0 if it does not.

    "If you sink your last piece before the queen": the last counter of all, or with two
    colours one's own last, and the queen on the board or not to be covered any more. "If you
    sink their last piece": with two colours, whatever else fell.
    """
    if not (shot.own or shot.others):
        return 0
    theirs = ledger.on_board(after)[ledger.COUNTERS[1 - shot.me]]
    if shot.others and theirs == 0:
        return LOST_BOARD_COSTS
    if _none_of_own_left(after, shot) and _queen_is_left(after, shot):
        return LOST_BOARD_COSTS + theirs  # "and one point for each of your opponent's pieces left"
    return 0


def _none_of_own_left(after: Position, shot: PointsShot) -> bool:
    """Return whether the stroke pocketed the last counter that could cover a queen."""
    left, own = ledger.on_board(after), ledger.own_counters(memo_of(after).terms, shot.me)
    return shot.own > 0 and not any(left[each] for each in own)


def _queen_is_left(after: Position, shot: PointsShot) -> bool:
    """Return whether the queen is still to be pocketed when the stroke's counters are out.

    With a striker one of them comes back, unless the queen fell last and comes back herself.
    If she fell and is not covered, the turn is void; where its counters then come back (D-05)
    there are some to play on with.
    """
    if not shot.queen:
        return not shot.fault and after.red is RedPlace.BOARD
    if memo_of(after).terms.void_returns_counters:
        return False
    if shot.fault:
        return memo_of(after).ledgers[shot.me][-1] is Piece.QUEEN
    return not _covers(after, shot, shot.pocketed)


def _lost(position: Position, shot: PointsShot, costs: int, *, covered: bool) -> Ruling:
    """End a board that the stroke has lost; the queen stays where it was.

    A queen that the turn did not cover takes its points along here too: "If you fail to cover
    the Queen, all points scored on that turn are void".
    """
    counters = tuple(piece for piece in shot.pocketed if piece is not Piece.QUEEN)
    after = _credited(position, shot, counters)
    if shot.queen_at_stake and not covered:
        after = ledger.without_turn(after)
    ones, twos = ledger.totals(after).values()
    points = by_side(after.sides, ones - costs * (shot.me == 0), twos - costs * (shot.me == 1))
    result = BoardResult(after.sides[1 - shot.me], How.FOUL, points)
    opponent_last = shot.others and not ledger.on_board(after)[ledger.COUNTERS[1 - shot.me]]
    soon = () if shot.fault or opponent_last else _too_soon(shot)
    agreed = ("D-03",) if memo_of(after).terms.two_colours else ()
    return _ended(after, (BOARD_LOST, *soon, *agreed), result, foul=True)


def _fault(after: Position, shot: PointsShot) -> Ruling:
    """Rule on a striker pocketed: "Your last pocketed piece is placed back on the board".

    First that penalty, one piece. Then a queen to be covered is covered by a counter of this
    stroke that is left beside her; if none is, or she was the last piece, the turn is void.
    """
    credited = memo_of(after).ledgers[shot.me]
    back = credited[-1:]
    rows = [_row_of_fault(shot, gave_back=bool(back))]
    if not shot.queen_at_stake:
        after = ledger.take_back(after, shot.me, credited[-1]) if back else after
        return _passed(after, shot, tuple(rows), back)
    if credited[-1] is Piece.QUEEN:
        back = ()  # she goes back with the void turn
    else:
        covered = _is_covered(after, shot)
        after = ledger.take_back(after, shot.me, credited[-1])
        if covered:
            after = changed(after, red=RedPlace.COVERED, red_side=after.side)
            return _passed(after, shot, tuple(rows), back)
        if shot.own > 1:
            rows += _too_soon(shot)
    after, void = ledger.void_turn(after)
    return _passed(after, shot, (*rows, *_returned(void)), back + void)


def _row_of_fault(shot: PointsShot, *, gave_back: bool) -> str:
    """Return the row of a striker pocketed, or a foul called."""
    if shot.queen_at_stake:
        return "PT-10" if shot.own else "PT-09"
    return "PT-07" if gave_back else "PT-08"


def _row_of_clean(shot: PointsShot) -> str:
    """Return the row of a stroke without a fault that leaves the board running."""
    if shot.pending:
        return "PT-04"
    if shot.queen and shot.own:
        return "PT-05"
    if shot.opens:
        return "PT-12"
    if shot.flown:
        return "PT-11"
    if shot.queen:
        return "PT-03"
    return "PT-01" if shot.pocketed else "PT-02"


def _returned(void: Ledger) -> tuple[str, ...]:
    """Return the agreement by which the counters of a void turn come back, if any did."""
    return ("D-05",) if len(void) > 1 else ()


def _kept(after: Position, shot: PointsShot, agreed: tuple[str, ...]) -> Ruling:
    """Keep the turn: "If you pocket a counter, you can have another strike immediately"."""
    after = changed(after, strokes_in_turn=after.strokes_in_turn + 1)
    place = ledger.in_place_order(shot.flown)
    rows = (_row_of_clean(shot), *agreed)
    return Ruling(rows, after, foul=False, keeps_turn=True, place=place)


def _passed(after: Position, shot: PointsShot, rows: tuple[str, ...], back: Ledger) -> Ruling:
    """Pass the turn; what flew off is placed in the centre with what goes back."""
    agreed = ("D-03",) if shot.others else ()
    return Ruling(
        rows=(*rows, *agreed),
        after=ledger.pass_on(after, after.following),
        foul=shot.fault,
        keeps_turn=False,
        place=ledger.in_place_order(back + shot.flown),
    )


def _ended(after: Position, rows: tuple[str, ...], result: BoardResult, *, foul: bool) -> Ruling:
    """End the board: nothing is placed any more."""
    after = changed(after, strokes_in_turn=after.strokes_in_turn + 1)
    return Ruling(rows, after, foul=foul, keeps_turn=False, result=result)


# beside the strokes


def _time_is_over(position: Position) -> Effect:
    """Settle as if the turn passed; more points win."""
    ended = _turn_ended(position)
    points = ledger.totals(ended.after)
    return end_at(ended.after, ahead(points), How.TIME, points, ended.place)


def _turn_given(position: Position, seat: Seat) -> Effect:
    """End the running turn as a pass would, and begin a fresh one of a seat."""
    ended = _turn_ended(position)
    turn = index_of_turn(ended.after, seat)
    return changed(ended, after=ledger.pass_on(ended.after, turn))


def _turn_ended(position: Position) -> Effect:
    """Settle the running turn as a pass would: a queen not covered makes it void."""
    if position.red is not RedPlace.PENDING:
        return Effect(position)
    after, back = ledger.void_turn(position)
    return Effect(after, ledger.in_place_order(back))


def _corrected(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Take away the last pieces of a side until the count is right; they are on the board again."""
    if isinstance(directive, SetOwed):
        raise IllegalDirective("nobody owes anything in points carrom", argument=True)
    side, count = directive.side, directive.count
    memo, index = memo_of(position), position.sides.index(side)
    credited = memo.ledgers[index]
    if count > len(credited):
        raise IllegalDirective(
            f"{side} is credited with {len(credited)} pieces, and pieces can only be taken away; "
            f"found {count}",
            argument=True,
        )
    if Piece.QUEEN in credited[count:]:
        position = changed(position, red=RedPlace.BOARD, red_side=None)
    if side is position.side:
        memo = changed(memo, began=min(memo.began, count))
    return Effect(ledger.with_ledgers(position, ledger.with_ledger(memo, index, credited[:count])))


def _queen_put(position: Position, directive: SetRed) -> Effect:
    """Move the queen, and its points, to the end of a ledger or back on the board."""
    check_queen_put(position, directive)
    memo = memo_of(position)
    for index, side in enumerate(position.sides):
        credited = memo.ledgers[index]
        if Piece.QUEEN in credited:
            before_turn = side is position.side and credited.index(Piece.QUEEN) < memo.began
            memo = changed(memo, began=memo.began - before_turn)
            credited = tuple(piece for piece in credited if piece is not Piece.QUEEN)
        if side is directive.side:
            credited = (*credited, Piece.QUEEN)
        memo = ledger.with_ledger(memo, index, credited)
    position = changed(position, red=directive.place, red_side=directive.side)
    return Effect(ledger.with_ledgers(position, memo))


_DIRECTIVES = Directives(
    points=ledger.totals,
    says={Saying.TIME: _time_is_over},
    belongs_to={
        Saying.FORGOT: "kagw: nobody owes anything in points carrom",
        Saying.WAIVE: "icf and grundregeln",
        Saying.DEMAND: "icf",
    },
    resigned=partial(resigned_at, ledger.totals),
    turn_given=_turn_given,
    red_put=_queen_put,
    corrected=_corrected,
)


POINTS = Rules(
    id=RuleSystem.POINTS,
    facts=Facts(
        name=_("Points carrom"),
        title="Points",
        men=9,
        shared=(Piece.BLACK, Piece.BROWN),
        counts_points=True,
        spot=_("in the centre"),
    ),
    sides=ledger.SIDES,
    pieces=ledger.PIECES,
    red=Piece.QUEEN,
    flags=FLAGS,
    opening=opening,
    check=partial(check_flags, flags=FLAGS),
    judge=judge,
    direct=_DIRECTIVES.direct,
    points=ledger.totals,
    on_board=ledger.on_board,
    own=ledger.own,
    standing=partial(best_of_boards, sides=ledger.SIDES),
)
