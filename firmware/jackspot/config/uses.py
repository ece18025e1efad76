"""What a configuration connects to the header beside the wires of the pin table."""

from __future__ import annotations

from jackspot.config.model import Config
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.inputs.cables import Displays

UART_PORTS = frozenset({"/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"})
"""Names of the serial port on the header."""


def displays_of(config: Config) -> Displays:
    """Return the displays that are wired to the header, not to a socket of the Pi."""
    oled = config.of(OledSection).driver is not OledDriver.NONE
    on_spi = config.of(OledSection).interface is OledInterface.SPI
    matrix = config.of(MatrixSection).driver != "none" and config.of(MatrixSection).port == 0
    sign = config.of(SignSection).kind is not SignKind.NONE
    return Displays(
        oled_i2c=oled and not on_spi and config.of(OledSection).port == 1,
        oled_spi=oled and on_spi,
        matrix=config.of(MatrixSection).device if matrix else None,
        uart_sign=sign and config.of(SignSection).port in UART_PORTS,
    )
