"""A hub is installed into a root folder and removed again, with the real tools of systemd.

The program itself counts as already there, as in tests/ops/test_install.py.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import install as boards_install
from jackspot.festival.broker import free_port, program, reached
from jackspot.festival.certificates import addresses_of
from jackspot.festival.hall import Hall
from jackspot.festival.joining import NAME, read_file
from jackspot.festival.probe import probe
from jackspot.festival.users import OWN
from jackspot.ops.install.parts import carried_file
from jackspot.ops.install.program import HOME
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.values import changed
from jackspot_hub.command import opened
from jackspot_hub.desk.revising import correct
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event_file import facts, read_event
from jackspot_hub.upkeep import command
from jackspot_hub.upkeep.command import install_command, uninstall_command
from jackspot_hub.upkeep.installing import (
    AVAHI,
    BROKER,
    CARRIED,
    CHRONY,
    ENABLED,
    HERE,
    KEYS,
    NEEDED,
    RUNS,
    STATE,
    UNIT_PLACE,
    HubWishes,
    InstalledHub,
    installed,
    installing,
    runs_what,
)
from tests.festival.conftest import mosquitto, place  # noqa: F401  fixtures
from tests.festival.guests import make
from tests.ops.test_install import contents
from tests.ops.test_systemd_files import FOLDER, told_by

EVENT = """\
name = "Small cup"
hall = "hikone"
boards = 2

[[contest]]
name = "s"
format = "all"
entrants = ["Aiko", "Ben", "Chie"]
"""
AVAHIS = "[server]\nuse-ipv4=yes\n\n[publish]\npublish-hinfo=no\n"
ADDRESS = ("--address", "192.168.7.10")
EXPOSURE_AT_MOST = 17
"""Tenths, as ``systemd-analyze security`` gives them; less is better."""


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch, place: Path, mosquitto: None) -> Path:  # noqa: F811
    """Return the root of a fresh Debian machine, with Mosquitto, chrony and avahi on it."""
    path = place / "root"
    for folder in ("etc/mosquitto/conf.d", "etc/chrony/conf.d", "etc/avahi/services",
                   "etc/systemd/system", "usr/local/bin", "var/lib", HOME.lstrip("/")):  # fmt: skip
        (path / folder).mkdir(parents=True)
    user = pwd.getpwnam("mosquitto") if os.geteuid() == 0 else pwd.getpwuid(os.getuid())
    (path / "etc/passwd").write_text(
        f"root:x:0:0:root:/:/bin/sh\nmosquitto:x:{user.pw_uid}:{user.pw_gid}::/:/bin/false\n"
    )
    (path / "etc/group").write_text("root:x:0:\n")
    (path / AVAHI.lstrip("/")).write_text(AVAHIS)
    monkeypatch.setattr(sys, "prefix", str(path / HOME.lstrip("/")))
    for each in (command, boards_install):
        monkeypatch.setattr(each, "find_checkout", lambda: None)
    return path


@pytest.fixture
def event(place: Path) -> Path:  # noqa: F811
    path = place / "cup.toml"
    path.write_text(EVENT)
    return path


def run_install(root: Path, event: Path, *more: str) -> Result:
    words = [f"--root={root}", *(more or ADDRESS), str(event), "--yes"]
    return CliRunner().invoke(install_command, words)


def run_uninstall(root: Path) -> Result:
    return CliRunner().invoke(uninstall_command, [f"--root={root}", "--yes"])


def at(root: Path, path: str) -> Path:
    return root / path.lstrip("/")


@pytest.mark.needs_root
def test_an_installed_hub_has_keys_name_time_event_and_an_enabled_service(
    root: Path, event: Path
) -> None:
    done = run_install(root, event)
    assert done.exit_code == 0, done.output
    keys = at(root, KEYS)
    handed = read_file(keys / NAME)
    assert handed.hall == "hikone"
    assert [host for host, _ in handed.broker] == ["192.168.7.10", "jackspot-hub.local"]
    assert addresses_of((keys / "server.crt").read_text()) == [
        "192.168.7.10", "jackspot-hub.local", HERE,
    ]  # fmt: skip
    assert f"{KEYS}/access" in (keys / "mosquitto.conf").read_text()
    assert at(root, BROKER).readlink() == Path(f"{KEYS}/mosquitto.conf")
    assert at(root, ENABLED).readlink() == Path(UNIT_PLACE)
    assert at(root, AVAHI).read_text().startswith(AVAHIS)
    assert "\n[server]\nhost-name=jackspot-hub\n" in at(root, AVAHI).read_text()
    for path, name in CARRIED.items():
        assert at(root, path).read_text() == carried_file(name)
    number = int(at(root, "/etc/passwd").read_text().split("jackspot:x:")[1].split(":")[0])
    for kept, mode in ((at(root, STATE), 0o750), (at(root, STATE) / "cup.toml", 0o640)):
        assert (kept.stat().st_uid, stat.S_IMODE(kept.stat().st_mode)) == (number, mode)
    assert installed(System(root)) == InstalledHub(Path(STATE, "cup.toml"), None)
    told = done.stdout
    assert f"To each board, by a USB stick: {KEYS}/{NAME}" in told
    assert "sudo journalctl -u jackspot-hub -g PIN" in told
    assert "sudo jackspot hub doctor" in told


@pytest.mark.needs_root
def test_installing_twice_changes_nothing_and_says_so(root: Path, event: Path) -> None:
    run_install(root, event)
    before = contents(root)
    again = run_install(root, event)
    assert "Nothing to do." in again.stdout
    assert contents(root) == before
    without = CliRunner().invoke(install_command, [f"--root={root}", str(event), "--yes"])
    assert "Nothing to do." in without.stdout


def test_a_dry_run_says_all_that_would_be_done_and_does_none_of_it(root: Path, event: Path) -> None:
    before = contents(root)
    done = run_install(root, event, "--dry-run", *ADDRESS)
    assert done.exit_code == 0, done.output
    said = re.sub(r"\s+", " ", done.stdout)
    for each in (UNIT_PLACE, RUNS, KEYS, BROKER, CHRONY, AVAHI, f"{STATE}/cup.toml"):
        assert each in said
    assert contents(root) == before


def test_nothing_is_done_by_nobodys_root(
    root: Path, event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ["/usr/bin/jackspot", "hub", "install", f"--root={root}", str(event)]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "argv", typed)
    before = contents(root)
    done = run_install(root, event)
    assert done.exit_code == 1
    assert f"needs root; type: sudo {' '.join(typed)}\n" in done.stderr
    assert contents(root) == before


class _Debian(System):
    """A machine with dpkg, on which only the packages ``there`` are installed."""

    def __init__(self, root: Path, *there: str) -> None:
        super().__init__(root)
        self.there = there

    def asked(self, *program: str) -> str | None:
        match program:
            case ("dpkg-query", "--version"):
                return "Debian"
            case ("dpkg-query", *_, name):
                return "installed" if name in self.there else None
            case ("apt-cache", "show", _):
                return "Package:"
            case ("hostname", "-I"):
                return "192.168.7.10 10.0.0.3 169.254.1.1 fe80::1 127.0.0.1 "
        return super().asked(*program)


def wishes_of(event: Path) -> HubWishes:
    return HubWishes(event, read_event(event))


def test_packages_that_lack_are_installed_or_named_in_the_one_line_to_type(
    root: Path, event: Path
) -> None:
    system = _Debian(root, "mosquitto", "libnss-mdns", "python3-venv")
    packages, *_ = installing(system, None, wishes_of(event))
    assert packages.words.startswith("apt install chrony avahi-daemon;")
    with pytest.raises(StepFailed) as refused:
        installing(system, None, changed(wishes_of(event), packages=False))
    assert str(refused.value) == (
        "chrony, avahi-daemon: not installed; type: sudo apt-get install -y chrony avahi-daemon"
    )
    all_there = _Debian(root, *NEEDED)
    packages, *_ = installing(all_there, None, changed(wishes_of(event), packages=False))
    assert packages.act is None


def test_without_an_address_the_machines_own_are_handed_out_with_the_name(
    root: Path, event: Path
) -> None:
    steps = {each.what: each for each in installing(_Debian(root, *NEEDED), None, wishes_of(event))}
    assert "reach it at 192.168.7.10, 10.0.0.3, jackspot-hub.local" in steps["keys"].words


@pytest.mark.needs_root
def test_a_real_mosquitto_takes_the_keys_beside_debians_own_config(
    root: Path, event: Path, place: Path,  # noqa: F811
) -> None:  # fmt: skip
    assert run_install(root, event).exit_code == 0
    port, keys = free_port(), at(root, KEYS)
    text = (keys / "mosquitto.conf").read_text().replace(KEYS, str(keys))
    assert "listener 8883\n" in text
    (place / "conf.d").mkdir()
    (place / "conf.d/hall.conf").write_text(text.replace("listener 8883\n", f"listener {port}\n"))
    (place / "lib").mkdir()
    shutil.chown(place / "lib", "mosquitto")
    (place / "main.conf").write_text(  # as Debian's package has it
        f"pid_file {place}/lib/pid\npersistence true\npersistence_location {place}/lib/\n"
        f"log_dest file {place}/lib/log\ninclude_dir {place}/conf.d\n"
    )
    handed = changed(read_file(keys / NAME), number=2, broker=((HERE, port),))
    hall = Hall.of(handed)
    with subprocess.Popen([program(), "-c", str(place / "main.conf")]) as running:
        try:
            assert reached((HERE, port), lambda: running.poll() is None)
            [login] = hall.doctors_logins
            probe(login, hall.topic("doctor"))
            secret = (keys / "hub.password").read_text()
            probe(changed(login, user="hub", password=secret), "jackspot/1/hikone/doctor")
        finally:
            running.terminate()


@pytest.mark.needs_root
def test_more_boards_and_another_address_keep_what_boards_have(root: Path, event: Path) -> None:
    run_install(root, event)
    keys = at(root, KEYS)
    kept = {name: (keys / name).read_text() for name in ("key", "hall.crt", "hub.password")}
    event.write_text(EVENT.replace("boards = 2", "boards = 4"))
    more = run_install(root, event, *ADDRESS, "--address", "10.0.0.3")
    assert more.exit_code == 0, more.output
    assert {name: (keys / name).read_text() for name in kept} == kept
    assert "user b004\n" in (keys / "access").read_text()
    assert "10.0.0.3" in addresses_of((keys / "server.crt").read_text())
    event.write_text(EVENT)
    assert run_install(root, event, *ADDRESS, "--address", "10.0.0.3").exit_code == 0
    assert "user b004\n" in (keys / "access").read_text()


@pytest.mark.needs_root
def test_an_event_that_was_begun_is_not_replaced_by_another_one(root: Path, event: Path) -> None:
    run_install(root, event)
    begun = at(root, STATE) / "cup.begun.json"
    begun.write_text(json.dumps(facts(read_event(event))))
    event.write_text(EVENT.replace('"Chie"', '"Dirk"'))
    done = run_install(root, event)
    assert done.exit_code == 1
    assert "the event is under way, and its file was changed" in done.stderr
    assert at(root, f"{STATE}/cup.toml").read_text() == EVENT


@pytest.mark.needs_root
def test_an_event_follows_its_trial_in_the_same_hall(root: Path, event: Path) -> None:
    trial = event.with_name("trial.toml")
    trial.write_text(EVENT.replace("Small cup", "Trial"))
    run_install(root, trial)
    key = (at(root, KEYS) / "key").read_text()
    done = run_install(root, event)
    assert done.exit_code == 0, done.output
    assert installed(System(root)) == InstalledHub(Path(STATE, "cup.toml"), None)
    assert at(root, f"{STATE}/trial.toml").read_text() == trial.read_text()
    assert (at(root, KEYS) / "key").read_text() == key


@pytest.mark.needs_root
def test_another_machine_goes_on_from_the_stick_with_the_keys_that_boards_have(
    root: Path, event: Path, place: Path,  # noqa: F811
) -> None:  # fmt: skip
    with closing(opened(event, event.with_suffix(".sqlite3"), lambda *_: None)) as hub:
        hub.enter(correct(hub.desk, "s-1-1", Outcome(0, (12, 3)), "test"))
    keys = at(root, KEYS)
    make(keys, "--boards", "2", "--address", "jackspot-hub.local", "--port", "8883")
    key = (keys / "key").read_text()
    for each in keys.iterdir():  # as they come from a stick
        each.chmod(0o755)
        os.chown(each, 0, 0)
    done = CliRunner().invoke(install_command, [f"--root={root}", str(event), "--yes"])
    assert done.exit_code == 0, done.output
    journal = at(root, f"{STATE}/cup.sqlite3")
    number = int(at(root, "/etc/passwd").read_text().split("jackspot:x:")[1].split(":")[0])
    assert {each.stat().st_uid for each in journal.parent.glob("cup.sqlite3*")} == {number}
    with closing(opened(journal.with_suffix(".toml"), journal, lambda *_: None)) as hub:
        assert set(hub.desk.results["s"]) == {"s-1-1"}
    noted = journal.with_name("cup.sqlite3.exports").read_text()
    assert noted.splitlines() == [f'"{event.parent}"'], "where names are left, for hub forget"
    assert (keys / "key").read_text() == key
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in keys.iterdir()}
    assert modes.pop("hall.crt") == 0o644
    assert set(modes.values()) == {0o600}
    assert (keys / "access").stat().st_uid == pwd.getpwnam("mosquitto").pw_uid
    (event.with_suffix(".sqlite3")).write_text("another one")
    again = CliRunner().invoke(install_command, [f"--root={root}", str(event), "--yes"])
    assert "Nothing to do." in again.stdout


@pytest.mark.needs_root
def test_an_event_of_another_hall_is_refused(root: Path, event: Path) -> None:
    run_install(root, event)
    event.write_text(EVENT.replace("hikone", "kyoto"))
    done = run_install(root, event)
    assert done.exit_code == 1
    assert "has the keys of the hall 'hikone', and the event is played in 'kyoto'" in done.stderr


@pytest.mark.needs_root
def test_uninstalling_keeps_keys_and_events_and_leaves_the_rest_as_it_was(
    root: Path, event: Path
) -> None:
    before = contents(root)
    run_install(root, event)
    journal = at(root, f"{STATE}/cup.sqlite3")
    journal.write_text("what people played")
    assert run_uninstall(root).exit_code == 0
    after = contents(root)
    left = {name for name in set(after) - set(before) if "/systemd/" not in f"/{name}"}
    mine = {name for name in left if not name.startswith(KEYS.lstrip("/"))}
    assert mine >= {"var/lib/jackspot-hub/cup.toml", "var/lib/jackspot-hub/cup.sqlite3"}
    assert not [name for name in after if name.endswith(("jackspot-hub.service", "event.conf"))]
    assert {f"{KEYS.lstrip('/')}/{user}.password" for user in OWN} <= left
    assert after[AVAHI.lstrip("/")] == AVAHIS
    assert CHRONY.lstrip("/") not in after
    assert BROKER.lstrip("/") not in after
    again = run_uninstall(root)
    assert "Nothing to do." in again.stdout


@pytest.mark.needs_root
def test_a_board_and_a_hub_on_one_machine_leave_each_other_the_program(
    root: Path, event: Path
) -> None:
    run_install(root, event)
    board = CliRunner().invoke(boards_install.command, [f"--root={root}", "--yes"])
    assert board.exit_code == 0, board.output
    off = CliRunner().invoke(boards_install.uninstall, [f"--root={root}", "--yes", "--purge"])
    assert "jackspot-hub.service needs it" in re.sub(r"\s+", " ", off.stdout)
    assert at(root, HOME).is_dir()
    assert "jackspot:x:" in at(root, "/etc/passwd").read_text()
    CliRunner().invoke(boards_install.command, [f"--root={root}", "--yes"])
    assert run_uninstall(root).exit_code == 0
    assert at(root, HOME).is_dir()


@pytest.mark.parametrize(
    ("copy", "says"),
    [("/tmp/copy", "sees nothing below /tmp"), ("/media/a$b", "expected a path from /"),
     ("stick", "expected a path from /")],
)  # fmt: skip
def test_a_copy_that_the_service_cannot_make_is_refused(
    root: Path, event: Path, copy: str, says: str
) -> None:
    done = run_install(root, event, *ADDRESS, "--copy", copy)
    assert done.exit_code == 1
    assert says in done.stderr


def unit_with_event(tmp_path: Path, event: Path) -> Path:
    """Write the service's files as they are installed, with a program that is there."""
    unit = tmp_path / "jackspot-hub.service"
    unit.write_text(carried_file(unit.name))
    drop_in = unit.with_name(f"{unit.name}.d") / "event.conf"
    drop_in.parent.mkdir()
    wishes = changed(wishes_of(event), copy=Path("/media/my stick"))
    drop_in.write_text(runs_what(wishes).replace(f"{HOME}/bin/jackspot", "/bin/true"))
    return unit


def test_systemd_finds_nothing_wrong_with_the_service(tmp_path: Path, event: Path) -> None:
    unit = unit_with_event(tmp_path, event)
    assert told_by("systemd-analyze", "verify", str(unit)) in (None, (0, ""))
    told = told_by("systemd-analyze", "security", "--offline=yes", "--no-pager",
                   f"--threshold={EXPOSURE_AT_MOST}", str(unit))  # fmt: skip
    assert told is None or told[0] == 0, told[1][-300:]


def test_the_service_gets_its_password_as_a_credential_and_works_in_its_own_folder() -> None:
    said = dict(
        line.split("=", 1)
        for line in (FOLDER / "jackspot-hub.service").read_text().splitlines()
        if "=" in line and not line.startswith("#")
    )
    assert f"/var/lib/{said['StateDirectory']}" == said["WorkingDirectory"] == STATE
    assert said["LoadCredential"] == f"hall.crt:{KEYS}/hall.crt"
    assert said["Restart"] == "always"
