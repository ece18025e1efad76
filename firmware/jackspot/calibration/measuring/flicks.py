"""The shakes of a calibration: those of a quiet minute, and flicks from each side.

Values only. A shake is stored as it was felt: its first knock at each disc with height and delay,
and its number of knocks, so that everything derived from it can be computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.pieces import Seat
from jackspot.readings.shots import ShotModel, Strongest, strongest
from jackspot.sensing.events import DiscPeak, HubDiscs, KnockHeard, Shake
from jackspot.values import changed

MOST_SHAKES = 1_000
"""At most this many are stored for one quiet minute: a board shaken more often is not quiet."""


class FeltShake(Struct, frozen=True):
    """A shake as discs felt it: ``peaks`` of its first knock at N, E, S and W, and how many knocks.

    Raises ValueError for another number of peaks, or no knock.
    """

    peaks: tuple[DiscPeak, ...]
    knocks: int

    def __post_init__(self) -> None:
        if len(self.peaks) != len(Seat) or self.knocks < 1:
            raise ValueError(
                f"expected 4 peaks and at least 1 knock, found {len(self.peaks)} and {self.knocks}"
            )

    @classmethod
    def of(cls, first: KnockHeard, shake: Shake) -> FeltShake:
        """Return a shake that is over, with its first knock."""
        return cls(first.peaks, shake.knocks)

    @property
    def heights(self) -> tuple[int, int, int, int]:
        """How high its first knock was at N, E, S and W."""
        n, e, s, w = (each.height for each in self.peaks)
        return n, e, s, w

    def shake(self, sides: tuple[Seat, ...]) -> Shake:
        """Return it as a shake felt by the discs of these sides, to be weighed as in a match."""
        return Shake(0, 0, self.heights, self.knocks, sides)


class MeasuredDiscs(Struct, frozen=True):
    """What some discs felt of flicks, and in ``quiet_ns`` while nobody touched the board."""

    discs: HubDiscs
    quiet_ns: int = 0
    quiet: tuple[FeltShake, ...] = ()
    flicks: Mapping[Seat, tuple[FeltShake, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def of(self, side: Seat) -> tuple[FeltShake, ...]:
        """Return the flicks from a side, in order."""
        return self.flicks.get(side, ())

    @property
    def count(self) -> int:
        """How many flicks there are."""
        return sum(map(len, self.flicks.values()))

    def with_flick(self, side: Seat, felt: FeltShake) -> MeasuredDiscs:
        """Add one flick."""
        return self._with(side, (*self.of(side), felt))

    def without_last(self, side: Seat) -> MeasuredDiscs:
        """Take back the last flick from a side; ValueError if there is none."""
        if not self.of(side):
            raise ValueError(f"nobody flicked from {side} yet")
        return self._with(side, self.of(side)[:-1])

    def _with(self, side: Seat, flicks: tuple[FeltShake, ...]) -> MeasuredDiscs:
        found = {**self.flicks, side: flicks}
        kept = {each: found[each] for each in Seat if found.get(each)}
        return changed(self, flicks=MappingProxyType(kept))

    def after(self, before: MeasuredDiscs | None) -> MeasuredDiscs:
        """Return this merged over what the same discs felt before, which fills the gaps."""
        if before is None or before.discs != self.discs:
            return self
        found = {**before.flicks, **self.flicks}
        flicks = MappingProxyType({each: found[each] for each in Seat if each in found})
        if self.quiet_ns:
            return changed(self, flicks=flicks)
        return changed(before, flicks=flicks)

    def shots(self) -> ShotModel:
        """Return the model by which readings weigh shots on a board with these discs."""
        sides = self.discs.sides
        return ShotModel().learnt(
            self.quiet_ns,
            [each.shake(sides) for each in self.quiet],
            {side: [each.shake(sides) for each in felt] for side, felt in self.flicks.items()},
            self.discs,
        )


class FlickDoubt(StrEnum):
    """What a shake was if not a flick from the requested side."""

    NONE = "none"
    THUMP = "thump"
    """All discs felt it about equally: it came through the table."""
    OTHER_SIDE = "other_side"
    """Another side felt it most."""


def doubt_of(felt: FeltShake, side: Seat, discs: HubDiscs) -> FlickDoubt:
    """Return whether it was a flick from a side; with discs missing it cannot be doubted."""
    most = strongest(felt.shake(discs.sides))
    if most is Strongest.ALIKE:
        return FlickDoubt.THUMP
    return FlickDoubt.NONE if most in (None, side.value) else FlickDoubt.OTHER_SIDE


def strongest_side(felt: FeltShake) -> Seat:
    """Return the side that felt it most."""
    return list(Seat)[felt.heights.index(max(felt.heights))]
