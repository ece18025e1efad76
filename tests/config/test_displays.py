"""Mistakes in the tables of displays: each is named with its key, its place and what to do."""

from __future__ import annotations

import tomllib
from contextlib import suppress

import pytest

from jackspot.config.model import TABLES as CONFIG_TABLES, Config, Origin, check
from jackspot.config.show import as_toml
from jackspot.core.pieces import Seat
from jackspot.displays import TABLES, DisplayKind, Mount, make_displays
from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.sign_in import SignInAddress
from jackspot.displays.signs.kind import TemplateSection
from jackspot.inputs.pins import WIRE_NAMES
from jackspot.settings.mistakes import ConfigError

TEMPLATE = '[sign]\nkind = "template"\nport = "loop://"\n[template]\n'


def read(text: str) -> Config:
    return check(tomllib.loads(text), Origin("jackspot.toml", {}))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            TEMPLATE + "frames = '\\x02{left.cuont}'",
            "[template] frames: character 5: no field is called 'left.cuont'; "
            "did you mean left.count?",
        ),
        (
            TEMPLATE + "frames = ['ok', 'a{checksum sum9 hex}']",
            "[template] frames: 2, character 2: no checksum is called sum9; did you mean sum8?",
        ),
        (TEMPLATE + "frames = 'x'\nstart = '\\q'", "[template] start: character 1: \\q: expected"),
        (TEMPLATE + "frames = 'ä'", "[template] frames: character 1: 'ä' is not in the encoding"),
        (TEMPLATE, "[template] frames is missing: expected what the sign is sent"),
        (TEMPLATE + "frames = 7", "[template] frames = 7: expected a text of 1 to 2000"),
        ('[sign]\nport = "ttyUSB0"', '[sign] port = "ttyUSB0": expected the whole path'),
        ('[sign]\nport = "socket://x"', '[sign] port = "socket://x": expected a host and a port'),
        ('[sign]\nport = "ftp://x"', "expected one of pyserial's URLs"),
        ('[sign]\nparity = "weird"', '[sign] parity = "weird": expected'),
        ("[sign]\nbits = 9", "[sign] bits = 9: expected 5, 6, 7 or 8"),
        (
            '[matrix]\ndriver = "max7219"',
            '[matrix] driver = "max7219" needs the SPI bus (MOSI) on GPIO 10, where seat_e_fix is; '
            'choose [pins] profile = "spi", or move that wire',
        ),
        (
            '[pins]\nprofile = "spi"\n[matrix]\ndriver = "max7219"',
            "[matrix] device = 0 is the OLED's chip select (GPIO 8); choose device = 1",
        ),
        ("[matrix]\ncolumns = 3", "[matrix] columns = 3: expected a whole number from 4 to 8"),
        ("[matrix]\nturn = 45", "[matrix] turn = 45: expected 0, 90, 180 or 270"),
        ("[oled]\nbus_speed_hz = 3", "[oled] bus_speed_hz = 3: expected one of 500000, 1000000"),
        ('[oled]\ndriver = "ssd1307"', '[oled] driver = "ssd1307": expected'),
        ("[oled]\ndim_s = -1", "[oled] dim_s = -1: expected a number of seconds"),
    ],
)
def test_each_mistake_is_one_line_with_its_place_and_its_remedy(text: str, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    [mistake] = caught.value.mistakes
    assert line in str(mistake)


@pytest.mark.parametrize("seconds", ["0.001", "0.99", "-1", "86401", "true", "'5'", "nan"])
def test_frames_are_repeated_no_more_often_than_a_sign_can_read_them(seconds: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(TEMPLATE + f"frames = 'x'\nrepeat_s = {seconds}")
    [mistake] = caught.value.mistakes
    assert "expected a number of seconds from 1 to 86400, or 0" in str(mistake)


@pytest.mark.parametrize("seconds", [0, 0.0, 1, 2.5, 86400])
def test_how_often_frames_are_repeated_may_be_never_too(seconds: float) -> None:
    template = read(TEMPLATE + f"frames = 'x'\nrepeat_s = {seconds}").of(TemplateSection)
    assert template.repeat_ns == round(seconds * 10**9)


@pytest.mark.parametrize("frames", ["'ä'", "['赤', '{headline:あ<5}']"])
def test_a_wrong_encoding_is_one_mistake_whatever_the_frames_say(frames: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(TEMPLATE + f"frames = {frames}\nencoding = 'latin1'")
    [mistake] = caught.value.mistakes
    assert "[template] encoding" in str(mistake)


@pytest.mark.parametrize("profile", ["full-i2c", "spi"])
@pytest.mark.parametrize("wire", WIRE_NAMES)
def test_wherever_a_wire_is_put_a_matrix_is_there_or_refused_in_words(
    profile: str, wire: str
) -> None:
    for gpio in range(28):
        for device in (0, 1):
            text = (
                f'[pins]\nprofile = "{profile}"\n{wire} = {gpio}\n'
                f'[matrix]\ndriver = "max7219"\ndevice = {device}'
            )
            with suppress(ConfigError):
                read(text)


@pytest.mark.parametrize(
    "text",
    [
        '[pins]\nprofile = "spi"\n[oled]\ndriver = "ssd1309"\n[matrix]\n'
        'driver = "max7219"\ndevice = 1',
        '[pins]\nprofile = "spi"\n[oled]\ndriver = "none"\n[matrix]\ndriver = "max7219"',
        TEMPLATE + "frames = ['{left.count:2}\\r', '{{}}']\nencoding = 'cp437'\nrepeat_s = 5",
        '[sign]\nkind = "alpha"\nport = "rfc2217://sign:1"\nbits = 8\n'
        'parity = "none"\nflow = "xonxoff"',
    ],
)
def test_what_is_printed_says_the_same(text: str) -> None:
    printed = as_toml(read(text))
    assert as_toml(read(printed)) == printed


# what each display brings along


def mount(config: Config) -> Mount:
    """Return what the reference board has for its displays, with nothing behind it."""
    return Mount(
        tables=config.displays,
        outputs={wire.name: wire.gpio for wire in config.wires if wire.source is None},
        lamps={Seat.N: 7},
        lamps_shine_high=True,
        spi_device=0,
        pin_factory=None,
        clock=lambda: 0,
        door=lambda: SignInAddress("", "", ""),
        network=lambda: None,
    )


def test_each_display_of_the_config_is_made_by_its_own_maker():
    config = read(
        TEMPLATE + 'frames = "x"\n[pins]\nprofile = "spi"\n[matrix]\ndriver = "max7219"\ndevice = 1'
    )
    assert [each.name for each in make_displays(mount(config))] == [
        "oled", "sign", "matrix", "lamps", "buzzer",
    ]  # fmt: skip
    for kind, name in (("alpha", "alpha_sign"), ("opensegment", "segment")):
        config = read(f'[sign]\nkind = "{kind}"\nport = "loop://"')
        assert name in [each.name for each in make_displays(mount(config))]


def test_a_display_that_the_config_has_not_is_not_made():
    config = read('[oled]\ndriver = "none"\n[pins]\nbuzzer = false')
    assert [each.name for each in make_displays(mount(config))] == ["lamps"]


def test_a_display_whose_library_is_missing_says_so_by_its_name():
    def make(_mount: Mount) -> None:
        raise ImportError("No module named 'epd'")

    paper = DisplayKind("paper", {}, make)
    with pytest.raises(DisplayError, match="the display paper needs a library that is not inst"):
        list(make_displays(mount(read("")), (paper,)))


def test_the_tables_of_all_displays_are_tables_of_the_config():
    assert set(TABLES) <= set(CONFIG_TABLES)
    assert set(read("").displays) == set(TABLES)
