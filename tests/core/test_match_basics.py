"""A match from the first stroke to the jack, in the fewest words."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import IllegalEntry, Match, deal_points
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.stroke import Departure, Stroke

HIKONE = agree({"rules": "hikone"})


def shot(seat: Seat, *pieces: Piece) -> Stroke:
    return Stroke(seat, tuple(Departure(piece) for piece in pieces))


def test_all_twelve_and_then_the_jack_wins_the_match():
    match = Match.begin(HIKONE)
    match = match.enter(shot(Seat.N, *[Piece.RED] * 12)).enter(shot(Seat.N, Piece.JACK))
    assert match.state.over
    assert match.state.winner is Side.RED
    assert deal_points(match.state) == {Side.RED: 12, Side.GREEN: 0}
    assert match.state.next is None


def test_undo_and_redo_walk_the_same_way_back_and_forth():
    first = Match.begin(HIKONE)
    second = first.enter(shot(Seat.N, Piece.RED))
    third = second.enter(shot(Seat.N))
    assert third.undo().state == second.state
    assert third.undo().undo().state == first.state
    assert third.undo().undo().redo().redo() == third


def test_a_stroke_out_of_turn_is_refused_at_the_seat():
    with pytest.raises(IllegalEntry) as refused:
        Match.begin(HIKONE).enter(shot(Seat.S))
    assert refused.value.seat
    assert str(refused.value) == "it is N's turn, not S's"
