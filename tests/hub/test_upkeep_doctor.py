"""The doctor of a hub: each fault is made for real, and the doctor names that one alone.

The broker is a real Mosquitto with a hall's keys; the hub is the real one with its pages.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.festival.broker import free_port, program, reached
from jackspot.festival.certificates import Pair, make_authority, make_server
from jackspot.festival.connection import Login
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.users import HUB
from jackspot.ops.doctor import Finding, Severity
from jackspot.values import changed
from jackspot.web.referee.kept import KeptFile
from jackspot_hub.command import opened, serve_pages
from jackspot_hub.desk.revising import correct
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.running import RunningHub
from jackspot_hub.upkeep.command import doctor_command
from jackspot_hub.upkeep.doctor import ExaminedHub, examine
from tests.conftest import PATIENCE_S
from tests.festival.conftest import mosquitto, place  # noqa: F401  fixtures
from tests.festival.guests import HALL, ROOT, Guest, make, said, secret_of
from tests.ops.written_machine import Written

pytestmark = pytest.mark.live

EVENT = f"""\
name = "Small cup"
hall = "{HALL}"
boards = 2

[[contest]]
name = "s"
format = "all"
entrants = ["Aiko", "Ben", "Chie"]
"""
WHOLE = """\
Reference ID    : C0A80701 (192.168.7.1)
Stratum         : 3
System time     : 0.000012 seconds fast of NTP time
Leap status     : Normal
"""


@dataclass
class Halls:
    """A hall: the event's file in its folder, its keys, its broker, and the machine it is on."""

    folder: Path
    keys: Path
    port: int
    hub: ExaminedHub
    machine: Written
    broker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = [program(), "-c", str(self.keys / "mosquitto.conf")]
        self.broker = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = self.broker
        assert reached(("127.0.0.1", self.port), lambda: runs.poll() is None)
        # It listens before it has read its keys; once it answers, it has read them.
        ssl.get_server_certificate(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def stop(self) -> None:
        if self.broker is not None:
            self.broker.terminate()
            self.broker.wait()
            self.broker = None

    def again(self) -> None:
        self.stop()
        self.start()

    def all(self) -> list[Finding]:
        return list(examine(self.machine, self.hub))

    def told(self) -> list[Finding]:
        """Return what is not well, apart from boards that have never been heard."""
        return [each for each in self.all() if each.mark is not Severity.WELL
                and each.what != "boards"]  # fmt: skip

    def only(self) -> Finding:
        told = self.told()
        assert len(told) == 1, told
        return told[0]


@pytest.fixture
def hall(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Halls]:  # noqa: F811
    monkeypatch.setattr("jackspot_hub.upkeep.doctor.SLOW_S", PATIENCE_S)  # tests load a disk
    folder, keys, port = place / "event", place / "hall", free_port()
    folder.mkdir()
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    event = folder / "cup.toml"
    event.write_text(EVENT)
    make(keys, "--boards", "2", "--port", str(port))
    machine = Written(programs={"chronyc": WHOLE, program(): "mosquitto version 2.0.11\n"})
    hub = ExaminedHub(event, event.with_suffix(".sqlite3"), keys, None, free_port())
    made = Halls(folder, keys, port, hub, machine)
    made.start()
    yield made
    made.stop()


@contextmanager
def running(hall: Halls, name: str = "cup.toml") -> Iterator[RunningHub]:
    """Run a hub at the hall's broker, with its pages."""
    login = Login("127.0.0.1", hall.port, HUB, secret_of(hall.keys, HUB), MOST_BYTES,
                  hall.keys / "hall.crt")  # fmt: skip
    ended = threading.Event()
    event = hall.folder / name
    with ExitStack() as around:
        hub = around.enter_context(
            closing(opened(event, event.with_suffix(".sqlite3"), lambda *_: None))
        )
        serve_pages(around, hub, ("127.0.0.1", hall.hub.port), KeptFile(hall.folder / "pin.json"))
        thread = threading.Thread(target=hub.run, args=(login, ended.is_set))
        thread.start()
        try:
            yield hub
        finally:
            ended.set()
            thread.join()


def well(findings: list[Finding]) -> dict[str, str]:
    return {each.what: each.found for each in findings if each.mark is Severity.WELL}


def played(hall: Halls, times: int = 1) -> None:
    """Put something into the journal."""
    with closing(opened(hall.hub.event, hall.hub.journal, lambda *_: None)) as hub:
        for _ in range(times):
            hub.enter(correct(hub.desk, "s-1-1", Outcome(0, (12, 3)), "test"))
    if os.geteuid() == 0:
        for each in hall.folder.iterdir():
            shutil.chown(each, "nobody", "nogroup")


def test_all_is_well_before_the_hub_runs(hall: Halls) -> None:
    played(hall)
    findings = hall.all()
    assert hall.told() == []
    found = well(findings)
    assert found["event"] == f"Small cup, hall {HALL}; boards: 2, classes: 1"
    assert found["journal"].endswith("1 entries, each one checked")
    assert found["mosquitto"] == "2.0.11"
    assert found["keys"] == f"{hall.keys}: of the hall {HALL}, for 2 boards"
    assert found["broker"] == f"boards reach it at 127.0.0.1:{hall.port}"
    assert found["hub"] == "does not run; the broker would let it in"
    assert found["clock"] == "set by chrony, stratum 3, and given on"
    assert found["pages"] == f"port {hall.hub.port} is free"
    [boards] = [each for each in findings if each.what == "boards"]
    assert boards.found == "0 of 2 are here, 0 have been heard; never: 1, 2"


def test_a_hub_that_runs_stays_connected_and_its_boards_are_counted(hall: Halls) -> None:
    boards = [Guest(hall.keys, hall.port, name, secret_of(hall.keys, name), name)
              for name in ("b001", "b002")]  # fmt: skip
    with running(hall) as hub:
        status = b'{"v": 1, "state": "%s", "boot": "4cd625c0", "n": 1}'
        assert boards[0].may_write(f"{ROOT}/board/b001/status", status % b"ready")
        until(lambda: "hub" in well(hall.all()) and well(hall.all())["hub"].startswith("is conn"))
        findings = hall.all()
        assert hall.told() == []
        found = well(findings)
        assert found["pages"] == f"answered by the hub at port {hall.hub.port}"
        [told] = [each for each in findings if each.what == "boards"]
        assert told.found == "1 of 2 are here, 1 have been heard; never: 2"
        assert boards[1].may_write(f"{ROOT}/board/b002/status", status % b"lost")
        assert well(hall.all())["boards"] == "1 of 2 are here, 2 have been heard"
        assert "broker" not in hub.troubles
    for each in boards:
        each.close()


def until(what: Callable[[], object]) -> None:
    due_s = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < due_s
        time.sleep(0.05)


# --- the event, its journal, its disk ------------------------------------------------------


def test_an_event_that_is_none_is_named_with_its_place(hall: Halls) -> None:
    hall.hub.event.write_text(EVENT.replace("boards = 2", "boards = 0"))
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "event")
    assert "boards: input should be greater" in found.found


def test_an_event_that_was_changed_under_way_is_named(hall: Halls) -> None:
    played(hall)
    hall.hub.event.write_text(EVENT.replace('"Chie"', '"Dirk"'))
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "event")
    assert "the event is under way, and its file was changed" in found.found


def test_a_journal_that_is_damaged_is_named(hall: Halls) -> None:
    played(hall)
    damaged = hall.hub.journal.read_bytes().replace(b"[12,3]", b"[13,3]")
    assert damaged != hall.hub.journal.read_bytes()
    hall.hub.journal.write_bytes(damaged)
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "journal")
    assert "is damaged after 0 entries" in found.found


@pytest.mark.needs_root
def test_a_folder_in_which_its_owner_may_not_write_is_named(hall: Halls) -> None:
    hall.folder.chmod(0o555)
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "folder")
    assert found.found == f"{hall.folder}: nothing can be written: Permission denied"


@pytest.mark.needs_root
def test_a_disk_that_is_full_is_named(hall: Halls) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "x", hall.folder],
                   check=True)  # fmt: skip
    try:
        hall.hub.event.write_text(EVENT)
        with pytest.raises(OSError, match="No space"):
            (hall.folder / "full").write_bytes(b"x" * 1_000_000)
        found = hall.only()
        assert (found.mark, found.what) == (Severity.BROKEN, "folder")
        assert "No space left on device" in found.found
    finally:
        subprocess.run(["umount", hall.folder], check=True)


def test_a_copy_on_the_same_disk_or_on_none_is_named(hall: Halls) -> None:
    copy = hall.folder.parent / "copy"
    hall.hub = changed(hall.hub, copy=copy)
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "copy")
    assert found.found == f"{copy}: no copy can be made: No such file or directory"
    copy.mkdir()
    copy.chmod(0o777)
    found = hall.only()
    assert (found.mark, found.what) == (Severity.DOUBTFUL, "copy")
    hall.hub = changed(hall.hub, copy=Path("/dev/shm"))
    assert hall.told() == []


@pytest.mark.needs_root
def test_a_stick_without_room_for_the_journal_is_named(hall: Halls) -> None:
    copy = hall.folder.parent / "copy"
    copy.mkdir()
    hall.hub = changed(hall.hub, copy=copy)
    played(hall, times=200)
    size = hall.hub.journal.stat().st_size
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={2 * size},mode=777", "x", copy],
                   check=True)  # fmt: skip
    try:
        assert hall.told() == []
        for taken, mark in ((size // 2, Severity.DOUBTFUL), (2 * size - 12_288, Severity.BROKEN)):
            (copy / "full").write_bytes(b"x" * taken)
            found = hall.only()
            assert (found.mark, found.what) == (mark, "copy")
            assert f"KiB left at {copy}; the journal has " in found.found
        with pytest.raises(OSError, match="No space"):
            (copy / "full").write_bytes(b"x" * 3 * size)
        assert f"{copy}: no copy can be made: No space left on device" in hall.only().found
    finally:
        subprocess.run(["umount", copy], check=True)


# --- the clock -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "mark", "found"),
    [
        (WHOLE.replace("C0A80701 (192.168.7.1)", "7F7F0101 ()"), Severity.DOUBTFUL, "no time from"),
        (WHOLE.replace("Normal", "Not synchronised"), Severity.BROKEN, "chrony has not found"),
    ],
)
def test_a_clock_that_nobody_sets_is_named(
    hall: Halls, said: str, mark: Severity, found: str
) -> None:
    hall.machine.programs["chronyc"] = said
    only = hall.only()
    assert (only.mark, only.what) == (mark, "clock")
    assert only.found.startswith(found)


def test_a_clock_behind_the_journal_is_named(hall: Halls, monkeypatch: pytest.MonkeyPatch) -> None:
    played(hall)
    monkeypatch.setattr(time, "time", lambda: 946_684_800.0)
    only = hall.only()
    assert (only.mark, only.what) == (Severity.BROKEN, "clock")
    assert only.found.startswith("it shows 2000-01-01 00:00:00 UTC, before the journal's newest")


# --- the broker and its keys ---------------------------------------------------------------


def test_a_broker_that_does_not_run_is_named_once(hall: Halls) -> None:
    hall.stop()
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "broker")
    assert found.found == f"nothing listens at 127.0.0.1:{hall.port}"
    assert "systemctl restart mosquitto" in found.remedy


def test_a_mosquitto_that_is_too_old_is_named(hall: Halls) -> None:
    hall.machine.programs[program()] = "mosquitto version 1.6.12"
    found = hall.only()
    assert (found.mark, found.what, found.found) == (Severity.BROKEN, "mosquitto", "1.6.12")


def test_an_address_that_nobody_reaches_is_named_beside_one_that_leads_there(hall: Halls) -> None:
    words = ("--boards", "2", "--port", str(hall.port), "--address", "no-such-host.invalid")
    assert said(hall.keys, *words).exit_code == 0
    hall.again()
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "broker")
    assert found.found.startswith("no-such-host.invalid is not known here")


def test_a_broker_with_the_certificate_of_before_is_told_to_start_again(hall: Halls) -> None:
    words = ("--boards", "2", "--port", str(hall.port), "--address", "localhost")
    assert said(hall.keys, *words).exit_code == 0  # and the broker runs on with the old one
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "broker")
    assert found.found.startswith(f"localhost:{hall.port}: ")
    assert found.remedy == "restart the broker: sudo systemctl restart mosquitto"


def owned(path: Path, text: str) -> None:
    """Change one of the broker's files; it keeps its owner."""
    path.write_text(text)


@pytest.mark.parametrize("restarted", [True, False])
def test_a_certificate_of_another_hall_or_for_other_addresses_is_named(
    hall: Halls, restarted: bool
) -> None:
    other = make_server(make_authority("elsewhere"), ["127.0.0.1"])
    own = make_server(
        Pair((hall.keys / "hall.crt").read_text(), (hall.keys / "hall.key").read_text()), ["hub"]
    )
    for pair, says in ((other, "is none of this hall's"), (own, "is not for 127.0.0.1")):
        owned(hall.keys / "server.crt", pair.certificate)
        owned(hall.keys / "server.key", pair.key)
        if restarted:
            hall.again()
        found = hall.only()
        assert (found.mark, found.what) == (Severity.BROKEN, "certificate")
        assert found.found == f"{hall.keys / 'server.crt'} {says}"


@pytest.mark.parametrize("restarted", [True, False])
@pytest.mark.parametrize("user", ["b002", "hub", "wall", "hub-doctor"])
def test_a_password_that_is_another_is_named_with_its_user(
    hall: Halls, user: str, restarted: bool
) -> None:
    path = hall.keys / "passwords"
    lines = dict(line.split(":", 1) for line in path.read_text().splitlines())
    lines[user] = lines["home"]
    owned(path, "".join(f"{name}:{secret}\n" for name, secret in lines.items()))
    if restarted:
        hall.again()
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "passwords")
    assert found.found == f"{path} has other passwords for {user}"


def test_a_broker_with_passwords_of_before_is_told_to_start_again(hall: Halls) -> None:
    (hall.keys / "hub.password").unlink()
    make(hall.keys, "--boards", "2", "--port", str(hall.port))
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "hub")
    assert found.found.startswith("hub is not let in")
    assert found.remedy.startswith("restart the broker")


@pytest.mark.parametrize("restarted", [True, False])
def test_rights_that_somebody_changed_are_named(hall: Halls, restarted: bool) -> None:
    path = hall.keys / "access"
    text = path.read_text()
    for before, after in (
        ("topic read jackspot/1/hikone/public/#", "topic readwrite jackspot/1/hikone/#"),
        ("topic write jackspot/1/hikone/board/b002/doctor\n", ""),
    ):
        assert before in text
        owned(path, text.replace(before, after))
        if restarted:
            hall.again()
        found = hall.only()
        assert (found.mark, found.what) == (Severity.BROKEN, "rights")


def test_an_event_with_more_boards_than_there_are_keys_for_is_named(hall: Halls) -> None:
    hall.hub.event.write_text(EVENT.replace("boards = 2", "boards = 4"))
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "keys")
    assert found.found == "for 2 boards, and the event has 4"


def test_keys_of_another_hall_are_named(hall: Halls) -> None:
    hall.hub.event.write_text(EVENT.replace(HALL, "kyoto"))
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "keys")
    assert found.found == f"{hall.keys} is of the hall 'hikone', the event is played in 'kyoto'"


@pytest.mark.parametrize("lost", ["key", "hall.crt", "access", "hub.password", "festival.toml"])
def test_keys_that_are_not_whole_are_named(hall: Halls, lost: str) -> None:
    (hall.keys / lost).unlink()
    found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "keys")
    assert lost in found.found


# --- its pages, its service ----------------------------------------------------------------


@pytest.mark.parametrize("says", [b"HTTP/1.0 404 no\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_another_program_at_the_pages_port_is_named(hall: Halls, says: bytes) -> None:
    with socket.create_server(("127.0.0.1", hall.hub.port)) as other:
        threading.Thread(target=_answers, args=(other, says), daemon=True).start()
        found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "pages")
    assert found.found == f"another program has port {hall.hub.port}"


def _answers(listens: socket.socket, says: bytes) -> None:
    with listens.accept()[0] as who:
        who.recv(1_000)
        who.sendall(says)


def test_a_free_port_of_the_pages_is_free_also_beside_a_proxy(
    hall: Halls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(urllib.request, "_opener", None)
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}/")
        assert well(hall.all())["pages"] == f"port {hall.hub.port} is free"


def test_the_hub_of_another_event_at_the_pages_port_is_named(hall: Halls) -> None:
    other = hall.folder / "old.toml"
    other.write_text(EVENT.replace("Small cup", "Last year's"))
    with running(hall, other.name):
        found = hall.only()
    assert (found.mark, found.what) == (Severity.BROKEN, "pages")
    assert 'belongs to the hub of "Last year\'s"' in found.found


@pytest.mark.parametrize(
    ("said", "mark", "found"),
    [
        ("LoadState=loaded\nActiveState=failed\nUnitFileState=enabled", Severity.BROKEN, "failed"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=disabled", Severity.DOUBTFUL,
         "does not start with the machine"),
    ],
)  # fmt: skip
def test_a_service_that_does_not_run_or_start_is_named(
    hall: Halls, said: str, mark: Severity, found: str
) -> None:
    hall.hub = changed(hall.hub, is_service=True)
    hall.machine.programs["systemctl"] = said
    only = hall.only()
    assert (only.mark, only.what, only.found) == (mark, "service", found)


# --- the command ---------------------------------------------------------------------------


def test_the_command_says_a_line_each_and_ends_with_1_where_something_is_broken(
    hall: Halls,
) -> None:
    words = [str(hall.hub.event), "--keys", str(hall.keys), "--port", str(hall.hub.port)]
    done = CliRunner().invoke(doctor_command, [*words, "--json"])
    marks = {each["what"]: each["mark"] for each in json.loads(done.stdout)["findings"]}
    assert marks["broker"] == "well"
    hall.stop()
    done = CliRunner().invoke(doctor_command, words)
    assert done.exit_code == 1
    assert "nothing listens at" in done.stdout


def test_without_a_hub_here_it_asks_for_the_event() -> None:
    done = CliRunner().invoke(doctor_command, [])
    assert done.exit_code == 1
    assert "no hub is installed here; name its event" in done.stderr


def test_a_hub_with_a_broker_of_its_own_is_told_that_boards_do_not_reach_it(hall: Halls) -> None:
    hall.hub = changed(hall.hub, keys=None)
    found = hall.only()
    assert (found.mark, found.what) == (Severity.DOUBTFUL, "keys")
