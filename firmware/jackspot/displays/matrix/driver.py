"""An LED matrix: a chain of MAX7219 modules on SPI, driven by luma.led_matrix.

The driver's own code sets up, dims and switches on the chips. The place and turn of each module in
the chain are handled in :func:`arranged`, because makers mount them every way. The driver packs a
picture dot by dot, so :func:`rows_of` has Pillow do that. :mod:`jackspot.displays.matrix.layout`
draws the picture.

The chain never answers: only a missing bus is noticed, not an unplugged chain. Chips that lost
power or were upset by a spark have forgotten their set-up, so it is sent again with the first
view after ten seconds, and each minute while nobody plays.

luma.led_matrix is imported when the display is opened, not before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Protocol

from msgspec import Struct
from PIL import Image

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.errors import DisplayError
from jackspot.displays.matrix.layout import draw
from jackspot.displays.signs.text import is_dark
from jackspot.displays.words import Speak, translator
from jackspot.sensing.events import Trouble

MODULE = 8
"""The width and height of a module in dots."""

REFRESH_NS = 10_000_000_000
"""How old a complete set-up may be before the next view sends it again."""
IDLE_REFRESH_NS = 60_000_000_000
"""The same while there are no views."""

TURNS = (0, 90, 180, 270)
_SHUTDOWN = 0x0C


class MatrixSerial(Protocol):
    """The bus to the first module, in luma's form."""

    def data(self, data: list[int]) -> None:
        """Send sixteen bits for each module."""
        ...

    def cleanup(self) -> None:
        """Release the bus."""
        ...


class Panel(Struct, frozen=True):
    """How the modules are arranged, seen from the front.

    The chain begins at the upper left and goes along each row. ``reverse``: it begins at the
    right of each row; ``snake``: every second row runs the other way. ``turn`` is how far each
    module is turned clockwise (0, 90, 180, 270); ``upside_down``: the whole panel is.
    """

    columns: int = 4
    rows: int = 1
    turn: int = 0
    reverse: bool = False
    snake: bool = False
    upside_down: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in dots."""
        return MODULE * self.columns, MODULE * self.rows

    @property
    def modules(self) -> int:
        """The number of modules."""
        return self.columns * self.rows


def arranged(image: Image.Image, panel: Panel) -> Image.Image:
    """Return a picture in the chain's order: each module's part at its place in the chain."""
    if panel.upside_down:
        image = image.transpose(Image.Transpose.ROTATE_180)
    chain = Image.new("1", image.size)
    for row in range(panel.rows):
        backwards = panel.reverse ^ (panel.snake and row % 2 == 1)
        for place in range(panel.columns):
            column = panel.columns - 1 - place if backwards else place
            x, y = MODULE * column, MODULE * row
            part = image.crop((x, y, x + MODULE, y + MODULE)).rotate(panel.turn)
            chain.paste(part, (MODULE * place, y))
    return chain


def rows_of(chain: Image.Image) -> Iterator[list[int]]:
    """Return the eight writes that send a picture to the chain, digit by digit.

    A chip's digit is a column of its module, the lowest bit on top. The word that is sent first
    goes furthest. After a clockwise turn, Pillow's own packing has each column's bytes in a row.
    """
    across, down = chain.width // MODULE, chain.height // MODULE
    packed = chain.transpose(Image.Transpose.ROTATE_270).tobytes()
    for digit in range(MODULE):
        words: list[int] = []
        for row in reversed(range(down)):
            for place in reversed(range(across)):
                column = MODULE * place + digit
                words += [digit + 1, packed[column * down + down - 1 - row]]
        yield words


class SpiBus(Struct, frozen=True):
    """Where the chain is: ``/dev/spidevPORT.DEVICE``, and how fast it is clocked."""

    port: int = 0
    device: int = 0
    speed_hz: int = 1_000_000

    def open(self) -> MatrixSerial:
        """Open the bus through luma; raises luma's errors, OSError or ImportError."""
        from luma.core.interface import serial

        opened: MatrixSerial = serial.spi(
            gpio=serial.noop(),
            port=self.port,
            device=self.device,
            bus_speed_hz=self.speed_hz,
            gpio_DC=None,
            gpio_RST=None,
        )
        return opened

    def __str__(self) -> str:
        """Return the system's name for it."""
        return f"/dev/spidev{self.port}.{self.device}"


class LedMatrix:
    """A chain of modules, as a display of the board. All calls come from one thread.

    ``intensity`` is full brightness, 0 to 15; views set the share of it. ``serial_factory``
    replaces ``bus``. ``clock`` returns monotonic nanoseconds, ``speak`` a language's translation.
    """

    name = "matrix"

    def __init__(
        self,
        panel: Panel | None = None,
        bus: SpiBus | None = None,
        *,
        intensity: int = 4,
        serial_factory: Callable[[], MatrixSerial] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        speak: Speak = translator,
    ) -> None:
        self._speak = speak
        self._panel = panel or Panel()
        self._bus = bus or SpiBus()
        if not 0 <= intensity <= 15:
            raise ValueError(f"matrix: intensity must be 0 to 15, not {intensity}")
        if self._panel.turn not in TURNS:
            raise ValueError(f"matrix: turn must be 0, 90, 180 or 270, not {self._panel.turn}")
        self._intensity = intensity
        self._open_serial = serial_factory or self._bus.open
        self._clock = clock
        self._line = _Line()
        self._driver: Any = None
        self._shown: tuple[bytes, int] | None = None
        """What the chain was last sent: dots and brightness; None: unknown."""
        self._set_up_ns = 0

    def open(self) -> None:
        """Open the bus and set the chips up, dark; raises DisplayError if there is no bus."""
        self.close()
        try:
            self._line.serial = self._open_serial()
            if self._driver is None:
                self._driver = self._new_driver()
            self._set_up()
        except _troubles() as error:
            self._let_go()
            raise self._refused(error) from error

    def _new_driver(self) -> Any:
        from luma.led_matrix.device import max7219

        width, height = self._panel.size
        quiet = {"clear": _do_nothing, "show": _do_nothing}
        driver = type("max7219", (max7219,), quiet)(
            self._line, width=width, height=height, contrast=0
        )
        driver.persist = True
        self._line.keep_set_up()
        return driver

    def show(self, view: BoardView) -> None:
        """Draw the view and send it if it differs; raises DisplayError if the bus is gone."""
        percent = 0 if is_dark(view) or view.farewell else max(view.preferences.brightness, 1)
        translate = self._speak(view.preferences.language)
        self.show_image(draw(view, self._panel.size, translate), percent)

    def show_image(self, image: Image.Image, percent: int = 100) -> None:
        """Show a picture of the panel's size in mode ``1``; see :meth:`show`."""
        if self._driver is None or self._line.serial is None:
            raise DisplayError(f"matrix on {self._bus} is not open; open it first")
        wanted = image.tobytes(), percent
        is_due = self._clock() - self._set_up_ns >= REFRESH_NS
        if wanted == self._shown and not is_due:
            return
        before, self._shown = self._shown, None
        try:
            if is_due:
                self._set_up()
            if percent and (is_due or before is None or before[1] != percent):
                self._driver.contrast(round(self._intensity * percent / 100) << 4)
            for words in rows_of(arranged(image, self._panel)):
                self._line.data(words)
            if is_due or before is None or bool(before[1]) != bool(percent):
                self._switch(on=bool(percent))
        except _troubles() as error:
            raise self._refused(error) from error
        self._shown = wanted

    def rest_ns(self) -> int | None:
        """Return for how long nothing need be sent, in nanoseconds."""
        if self._shown is None:
            return None
        return max(0, self._set_up_ns + IDLE_REFRESH_NS - self._clock())

    def tend(self) -> None:
        """Send everything again."""
        if self._shown is not None:
            dots, percent = self._shown
            self.show_image(Image.frombytes("1", self._panel.size, dots), percent)

    def close(self) -> None:
        """Switch the chips off and release the bus, whether it is there or not."""
        if self._driver is not None and self._line.serial is not None:
            with suppress(*_troubles()):
                self._switch(on=False)
        self._let_go()

    def _switch(self, *, on: bool) -> None:
        self._line.data([_SHUTDOWN, int(on)] * self._panel.modules)

    def _set_up(self) -> None:
        """Send the driver's own set-up; chips that were dark stay dark."""
        for words in self._line.set_up:
            self._line.data(words)
        self._set_up_ns = self._clock()

    def _let_go(self) -> None:
        serial, self._line.serial, self._shown = self._line.serial, None, None
        if serial is not None:
            with suppress(*_troubles()):
                serial.cleanup()

    def _refused(self, error: BaseException) -> DisplayError:
        what = f"LED matrix on {self._bus} cannot be used ({error}); "
        if isinstance(error, ImportError):
            library = "luma.led-matrix" if "led_matrix" in str(error) else "spidev"
            return DisplayError(what + f"sudo apt install python3-{library}", Trouble.REFUSED)
        if isinstance(error, PermissionError):
            remedy = "put the board's user into the group spi, then restart it"
            return DisplayError(what + remedy, Trouble.REFUSED)
        return DisplayError(
            what + "switch SPI on: sudo raspi-config nonint do_spi 0, and see [matrix] device"
        )


class _Line:
    """The bus that the driver keeps; the real bus behind it may be replaced.

    It records how the driver sets the chips up, so that the same can be sent again.
    """

    def __init__(self) -> None:
        self.serial: MatrixSerial | None = None
        self.set_up: tuple[list[int], ...] = ()
        self._heard: list[list[int]] = []

    def keep_set_up(self) -> None:
        """Keep what was recorded so far as the set-up."""
        self.set_up, self._heard = tuple(self._heard), []

    def data(self, data: list[int]) -> None:
        """Pass words on."""
        assert self.serial is not None
        if not self.set_up:
            self._heard.append(list(data))
        self.serial.data(data)

    def cleanup(self) -> None:
        """Do nothing: whoever opened the bus closes it."""


def _do_nothing(driver: object) -> None:
    """Stand in for a driver's method: for its blank picture, and for switching the chips on."""
    del driver


def _troubles() -> tuple[type[BaseException], ...]:
    """Return the errors that luma and the system raise when a bus is not there."""
    from luma.core.error import Error

    return (Error, OSError, ImportError)
