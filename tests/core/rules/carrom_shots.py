"""Random strokes of the games with a queen: drawn first, then fitted to what is on the board."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import IllegalEntry, Match, MatchState, Step
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.core.rules import rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Flag, Stroke

NINE = 9


class Shot(NamedTuple):
    """A stroke drawn before the board is known; what is not there is left out."""

    own: int
    opp: int
    queen: bool
    striker: bool
    own_off: int
    opp_off: int
    queen_off: bool
    striker_off: bool
    foul: bool
    missed: bool


RARELY = st.sampled_from((False,) * 7 + (True,))
FEW_OFF = st.sampled_from((0,) * 8 + (1, 2))
SHOTS = st.builds(
    Shot,
    st.sampled_from((0, 0, 0, 1, 1, 1, 2, 3, 9)),
    st.sampled_from((0, 0, 0, 0, 1, 2, 9)),
    st.booleans(),
    RARELY,
    FEW_OFF,
    FEW_OFF,
    RARELY,
    RARELY,
    RARELY,
    RARELY,
)
SIDES = st.sampled_from((Side.WHITE, Side.BLACK))
SAID: st.SearchStrategy[Directive] = st.one_of(
    st.builds(Say, st.sampled_from((Saying.WAIVE, Saying.DEMAND, Saying.TIME, Saying.BOARD))),
    st.builds(GiveTurn, st.sampled_from(Seat)),
    st.builds(Resign, st.sampled_from(Seat)),
)
CORRECTED: st.SearchStrategy[Directive] = st.one_of(
    st.builds(SetPocketed, SIDES, st.integers(0, NINE)),
    st.builds(SetOwed, SIDES, st.integers(0, 3)),
    st.builds(
        SetRed,
        st.sampled_from((RedPlace.PENDING, RedPlace.COVERED)),
        SIDES,
        st.just(Piece.QUEEN),
    ),
    st.just(SetRed(RedPlace.BOARD, None, Piece.QUEEN)),
)


def stroke_of(state: MatchState, shot: Shot) -> Stroke:
    """Make a shot into a stroke that could have happened."""
    assert state.next is not None
    position = state.position
    if state.result is not None:  # it opens the next board, which has everything on it
        own, other, left = position.sides[0].piece, position.sides[1].piece, (NINE, NINE, 1)
    else:
        own, other = position.side.piece, position.other(position.side).piece
        there = rules_for(state.settings.rules).on_board(position)
        left = (there[own], there[other], there[Piece.QUEEN])
    if shot.missed:
        shot = Shot(0, 0, False, shot.striker, 0, 0, False, shot.striker_off, shot.foul, True)
    departures: list[Departure] = []
    for piece, there_are, fell, flew in (
        (own, left[0], shot.own, shot.own_off),
        (other, left[1], shot.opp, shot.opp_off),
        (Piece.QUEEN, left[2], int(shot.queen), int(shot.queen_off)),
        (Piece.STRIKER, 1, int(shot.striker), int(shot.striker_off)),
    ):
        fallen = min(fell, there_are)
        flown = min(flew, there_are - fallen)
        departures += [Departure(piece)] * fallen + [Departure(piece, flew_off=True)] * flown
    flags = frozenset({Flag.FOUL} if shot.foul else ()) | ({Flag.NOBREAK} if shot.missed else set())
    return Stroke(state.next, tuple(departures), flags)


def play(agreed: MatchSettings, actions: list[Shot | Directive]) -> Match:
    """Play what could have happened; the rest is refused and changes nothing."""
    match = Match.begin(agreed)
    for action in actions:
        if match.state.over:
            break
        entry = stroke_of(match.state, action) if isinstance(action, Shot) else action
        try:
            match = match.enter(entry)
        except IllegalEntry:
            assert not isinstance(action, Shot) or action.missed, "a stroke of what lies there"
    return match


def strokes(match: Match) -> list[tuple[Position, Step]]:
    """Return every stroke that followed no finished board, with the position before it."""
    states = [match.opened, *(step.state for step in match.steps)]
    return [
        (before.position, step)
        for before, step in zip(states, match.steps, strict=False)
        if isinstance(step.entry, Stroke) and before.result is None
    ]
