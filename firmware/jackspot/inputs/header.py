"""The 40-pin header: what is on each of its pins, the same on every Raspberry Pi that has one.

Numbers and names only, from the Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

HEADER_PINS: Mapping[int, int] = MappingProxyType(
    {
        2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
        14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
        25: 22, 26: 37, 27: 13,
    }
)  # fmt: skip
"""The position of each GPIO on the header."""


class Rail(StrEnum):
    """A pin of the header that is not a GPIO."""

    V5 = "5 V"
    V3 = "3.3 V"
    GROUND = "ground"
    EEPROM = "EEPROM"
    """GPIO 0 or 1: reserved for an add-on board's memory, which is read at every boot."""


RAIL_PINS: Mapping[Rail, tuple[int, ...]] = MappingProxyType(
    {
        Rail.V5: (2, 4),
        Rail.V3: (1, 17),
        Rail.GROUND: (6, 9, 14, 20, 25, 30, 34, 39),
        Rail.EEPROM: (27, 28),
    }
)
"""The positions of everything that is not a GPIO."""

PIN_COUNT = 40


def on_header() -> Mapping[int, int | Rail]:
    """Return what is on each pin, 1 to 40: a GPIO's number, or a rail."""
    found: dict[int, int | Rail] = {pin: gpio for gpio, pin in HEADER_PINS.items()}
    found |= {pin: rail for rail, pins in RAIL_PINS.items() for pin in pins}
    return MappingProxyType(dict(sorted(found.items())))
