"""What a configuration puts on the header beside the wires of the pin table."""

from __future__ import annotations

from jackspot.config.model import Config
from jackspot.config.sections import OledDriver, OledInterface, SignKind
from jackspot.inputs.cables import Displays

UART_PORTS = frozenset({"/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"})
"""Names of the serial port on the header."""


def displays_of(config: Config) -> Displays:
    """Give the displays that hang on the header, and not on a socket of the Pi's."""
    oled = config.oled.driver is not OledDriver.NONE
    on_spi = config.oled.interface is OledInterface.SPI
    matrix = config.matrix.driver != "none" and config.matrix.port == 0
    sign = config.sign.kind is not SignKind.NONE
    return Displays(
        oled_i2c=oled and not on_spi and config.oled.port == 1,
        oled_spi=oled and on_spi,
        matrix=config.matrix.device if matrix else None,
        uart_sign=sign and config.sign.port in UART_PORTS,
    )
