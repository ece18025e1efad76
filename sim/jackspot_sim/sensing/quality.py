"""What a pocket's sensor is like, and the usual ones by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from jackspot.core.pieces import Pocket
from jackspot_sim.physics.figures import Figure, Figures, Source, values
from jackspot_sim.pulses import CHANCE

_MEASURED, _COMPUTED, _GUESS = Source.MEASURED, Source.COMPUTED, Source.GUESS

FIGURES: Figures = {
    "depth_mm": Figure(
        CHANCE.depth_mm, "mm", _GUESS, "Below the board's surface: the height of a bracket."
    ),
    "beam_mm": Figure(3.0, "mm", _MEASURED, "The lens of the usual small break beam."),
    "aside_mm": Figure(1.0, "mm", _GUESS, "How far beside the pocket's middle it was mounted."),
    "response_ms": Figure(
        1.0, "ms", _GUESS, "Data sheets say under 2 ms: what is shorter does not show."
    ),
    "wall_bounce": Figure(0.4, "", _GUESS, "A piece against a pocket's wooden wall."),
    "wobble": Figure(0.25, "", _GUESS, "Spread of how fast a piece turns over at the rim."),
    "spikes": Figure(0.02, "", _GUESS, "Chance of a fall with spikes on the wire: long leads."),
    "sun_a_minute": Figure(0.0, "a minute", _GUESS, "Indoors, with a recessed lens: none."),
    "dirt": Figure(0.0, "", _GUESS, "Share of the light that is lost: a clean lens."),
    "dirt_a_fall": Figure(2e-6, "", _GUESS, "Powder and dust: half the light in 250,000 falls."),
}  # fmt: skip
"""The honest default: a single 3 mm beam, decently mounted, indoors and clean."""

SHALLOW_MM = 18.0
"""At this depth crossed beams see every piece of 30 mm in a pocket of 52 mm, however it was pushed.
At 30 mm one of 150 passes beside both, of those that are pushed evenly from all sides at up to
1.5 m/s: it came along the frame at some 0.6 m/s and stands on edge between beams and wall."""
TRIPS_AT = 0.5
"""A receiver switches when half its light is gone: by a piece, by dirt, or by both."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """One pocket's sensor; ``FIGURES`` say what each number is and where from.

    ``crossed``: a second beam at the same depth, at right angles to the first, on one wire with
    it. ``dead``: it never breaks.
    """

    depth_mm: float
    beam_mm: float
    aside_mm: float
    response_ms: float
    wall_bounce: float
    wobble: float
    spikes: float
    sun_a_minute: float
    dirt: float
    dirt_a_fall: float
    crossed: bool = False
    dead: bool = False

    @property
    def is_blocked(self) -> bool:
        """Whether dirt alone keeps the beam broken."""
        return self.dirt >= TRIPS_AT

    @property
    def margin_mm(self) -> float:
        """How near to the beam's axis a rim must come to break it, the sooner the dirtier."""
        return self.beam_mm * min(self.dirt, TRIPS_AT)

    def dirtier(self, falls: int) -> Sensor:
        """Give the sensor after so many more falls."""
        return replace(self, dirt=min(self.dirt + falls * self.dirt_a_fall, 1.0))


DEFAULT = Sensor(**values(FIGURES), crossed=False, dead=False)


class Quality(StrEnum):
    """Usual sensors, by name."""

    DEFAULT = "default"
    CROSSED = "crossed"
    """A second beam across the first in every pocket."""
    SHALLOW = "shallow"
    """Crossed beams that lie high: what came along the frame has not turned on edge there yet."""
    SUNNY = "sunny"
    """By a window: the sun flickers in the beams."""
    DIRTY = "dirty"
    """A lens that was not wiped for a year."""
    SLOW = "slow"
    """A slow receiver, mounted badly."""
    DEAD = "dead"
    """The north-eastern pocket's beam is dead."""
    IDEAL = "ideal"
    """Crossed, quick, exactly in the middle: what geometry alone leaves."""


Sensors = Mapping[Pocket, Sensor]


def _all(sensor: Sensor) -> Sensors:
    return MappingProxyType(dict.fromkeys(Pocket, sensor))


QUALITIES: Mapping[Quality, Sensors] = MappingProxyType(
    {
        Quality.DEFAULT: _all(DEFAULT),
        Quality.CROSSED: _all(replace(DEFAULT, crossed=True)),
        Quality.SHALLOW: _all(replace(DEFAULT, crossed=True, depth_mm=SHALLOW_MM)),
        Quality.SUNNY: _all(replace(DEFAULT, sun_a_minute=0.5)),
        Quality.DIRTY: _all(replace(DEFAULT, dirt=0.4)),
        Quality.SLOW: _all(replace(DEFAULT, response_ms=4.0, aside_mm=6.0)),
        Quality.DEAD: MappingProxyType(
            {**_all(DEFAULT), Pocket.NE: replace(DEFAULT, dead=True)}
        ),
        Quality.IDEAL: _all(
            replace(DEFAULT, crossed=True, response_ms=0.2, aside_mm=0.0, spikes=0.0)
        ),
    }
)  # fmt: skip
