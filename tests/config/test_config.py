"""The config: its defaults, and every mistake reported at once with the file that it is in."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from math import inf, nan
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct

import jackspot
from jackspot.assembly import _door, dialogue_settings, plan, preferences
from jackspot.config import ConfigError, ConfirmSetting, GpioFactory, Mistake, Sources, find, load
from jackspot.config.model import NETWORK_PIN, SECTIONS, TABLES, Origin, check
from jackspot.config.show import as_said, as_toml
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import PreferencesView
from jackspot.displays.oled.kind import OledInterface, OledSection
from jackspot.inputs.pins import FULL_I2C, WIRE_NAMES
from jackspot.sensing.limits import MS, Limits
from jackspot.settings.help import help_of
from jackspot.settings.section import Section, keys_of
from tests.config.conftest import Files

FIRMWARE = Path(jackspot.__file__).parent


def test_no_file_is_the_reference_board() -> None:
    config = load(Sources(()))
    assert {wire.name: wire.gpio for wire in config.wires} == FULL_I2C.gpios
    assert config.gpio.factory is GpioFactory.LGPIO
    oled = config.of(OledSection)
    assert (oled.interface, oled.port, oled.address) == (
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
        with pytest.raises(AttributeError):
            setattr(target, name, getattr(target, name))
    with pytest.raises(TypeError, match="does not support item assignment"):
        cast("dict[str, object]", config.match)["rules"] = "icf"


def test_durations_are_seconds_in_the_file_and_nanoseconds_inside(files: Files) -> None:
    config = files.load("[dialogue]\nsettle_s = 2.25\nhold_s = 1\n[sensing]\njoin_s = 0.0125\n")
    assert config.dialogue.settle_ns == 2_250 * MS
    assert config.limits.hold_ns == 1_000 * MS
    assert config.limits.join_ns == 12_500_000


def test_the_preferences_and_what_is_locked(files: Files) -> None:
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
    assert preferences(config) == PreferencesView("de", 40, 0)
    assert dialogue_settings(config).preferences == preferences(config)
    assert dialogue_settings(config).people == ("Aiko", "Ben")
    assert dialogue_settings(config).locked == {Lock.RULES, Lock.VOLUME}
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
        (f'[people]\nnames = ["Z{chr(0x301) * 6}"]\n', "at most 5 marks on a letter"),
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
        ("[oled]\nrotate = false\n", "[oled] rotate = false: expected 0 or 180"),
        ("[oled]\nrotate = 180.0\n", "[oled] rotate = 180.0: expected 0 or 180"),
        ("[sign]\nstop = true\n", "[sign] stop = true: expected 1 or 2"),
        ("[oled]\ninterface = 'spi'\n", 'does not go with [pins] profile = "full-i2c"; choose'),
        ("[sign]\nbaud = 9601\n", "[sign] baud = 9601: expected 1200, 2400"),
        ("[sensing]\ndebounce_s = 0.21\n", "expected a number of seconds from 0.0001 to 0.2"),
        ('[web]\nhost = "a\\u0000b"\n', "expected a text without a NUL"),
        ('[journal]\npath = "/a\\u0000b"\n', "expected a path without a NUL"),
        ('[board]\nshutdown = ["a\\u0000"]\n', "expected texts without a NUL"),
        ('[journal]\npath = "j.sqlite3"\n', "expected a path from the root, such as /var/lib"),
        ('[learnt]\npath = "~/learnt"\n', "expected a path from the root, such as /var/lib"),
        ('[journal]\npath = "/a"\n[learnt]\npath = "/./a"\n',
         '[learnt] path = "/a" is [journal] path; expected one of its own'),
        ('[journal]\npath = "/a"\n[calibration]\npath = "/a"\n',
         '[calibration] path = "/a" is [journal] path; expected one of its own'),
        ('[calibration]\npath = "/a"\n[learnt]\npath = "/a"\n',
         '[learnt] path = "/a" is [calibration] path; expected one of its own'),
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


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 100_000, "a = " + "9" * 100_000, "a = 0x" + "f" * 4_000, "a." * 99 + "a = 1"],
)
def test_a_file_that_breaks_the_reader_is_a_mistake_too(files: Files, text: str) -> None:
    [line] = files.mistakes(text)
    assert line.startswith("jackspot.toml: cannot be understood: ")
    assert len(line) < 200


def test_a_number_beyond_all_bounds_is_named_with_its_key(files: Files) -> None:
    [line] = files.mistakes(f"[web]\nport = 0x{'f' * 4_000}")
    assert line.endswith(
        "[web] port: expected a number within bounds, found a number beyond all bounds"
    )


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
        assert config.confirm in (
            ConfirmSetting.REFEREE,
            ConfirmSetting.ANYONE,
            ConfirmSetting.OPPONENT,
        )
        assert len({wire.gpio for wire in config.wires}) == len(config.wires)


def of_other_kinds(value: object) -> list[object]:
    """Return the values of all other kinds that a file may have in place of a valid one."""
    some: list[object] = [
        True, 0, 1, -1, 2**63, 1.0, 0.5, -0.0, inf, nan, "", "1", "x", [], [[]], [True], [1.0],
        ["x"], {}, {"x": 1}, datetime(2026, 1, 1, tzinfo=UTC), date(2026, 1, 1), time(12),
    ]  # fmt: skip
    if isinstance(value, int) and not isinstance(value, bool):
        some += [float(value), str(value), [value], value + 0.5]
    elif isinstance(value, float):
        some += [str(value), [value], value * 1e300]
    elif isinstance(value, str):
        some += [[value], {value: value}]
    return [each for each in some if type(each) is not type(value)]


PRINTED = tomllib.loads(as_toml(load(Sources(()))))
SETTINGS = [
    *((table, key, PRINTED.get(table, {}).get(key)) for table in SECTIONS
      for key in keys_of(SECTIONS[table])),
    *(("match", key, value) for key, value in PRINTED["match"].items()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "key", "value"), SETTINGS, ids=[f"{table}.{key}" for table, key, _ in SETTINGS]
)
def test_a_value_of_another_kind_is_refused_in_words_or_means_the_same(
    table: str, key: str, value: object
) -> None:
    for other in of_other_kinds(value):
        with suppress(ConfigError):
            printed = as_toml(check({table: {key: other}}, Origin("x.toml", {})))
            again = as_toml(check(tomllib.loads(printed), Origin("x.toml", {})))
            assert again == printed.replace("is set, and not shown", "is not set")


@pytest.mark.parametrize("table", ["oled", "matrix"])
@pytest.mark.parametrize("speed", [8e6, 1_000_000.0, True, "1000000", [1_000_000], {}])
def test_the_speed_of_a_bus_is_one_of_its_whole_numbers(table: str, speed: object) -> None:
    with pytest.raises(ConfigError) as caught:
        check({table: {"bus_speed_hz": speed}}, Origin("x.toml", {}))
    [mistake] = caught.value.mistakes
    assert "expected one of 500000, 1000000" in str(mistake)


def test_a_byte_order_mark_is_let_pass(tmp_path: Path) -> None:
    path = tmp_path / "jackspot.toml"
    path.write_text('\ufeff[board]\nname = "Köln"\n', encoding="utf-8")
    assert load(find(path)).board.name == "Köln"


# --- above the score -------------------------------------------------------------------


def test_an_event_and_its_logo_may_be_set(files):
    web = files.load('[web]\nevent = "彦根 2026"\nlogo = "/etc/jackspot/logo.SVG"\n').web
    assert (web.event, web.logo) == ("彦根 2026", Path("/etc/jackspot/logo.SVG"))
    assert (files.load("").web.event, files.load("").web.logo) == (None, None)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (f'event = "{"x" * 41}"', "a text of 1 to 40 characters"),
        ('event = ""', "a text of 1 to 200 characters"),
        ('logo = "logo.gif"', "the path of a file that ends in .svg or .png"),
        ("logo = 7", "the path of a file"),
    ],
)
def test_an_event_and_a_logo_have_bounds(files, setting, expected):
    (mistake,) = files.mistakes(f"[web]\n{setting}\n")
    assert f"expected {expected}" in mistake


# --- the referee's PIN -----------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
@pytest.mark.parametrize("pin", ["", "0123"])
def test_on_the_machine_itself_there_may_be_a_pin_or_none(files, host, pin):
    assert files.load(f'[web]\nhost = "{host}"\npin = "{pin}"\n').web.pin == pin


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20", "board-1"])
def test_on_the_network_no_pin_is_a_mistake_that_says_what_to_do(files, host):
    (mistake,) = files.mistakes(f'[web]\nhost = "{host}"\npin = ""\n')
    assert mistake.startswith('jackspot.toml: [web] pin = "" lets everybody on the network')
    assert "choose 6 to 12 digits" in mistake
    assert files.load(f'[web]\nhost = "{host}"\n').web.pin is None
    assert files.load(f'[web]\nhost = "{host}"\npin = "246810"\n').web.pin == "246810"


def test_a_short_pin_is_not_used_on_the_network_and_the_board_starts(files, tmp_path, caplog):
    config = files.load('[web]\nhost = "0.0.0.0"\npin = "24680"\n')
    pin = _door(config, tmp_path / "journal.sqlite3").address("").pin
    assert len(pin) == NETWORK_PIN
    assert pin != "24680"
    assert "[web] pin has 5 digits" in caplog.text
    assert "choose 6 to 12" in caplog.text


def test_a_short_pin_is_used_where_nobody_else_reaches_the_pages(files, tmp_path, caplog):
    config = files.load('[web]\nhost = "127.0.0.1"\npin = "24680"\n')
    assert _door(config, tmp_path / "journal.sqlite3").pin == "24680"
    assert caplog.text == ""


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


def attributes_read(*folders: Path, but: str = "") -> set[str]:
    """Return the names of all attributes that the modules in these folders read."""
    return {
        node.attr
        for folder in folders
        for path in folder.rglob("*.py")
        if path.name != but
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def test_every_setting_is_read_by_somebody() -> None:
    read = attributes_read(FIRMWARE)
    for section in Section.__subclasses__():
        unread = set(section.__struct_fields__) - read
        assert not unread, f"{section.__name__}: nobody reads {sorted(unread)}"


@pytest.mark.parametrize("table", [*SECTIONS.values()], ids=[*SECTIONS])
def test_every_setting_but_a_wire_says_what_it_is_for(table: type[Section]) -> None:
    said = help_of(table)
    assert {key for key, words in said.items() if not words} <= set(WIRE_NAMES)


def test_the_bounds_in_the_help_are_those_in_the_complaint(files: Files) -> None:
    for name, table in SECTIONS.items():
        for key, words in help_of(table).items():
            bounds = re.search(r"\((a (?:whole )?number.*)\)$", words)
            if bounds:
                assert bounds[1] in "".join(files.mistakes(f"[{name}]\n{key} = -1\n"))


def test_settings_are_printed_with_what_they_are_for_and_say_the_same_when_they_are_read(
    files: Files,
) -> None:
    config = files.load("")
    told = as_toml(config, explained=True)
    assert files.load(told) == files.load(as_toml(config))
    held = "# How long a button must be down to count as held (a number of seconds from 0 to 60)"
    assert f"{held}\nhold_s" in told
    assert [line for line in told.splitlines() if len(line) > 100 and line.startswith("#")] == []


@pytest.mark.parametrize("values", [Limits, DialogueSettings])
def test_every_duration_of_sensing_and_dialogue_is_gone_by(values: type[Struct]) -> None:
    rooms = [FIRMWARE / room for room in ("sensing", "readings", "dialogue")]
    read = attributes_read(*rooms, but=values.__module__.rpartition(".")[2] + ".py")
    assert set(values.__struct_fields__) <= read


def test_a_key_of_an_earlier_version_that_nothing_reads_is_no_mistake(files) -> None:
    assert files.load("[sensing]\nwide_s = 0.08\njoin_s = 0.0125\n").sensing.join_ns == 12_500_000


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('hall = "Hikone 27"', '[festival] hall = "Hikone 27": expected a word of small letters'),
        ('hall = "a"\nnumber = 0', "[festival] number = 0: expected a whole number from 1 to 999"),
        ('hall = "a"\nbroker = "b:c"', '[festival] broker = "b:c": expected an address like'),
        ('hall = "a"\nbroker = "hub:65536"', '[festival] broker = "hub:65536": expected an'),
        ('hall = "a"\nbroker = "fd00::7::1"', '[festival] broker = "fd00::7::1": expected an'),
        ('hall = "a"\nbroker = "[hub]:1"', '[festival] broker = "[hub]:1": expected an address'),
        ('hall = "a"\nbroker = "a b"', '[festival] broker = "a b": expected an address like'),
        ('hall = "a"\nbroker = "192.168.7"', '[festival] broker = "192.168.7": expected an'),
        ('hall = "a"\nbroker = "fd00::1"', '[festival] broker = "fd00::1" is another machine'),
        ('hall = "a"\nbroker = "10.0.0.1"', '[festival] broker = "10.0.0.1" is another machine'),
    ],
)
def test_a_hall_that_cannot_be_is_named_with_what_was_expected(files, table, says) -> None:
    (mistake,) = files.mistakes(f"[festival]\n{table}\n")
    assert mistake.startswith(f"jackspot.toml: {says}")


@pytest.mark.parametrize(
    ("broker", "address"),
    [
        ("10.0.0.1", ("10.0.0.1", 8883)),
        ("10.0.0.1:18883", ("10.0.0.1", 18883)),
        ("fd00::7", ("fd00::7", 8883)),
        ("[fd00::7]", ("fd00::7", 8883)),
        ("[fd00::7]:18883", ("fd00::7", 18883)),
        ("3rd-hub.local", ("3rd-hub.local", 8883)),
    ],
)
def test_a_broker_is_named_by_address_or_name_with_or_without_its_port(
    files, broker, address
) -> None:
    config = files.load(f'[festival]\nhall = "a"\nca = "ca.crt"\nbroker = "{broker}"\n')
    assert config.festival.addresses == (address,)
    assert files.load(as_toml(config)).festival == config.festival


def test_a_hall_is_reached_at_its_usual_port_unless_another_is_named(files, tmp_path) -> None:
    here = files.load('[festival]\nhall = "a"\n').festival
    assert here.addresses == (("127.0.0.1", 1883),)
    there = f'[festival]\nhall = "a"\nca = "{tmp_path}/ca.crt"\nbroker = "hub.local"\n'
    assert files.load(there).festival.addresses == (("hub.local", 8883),)
    named = files.load(there.replace("hub.local", "hub.local:18883")).festival
    assert named.addresses == (("hub.local", 18883),)
    assert files.load(as_toml(files.load(there))).festival == files.load(there).festival


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[sensor_hub]\nport = "hub"\n', '"hub": expected the whole path of a device'),
        ('[sensor_hub]\nsee = 70000\n', "see = 70000: expected a whole number from 0 to 65535"),
        ('[sensor_hub]\nport = "/dev/x"\n[sign]\nkind = "alpha"\nport = "/dev/x"\n',
         "is the sign's port; expected one of its own"),
    ],
)  # fmt: skip
def test_settings_of_a_sensor_hub_that_are_wrong_are_named(
    files: Files, text: str, expected: str
) -> None:
    [mistake] = files.mistakes(text)
    assert expected in mistake


def test_a_board_has_no_sensor_hub_until_its_port_is_named(files: Files) -> None:
    assert files.load("").sensor_hub.port is None
    config = files.load('[sensor_hub]\nport = "/dev/serial/by-id/hub"\nknock = 700\n')
    assert (config.sensor_hub.knock, config.sensor_hub.see) == (700, None)


@pytest.mark.parametrize("name", ["password", "KEY", "pin"])
@pytest.mark.parametrize(
    "table", ["match", "match.options", "match.names", "match.colours", "match.handicap",
              "match.handicap.N"],
)  # fmt: skip
def test_a_secret_that_was_typed_as_a_name_in_what_is_agreed_is_not_quoted(
    files: Files, table: str, name: str
) -> None:
    said = "\n".join(files.mistakes(f'[{table}]\nhunter2secret = "{name}"\n'))
    assert "hunter2secret" not in said
    assert f"[{table}] " in said
    assert "'a name that may be a secret'" in said
    said = "\n".join(files.mistakes(f'[{table}]\nhunter2 = "green"\n'))
    assert "'hunter2'" in said, "any other name is quoted"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[match.options]\nmust_bank = "key"\n', "unknown option 'must_bank'"),
        ('[match.options]\nmax_boards = "Pin"\n', "has no option 'max_boards'"),
        ('[match.handicap.N]\nbest_of = "password"\n', "unknown handicap 'best_of'"),
        ('[match]\nfirst_to = "key"\n', "unknown key 'a name that may be a secret'"),
    ],
)
def test_a_name_that_is_known_is_quoted_whatever_its_value(
    files: Files, text: str, expected: str
) -> None:
    assert expected in "\n".join(files.mistakes(text))


def test_players_called_as_a_secret_is_keep_their_seats_in_what_was_said() -> None:
    names = {"N": "Key", "E": "Pin", "S": "Password", "W": "password"}
    said: dict[str, object] = {"match": {"names": names, "event": "Key"}}
    assert tomllib.loads(as_said(said)) == said


@pytest.mark.parametrize("table", ["", "hotspot", "match", "match.options", "pins.ok_n", "no.such"])
def test_as_many_names_are_left_out_of_what_was_said_as_there_are(table: str) -> None:
    text = 'hunter2a = "pin"\nhunter2b = "key"\nhunter2c = "Password"\n'
    said = as_said(tomllib.loads(f"[{table}]\n{text}" if table else text))
    assert "hunter2" not in said
    assert len(re.findall(r'^"a name that may be a secret.*" = ', said, re.MULTILINE)) == 3
    assert tomllib.loads(said)
