"""The OLED on the system's own buses, opened by luma, with stand-ins for the parts of a Pi.

luma's serial classes and gpiozero's pins are the real ones. Behind them are a ``spidev``
that leads to a controller written from the data sheets, and pins without hardware.
"""

from __future__ import annotations

import errno
import itertools
import sys
import types
from collections.abc import Sequence

import pytest
from gpiozero.pins.mock import MockFactory

from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.bus import Interface, OledWiring
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.wire import OledChip
from jackspot.sensing.events import Trouble
from jackspot_sim.devices.bus import FakeSpi
from tests.displays.oled_views import READY, VIEWS

DC, RST = 5, 6


class SpiDev:
    """A ``spidev.SpiDev`` that reads the two other pins when bytes are clocked out."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.max_speed_hz = 0
        self.mode = 0

    def open(self, bus: int, device: int) -> None:
        if self._machine.refusal is not None:
            raise self._machine.refusal
        self._machine.opened.append((bus, device))

    def writebytes(self, payload: Sequence[int]) -> None:
        self._machine.clock_out(payload)

    def close(self) -> None:
        self._machine.closed += 1


class Machine:
    """A Pi with one OLED on SPI: the pins, the bus, and the display at its end."""

    def __init__(self, chip: OledChip) -> None:
        self.bus = FakeSpi(chip)
        self.pins = MockFactory()
        self.opened: list[tuple[int, int]] = []
        self.closed = 0
        self.refusal: OSError | None = None
        self._resets = 0

    def clock_out(self, payload: Sequence[int]) -> None:
        states = [state.state for state in self.pins.pin(RST).states]
        resets = sum(not a and b for a, b in itertools.pairwise(states))
        if resets > self._resets:
            self._resets = resets
            self.bus.drive(FakeSpi.RST, 0)
            self.bus.drive(FakeSpi.RST, 1)
        self.bus.drive(FakeSpi.DC, int(self.pins.pin(DC).state))
        self.bus.write(payload)

    def wiring(self) -> OledWiring:
        return OledWiring(
            Interface.SPI, 0, device=1, gpio_dc=DC, gpio_rst=RST, pin_factory=self.pins
        )


@pytest.fixture(params=list(OledChip), ids=str)
def chip(request: pytest.FixtureRequest) -> OledChip:
    found: OledChip = request.param
    return found


@pytest.fixture
def machine(chip: OledChip, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(chip)
    spidev = types.ModuleType("spidev")
    vars(spidev)["SpiDev"] = lambda: SpiDev(made)
    monkeypatch.setitem(sys.modules, "spidev", spidev)
    return made


def test_each_controller_shows_each_view_over_lumas_spi_and_the_boards_own_pins(
    machine: Machine, chip: OledChip
) -> None:
    oled = Oled(chip, machine.wiring())
    oled.open()
    for view in list(VIEWS.values())[::4]:
        oled.show(view)
        assert machine.bus.picture().tobytes() == draw(view, str).tobytes()
    assert machine.opened == [(0, 1)]


def test_opening_again_resets_the_controller_and_takes_the_same_pins(
    machine: Machine, chip: OledChip
) -> None:
    oled = Oled(chip, machine.wiring())
    for _again in range(3):
        oled.open()
        oled.show(READY)
        assert machine.bus.picture().tobytes() == draw(READY, str).tobytes()
        machine.bus.unplug()
        machine.bus.plug()
    assert machine.closed == 2


def test_a_display_that_is_closed_lets_go_of_pins_and_bus(machine: Machine, chip: OledChip) -> None:
    oled = Oled(chip, machine.wiring())
    oled.open()
    oled.close()
    assert machine.closed == 1
    machine.pins.reserve_pins(machine, DC, RST)  # refused while a device holds them


def test_a_pin_that_is_taken_is_named_with_the_keys_to_change(
    machine: Machine, chip: OledChip
) -> None:
    from gpiozero import DigitalOutputDevice

    held = DigitalOutputDevice(RST, pin_factory=machine.pins)
    oled = Oled(chip, machine.wiring())
    with pytest.raises(
        DisplayError, match=r"GPIO 6 beside the SPI bus.*oled_rst in \[pins\]"
    ) as no:
        oled.open()
    assert no.value.trouble is Trouble.IN_USE
    held.close()
    oled.open()


@pytest.mark.parametrize(
    ("refusal", "words", "trouble"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory"),
            r"spidev0\.1 does not answer .*no /dev/spidev0\.1, switch the bus on: "
            "sudo raspi-config nonint do_spi 0",
            Trouble.GONE,
        ),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "Permission denied.*put the board's user into the group spi",
            Trouble.REFUSED,
        ),
    ],
)
def test_a_bus_that_cannot_be_opened_is_named_with_its_remedy(
    machine: Machine, chip: OledChip, refusal: OSError, words: str, trouble: Trouble
) -> None:
    machine.refusal = refusal
    oled = Oled(chip, machine.wiring())
    with pytest.raises(DisplayError, match=words) as no:
        oled.open()
    assert no.value.trouble is trouble
    machine.refusal = None
    oled.open()
    oled.show(READY)
    assert machine.bus.picture().tobytes() == draw(READY, str).tobytes()


def test_a_machine_without_spidev_says_what_to_install(
    machine: Machine, chip: OledChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayError, match="sudo apt install python3-spidev") as no:
        Oled(chip, machine.wiring()).open()
    assert no.value.trouble is Trouble.REFUSED


def test_an_i2c_bus_that_is_missing_says_how_to_switch_it_on() -> None:
    with pytest.raises(DisplayError, match=r"no /dev/i2c-97.*raspi-config nonint do_i2c 0"):
        Oled(wiring=OledWiring(port=97)).open()
