"""The circuit's sums: every figure of ``ELECTRICAL.md``, computed from figures with a source.

Lengths come from the harness, times from the firmware's limits, quantities from the builds; so a
longer cable or another limit changes the page, and a test fails where a sum does not hold any more.
What nobody has looked up in the data sheet is marked ``[to be checked]``.
"""

from __future__ import annotations

import math

from msgspec import Struct

from hardware.generate.builds import BUILDS, Build
from hardware.generate.harness import DISPLAY_MM, harness
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.inputs.cables import CableKind
from jackspot.inputs.pins import WireKind
from jackspot.sensing.limits import Limits

TBC = "[to be checked]"
"""Marks a figure from memory."""

PI_DOC = "Raspberry Pi documentation, GPIO, voltage specifications"
PSU_DOC = "Raspberry Pi documentation, power supply"
ADAFRUIT = f"Adafruit 2168, product page {TBC}"
TSAL6100 = f"Vishay TSAL6100 data sheet, basic characteristics {TBC}"
BPV11F = "Vishay BPV11F data sheet (81505), product summary"
BC337 = f"onsemi BC337 data sheet, on characteristics {TBC}"
BC847 = f"Nexperia BC847 data sheet, characteristics {TBC}"
CEM = f"CUI CEM-1203(42) data sheet, specifications {TBC}"
MAX7219 = "Maxim MAX7219 data sheet, intensity control and table 7"
MF_R = "Bourns MF-R data sheet, electrical characteristics"
LIYY = f"makers' sheets for LiYY {TBC}"
I2C_SPEC = "NXP UM10204, table of bus line characteristics"

# Volts, ohms, farads, amperes, metres.
V3 = 3.3
V5 = 5.0
PULL_UP = 10e3
SERIES = 1e3
CHIP_PULL_UP_LEAST = 33e3
CHIP_PULL_UP_MOST = 73e3
"""BCM2711 (Pi 4); BCM2835 and 2837 (Zero, 3): 50 to 65 kohm."""
LOW_MOST = 0.8
HIGH_LEAST = 2.0
"""BCM2711; BCM2835 and 2837: 0.9 and 1.6 V. RP1 (Pi 5) is taken to be no stricter."""
GPIO_MOST = 16e-3
ALL_GPIOS_MOST = 50e-3
CABLE_PER_METRE = 150e-12
"""One core against all others; 100 to 120 pF between two."""
PAD = 20e-12
"""Pin of the chip, socket and board."""
COPPER = 0.0178
"""Ohm mm²/m at 20 °C."""
CORE_MM2 = 0.14
THICK_MM2 = 0.25
EMITTER_FORWARD = 1.35
EMITTER_SERIES = 100.0
EMITTER_PER_AMPERE = (0.8, 1.7, 4.0)
"""Watt/sr for each ampere, least, typical and most."""
DETECTOR_PER_IRRADIANCE = (3e-3, 9e-3, 15e-3)
"""Amperes for each mW/cm², least and typical; the most is a guess, the data sheet names none."""
SUN_IN_BAND = 5.0
"""mW/cm² of full sun that pass the phototransistor's filter: a twentieth of 100."""
MADE_REACH = 0.5
"""How far apart emitter and receiver bought ready still work, in metres."""
MADE_EMITTER = 20e-3
MADE_RECEIVER = 5e-3
MADE_SINK = 100e-3
LAMP_FORWARD = 2.1
LAMP_SERIES = 150.0
SATURATED = 0.2
BASE_EMITTER = 0.7
BASE_OFF = (0.4, 0.55)
"""Volts at its base with which a pocket board's BC847 passes next to nothing: warm, cold."""
BOARD_PULL_UP = 47e3
"""On a pocket board, from 5 V to the phototransistor's collector and the BC847's base."""
BOARD_GAIN_LEAST = 110
DETECTOR_GAIN, DETECTOR_FARAD = 500, 8e-12
"""Of the phototransistor itself: what makes it slow behind a large resistor."""
GPIO_HIGH_LEAST = 2.6
BASE_SERIES = 1e3
GAIN_LEAST = 250
COIL = 42.0
COIL_SERIES = 33.0
COIL_HENRY = 1.65e-3
COIL_VOLTS = 3.5
OLED_AMPERE = 25e-3
SEGMENT = 40e-3
SIGN_ADAPTER = 25e-3
FUSE_V3_OHM = (1.5, 4.4)
FUSE_V3_HOLDS = 0.2
"""The same of the display's fuse in the 3.3 V (MF-R020)."""
OLED_VOLTS = 3.0
"""What a display's module still works with."""
RECEIVER_VOLTS = 3.0
"""The same of a receiver bought ready: its page says 3.3 to 5 V, with a tenth to spare."""
SUPPLY_LEAST = 4.75
FUSE_HOLDS = 0.75
FUSE_OHM = (0.25, 0.60)
"""New, at the least; an hour after it has tripped, at the most."""
I2C_PULL_UP = 1.8e3
MODULE_PULL_UP = 4.7e3
I2C_FAST_RISE = 300e-9
I2C_SLOW_RISE = 1000e-9
I2C_SINK = 3e-3
I2C_MOST_FARAD = 400e-12
"""What a bus may have at either speed, however fast its edges are."""
I2C_PI = 30e-12
I2C_MODULE = 20e-12
FRAME_BYTES = 1032
PI_AMPERE = {"pi_zero": ("Zero 2 W", 0.350, 2.5), "pi_4": ("4 B", 0.600, 3.0)}
"""Typical current of the bare board, and what the supply in the bill of materials gives."""

NOISE_S = Limits().min_pulse_ns / 1e9
SHORTEST_FALL_S = 7e-3
"""A flat puck through a beam 60 mm under the pocket's edge (computed, falling freely)."""


class Claim(Struct, frozen=True):
    """One line of a table: a sum, its result, and what it must stay within."""

    what: str
    working: str
    result: str
    limit: str
    holds: bool
    source: str


def parallel(*ohms: float) -> float:
    """Return the resistance of some in parallel."""
    return 1 / sum(1 / each for each in ohms)


def rise_s(ohms: float, farads: float) -> float:
    """Return the seconds from ground to a level that counts as high, on the strictest Pi."""
    return ohms * farads * math.log(V3 / (V3 - HIGH_LEAST))


def length_m(name: str) -> float:
    """Return the length of a cable of the full build, in metres."""
    return next(r.length_mm for r in harness(BUILDS[2]) if r.cable.name == name) / 1000


def core_ohm(metres: float, square_mm: float = CORE_MM2) -> float:
    """Return the resistance of one core."""
    return COPPER * metres / square_mm


def short_ampere(name: str) -> float:
    """Return what a short at the far end of a cable would take from a supply without a limit."""
    return V5 / (2 * core_ohm(length_m(name)) + FUSE_OHM[0])


def matrix_ampere(intensity: int, modules: int = 4) -> float:
    """Return the current of a matrix with every dot lit; ``intensity`` as in the configuration."""
    return modules * 8 * SEGMENT * (2 * intensity + 1) / 32


def written(value: float, unit: str, digits: int = 2) -> str:
    """Write a value with a prefix that suits it."""
    for factor, prefix in ((1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")):
        if abs(value) >= factor * 0.9995:
            scaled = float(f"{value / factor:.{digits}g}")
            return f"{scaled:g} {prefix}{unit}"
    return f"0 {unit}"


def ohm(value: float) -> str:
    """Write a resistance."""
    return f"{value / 1e3:.3g} kohm" if value >= 1e3 else f"{value:.3g} ohm"


LAMP_AMPERE = (V5 - LAMP_FORWARD - SATURATED) / LAMP_SERIES
BUZZER_AMPERE = (V5 - SATURATED) / (COIL + COIL_SERIES)
BASE_LEAST = (GPIO_HIGH_LEAST - BASE_EMITTER) / BASE_SERIES
BASE_MOST = (V3 - BASE_EMITTER) / BASE_SERIES
EMITTER_AMPERE = (V5 - EMITTER_FORWARD) / EMITTER_SERIES
"""What each emitter takes; the fuse and the cable take a little of it (:mod:`light` reckons it)."""
PULLED_LOW = (V3 - LOW_MOST) / parallel(PULL_UP, CHIP_PULL_UP_LEAST)


def pocket_ampere(build: Build) -> float:
    """Return the current of one pocket's beam or beams."""
    pairs = 2 if build.crossed_beams else 1
    return EMITTER_AMPERE if build.bare_beams else pairs * (MADE_EMITTER + MADE_RECEIVER)


def fused_ampere(build: Build, *, boards: bool = False) -> float:
    """Return what goes through the fuse: beams, all lamps lit, buzzer sounding.

    ``boards``: with the pocket boards in the place of beams that are bought ready.
    """
    count = build.counts()
    lamps, buzzers = count["lamp"] * LAMP_AMPERE, count["buzzer"] * BUZZER_AMPERE / 2
    pairs = 2 if build.crossed_beams else 1
    pocket = pairs * EMITTER_AMPERE if boards else pocket_ampere(build)
    return count["pocket"] * pocket + lamps + buzzers


def can_have_boards(build: Build) -> bool:
    """Return whether the fuse carries a build with pocket boards: without lamps at the seats."""
    return not build.counts()["lamp"]


def pi_of(build: Build) -> tuple[str, float, float]:
    """Return the Pi that the bill of materials has, its current and its supply's."""
    from hardware.generate.bom import bill

    [pi] = [PI_AMPERE[line.part.id] for line in bill(build) if line.part.id in PI_AMPERE]
    return pi


def consumers(build: Build) -> dict[str, float]:
    """Return who takes how much of the supply's current, at the most."""
    count = build.counts()
    name, bare, _supply = pi_of(build)
    found = {
        f"Raspberry Pi {name}": bare,
        "beams": count["pocket"] * pocket_ampere(build),
        "lamps, all lit": count["lamp"] * LAMP_AMPERE,
        "buzzer, mean while it sounds": count["buzzer"] * BUZZER_AMPERE / 2,
        "OLED, every dot lit": (count["oled"] + count["oled_spi"]) * OLED_AMPERE,
        "matrix, every dot lit": count["matrix"]
        * matrix_ampere(build.config.of(MatrixSection).intensity),
        "the sign's adapter": count["sign"] * SIGN_ADAPTER,
    }
    return {who: ampere for who, ampere in found.items() if ampere}


def gpio_output_ampere() -> float:
    """Return what all transistors together take from the GPIOs of the full build."""
    outputs = BUILDS[2].config.of_kind(WireKind.LAMP) + BUILDS[2].config.of_kind(WireKind.BUZZER)
    return len(outputs) * BASE_MOST


def i2c_farad(metres: float) -> float:
    """Return the capacitance of the OLED's bus with so much cable."""
    return metres * CABLE_PER_METRE + I2C_PI + I2C_MODULE


def i2c_longest_m(rise: float) -> float:
    """Return the longest cable within the bus's capacitance whose edges are in time.

    With the Pi's own pull-ups alone.
    """
    farads = min(I2C_MOST_FARAD, rise / (0.8473 * I2C_PULL_UP))
    return (farads - I2C_PI - I2C_MODULE) / CABLE_PER_METRE


OLED_M = DISPLAY_MM[CableKind.OLED] / 1000
OLED_SPI_M = DISPLAY_MM[CableKind.OLED_SPI] / 1000
MATRIX_M = DISPLAY_MM[CableKind.MATRIX] / 1000
