"""Each pin factory: opened by name only, ticks read correctly, failures named with a remedy.

gpiozero's own classes run here; only the libraries beneath them are stand-ins, since those can
be loaded only on a Raspberry Pi.
"""

from __future__ import annotations

import os
import queue
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.pieces import Pocket
from jackspot.inputs import factory, remedies
from jackspot.inputs.edges import Inputs
from jackspot.inputs.errors import (
    GpioError,
    GpioLibraryMissing,
    GpioRefused,
    PinBusy,
    UnknownPi,
)
from jackspot.inputs.factory import Gpio, GpioFactory, open_gpio
from jackspot.inputs.line_info import LineInfo
from jackspot.inputs.pins import Active, Pull, Wire, WireKind
from jackspot.inputs.remedies import here
from jackspot.sensing.events import Edge, Event, FaultRaised, Stamps
from jackspot.values import changed
from tests.conftest import PATIENCE_S

BEAM = Wire("pocket_ne", WireKind.BEAM, 5, Active.LOW, Pull.UP, Pocket.NE)
PI_4 = 0xC03114


class LgpioError(Exception):
    """A stand-in for lgpio's own error."""


class FakeLgpio(types.ModuleType):
    """As much of lgpio as gpiozero uses: lines that can be claimed, and alerts."""

    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    error = LgpioError

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.flags: dict[int, int] = {}
        self.alerts: dict[int, Callable[[int, int, int, int], None]] = {}
        self.busy: set[int] = set()
        self.chips: set[int] = {0}
        self.levels: dict[int, int] = {}

    def gpiochip_open(self, chip: int) -> int:
        if chip not in self.chips:
            raise LgpioError("'can not open gpiochip'")
        return 7

    def gpiochip_close(self, _handle: int) -> None:
        self.flags.clear()

    def gpio_claim_input(self, _handle: int, gpio: int, flags: int = 0) -> None:
        if gpio in self.busy:
            raise LgpioError("'GPIO busy'")
        self.flags[gpio] = flags

    def gpio_claim_output(self, _handle: int, gpio: int) -> None:
        raise AssertionError(f"GPIO {gpio} is a beam: nothing may drive it")

    def gpio_claim_alert(self, _handle: int, gpio: int, _edges: int, _flags: int) -> None:
        assert gpio in self.flags

    def gpio_free(self, _handle: int, gpio: int) -> None:
        del self.flags[gpio]

    def gpio_get_mode(self, _handle: int, gpio: int) -> int:
        return self.flags[gpio]

    def gpio_read(self, _handle: int, gpio: int) -> int:
        return self.levels.get(gpio, 1)

    def callback(
        self, _handle: int, gpio: int, _edges: int, function: Callable[[int, int, int, int], None]
    ) -> types.SimpleNamespace:
        self.alerts[gpio] = function
        return types.SimpleNamespace(cancel=lambda: self.alerts.pop(gpio))


@pytest.fixture
def on_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have gpiozero find a Pi 4, with no pins left over from another test."""
    from gpiozero.pins import local

    monkeypatch.setattr(local, "get_pi_revision", lambda: PI_4)
    monkeypatch.setattr(local.LocalPiFactory, "pins", {})


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch, on_a_pi: None) -> FakeLgpio:
    fake = FakeLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    return fake


def listening(gpio: Gpio, submit: Callable[[Event], None]) -> Inputs:
    inputs = Inputs(gpio, [BEAM], submit, lambda: 0)
    inputs.listen()
    return inputs


def test_lgpios_kernel_stamps_arrive_as_the_same_nanoseconds(lgpio: FakeLgpio) -> None:
    gpio = open_gpio(GpioFactory.LGPIO)
    events: list[Event] = []
    inputs = listening(gpio, events.append)
    stamps_ns = (1, 123_456_789_012_345, 2_000_000_000_000_001)
    for at_ns, level in zip(stamps_ns, (0, 1, 0), strict=True):
        lgpio.alerts[5](0, 5, level, at_ns)
    assert events == [
        Edge(at_ns, Pocket.NE, active)
        for at_ns, active in zip(stamps_ns, (True, False, True), strict=True)
    ]
    inputs.close()
    assert lgpio.alerts == {}
    gpio.close()


def test_lgpio_lines_are_claimed_with_their_pull(lgpio: FakeLgpio) -> None:
    gpio = open_gpio(GpioFactory.LGPIO)
    gpio.input(BEAM)
    assert lgpio.flags[5] == FakeLgpio.SET_PULL_UP


def test_a_line_that_is_busy_is_named_with_its_remedy(lgpio: FakeLgpio) -> None:
    lgpio.busy.add(5)
    gpio = open_gpio(GpioFactory.LGPIO)
    with pytest.raises(PinBusy, match="pocket_ne on GPIO 5 is held by another program") as failure:
        gpio.input(BEAM)
    assert "choose another GPIO" in str(failure.value)


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(factory, "DEVICES", tmp_path)
    return tmp_path


def test_a_chip_that_is_not_there_is_refused_with_those_that_are(
    lgpio: FakeLgpio, devices: Path
) -> None:
    with pytest.raises(GpioRefused, match=r"no .*gpiochip3; this system has no GPIO at all"):
        open_gpio(GpioFactory.LGPIO, chip=3)
    for number in (10, 0):
        (devices / f"gpiochip{number}").touch()
    with pytest.raises(GpioRefused, match=r"no .*gpiochip3; set \[gpio\] chip to .*: 0, 10"):
        open_gpio(GpioFactory.LGPIO, chip=3)


def test_a_chip_that_nobody_may_open_is_refused_with_the_group_that_may(
    lgpio: FakeLgpio, devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (devices / "gpiochip3").touch()
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr(remedies, "_group", lambda number: "gpio" if number == os.getgid() else "x")
    monkeypatch.setattr("os.getgroups", list)
    monkeypatch.setattr("os.getegid", lambda: 4711)
    monkeypatch.setenv("SUDO_USER", "aiko")
    words = "aiko needs the group gpio: sudo usermod -aG gpio aiko, then log in again"
    with pytest.raises(GpioRefused, match=words):
        open_gpio(GpioFactory.LGPIO, chip=3)


def test_a_chip_that_another_program_keeps_is_named_with_how_to_find_that(
    lgpio: FakeLgpio, devices: Path
) -> None:
    (devices / "gpiochip3").touch()
    with pytest.raises(GpioRefused, match=r"cannot open .*gpiochip3: .*sudo fuser -v"):
        open_gpio(GpioFactory.LGPIO, chip=3)


def test_a_busy_line_names_who_holds_it(lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.busy.add(5)
    asked: list[tuple[str, int]] = []

    def read(chip: str, gpio: int) -> LineInfo:
        asked.append((chip, gpio))
        return LineInfo("GPIO5", used=True, consumer="gpio-fan")

    monkeypatch.setattr(factory, "read_line", read)
    gpio = open_gpio(GpioFactory.LGPIO)
    with pytest.raises(PinBusy, match='pocket_ne on GPIO 5 is held by "gpio-fan"'):
        gpio.input(BEAM)
    assert asked == [("/dev/gpiochip0", 5)]
    monkeypatch.setattr(factory, "read_line", lambda *_: LineInfo("", used=True, consumer="lg"))
    with pytest.raises(PinBusy, match=r"through lgpio .*perhaps a second Jackspot"):
        gpio.input(BEAM)


def test_a_stamp_of_the_wall_clock_is_moved_onto_ours(
    lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpio = open_gpio(GpioFactory.LGPIO)
    events: list[Event] = []
    now_ns, wall_ns = 5_000 * 10**9, 1_795_000_000 * 10**9
    inputs = Inputs(gpio, [BEAM], events.append, lambda: now_ns)
    inputs.listen()
    monkeypatch.setattr("time.time_ns", lambda: wall_ns)
    lgpio.alerts[5](0, 5, 0, wall_ns - 700_000)
    lgpio.alerts[5](0, 5, 1, wall_ns - 900_000_000)  # the wall clock was set back
    first, second = (event.at_ns for event in events)
    assert abs(first - (now_ns - 700_000)) < 512  # the precision of a float of so many seconds
    assert second == first, "the order they came in stays"


def test_a_library_that_is_missing_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = changed(here(), packages=frozenset())
    monkeypatch.setattr(factory, "here", lambda: nothing)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(GpioLibraryMissing, match=r"lgpio is not installed.*python3-lgpio"):
        open_gpio(GpioFactory.LGPIO)
    monkeypatch.setitem(sys.modules, "RPi", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    with pytest.raises(GpioLibraryMissing, match=r"RPi is not installed.*python3-rpi-lgpio"):
        open_gpio(GpioFactory.RPIGPIO)


def test_a_library_that_does_not_work_here_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    class OffPi(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setitem(sys.modules, "RPi", OffPi("RPi"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    with pytest.raises(UnknownPi, match=r"can only be run on a Raspberry Pi.*jackspot sim"):
        open_gpio(GpioFactory.RPIGPIO)
    monkeypatch.setattr(factory, "here", lambda: PI_5)
    with pytest.raises(GpioLibraryMissing, match=r"can only be run.*apt install python3-rpi-lgpio"):
        open_gpio(GpioFactory.RPIGPIO)


@pytest.mark.parametrize("kind", [GpioFactory.LGPIO, GpioFactory.NATIVE])
def test_a_machine_that_is_no_pi_is_told_of_the_simulated_table(
    kind: GpioFactory, lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero.exc import PinUnknownPi
    from gpiozero.pins import local

    def no_pi() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr(local, "get_pi_revision", no_pi)
    with pytest.raises(UnknownPi, match='factory = "mock", or start `jackspot sim`'):
        open_gpio(kind)


class FakeMemory:
    """The registers of the GPIO block, all of them readable and writable."""

    GPFSEL_OFFSET, GPSET_OFFSET, GPCLR_OFFSET, GPLEV_OFFSET = 0, 7, 10, 13
    GPEDS_OFFSET, GPREN_OFFSET, GPFEN_OFFSET = 16, 19, 22
    GPPUD_OFFSET, GPPUDCLK_OFFSET, GPPUPPDN_OFFSET = 37, 38, 57

    def __init__(self, _soc: str) -> None:
        self.words = [0] * 64
        self.words[self.GPLEV_OFFSET] = 0xFFFFFFFF

    def __getitem__(self, index: int) -> int:
        return self.words[index]

    def __setitem__(self, index: int, value: int) -> None:
        self.words[index] = value

    def close(self) -> None:
        pass


class FakeSysfs:
    """The watched lines; a test puts into ``queue`` what the watcher saw."""

    def __init__(self, _factory: object, seen: queue.Queue[tuple[int, float, bool]]) -> None:
        self.queue = seen
        self.watched: set[int] = set()

    def path_edge(self, _gpio: int) -> str:
        return "/dev/null"

    def export(self, _gpio: int) -> None:
        pass

    def watch(self, gpio: int) -> None:
        self.watched.add(gpio)

    def unwatch(self, gpio: int) -> None:
        self.watched.discard(gpio)

    def close(self) -> None:
        pass


def test_the_native_factory_delivers_edges_too(
    monkeypatch: pytest.MonkeyPatch, on_a_pi: None
) -> None:
    from gpiozero.pins import native

    monkeypatch.setattr(native, "GPIOMemory", FakeMemory)
    monkeypatch.setattr(native, "GPIOFS", FakeSysfs)
    gpio = open_gpio(GpioFactory.NATIVE)
    arrived: queue.Queue[Event] = queue.Queue()
    inputs = listening(gpio, arrived.put)
    sysfs: Any = vars(gpio.factory)["fs"]
    assert sysfs.watched == {5}
    sysfs.queue.put((5, 12.5, False))
    assert arrived.get(timeout=PATIENCE_S) == Edge(12_500_000_000, Pocket.NE, active=True)
    inputs.close()
    gpio.close()


class FakeRpiGpio(types.ModuleType):
    """As much of RPi.GPIO as gpiozero uses: it reports that a pin changed, not how."""

    IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 1, 0, 42, 41, 43, 40, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH, BCM = 31, 32, 33, 11

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.levels: dict[int, int] = {}
        self.pulls: dict[int, int] = {}
        self.callbacks: dict[int, Callable[[int], None]] = {}

    def setmode(self, _mode: int) -> None:
        pass

    def setwarnings(self, _wanted: bool) -> None:
        pass

    def setup(self, gpio: int, _function: int, pull: int = PUD_OFF) -> None:
        self.pulls[gpio] = pull
        self.levels.setdefault(gpio, int(pull == self.PUD_UP))

    def gpio_function(self, _gpio: int) -> int:
        return self.IN

    def input(self, gpio: int) -> int:
        return self.levels[gpio]

    def add_event_detect(
        self, gpio: int, _edges: int, callback: Callable[[int], None], bouncetime: int
    ) -> None:
        assert bouncetime == -666, "no bounce filter on a beam"
        self.callbacks[gpio] = callback

    def remove_event_detect(self, gpio: int) -> None:
        del self.callbacks[gpio]

    def cleanup(self, _gpio: int | None = None) -> None:
        pass


def test_rpi_gpios_edges_are_stamped_when_they_are_reported(
    monkeypatch: pytest.MonkeyPatch, on_a_pi: None
) -> None:
    fake, package = FakeRpiGpio(), types.ModuleType("RPi")
    monkeypatch.setattr(package, "GPIO", fake, raising=False)
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    gpio = open_gpio(GpioFactory.RPIGPIO)
    monkeypatch.setattr(type(gpio.factory), "ticks", staticmethod(lambda: 3.25))
    events: list[Event] = []
    inputs = listening(gpio, events.append)
    assert fake.pulls[5] == FakeRpiGpio.PUD_UP
    fake.levels[5] = 0
    fake.callbacks[5](5)
    assert events == [Edge(3_250_000_000, Pocket.NE, active=True)]
    inputs.close()


def rpi_gpio(monkeypatch: pytest.MonkeyPatch, fake: FakeRpiGpio) -> None:
    """Make ``fake`` the module that is imported as ``RPi.GPIO``."""
    package = types.ModuleType("RPi")
    monkeypatch.setattr(package, "GPIO", fake, raising=False)
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)


def test_a_kernel_on_which_rpi_gpio_finds_no_edges_is_a_fault_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, on_a_pi: None
) -> None:
    fake = FakeRpiGpio()
    rpi_gpio(monkeypatch, fake)

    def no_edges(*_args: object, **_options: object) -> None:
        raise RuntimeError("Failed to add edge detection")

    monkeypatch.setattr(fake, "add_event_detect", no_edges)
    events: list[Event] = []
    inputs = listening(open_gpio(GpioFactory.RPIGPIO), events.append)
    assert inputs.levels() == {}
    [fault] = events
    assert isinstance(fault, FaultRaised)
    assert 'Linux 6.6 and later; choose [gpio] factory = "lgpio"' in fault.detail


PI_5 = changed(here(), model="Raspberry Pi 5 Model B Rev 1.0", apt=True, alone=False)


def test_rpi_gpio_on_a_pi_5_ends_the_start_with_what_works_there(
    monkeypatch: pytest.MonkeyPatch, on_a_pi: None
) -> None:
    rpi_gpio(monkeypatch, FakeRpiGpio())
    monkeypatch.setattr(factory, "here", lambda: PI_5)
    words = r'cannot reach the pins of a Raspberry Pi 5.*python3-rpi-lgpio; or .*"lgpio"'
    with pytest.raises(GpioLibraryMissing, match=words):
        open_gpio(GpioFactory.RPIGPIO)


def test_rpi_lgpio_works_on_a_pi_5_and_doubles_are_told(
    monkeypatch: pytest.MonkeyPatch, on_a_pi: None, lgpio: FakeLgpio, caplog: Any
) -> None:
    fake = FakeRpiGpio()
    monkeypatch.setattr(fake, "lgpio", lgpio, raising=False)
    rpi_gpio(monkeypatch, fake)
    both = changed(PI_5, packages=frozenset({"RPi.GPIO", "rpi-lgpio"}))
    monkeypatch.setattr(factory, "here", lambda: both)
    gpio = open_gpio(GpioFactory.RPIGPIO)
    assert gpio.stamps is Stamps.ARRIVAL
    assert "RPi.GPIO and rpi-lgpio are both installed" in caplog.text


def test_a_module_that_went_with_its_double_is_told_apart_from_one_never_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    left = changed(PI_5, packages=frozenset({"rpi-lgpio"}))
    monkeypatch.setattr(factory, "here", lambda: left)
    with pytest.raises(GpioLibraryMissing, match=r"removing RPi\.GPIO took its files.*reinstall"):
        open_gpio(GpioFactory.RPIGPIO)


def test_every_failure_is_a_gpio_error() -> None:
    for kind in (GpioLibraryMissing, GpioRefused, PinBusy, UnknownPi):
        assert issubclass(kind, GpioError)


def test_the_mock_factory_needs_no_machine() -> None:
    gpio = open_gpio(GpioFactory.MOCK)
    assert gpio.kind is GpioFactory.MOCK
    gpio.close()
