"""What a rule system is to the rest of the program: a value made of plain functions.

Nothing here knows any game. Each system fills in a :class:`Rules`; systems share only the functions
they call (:mod:`jackspot.core.rules.common`). Undo, the fold of the entries and the numbering of
boards are up to the match, not to a system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from jackspot.core.directives import Directive
from jackspot.core.phrases import EMPTY, Phrase
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.core.ruling import BoardResult, Ruling
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke


class Effect(Struct, frozen=True):
    """What a directive did: the position after it, what it sends back, a result if any."""

    after: Position
    place: tuple[Piece, ...] = ()
    result: BoardResult | None = None


class IllegalDirective(ValueError):
    """A directive that this system does not know, or that is not possible now.

    ``argument``: the fault is in what follows the directive's word.
    """

    def __init__(self, message: str, *, argument: bool = False) -> None:
        super().__init__(message)
        self.argument = argument


class FinishedBoard(Struct, frozen=True):
    """A board that has ended. ``seat_sides`` are the colours it was played with."""

    number: int
    opener: Seat
    seat_sides: Mapping[Seat, Side]
    result: BoardResult


class Standing(Struct, frozen=True):
    """The state of the match after its finished boards.

    Sides are named as on board 1. ``opener`` is who opens the next board, None when the
    match is over. Systems with games give each finished board's game in ``games`` and the
    games won; the others leave both empty.
    """

    points: Mapping[Side, int]
    boards_won: Mapping[Side, int]
    opener: Seat | None
    over: bool = False
    winner: Side | None = None
    games: tuple[int, ...] = ()
    games_won: Mapping[Side, int] | None = None


class Facts(Struct, frozen=True, kw_only=True):
    """What the rest of the program must know about a system besides its judging.

    - ``name``: what people call it; ``title``: the same on a small display.
    - ``men``: how many pieces of a kind a side begins with; ``shared``: the kinds that both sides
      pocket, where neither has its own.
    - ``handicaps``: whether sides can be given any; ``seats``: how many can play;
      ``tee_spot``: whether each player's first stroke of a board is made from there.
    - ``counts_points``: whether a side's points are shown large, in place of its pieces;
      ``match_points``: whether a match is counted in points besides its boards;
      ``points_at_the_end``: whether a board has points only once it is over.
    - ``hundreds``: for a score card in hundreds and ones, what the jack that won a board adds to
      the points of the ruling; None: no such card.
    - ``spot``: where pieces go back that nobody has to pay: the queen, and what flew off the board;
      ``due_spot``: where the opponent places what a side gives back, None: all goes to ``spot``;
      ``opponent_places_all``: the opponent also places what nobody has to pay; ``rest_by``: who
      places what the opponent does not; ``place_within``: how long there is for it, in words.
    - ``changes_sides``: whether players change sides during a match.
    - ``to_the_right``: whether the turn passes to the right by default; ``backwards``: whether the
      striker may be shot towards one's own side.
    """

    name: Phrase
    title: str
    men: int
    shared: tuple[Piece, ...] = ()
    handicaps: bool = False
    seats: tuple[int, ...] = (2, 4)
    tee_spot: bool = False
    counts_points: bool = False
    match_points: bool = True
    points_at_the_end: bool = False
    hundreds: int | None = None
    spot: Phrase
    due_spot: Phrase | None = None
    opponent_places_all: bool = False
    rest_by: Phrase = EMPTY
    place_within: Phrase | None = None
    changes_sides: bool = False
    to_the_right: bool = False
    backwards: bool = False


class Rules(Struct, frozen=True):
    """One rule system.

    - ``facts``: what displays, cards and set-up need to know.
    - ``sides``: the first seat's side plays the first of them.
    - ``pieces``: the kinds that a stroke may hold; ``red``: its jack or queen.
    - ``flags``: what a referee may say about a stroke.
    - ``opening(settings, boards, opener)``: the position from which a board starts, after these
      finished boards, which do not include void ones.
    - ``check(settings, stroke)``: refuses what these settings never allow, whatever the
      position (:class:`jackspot.core.ruling.IllegalStroke`).
    - ``judge(settings, position, stroke)``: the ruling, or ``IllegalStroke``. The match has already
      checked that it is the seat's turn.
    - ``direct(settings, position, directive)``: the effect, or :class:`IllegalDirective`.
      ``! time`` comes here when nothing is left to be played; an effect without a result
      then means that the board goes on until a stroke decides it. After a finished board
      only ``! demand`` comes here, and its result replaces the board's.
    - ``points(position)``: the points of a running board.
    - ``on_board(position)``: how many of each kind of ``pieces``, except the striker, are still on
      the board: what can fall at most.
    - ``own(position)``: the kinds that are the shooter's own, which let a turn go on.
    - ``standing(settings, boards)``: the match after these boards.
    """

    id: RuleSystem
    facts: Facts
    sides: tuple[Side, Side]
    pieces: tuple[Piece, ...]
    red: Piece
    flags: frozenset[Flag]
    opening: Callable[[MatchSettings, tuple[FinishedBoard, ...], Seat], Position]
    check: Callable[[MatchSettings, Stroke], None]
    judge: Callable[[MatchSettings, Position, Stroke], Ruling]
    direct: Callable[[MatchSettings, Position, Directive], Effect]
    points: Callable[[Position], Mapping[Side, int]]
    on_board: Callable[[Position], Mapping[Piece, int]]
    own: Callable[[Position], frozenset[Piece]]
    standing: Callable[[MatchSettings, tuple[FinishedBoard, ...]], Standing]
