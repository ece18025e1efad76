"""The board's own network, against a stand-in for the program `nmcli` that notes its calls.

Where the real `nmcli` is installed, its `--offline` shows what NetworkManager itself makes of the
profile.
"""

from __future__ import annotations

import configparser
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import hotspot as hotspot_command, main
from jackspot.commands.terminal.steps import StepMode, carry_out
from jackspot.config.hotspot import told, told_beside
from jackspot.ops.hotspot import (
    PASSWORD_LENGTH,
    Hotspot,
    NetworkManager,
    NoHotspot,
    checked,
    new_password,
    telling,
    usual_name,
)
from jackspot.ops.install.system import System

NMCLI = """#!/bin/sh
# Answers as nmcli does; notes what it was asked to change, and whether the network is up.
cd "$STANDIN" || exit 9
case "$*" in
  *"RUNNING general") cat running ;;
  *"device") cat devices ;;
  "radio wifi") cat radio ;;
  *"show --active") [ ! -e up ] || echo jackspot-hotspot ;;
  *"connection up"*) echo "$*" >> calls; [ ! -e refuses ] || exit 4; touch up ;;
  *"connection down"*) echo "$*" >> calls; rm -f up ;;
  "radio wifi on") echo "$*" >> calls; echo enabled > radio ;;
  *) echo "$*" >> calls ;;
esac
"""
SPOT = Hotspot("Board 7", "abcd-efgh", "wlan0")
AS_ANYBODY = StepMode(dry_run=False, yes=True, as_root=False)


class StandIn:
    """A machine with a program called nmcli."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "nm"
        programs = folder / "bin"
        self.profiles = folder / "profiles"
        for each in (self.folder, programs, self.profiles):
            each.mkdir()
        nmcli = programs / "nmcli"
        nmcli.write_text(NMCLI)
        nmcli.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
        monkeypatch.setenv("STANDIN", str(self.folder))
        self.say("running", "running")
        self.say("radio", "enabled")
        self.say("devices", "eth0:ethernet:connected\nwlan0:wifi:disconnected")
        self.manager = NetworkManager(System(), self.profiles)

    def say(self, what: str, text: str) -> None:
        (self.folder / what).write_text(f"{text}\n")

    @property
    def calls(self) -> list[str]:
        noted = self.folder / "calls"
        return noted.read_text().splitlines() if noted.exists() else []

    @property
    def profile(self) -> Path:
        return self.profiles / "jackspot-hotspot.nmconnection"

    def switch_on(self, spot: Hotspot = SPOT) -> None:
        carry_out([*self.manager.switching_on(spot)], "hotspot", AS_ANYBODY)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return StandIn(tmp_path, monkeypatch)


def test_a_network_is_written_for_root_alone_and_brought_up(machine: StandIn) -> None:
    machine.switch_on()
    assert machine.calls == [
        f"connection load {machine.profile}",
        "--wait 45 connection up id jackspot-hotspot",
    ]
    assert stat.S_IMODE(machine.profile.stat().st_mode) == 0o600
    said = configparser.RawConfigParser()
    said.read_string(machine.profile.read_text())
    assert (said["wifi"]["mode"], said["wifi"]["ssid"]) == ("ap", "Board 7")
    assert said["wifi-security"]["psk"] == "abcd-efgh"
    assert said["ipv4"]["method"] == "shared"
    assert not any("abcd-efgh" in call for call in machine.calls)


def test_asked_again_it_does_nothing(machine: StandIn) -> None:
    machine.switch_on()
    before = machine.calls
    machine.switch_on()
    assert machine.calls == before
    assert machine.manager.now() == ("Board 7", "abcd-efgh")


def test_a_network_that_went_down_comes_up_again_as_it_was(machine: StandIn) -> None:
    machine.switch_on()
    (machine.folder / "up").unlink()
    machine.switch_on()
    assert machine.calls[-1] == "--wait 45 connection up id jackspot-hotspot"
    assert len(machine.calls) == 3


def test_another_password_is_written_and_brought_up(machine: StandIn) -> None:
    machine.switch_on()
    machine.switch_on(Hotspot("Board 7", "other-word", "wlan0"))
    assert machine.manager.now() == ("Board 7", "other-word")
    assert len(machine.calls) == 4


def test_wifi_that_is_off_is_switched_on(machine: StandIn) -> None:
    machine.say("radio", "disabled")
    machine.switch_on()
    assert machine.calls[0] == "radio wifi on"


def test_off_takes_it_down_and_leaves_nothing(machine: StandIn) -> None:
    machine.switch_on()
    carry_out([*machine.manager.switching_off()], "hotspot --off", AS_ANYBODY)
    assert not machine.profile.exists()
    assert machine.calls[-2:] == [
        "--wait 15 connection down id jackspot-hotspot",
        "connection reload",
    ]
    carry_out([*machine.manager.switching_off()], "hotspot --off", AS_ANYBODY)
    assert len(machine.calls) == 4


def test_a_network_that_does_not_come_up_says_what_to_look_at(
    machine: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.say("refuses", "")
    with pytest.raises(SystemExit) as ended:
        machine.switch_on()
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert "do_wifi_country" in said
    assert "2 of" not in said


def run(*arguments: str, config: Path) -> Result:
    return CliRunner().invoke(
        main, ["hotspot", f"--config={config}", f"--board-file={config}", *arguments]
    )


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "jackspot.toml"
    path.write_text('[board]\nname = "Brett 3 (Süd)"\n', encoding="utf-8")
    return path


def test_a_dry_run_says_what_it_would_do(machine: StandIn, config: Path) -> None:
    shown = run("--dry-run", config=config)
    assert shown.exit_code == 0, shown.output
    assert "Brett 3 -S-d" in shown.stdout
    assert "Nothing was done" in shown.stdout
    assert machine.calls == []


@pytest.mark.parametrize(
    ("what", "text", "words"),
    [
        ("running", "not running", "NetworkManager does not run"),
        ("devices", "eth0:ethernet:connected", "no Wi-Fi"),
        ("devices", "wlan0:wifi:unmanaged", "no Wi-Fi"),
    ],
)
def test_a_machine_that_cannot_says_why(
    machine: StandIn, config: Path, what: str, text: str, words: str
) -> None:
    machine.say(what, text)
    refused = run(config=config)
    assert refused.exit_code == 1
    assert words in refused.stderr


def test_a_password_of_the_settings_is_not_made_anew_but_named(
    machine: StandIn, config: Path
) -> None:
    config.write_text('[hotspot]\npassword = "from the settings"\n', encoding="utf-8")
    refused = run("--new-password", "--dry-run", config=config)
    assert refused.exit_code == 1
    assert "the password is set in [hotspot] of the settings" in refused.stderr
    assert run("--dry-run", config=config).exit_code == 0


def test_off_needs_no_radio(
    machine: StandIn, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hotspot_command, "NetworkManager", lambda _system: machine.manager)
    machine.switch_on()
    machine.say("devices", "eth0:ethernet:connected")
    told = run("--off", "--dry-run", config=config)
    assert told.exit_code == 0, told.output
    shown = " ".join(told.stdout.split())
    assert "-> network take it down -> profile remove" in shown


def test_without_networkmanager_it_says_how_to_get_it(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = run(config=config)
    assert refused.exit_code == 1
    assert "apt install network-manager" in refused.stderr


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("", "abcdefgh"),
        ("a;b", "abcdefgh"),
        ("x" * 33, "abcdefgh"),
        ("Board", "short"),
        ("Board", "x" * 64),
        ("Board", "pass;word1"),
        ("Board", "line\nbreak1"),
        ("Board", " blanks  "),
        ("Board", "schlüssel"),
    ],
)
def test_what_not_every_phone_takes_is_refused(name: str, password: str) -> None:
    with pytest.raises(NoHotspot, match="expected"):
        checked(name, password, "wlan0")


def test_passwords_by_chance_and_usual_names_are_always_taken() -> None:
    made = {new_password() for _ in range(50)}
    assert len(made) == 50
    for password in made:
        assert len(password) == PASSWORD_LENGTH
        checked("Board", password, "wlan0")
    for board in ("彦根", "Board 1", "-" * 50, "Ä" * 60, "x" * 40):
        checked(usual_name(board), "abcdefgh", "wlan0")


@pytest.mark.skipif(shutil.which("nmcli") is None, reason="NetworkManager is not installed")
def test_networkmanager_reads_the_profile_as_it_is_meant() -> None:
    told = subprocess.run(
        ["nmcli", "--offline", "connection", "modify", "connection.autoconnect-retries", "1"],
        input=SPOT.profile(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    read = configparser.RawConfigParser()
    read.read_string(told.stdout)
    assert read["wifi"]["mode"] == "ap"
    assert read["wifi"]["ssid"] == "Board 7"
    assert read["wifi-security"]["psk"] == "abcd-efgh"
    assert read["wifi-security"]["key-mgmt"] == "wpa-psk"
    assert read["ipv4"]["method"] == "shared"
    assert read["connection"]["autoconnect-priority"] == "100"


# --- what the OLED shows of it ---------------------------------------------------------


def test_the_board_is_told_of_its_network_and_that_it_is_gone(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    assert told(journal) is None
    carry_out([telling(journal, SPOT)], "hotspot", AS_ANYBODY)
    assert told(journal) == (SPOT.name, SPOT.password)
    assert stat.S_IMODE(told_beside(journal).stat().st_mode) & 0o007 == 0
    assert telling(journal, SPOT).act is None
    carry_out([telling(journal, None)], "hotspot --off", AS_ANYBODY)
    assert told(journal) is None
    assert not told_beside(journal).exists()
    assert telling(journal, None).act is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "x"}', "\xff"])
def test_a_file_that_says_no_network_is_none(tmp_path: Path, text: str) -> None:
    told_beside(tmp_path / "journal").write_text(text, encoding="latin-1")
    assert told(tmp_path / "journal") is None


def test_a_machine_without_a_board_has_nobody_to_tell(tmp_path: Path) -> None:
    assert telling(tmp_path / "none" / "journal", SPOT).act is None
