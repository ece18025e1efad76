"""The pins in the config: which wire is where, what clashes, and what a board needs to be used."""

from __future__ import annotations

import pytest

from jackspot.config import ConfirmSetting
from jackspot.core.pieces import Pocket
from jackspot.displays.oled.kind import OledInterface, OledSection
from jackspot.inputs.pins import SPI, Active, Pull, WireKind
from jackspot.sensing.events import Button, Key, Place
from jackspot.sensing.limits import MS
from tests.config.conftest import Files


def test_the_clash_of_the_documentation_reads_as_documented(files: Files) -> None:
    lines = files.mistakes(
        "[pins]\npocket_ne = 17\npocket_se = 3\nbuzzer = false\nlamps = false\n"
        'profile = "spi"\nseat_n_ok = 21\n'
    )
    assert lines == [
        "jackspot.toml: [pins] pocket_ne = 17 is already used by referee_undo; "
        "choose another GPIO (free: 2, 4, 5, 6, 12)"
    ]


def test_of_two_wires_on_one_gpio_the_one_that_was_moved_is_blamed(files: Files) -> None:
    [line] = files.mistakes("[pins]\nreferee_undo = 5\n")
    assert "referee_undo = 5 is already used by pocket_ne" in line


def test_two_wires_may_change_places(files: Files) -> None:
    config = files.load("[pins]\npocket_ne = 17\nreferee_undo = 5\n")
    assert [(w.name, w.gpio) for w in config.wires if w.gpio in (5, 17)] == [
        ("pocket_ne", 17),
        ("referee_undo", 5),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pocket_ne = 0", "is a GPIO which belongs to the EEPROM of add-on boards"),
        ("pocket_ne = 28", "is a GPIO which is not there; expected 2 to 27"),
        ("pocket_ne = -1", "is a GPIO which is not there; expected 2 to 27"),
        ("pocket_ne = 2", "is already used by I2C (SDA); choose another GPIO (free: 5)"),
        ("pocket_ne = 14", "is already used by the serial port (TXD)"),
        ("pocket_ne = true", "= true: expected a GPIO number, false, or { gpio = 17"),
        ("pocket_ne = 5.0", "= 5.0: expected a GPIO number, false, or { gpio = 17"),
        ("pocket_ne = { pin = 5 }", "expected only gpio, active, pull and hold_off_s, not pin"),
        ("pocket_ne = { gpio = '5' }", 'expected gpio to be a number, not "5"'),
        ("pocket_ne = { active = 'hi' }", 'expected active to be "low" or "high", not "hi"'),
        ("pocket_ne = { pull = false }", 'expected pull to be "up", "down" or "none", not false'),
        ("pocket_ne = { bounce_time = 0.02 }", "expected no bounce_time: such a filter swallows"),
        ("pocket_ne = { hold_off_ms = 4 }", "not hold_off_ms; did you mean hold_off_s?"),
        ("pocket_ne = { hold_off_s = '4' }", "expected hold_off_s to be a number of seconds"),
        ("pocket_ne = { hold_off_s = 0.02 }", "pocket_ne: hold_off_s = 0.02: expected 0 to 0.015"),
        ("beam_hold_off_s = 0.5", "beam_hold_off_s: = 0.5: expected 0 to 0.015; a longer one"),
        ("beam_hold_off_s = 'x'", 'beam_hold_off_s = "x": expected a number of seconds'),
        ("seat_n_ok = { hold_off_s = 0.3 }", "seat_n_ok: hold_off_s = 0.3: expected 0.002 to 0.2"),
        ("lamp_n = { hold_off_s = 0.1 }", "is an output: expected only gpio, found hold_off_s"),
        ("oled_dc = 24", "oled_dc is for an SPI display; profile full-i2c has none"),
        ("pocket_n = 5", "pocket_n is not a key of this table; did you mean pocket_"),
        ("seats = ['X']", 'seats = "X": expected "N", "E", "S" or "W"'),
        ("lamp_n = { gpio = 16, active = 'low' }", "lamp_n is an output: expected only gpio"),
        ("buzzer = { pull = 'up' }", "buzzer is an output: expected only gpio, found pull"),
        ("profile = 'spi'\noled_ce = 21", "oled_ce = 21: expected 8 (CE0) or 7 (CE1)"),
        ("profile = 'spi'\npocket_ne = 9", "is already used by the SPI bus (MISO)"),
        ("profile = 'spi'\nseat_n_ok = { gpio = 2, pull = 'none' }", "has a pull-up soldered on"),
        ("profile = 'spi'\nseats = ['E', 'W']", "seats names E, but profile spi has no GPIO"),
    ],
)
def test_a_pin_that_cannot_be_is_refused_with_the_reason(
    files: Files, text: str, expected: str
) -> None:
    assert any(expected in line for line in files.mistakes(f"[pins]\n{text}\n"))


def test_the_spi_profile_brings_its_display(files: Files) -> None:
    config = files.load('[pins]\nprofile = "spi"\n')
    assert {wire.name: wire.gpio for wire in config.wires} == SPI.gpios
    assert (config.of(OledSection).interface, config.of(OledSection).port, config.spi_device) == (
        OledInterface.SPI,
        0,
        0,
    )
    assert files.load('[pins]\nprofile = "spi"\noled_ce = 7\n').spi_device == 1


def test_controls_that_are_not_there_free_their_pins(files: Files) -> None:
    config = files.load(
        '[pins]\nseats = ["N", "S"]\nbox = false\nlamps = false\nseat_s_fix = false\n'
        "pocket_nw = false\nbuzzer = false\n"
    )
    assert [wire.name for wire in config.wires] == [
        "pocket_ne", "pocket_se", "pocket_sw", "seat_n_ok", "seat_n_fix", "seat_s_ok",
    ]  # fmt: skip


def test_a_wire_that_is_placed_is_there_whatever_else_is_said(files: Files) -> None:
    config = files.load('[pins]\nseats = ["N"]\nseat_w_ok = 9\n')
    places = {button.place for button in config.buttons}
    assert places == {Place.N, Place.W, Place.REFEREE}


def test_polarity_and_pull_are_set_for_a_kind_and_for_a_wire(files: Files) -> None:
    config = files.load(
        '[pins]\nbeam_active = "high"\nbeam_pull = "none"\nlamp_active = "low"\n'
        'pocket_se = { active = "low", pull = "up" }\n'
    )
    beams = {w.source: (w.active, w.pull) for w in config.of_kind(WireKind.BEAM)}
    assert beams[Pocket.NE] == (Active.HIGH, Pull.NONE)
    assert beams[Pocket.SE] == (Active.LOW, Pull.UP)
    lamp = config.wire("lamp_n")
    assert lamp is not None
    assert lamp.active is Active.LOW


def test_a_hold_off_is_set_for_all_beams_and_for_a_wire(files: Files) -> None:
    config = files.load(
        "[sensing]\ndebounce_s = 0.02\n[pins]\nbeam_hold_off_s = 0.004\n"
        "pocket_se = { hold_off_s = 0 }\nseat_n_ok = { hold_off_s = 0.005 }\n"
    )
    assert config.hold_offs[Pocket.NE] == 4 * MS
    assert config.hold_offs[Pocket.SE] == 0
    assert config.hold_offs[Button(Place.N, Key.OK)] == 5 * MS
    assert config.hold_offs[Button(Place.N, Key.FIX)] == 20 * MS


# What depends on several tables.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ConfirmSetting.REFEREE),
        ("[pins]\nbox = false\n", ConfirmSetting.ANYONE),
        ("[pins]\nbox = false\n[board]\nconfirm = 'opponent'\n", ConfirmSetting.OPPONENT),
        ("[board]\nconfirm = 'anyone'\n", ConfirmSetting.ANYONE),
    ],
)
def test_the_referee_confirms_where_there_is_a_box_unless_said_otherwise(
    files: Files, text: str, expected: ConfirmSetting
) -> None:
    assert files.load(text).confirm is expected


NO_PAGE = "[web]\nenabled = false\n[pins]\n"


@pytest.mark.parametrize(
    ("controls", "expected"),
    [
        ("box = false\nseats = []\n", "leaves 0 buttons"),
        ("box = false\nseats = ['N']\nseat_n_fix = false\n", "leaves 1 buttons"),
        (
            "seats = []\nreferee_ok = false\nreferee_off = false\nreferee_foul = false\n",
            "leaves no OK button",
        ),
    ],
)
def test_a_board_that_cannot_be_operated_is_refused(
    files: Files, controls: str, expected: str
) -> None:
    [line] = files.mistakes(NO_PAGE + controls)
    assert expected in line
    files.load("[pins]\n" + controls)


def test_a_poor_mans_board_with_ok_and_undo_is_enough(files: Files) -> None:
    config = files.load(
        f"{NO_PAGE}seats = []\nreferee_fix = false\nreferee_foul = false\nreferee_off = false\n"
    )
    assert config.buttons == (Button(Place.REFEREE, Key.OK), Button(Place.REFEREE, Key.UNDO))
    assert Place.PAGE not in config.places
