"""The footprints of the boards, in millimetres around each one's own origin, y down.

Pads and bodies are those of KiCad 9's own library, but the Pico's rows (plain strips) and the DIN
jack's pads. Those are from CUI's sheet of the SDS-J series, read as text, and from three public
footprints of the SDS-50J, which have the same holes; its body is from them too, and they differ by
0.7 mm in where its front is.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Pad(Struct, frozen=True):
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
    "lens": (Pad("1", 0, 0, 1.8, 1.8, 0.9), Pad("2", 2.54, 0, 1.8, 1.8, 0.9)),
    "r_emitter": _two(1.4625, 1.125, 1.75),
    **dict.fromkeys(
        ("npn", "clamp"),
        tuple(
            Pad(str(i + 1), x, y, 1.475, 0.6)
            for i, (x, y) in enumerate(((-0.9375, -0.95), (-0.9375, 0.95), (0.9375, 0.0)))
        ),
    ),
    "c_22p": _two(0.95, 1.0, 1.45),
    "rgb": tuple(
        Pad(str(i + 1), x, y, 1.5, 1.1)
        for i, (x, y) in enumerate(((-1.5, -0.75), (1.5, -0.75), (1.5, 0.75), (-1.5, 0.75)))
    ),
    "photodiode": _two(2.54, 2.2, 2.0),
    "amplifier": tuple(
        Pad(str(i + 1), x, y, 1.325, 0.6)
        for i, (x, y) in enumerate(
            ((-1.1375, -0.95), (-1.1375, 0.0), (-1.1375, 0.95), (1.1375, 0.95), (1.1375, -0.95))
        )
    ),
    "cores": tuple(Pad(str(i + 1), 2.54 * i, 0, 1.7, 1.7, 1.0) for i in range(3)),
    "test": (Pad("1", 0, 0, 1.5, 1.5),),
}


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_BODIES: Mapping[str, tuple[float, float]] = {
    "r_33": (3.2, 1.6),
    "r_emitter": (3.2, 1.6),
    "npn": (1.3, 2.9),
    "clamp": (1.3, 2.9),
    "rgb": (3.2, 2.8),
    "photodiode": (4.5, 4.0),
    "amplifier": (1.6, 2.9),
    "ptc_02": (3.2, 1.6),
    "ptc_075": (4.5, 3.2),
    "ptc_15": (4.5, 3.2),
    "tvs": (1.8, 1.4),
    "surge": (4.6, 3.0),
    "schottky": (4.6, 3.0),
    "driver": (7.5, 11.55),
    "shifter": (3.9, 8.65),
    "xor": (3.9, 8.65),
    "multiplexer": (3.9, 9.9),
    "eeprom": (3.9, 4.9),
    "test": (1.5, 1.5),
}
"""How wide and high bodies are around their origin, where not 2.0 x 1.25."""

_UNEVEN: Mapping[str, Box] = {
    "header": (-1.33, -2.54, 49.59, 2.54),
    "pico": (-1.37, -10.5, 49.63, 10.5),
    "jack_3": (-10.0, -13.3, 10.0, 2.5),
    "jack_5": (-10.0, -13.3, 10.0, 2.5),
    "qwiic": (-3.0, -1.675, 3.0, 2.575),
    "lens": (-0.9, -0.9, 3.44, 0.9),
    "cores": (-0.85, -0.85, 5.93, 0.85),
    "buzzer": (-2.2, -4.75, 9.8, 4.75),  # round, of 12 mm: what its name is printed beside
}


def body_of(part: str) -> Box:
    """Return the outline of a part's body, around its origin."""
    if part.startswith("kk"):
        return (-1.27, -2.92, 2.54 * int(part[2:]) - 1.27, 2.88)
    wide, high = _BODIES.get(part, (2.0, 1.25))
    return _UNEVEN.get(part, (-wide / 2, -high / 2, wide / 2, high / 2))


def outline_of(part: str) -> Box:
    """Return the smallest box around a part's body and its pads."""
    boxes = [body_of(part)] + [
        (p.x - p.wide / 2, p.y - p.high / 2, p.x + p.wide / 2, p.y + p.high / 2)
        for p in pads_of(part)
    ]
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def pads_of(part: str) -> tuple[Pad, ...]:
    """Return the pads of a part by its id in :data:`hardware.board.design.KINDS`."""
    if part.startswith("kk"):
        return _row(int(part[2:]))
    return _SIZES.get(part, _two(0.9125, 1.025, 1.4))
