"""What left the board in a stroke of carom with a jack, and what cannot have happened.

Counts by the shooter's colour, so that the rules can say "own" and "opponent's".
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from jackspot.core.options import text_option, yes_no_option
from jackspot.core.pieces import Piece
from jackspot.core.position import Position
from jackspot.core.rules.jack.terms import OWN_SIDE_POCKETS, JackTerms, area_may_be_called
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import Handicap, MatchSettings
from jackspot.core.stroke import Flag, Stroke

PIECES = (Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER)
FLAGS = frozenset({Flag.FOUL, Flag.AREA, Flag.BANKED, Flag.UNBANKED})
_PUCKS = frozenset({Piece.RED, Piece.GREEN})


class JackFell(NamedTuple):
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


NOTHING = JackFell()


def count_fallen(position: Position, me: int, terms: JackTerms, stroke: Stroke) -> JackFell:
    """Count what fell, and refuse what is not there to fall (IllegalStroke)."""
    if not stroke.departures:
        return NOTHING
    kinds = (
        position.sides[me].piece,
        position.sides[1 - me].piece,
        Piece.JACK,
        Piece.STRIKER,
    )
    own_left = position.pieces_each - position.counts[me].pocketed
    opp_left = position.pieces_each - position.counts[1 - me].pocketed
    left = (own_left, opp_left, 1, 1)
    fell, flown = [0, 0, 0, 0], [0, 0, 0, 0]
    for index, departure in enumerate(stroke.departures):
        if departure.piece not in kinds:
            raise IllegalStroke(f"there is no {departure.piece} beside a jack", departure=index)
        kind = kinds.index(departure.piece)
        (flown if departure.flew_off else fell)[kind] += 1
        if fell[kind] + flown[kind] > left[kind]:
            raise too_many(departure.piece, left[kind], index)
    home = 0 if terms.own_side_pockets else _own_side(stroke, kinds[0])
    own, opp, jack, striker = fell
    own_off, opp_off, jack_off, striker_off = flown
    return JackFell(own - home, opp, jack, striker, own_off, opp_off, jack_off, striker_off, home)


def _own_side(stroke: Stroke, own: Piece) -> int:
    """Count the own pucks in the two pockets beside the shooting seat (LR-11)."""
    for index, departure in enumerate(stroke.departures):
        piece = departure.piece
        if piece in _PUCKS and departure.pocket is None and not departure.flew_off:
            raise IllegalStroke(
                f"with own_side_pockets = false the pocket must be named: {piece}@NE, "
                f"{piece}@SE, {piece}@SW or {piece}@NW",
                departure=index,
            )
    home = OWN_SIDE_POCKETS[stroke.seat]
    return sum(d.piece is own and d.pocket in home for d in stroke.departures)


def too_many(piece: Piece, left: int, index: int) -> IllegalStroke:
    """Refuse a piece that is not on the board."""
    if piece in _PUCKS:
        there = f"{left} on the board" if left else "none is on the board"
        return IllegalStroke(f"too many {piece} pucks: {there}", departure=index)
    there = f"{left} {piece}s are" if left > 1 else f"one {piece} is"
    return IllegalStroke(f"too many {piece}s: {there} in play", departure=index)


def check(settings: MatchSettings, stroke: Stroke) -> None:
    """Refuse flags, calls and strikers that these settings never allow (IllegalStroke)."""
    side = settings.sides.get(stroke.seat)
    if side is None:
        return  # that the seat does not play is for the match to say
    handicap = settings.handicaps.get(side)
    for flag in sorted(stroke.flags):
        if flag is Flag.NOBREAK:
            raise IllegalStroke(
                f"{settings.rules} has no duty to break: no flag 'nobreak'", flag=flag
            )
        if flag is Flag.AREA and not area_may_be_called(settings, side):
            _refuse_area(settings)
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


def _refuse_area(settings: MatchSettings) -> NoReturn:
    """Say why no area hit can be called."""
    if not yes_no_option(settings, "area_rule"):
        raise IllegalStroke("area_rule = false: no flag 'area'", flag=Flag.AREA)
    raise IllegalStroke(
        "the area rule is for doubles: who plays alone may hit every piece", flag=Flag.AREA
    )


def require_answers(handicap: Handicap, stroke: Stroke) -> None:
    """Refuse a ready seat's jack that is not answered for under HC-6 or HC-7."""
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
