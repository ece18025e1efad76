"""The light of a home-made beam: from emitter to phototransistor, through the printed bracket.

How far they stand apart and how much their holes let through is that of the drawing
(:mod:`hardware.prints`), with the sizes of ``parameters.toml``; what the parts give is from their
data sheets, as :mod:`hardware.generate.electrical` has it. Two answers: the beam of the worst parts
on a good day, and of many boards with everything at random how many would not be seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from hardware.generate import electrical as e
from hardware.prints import sight
from hardware.prints.parameters import Sizes, load
from hardware.prints.pocket import bracket_axes

SEED = 25
BEAMS = 20_000
"""How many beams are drawn at random."""

EMITTER_HALF_DEG = 10.0
DETECTOR_HALF_DEG = 15.0
"""Where each gives or takes half (data sheets)."""

EMITTER_PER_KELVIN = -0.006
"""Less light for each degree above 25 °C."""


class Light(Struct, frozen=True):
    """What decides how much of the beam arrives. ``way_m`` is from lens to lens."""

    way_m: float
    share: float
    """Of the light, what passes the holes before both lenses."""

    def ampere(self, emitter: float, per_ampere: float, per_irradiance: float) -> float:
        """Return the phototransistor's current for an emitter's (amperes, watt/sr for each)."""
        watt_per_m2 = per_ampere * emitter * self.share / self.way_m**2
        return watt_per_m2 / 10 * per_irradiance  # 1 mW/cm² is 10 W/m²


def light(sizes: Sizes, beams: int = 1) -> Light:
    """Return the light of the bracket that has the longest way, of all boards."""
    ways = [
        abs(axis.start[0] - axis.end[0])
        for board in sizes.boards.values()
        for axis in bracket_axes(sizes, board, beams)[:1]
    ]
    return Light(max(ways) / 1000, sizes.beam.light_share(beams))


def closed(sizes: Sizes) -> Light:
    """Return the light in a corner of a closed box: through a shroud, and the fence's hole."""
    beam = sizes.beam
    share = (min(1.0, beam.opening_mm(1) / beam.led_mm) * beam.opening_mm(2) / beam.led_mm) ** 2
    return Light(sight.corner_way_mm(sizes) / 1000, share)


@cache
def drawn() -> Light:
    """Return the light of the bracket for one beam, as it is drawn."""
    return light(load()[1])


def worst_ampere(through: Light) -> float:
    """Return the current with the least values of both parts, new, clean, in line, at 25 °C."""
    return through.ampere(e.EMITTER_AMPERE, e.EMITTER_PER_AMPERE[0], e.DETECTOR_PER_IRRADIANCE[0])


def typical_ampere(through: Light) -> float:
    """Return the current with the typical values of both parts."""
    return through.ampere(e.EMITTER_AMPERE, e.EMITTER_PER_AMPERE[1], e.DETECTOR_PER_IRRADIANCE[1])


Needed = Callable[[random.Random, float], float]
"""The current that a whole beam must let flow to read as whole, drawn at random for a supply."""


def at_the_hub(chance: random.Random, _supply: float) -> float:
    """Return what pulls the wire low against the hub's resistor and the chip's."""
    pull_up = e.parallel(
        e.PULL_UP * chance.uniform(0.95, 1.05),
        chance.uniform(e.CHIP_PULL_UP_LEAST, e.CHIP_PULL_UP_MOST),
    )
    return (e.V3 * 1.03 - e.LOW_MOST) / pull_up


def on_a_board(chance: random.Random, supply: float) -> float:
    """Return what a pocket board's resistor gives, so that nothing is left for its transistor."""
    return (supply - chance.uniform(*e.BASE_OFF)) / (e.BOARD_PULL_UP * chance.uniform(0.95, 1.05))


def margins(
    through: Light,
    series: float = e.EMITTER_SERIES,
    seed: int = SEED,
    needed: Needed = at_the_hub,
) -> list[float]:
    """Return how many times the needed current flows, of beams at random, sorted.

    Supply, fuse, resistors, parts, warmth, age, dust and aim each lie somewhere between their
    limits; below one a whole beam reads as broken.
    """
    chance = random.Random(seed)  # noqa: S311 (no secret)
    return sorted(_margin(chance, through, series, needed) for _ in range(BEAMS))


def _margin(chance: random.Random, through: Light, series: float, needed: Needed) -> float:
    supply = chance.uniform(4.7, 5.25) - chance.uniform(*e.FUSE_OHM) * 4 * e.EMITTER_AMPERE
    forward = chance.uniform(1.2, 1.6)
    emitter = (supply - forward) / (series * chance.uniform(0.95, 1.05))
    per_ampere = chance.triangular(
        e.EMITTER_PER_AMPERE[0], e.EMITTER_PER_AMPERE[2], e.EMITTER_PER_AMPERE[1]
    )
    per_irradiance = chance.triangular(
        e.DETECTOR_PER_IRRADIANCE[0], e.DETECTOR_PER_IRRADIANCE[2], e.DETECTOR_PER_IRRADIANCE[1]
    )
    flows = through.ampere(emitter, per_ampere, per_irradiance)
    for factor in _losses(chance):
        flows *= factor
    return flows / needed(chance, supply)


def _losses(chance: random.Random) -> Iterator[float]:
    yield 1 + EMITTER_PER_KELVIN * chance.uniform(-15.0, 25.0)  # 10 to 50 °C
    yield chance.uniform(0.8, 1.0)  # age
    yield chance.uniform(0.7, 1.0) * chance.uniform(0.7, 1.0)  # powder on either lens
    for half in (EMITTER_HALF_DEG, DETECTOR_HALF_DEG):  # each looks a little aside
        yield 0.5 ** ((chance.gauss(0.0, 2.5) / half) ** 2)


def unseen_share(found: list[float]) -> float:
    """Return which share of such beams reads as broken though it is whole."""
    return sum(margin < 1 for margin in found) / len(found)
