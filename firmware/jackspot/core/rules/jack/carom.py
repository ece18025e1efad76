"""A board of carom with a jack: agreements, what can fall, and directives.

It is the same in ``hikone`` and ``japan``: twelve red and twelve green pucks, one jack. Options are
looked up once, when a board begins, and are kept in the position's memo.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec import Struct

from jackspot.core.directives import RedPlace, Saying, SetOwed, SetPocketed, SetRed
from jackspot.core.options import OPTIONS, is_agreed, number_option, text_option, yes_no_option
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import (
    Directives,
    ahead,
    by_side,
    check_departures,
    end_at,
    index_of_turn,
    order_of_turns,
    resigned_at,
)
from jackspot.core.rules.own_colours import by_order, corrected
from jackspot.core.rules.system import Effect, FinishedBoard, IllegalDirective
from jackspot.core.ruling import How, IllegalStroke
from jackspot.core.settings import Handicap, MatchSettings
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed

PUCKS_EACH = 12
SIDES = (Side.RED, Side.GREEN)
PIECES = (Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER)
FLAGS = frozenset({Flag.FOUL, Flag.AREA, Flag.BANKED, Flag.UNBANKED})
OWN_SIDE_POCKETS = {
    Seat.N: frozenset({Pocket.NW, Pocket.NE}),
    Seat.E: frozenset({Pocket.NE, Pocket.SE}),
    Seat.S: frozenset({Pocket.SE, Pocket.SW}),
    Seat.W: frozenset({Pocket.SW, Pocket.NW}),
}
"""The two pockets beside each seat (LR-11)."""


class JackTerms(Struct, frozen=True):
    """Options and handicaps of one match. ``handicaps`` are in the order of the sides.

    ``jack_points`` is what the jack adds to the winner's pucks. ``usual_last`` is the
    system's own answer to the last puck that comes with the jack (A-04).
    """

    jack_points: int
    striker_penalty: int
    jack_penalty: int
    per_puck: bool
    plus_one_each: bool
    flown_adds: bool
    last_puck_with_jack: str
    usual_last: object
    jack_with_striker: str
    forgive_debt: bool
    foul_returns_opponents: bool
    area_hit_is_foul: bool
    own_side_pockets: bool
    shots_per_puck: bool
    two_keep: bool
    jack_one_shot: str
    mass_break: bool
    sudden_death: bool
    handicaps: tuple[Handicap, Handicap]


def read_terms(settings: MatchSettings, jack_points: int) -> JackTerms:
    """Look up all options."""
    first, second = (settings.handicaps.get(side, Handicap()) for side in SIDES)
    return JackTerms(
        jack_points=jack_points,
        striker_penalty=number_option(settings, "striker_penalty"),
        jack_penalty=number_option(settings, "jack_penalty"),
        per_puck=text_option(settings, "foul_with_puck") == "per_puck",
        plus_one_each=is_agreed(settings, "plus_one", "each"),
        flown_adds=is_agreed(settings, "flown_adds", value=True),
        last_puck_with_jack=text_option(settings, "last_puck_with_jack"),
        usual_last=OPTIONS["last_puck_with_jack"].defaults[settings.rules],
        jack_with_striker=text_option(settings, "jack_with_striker"),
        forgive_debt=text_option(settings, "debt") == "forgive",
        foul_returns_opponents=yes_no_option(settings, "foul_returns_opponents"),
        area_hit_is_foul=text_option(settings, "area_hit") == "foul",
        own_side_pockets=yes_no_option(settings, "own_side_pockets"),
        shots_per_puck=yes_no_option(settings, "shots_per_puck"),
        two_keep=text_option(settings, "striker_with_own") == "two_keep",
        jack_one_shot=text_option(settings, "jack_one_shot"),
        mass_break=text_option(settings, "opening") == "mass_break",
        sudden_death=text_option(settings, "timeout_tie") == "sudden_death",
        handicaps=(first, second),
    )


def area_rule_holds(settings: MatchSettings, side: Side) -> bool:
    """Whether section 8 applies: the area rule, for players with a partner."""
    partners = list(settings.sides.values()).count(side)
    return partners > 1 and yes_no_option(settings, "area_rule")


def area_may_be_called(settings: MatchSettings, side: Side) -> bool:
    """Whether a forbidden piece can be hit: by section 8, or by LR-17, unless three play."""
    by_cushion = len(settings.seats) != 3 and yes_no_option(settings, "own_by_cushion")
    return by_cushion or area_rule_holds(settings, side)


class JackMemo(Struct, frozen=True):
    """What a board with a jack remembers besides the counts.

    ``credit``: shots left in this turn (only LR-13 lets it exceed one). ``second_chance``: this
    turn's second chance is still available (HC-4). ``jack_tried``: by side, the first stroke since
    it became ready has been made (LR-16). ``broken``: the mass break has been made (LR-1).
    ``level_at``: the pucks of each side when time ran out tied and sudden death began, otherwise
    None.
    """

    terms: JackTerms
    credit: int = 1
    second_chance: bool = True
    jack_tried: tuple[bool, bool] = (False, False)
    broken: bool = False
    level_at: int | None = None


def memo_of(position: Position) -> JackMemo:
    """Return the memo of a position with a jack."""
    memo = position.memo
    assert isinstance(memo, JackMemo)
    return memo


def is_ready(handicap: Handicap, count: Count) -> bool:
    """Return whether a side has all needed pucks in and owes nothing."""
    return count.owed == 0 and count.pocketed >= handicap.pucks_needed


def opening(
    settings: MatchSettings,
    _boards: tuple[FinishedBoard, ...],
    opener: Seat,
    *,
    jack_points: int = 0,
) -> Position:
    """Set up a board; ``opener`` shoots first, the jack adds ``jack_points`` to a win."""
    order = order_of_turns(settings)
    terms = read_terms(settings, jack_points)
    first, second = terms.handicaps
    return Position(
        order=order,
        turn=order.index(opener),
        seat_sides=settings.sides,
        sides=SIDES,
        counts=(Count(first.head_start), Count(second.head_start)),
        pieces_each=PUCKS_EACH,
        memo=JackMemo(terms),
    )


# strokes


def check(settings: MatchSettings, stroke: Stroke) -> None:
    """Refuse flags, calls and strikers that these settings never allow (IllegalStroke)."""
    side = settings.sides.get(stroke.seat)
    if side is None:
        return  # the match reports a seat that does not play
    handicap = settings.handicaps.get(side)
    for flag in sorted(stroke.flags):
        if flag is Flag.NOBREAK:
            raise IllegalStroke(
                f"{settings.rules} has no duty to break: no flag 'nobreak'", flag=flag
            )
        if flag is Flag.AREA and not area_may_be_called(settings, side):
            raise _refuse_area(settings)
        if flag in (Flag.BANKED, Flag.UNBANKED) and not (handicap and handicap.must_bank):
            raise IllegalStroke(f"'{flag}' goes with the handicap must_bank only", flag=flag)
    if {Flag.BANKED, Flag.UNBANKED} <= stroke.flags:
        raise IllegalStroke("'banked' and 'unbanked' exclude each other", flag=Flag.UNBANKED)
    if stroke.called and not (handicap and handicap.called_pocket):
        raise IllegalStroke("'call@' goes with the handicap called_pocket only", flag="call")
    mass_break = text_option(settings, "opening") == "mass_break"
    check_departures(stroke, len(settings.seats) if mass_break else 1)


def _refuse_area(settings: MatchSettings) -> IllegalStroke:
    """Return why no area hit can be called."""
    if not yes_no_option(settings, "area_rule"):
        return IllegalStroke("area_rule = false: no flag 'area'", flag=Flag.AREA)
    return IllegalStroke(
        "the area rule is for doubles: who plays alone may hit every piece", flag=Flag.AREA
    )


def too_many(_position: Position, piece: Piece, left: int, index: int) -> IllegalStroke:
    """Refuse a piece that is not on the board."""
    if piece in (Piece.RED, Piece.GREEN):
        there = f"{left} on the board" if left else "none is on the board"
        return IllegalStroke(f"too many {piece} pucks: {there}", departure=index)
    there = f"{left} {piece}s are" if left > 1 else f"one {piece} is"
    return IllegalStroke(f"too many {piece}s: {there} in play", departure=index)


def own_side_pucks(stroke: Stroke, own: Piece) -> int:
    """Count the own pucks in the two pockets beside the shooting seat (LR-11)."""
    for index, departure in enumerate(stroke.departures):
        piece = departure.piece
        puck = piece in (Piece.RED, Piece.GREEN)
        if puck and departure.pocket is None and not departure.flew_off:
            raise IllegalStroke(
                f"with own_side_pockets = false the pocket must be named: {piece}@NE, "
                f"{piece}@SE, {piece}@SW or {piece}@NW",
                departure=index,
            )
    home = OWN_SIDE_POCKETS[stroke.seat]
    return sum(d.piece is own and d.pocket in home for d in stroke.departures)


def require_answers(handicap: Handicap, stroke: Stroke) -> None:
    """Refuse a ready seat's jack without the answers that HC-6 or HC-7 require."""
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


# beside the strokes


def pucks_in(position: Position) -> Mapping[Side, int]:
    """Count the points of a board: the pucks pocketed; what is owed is not subtracted."""
    one, two = position.counts
    return by_side(position.sides, one.pocketed, two.pocketed)


def _turn_given(position: Position, seat: Seat) -> Effect:
    """Begin a fresh turn of a seat; the order continues from there."""
    memo = changed(memo_of(position), credit=1, second_chance=True)
    turn = index_of_turn(position, seat)
    return Effect(changed(position, turn=turn, strokes_in_turn=0, memo=memo))


def _jack_put(position: Position, directive: SetRed) -> Effect:
    """Leave the jack on the board: while a board runs it is nowhere else."""
    if directive != SetRed(RedPlace.BOARD):
        raise IllegalDirective("expected jack=board: nobody covers a jack", argument=True)
    return Effect(position)


def _time_is_over(position: Position) -> Effect:
    """Let more pucks in win; tied: a draw, or sudden death if that was agreed."""
    memo = memo_of(position)
    points = pucks_in(position)
    winner = ahead(points)
    if winner is None and memo.terms.sudden_death and memo.level_at is None:
        level = position.counts[0].pocketed
        return Effect(changed(position, memo=changed(memo, level_at=level)))
    return end_at(position, winner, How.TIME, points)


def _corrected(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Assign a count; forget the try at the jack if that makes the side not ready."""
    after, memo = corrected(position, directive, "pucks"), memo_of(position)
    me = position.sides.index(directive.side)
    if is_ready(memo.terms.handicaps[me], after.counts[me]):
        return Effect(after)
    tried = by_order(me, False, memo.jack_tried[1 - me])
    return Effect(changed(after, memo=changed(memo, jack_tried=tried)))


DIRECTIVES = Directives(
    points=pucks_in,
    says={Saying.TIME: _time_is_over},
    belongs_to={
        Saying.FORGOT: "kagw: with a jack what is owed stays owed",
        Saying.WAIVE: "icf and grundregeln",
        Saying.DEMAND: "icf",
    },
    resigned=partial(resigned_at, pucks_in),
    turn_given=_turn_given,
    red_put=_jack_put,
    corrected=_corrected,
)
