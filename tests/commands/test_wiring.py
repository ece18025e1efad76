"""``jackspot wiring`` prints the header and cables of a configuration, and its cautions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.config.cautions import cautions, needs
from jackspot.inputs.header import HEADER_PINS, PIN_COUNT
from jackspot.inputs.pins import PROFILES

ROOT = Path(__file__).parents[2]
BUILDS = sorted((ROOT / "hardware" / "builds").glob("*.toml"))


@pytest.fixture
def wiring(tmp_path: Path):
    """Return a function that runs the command on a configuration and an empty board file."""
    board_file = tmp_path / "board.toml"
    board_file.touch()

    def run(text: str = "", *arguments: str) -> Result:
        config = tmp_path / "jackspot.toml"
        config.write_text(text, encoding="utf-8")
        files = (f"--config={config}", f"--board-file={board_file}")
        return CliRunner().invoke(main, ["wiring", *files, *arguments])

    return run


def config_of(tmp_path: Path, text: str):
    path = tmp_path / "try.toml"
    path.write_text(text, encoding="utf-8")
    return load(Sources((path,)))


@pytest.mark.parametrize("profile", PROFILES)
def test_every_wire_stands_beside_its_pin(wiring, profile):
    shown = wiring(f'[pins]\nprofile = "{profile}"\n').stdout
    header = shown.split("\n\n")[1].splitlines()
    assert len(header) == PIN_COUNT // 2
    for name, gpio in PROFILES[profile].gpios.items():
        pin = HEADER_PINS[gpio]
        left, middle, right = re.split(r"([\[(][ \d]\d[\])]\([ \d]\d\))", header[(pin - 1) // 2])
        assert f"{pin:>2}" in middle
        side = left if pin % 2 else right
        assert re.search(rf"\b{name}\b", side)
        assert f"GPIO {gpio}" in side


@pytest.mark.parametrize("path", BUILDS, ids=lambda path: path.stem)
def test_no_line_is_wider_than_80_columns(wiring, path):
    for line in wiring(path.read_text(encoding="utf-8")).stdout.splitlines():
        assert len(line.rstrip()) <= 80


def test_a_wire_that_was_moved_is_shown_where_it_is(wiring):
    shown = wiring("[pins]\npocket_ne = 17\nreferee_undo = 5\n").stdout
    assert re.search(r"pocket_ne, pocket_ne 1 GPIO 17 \(11\)", shown)
    assert re.search(r"referee_undo, box 6  GPIO 5 \(29\)", shown)


def test_it_is_told_without_colour_where_nobody_sees_colour(wiring):
    assert "\x1b" not in wiring().stdout


def test_in_a_terminal_it_has_colours_and_the_same_words(wiring, monkeypatch):
    plain = wiring().stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = wiring().stdout
    assert "\x1b[" in coloured
    bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == [
        line.rstrip() for line in plain.splitlines()
    ]


def test_a_mistake_is_told_as_by_the_other_commands(wiring):
    shown = wiring("[pins]\npocket_ne = 6\n")
    assert shown.exit_code == 1
    assert shown.stdout == ""
    assert "pocket_ne = 6 is already used by pocket_se" in shown.stderr


def test_json_has_every_pin_and_every_cable(wiring):
    said = json.loads(wiring("", "--json").stdout)
    assert [pin["pin"] for pin in said["pins"]] == list(range(1, PIN_COUNT + 1))
    by_pin = {pin["pin"]: pin for pin in said["pins"]}
    assert by_pin[1] == {"pin": 1, "rail": "3.3 V"}
    assert by_pin[29] == {
        "pin": 29, "gpio": 5, "wire": "pocket_ne", "use": "beam of the NE pocket",
        "active": "low", "pull": "up", "cable": "pocket_ne", "contact": 1,
    }  # fmt: skip
    assert by_pin[3]["use"] == "SDA, oled 3"
    box = next(cable for cable in said["cables"] if cable["name"] == "box")
    assert box["cores"][1] == {
        "contact": 2, "signal": "ground", "pins": [6, 9, 14, 20, 25, 30, 34, 39],
    }  # fmt: skip
    assert said["cautions"] == []


def test_cautions_are_printed_and_in_the_json(wiring):
    text = "[pins]\nlamp_n = 4\nseat_n_ok = 16\n"
    assert "Watch out\n- lamp_n (GPIO 4) shines while the Pi starts" in wiring(text).stdout
    said = json.loads(wiring(text, "--json").stdout)
    assert [(each["wire"], each["gpio"]) for each in said["cautions"]] == [("lamp_n", 4)]


@pytest.mark.parametrize("port", ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0", "/dev/ttyUSB0"])
@pytest.mark.parametrize("kind", ["alpha", "opensegment", "none"])
def test_a_sign_with_rs_232_on_the_header_wants_a_converter(wiring, kind, port):
    text = f'[sign]\nkind = "{kind}"\nport = "{port}"\n'
    said = json.loads(wiring(text, "--json").stdout)["cautions"]
    if kind == "alpha" and port != "/dev/ttyUSB0":
        [one] = said
        assert (one["wire"], one["gpio"]) == ("sign", 14)
        assert "MAX3232" in one["words"]
        assert "never join the sign's TX to GPIO 15" in one["words"]
        assert "Watch out\n- sign (GPIO 14) has 3.3 V" in wiring(text).stdout
    else:
        assert said == []


def test_a_bus_that_two_displays_share_names_both(wiring):
    text = '[pins]\nprofile = "spi"\n[matrix]\ndriver = "max7219"\ndevice = 1\n'
    assert "MOSI, oled 4, matrix 3 GPIO 10 (19)" in wiring(text).stdout


@pytest.mark.parametrize("path", BUILDS, ids=lambda path: path.stem)
def test_the_builds_of_the_hardware_ask_for_no_caution(path):
    assert cautions(load(Sources((path,)))) == ()


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        ("buzzer = 4\nseat_n_ok = 12", "buzzer (GPIO 4) sounds while the Pi starts"),
        ("buzzer = 16\nlamp_n = 12", "buzzer (GPIO 16) can give no tone in hardware"),
        ('lamp_active = "high"\nlamp_n = 7\nseat_w_fix = 16', "lamp_n (GPIO 7) shines"),
        ('lamp_active = "low"', "lamp_n (GPIO 16) shines while the Pi starts: the pin is low"),
        ('beam_pull = "none"', "pocket_ne (GPIO 5) floats (pull = none)"),
        ('button_active = "high"', "seat_n_ok (GPIO 4) reads as pressed while nobody presses"),
        ('button_pull = "down"', "seat_n_ok (GPIO 4) reads as pressed while nobody presses"),
        ('profile = "spi"\npocket_ne = 2', "pocket_ne (GPIO 2) has 1.8 kOhm"),
    ],
)
def test_what_a_wire_will_do_is_told_before_it_is_soldered(tmp_path, pins, said):
    found = cautions(config_of(tmp_path, f"[pins]\n{pins}\n"))
    assert any(str(each).startswith(said) for each in found), [str(each) for each in found]


def test_wires_where_a_display_has_the_second_spi_bus_are_found(tmp_path):
    text = '[matrix]\ndriver = "max7219"\nport = 1\n'
    found = {each.wire.name for each in cautions(config_of(tmp_path, text))}
    assert found == {"pocket_nw", "lamp_e", "lamp_s", "referee_off"}


def test_a_button_to_3_volts_with_its_pull_down_is_let_be(tmp_path):
    text = '[pins]\nbutton_active = "high"\nbutton_pull = "down"\n'
    assert cautions(config_of(tmp_path, text)) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["I2C on", "SPI off"]),
        ('[pins]\nprofile = "spi"\n', ["SPI on"]),
        ('[pins]\nseats = []\n[oled]\ndriver = "none"\n', []),
        (
            '[pins]\nseats = []\n[oled]\ndriver = "none"\n[sign]\nkind = "opensegment"\n'
            'port = "/dev/serial0"\n',
            ["the serial port on"],
        ),
    ],
)
def test_what_the_pi_must_have_switched_on_is_told(tmp_path, text, said):
    found = needs(config_of(tmp_path, text))
    assert [each.split(",")[0] for each in found] == said or all(
        line.startswith(start) for line, start in zip(found, said, strict=True)
    )
