"""What is proposed and not yet confirmed, as values."""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.game import Line
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall

Hands = tuple[tuple[Pocket, float], ...]
"""For a pocket, how likely a fall there was a hand at the moment it came."""


class Proposal(Struct, frozen=True):
    """What is proposed and not yet confirmed.

    ``readings`` are the legal ones, likeliest first; for a reopened line, what had been confirmed
    comes first. ``edited`` replaces the chosen reading's pieces when people changed them one by
    one. ``reopened`` is the line that UNDO took back to open this. ``hands`` says where a fall was
    likely a hand when these falls came, ``gap_ns`` how long they came after whatever came before.
    ``late`` says that they came while something else was open or soon after an entry. ``before``
    is then the last line, if they may have been part of its stroke: readings that ``joins``
    replace it. ``spoke`` is a seat that pressed FIX. ``misses`` are seats that, as people said in
    editing, missed before ``seat``.
    """

    seat: Seat
    falls: tuple[Fall, ...]
    readings: tuple[Reading, ...]
    chosen: int = 0
    flags: frozenset[Flag] = frozenset()
    flown: tuple[Piece, ...] = ()
    called: Pocket | None = None
    edited: tuple[Departure, ...] | None = None
    opened_ns: int = 0
    changed_ns: int = 0
    reopened: Line | None = None
    hands: Hands = ()
    gap_ns: int | None = None
    late: bool = False
    before: Line | None = None
    dark: tuple[Pocket, ...] = ()
    """Pockets whose beams could not be trusted when this was first read."""
    spoke: Seat | None = None
    misses: tuple[Seat, ...] = ()

    @property
    def reading(self) -> Reading:
        """The reading shown now."""
        return self.readings[self.chosen]

    @property
    def by_head(self) -> bool:
        """Whether any of it was seen by a colour head alone: it is always asked, as doubtful."""
        return any(fall.by_head for fall in self.falls)

    @property
    def nothing_first(self) -> bool:
        """Whether the first of the plain readings is that nothing fell."""
        plain = next((each for each in self.readings if each.seat is None), None)
        return plain is not None and not plain.departures

    @property
    def is_stroke(self) -> bool:
        """Whether it is a stroke at all."""
        marked = self.edited is not None or bool(self.flags or self.flown)
        return marked or self.reading.stroke

    @property
    def departures(self) -> tuple[Departure, ...]:
        """All pieces that left the board, as proposed now."""
        fallen = self.reading.departures if self.edited is None else self.edited
        return fallen + tuple([Departure(piece, flew_off=True) for piece in self.flown_now])

    @property
    def flown_now(self) -> tuple[Piece, ...]:
        """The pieces marked as flown off, as they are for the seat that shot as proposed now."""
        return self.reading.flown if self.flown and self.reading.seat else self.flown

    @property
    def joining(self) -> Stroke | None:
        """The stroke confirmed last, if the reading shown completes it."""
        joins = self.before is not None and self.reading.joins
        return self.before.stroke if joins and self.before is not None else None

    @property
    def shooter(self) -> Seat:
        """Whose stroke it is as proposed now."""
        return self.reading.seat or self.seat

    @property
    def missed(self) -> tuple[Seat, ...]:
        """The seats that missed before it without anybody pressing, as proposed now."""
        reading = self.reading
        said = self.misses if reading.seat is None else reading.missed
        return said if said and self.is_stroke else ()

    def as_stroke(self, used_ns: int | None) -> Stroke:
        """Return the stroke that an OK would enter."""
        flags, called = self.flags, self.called
        if self.joining is not None:
            flags, called = flags | self.joining.flags, self.joining.called or called
        return Stroke(self.shooter, self.departures, flags, called, used_ns)


class FallGroup(Struct, frozen=True):
    """Falls close together that wait because something else was open when they came.

    ``gap_ns`` is how long they came after whatever came before; None where that is not known.
    """

    falls: tuple[Fall, ...]
    hands: Hands = ()
    gap_ns: int | None = None
