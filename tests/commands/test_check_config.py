"""``jackspot check-config`` prints settings or mistakes, and never a traceback."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.commands.check_config import command


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "jackspot.toml"


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    """Return an empty board file, so that this machine's own plays no part."""
    path = tmp_path / "board.toml"
    path.touch()
    return path


def test_a_good_config_is_printed_as_toml_with_status_0(config: Path, board_file: Path) -> None:
    config.write_text('[board]\nname = "Board 7"\n', encoding="utf-8")
    result = run("--config", config, "--board-file", board_file)
    assert result.exit_code == 0
    assert tomllib.loads(result.stdout)["board"]["name"] == "Board 7"
    assert result.stdout.startswith(f"# Effective settings of {config} + {board_file}\n")


def test_mistakes_go_to_standard_error_with_status_1(config: Path, board_file: Path) -> None:
    config.write_text('[board]\nnmae = "x"\n[web]\nport = -1\n', encoding="utf-8")
    result = run("--config", config, "--board-file", board_file)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{config}: [board] nmae is not a key of this table; did you mean name?",
        f"{config}: [web] port = -1: expected a whole number from 0 to 65535",
        f"2 mistakes in {config} + {board_file}",
    ]


@pytest.mark.parametrize(
    ("table", "key", "lacks"),
    [
        ('hall = "a"', "ca", "the board tells its hall nothing"),
        ("", "logo", "no logo is shown"),
    ],
)
def test_a_file_that_is_not_there_is_told_and_the_board_starts(
    config: Path, board_file: Path, table: str, key: str, lacks: str
) -> None:
    name = "festival" if key == "ca" else "web"
    file = config.with_name("hall.svg")
    config.write_text(f'[{name}]\n{table}\n{key} = "{file}"\n', encoding="utf-8")
    result = run(config, "--board-file", board_file)
    words = f"[{name}] {key} = '{file}' cannot be read: No such file or directory; without it "
    assert (result.exit_code, result.stderr) == (0, f"{words}{lacks}\n")
    assert tomllib.loads(result.stdout)[name][key] == str(file)
    file.touch()
    assert run(config, "--board-file", board_file).stderr == ""


def test_a_pin_too_short_for_a_network_is_told(config: Path, board_file: Path) -> None:
    config.write_text('[web]\nhost = "0.0.0.0"\npin = "1234"\n')
    done = run(config, "--board-file", board_file)
    assert done.exit_code == 0
    assert "[web] pin has 4 digits" in done.stderr
    assert "it is not used" in done.stderr
    config.write_text('[web]\nhost = "127.0.0.1"\npin = "1234"\n')
    assert run(config, "--board-file", board_file).stderr == ""


def test_the_file_may_be_named_without_an_option(config: Path, board_file: Path) -> None:
    config.write_text('[board]\nname = "Board 7"\n', encoding="utf-8")
    result = run(config, "--board-file", board_file)
    assert result.exit_code == 0
    assert result.stdout == run("--config", config, "--board-file", board_file).stdout


def test_a_file_that_is_named_twice_is_refused(config: Path) -> None:
    result = run(config, "--config", config)
    assert result.exit_code == 2
    assert "named twice" in result.stderr


def test_a_missing_file_hides_no_mistake_of_the_other(config: Path, tmp_path: Path) -> None:
    config.write_text("[web]\nport = -1\n", encoding="utf-8")
    missing = tmp_path / "nowhere.toml"
    result = run(config, "--board-file", missing)
    assert result.stderr.splitlines() == [
        f"{missing}: does not exist; name another file, or leave it out for the defaults",
        f"{config}: [web] port = -1: expected a whole number from 0 to 65535",
        f"2 mistakes in {config} + {missing}",
    ]


@pytest.mark.parametrize("content", [b"[", b"\xff\xfe", b"a = 1 = 2", b"[board]\nname = 3"])
def test_no_file_however_broken_ends_in_a_traceback(
    config: Path, board_file: Path, content: bytes
) -> None:
    config.write_bytes(content)
    result = run("--config", config, "--board-file", board_file)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert str(config) in result.stderr


def test_a_file_that_is_not_there_is_named(config: Path, board_file: Path) -> None:
    result = run("--config", config, "--board-file", board_file)
    assert result.exit_code == 1
    assert f"{config}: does not exist" in result.stderr


TWO_BAD_PARTS = 'pocket_ne = { gpio = 99, active = "hihg", pull = "sideways" }'


@pytest.mark.parametrize("profile", ["", 'profile = "ful-i2c"\n'])
def test_nothing_wrong_hides_behind_something_else_of_the_same_wire(
    config: Path, board_file: Path, profile: str
) -> None:
    config.write_text(f"[pins]\n{profile}{TWO_BAD_PARTS}\n", encoding="utf-8")
    told = run(config, "--board-file", board_file).stderr
    assert 'expected active to be "low" or "high", not "hihg"' in told
    assert 'expected pull to be "up", "down" or "none", not "sideways"' in told
    assert "[pins] pocket_ne = 99 is a GPIO which is not there; expected 2 to 27" in told


def test_each_bad_seat_of_a_list_is_named(config: Path, board_file: Path) -> None:
    config.write_text('[pins]\nseats = ["N", "X", "Y"]\n', encoding="utf-8")
    told = run(config, "--board-file", board_file).stderr
    assert 'seats = "X": expected' in told
    assert 'seats = "Y": expected' in told


def test_a_wire_on_no_gpio_takes_none_from_another(config: Path, board_file: Path) -> None:
    """A mistake in one wire is not reported for the others."""
    config.write_text('[pins]\npocket_ne = { gpio = "17" }\nseat_e_ok = 5\n', encoding="utf-8")
    told = run(config, "--board-file", board_file).stderr
    assert "1 mistake in" in told, told


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (None, "[sensor_hub] discs: never calibrated"),
        ("nothing", "is not TOML"),
    ],
)
def test_when_the_discs_of_a_sensor_hub_were_calibrated_is_told(
    config: Path, board_file: Path, tmp_path: Path, written: str | None, says: str
) -> None:
    path = tmp_path / "calibration.toml"
    if written is not None:
        path.write_text(written, encoding="utf-8")
    config.write_text(
        f'[sensor_hub]\nport = "/dev/x"\n[calibration]\npath = "{path}"\n', encoding="utf-8"
    )
    result = run("--config", config, "--board-file", board_file)
    assert result.exit_code == 0
    assert says in result.stderr
    config.write_text(f'[calibration]\npath = "{path}"\n', encoding="utf-8")
    assert run("--config", config, "--board-file", board_file).stderr == ""
