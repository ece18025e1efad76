"""The pin table: which wire is on which GPIO, in one place.

The config's defaults, the documentation, the wiring drawings and the simulated table all read
this table; no GPIO number is anywhere else. It may know names and numbers only: it opens nothing
and imports no GPIO library.

Numbers are those of the Broadcom chip (GPIO17), as printed on every pin-out, never positions on
the header. The 40-pin header has these limits, from the Raspberry Pi's documentation:

- GPIO 0 and 1 belong to the EEPROM of add-on boards and are read at every boot.
- GPIO 2 and 3 (I2C) have fixed pull-ups of 1.8 kOhm: good for buttons to ground, but not for
  anything that must be low.
- Until a program sets them, GPIO 0 to 8 are pulled up and 9 to 27 pulled down (BCM2835 ARM
  Peripherals, table 6-31). Lamps and the buzzer are active high, so both profiles keep them on
  9 to 27: nothing shines or sounds while the Pi boots.
- GPIO 12, 13, 18 and 19 can make a tone in hardware (PWM): the buzzer is on one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import Button, Key, Place, beam_wire


class WireKind(StrEnum):
    """What is connected to a wire."""

    BEAM = "beam"
    BUTTON = "button"
    BUZZER = "buzzer"
    LAMP = "lamp"
    DISPLAY = "display"
    """A control line of an SPI display."""


class Active(StrEnum):
    """The level at which a wire is active."""

    LOW = "low"
    HIGH = "high"


class Pull(StrEnum):
    """The chip's own resistor on an input."""

    UP = "up"
    DOWN = "down"
    NONE = "none"
    """None: the circuit has its own."""


class Wire(Struct, frozen=True):
    """One wire and its connection. ``source`` is the beam's pocket or the button, if it is one.

    ``pull`` is ``Pull.NONE`` for outputs. ``hold_off_ns`` is how long an input must be inactive
    (a beam whole, a button up) to count as released.
    """

    name: str
    kind: WireKind
    gpio: int
    active: Active
    pull: Pull = Pull.NONE
    source: Pocket | Button | None = None
    hold_off_ns: int = 0


class Profile(Struct, frozen=True):
    """A pin-out: the GPIO of each wire, and the GPIOs that something else owns.

    ``gpios`` is in the order of the documentation; ``taken`` says why a GPIO is not free.
    """

    name: str
    gpios: Mapping[str, int]
    taken: Mapping[int, str]


BUTTONS: tuple[Button, ...] = (
    *(Button(Place(seat.value), key) for seat in Seat for key in (Key.OK, Key.FIX)),
    *(Button(Place.REFEREE, key) for key in Key),
)
"""Every button that can be wired: OK and FIX of each seat, and the referee's five."""

BUZZER = "buzzer"
DISPLAY_SELECT = "oled_ce"
DISPLAY_DATA = "oled_dc"
DISPLAY_RESET = "oled_rst"


def lamp_wire(seat: Seat) -> str:
    """Return the name of a seat's turn lamp: ``lamp_n``."""
    return f"lamp_{seat.value.lower()}"


_KINDS: Mapping[str, tuple[WireKind, Pocket | Button | None]] = {
    **{beam_wire(pocket): (WireKind.BEAM, pocket) for pocket in Pocket},
    **{button.wire: (WireKind.BUTTON, button) for button in BUTTONS},
    BUZZER: (WireKind.BUZZER, None),
    **{lamp_wire(seat): (WireKind.LAMP, None) for seat in Seat},
    **dict.fromkeys((DISPLAY_SELECT, DISPLAY_DATA, DISPLAY_RESET), (WireKind.DISPLAY, None)),
}

WIRE_NAMES: tuple[str, ...] = tuple(_KINDS)
"""Every wire's name, in the order of the documentation."""

USABLE: range = range(2, 28)
"""The GPIOs of the 40-pin header that a wire may use."""

FIXED_PULL_UP: frozenset[int] = frozenset({2, 3})
"""GPIOs with a soldered pull-up."""

LOW_AT_BOOT: range = range(9, 28)
"""GPIOs that are pulled down until a program sets them: right for lamps and the buzzer."""

TONE: frozenset[int] = frozenset({12, 13, 18, 19})
"""GPIOs that can make a tone in hardware."""

SELECTS: Mapping[int, tuple[int, int]] = MappingProxyType({8: (0, 0), 7: (0, 1)})
"""The chip selects of the header's main SPI bus, with the port and device they stand for."""

SPI_PINS: Mapping[int, str] = MappingProxyType(
    {
        7: "the SPI bus (CE1)",
        8: "the SPI bus (CE0)",
        9: "the SPI bus (MISO)",
        10: "the SPI bus (MOSI)",
        11: "the SPI bus (SCLK)",
    }
)
"""The GPIOs that the header's main SPI bus takes, all of them as soon as it is switched on."""

_UART = {14: "the serial port (TXD)", 15: "the serial port (RXD)"}

FULL_I2C = Profile(
    "full-i2c",
    MappingProxyType(
        {
            "pocket_ne": 5,
            "pocket_se": 6,
            "pocket_sw": 13,
            "pocket_nw": 19,
            "seat_n_ok": 4,
            "seat_n_fix": 27,
            "seat_e_ok": 22,
            "seat_e_fix": 10,
            "seat_s_ok": 9,
            "seat_s_fix": 11,
            "seat_w_ok": 8,
            "seat_w_fix": 7,
            "referee_ok": 23,
            "referee_fix": 24,
            "referee_foul": 25,
            "referee_off": 18,
            "referee_undo": 17,
            "buzzer": 12,
            "lamp_n": 16,
            "lamp_e": 20,
            "lamp_s": 21,
            "lamp_w": 26,
        }
    ),
    MappingProxyType({2: "I2C (SDA)", 3: "I2C (SCL)", **_UART}),
)
"""Everything on one Pi, with the display on I2C: all 22 GPIOs beside I2C and the serial port."""

SPI = Profile(
    "spi",
    MappingProxyType(
        {
            "pocket_ne": 5,
            "pocket_se": 6,
            "pocket_sw": 13,
            "pocket_nw": 19,
            "seat_n_ok": 4,
            "seat_n_fix": 27,
            "seat_s_ok": 22,
            "seat_s_fix": 26,
            "referee_ok": 23,
            "referee_fix": 16,
            "referee_foul": 20,
            "referee_off": 18,
            "referee_undo": 17,
            "buzzer": 12,
            "oled_ce": 8,
            "oled_dc": 24,
            "oled_rst": 25,
        }
    ),
    MappingProxyType({**SPI_PINS, **_UART}),
)
"""The display on SPI, the referee's box, two seats, no lamps; 2, 3 and 21 stay free."""

PROFILES: Mapping[str, Profile] = MappingProxyType({p.name: p for p in (FULL_I2C, SPI)})


def wire_kind(name: str) -> WireKind:
    """Return the kind of the wire with this name; KeyError if there is none."""
    return _KINDS[name][0]


def wire_source(name: str) -> Pocket | Button | None:
    """Return the pocket or button of a wire, None for outputs; KeyError if unknown."""
    return _KINDS[name][1]
