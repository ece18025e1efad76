"""The light of a colour head: from its LED to a piece and back to its photodiode, in readings.

Distances and holes are those of the drawing (:mod:`hardware.prints.head`), what the parts give is
in :mod:`hardware.generate.sensing`. Paper is taken to be white, flat, as wide as what is seen, and
parallel to the tube's wall there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from msgspec import Struct

from hardware.board.head_board import DIODE_X_MM, LIGHTS_X_MM
from hardware.generate.builds import BUILDS
from hardware.generate.electrical import (
    CABLE_PER_METRE,
    FUSE_HOLDS,
    MF_R,
    SIGN_ADAPTER,
    TBC,
    V3,
    V5,
    Claim,
    fused_ampere,
    length_m,
    ohm,
    parallel,
    written,
)
from hardware.generate.sensing import (
    DIVIDER,
    FEEDBACK,
    FEEDBACK_FARAD,
    FULL,
    LIGHTS,
    MUX_FARAD,
    ZERO,
    Lamp,
)
from hardware.prints.head import BEHIND_MM, CHIP_MM, DIODE_MM, DRILL_MM, LIGHTS_MM
from hardware.prints.parameters import load

SEED, HEADS = 7, 5_000
LIGHTS_HIGH_MM, LIT_MM, CHIP_HALF_MM = 1.9, 1.2, 1.325
"""How high the LED stands, the radius of what shines, and half the photodiode's chip."""
PAPER, LIGHTEST, DARKEST = 0.9, 0.72, 0.05
"""What comes back of paper, of the lightest striker and of the darkest light of a jack
(sim/PHYSICS.md)."""
DRIVER_VOLTS = 0.8
"""Of the ULN2803A at some 20 mA."""
MOST_AMPERE = 25e-3
PICO_AMPERE = 95e-3
"""What the heaviest of its maker's programs takes; the hub's has neither picture nor sound."""
USB_AMPERE = 0.5
"""What a device may take from a USB 2.0 socket; a Pi 4's give 1.2 A together."""
DIODE_FARAD, AMPLIFIER_FARAD, BANDWIDTH = 135e-12, 6e-12, 1e6
STEP_S, READ_S = 1e-3, 0.2e-3
"""A light shines so long; at its end four heads are read within so long."""
NOISE = 120.0
"""Spread of a reading that the simulator reckons with."""
SEES_ABOVE = 400
"""What the hub's program calls something; a test compares it."""

PICO = f"Raspberry Pi Pico data sheet, power consumption {TBC}"
USB = f"USB 2.0, a device of high power {TBC}"
LED = f"Broadcom ASMB-MTB0-0A3A2 data sheet; its candela {TBC}"
SFH2440 = f"ams Osram SFH 2440 data sheet; its answer to single colours {TBC}"
_FEEDBACK = f"{FEEDBACK / 1e6:g} Mohm"
MCP6001 = f"Microchip MCP6001 data sheet {TBC}"


@cache
def lux_per_candela(away_mm: float) -> float:
    """Return the light on the photodiode for each candela, of paper so far from the tube's wall."""
    sizes = load()[1]
    hole = sizes.print.wall_mm + sizes.print.fit_mm
    aside = LIGHTS_X_MM - DIODE_X_MM
    half = 9.0 + away_mm
    along = np.linspace(-half, half, 61)
    paper = np.stack(np.meshgrid(along + aside / 2, along), axis=-1).reshape(-1, 1, 2)
    face = BEHIND_MM + CHIP_MM - LIGHTS_HIGH_MM
    lit = _seen(paper, _places(LIT_MM, is_round=True), (aside, face, away_mm), LIGHTS_MM, hole)
    back = _seen(paper, _places(CHIP_HALF_MM), (0.0, BEHIND_MM, away_mm), DIODE_MM, hole)
    cell_mm2 = (2 * half / 60) ** 2
    return float((lit * back).sum() * cell_mm2 * 1e6 * PAPER / math.pi)


def _places(half: float, *, is_round: bool = False) -> np.ndarray:
    along = np.linspace(-half, half, 7)
    places = np.stack(np.meshgrid(along, along), axis=-1).reshape(1, -1, 2)
    return places[:, (places[0] ** 2).sum(axis=-1) <= half**2] if is_round else places


def _seen(
    paper: np.ndarray,
    source: np.ndarray,
    at: tuple[float, float, float],
    hole_mm: float,
    hole_x: float,
) -> np.ndarray:
    """Return for each place of the paper how much it exchanges with a source behind its hole.

    ``at`` is how far aside the source is, how far behind the wall, and how far the paper before it.
    """
    aside, behind, away = at
    start = source + np.array([aside, 0.0])
    far = behind + away
    way = paper - start
    passes = np.ones(way.shape[:2], bool)
    for x, middles, wide in (
        (hole_x, (aside,), hole_mm),
        (0.0, (0.0, LIGHTS_X_MM - DIODE_X_MM), DRILL_MM),
    ):
        there = start + way * ((behind - x) / far)
        inside = [((there - np.array([m, 0.0])) ** 2).sum(-1) < (wide / 2) ** 2 for m in middles]
        passes &= np.any(inside, axis=0)
    square = far**2 + (way**2).sum(-1)
    result: np.ndarray = (passes * far**2 / square**2).mean(axis=1)
    return result


WALL_MM = 45.0
BEST_MM = 2.0
"""Where paper reads highest, about; a test looks."""


def ampere(lamp: Lamp, supply: float = V5) -> float:
    """Return the current of a light."""
    return (supply - DRIVER_VOLTS - lamp.forward) / lamp.series


def reading(lamp: Lamp, away_mm: float, share: float = PAPER) -> float:
    """Return how far above its zero a head reads something that sends back this share."""
    lux = lux_per_candela(away_mm) * lamp.candela * ampere(lamp) / 20e-3 * share / PAPER
    return _counts(lux * lamp.ampere_per_lux * FEEDBACK)


def _counts(volts: float) -> float:
    """Return the reading of so many volts at the amplifier."""
    return volts * DIVIDER[1] / sum(DIVIDER) / V3 * FULL


class Drawn(Struct, frozen=True):
    """A head at random: how far above zero it reads the lightest and the darkest, by its lights."""

    lightest: Mapping[str, float]
    darkest: Mapping[str, float]


def heads(seed: int = SEED) -> list[Drawn]:
    """Return heads whose parts, supply and windows lie somewhere between their limits."""
    chance = random.Random(seed)  # noqa: S311 (no secret)
    return [_head(chance) for _ in range(HEADS)]


def _head(chance: random.Random) -> Drawn:
    supply, volts = chance.uniform(4.7, 5.25), chance.uniform(0.7, 1.0)
    eye = chance.uniform(7.0, 11.8) / 9.4  # the least and as much more: nA for each lux
    window = chance.uniform(0.75, 1.0)  # powder
    found = {}
    for name, lamp in LIGHTS.items():
        flows = (supply - volts - lamp.forward + chance.uniform(-0.2, 0.2)) / lamp.series
        bright = chance.triangular(0.8, 1.5, 1.0) * flows / ampere(lamp)
        found[name] = bright * eye * window * chance.uniform(0.98, 1.02)
    return Drawn(
        {name: by * reading(LIGHTS[name], BEST_MM, LIGHTEST) for name, by in found.items()},
        {name: by * reading(LIGHTS[name], 10.0, DARKEST) for name, by in found.items()},
    )


def zero() -> float:
    """Return what a head reads in the dark."""
    return _counts(V5 * ZERO[1] / sum(ZERO))


def room() -> float:
    """Return how far above its zero a head can read."""
    return min(_counts(V5), float(FULL)) - zero()


def heads_ampere() -> float:
    """Return what four heads take at the most: one light of each, and their amplifiers."""
    return 4 * max(ampere(lamp, 5.25) for lamp in LIGHTS.values()) + 4 * 1e-3


def hub_consumers(*, heads: bool) -> dict[str, float]:
    """Return what of a sensor hub takes how much of the supply's current, at the most."""
    found = {"the Pico of a sensor hub": PICO_AMPERE}
    return found | {"four colour heads": heads_ampere()} if heads else found


def claims() -> Iterator[Claim]:
    """Yield the sums of a head."""
    for name, lamp in LIGHTS.items():
        volts = f"({V5:g} - {DRIVER_VOLTS:g} - {lamp.forward:g}) V / {ohm(lamp.series)}"
        yield Claim(
            f"current of a head's {name} light", volts, written(ampere(lamp), "A"),
            f"below {written(MOST_AMPERE, 'A')}, also where a driver stays on",
            ampere(lamp, 5.25) < MOST_AMPERE, LED,
        )  # fmt: skip
    all_of = heads_ampere()
    yield Claim(
        "four heads take at the most", "one light of each, and their amplifiers",
        written(all_of, "A"), "below half of what the fuse of 0.2 A holds", all_of < 0.1, LED,
    )  # fmt: skip
    whole = fused_ampere(BUILDS[2]) + all_of + PICO_AMPERE
    yield Claim(
        "through the printed hub board's fuse, the full build with heads and a Pico",
        f"{written(fused_ampere(BUILDS[2]), 'A')} + {written(all_of, 'A')} + "
        f"{written(PICO_AMPERE, 'A')}", written(whole, "A"),
        f"well below the {FUSE_HOLDS:g} A that it holds", whole < 0.6 * FUSE_HOLDS, MF_R,
    )  # fmt: skip
    usb = sum(hub_consumers(heads=True).values()) + SIGN_ADAPTER
    yield Claim(
        "from the Pi's USB: a hub on a board of holes with heads, beside the sign's adapter",
        f"{written(PICO_AMPERE, 'A')} + {written(all_of, 'A')} + {written(SIGN_ADAPTER, 'A')}",
        written(usb, "A"), f"below {written(USB_AMPERE, 'A')}, what one device may take",
        usb < USB_AMPERE, f"{PICO}; {USB}",
    )  # fmt: skip
    lux = lux_per_candela(BEST_MM)
    for name, lamp in LIGHTS.items():
        found = reading(lamp, BEST_MM)
        yield Claim(
            f"white paper {BEST_MM:g} mm from the wall reads in {name}",
            f"{lux:.0f} lx for each cd x {lamp.candela * ampere(lamp) / 20e-3:.2g} cd x "
            f"{written(lamp.ampere_per_lux, 'A')}/lx x {_FEEDBACK} x "
            f"{DIVIDER[1] / sum(DIVIDER):.2f}", f"{found:.0f}",
            "a third to two thirds of the scale, all three alike within a tenth",
            FULL / 3 < found < FULL * 2 / 3, f"{LED}; {SFH2440}",
        )  # fmt: skip
    yield from _electronics()


def _electronics() -> Iterator[Claim]:
    most = 5.25 * DIVIDER[1] / sum(DIVIDER)
    yield Claim(
        "the hub gets at the most, the amplifier at its end, a supply of 5.25 V",
        f"5.25 V x {ohm(DIVIDER[1])} / {ohm(sum(DIVIDER))}", written(most, "V", 3),
        "below 3.6 V: 0.3 V above the multiplexer's supply", most < V3 + 0.3, MCP6001,
    )  # fmt: skip
    offset = 4.5e-3 * FULL / V3 * DIVIDER[1] / sum(DIVIDER)
    yield Claim(
        "a sound head reads in the dark", f"5 V x {ohm(ZERO[1])} / {ohm(sum(ZERO))}, divided",
        f"{zero():.0f}", f"above {offset:.0f}, which the amplifier may be off", zero() > 2 * offset,
        MCP6001,
    )  # fmt: skip
    settles = FEEDBACK * FEEDBACK_FARAD * math.log(2**16)
    yield Claim(
        "a light is there to one part in 65,536 after",
        f"{_FEEDBACK} x {written(FEEDBACK_FARAD, 'F')} x ln 65536", written(settles, "s"),
        f"below {written(STEP_S - READ_S, 's')}: the reading comes at the end of its millisecond",
        settles < STEP_S - READ_S, MCP6001,
    )  # fmt: skip
    farad = DIODE_FARAD + AMPLIFIER_FARAD
    least = math.sqrt(farad / (2 * math.pi * FEEDBACK * BANDWIDTH))
    yield Claim(
        "the amplifier does not ring with a feedback of at least",
        f"√({written(farad, 'F', 3)} / (2 π x {_FEEDBACK} x 1 MHz))", written(least, "F"),
        f"below a third of {written(FEEDBACK_FARAD, 'F')}", least < FEEDBACK_FARAD / 3, MCP6001,
    )  # fmt: skip
    metres = length_m("pocket_ne")
    source = parallel(*DIVIDER)
    wire = (source * metres * CABLE_PER_METRE + (source + 1e3) * MUX_FARAD) * math.log(2**16)
    yield Claim(
        f"cable ({metres:g} m) and multiplexer are settled after",
        f"{ohm(source)} x {written(metres * CABLE_PER_METRE, 'F')} and more, x ln 65536",
        written(wire, "s"), "below 20 µs, the program's wait", wire < 20e-6, MCP6001,
    )  # fmt: skip
    hiss = math.sqrt(4 * 1.38e-23 * 300 * FEEDBACK / (4 * FEEDBACK * FEEDBACK_FARAD))
    gain = 1 + farad / FEEDBACK_FARAD
    amplifier = 28e-9 * gain * math.sqrt(BANDWIDTH / gain * 1.57)
    noise = _counts(math.hypot(hiss, amplifier))
    yield Claim(
        "noise of resistor and amplifier, in readings",
        f"{written(hiss, 'V')} and {written(amplifier, 'V')}, divided", f"{noise:.0f}",
        f"well below the {NOISE:g} of the Pico's converter", noise < NOISE / 3, MCP6001,
    )  # fmt: skip
    jack = reading(LIGHTS["red"], 8.0, 0.06)
    yield Claim(
        "a jack 8 mm away reads above its zero", f"paper there x 0.06 / {PAPER:g}", f"{jack:.0f}",
        f"above {SEES_ABOVE}", jack > 2 * SEES_ABOVE, "sim/PHYSICS.md",
    )  # fmt: skip
    opposite = max(reading(lamp, WALL_MM, 0.05) for lamp in LIGHTS.values())
    yield Claim(
        f"the black wall opposite, {WALL_MM:g} mm away, reads above zero",
        f"paper there x 0.05 / {PAPER:g}",
        f"{opposite:.0f}", f"well below {SEES_ABOVE}: nothing is told of an empty pocket",
        opposite < SEES_ABOVE / 2, "5 % from black plastic, a guess",
    )  # fmt: skip
    bright = room() / _counts(1e-9 * 9.4 * FEEDBACK)
    surface = bright / (math.sin(math.radians(25.0)) ** 2) / PAPER
    yield Claim(
        "light on a white piece before the window that fills the scale",
        f"{bright:.0f} lx at the photodiode / sin² 25° / {PAPER:g}", f"{surface:.0f} lx",
        "above a bright room; direct sun is ten times more, and such frames say nothing",
        surface > 1000, SFH2440,
    )  # fmt: skip
