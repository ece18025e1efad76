"""The config: defaults, every mistake at once with the file it stands in, pins, two files."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackspot.assembly import customs, house, plan
from jackspot.config import (
    Config,
    ConfigError,
    Confirm,
    GpioFactory,
    Language,
    Mistake,
    OledInterface,
    Sources,
    find,
    load,
)
from jackspot.config.model import TABLES, Origin, check
from jackspot.config.show import as_toml
from jackspot.core.pieces import Pocket
from jackspot.inputs.pins import FULL_I2C, SPI, Active, Pull, WireKind
from jackspot.table.events import Button, Key, Place
from jackspot.table.house import Lock
from jackspot.table.limits import Limits
from jackspot.table.view import HouseView

MS = 1_000_000


class Files:
    """A folder to write config files into and load them from."""

    def __init__(self, folder: Path) -> None:
        self.shared = folder / "jackspot.toml"
        self.board = folder / "board.toml"

    def load(self, shared: str | None = None, board: str | None = None) -> Config:
        """Write what is given, load what was written."""
        paths = []
        for path, text in ((self.shared, shared), (self.board, board)):
            if text is not None:
                path.write_text(text, encoding="utf-8")
                paths.append(path)
        return load(Sources(tuple(paths)))

    def mistakes(self, shared: str | None = None, board: str | None = None) -> list[str]:
        """Give each mistake's line with the folder left out."""
        with pytest.raises(ConfigError) as failure:
            self.load(shared, board)
        return [str(m).replace(f"{self.shared.parent}/", "") for m in failure.value.mistakes]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_no_file_is_the_reference_board() -> None:
    config = load(Sources(()))
    assert {wire.name: wire.gpio for wire in config.wires} == FULL_I2C.gpios
    assert config.gpio.factory is GpioFactory.LGPIO
    assert (config.oled.interface, config.oled.port, config.oled.address) == (
        OledInterface.I2C,
        1,
        0x3C,
    )
    assert (config.web.host, config.web.port) == ("127.0.0.1", 8080)
    assert config.journal.path == Path("/var/lib/jackspot/journal.sqlite3")
    assert config.match == {"rules": "hikone"}


def test_the_default_limits_are_those_of_sensing() -> None:
    assert load(Sources(())).limits == Limits()


def test_an_empty_file_is_the_reference_board_too(files: Files) -> None:
    assert files.load("") == load(Sources(()))


def test_a_config_cannot_be_changed() -> None:
    config = load(Sources(()))
    for target, name in ((config, "board"), (config.board, "name"), (config.wires[0], "gpio")):
        with pytest.raises((dataclasses.FrozenInstanceError, pydantic.ValidationError)):
            setattr(target, name, getattr(target, name))
    with pytest.raises(TypeError, match="does not support item assignment"):
        cast("dict[str, object]", config.match)["rules"] = "icf"


def test_durations_are_seconds_in_the_file_and_nanoseconds_inside(files: Files) -> None:
    config = files.load("[dialogue]\nsettle_s = 2.25\nhold_s = 1\n[sensing]\njoin_s = 0.0125\n")
    assert config.dialogue.settle_ns == 2_250 * MS
    assert config.limits.hold_ns == 1_000 * MS
    assert config.limits.join_ns == 12_500_000


def test_the_house_and_what_is_locked(files: Files) -> None:
    config = files.load(
        """
        [board]
        language = "de"
        brightness = 40
        clock = "gong"
        locked = ["rules", "volume"]
        shutdown = ["systemctl", "poweroff"]
        [people]
        names = ["Aiko", "Ben"]
        [buzzer]
        silent = true
        """
    )
    assert house(config) == HouseView("de", 40, 0)
    assert customs(config).house == house(config)
    assert customs(config).people == ("Aiko", "Ben")
    assert customs(config).locked == {Lock.RULES, Lock.VOLUME}
    assert plan(config).armed
    assert config.board.shutdown == ("systemctl", "poweroff")
    again = files.load(as_toml(config))
    assert (again.board, again.people) == (config.board, config.people)


def test_locked_is_everything_or_nothing_too(files: Files) -> None:
    assert files.load("[board]\nlocked = true\n").board.locked == set(Lock)
    assert files.load("[board]\nlocked = false\n").board.locked == set()
    assert files.load("").board.locked == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[board]\nlocked = ["rulez"]\n', '["rulez"]: expected true, false or a list'),
        ("[board]\nbrightness = 101\n", "brightness = 101: expected a whole number from 0 to 100"),
        ('[board]\nshutdown = "halt"\n', 'shutdown = "halt": expected a list of texts'),
        ('[people]\nnames = ["A", "A"]\n', "expected a list of names"),
        ('[board]\nclock = "late"\n', 'clock = "late": expected "at_once" or "gong"'),
    ],
)
def test_settings_of_the_board_that_are_wrong_are_named(
    files: Files, text: str, expected: str
) -> None:
    [mistake] = files.mistakes(text)
    assert expected in mistake


EVERYTHING_WRONG = """
[board]
nmae = "Board 7"
language = "fr"
[bord]
[match]
rules = "hikon"
[match.options]
time_limit_s = "long"
[dialogue]
settle_s = "soon"
[sensing]
min_pulse_s = true
[pins]
pocket_ne = 17
[gpio]
factory = "pigpio"
[oled]
address = 0x100
[sign]
kind = "alpha"
[buzzer]
volume = 11.5
silent = "no"
[web]
port = 65536
[journal]
path = 5
"""


def test_every_mistake_is_named_at_once_in_the_order_of_the_documentation(files: Files) -> None:
    assert files.mistakes(EVERYTHING_WRONG) == [
        "jackspot.toml: [bord] is not a table here; did you mean board?",
        'jackspot.toml: [board] language = "fr": expected "en", "de" or "ja"',
        "jackspot.toml: [board] nmae is not a key of this table; did you mean name?",
        "jackspot.toml: [match] rules: unknown rules \"hikon\"; did you mean 'hikone'?",
        'jackspot.toml: [match.options] time_limit_s: expected 0 to 86400, found "long"',
        'jackspot.toml: [dialogue] settle_s = "soon": expected a number of seconds from 0 to 60',
        "jackspot.toml: [sensing] min_pulse_s = true: "
        "expected a number of seconds from 0.0001 to 1",
        "jackspot.toml: [pins] pocket_ne = 17 is already used by referee_undo; "
        "choose another GPIO (free: 5)",
        'jackspot.toml: [gpio] factory = "pigpio": expected "lgpio", "rpigpio", "native" or "mock"',
        "jackspot.toml: [oled] address = 256: expected a whole number from 8 to 119",
        "jackspot.toml: [sign] port is missing: expected the path or URL of the alpha sign, "
        'such as "/dev/serial/by-id/usb-FTDI_FT232R-if00-port0"',
        "jackspot.toml: [buzzer] volume = 11.5: expected a whole number from 0 to 100",
        'jackspot.toml: [buzzer] silent = "no": expected true or false',
        "jackspot.toml: [web] port = 65536: expected a whole number from 0 to 65535",
        "jackspot.toml: [journal] path = 5: expected the path of a file",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[board\n", "jackspot.toml:1:7: is not TOML: Expected ']' at the end of a table"),
        ('[web]\nport = "\n', 'jackspot.toml:2:9: is not TOML: Illegal character'),
        ("board = 3\n", "jackspot.toml: board = 3: expected a table, [board]"),
        ("[match]\nrules = 3\n", "jackspot.toml: [match] rules: "),
        ('[board]\nname = ""\n', 'jackspot.toml: [board] name = "": expected a text of 1 to'),
        ("[dialogue]\nsettle_s = nan\n", "expected a number of seconds from 0 to 60"),
        ("[dialogue]\nsettle_s = inf\n", "expected a number of seconds from 0 to 60"),
        ("[dialogue]\nsettle_ns = 3\n", "settle_ns is not a key of this table; did you mean"),
        ("[dialogue]\nsettle_s = 9\n", "settle_s = 9: expected at most settle_at_most_s, which"),
        ("[sensing]\nmin_pulse_s = 0.5\n", "[sensing] contradicts itself"),
        ("[pins]\nprofile = 'fulli2c'\n", 'profile = "fulli2c": expected "full-i2c" or "spi"'),
        ("[oled]\nrotate = 90\n", "[oled] rotate = 90: expected 0 or 180"),
        ("[oled]\ninterface = 'spi'\n", 'does not go with [pins] profile = "full-i2c"; choose'),
        ("[sign]\nbaud = 9601\n", "[sign] baud = 9601: expected 1200, 2400"),
    ],
)  # fmt: skip
def test_a_mistake_says_what_was_found_and_what_was_expected(
    files: Files, text: str, expected: str
) -> None:
    [line] = files.mistakes(text)
    assert expected in line


def test_a_table_that_is_unclear_does_not_raise_false_alarms_elsewhere(files: Files) -> None:
    [line] = files.mistakes("[pins]\nprofile = 'x'\noled_dc = 24\n[oled]\ninterface = 'spi'\n")
    assert "profile" in line
    [line] = files.mistakes("[pins]\npocket_ne = 'x'\nlamp_n = 5\n")
    assert "pocket_ne" in line


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: does not exist"):
        load(find(tmp_path / "nowhere.toml"))


def test_a_folder_in_place_of_a_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(find(tmp_path))


def test_a_file_that_is_not_utf_8_names_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "jackspot.toml"
    path.write_bytes(b'[board]\nname = "K\xf6ln"\n')
    with pytest.raises(ConfigError, match="is not UTF-8 at byte 18; save it as UTF-8"):
        load(find(path))


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 100_000])
def test_a_file_that_breaks_the_reader_is_a_mistake_too(files: Files, text: str) -> None:
    [line] = files.mistakes(text)
    assert line.startswith("jackspot.toml: cannot be understood: ")


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(),
    st.sampled_from(["", "N", "low", "up", "spi", "alpha", "hikone", 10**400, -(10**400), 17]),
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.sampled_from(["gpio", "active", "pull", "N", "S", "best_of"]), st.text()),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)
KEYS = [
    line.split(" = ")[0].removeprefix("# ").split(" is ")[0]
    for line in as_toml(load(Sources(()))).splitlines()
    if line and not line.startswith("[")
]


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(TABLES), st.text(max_size=5)),
        st.one_of(
            values,
            st.dictionaries(
                st.one_of(
                    st.sampled_from([*KEYS, "seats", "names", "options", "handicap", "date"]),
                    st.text(max_size=5),
                ),
                values,
                max_size=6,
            ),
        ),
        max_size=6,
    )
)
def test_whatever_a_file_says_ends_in_a_config_or_in_mistakes(data: dict[str, object]) -> None:
    mistakes: Sequence[Mistake] = ()
    config = None
    try:
        config = check(data, Origin("file.toml", {}))
    except ConfigError as failure:
        mistakes = failure.mistakes
    assert (config is None) is bool(mistakes)
    assert all(str(mistake).startswith("file.toml: ") for mistake in mistakes)
    if config is not None:
        assert config.confirm in (Confirm.REFEREE, Confirm.ANYONE, Confirm.OPPONENT)
        assert len({wire.gpio for wire in config.wires}) == len(config.wires)


def test_a_byte_order_mark_is_let_pass(tmp_path: Path) -> None:
    path = tmp_path / "jackspot.toml"
    path.write_text('\ufeff[board]\nname = "Köln"\n', encoding="utf-8")
    assert load(find(path)).board.name == "Köln"


# Two files.


def test_the_boards_own_file_goes_over_the_shared_one_key_by_key(files: Files) -> None:
    config = files.load(
        '[board]\nname = "All"\nlanguage = "ja"\n[match.options]\nbest_of = 3\n',
        '[board]\nname = "Board 7"\n[match.options]\ntime_limit_s = 300\n',
    )
    assert (config.board.name, config.board.language) == ("Board 7", Language.JAPANESE)
    assert config.match["options"] == {"best_of": 3, "time_limit_s": 300}


def test_a_mistake_names_the_file_it_stands_in(files: Files) -> None:
    lines = files.mistakes(
        '[board]\nlanguage = "fr"\n[match]\nseats = 3\n[pins]\nlamp_n = 5\n',
        "[board]\nnmae = 1\n[dialogue]\nhold_s = 'x'\n[bord]\n",
    )
    starts = sorted(" ".join(line.split()[:3]) for line in lines)
    assert starts == [
        "board.toml: [board] nmae",
        "board.toml: [bord] is",
        "board.toml: [dialogue] hold_s",
        "jackspot.toml: [board] language",
        "jackspot.toml: [match] seats:",
        "jackspot.toml: [pins] lamp_n",
    ]


def test_both_files_are_read_before_either_is_blamed(files: Files) -> None:
    assert [line.split()[0] for line in files.mistakes("[web\n", "]")] == [
        "jackspot.toml:1:5:",
        "board.toml:1:1:",
    ]


def test_files_in_their_usual_places_are_found_and_others_go_before_them(tmp_path: Path) -> None:
    shared, board, other = (tmp_path / name for name in ("shared", "board", "other"))
    assert find(shared_place=shared, board_place=board) == Sources(())
    for path in (shared, board):
        path.touch()
    assert find(shared_place=shared, board_place=board) == Sources((shared, board))
    assert find(other, shared_place=shared, board_place=board) == Sources((other, board))
    assert find(None, other, shared_place=shared, board_place=board) == Sources((shared, other))


# Pins.


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
    assert (config.oled.interface, config.oled.port, config.spi_device) == (
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
        ("", Confirm.REFEREE),
        ("[pins]\nbox = false\n", Confirm.ANYONE),
        ("[pins]\nbox = false\n[board]\nconfirm = 'opponent'\n", Confirm.OPPONENT),
        ("[board]\nconfirm = 'anyone'\n", Confirm.ANYONE),
    ],
)
def test_the_referee_confirms_where_there_is_a_box_unless_said_otherwise(
    files: Files, text: str, expected: Confirm
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


# What check-config prints.


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[pins]\nprofile = "spi"\nseats = ["N"]\noled_ce = 7\n',
        '[board]\nname = "Köln \\"7\\" \\\\ 彦根"\nlanguage = "de"\n',
        '[match]\nseats = ["E", "W"]\n[match.names]\nE = "Aiko"\n[match.options]\nbest_of = 3\n',
        '[match.handicap.S]\nhead_start = 4\n',
        '[pins]\nlamps = false\npocket_ne = { active = "high", pull = "none" }\n',
        "[pins]\nbeam_hold_off_s = 0.0012345\nseat_n_ok = { hold_off_s = 0.123456789 }\n",
        '[sign]\nkind = "alpha"\nport = "socket://sign:4001"\n',
        "[dialogue]\nsettle_s = 0.123456789\n[oled]\ncontrast = 0\nport = 3\n",
        '[match]\ndate = 2026-11-20\n',
    ],
)  # fmt: skip
def test_the_effective_settings_are_a_file_that_says_the_same(files: Files, text: str) -> None:
    config = files.load(text)
    again = files.load(as_toml(config))
    for field in dataclasses.fields(Config):
        if field.name != "pins":
            assert getattr(again, field.name) == getattr(config, field.name), field.name
    assert as_toml(again) == as_toml(config)


def test_every_table_is_among_the_effective_settings() -> None:
    printed = as_toml(load(Sources(())))
    for table in TABLES:
        assert f"[{table}]\n" in printed


def test_a_file_in_a_folder_that_may_not_be_entered_is_told_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    sources = find(shared_place=tmp_path / "shared.toml", board_place=tmp_path / "board.toml")
    with pytest.raises(ConfigError, match=r"shared\.toml"):
        load(sources)


# --- the referee's PIN -----------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
@pytest.mark.parametrize("pin", ["", "0123"])
def test_on_the_machine_itself_there_may_be_a_pin_or_none(files, host, pin):
    assert files.load(f'[web]\nhost = "{host}"\npin = "{pin}"\n').web.pin == pin


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20", "board-1"])
def test_on_the_network_no_pin_is_a_mistake_that_says_what_to_do(files, host):
    (mistake,) = files.mistakes(f'[web]\nhost = "{host}"\npin = ""\n')
    assert mistake.startswith('jackspot.toml: [web] pin = "" lets everybody on the network')
    assert "choose 4 to 12 digits" in mistake
    assert files.load(f'[web]\nhost = "{host}"\n').web.pin is None
    assert files.load(f'[web]\nhost = "{host}"\npin = "2468"\n').web.pin == "2468"


@pytest.mark.parametrize(
    "pin", ['"123"', '"1234567890123"', '"12a4"', '"１２３４"', "1234", "true"]
)
def test_a_pin_is_four_to_twelve_digits_in_quotes(files, pin):
    (mistake,) = files.mistakes(f"[web]\npin = {pin}\n")
    assert "expected 4 to 12 digits in quotes, or an empty text" in mistake


def test_the_effective_settings_do_not_show_the_pin(files):
    shown = as_toml(files.load('[web]\npin = "975312"\n'))
    assert "975312" not in shown
    assert "# pin is set, and not shown" in shown
