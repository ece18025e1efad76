"""The sums of the sensor hub: what a disc gives, and what reaches the Pico's converter of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from hardware.generate.electrical import TBC, V3, Claim, ohm, parallel, written

DISC_SERIES, DISC_REST = 10e3, 100e3
REST_UPPER, REST_LOWER = 6.8e3, 1e3
REST = V3 * REST_LOWER / (REST_UPPER + REST_LOWER)
"""Where a disc's wire rests, in volts."""
FULL = 65535
"""What the converter says of 3.3 V, as MicroPython scales it."""
DISC_FARAD = 20e-9
DISC_MOST = 50.0
"""Volts of a disc that is hit hard, with nothing on it: a guess."""
DIODE_LEAK, DIODE_FORWARD, DIODE_MOST = 2e-6, 0.4, 0.2
"""BAT85 and BAT54: amperes at 25 V at the most, volts at some milliampere, amperes for good."""
MUX_FARAD = 50e-12
"""Common pin of the 74HC4051, the Pico's pin and its sample."""
MUX_BEYOND = 0.5
"""Volts beyond its supplies that it stands at an input."""
SETTLE_S = 20e-6
"""The hub's program waits so long after each change of the multiplexer; a test compares it."""


class Lamp(Struct, frozen=True):
    """A colour of a head's LED: its resistor, its volts at some 5 mA, and how bright it is.

    ``candela`` is for 20 mA, at the least of its bin; ``ampere_per_lux`` is the photodiode's answer
    to it: amperes per watt at its wave length, by its area, over lumens per watt.
    """

    series: float
    forward: float
    candela: float
    ampere_per_lux: float


DIODE_M2 = 7.02e-6
LIGHTS: Mapping[str, Lamp] = MappingProxyType(
    {
        "red": Lamp(470.0, 1.9, 0.56, DIODE_M2 * 0.40 / 210),
        "green": Lamp(240.0, 2.8, 1.4, DIODE_M2 * 0.34 / 535),
        "blue": Lamp(270.0, 2.8, 0.355, DIODE_M2 * 0.25 / 84),
    }
)
FEEDBACK, FEEDBACK_FARAD = 2e6, 22e-12
DIVIDER = (5.6e3, 10e3)
ZERO = (100e3, 1e3)

BAT85 = f"Vishay BAT85 data sheet {TBC}"
HC4051 = f"TI CD74HC4051 data sheet {TBC}"
PIEZO = f"Murata 7BB-27-4L0, data sheet {TBC}"


def discs() -> Iterator[Claim]:
    """Yield what a disc does to the hub."""
    rest = REST / V3 * FULL
    yield Claim(
        "a disc reads at rest",
        f"{FULL} x {ohm(REST_LOWER)} / ({ohm(REST_UPPER)} + {ohm(REST_LOWER)})", f"{rest:.0f}",
        "within a tenth of the 8000 that the simulator reckons with",
        abs(rest - 8000) < 800, "sim/PHYSICS.md",
    )  # fmt: skip
    shift = DIODE_LEAK * (DISC_REST + parallel(REST_UPPER, REST_LOWER))
    yield Claim(
        "its two diodes leak unequally, at the most",
        f"{written(DIODE_LEAK, 'A')} x {ohm(DISC_REST)}", written(shift, "V"),
        f"below the {REST:.2f} V of rest: it stays off the end", shift < REST, BAT85,
    )  # fmt: skip
    hit = (DISC_MOST - V3 - DIODE_FORWARD) / DISC_SERIES
    yield Claim(
        f"a blow that would give {DISC_MOST:g} V sends through a diode",
        f"({DISC_MOST:g} - {V3:g} - {DIODE_FORWARD:g}) V / {ohm(DISC_SERIES)}",
        written(hit, "A"), f"below {written(DIODE_MOST, 'A')}", hit < DIODE_MOST, BAT85,
    )  # fmt: skip
    yield Claim(
        "and the multiplexer's input goes beyond its supply by", "the diode's voltage",
        written(DIODE_FORWARD, "V"), f"below {MUX_BEYOND:g} V", DIODE_FORWARD < MUX_BEYOND, HC4051,
    )  # fmt: skip
    corner = 1 / (2 * math.pi * (DISC_SERIES + DISC_REST) * DISC_FARAD)
    yield Claim(
        "slower than this a disc's swing is lost",
        f"1 / (2 π x {ohm(DISC_SERIES + DISC_REST)} x {written(DISC_FARAD, 'F')})",
        written(corner, "Hz"), "below the 200 Hz and more of a knock, a guess", corner < 200, PIEZO,
    )  # fmt: skip
    settle = parallel(DISC_SERIES, DISC_REST) * MUX_FARAD * math.log(2**12)
    yield Claim(
        "after a change of the multiplexer a disc's voltage is there to one part in 4096 after",
        f"{ohm(parallel(DISC_SERIES, DISC_REST))} x {written(MUX_FARAD, 'F')} x ln 4096",
        written(settle, "s"), f"below {written(SETTLE_S, 's')}", settle < SETTLE_S, HC4051,
    )  # fmt: skip
