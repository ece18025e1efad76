"""The page of pins says what the table says (tests/hardware checks that it is up to date)."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory

from jackspot.inputs.header import HEADER_PINS
from jackspot.inputs.pins import FULL_I2C, USABLE
from jackspot.inputs.pins_page import page


def test_header_positions_are_those_that_gpiozero_knows() -> None:
    info = MockFactory().board_info
    known = {
        gpio: pin.number
        for gpio in USABLE
        for header, pin in info.find_pin(gpio)
        if header.name == "J8"
    }
    assert known == HEADER_PINS


def test_every_wire_has_a_line_with_its_gpio() -> None:
    lines = page().splitlines()
    for name, gpio in FULL_I2C.gpios.items():
        assert any(line.startswith(f"| `{name}` |") and f"| {gpio} |" in line for line in lines)
