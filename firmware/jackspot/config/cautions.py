"""What a valid configuration may still do to pins: worth knowing before a wire is soldered.

Mistakes end :func:`jackspot.config.load`; these are not mistakes. A caution names a wire that will
do something unwanted (shine while the Pi starts, never be seen pressed), or two users of one pin
that loading cannot detect. A need is what must be switched on or off on the Pi.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from jackspot.config.model import Config
from jackspot.config.uses import displays_of
from jackspot.displays.buzzer import BuzzerKind, BuzzerSection
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.inputs.cables import BUS_GPIOS, BusLine
from jackspot.inputs.pins import (
    FIXED_PULL_UP,
    LOW_AT_BOOT,
    SPI_PINS,
    TONE,
    Active,
    Pull,
    Wire,
    WireKind,
)

SPI_1_SELECTS: Mapping[int, int] = MappingProxyType({0: 18, 1: 17, 2: 16})
"""The chip selects of the second SPI bus, by device."""
SPI_1_BUS = (19, 20, 21)
"""MISO, MOSI and SCLK of the second SPI bus."""


class Caution(Struct, frozen=True):
    """An unwanted effect of one wire. ``words`` follow the wire's name and GPIO."""

    wire: Wire
    words: str

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.wire.name} (GPIO {self.wire.gpio}) {self.words}"


def cautions(config: Config) -> tuple[Caution, ...]:
    """Return every caution, in the order of the wires, a sign's last."""
    second = dict(_second_spi(config))
    found = []
    for wire in config.wires:
        found += [Caution(wire, words) for words in _of(wire, config)]
        if wire.gpio in second:
            found.append(Caution(wire, f"is where {second[wire.gpio]}; move one of them"))
    if displays_of(config).uart_sign and config.of(SignSection).kind is SignKind.ALPHA:
        wire = Wire("sign", WireKind.DISPLAY, BUS_GPIOS[BusLine.TXD], Active.HIGH)
        found.append(
            Caution(
                wire,
                "has 3.3 V, and such signs speak RS-232: put a converter (MAX3232) between, and "
                "never join the sign's TX to GPIO 15, which it would destroy",
            )
        )
    return tuple(found)


def needs(config: Config) -> tuple[str, ...]:
    """Return what ``/boot/firmware/config.txt`` has to contain for these wires."""
    displays = displays_of(config)
    found = []
    if displays.oled_i2c:
        found.append("I2C on, for the OLED: dtparam=i2c_arm=on")
    if displays.oled_spi or displays.matrix is not None:
        found.append("SPI on, for the display: dtparam=spi=on")
    else:
        on_spi = sorted(wire.gpio for wire in config.wires if wire.gpio in SPI_PINS)
        if on_spi:
            gpios = ", ".join(map(str, on_spi))
            found.append(f"SPI off, its pins carry wires (GPIO {gpios}): dtparam=spi=off")
    if displays.uart_sign:
        found.append("the serial port on and no console on it, for the sign: enable_uart=1")
    return tuple(found)


def _of(wire: Wire, config: Config) -> Iterator[str]:
    if wire.source is not None:
        yield from _of_input(wire)
    elif wire.kind is not WireKind.DISPLAY:
        yield from _of_output(wire)
        tone = wire.kind is WireKind.BUZZER and config.of(BuzzerSection).kind is BuzzerKind.PASSIVE
        if tone and wire.gpio not in TONE:
            can = ", ".join(str(gpio) for gpio in sorted(TONE))
            yield f"can give no tone in hardware; GPIO {can} can"


def _of_input(wire: Wire) -> Iterator[str]:
    if wire.gpio in FIXED_PULL_UP:
        yield "has 1.8 kOhm to 3.3 V soldered on: what pulls it low must sink 1.8 mA"
    elif wire.pull is Pull.NONE:
        rail = "ground" if wire.active is Active.HIGH and wire.kind is WireKind.BUTTON else "3.3 V"
        yield f"floats (pull = none): it needs 10 kOhm of its own to {rail}"
    if wire.kind is WireKind.BUTTON:
        lifts = wire.pull is Pull.UP or wire.gpio in FIXED_PULL_UP
        if wire.active is Active.HIGH and lifts:
            yield 'reads as pressed while nobody presses: active = "high" wants pull = "down"'
        if wire.active is Active.LOW and wire.pull is Pull.DOWN:
            yield 'reads as pressed while nobody presses: active = "low" wants pull = "up"'


def _of_output(wire: Wire) -> Iterator[str]:
    is_low = wire.gpio in LOW_AT_BOOT
    if is_low is (wire.active is Active.HIGH):
        return
    does = "sounds" if wire.kind is WireKind.BUZZER else "shines"
    level = "low" if is_low else "high"
    other = "2 to 8" if is_low else f"{LOW_AT_BOOT[0]} to {LOW_AT_BOOT[-1]}"
    yield f"{does} while the Pi starts: the pin is {level} until then; GPIO {other} are not"


def _second_spi(config: Config) -> Iterator[tuple[int, str]]:
    """Return the GPIOs of the second SPI bus that a display uses, with what they are."""
    users = []
    if config.of(MatrixSection).driver != "none" and config.of(MatrixSection).port == 1:
        users.append(("[matrix]", config.of(MatrixSection).device))
    oled = config.of(OledSection)
    on_spi = oled.interface is OledInterface.SPI
    if oled.driver is not OledDriver.NONE and on_spi and oled.port == 1:
        users.append(("[oled]", 0))
    for table, device in users:
        for gpio in (SPI_1_SELECTS[device], *SPI_1_BUS):
            yield gpio, f"{table} port = 1 has its SPI bus"
