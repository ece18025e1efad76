"""The footprints of the hub's board, in millimetres around each one's own origin, y down.

Sizes are those of KiCad 9's own library, but the DIN jack's: CUI's sheet of the SDS-J series was
read as text only, and two public footprints of the SDS-50J agree with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pad:
    """One pad. ``drill`` is 0 for one on the surface; a hole without copper has no name."""

    name: str
    x: float
    y: float
    wide: float
    high: float
    drill: float = 0.0


def _two(apart: float, wide: float, high: float) -> tuple[Pad, ...]:
    return (Pad("1", -apart, 0, wide, high), Pad("2", apart, 0, wide, high))


def _so(pins: int, apart: float, wide: float) -> tuple[Pad, ...]:
    half = pins // 2
    ys = [1.27 * i - (half - 1) * 0.635 for i in range(half)]
    left = [Pad(str(i + 1), -apart, y, wide, 0.6) for i, y in enumerate(ys)]
    return (*left, *(Pad(str(pins - i), apart, y, wide, 0.6) for i, y in enumerate(ys)))


def _row(pins: int) -> tuple[Pad, ...]:
    return tuple(Pad(str(i + 1), 2.54 * i, 0, 1.74, 2.19, 1.19) for i in range(pins))


def _header() -> tuple[Pad, ...]:
    """Return the Pi's header as it lies under the board: odd pins inside, even ones at the edge."""
    return tuple(
        Pad(str(2 * i + 1 + even), 2.54 * i, -1.27 if even else 1.27, 1.7, 1.7, 1.0)
        for i in range(20)
        for even in (0, 1)
    )


def _pico() -> tuple[Pad, ...]:
    """Return two strips of 20 for a Raspberry Pi Pico that lies with its USB socket to the left."""
    low = [Pad(str(i + 1), 2.54 * i, 8.89, 1.7, 1.7, 1.0) for i in range(20)]
    return (*low, *(Pad(str(40 - i), 2.54 * i, -8.89, 1.7, 1.7, 1.0) for i in range(20)))


def _din(contacts: int) -> tuple[Pad, ...]:
    """Return a jack that looks down (+y); its origin is between its two earth pads."""
    places = ((7.5, -10.0), (0.0, -10.0), (-7.5, -10.0), (5.0, -12.5), (-5.0, -12.5))
    pads = [Pad(str(i + 1), *places[i], 2.2, 2.2, 1.3) for i in range(contacts)]
    pads += [Pad("S", x, 0.0, 2.2, 2.2, 1.3) for x in (2.5, -2.5)]
    return (*pads, *(Pad("", x, -5.0, 2.4, 2.4, 2.4) for x in (7.5, -7.5)))


def _qwiic() -> tuple[Pad, ...]:
    pads = tuple(Pad(str(i + 1), -1.5 + i, -2.0, 0.6, 1.55) for i in range(4))
    return (*pads, *(Pad("MP", x, 1.875, 1.2, 1.8) for x in (-2.8, 2.8)))


_SIZES: Mapping[str, tuple[Pad, ...]] = {
    "r_33": _two(1.4625, 1.125, 1.75),
    "ptc_02": _two(1.4, 1.25, 1.75),
    "ptc_075": _two(2.1375, 1.125, 3.4),
    "ptc_15": _two(2.1375, 1.125, 3.4),
    "tvs": _two(1.05, 0.6, 0.45),
    "surge": _two(2.0, 2.5, 1.8),
    "schottky": _two(2.0, 2.5, 1.8),
    "amber": _two(0.9375, 0.975, 1.4),
    "c_100n": _two(0.95, 1.0, 1.45),
    "driver": _so(18, 4.65, 2.05),
    "shifter": _so(14, 2.475, 1.95),
    "xor": _so(14, 2.475, 1.95),
    "multiplexer": _so(16, 2.475, 1.95),
    "eeprom": _so(8, 2.475, 1.95),
    "header": _header(),
    "pico": _pico(),
    "jack_3": _din(3),
    "jack_5": _din(5),
    "qwiic": _qwiic(),
    "buzzer": (Pad("1", 0, 0, 2, 2, 1.0), Pad("2", 7.6, 0, 2, 2, 1.0)),
    "test": (Pad("1", 0, 0, 1.5, 1.5),),
}


def pads_of(part: str) -> tuple[Pad, ...]:
    """Return the pads of a part by its id in :data:`hardware.board.circuit.KINDS`."""
    if part.startswith("kk"):
        return _row(int(part[2:]))
    return _SIZES.get(part, _two(0.9125, 1.025, 1.4))
