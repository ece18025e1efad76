"""An OLED on a simulated bus, for its tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.bus import Interface, OledWiring
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.wire import OledChip
from jackspot_sim.devices.bus import FakeI2C, FakeSpi, Traffic

FakeBus = FakeI2C | FakeSpi
BUSES: dict[Interface, Callable[[OledChip], FakeBus]] = {
    Interface.I2C: FakeI2C,
    Interface.SPI: FakeSpi,
}
EVERY_WAY = [(chip, interface) for chip in OledChip for interface in Interface]
every_way = pytest.mark.parametrize(("chip", "interface"), EVERY_WAY)


def make(
    chip: OledChip = OledChip.SSD1306, interface: Interface = Interface.I2C
) -> tuple[Oled, FakeBus]:
    """Make an open display and its bus."""
    bus = BUSES[interface](chip)
    oled = Oled(chip, OledWiring(interface), serial_factory=bus.serial, refresh_ns=0)
    oled.open()
    return oled, bus


def sent(oled: Oled, bus: FakeBus, image: Image.Image) -> Traffic:
    """Show a picture; return the traffic it took."""
    before = bus.traffic
    oled.show_image(image)
    return bus.traffic - before


def english(text: str) -> str:
    """Translate nothing."""
    return text


def shining(oled: Oled, bus: FakeBus, view: BoardView) -> tuple[bool, int]:
    """Show a view; return whether the panel is lit, and its contrast."""
    oled.show(view)
    assert bus.controller is not None
    return bus.controller.is_on, bus.controller.contrast
