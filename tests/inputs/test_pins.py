"""The pin table agrees with the header of a Raspberry Pi and with itself."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Pocket, Seat
from jackspot.inputs.pins import (
    BUTTONS,
    BUZZER,
    FIXED_PULL_UP,
    FULL_I2C,
    LOW_AT_BOOT,
    PROFILES,
    SELECTS,
    SPI,
    TONE,
    USABLE,
    WIRE_NAMES,
    Profile,
    WireKind,
    lamp_wire,
    wire_kind,
    wire_source,
)
from jackspot.sensing.events import Button, Key, Place, beam_wire

every_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


@every_profile
def test_no_gpio_carries_two_wires(profile: Profile) -> None:
    assert len(set(profile.gpios.values())) == len(profile.gpios)


@every_profile
def test_every_wire_is_on_a_usable_gpio_that_nothing_else_owns(profile: Profile) -> None:
    selects = {"oled_ce"}
    for name, gpio in profile.gpios.items():
        assert gpio in USABLE
        assert gpio not in profile.taken or name in selects


@every_profile
def test_what_drives_something_is_low_until_the_firmware_runs(profile: Profile) -> None:
    for name, gpio in profile.gpios.items():
        if wire_kind(name) in (WireKind.LAMP, WireKind.BUZZER):
            assert gpio in LOW_AT_BOOT


@every_profile
def test_the_buzzer_is_on_a_gpio_that_gives_tones(profile: Profile) -> None:
    assert profile.gpios[BUZZER] in TONE


@every_profile
def test_each_pocket_has_a_beam(profile: Profile) -> None:
    assert {beam_wire(pocket) for pocket in Pocket} <= set(profile.gpios)


def test_the_full_board_uses_all_22_gpios_that_i2c_and_the_serial_port_leave() -> None:
    assert sorted(FULL_I2C.gpios.values()) == sorted(set(USABLE) - {2, 3, 14, 15})
    assert len(FULL_I2C.gpios) == 22


def test_the_full_board_has_every_control_that_can_be_wired() -> None:
    displays = {name for name in WIRE_NAMES if wire_kind(name) is WireKind.DISPLAY}
    assert set(FULL_I2C.gpios) == set(WIRE_NAMES) - displays


def test_the_spi_board_has_the_box_two_seats_that_face_each_other_and_no_lamps() -> None:
    buttons = [wire_source(n) for n in SPI.gpios if wire_kind(n) is WireKind.BUTTON]
    places = {button.place for button in buttons if isinstance(button, Button)}
    assert places == {Place.REFEREE, Place.N, Place.S}
    assert len(buttons) == 9
    assert not {lamp_wire(seat) for seat in Seat} & set(SPI.gpios)


def test_the_spi_display_is_selected_by_one_of_the_bus_own_lines() -> None:
    assert SPI.gpios["oled_ce"] in SELECTS


def test_the_fixed_pull_ups_are_those_that_gpiozero_knows() -> None:
    from gpiozero.pins.mock import MockFactory

    info = MockFactory().board_info
    fixed = {gpio for gpio in USABLE for _header, pin in info.find_pin(gpio) if pin.pull == "up"}
    assert fixed == FIXED_PULL_UP


def test_wires_are_named_as_in_a_capture() -> None:
    assert {button.wire for button in BUTTONS} == {
        *(f"seat_{s}_{k}" for s in "nesw" for k in ("ok", "fix")),
        *(f"referee_{k}" for k in ("ok", "fix", "foul", "off", "undo")),
    }
    assert wire_source("pocket_sw") is Pocket.SW
    assert wire_source("seat_w_fix") == Button(Place.W, Key.FIX)
    assert wire_source("buzzer") is None
