"""What a page is told about the pieces on the board."""

from __future__ import annotations

from jackspot.core.pieces import Piece, Seat
from jackspot_sim.browser.shot_view import lying_view
from jackspot_sim.physics.values import Lying

BEHIND, UPON, BEFORE = (
    Lying(1, Piece.RED, 250.0, 40.0),
    Lying(2, Piece.GREEN, 210.0, -40.0),
    Lying(3, Piece.RED, 150.0, 0.0),
)
"""Behind the area line of the player in the east, on it, and in front of it."""


def test_what_whoever_shoots_may_not_strike_is_told() -> None:
    told = lying_view((BEHIND, UPON, BEFORE), None, Seat.E)
    assert (told["area"], told["forbidden"]) == ("E", [1])
    assert told["pieces"][0] == [1, "red", 2500, 400, 0]


def test_whoever_may_strike_everything_is_told_of_no_area() -> None:
    told = lying_view((BEHIND, UPON, BEFORE), None)
    assert (told["area"], told["forbidden"]) == (None, [])
