"""The board from Debian packages, in a booted Debian 13: installed, updated, uninstalled.

apt and dpkg install them without a network, systemd is the first process, and the pins are the
kernel's. The trial of an update takes its real minute. The power is cut at moments drawn from a
seed; the disk then has what the guest had forced to it.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from jackspot.core.record import read_record
from jackspot.core.scoring import score
from jackspot.files import from_json
from jackspot.ops.update import release
from tests.kernel import image
from tests.kernel.board import Board, Step
from tests.kernel.people import answer, pocketed, score_one
from tests.kernel.plays import played
from tests.kernel.qemu import Machine, Source, make_layer, wait_until
from tests.ops.update_bench import NAMES, Signer

RECORD = Path(__file__).with_name("match.carom")
SEED = 20_261_127
UPDATE_S = 130.0
"""How long an update takes at most, in the guest's seconds; sixty of them are its trial."""
UPDATE = "/var/lib/jackspot-update"
LATER, OLDER = "/srv/later.update", "/srv/older.update"
NO_MATCH = ("setup", "match_over")
APT = "DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends"

ENDS = "if 'run' in sys.argv: sys.exit(1)"
NEVER_READY = "if 'run' in sys.argv: import time; time.sleep(3600)"
HANGS = """
if 'run' in sys.argv:
    import os, socket, time
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.connect(os.environ['NOTIFY_SOCKET'])
    told.send(b'READY=1')
    time.sleep(3600)
"""


class Versions(Struct, frozen=True):
    """The packages of ``dist/`` and the same under a later version, and who signs releases."""

    folder: Path
    signer: Signer
    now: str
    later: str

    def as_later(self, name: str, program: str = "") -> list[Path]:
        """Make the later packages; ``program`` is put before what the command does."""
        folder = self.folder / name
        folder.mkdir()
        return [_as_later(folder, each, self, program) for each in NAMES]

    def put_release(self, machine: Machine, place: str, version: str, debs: Sequence[Path]) -> None:
        """Make a release's file of packages, and put it into a guest with the maker's key."""
        file = self.folder / f"{version}-{len(list(self.folder.glob('*.update')))}.update"
        release.write(file, version, debs, self.signer.sign)
        machine.write("/etc/jackspot/update.gpg", self.signer.keyring.read_bytes())
        machine.write(place, file.read_bytes())
        machine.run("sync")


def _as_later(folder: Path, name: str, versions: Versions, program: str) -> Path:
    tree, deb = folder / name, folder / f"{name}_{versions.later}_all.deb"
    subprocess.run(["dpkg-deb", "--raw-extract", image.packages()[name], tree], check=True)
    control, command = tree / "DEBIAN/control", tree / "usr/bin/jackspot"
    control.write_text(control.read_text().replace(versions.now, versions.later))
    if program and command.exists():
        begun = command.read_text().replace("import sys\n", f"import sys\n{program}\n", 1)
        command.write_text(begun)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", tree, deb],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return deb


@pytest.fixture(scope="session")
def source() -> Source:
    """Return a guest into which apt has just installed the packages of ``dist/``."""
    if not image.packages():
        pytest.skip("dist/ has no packages: make deb")
    return image.ready_by_packages()


@pytest.fixture(scope="session")
def versions(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Versions:
    """Return what can be updated to, and from."""
    assert source.state is not None
    folder = tmp_path_factory.mktemp("versions")
    now = image.packages()["jackspot"].name.split("_")[1]
    return Versions(folder, Signer(folder / "key"), now, f"{now}.later")


@pytest.fixture(scope="session")
def after_a_match(source: Source) -> Source:
    """Return that guest after a match was played on its board."""

    def prepare(machine: Machine) -> None:
        board = Board(machine)
        config, steps = played(RECORD)
        board.start(config)
        board.drive(steps)
        assert ended_right(board.wait_for_phase("match_over"))
        machine.run("sync")

    return image.saved(source, source.disk.parent, "played", prepare)


def test_installed_by_apt_it_is_in_set_up_scores_what_falls_and_the_doctor_finds_nothing(
    board: Board, versions: Versions
) -> None:
    machine = board.machine
    assert machine.run(
        "systemctl is-active jackspot; systemctl show jackspot -P NRestarts"
    ).text == ("active\n0")
    assert machine.run("systemctl is-enabled jackspot jackspot-offered.path").text.split() == [
        "enabled", "enabled",
    ]  # fmt: skip
    assert machine.run("systemctl --failed --no-legend").text == ""
    assert packages(machine) == versions.now
    state = board.state()
    assert (state["phase"], state["faults"]) == ("setup", [])
    assert broken(machine) == []
    wait_until("a picture", lambda: board.oled().getbbox())
    board.press("referee_ok")
    board.wait_for_phase("ready")
    assert pocketed(score_one(board, "NE")) == [1, 0]
    wait_until("a picture", lambda: board.oled().getbbox())


def test_an_upgrade_leaves_the_match_alone_and_the_new_version_runs_after_it(
    board: Board, versions: Versions
) -> None:
    machine = board.machine
    config, steps = played(RECORD)
    first, rest = in_two(steps)
    board.start(config)
    board.drive(first)
    machine.run("sleep", "5")  # what fell last has been read
    before, process = board.state(), main_process(machine)
    assert before["phase"] not in NO_MATCH
    for deb in versions.as_later("upgrade"):
        machine.write(f"/srv/upgrade/{deb.name}", deb.read_bytes())
    began = uptime(machine)
    machine.run(f"{APT} install /srv/upgrade/*.deb", timeout_s=600)
    print(f"apt has upgraded in {uptime(machine) - began:.0f} s of the guest's")
    assert packages(machine) == versions.later
    now = board.state()
    assert (now["phase"], pocketed(now)) == (before["phase"], pocketed(before))
    assert main_process(machine) == process
    board.drive(rest)
    wait_until("another process", lambda: main_process(machine) not in {"0", process})
    assert ended_right(board.wait_for_phase("match_over"))
    wait_until("a picture", lambda: board.oled().getbbox())
    begin_anew(board)


def test_a_release_is_taken_after_its_trial_and_the_older_one_only_when_asked_for(
    after_a_match: Source, versions: Versions
) -> None:
    with Machine(after_a_match) as machine:
        board = Board(machine)
        versions.put_release(machine, LATER, versions.later, versions.as_later("later"))
        older = [image.packages()[name] for name in NAMES]
        versions.put_release(machine, OLDER, versions.now, older)
        there, process, began = dumped(board), main_process(machine), uptime(machine)
        machine.run(f"jackspot update --yes {LATER}", timeout_s=900)
        print(f"the update took {uptime(machine) - began:.0f} s of the guest's")
        kept = machine.run(f"du -sm {UPDATE}").text.split()[0]
        print(f"{UPDATE} has {kept} MB")
        is_whole(board, there, versions.later)
        assert main_process(machine) != process
        refused = machine.run(f"jackspot update --yes {OLDER}", check=False, timeout_s=300)
        assert (refused.status, b"--downgrade" in refused.err) == (1, True)
        began = uptime(machine)
        machine.run(f"jackspot update --yes --downgrade {OLDER}", timeout_s=900)
        print(f"going back by hand took {uptime(machine) - began:.0f} s of the guest's")
        is_whole(board, there, versions.now)
        wait_until("a picture", lambda: board.oled().getbbox())
        begin_anew(board)


@pytest.mark.parametrize(
    ("name", "program", "why"),
    [
        ("ends", ENDS, b"systemctl restart"),
        ("never-ready", NEVER_READY, b"systemctl restart"),
        ("hangs", HANGS, b"jackspot.service did not stay up"),
    ],
)
def test_a_version_that_does_not_work_goes_back_by_itself(
    after_a_match: Source, versions: Versions, name: str, program: str, why: bytes
) -> None:
    debs = versions.as_later(name, program)
    with Machine(after_a_match) as machine:
        board = Board(machine)
        versions.put_release(machine, LATER, versions.later, debs)
        there, began = dumped(board), uptime(machine)
        ended = machine.run(f"jackspot update --yes {LATER}", check=False, timeout_s=900)
        print(f"{name}: {uptime(machine) - began:.0f} s of the guest's until it was back")
        assert ended.status == 1, ended
        assert b"the version from before is here again" in ended.err, ended
        assert why in ended.err, ended
        is_whole(board, there, versions.now)
        begin_anew(board)


def test_power_cuts_in_an_update_leave_a_board_that_works_with_all_its_matches(
    after_a_match: Source, versions: Versions, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Each begins from the same saved guest, whose power is cut at another moment of its update."""
    first, cuts = (request.config.getoption(name) for name in ("--first-cut", "--cuts"))
    later = versions.as_later("cut-off")
    for number in range(first, first + cuts):
        after_s = random.Random(SEED + number).uniform(0, UPDATE_S)
        layer = make_layer(after_a_match, tmp_path / f"{number}.qcow2")
        with Machine(after_a_match, disk=layer, forced=True) as machine:
            versions.put_release(machine, LATER, versions.later, later)
            there = dumped(Board(machine))
            machine.run(f"systemd-run -q --unit=test-update jackspot update --yes {LATER}")
            machine.run("sleep", f"{after_s:.2f}", timeout_s=2 * UPDATE_S)
            stage = stage_of(machine)
            machine.kill()
        where = f"cut {number}, seed {SEED + number}, after {after_s:.1f} s, {stage}"
        cut_off = Source(after_a_match.kernel, after_a_match.initrd, layer, "qcow2")
        with Machine(cut_off, disk=layer, forced=True) as machine:
            try:
                found = comes_back(Board(machine), there, versions)
            except Exception as error:
                error.add_note(f"{where}\n{told(machine)}")
                raise
        print(f"{where}: {found}", flush=True)
        layer.unlink()


def comes_back(board: Board, there: Sequence[str], versions: Versions) -> str:
    """Wait until a board whose power was cut is whole, and return its version."""
    machine = board.machine
    state = f"{UPDATE}/state.json"
    wait_until(
        "the update to be over",
        lambda: machine.run("test", "!", "-e", state, check=False).status == 0,
        every_s=1,
    )
    board.wait_for("no match", lambda state: state["phase"] in NO_MATCH)
    found = packages(machine)
    assert found in (versions.now, versions.later)
    is_whole(board, there, found)
    begin_anew(board)
    took_s = uptime(machine)
    end = last(machine) or "not begun"
    return f"{end}, {'later' if found == versions.later else 'as before'}, whole at {took_s:.0f} s"


def test_removed_it_keeps_the_matches_and_purged_only_a_last_backup(
    after_a_match: Source, versions: Versions
) -> None:
    with Machine(after_a_match) as machine:
        board = Board(machine)
        there = dumped(board)
        machine.run(f"{APT} remove jackspot", timeout_s=300)
        assert machine.run("systemctl is-active jackspot", check=False).text == "inactive"
        machine.run(
            "test -e /var/lib/jackspot/journal.sqlite3 && test -e /var/backups/jackspot.zip"
        )
        machine.run(image.BY_APT, timeout_s=600)
        board.wait_for("no match", lambda state: state["phase"] in NO_MATCH)
        is_whole(board, there, versions.now)
        machine.run(f"{APT} purge jackspot jackspot-common", timeout_s=300)
        left = machine.run(
            "find / -xdev -name '*jackspot*' -not -path '/srv/*' -not -path '/usr/lib/modules/*' "
            "-not -path '/etc/systemd/system/jackspot.service.d*' "
            "-not -path '/etc/initramfs-tools/*'"
        ).text.split()
        assert left == ["/var/backups/jackspot.zip"]
        assert machine.run("systemctl --failed --no-legend").text == ""
        machine.run(image.BY_APT, timeout_s=600)
        board.wait_for_phase("setup")
        machine.run("jackspot restore --yes --restart /var/backups/jackspot.zip", timeout_s=300)
        board.wait_for("no match", lambda state: state["phase"] in NO_MATCH)
        is_whole(board, there, versions.now)


# --- what is looked at ----------------------------------------------------------------


def is_whole(board: Board, there: Sequence[str], version: str) -> None:
    """Check that the board runs, whole and in this version, with all that its journal had."""
    machine = board.machine
    state = board.wait_for("no match", lambda state: state["phase"] in NO_MATCH)
    assert state["faults"] == []
    assert packages(machine) == version
    assert machine.run("dpkg --audit && dpkg --verify jackspot jackspot-common").text == ""
    assert dumped(board)[: len(there)] == there
    machine.run(f"test ! -e {UPDATE}/state.json")
    assert machine.run("ls /etc/systemd/system/*/jackspot-update.service", check=False).text == ""
    assert machine.run("systemctl is-active jackspot").text == "active"


def begin_anew(board: Board) -> None:
    """Go on to another match, by its buttons."""
    if board.state()["phase"] == "match_over":
        answer(board, held=True)
        board.wait_for("set-up", lambda state: state["phase"] != "match_over")
    answer(board)
    board.wait_for_phase("ready")


def packages(machine: Machine) -> str:
    """Return the version of the board's packages, which are whole and all of one version."""
    form = "--showformat=${db:Status-Status} ${Version}\\n"
    rows = set(machine.run("dpkg-query", "--show", form, *NAMES).text.splitlines())
    [(status, version)] = [row.split(" ") for row in rows]
    assert status == "installed"
    return version


def broken(machine: Machine) -> list[str]:
    """Return what the doctor finds broken."""
    said = machine.run("jackspot doctor --json --seconds 0", check=False, timeout_s=300)
    findings: list[dict[str, Any]] = from_json(said.text)["findings"]
    return [str(each) for each in findings if each["mark"] == "broken"]


def dumped(board: Board) -> list[str]:
    """Return the journal, entry by entry."""
    return board.jackspot("dump").splitlines()


def main_process(machine: Machine) -> str:
    """Return the number of the board's process."""
    return machine.run("systemctl show jackspot -P MainPID").text


def uptime(machine: Machine) -> float:
    """Return the guest's uptime in seconds."""
    return float(machine.read("/proc/uptime").split()[0])


def stage_of(machine: Machine) -> str:
    """Return how far the update is."""
    state = machine.run("cat", f"{UPDATE}/state.json", check=False)
    if state.status == 0:
        return str(from_json(state.text)["stage"])
    return "ended" if last(machine) else "not begun"


def last(machine: Machine) -> str:
    """Return how the last update ended; empty: there was none."""
    said = machine.run("cat", f"{UPDATE}/last.json", check=False)
    return str(from_json(said.text)["end"]) if said.status == 0 else ""


def told(machine: Machine) -> str:
    """Return what the guest reports about an update that went wrong."""
    return machine.run(
        f"tail -n 40 {UPDATE}/log; cat {UPDATE}/*.json; dpkg --audit; "
        "systemctl --no-pager status jackspot jackspot-update; journalctl -b --no-pager -n 60",
        check=False,
    ).text


def ended_right(state: dict[str, Any]) -> bool:
    """Whether a match of the record has ended as the record says."""
    found, wanted = (score(read_record(text)) for text in (state["record"], RECORD.read_text()))
    return bool(found["boards"] == wanted["boards"] and found["match"] == wanted["match"])


def in_two(steps: Sequence[Step]) -> tuple[Sequence[Step], Sequence[Step]]:
    """Divide a match at its longest pause somewhere in the middle."""
    third = len(steps) // 3
    at = max(range(third, 2 * third), key=lambda number: steps[number][0])
    return steps[:at], steps[at:]
