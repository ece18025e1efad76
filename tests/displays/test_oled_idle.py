"""The OLED while nobody plays: it is checked for presence, dims, sleeps and moves."""

from __future__ import annotations

import pytest

from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.bus import Interface, OledWiring
from jackspot.displays.oled.driver import Oled
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import Lighting, moved
from jackspot.displays.oled.wire import OledChip
from jackspot.values import changed
from jackspot_sim.devices.bus import FakeI2C
from tests.displays.oled_bench import (
    BUSES,
    FakeBus,
    english,
    every_way,
    shining,
)
from tests.displays.oled_views import HELP, READY, VIEWS

SECOND_NS = 1_000_000_000


def timed(
    chip: OledChip, interface: Interface, *, refresh_ns: int = 60 * SECOND_NS
) -> tuple[Oled, FakeBus, list[int]]:
    """Make a display that shows a view, its bus, and the instant that its clock returns."""
    now = [0]
    bus = BUSES[interface](chip)
    oled = Oled(
        chip,
        OledWiring(interface),
        serial_factory=bus.serial,
        clock=lambda: now[0],
        refresh_ns=refresh_ns,
    )
    oled.open()
    oled.show(READY)
    return oled, bus, now


@pytest.mark.parametrize("chip", OledChip)
def test_an_idle_display_on_i2c_is_asked_after_ten_seconds_with_three_bytes(chip: OledChip) -> None:
    oled, bus, now = timed(chip, Interface.I2C)
    assert oled.rest_ns() == 10 * SECOND_NS
    now[0] = 4 * SECOND_NS
    oled.show(VIEWS["paused"])
    assert oled.rest_ns() == 10 * SECOND_NS, "what was sent asks as well"
    now[0] = 14 * SECOND_NS
    assert oled.rest_ns() == 0
    before = bus.traffic
    oled.tend()
    assert (bus.traffic - before).transferred == 2, "control byte and command, after the address"
    assert bus.picture().tobytes() == draw(VIEWS["paused"], english).tobytes()


def test_a_display_at_rest_is_asked_less_and_less_until_its_set_up_asks_often_enough() -> None:
    oled, bus, now = timed(OledChip.SSD1306, Interface.I2C)
    asked = []
    while now[0] < 300 * SECOND_NS:
        now[0] += oled.rest_ns() or 0
        oled.tend()
        asked.append(now[0] // SECOND_NS)
    assert asked == [10, 30, 60, 100, 120, 180, 240, 300]
    bus.unplug()
    now[0] += oled.rest_ns() or 0
    with pytest.raises(DisplayError, match="does not answer"):
        oled.tend()
    bus.plug()
    oled.open()
    oled.show(READY)
    assert oled.rest_ns() == 10 * SECOND_NS, "somebody is there again"


@pytest.mark.parametrize("chip", OledChip)
def test_an_idle_display_that_is_unplugged_is_missed_without_a_view(chip: OledChip) -> None:
    oled, bus, now = timed(chip, Interface.I2C)
    bus.unplug()
    now[0] = 10 * SECOND_NS
    with pytest.raises(DisplayError, match="does not answer"):
        oled.tend()
    oled.close()
    bus.plug()
    oled.open()
    oled.show(READY)
    assert bus.picture().tobytes() == draw(READY, english).tobytes()


@every_way
def test_an_idle_display_that_lost_its_set_up_is_whole_again_within_a_minute(
    chip: OledChip, interface: Interface
) -> None:
    oled, bus, now = timed(chip, interface)
    bus.unplug()
    bus.plug()
    assert bus.picture().getbbox() is None
    while now[0] < 60 * SECOND_NS:
        rest_ns = oled.rest_ns()
        assert rest_ns
        now[0] += rest_ns
        oled.tend()
    assert bus.picture().tobytes() == draw(READY, english).tobytes()


def test_a_display_on_spi_that_is_never_sent_again_can_be_left_alone() -> None:
    oled, _bus, now = timed(OledChip.SSD1309, Interface.SPI, refresh_ns=0)
    now[0] = 10**15
    assert oled.rest_ns() is None
    assert Oled().rest_ns() is None, "one that is not open, too"


def test_help_that_nobody_reads_goes_dark_and_anything_that_happens_lights_it() -> None:
    oled, bus, now = timed(OledChip.SSD1306, Interface.I2C, refresh_ns=0)
    full = shining(oled, bus, HELP)
    now[0] += Lighting().sleep_ns - 1
    assert shining(oled, bus, changed(HELP, attract=1))[0] is True
    now[0] += 1
    assert shining(oled, bus, changed(HELP, attract=2))[0] is False
    now[0] += SECOND_NS
    assert shining(oled, bus, READY) == full
    assert bus.picture().tobytes() == moved(draw(READY, english), 1).tobytes(), (
        "it had time to move"
    )


def test_a_fault_lights_a_sleeping_display_and_so_does_its_end() -> None:
    oled, bus, now = timed(OledChip.SSD1306, Interface.I2C, refresh_ns=0)
    faulty = changed(HELP, faults=VIEWS["ready_fault"].faults)
    for view in (HELP, faulty, HELP):
        assert shining(oled, bus, view)[0] is True
        now[0] += Lighting().sleep_ns
        assert shining(oled, bus, view)[0] is False


def test_a_sleeping_display_that_was_unplugged_is_missed_and_sleeps_again() -> None:
    oled, bus, now = timed(OledChip.SSD1306, Interface.I2C)
    oled.show(HELP)
    now[0] += Lighting().sleep_ns
    assert shining(oled, bus, HELP)[0] is False
    bus.unplug()
    now[0] += 10 * SECOND_NS
    assert oled.rest_ns() == 0
    with pytest.raises(DisplayError):
        oled.tend()
    oled.close()
    bus.plug()
    oled.open()
    assert shining(oled, bus, HELP)[0] is False


def test_dimming_sleeping_and_moving_can_be_switched_off() -> None:
    bus = FakeI2C()
    now = [0]
    never = Lighting(dim_ns=0, sleep_ns=0, shift_ns=0)
    oled = Oled(serial_factory=bus.serial, clock=lambda: now[0], refresh_ns=0, lighting=never)
    oled.open()
    full = shining(oled, bus, HELP)
    now[0] = 10**17
    assert shining(oled, bus, HELP) == full
    oled.show(VIEWS["review_long"])
    oled.show(READY)
    assert bus.picture().tobytes() == draw(READY, english).tobytes()
