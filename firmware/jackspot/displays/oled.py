"""The OLED: luma.oled's drivers for SSD1306 and SH1106, by I2C or SPI.

What the driver knows of its controller (how it is set up, how a bus is spoken) is used as it
is; what it does slowly is done here: it sends every frame whole, we send what changed
(:mod:`jackspot.displays.oled_wire`). What is drawn is :mod:`jackspot.displays.oled_layout`'s
business.

A controller that was without power has forgotten everything and says nothing about it. So
opening sets it up anew and sends the whole frame, and so does the first view a minute after
the last time: a plug that was loose between two views heals by itself, also on SPI, where
nothing ever answers.

luma.oled is imported when the display is opened, not before: it starts four threads of its
own (they sleep) and takes most of a board's start.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PIL import Image

from jackspot.displays import oled_light
from jackspot.displays.errors import DisplayError
from jackspot.displays.oled_layout import draw
from jackspot.displays.oled_wire import Chip, pack, writes
from jackspot.displays.words import Speak, translator
from jackspot.table.view import BoardView

_DISPLAY_ON = 0xAF
_DISPLAY_OFF = 0xAE
_SET_CONTRAST = 0x81

REFRESH_NS = 60_000_000_000
"""How old a complete set-up may be before the next view sends all of it again."""


class Interface(StrEnum):
    """How the display is wired."""

    I2C = "i2c"
    SPI = "spi"


_COST: dict[tuple[Chip, Interface], int] = {
    (Chip.SSD1306, Interface.I2C): 10,
    (Chip.SSD1306, Interface.SPI): 6,
    (Chip.SH1106, Interface.I2C): 7,
    (Chip.SH1106, Interface.SPI): 3,
}
"""Bytes that addressing an area costs: the command, and on I2C the address and the control
byte of both transactions."""


class Serial(Protocol):
    """A bus to one display as luma makes them: ``luma.core.interface.serial.i2c``, ``spi``."""

    def command(self, *cmd: int) -> None:
        """Send a command."""
        ...

    def data(self, data: list[int]) -> None:
        """Send bytes of the picture."""
        ...

    def cleanup(self) -> None:
        """Let go of the bus."""
        ...


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where the display is.

    ``port`` is the number of the bus (None: 1 for I2C and 0 for SPI, as on a Raspberry Pi's
    header), ``address`` the I2C address, ``device`` the SPI chip select, ``gpio_dc`` and
    ``gpio_rst`` the GPIO numbers of SPI's two further wires.
    """

    interface: Interface = Interface.I2C
    port: int | None = None
    address: int = 0x3C
    device: int = 0
    gpio_dc: int = 24
    gpio_rst: int = 25
    bus_speed_hz: int = 8_000_000

    @property
    def bus(self) -> int:
        """The number of the bus."""
        if self.port is not None:
            return self.port
        return 1 if self.interface is Interface.I2C else 0

    def open(self) -> Serial:
        """Open the bus through luma; raises luma's errors or OSError."""
        from luma.core.interface import serial

        if self.interface is Interface.I2C:
            i2c: Serial = serial.i2c(port=self.bus, address=self.address)
            return i2c
        spi: Serial = serial.spi(
            port=self.bus,
            device=self.device,
            gpio_DC=self.gpio_dc,
            gpio_RST=self.gpio_rst,
            bus_speed_hz=self.bus_speed_hz,
        )
        return spi

    def __str__(self) -> str:
        """Name the place as people look for it: ``i2c-1 address 0x3C``."""
        if self.interface is Interface.I2C:
            return f"i2c-{self.bus} address 0x{self.address:02X}"
        return f"spidev{self.bus}.{self.device}"


class Oled:
    """A 128x64 OLED as a display of the board. All calls come from one thread.

    ``rotate`` is 0, or 2 for a display that is mounted upside down. ``contrast`` is what full
    brightness is, 0 to 255, None for the driver's own; views say how much of it. ``speak``
    gives the translation into a view's language. ``serial_factory`` takes the place of
    ``wiring`` where the bus is another one than the system's. ``clock`` gives monotonic
    nanoseconds; ``refresh_ns`` 0 never sends anything again that was sent.
    """

    name = "oled"

    def __init__(
        self,
        chip: Chip = Chip.SSD1306,
        wiring: Wiring | None = None,
        *,
        rotate: int = 0,
        contrast: int | None = None,
        speak: Speak = translator,
        serial_factory: Callable[[], Serial] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        refresh_ns: int = REFRESH_NS,
    ) -> None:
        if rotate not in {0, 2}:
            raise ValueError(f"OLED: rotate must be 0 or 2 (upside down), not {rotate}")
        if contrast is not None and not 0 <= contrast <= 255:
            raise ValueError(f"OLED: contrast must be 0 to 255, not {contrast}")
        self._chip = Chip(chip)
        self._wiring = wiring or Wiring()
        self._rotate = rotate
        self._full = contrast
        self._speak = speak
        self._open_serial = serial_factory or self._wiring.open
        self._clock = clock
        self._refresh_ns = refresh_ns
        self._cost = _COST[self._chip, self._wiring.interface]
        self._serial: Serial | None = None
        self._held: bytes | None = None
        """What the controller holds; None: not known."""
        self._set_up_ns = 0
        self._percent = 100
        """The brightness that is wanted."""
        self._contrast: int | None = None
        """What the controller has been told."""
        self._is_on: bool | None = None
        """Whether the panel is lit; None: not known."""
        self._idle_since_ns: int | None = None
        self._is_last = False
        """The view that is shown stays when the program ends."""

    def open(self) -> None:
        """Open the bus and set the controller up; :class:`DisplayError` if none answers."""
        self._is_last = False
        self.close()
        try:
            self._serial = self._open_serial()
            self._set_up(self._serial, dark=True)
        except _troubles() as error:
            self._let_go()
            raise self._no_answer(error) from error

    def show(self, view: BoardView) -> None:
        """Draw the view and send what changed; :class:`DisplayError` if it does not arrive."""
        self._is_last = view.farewell
        self._percent = oled_light.brightness(view, self._idle_ns(view))
        self.show_image(draw(view, self._speak(view.house.language)))

    def _idle_ns(self, view: BoardView) -> int:
        """Give how long help has been shown; 0 while somebody plays."""
        if view.attract is None:
            self._idle_since_ns = None
            return 0
        if self._idle_since_ns is None:
            self._idle_since_ns = self._clock()
        return self._clock() - self._idle_since_ns

    def show_image(self, image: Image.Image) -> None:
        """Show a 128x64 picture of mode ``1``; see :meth:`show`."""
        serial = self._serial
        if serial is None:
            raise DisplayError(f"OLED on {self._wiring} is not open; open it first")
        if self._rotate:
            image = image.transpose(Image.Transpose.ROTATE_180)
        frame = pack(image)
        held, self._held = self._held, None
        try:
            if held is not None and 0 < self._refresh_ns <= self._clock() - self._set_up_ns:
                self._set_up(serial, dark=False)
                held = None
            if held is None:
                self._is_on = None
            for write in writes(self._chip, held, frame, self._cost):
                serial.command(*write.command)
                serial.data(list(write.data))
            self._shine(serial)
        except _troubles() as error:
            raise self._no_answer(error) from error
        self._held = frame

    def close(self) -> None:
        """Switch the panel off and let go of the bus, whether the display is there or not.

        The board's last picture stays lit.
        """
        if self._serial is not None and not self._is_last:
            with suppress(*_troubles()):
                self._serial.command(_DISPLAY_OFF)
        self._let_go()

    def _set_up(self, serial: Serial, *, dark: bool) -> None:
        """Send the driver's own set-up; ``dark``: the panel is off until a frame follows."""
        first, *others = driver_set_up(self._chip)
        assert first[0] == _DISPLAY_OFF
        serial.command(*(first if dark else first[1:]))
        for command in others:
            serial.command(*command)
        self._contrast = self._own_contrast
        self._set_contrast(serial)
        self._is_on = False if dark else None
        self._set_up_ns = self._clock()

    @property
    def _own_contrast(self) -> int:
        """The contrast that the driver's own set-up ends with."""
        command, level = driver_set_up(self._chip)[-1]
        assert command == _SET_CONTRAST
        return level

    def _set_contrast(self, serial: Serial) -> None:
        full = self._own_contrast if self._full is None else self._full
        wanted = oled_light.contrast(full, self._percent)
        if wanted != self._contrast:
            serial.command(_SET_CONTRAST, wanted)
            self._contrast = wanted

    def _shine(self, serial: Serial) -> None:
        """Make the panel as bright as is wanted, once it holds the picture."""
        if not self._percent:
            if self._is_on is not False:
                serial.command(_DISPLAY_OFF)
            self._is_on = False
            return
        self._set_contrast(serial)
        if not self._is_on:
            serial.command(_DISPLAY_ON)
        self._is_on = True

    def _let_go(self) -> None:
        serial, self._serial, self._held = self._serial, None, None
        if serial is not None:
            with suppress(*_troubles()):
                serial.cleanup()

    def _no_answer(self, error: BaseException) -> DisplayError:
        return DisplayError(
            f"OLED {self._chip} on {self._wiring} does not answer ({error}); "
            "check its plug, its address and that the bus is switched on"
        )


class _Recorder:
    """A bus that only remembers the commands it is given."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *cmd: int) -> None:
        self.commands.append(cmd)

    def cleanup(self) -> None:
        pass


def driver_set_up(chip: Chip) -> list[tuple[int, ...]]:
    """Give the commands by which luma's driver sets its controller up, in their order.

    Left out are its blank frame and switching the panel on: both come with our first frame.
    They are taken from the driver once and not by making a new driver for each opening,
    because every driver stays registered to be cleaned up when the process ends.
    """
    known = _SET_UPS.get(chip)
    if known is None:
        from luma.oled import device

        quiet = {"clear": _do_nothing, "show": _do_nothing}
        recorder = _Recorder()
        driver = type(chip.value, (getattr(device, chip.value),), quiet)(recorder)
        driver.persist = True
        known = _SET_UPS[chip] = recorder.commands
    return known


def _do_nothing(driver: object) -> None:
    """Stand in for a method of the driver."""
    del driver


_SET_UPS: dict[Chip, list[tuple[int, ...]]] = {}


def _troubles() -> tuple[type[BaseException], ...]:
    """Give what luma and the system raise when a display or its bus is not there."""
    from luma.core.error import Error

    return (Error, OSError, ImportError)
