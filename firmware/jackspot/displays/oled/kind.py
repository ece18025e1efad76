"""``[oled]`` of the config, and the OLED made from it."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from jackspot.displays.kind import DisplayKind, Mount
from jackspot.sensing.limits import SECOND
from jackspot.settings.section import Section
from jackspot.settings.values import Bus, Byte, I2cAddress, Patience, SpiHertz

if TYPE_CHECKING:
    from jackspot.displays.thread import Display


class OledDriver(StrEnum):
    """The display's controller: 0.96 inch is usually SSD1306, 1.3 SH1106, 2.42 SSD1309."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"
    NONE = "none"


class OledInterface(StrEnum):
    """How the OLED is wired."""

    I2C = "i2c"
    SPI = "spi"


class OledSection(Section, frozen=True):
    """``[oled]``: the referee's display. ``interface`` and ``port`` follow from the pins."""

    driver: OledDriver = OledDriver.SSD1306
    """The controller: 0.96 inch is usually ssd1306, 1.3 sh1106, 2.42 ssd1309; none: no OLED."""
    interface: OledInterface | None = None
    """How it is wired; unset: as in the pins' profile."""
    port: Bus | None = None
    """The number of its bus; unset: 1 for I2C, 0 for SPI."""
    address: I2cAddress = 0x3C
    """Its address on the I2C bus; most have 60, some 61."""
    rotate: Literal[0, 180] = 0
    """Degrees; 180 for a display that is mounted upside down."""
    contrast: Byte | None = None
    """Full brightness; unset: as the controller has it."""
    bus_speed_hz: SpiHertz = 8_000_000
    """The speed of the bus, SPI only."""
    dim_ns: Patience = 300 * SECOND
    """Help is dimmed when it has been shown for this long; 0: never."""
    sleep_ns: Patience = 1_800 * SECOND
    """Help goes dark when it has been shown for this long, until something happens; 0: never."""
    shift_ns: Patience = 180 * SECOND
    """The picture moves by a dot this often, with an entry; 0: never."""


def _make(mount: Mount) -> Display | None:
    oled = mount.of(OledSection)
    if oled.driver is OledDriver.NONE:
        return None
    from jackspot.displays.oled.bus import Interface, OledWiring
    from jackspot.displays.oled.driver import Oled
    from jackspot.displays.oled.light import Lighting
    from jackspot.displays.oled.wire import OledChip

    wires = {"gpio_dc": "oled_dc", "gpio_rst": "oled_rst"}
    pins = {name: mount.outputs[wire] for name, wire in wires.items() if wire in mount.outputs}
    wiring = OledWiring(
        Interface((oled.interface or OledInterface.I2C).value), oled.port, oled.address,
        mount.spi_device, bus_speed_hz=oled.bus_speed_hz, pin_factory=mount.pin_factory, **pins,
    )  # fmt: skip
    return Oled(
        OledChip(oled.driver.value),
        wiring,
        rotate=2 if oled.rotate else 0,
        lighting=Lighting(oled.contrast, oled.dim_ns, oled.sleep_ns, oled.shift_ns),
        serial_factory=mount.buses.get("oled"),
        clock=mount.clock,
        door=mount.door,
        network=mount.network,
    )


OLED = DisplayKind("oled", MappingProxyType({"oled": OledSection}), _make)
