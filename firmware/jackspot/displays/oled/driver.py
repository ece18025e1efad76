"""The OLED: luma.oled's drivers for SSD1306, SSD1309 and SH1106, on I2C or SPI.

The driver's own code sets up its controller and speaks the bus. Only its slow part is replaced:
it sends every frame whole, while this module sends what changed
(:mod:`jackspot.displays.oled.wire`). :mod:`jackspot.displays.oled.layout` decides what is drawn,
:mod:`jackspot.displays.oled.light` how bright it is, and :mod:`jackspot.displays.oled.bus` knows
where the display is wired.

A controller that has lost power has forgotten everything and does not report it. So the set-up
and the whole frame are sent at opening, and again after a minute without either: the display
recovers on its own from a plug that was loose for a moment, also on SPI, where nothing ever
answers. On I2C, a display that has been sent nothing for ten seconds is sent a command that does
nothing, so that one unplugged while nobody played is missed now, not when the next piece falls.
While nobody comes it is asked half as often each time, until the set-up each minute is enough.

luma.oled is imported when the display is opened, not before: it starts four threads of its own
(they sleep), and importing it takes most of a board's start.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from PIL import Image

from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.bus import (
    Interface,
    OledSerial,
    OledWiring,
    address_cost,
    no_answer,
    troubles,
)
from jackspot.displays.oled.hotspot import Network, draw_network
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import Care, Light, Lighting, contrast, moved
from jackspot.displays.oled.sign_in import SignInAddress, draw_door
from jackspot.displays.oled.wire import OledChip, pack, writes
from jackspot.displays.words import Speak, translator

_DISPLAY_ON = 0xAF
_DISPLAY_OFF = 0xAE
_SET_CONTRAST = 0x81
_NO_OPERATION = 0xE3

REFRESH_NS = 60_000_000_000
"""How old a complete set-up may be before everything is sent again."""

PING_NS = 10_000_000_000
"""How long nothing may be sent to an I2C display before it is first asked whether it is there."""


class Oled:
    """A 128x64 OLED, as a display of the board. All calls come from one thread.

    ``rotate`` is 0, or 2 for a display that is mounted upside down. ``lighting`` sets full
    brightness, of which views choose a share, and what spares the dots. ``speak`` returns the
    translation into a view's language. ``serial_factory`` replaces ``wiring`` where the bus is not
    the system's. ``clock`` returns monotonic nanoseconds. ``refresh_ns`` 0: nothing is sent again.
    ``door`` returns the current address of the referee's page and its PIN, ``network`` the board's
    own network, if it has one.
    """

    name = "oled"

    def __init__(  # noqa: PLR0913
        self,
        chip: OledChip = OledChip.SSD1306,
        wiring: OledWiring | None = None,
        *,
        rotate: int = 0,
        lighting: Lighting | None = None,
        speak: Speak = translator,
        serial_factory: Callable[[], OledSerial] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        refresh_ns: int = REFRESH_NS,
        door: Callable[[], SignInAddress] | None = None,
        network: Callable[[], Network | None] | None = None,
    ) -> None:
        if rotate not in {0, 2}:
            raise ValueError(f"OLED: rotate must be 0 or 2 (upside down), not {rotate}")
        self._chip = OledChip(chip)
        self._wiring = wiring or OledWiring()
        self._rotate = rotate
        self._speak = speak
        self._open_serial = serial_factory or self._wiring.open
        self._clock = clock
        self._refresh_ns = refresh_ns
        self._door = door
        self._network = network
        self._cost = address_cost(self._chip, self._wiring.interface)
        self._serial: OledSerial | None = None
        self._held: bytes | None = None
        """The frame that the controller holds; None: unknown."""
        self._set_up_ns = 0
        self._sent_ns = 0
        self._ping_ns = PING_NS
        self._lighting = lighting or Lighting()
        self._care = Care()
        self._light = Light(100)
        """How the picture is to be lit."""
        self._contrast: int | None = None
        """The contrast that the controller was last sent."""
        self._is_on: bool | None = None
        """Whether the panel is lit; None: unknown."""
        self._is_last = False
        """The view that is shown stays lit when the program ends."""

    def open(self) -> None:
        """Open the bus and set the controller up; raises :class:`DisplayError` if none answers."""
        self._is_last = False
        self.close()
        try:
            self._serial = self._open_serial()
            self._set_up(self._serial, dark=True)
        except troubles() as error:
            self._let_go()
            raise no_answer(self._chip, self._wiring, error) from error

    def show(self, view: BoardView) -> None:
        """Draw the view and send what changed; raises :class:`DisplayError` if that fails."""
        self._is_last = view.farewell
        self._care, self._light = self._care.step(view, self._clock(), self._lighting)
        image = self._drawn(view)
        self.show_image(moved(image, self._light.shift))

    def _drawn(self, view: BoardView) -> Image.Image:
        translate = self._speak(view.preferences.language)
        if self._door and view.menu is not None and view.menu.kind == MenuKind.REFEREE:
            return draw_door(self._door(), translate)
        if self._network and view.menu is not None and view.menu.kind == MenuKind.HOTSPOT:
            network = self._network()
            if network is not None:
                return draw_network(network, view.menu, translate)
        return draw(view, translate)

    def rest_ns(self) -> int | None:
        """Return for how long nothing need be sent, in nanoseconds; None: for ever."""
        if self._serial is None or self._held is None:
            return None
        waits = []
        if self._refresh_ns:
            waits.append(self._set_up_ns + self._refresh_ns - self._clock())
        if self._wiring.interface is Interface.I2C:
            waits.append(self._sent_ns + self._ping_ns - self._clock())
        return max(0, min(waits)) if waits else None

    def tend(self) -> None:
        """Ask whether the display is there, or send everything again if that is due."""
        serial, frame = self._serial, self._held
        if serial is None or frame is None:
            return
        if self._is_refresh_due():
            self._send(serial, frame)
            return
        self._sent_ns = self._clock()
        self._ping_ns *= 2
        try:
            serial.command(_NO_OPERATION)
        except troubles() as error:
            self._held = None
            raise no_answer(self._chip, self._wiring, error) from error

    def show_image(self, image: Image.Image) -> None:
        """Show a 128x64 picture in mode ``1``; see :meth:`show`."""
        serial = self._serial
        if serial is None:
            raise DisplayError(f"OLED on {self._wiring} is not open; open it first")
        if self._rotate:
            image = image.transpose(Image.Transpose.ROTATE_180)
        self._ping_ns = PING_NS
        self._send(serial, pack(image))

    def _is_refresh_due(self) -> bool:
        return 0 < self._refresh_ns <= self._clock() - self._set_up_ns

    def _send(self, serial: OledSerial, frame: bytes) -> None:
        """Send what differs from what the controller holds, or everything if that is due."""
        held, self._held = self._held, None
        try:
            if held is not None and self._is_refresh_due():
                self._set_up(serial, dark=False)
                held = None
            if held is None:
                self._is_on = None
            for write in writes(self._chip, held, frame, self._cost):
                serial.command(*write.command)
                serial.data(list(write.data))
                self._sent_ns = self._clock()
            self._shine(serial)
        except troubles() as error:
            raise no_answer(self._chip, self._wiring, error) from error
        self._held = frame

    def close(self) -> None:
        """Switch the panel off and release the bus, whether the display is there or not.

        The board's last picture stays lit.
        """
        if self._serial is not None and not self._is_last:
            with suppress(*troubles()):
                self._serial.command(_DISPLAY_OFF)
        self._let_go()

    def _set_up(self, serial: OledSerial, *, dark: bool) -> None:
        """Send the driver's own set-up; ``dark``: the panel is off until a frame follows."""
        first, *others = driver_set_up(self._chip)
        assert first[0] == _DISPLAY_OFF
        serial.command(*(first if dark else first[1:]))
        for command in others:
            serial.command(*command)
        self._contrast = self._own_contrast
        self._set_contrast(serial)
        self._is_on = False if dark else None
        self._set_up_ns = self._sent_ns = self._clock()

    @property
    def _own_contrast(self) -> int:
        """The contrast that the driver's own set-up ends with."""
        command, level = driver_set_up(self._chip)[-1]
        assert command == _SET_CONTRAST
        return level

    def _set_contrast(self, serial: OledSerial) -> None:
        full = self._lighting.contrast
        if full is None:
            full = self._own_contrast
        wanted = contrast(full, self._light.percent)
        if wanted != self._contrast:
            serial.command(_SET_CONTRAST, wanted)
            self._contrast = wanted

    def _shine(self, serial: OledSerial) -> None:
        """Set the brightness of the panel once it holds the picture."""
        if not self._light.percent:
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
            with suppress(*troubles()):
                serial.cleanup()


class _Recorder:
    """A bus that only records the commands it is given."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *cmd: int) -> None:
        self.commands.append(cmd)

    def cleanup(self) -> None:
        pass


def driver_set_up(chip: OledChip) -> list[tuple[int, ...]]:
    """Return the commands with which luma's driver sets its controller up, in order.

    Its blank frame and switching the panel on are left out: both come with our first frame. The
    commands are taken from the driver once, not from a new driver for each opening, because every
    driver stays registered to be cleaned up when the process ends.
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


_SET_UPS: dict[OledChip, list[tuple[int, ...]]] = {}
