"""Simulated pins: virtual stamps, levels that outlive a firmware, outputs that are heard."""

from __future__ import annotations

import pytest
from gpiozero import LED, PWMOutputDevice
from hypothesis import given, strategies as st

from jackspot_sim.devices.pins import OutputChange, SimFactory

HUNDRED_DAYS_NS = 100 * 24 * 3600 * 10**9


class Heard:
    """A pin's callback that remembers."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, float]] = []

    def __call__(self, ticks: float, state: float) -> None:
        self.calls.append((ticks, state))


@given(st.integers(min_value=0, max_value=HUNDRED_DAYS_NS))
def test_a_change_is_stamped_with_exactly_the_given_instant(at_ns: int) -> None:
    factory = SimFactory(lambda: 0)
    pin, heard = factory.pin(5), Heard()
    pin.input_with_pull("up")
    pin.when_changed = heard
    factory.drive(5, False, at_ns)
    assert heard.calls == [(at_ns / 1e9, False)]


def test_driving_a_pin_to_the_level_it_has_is_no_change() -> None:
    factory, heard = SimFactory(lambda: 0), Heard()
    pin = factory.pin(5)
    pin.input_with_pull("up")
    pin.when_changed = heard
    factory.drive(5, True, 1)
    assert heard.calls == []


def test_what_the_world_holds_is_stronger_than_a_pull() -> None:
    factory = SimFactory(lambda: 0)
    factory.drive(5, False, 1)
    pin = factory.pin(5)
    pin.input_with_pull("up")
    assert not pin.state


def test_a_firmware_that_starts_anew_finds_the_levels_as_they_are() -> None:
    factory = SimFactory(lambda: 0)
    factory.pin(5).input_with_pull("up")
    factory.drive(5, False, 1)
    factory.close()
    pin = factory.pin(5)
    pin.input_with_pull("up")
    assert not pin.state
    factory.drive(5, True, 2)
    assert pin.state


def test_the_world_cannot_drive_an_output() -> None:
    factory = SimFactory(lambda: 0)
    factory.pin(16).output_with_state(False)
    with pytest.raises(RuntimeError, match="GPIO16 is an output"):
        factory.drive(16, True, 1)


def test_two_boards_have_their_own_pins() -> None:
    one, two = SimFactory(lambda: 0), SimFactory(lambda: 0)
    one.drive(5, True, 1)
    assert not two.pin(5).state


def test_a_lamp_of_gpiozeros_is_heard_with_its_virtual_instant() -> None:
    heard: list[OutputChange] = []
    factory = SimFactory(lambda: 77, heard.append)
    lamp = LED(16, pin_factory=factory)
    lamp.on()
    lamp.off()
    assert heard == [OutputChange(77, 16, 1.0, None), OutputChange(77, 16, 0.0, None)]
    lamp.close()


def test_a_tone_is_heard_with_its_frequency() -> None:
    heard: list[OutputChange] = []
    factory = SimFactory(lambda: 5, heard.append)
    buzzer = PWMOutputDevice(12, frequency=880, pin_factory=factory)
    buzzer.value = 0.5
    buzzer.frequency = 440
    assert heard[-2:] == [OutputChange(5, 12, 0.5, 880), OutputChange(5, 12, 0.5, 440)]
    buzzer.close()
    assert heard[-1].value == 0.0


def test_a_pin_forgets_old_states() -> None:
    factory = SimFactory(lambda: 0)
    pin = factory.pin(5)
    for at_ns in range(1000):
        factory.drive(5, at_ns % 2 == 0, at_ns)
    assert len(pin.states) <= 64
