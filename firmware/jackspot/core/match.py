"""A match as the fold of its entries: boards, match score, time, undo and redo.

Theory of operation. A :class:`Match` is a value: settings, the state it began with, one
:class:`Step` for each entry that counts, and the entries that were undone. Entering folds one entry
into the newest state. Every step keeps the state after it, so undo drops a step and is exact at any
depth; redo enters the dropped entry again. Rule systems are known here only through
:class:`jackspot.core.rules.Rules`.

A finished board stays the running one, with its result, until a stroke, ``! turn`` or ``! board``
begins the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from jackspot.core.directives import Directive, Entry, GiveTurn, Resign, Say, Saying
from jackspot.core.options import text_option
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.core.rules import (
    Effect,
    FinishedBoard,
    IllegalDirective,
    Rules,
    Standing,
    rules_for,
)
from jackspot.core.ruling import BoardResult, IllegalStroke, Ruling
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Stroke
from jackspot.values import IdentityKey, changed

_DEMAND = Say(Saying.DEMAND)
_BOARD = Say(Saying.BOARD)
_TIME = Say(Saying.TIME)


class TimeUp(StrEnum):
    """What is still played after time has run out."""

    STROKE = "finish_stroke"
    """One more stroke."""
    TURN = "finish_turn"
    """Until the turn passes."""
    ROUND = "finish_round"
    """Until the last turn of the round passes."""
    DECIDER = "sudden_death"
    """Until a stroke decides it: it was tied."""


class IllegalEntry(ValueError):
    """An entry that cannot have happened. The match stays as it was.

    The fault is the seat (``seat``), the piece with index ``departure`` in the stroke, the flag
    ``flag``, or what follows the directive's word (``argument``); without any of them it is the
    entry as a whole.
    """

    def __init__(
        self,
        message: str,
        *,
        seat: bool = False,
        departure: int | None = None,
        flag: str | None = None,
        argument: bool = False,
    ) -> None:
        super().__init__(message)
        self.seat = seat
        self.departure = departure
        self.flag = flag
        self.argument = argument


class NothingToUndo(LookupError):
    """There is no entry to take back."""

    def __init__(self) -> None:
        super().__init__("nothing to undo: no entry is left")


class NothingToRedo(LookupError):
    """There is no undone entry to put back."""

    def __init__(self) -> None:
        super().__init__("nothing to redo: the entry before was no undo")


class MatchState(Struct, frozen=True):
    """The state of a match.

    ``board`` counts from 1, including void boards. ``boards`` has the finished ones; when the
    running board is finished it is the last of them and ``result`` is its result. ``ruling`` is
    that of the last stroke of this board, ``place`` what the last entry sends back, bottom to top.
    ``time_up`` says what is still played after time.
    """

    settings: MatchSettings
    board: int
    opener: Seat
    position: Position
    standing: Standing
    boards: tuple[FinishedBoard, ...] = ()
    result: BoardResult | None = None
    ruling: Ruling | None = None
    place: tuple[Piece, ...] = ()
    time_up: TimeUp | None = None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.standing.over

    @property
    def winner(self) -> Side | None:
        """The side that won the match, as named on board 1; None: drawn, or not over."""
        return self.standing.winner

    @property
    def points(self) -> Mapping[Side, int]:
        """The points of the finished boards, by side as named on board 1."""
        return self.standing.points

    @property
    def boards_won(self) -> Mapping[Side, int]:
        """The boards won, by side as named on board 1."""
        return self.standing.boards_won

    @property
    def next(self) -> Seat | None:
        """The seat to shoot; after a board the next opener, None after the match."""
        return self.position.seat if self.result is None else self.standing.opener


class Step(Struct, frozen=True):
    """One entry that counts, the state after it, and its ruling if it was a stroke."""

    entry: Entry
    state: MatchState
    ruling: Ruling | None


class Match(Struct, frozen=True):
    """A match; see the module. ``undone`` begins with what redo brings back first."""

    settings: MatchSettings
    opened: MatchState
    steps: tuple[Step, ...] = ()
    undone: tuple[Entry, ...] = ()

    @classmethod
    def begin(cls, settings: MatchSettings) -> Match:
        """Begin a match; LookupError if its rules are not played by this version."""
        rules = rules_for(settings.rules)
        standing = rules.standing(settings, ())
        opener = settings.seats[0]
        return cls(
            settings,
            MatchState(settings, 1, opener, rules.opening(settings, (), opener), standing),
        )

    @property
    def state(self) -> MatchState:
        """The present state of the match."""
        return self.steps[-1].state if self.steps else self.opened

    def enter(self, entry: Entry) -> Match:
        """Return the match after an entry; :class:`IllegalEntry` if it cannot have happened."""
        return self._with(entry, ())

    def undo(self) -> Match:
        """Take back the last entry of any kind; raise :class:`NothingToUndo` if there is none."""
        if not self.steps:
            raise NothingToUndo
        undone = (self.steps[-1].entry, *self.undone)
        return Match(self.settings, self.opened, self.steps[:-1], undone)

    def redo(self) -> Match:
        """Put back the last undone entry; raise :class:`NothingToRedo` if there is none."""
        if not self.undone:
            raise NothingToRedo
        return self._with(self.undone[0], self.undone[1:])

    def _with(self, entry: Entry, undone: tuple[Entry, ...]) -> Match:
        step = _step(IdentityKey((self.state,)), entry)
        return Match(self.settings, self.opened, (*self.steps, step), undone)


class Playing:
    """A match into which many entries are folded, in a time that grows with their number alone.

    It does the same as a :class:`Match`, which copies its steps with each entry.
    """

    def __init__(self, settings: MatchSettings) -> None:
        self._begun = Match.begin(settings)
        self._steps: list[Step] = []
        self._undone: list[Entry] = []

    def enter(self, entry: Entry) -> None:
        """Fold an entry; :class:`IllegalEntry` if it cannot have happened."""
        self._fold(entry)
        self._undone.clear()

    def undo(self) -> None:
        """Take back the last entry of any kind; raise :class:`NothingToUndo` if there is none."""
        if not self._steps:
            raise NothingToUndo
        self._undone.append(self._steps.pop().entry)

    def redo(self) -> None:
        """Put back the last undone entry; raise :class:`NothingToRedo` if there is none."""
        if not self._undone:
            raise NothingToRedo
        self._fold(self._undone[-1])
        self._undone.pop()

    def _fold(self, entry: Entry) -> None:
        state = self._steps[-1].state if self._steps else self._begun.opened
        self._steps.append(_step(IdentityKey((state,)), entry))

    def match(self) -> Match:
        """Return the match so far."""
        return changed(self._begun, steps=tuple(self._steps), undone=tuple(reversed(self._undone)))


def deal_points(state: MatchState) -> Mapping[Side, int]:
    """Return the points of the running board so far, or of the board just finished.

    Sides are as on this board; what counts while a board runs depends on the system.
    """
    if state.result is not None:
        return state.result.points
    return rules_for(state.settings.rules).points(state.position)


REMEMBERED = 512
"""Cached steps: those of a match, and what is tried on its newest states. Which entries are legal,
what a stroke would lead to and what the match was before are computed again and again."""


@lru_cache(maxsize=REMEMBERED)
def _step(before: IdentityKey, entry: Entry) -> Step:
    """Fold an entry into a state, which is compared by identity."""
    state = before.parts[0]
    assert isinstance(state, MatchState)
    rules = rules_for(state.settings.rules)
    if isinstance(entry, Stroke):
        after = _stroke(rules, state, entry)
        return Step(entry, after, after.ruling)
    return Step(entry, _directive(rules, state, entry), None)


def _stroke(rules: Rules, state: MatchState, stroke: Stroke) -> MatchState:
    """Fold a stroke; one after a finished board begins the next board."""
    if state.result is not None:
        state = _next_board(rules, state, stroke.seat)
    _check_seat_plays(state, stroke.seat)
    before = state.position
    if stroke.seat is not before.seat:
        raise IllegalEntry(f"it is {before.seat}'s turn, not {stroke.seat}'s", seat=True)
    try:
        ruling = rules.judge(state.settings, before, stroke)
    except IllegalStroke as error:
        raise IllegalEntry(str(error), departure=error.departure, flag=error.flag) from error
    after = MatchState(
        state.settings,
        state.board,
        state.opener,
        ruling.after,
        state.standing,
        state.boards,
        None,
        ruling,
        ruling.place,
        state.time_up,
    )
    if ruling.result is not None:
        return _finished(rules, after, ruling.result)
    if state.time_up is None or not _is_played_out(state, ruling):
        return after
    ended = _timed_out(rules, after)
    return changed(ended, place=_in_order(rules, before.side, ended.place))


def _in_order(rules: Rules, shooter: Side, place: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Merge what a stroke sends back with what time sends back after it.

    Only a queen or a debt waits for the end of a turn, so this is the order of the systems with a
    queen: the queen, the shooter's pieces, the others. With a jack the order is unchanged.
    """
    if rules.red is not Piece.QUEEN:
        return place
    kinds = {piece: (piece.value != shooter.value, at) for at, piece in enumerate(rules.pieces)}
    return tuple(sorted(place, key=lambda piece: (piece is not rules.red, kinds[piece])))


def _check_seat_plays(state: MatchState, seat: Seat) -> None:
    if seat not in state.settings.sides:
        seats = ", ".join(state.settings.seats)
        raise IllegalEntry(f"{seat} does not play; the seats are {seats}", seat=True)


def _directive(rules: Rules, state: MatchState, directive: Directive) -> MatchState:
    """Fold a directive."""
    if isinstance(directive, GiveTurn | Resign):
        _check_seat_plays(state, directive.seat)
    if state.result is not None:
        return _after_the_board(rules, state, directive)
    if directive == _BOARD:
        return _begin_board(rules, state, state.opener)
    if directive == _TIME:
        return _time(rules, state)
    effect = _effect(rules, state, directive)
    after = changed(state, position=effect.after, place=effect.place)
    if effect.result is not None:
        return _finished(rules, after, effect.result)
    if isinstance(directive, GiveTurn) and _was_the_last_turn(state):
        return _timed_out(rules, after)
    return after


def _effect(rules: Rules, state: MatchState, directive: Directive) -> Effect:
    try:
        return rules.direct(state.settings, state.position, directive)
    except IllegalDirective as error:
        raise IllegalEntry(str(error), argument=error.argument) from error


def _time(rules: Rules, state: MatchState) -> MatchState:
    """Fold ``! time``: record what is still played; a second one always ends the board."""
    time_end = text_option(state.settings, "time_end")
    before = changed(state, place=())
    if state.time_up is not None or time_end == "stop":
        return _timed_out(rules, before)
    return changed(before, time_up=TimeUp(time_end))


def _is_played_out(state: MatchState, ruling: Ruling) -> bool:
    """Return whether this stroke was the last one still to be played."""
    if state.time_up is TimeUp.STROKE:
        return True
    return not ruling.keeps_turn and _was_the_last_turn(state)


def _was_the_last_turn(state: MatchState) -> bool:
    """Return whether time ends the board when the turn of ``state`` passes."""
    if state.time_up is TimeUp.ROUND:
        order = state.position.order
        return (state.position.turn + 1) % len(order) == order.index(state.opener)
    return state.time_up is TimeUp.TURN


def _timed_out(rules: Rules, state: MatchState) -> MatchState:
    """Settle a board whose time has been played out; it goes on if nothing is decided."""
    effect = _effect(rules, state, _TIME)
    after = changed(
        state,
        position=effect.after,
        place=state.place + effect.place,
        time_up=TimeUp.DECIDER,
    )
    return after if effect.result is None else _finished(rules, after, effect.result)


def _finished(rules: Rules, state: MatchState, result: BoardResult) -> MatchState:
    """Close the running board and count it."""
    seat_sides = state.position.seat_sides
    boards = (*state.boards, FinishedBoard(state.board, state.opener, seat_sides, result))
    return changed(
        state,
        boards=boards,
        result=result,
        standing=rules.standing(state.settings, boards),
        time_up=None,
    )


def _next_board(rules: Rules, state: MatchState, seat: Seat | None) -> MatchState:
    """Begin the board after a finished one; ``seat`` is the one that wants to begin, if any."""
    opener = state.standing.opener
    if opener is None:
        raise IllegalEntry("the match is over: nothing can follow", seat=seat is not None)
    return _begin_board(rules, state, opener)


def _begin_board(rules: Rules, state: MatchState, opener: Seat) -> MatchState:
    return MatchState(
        settings=state.settings,
        board=state.board + 1,
        opener=opener,
        position=rules.opening(state.settings, state.boards, opener),
        standing=state.standing,
        boards=state.boards,
    )


def _after_the_board(rules: Rules, state: MatchState, directive: Directive) -> MatchState:
    """Fold what may follow a finished board: the next board, or ``! demand``."""
    if directive == _DEMAND:
        effect = _effect(rules, state, directive)
        assert effect.result is not None
        reopened = changed(state, boards=state.boards[:-1], position=effect.after)
        return _finished(rules, reopened, effect.result)
    if directive == _BOARD:
        return _next_board(rules, state, None)
    if isinstance(directive, GiveTurn):
        _next_board(rules, state, directive.seat)
        return _begin_board(rules, state, directive.seat)
    seat = isinstance(directive, Resign)
    if state.over:
        raise IllegalEntry("the match is over: only undo and redo can follow", seat=seat)
    raise IllegalEntry(
        f"board {state.board} is over: a stroke, '! turn', '! board' or undo can follow", seat=seat
    )
