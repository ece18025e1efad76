"""Who has the striker, given what is entered and what was shot."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import Entry, GiveTurn, Say, Saying, SetOwed
from jackspot.core.phrases import EMPTY
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.view import BoardView, FreeView, MenuView, Phase, Written
from jackspot.values import changed
from jackspot_sim.table.turns import LastShot, Turn, turn_of
from tests.web.samples import READY

MISS_N, MISS_S = Stroke(Seat.N, ()), Stroke(Seat.S, ())
FOUL_N = Stroke(Seat.N, (), frozenset({Flag.FOUL}))
OWN_N = Stroke(Seat.N, (Departure(Piece.RED, Pocket.NE),))
OWN_S = Stroke(Seat.S, (Departure(Piece.GREEN, Pocket.SW),))
PLACED = Say(Saying.PLACED)


def asks(shooter: Seat, *entries: Entry, phase: Phase = Phase.READY) -> BoardView:
    """Return the view of a board that has these entries and asks a seat for its stroke."""
    written = Written(agree({"rules": "hikone"}), entries)
    return changed(READY, phase=phase, shooter=shooter, written=written, waiting=0, menu=None)


def test_a_shot_is_open_until_its_stroke_is_entered() -> None:
    shot = LastShot(Seat.S, (MISS_N,))
    assert shot.is_open(asks(Seat.S, MISS_N))
    assert not shot.is_open(asks(Seat.S, MISS_N, OWN_S))


def test_a_shot_whose_stroke_was_taken_back_is_open_again() -> None:
    shot = LastShot(Seat.S, (MISS_N, OWN_S))
    assert shot.is_open(asks(Seat.S, MISS_N))
    assert shot.is_open(asks(Seat.N))


def test_a_shot_is_entered_though_the_stroke_before_it_was_corrected_to_fewer_entries() -> None:
    shot = LastShot(Seat.S, (FOUL_N, PLACED))
    assert shot.is_open(asks(Seat.S, MISS_N))
    assert not shot.is_open(asks(Seat.S, MISS_N, OWN_S))


def test_a_shot_is_open_though_the_stroke_before_it_was_corrected_to_more_entries() -> None:
    shot = LastShot(Seat.S, (MISS_N,))
    assert shot.is_open(asks(Seat.S, FOUL_N, PLACED))
    assert not shot.is_open(asks(Seat.N, FOUL_N, PLACED, MISS_S))


def test_a_shot_is_entered_though_two_strokes_of_its_seat_before_it_became_one() -> None:
    shot = LastShot(Seat.N, (OWN_N, OWN_N, OWN_N))
    corrected = asks(Seat.N, OWN_N, changed(OWN_N, departures=(*OWN_N.departures,) * 2))
    assert shot.is_open(corrected)
    shot = shot.seen(corrected)
    assert shot.is_open(corrected)
    assert corrected.written is not None
    assert not shot.is_open(asks(Seat.S, *corrected.written.entries, MISS_N))


@pytest.mark.parametrize(
    ("waiting", "menu"), [(1, None), (0, MenuView(EMPTY, (), 0))], ids=["a stroke", "an answer"]
)
def test_while_later_strokes_wait_a_record_is_not_corrected_yet(
    waiting: int, menu: MenuView | None
) -> None:
    shot = LastShot(Seat.N, (OWN_N, OWN_N))
    assert shot.seen(changed(asks(Seat.N, MISS_N), waiting=waiting, menu=menu)) == shot


def test_counts_that_are_set_leave_a_shot_open_and_a_turn_that_is_given_does_not() -> None:
    shot = LastShot(Seat.S, (MISS_N,))
    assert shot.is_open(asks(Seat.S, MISS_N, SetOwed(Side.RED, 1)))
    assert not shot.is_open(asks(Seat.N, MISS_N, GiveTurn(Seat.N)))


@pytest.mark.parametrize(
    ("phase", "has_shot", "computers", "turn"),
    [
        (Phase.READY, False, {Seat.N}, Turn.PERSON_AIMS),
        (Phase.READY, True, {Seat.N}, Turn.PERSON_SHOT),
        (Phase.REVIEW, False, set(), Turn.PERSON_SHOT),
        (Phase.READY, False, {Seat.S}, Turn.COMPUTER_AIMS),
        (Phase.READY, True, {Seat.S}, Turn.COMPUTER_SHOT),
        (Phase.PLACING, True, {Seat.S}, Turn.COMPUTER_SHOT),
        (Phase.SETUP, False, {Seat.S}, Turn.NOBODY),
        (Phase.BOARD_OVER, True, set(), Turn.NOBODY),
        (Phase.MATCH_OVER, True, {Seat.S}, Turn.NOBODY),
    ],
)
def test_the_turn_by_phase_by_shot_and_by_who_plays(
    phase: Phase, has_shot: bool, computers: set[Seat], turn: Turn
) -> None:
    view = asks(Seat.S, MISS_N, phase=phase)
    assert turn_of(view, computers, has_shot=has_shot, striker_lies=False) is turn


@pytest.mark.parametrize(("lies", "turn"), [(False, Turn.PERSON_AIMS), (True, Turn.PERSON_SHOT)])
def test_in_free_play_a_striker_is_taken_up_again(lies: bool, turn: Turn) -> None:
    view = changed(asks(Seat.S), free=FreeView(()), written=None, shooter=None)
    assert turn_of(view, {Seat.S}, has_shot=False, striker_lies=lies) is turn
