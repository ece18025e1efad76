"""What was measured: drops of known pieces into known pockets, and how quiet the beams are.

Values only. A drop is stored as it was sensed (pulse, gap, pulse ...), so that everything derived
from it can be computed again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import ColourSeen, Fall, Pulse
from jackspot.sensing.falls import MOST_PULSES
from jackspot.values import changed


class PieceKind(StrEnum):
    """A kind of piece as a beam sees it, without colours."""

    PUCK = "puck"
    JACK = "jack"
    MAN = "man"
    QUEEN = "queen"
    STRIKER = "striker"


class PieceSet(StrEnum):
    """The pieces of a board with a jack, or of one with a queen."""

    CAROM = "carom"
    CARROM = "carrom"

    @classmethod
    def of_board(cls, red: Piece) -> PieceSet:
        """Return the set that has this piece in its centre."""
        return cls.CAROM if red is Piece.JACK else cls.CARROM

    @property
    def kinds(self) -> tuple[PieceKind, ...]:
        """The kinds of the set, in the order in which they are dropped."""
        return tuple(PIECES[self])


PIECES: Mapping[PieceSet, Mapping[PieceKind, tuple[Piece, ...]]] = MappingProxyType(
    {
        PieceSet.CAROM: MappingProxyType(
            {
                PieceKind.PUCK: (Piece.RED, Piece.GREEN),
                PieceKind.JACK: (Piece.JACK,),
                PieceKind.STRIKER: (Piece.STRIKER,),
            }
        ),
        PieceSet.CARROM: MappingProxyType(
            {
                PieceKind.MAN: (Piece.WHITE, Piece.BLACK, Piece.BROWN),
                PieceKind.QUEEN: (Piece.QUEEN,),
                PieceKind.STRIKER: (Piece.STRIKER,),
            }
        ),
    }
)
"""The kinds of each set, and the pieces of each kind."""


MOST_KEPT = 8
"""At most this many frames of one drop are stored; of more, every other one."""
MOST_SPANS = 2 * MOST_PULSES - 1
"""One drop has at most this many pulses and gaps, as a fall has at most ``MOST_PULSES``."""
LONGEST_SPAN_NS = 60_000_000_000
"""A pulse or gap that took longer is stored as this long: something lay in the pocket."""


class DropPlace(NamedTuple):
    """Which kind was dropped into which pocket."""

    pocket: Pocket
    kind: PieceKind


class Drop(Struct, frozen=True):
    """One piece dropped by hand: the lengths of its pulses and of the gaps between, in turn.

    ``spans_ns`` is pulse, gap, pulse ...: an odd number of them, each more than 0; anything else
    raises ValueError. ``seen`` is what the pocket's colour head saw of it, timed from its
    beginning.
    """

    spans_ns: tuple[int, ...]
    seen: tuple[ColourSeen, ...] = ()

    def __post_init__(self) -> None:
        if len(self.spans_ns) % 2 == 0 or min(self.spans_ns) <= 0:
            raise ValueError(
                f"expected pulse, gap, pulse ..., each more than 0 ns, found {self.spans_ns}"
            )

    @classmethod
    def of_fall(cls, fall: Fall) -> Drop:
        """Return a fall as a drop; a gap where pulses overlap counts as 1 ns."""
        spans = [fall.pulses[0].width_ns]
        for before, after in pairwise(fall.pulses):
            spans += [after.start_ns - before.end_ns, after.width_ns]
        within = tuple(min(max(1, each), LONGEST_SPAN_NS) for each in spans)
        frames = [each for each in fall.seen if each.at_ns - fall.start_ns <= LONGEST_SPAN_NS]
        fewer = frames if len(frames) <= MOST_KEPT else frames[::2][:MOST_KEPT]
        seen = (changed(each, at_ns=each.at_ns - fall.start_ns) for each in fewer)
        return cls(within, tuple(seen))

    @property
    def widths_ns(self) -> tuple[int, ...]:
        """How long each pulse was, in order."""
        return self.spans_ns[::2]

    @property
    def gaps_ns(self) -> tuple[int, ...]:
        """How long the beam was whole between them."""
        return self.spans_ns[1::2]

    def fall(self, pocket: Pocket) -> Fall:
        """Return it as a fall, to be weighed like the falls of a match."""
        pulses, at_ns = [], 0
        for index, span_ns in enumerate(self.spans_ns):
            if index % 2 == 0:
                pulses.append(Pulse(pocket, at_ns, at_ns + span_ns))
            at_ns += span_ns
        return Fall(0, pocket, tuple(pulses), seen=self.seen)


class Quiet(Struct, frozen=True):
    """What one beam did during ``lasted_ns`` in which nothing was dropped.

    ``spikes`` broke it for less than a pulse, ``pulses`` for longer; ``blocked_ns`` is how
    long it was broken altogether, ``storms`` how often it changed too fast to be followed.
    """

    lasted_ns: int
    spikes: int = 0
    pulses: int = 0
    storms: int = 0
    blocked_ns: int = 0


class Measured(Struct, frozen=True):
    """Everything measured with one set of pieces."""

    pieces: PieceSet
    drops: Mapping[DropPlace, tuple[Drop, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    quiet: Mapping[Pocket, Quiet] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, pocket: Pocket, kind: PieceKind) -> tuple[Drop, ...]:
        """Return the drops of one kind into one pocket, in order."""
        return self.drops.get(DropPlace(pocket, kind), ())

    def into(self, pocket: Pocket) -> Iterator[tuple[PieceKind, Drop]]:
        """Yield all drops into one pocket."""
        for kind in self.pieces.kinds:
            for drop in self.at(pocket, kind):
                yield kind, drop

    def seen(self) -> Iterator[tuple[tuple[Piece, ...], Fall]]:
        """Yield the drops that a colour head saw as falls, each with the pieces it may be."""
        for (pocket, kind), drops in self.drops.items():
            for drop in drops:
                if drop.seen:
                    yield PIECES[self.pieces][kind], drop.fall(pocket)

    @property
    def count(self) -> int:
        """How many drops there are."""
        return sum(map(len, self.drops.values()))

    def outside(self, pockets: Collection[Pocket]) -> Measured:
        """Leave out what was measured in some pockets."""
        drops = {place: each for place, each in self.drops.items() if place.pocket not in pockets}
        quiet = {pocket: each for pocket, each in self.quiet.items() if pocket not in pockets}
        return changed(self, drops=MappingProxyType(drops), quiet=MappingProxyType(quiet))

    def with_drop(self, place: DropPlace, drop: Drop) -> Measured:
        """Add one drop."""
        return self.with_drops(place, (drop,))

    def with_drops(self, place: DropPlace, drops: Iterable[Drop]) -> Measured:
        """Add drops of one kind into one pocket."""
        return self._with(place, (*self.drops.get(place, ()), *drops))

    def without_last(self, place: DropPlace) -> Measured:
        """Take back the last drop of a place; ValueError if there is none."""
        drops = self.drops.get(place, ())
        if not drops:
            raise ValueError(f"nothing was dropped there yet: {place.kind} into {place.pocket}")
        return self._with(place, drops[:-1])

    def _with(self, place: DropPlace, drops: tuple[Drop, ...]) -> Measured:
        kept = {key: value for key, value in {**self.drops, place: drops}.items() if value}
        return changed(self, drops=MappingProxyType(kept))

    def with_quiet(self, pocket: Pocket, quiet: Quiet) -> Measured:
        """Record how quiet a beam is, in place of what was recorded before."""
        return changed(self, quiet=MappingProxyType({**self.quiet, pocket: quiet}))
