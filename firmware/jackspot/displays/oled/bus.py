"""Opens the bus that the OLED is wired to: luma's I2C or SPI.

luma speaks both buses. On SPI it needs two more pins, for data/command and reset, and would take
them from RPi.GPIO. They are taken from the board's own pin factory instead, so that one library
owns all pins and a Raspberry Pi 5 needs no other.

This module reports what a bus lacks and what to do. It may not know what is drawn.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.wire import OledChip
from jackspot.displays.spi_pins import SpiPins
from jackspot.sensing.events import Trouble


class Interface(StrEnum):
    """How the display is wired."""

    I2C = "i2c"
    SPI = "spi"


_WINDOW_BYTES, _PAGE_BYTES = 6, 3
"""The bytes of a command that addresses an area: columns and pages, or one page's columns."""
_CONTROL_BYTES = 4
"""Each I2C transaction has an address and a control byte, and an area needs two transactions."""


def address_cost(chip: OledChip, interface: Interface) -> int:
    """Return how many bytes on the bus it costs to address an area."""
    command = _WINDOW_BYTES if chip.has_windows else _PAGE_BYTES
    return command + (_CONTROL_BYTES if interface is Interface.I2C else 0)


class OledSerial(Protocol):
    """A bus to one display, as in luma: ``luma.core.interface.serial.i2c``, ``spi``."""

    def command(self, *cmd: int) -> None:
        """Send a command."""
        ...

    def data(self, data: list[int]) -> None:
        """Send bytes of the picture."""
        ...

    def cleanup(self) -> None:
        """Release the bus."""
        ...


class OledWiring(Struct, frozen=True):
    """Where the display is.

    ``port`` is the number of the bus (None: 1 for I2C and 0 for SPI, as on a Raspberry Pi's
    header), ``address`` the I2C address, ``device`` the SPI chip select. ``gpio_dc`` and
    ``gpio_rst`` are the GPIO numbers of SPI's two further wires, reached through ``pin_factory``,
    one of gpiozero's.
    """

    interface: Interface = Interface.I2C
    port: int | None = None
    address: int = 0x3C
    device: int = 0
    gpio_dc: int = 24
    gpio_rst: int = 25
    bus_speed_hz: int = 8_000_000
    pin_factory: Any = None

    @property
    def bus(self) -> int:
        """The number of the bus."""
        if self.port is not None:
            return self.port
        return 1 if self.interface is Interface.I2C else 0

    def open(self) -> OledSerial:
        """Open the bus through luma; raises luma's errors, OSError or ImportError."""
        from luma.core.interface import serial

        if self.interface is Interface.I2C:
            i2c: OledSerial = serial.i2c(port=self.bus, address=self.address)
            return i2c
        return self._open_spi()

    def _open_spi(self) -> OledSerial:
        from luma.core.interface import serial

        pins = SpiPins(self.pin_factory)
        try:
            opened: OledSerial = serial.spi(
                gpio=pins,
                port=self.bus,
                device=self.device,
                gpio_DC=self.gpio_dc,
                gpio_RST=self.gpio_rst,
                bus_speed_hz=self.bus_speed_hz,
                reset_hold_time=_RESET_S,
                reset_release_time=_RESET_S,
            )
        except BaseException:
            pins.close()
            raise
        return _OnSpi(opened, pins)

    @property
    def device_file(self) -> str:
        """The system's name for the bus: ``/dev/i2c-1``, ``/dev/spidev0.0``."""
        if self.interface is Interface.I2C:
            return f"/dev/i2c-{self.bus}"
        return f"/dev/spidev{self.bus}.{self.device}"

    def __str__(self) -> str:
        """Return the place as people look for it: ``i2c-1 address 0x3C``."""
        if self.interface is Interface.I2C:
            return f"i2c-{self.bus} address 0x{self.address:02X}"
        return f"spidev{self.bus}.{self.device}"


_RESET_S = 0.000_1
"""A reset must last at least 3 us (SSD1306 data sheet rev. 1.1, 8.9)."""


class _OnSpi:
    """luma's SPI, with the pins that it drives but does not own."""

    def __init__(self, spi: OledSerial, pins: SpiPins) -> None:
        self._spi = spi
        self._pins = pins

    def command(self, *cmd: int) -> None:
        self._spi.command(*cmd)

    def data(self, data: list[int]) -> None:
        self._spi.data(data)

    def cleanup(self) -> None:
        try:
            self._spi.cleanup()
        finally:
            self._pins.close()


def troubles() -> tuple[type[BaseException], ...]:
    """Return the errors that luma and the system raise when a display or its bus is not there."""
    from luma.core.error import Error

    return (Error, OSError, ImportError, DisplayError)


def no_answer(chip: OledChip, wiring: OledWiring, error: BaseException) -> DisplayError:
    """Return an error that says in one line which display does not answer, why, and what to do."""
    trouble, remedy = Trouble.GONE, _look_for_it(wiring)
    if isinstance(error, DisplayError):  # one of its pins; the message says what to do
        return DisplayError(f"OLED {chip} on {wiring}: {error}", error.trouble)
    if isinstance(error, ImportError):
        library = "spidev" if wiring.interface is Interface.SPI else "smbus2"
        trouble, remedy = Trouble.REFUSED, f"sudo apt install python3-{library}"
    elif _is_refused(error):
        trouble = Trouble.REFUSED
        remedy = f"put the board's user into the group {wiring.interface}, then restart it"
    elif not Path(wiring.device_file).exists():
        remedy = (
            f"if there is no {wiring.device_file}, switch the bus on: sudo raspi-config nonint "
            f"do_{wiring.interface} 0; else {remedy}"
        )
    return DisplayError(
        f"OLED {chip} on {wiring} does not answer ({error}); {remedy}",
        trouble,
    )


def _is_refused(error: BaseException) -> bool:
    from luma.core.error import DevicePermissionError

    return isinstance(error, DevicePermissionError | PermissionError)


def _look_for_it(wiring: OledWiring) -> str:
    if wiring.interface is Interface.SPI:
        return "check its plug, and oled_ce in [pins]"
    return (
        f"check its plug; i2cdetect -y {wiring.bus} shows which address answers, "
        "[oled] address names it"
    )
