"""An OLED that is not there, is unplugged, or has lost what it was sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.bus import Interface, OledWiring
from jackspot.displays.oled.driver import Oled, driver_set_up
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.wire import FRAME_BYTES, OledChip
from jackspot_sim.devices.bus import FakeI2C, FakeSpi
from tests.displays.oled_bench import (
    BUSES,
    english,
    every_way,
    make,
)
from tests.displays.oled_views import READY, VIEWS


@pytest.mark.parametrize("chip", OledChip)
def test_a_display_that_is_not_there_is_an_error_that_says_where(chip: OledChip) -> None:
    bus = FakeI2C(chip)
    bus.unplug()
    oled = Oled(chip, OledWiring(port=3, address=0x3D), serial_factory=bus.serial)
    with pytest.raises(DisplayError, match=rf"OLED {chip} on i2c-3 address 0x3D does not answer"):
        oled.open()


def test_a_bus_that_is_not_there_is_an_error() -> None:
    bus = FakeSpi()
    bus.remove_bus()
    oled = Oled(wiring=OledWiring(Interface.SPI), serial_factory=bus.serial)
    with pytest.raises(DisplayError, match=r"spidev0\.0 does not answer"):
        oled.open()


def test_an_i2c_bus_that_the_system_does_not_have_is_an_error() -> None:
    with pytest.raises(DisplayError, match="i2c-97 address 0x3C"):
        Oled(wiring=OledWiring(port=97)).open()


def test_showing_before_opening_is_an_error() -> None:
    with pytest.raises(DisplayError, match="open it first"):
        Oled(serial_factory=FakeI2C().serial).show(READY)


@pytest.mark.parametrize("chip", OledChip)
@pytest.mark.parametrize("after", [0, 1, 2, 3, 7])
def test_a_plug_pulled_in_the_middle_of_a_frame_heals_with_the_whole_frame(
    chip: OledChip, after: int
) -> None:
    oled, bus = make(chip)
    oled.show(READY)
    assert isinstance(bus, FakeI2C)
    pull_after(bus, after)
    with pytest.raises(DisplayError, match="does not answer"):
        show_all(oled)
    assert bus.picture().getbbox() is None
    oled.close()
    with pytest.raises(DisplayError):
        oled.open()
    bus.plug()
    oled.open()
    assert bus.picture().getbbox() is None, "garbage is never shown"
    before = bus.traffic
    oled.show(READY)
    assert (bus.traffic - before).transferred > FRAME_BYTES
    assert bus.picture().tobytes() == draw(READY, english).tobytes()


def show_all(oled: Oled) -> None:
    """Show every view."""
    for view in VIEWS.values():
        oled.show(view)


def pull_after(bus: FakeI2C, transactions: int) -> None:
    """Unplug a display after this many more transactions."""
    left = [transactions]

    def count() -> None:
        left[0] -= 1
        if left[0] == 0:
            bus.unplug()

    if transactions:
        bus.watch(count)
    else:
        bus.unplug()


@given(st.lists(st.sampled_from(["view", "unplug", "plug", "reopen"]), max_size=20))
def test_whatever_happens_to_the_plug_an_open_display_shows_the_truth(steps: list[str]) -> None:
    oled, bus = make()
    views = list(VIEWS.values())
    for number, step in enumerate(steps):
        if step == "unplug":
            bus.unplug()
        elif step == "plug":
            bus.plug()
        view = views[number % len(views)]
        try:
            if step in {"unplug", "plug", "reopen"}:
                oled.close()
                oled.open()
            oled.show(view)
        except DisplayError:
            assert bus.controller is None
        else:
            assert bus.picture().tobytes() == draw(view, english).tobytes()


@every_way
def test_a_display_that_lost_its_power_unnoticed_is_whole_again_within_a_minute(
    chip: OledChip, interface: Interface
) -> None:
    now = [0]
    bus = BUSES[interface](chip)
    oled = Oled(chip, OledWiring(interface), serial_factory=bus.serial, clock=lambda: now[0])
    oled.open()
    oled.show(READY)
    bus.unplug()
    bus.plug()
    assert bus.picture().getbbox() is None
    now[0] = 60_000_000_000
    oled.show(READY)
    assert bus.picture().tobytes() == draw(READY, english).tobytes()


def test_setting_up_again_does_not_let_the_panel_flash() -> None:
    now = [0]
    bus = FakeI2C()
    oled = Oled(serial_factory=bus.serial, clock=lambda: now[0])
    oled.open()
    oled.show(READY)
    seen: list[bool] = []
    bus.watch(lambda: seen.append(bus.controller is not None and bus.controller.is_on))
    now[0] = 10**12
    oled.show(READY)
    assert len(seen) > 3
    assert all(seen)


def test_closing_turns_the_panel_off_and_is_silent_without_one() -> None:
    oled, bus = make()
    oled.show(READY)
    oled.close()
    assert bus.picture().getbbox() is None
    bus.unplug()
    oled.close()
    gone, bus = make()
    bus.unplug()
    gone.close()


def test_opening_again_and_again_leaves_no_driver_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    import atexit

    driver_set_up(OledChip.SSD1306)
    registered: list[object] = []
    monkeypatch.setattr(atexit, "register", registered.append)
    oled, _bus = make()
    for _again in range(3):
        oled.open()
    assert registered == []


class _Loose:
    """A plug that is pulled between two looks at it, counted from 1."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __get__(self, line: FakeI2C | FakeSpi, _kind: object = None) -> object:
        self.looks -= 1
        return vars(line)["_controller"] if self.looks >= 0 else None

    def __set__(self, line: FakeI2C | FakeSpi, value: object) -> None:
        vars(line)["_controller"] = value


def reset(bus: FakeSpi) -> None:
    for level in (0, 1):
        bus.drive(bus.RST, level)


@pytest.mark.parametrize("looks", range(4))
@pytest.mark.parametrize(
    ("kind", "act"),
    [
        (FakeI2C, lambda bus: bus.i2c_rdwr((0x3C, b"\x00\xae"))),
        (FakeI2C, lambda bus: bus.i2c_rdwr((0x3C, b"\x40\x00"))),
        (FakeI2C, lambda bus: bus.write_i2c_block_data(0x3C, 0x40, [0])),
        (FakeI2C, FakeI2C.picture),
        (FakeSpi, lambda bus: bus.write([0xAE])),
        (FakeSpi, FakeSpi.picture),
        (FakeSpi, reset),
    ],
)
def test_a_plug_pulled_in_the_middle_of_a_transaction_is_at_most_a_remote_io_error(
    monkeypatch: pytest.MonkeyPatch,
    kind: type[FakeI2C | FakeSpi],
    act: Callable[[FakeI2C | FakeSpi], object],
    looks: int,
) -> None:
    bus = kind()
    monkeypatch.setattr(kind, "_controller", _Loose(looks), raising=False)
    if kind is FakeI2C and act is not FakeI2C.picture and looks == 0:
        with pytest.raises(OSError, match="Remote I/O error"):
            act(bus)
    else:
        act(bus)
