"""What a sensor says of a fall, as one factor of a reading's weight."""

from __future__ import annotations

from typing import Protocol, Self

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import Fall


class Evidence(Protocol):
    """How well what one kind of sensor saw of a fall fits what may have made it.

    All values are densities, so that those of all sensors can be multiplied. Where a sensor saw
    nothing of a fall, all of them are 1 and it changes nothing. The widths of the beam's pulses
    (:class:`jackspot.readings.widths.WidthModel`) are the first such term and always present.
    """

    def of_board(self, red: Piece) -> Evidence:
        """Return the same sensors for the pieces of a board with this in its centre."""
        ...

    def at(self, pocket: Pocket) -> Evidence:
        """Return the sensor of one pocket."""
        ...

    def one(self, piece: Piece, fall: Fall) -> float:
        """Return the density of one piece making a fall."""
        ...

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        """Return the density of two pieces that fall at once making a fall."""
        ...

    def hand(self, fall: Fall) -> float:
        """Return the density of a hand making a fall."""
        ...

    def flash(self, fall: Fall) -> float:
        """Return the density of nothing at all making a fall."""
        ...


class OfPieces:
    """Evidence that weighs pieces against everything else (1), alike for all boards and pockets."""

    __slots__ = ()

    def of_board(self, red: Piece) -> Self:
        """Return itself."""
        del red
        return self

    def at(self, pocket: Pocket) -> Self:
        """Return itself."""
        del pocket
        return self

    def hand(self, fall: Fall) -> float:
        """Return what pieces are weighed against."""
        del fall
        return 1.0

    def flash(self, fall: Fall) -> float:
        """Return what pieces are weighed against."""
        del fall
        return 1.0
