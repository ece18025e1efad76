"""Which wires run in which cable, and on which contact of its plug: one cable for each place.

The wiring drawings, the cut list and ``jackspot wiring`` read this; it may know names and numbers
only. Every pocket, every seat and the referee's box has one cable, with a plug that fits no other
socket where it could do harm (``hardware/CONNECTORS.md`` says why these plugs were chosen):

- *pocket*, three poles: the beam's wire, ground, 5 V;
- *seat*, five poles: OK, ground, FIX, and 5 V and the switched side of the turn lamp;
- *box*, six poles: OK, ground, FIX, FOUL, OFF, UNDO.

Contacts 1, 2 and 3 are at the same place in plugs with three and with five poles, so a pocket's
plug does fit a seat's socket. There its 5 V contact meets FIX, which has no supply behind it:
nothing is harmed, and FIX reads as stuck.

Displays have cables too; the buzzer is beside the Pi and has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Pocket, Seat
from jackspot.inputs.header import HEADER_PINS, RAIL_PINS, Rail
from jackspot.inputs.pins import (
    BUZZER,
    DISPLAY_DATA,
    DISPLAY_RESET,
    DISPLAY_SELECT,
    Wire,
    lamp_wire,
)
from jackspot.sensing.events import Button, Key, Place, beam_wire


class CableKind(StrEnum):
    """What a cable leads to."""

    POCKET = "pocket"
    SEAT = "seat"
    BOX = "box"
    OLED = "oled"
    """An OLED on I2C."""
    OLED_SPI = "oled-spi"
    MATRIX = "matrix"
    SIGN = "sign"
    """A sign at the Pi's own serial port."""


class BusLine(StrEnum):
    """A line of one of the Pi's buses, which is not a wire of the pin table."""

    SDA = "SDA"
    SCL = "SCL"
    MOSI = "MOSI"
    SCLK = "SCLK"
    CE0 = "CE0"
    CE1 = "CE1"
    TXD = "TXD"


BUS_GPIOS: Mapping[BusLine, int] = MappingProxyType(
    {
        BusLine.SDA: 2,
        BusLine.SCL: 3,
        BusLine.MOSI: 10,
        BusLine.SCLK: 11,
        BusLine.CE0: 8,
        BusLine.CE1: 7,
        BusLine.TXD: 14,
    }
)
"""The GPIOs of the Pi's buses: I2C 1, SPI 0, and the serial port."""

Signal = str | BusLine | Rail
"""What a core carries: a wire of the pin table by its name, a bus line, or a supply."""


class Core(Struct, frozen=True):
    """One conductor of a cable: the contact of the plug that it is on, and what it carries."""

    contact: int
    signal: Signal


class Cable(Struct, frozen=True):
    """One cable. ``name`` is the label of its plug and its socket: ``pocket_ne``, ``box``."""

    name: str
    kind: CableKind
    cores: tuple[Core, ...]

    def contact(self, signal: Signal) -> int | None:
        """Return the contact that carries a signal, or None."""
        return next((core.contact for core in self.cores if core.signal == signal), None)


class Displays(Struct, frozen=True):
    """The displays that are wired to the header. ``matrix`` is its chip select, 0 or 1."""

    oled_i2c: bool = False
    oled_spi: bool = False
    matrix: int | None = None
    uart_sign: bool = False


BOX_KEYS = (Key.OK, Rail.GROUND, Key.FIX, Key.FOUL, Key.OFF, Key.UNDO)
"""The contacts of the box's plug, from 1."""


def cables(wires: Iterable[Wire], displays: Displays) -> tuple[Cable, ...]:
    """Return the cables of a board with these wires and displays, in the documentation's order."""
    there = {wire.name for wire in wires}
    planned = [*_of_inputs(), *_of_displays(displays)]
    found = (_only_what_is_there(cable, there) for cable in planned)
    return tuple(cable for cable in found if cable is not None)


def without_cable(wires: Iterable[Wire]) -> tuple[Wire, ...]:
    """Return the wires without a cable, which end beside the Pi."""
    return tuple(wire for wire in wires if wire.name == BUZZER)


def gpio_of(signal: Signal, wires: Iterable[Wire]) -> int | None:
    """Return the GPIO of a signal, None for a supply."""
    if isinstance(signal, Rail):
        return None
    if isinstance(signal, BusLine):
        return BUS_GPIOS[signal]
    return next(wire.gpio for wire in wires if wire.name == signal)


def pins_of(signal: Signal, wires: Iterable[Wire]) -> tuple[int, ...]:
    """Return the pins of the header that carry a signal; a supply has several."""
    if isinstance(signal, Rail):
        return RAIL_PINS[signal]
    gpio = gpio_of(signal, wires)
    return () if gpio is None else (HEADER_PINS[gpio],)


def _of_inputs() -> Iterator[Cable]:
    for pocket in Pocket:
        wire = beam_wire(pocket)
        yield _cable(wire, CableKind.POCKET, (wire, Rail.GROUND, Rail.V5))
    for seat in Seat:
        ok, fix = (Button(Place(seat.value), key).wire for key in (Key.OK, Key.FIX))
        signals = (ok, Rail.GROUND, fix, Rail.V5, lamp_wire(seat))
        yield _cable(f"seat_{seat.value.lower()}", CableKind.SEAT, signals)
    keys = (k if isinstance(k, Rail) else Button(Place.REFEREE, k).wire for k in BOX_KEYS)
    yield _cable("box", CableKind.BOX, tuple(keys))


def _of_displays(displays: Displays) -> Iterator[Cable]:
    if displays.oled_i2c:
        yield _cable("oled", CableKind.OLED, (Rail.GROUND, Rail.V3, BusLine.SDA, BusLine.SCL))
    if displays.oled_spi:
        beside = (DISPLAY_RESET, DISPLAY_DATA, DISPLAY_SELECT)
        of_bus = (Rail.GROUND, Rail.V3, BusLine.SCLK, BusLine.MOSI)
        yield _cable("oled", CableKind.OLED_SPI, (*of_bus, *beside))
    if displays.matrix is not None:
        select = BusLine.CE1 if displays.matrix else BusLine.CE0
        of_matrix = (Rail.V5, Rail.GROUND, BusLine.MOSI, select, BusLine.SCLK)
        yield _cable("matrix", CableKind.MATRIX, of_matrix)
    if displays.uart_sign:
        yield _cable("sign", CableKind.SIGN, (BusLine.TXD, Rail.GROUND))


def _cable(name: str, kind: CableKind, signals: tuple[Signal, ...]) -> Cable:
    return Cable(name, kind, tuple(Core(n, signal) for n, signal in enumerate(signals, 1)))


def _only_what_is_there(cable: Cable, there: set[str]) -> Cable | None:
    """Return a cable without the cores of wires that the board lacks; None if no wire is left."""
    own = [core.signal for core in cable.cores if not isinstance(core.signal, BusLine | Rail)]
    if own and not there.intersection(own):
        return None
    cores = [core for core in cable.cores if _is_wanted(core, cable, there)]
    return Cable(cable.name, cable.kind, tuple(cores))


def _is_wanted(core: Core, cable: Cable, there: set[str]) -> bool:
    if core.signal is Rail.V5 and cable.kind is CableKind.SEAT:
        return bool(there.intersection(c.signal for c in cable.cores if "lamp" in c.signal))
    return isinstance(core.signal, BusLine | Rail) or core.signal in there
