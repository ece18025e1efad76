"""Describes a pocket's sensor, and names the usual ones."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.values import changed
from jackspot_sim.chance.frequencies import SPIKES
from jackspot_sim.chance.pulses import CHANCE
from jackspot_sim.physics.figures import Figure, Figures, Source, values

_MEASURED, _COMPUTED, _GUESS = Source.MEASURED, Source.COMPUTED, Source.GUESS

FIGURES: Figures = {
    "depth_mm": Figure(
        CHANCE.depth_mm, "mm", _GUESS, "Below the board's surface: the height of a bracket."
    ),
    "beam_mm": Figure(3.0, "mm", _MEASURED, "The lens of the usual small break beam."),
    "aside_mm": Figure(1.0, "mm", _GUESS, "How far beside the pocket's middle it was mounted."),
    "tilt_deg": Figure(
        0.0, "°", _GUESS,
        "The beam's axis against the board's plane: a bracket is level to a degree or two. That "
        "moves it by a third of a millimetre a centimetre, less than aside does: left out.",
    ),
    "response_ms": Figure(
        1.0, "ms", _GUESS, "Data sheets say under 2 ms: what is shorter does not show."
    ),
    "wall_bounce": Figure(0.4, "", _GUESS, "A piece against a pocket's wooden wall."),
    "wobble": Figure(0.25, "", _GUESS, "Spread of how fast a piece turns over at the rim."),
    "spikes": Figure(
        SPIKES, "", _GUESS,
        "Chance of a fall with spikes on the wire: long leads. As in the table of traffic.",
    ),
    "sun_a_minute": Figure(0.0, "a minute", _GUESS, "Indoors, with a recessed lens: none."),
    "dirt": Figure(
        0.0, "", _GUESS,
        "Share of the light that is lost when the match begins: the lens was wiped just before. "
        "For a lens that was not, set here what has gathered since.",
    ),
    "dust_a_piece": Figure(
        2e-6, "", _GUESS,
        "Dust of the room and powder that play raises: what every pocket loses in addition for "
        "each piece that leaves the board, half the light in 250,000.",
    ),
    "dirt_a_fall": Figure(
        0.0, "", _GUESS,
        "What a piece itself sheds in the pocket that it falls into, in addition: nothing, if it "
        "is not powdered; the lens looks from the side.",
    ),
}  # fmt: skip
"""The honest default: a single 3 mm beam, decently mounted, indoors and clean."""

CROSSED_MM = 20.0
"""How deep the brackets of crossed beams hold them: at this depth a piece that came along the frame
has not turned on edge yet. In play of computer players on the Hikone board, with pockets of 52 mm,
3 of 82,656 falls passed beside both or too briefly; it was 7 at 22 mm and 44 at 30 mm."""
LIGHT: Figures = {
    "trips_at": Figure(
        0.5, "", _GUESS,
        "Share of the light that must be gone before a receiver says broken: by a piece, by dirt, "
        "or by both. Data sheets give no threshold; half is the middle.",
    ),
    "sun_fewest": Figure(1, "", _GUESS, "Flickers of the sun in a row: one at least."),
    "sun_most": Figure(6, "", _GUESS, "At most this many in a row: leaves, a curtain, somebody."),
    "sun_shortest_ms": Figure(0.5, "ms", _GUESS, "A flicker that a beam barely notices."),
    "sun_longest_ms": Figure(40.0, "ms", _GUESS, "A flicker as long as a slow piece."),
    "sun_least_gap_ms": Figure(5.0, "ms", _GUESS, "Between two flickers, at least."),
    "sun_most_gap_ms": Figure(120.0, "ms", _GUESS, "Between two flickers, at most."),
}  # fmt: skip
"""How light behaves in every sensor."""

TRIPS_AT = LIGHT["trips_at"].value
"""A receiver switches when half its light is gone: by a piece, by dirt, or by both."""


class Sensor(Struct, frozen=True):
    """One pocket's sensor; ``FIGURES`` say what each number is and where it comes from.

    ``crossed``: a second beam at the same depth, at right angles to the first, on one wire with
    it. ``dead``: it never breaks (a signal wire came off, and the pull-up holds the pin).
    ``dark``: it is broken for good (its emitter has no power, or something covers it).
    """

    depth_mm: float
    beam_mm: float
    aside_mm: float
    tilt_deg: float
    response_ms: float
    wall_bounce: float
    wobble: float
    spikes: float
    sun_a_minute: float
    dirt: float
    dust_a_piece: float
    dirt_a_fall: float
    crossed: bool = False
    dead: bool = False
    dark: bool = False

    @property
    def is_blocked(self) -> bool:
        """Whether the beam stays broken without any piece in it: by dirt, or because it is dark."""
        return not self.dead and (self.dark or self.dirt >= TRIPS_AT)

    @property
    def is_blind(self) -> bool:
        """Whether no piece changes it, since it never breaks or is broken already."""
        return self.dead or self.is_blocked

    @property
    def margin_mm(self) -> float:
        """How near to the beam's axis a rim must come to break it; dirt makes it break sooner.

        Less than 0: how far beyond the axis it must come. Dirt takes its share of the light that a
        rim leaves, evenly over the beam's width.
        """
        if self.dirt >= TRIPS_AT:
            return self.beam_mm / 2
        return self.beam_mm * ((1.0 - TRIPS_AT) / (1.0 - self.dirt) - 0.5)

    def dirtier(self, pieces: int, here: int = 0) -> Sensor:
        """Return the sensor after ``pieces`` left the board, ``here`` of them by its pocket."""
        gathered = pieces * self.dust_a_piece + here * self.dirt_a_fall
        return changed(self, dirt=min(self.dirt + gathered, 1.0))


DEFAULT = Sensor(**values(FIGURES), crossed=False, dead=False, dark=False)


class Quality(StrEnum):
    """Usual sensors, by name."""

    DEFAULT = "default"
    CROSSED = "crossed"
    """A second beam across the first in every pocket, both as high as their brackets allow."""
    DEEP = "deep"
    """Crossed beams as deep as a single one, where pieces that came along the frame are on edge."""
    SUNNY = "sunny"
    """By a window: the sun flickers in the beams."""
    DIRTY = "dirty"
    """A lens that has not been wiped for a year."""
    SLOW = "slow"
    """A slow receiver, mounted badly."""
    ASKEW = "askew"
    """On brackets that lean: the beams run down into the corners."""
    DEAD = "dead"
    """The north-eastern pocket's beam never breaks: its signal wire came off."""
    DARK = "dark"
    """The north-eastern beam is broken from the first shot on: its emitter has no power."""
    CLOUDING = "clouding"
    """The north-eastern lens was not wiped: after a few more falls its beam stays broken."""
    IDEAL = "ideal"
    """Crossed, quick, exactly in the middle: only geometry limits it."""


Sensors = Mapping[Pocket, Sensor]


def _all(sensor: Sensor) -> Sensors:
    return MappingProxyType(dict.fromkeys(Pocket, sensor))


def _but_one(north_east: Sensor) -> Sensors:
    return MappingProxyType({**_all(DEFAULT), Pocket.NE: north_east})


QUALITIES: Mapping[Quality, Sensors] = MappingProxyType(
    {
        Quality.DEFAULT: _all(DEFAULT),
        Quality.CROSSED: _all(changed(DEFAULT, crossed=True, depth_mm=CROSSED_MM)),
        Quality.DEEP: _all(changed(DEFAULT, crossed=True)),
        Quality.SUNNY: _all(changed(DEFAULT, sun_a_minute=0.5)),
        Quality.DIRTY: _all(changed(DEFAULT, dirt=0.4)),
        Quality.SLOW: _all(changed(DEFAULT, response_ms=4.0, aside_mm=6.0)),
        Quality.ASKEW: _all(changed(DEFAULT, tilt_deg=20.0)),
        Quality.DEAD: _but_one(changed(DEFAULT, dead=True)),
        Quality.DARK: _but_one(changed(DEFAULT, dark=True)),
        Quality.CLOUDING: _but_one(changed(DEFAULT, dirt=0.49, dirt_a_fall=0.004)),
        Quality.IDEAL: _all(
            changed(DEFAULT, crossed=True, response_ms=0.2, aside_mm=0.0, spikes=0.0)
        ),
    }
)  # fmt: skip
