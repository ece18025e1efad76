"""The stages of an update in a root without packages: what goes wrong beside dpkg."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from jackspot.commands import update
from jackspot.festival.messages import UpdateStep
from jackspot.festival.updating import HandedOver, UpdateFound
from jackspot.files import atomic_write
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.update import offered, packages, stages
from jackspot.ops.update.plan import UpdateEnd, UpdateStage, UpdateState
from jackspot.storage.database import build

NAMES = ("jackspot-common", "jackspot")
COMMAND = stages._command
STATE = UpdateState("1.1", "1.0", NAMES, (), "/journal.sqlite3", 1)


class Machine:
    """A root where dpkg is only noted; ``has`` is the version that is installed."""

    def __init__(self, root: Path) -> None:
        self.system = System(root)
        self.has = "1.0"
        for version in ("1.0", "1.1", "1.2"):
            folder = stages.packages_of(self.system, version)
            folder.mkdir(parents=True)
            for name in NAMES:
                (folder / f"{name}.deb").touch()

    def put(self, _system: System, debs: list[Path], _log: Path) -> None:
        self.has = debs[0].parent.name

    def go_on(self) -> UpdateEnd | None:
        return stages.go_on(self.system, print)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(stages, "installed", lambda _system: dict.fromkeys(NAMES, made.has))
    monkeypatch.setattr(stages, "put_in_place", made.put)
    monkeypatch.setattr(stages, "_command", lambda *_words: None)
    return made


def test_what_is_damaged_but_backed_up_prevents_no_update(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def backs_up(system: System, *words: str) -> None:
        if words[0] == "backup":
            system.at(stages.BACKUP).touch()
            raise StepFailed("jackspot backup: only the entries before that are in the backup")

    monkeypatch.setattr(stages, "_command", backs_up)
    stages.begin(machine.system, STATE)
    assert (machine.go_on(), machine.has) == (UpdateEnd.UPDATED, "1.1")
    assert "only the entries before that" in capsys.readouterr().out


def test_without_a_backup_nothing_is_changed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(_system: System, *words: str) -> None:
        if words[0] == "backup":
            raise StepFailed("jackspot backup: no room")

    machine.system.at(stages.BACKUP).touch()
    monkeypatch.setattr(stages, "_command", cannot)
    stages.begin(machine.system, STATE)
    assert (machine.go_on(), machine.has) == (UpdateEnd.LEFT, "1.0")
    assert "no room" in stages.outcome(machine.system)[1]


def test_without_the_program_to_back_up_with_nothing_is_changed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "_command", COMMAND)
    stages.begin(machine.system, STATE)
    assert (machine.go_on(), machine.has) == (UpdateEnd.LEFT, "1.0")
    assert "jackspot update: cannot be started" in stages.outcome(machine.system)[1]


class Units:
    """Notes what systemd is told; a disk on which no note of an update fits from some time on."""

    def __init__(self, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
        self.system, self.told, self.left = machine.system, list[str](), 0
        monkeypatch.setattr(self.system, "run_on_root", lambda *words: self.told.append(words[1]))
        monkeypatch.setattr(stages, "try_out", lambda *_: self.told.append("restart"))
        monkeypatch.setattr(stages, "atomic_write", self._write)
        self._patch = monkeypatch
        self._write_there = atomic_write

    def _write(self, path: Path, text: str, mode: int) -> None:
        if self.left <= 0 and (self.is_read_only or self.system.at(stages.PROGRAM).exists()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.left -= 1
        self._write_there(path, text, mode)

    def fill(self, left: int, *, read_only: bool = False) -> None:
        self.left, self.is_read_only = left, read_only
        if read_only:
            self._patch.setattr(
                System, "remove", Mock(side_effect=StepFailed("cannot be removed: Read-only"))
            )


RUNS = UpdateState("1.1", "1.0", NAMES, ("jackspot.service",), "/journal.sqlite3", 1)
COMES_UP = ("start", "restart")


@pytest.mark.parametrize("way_back", [True, False])
@pytest.mark.parametrize(("left", "version"), [(0, "1.0"), (1, "1.0"), (2, "1.0"), (3, "1.1")])
def test_a_state_that_cannot_be_written_leaves_no_board_stopped(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, left: int, version: str, way_back: bool
) -> None:
    units = Units(machine, monkeypatch)
    units.left = 99
    stages.begin(machine.system, replace(RUNS, has_way_back=way_back))
    units.fill(left)
    end = UpdateEnd.UPDATED if version == "1.1" else UpdateEnd.LEFT
    assert (machine.go_on(), machine.has, units.told[-1] in COMES_UP) == (end, version, True)
    assert stages.under_way(machine.system) is None
    told, why = stages.outcome(machine.system)
    assert (told, "No space left" in why) == (end, end is UpdateEnd.LEFT)


@pytest.mark.parametrize("left", range(6))
def test_a_trial_that_fails_on_a_full_disk_still_goes_back(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    units = Units(machine, monkeypatch)
    units.left = 99
    stages.begin(machine.system, RUNS)
    units.fill(left)
    monkeypatch.setattr(stages, "try_out", Mock(side_effect=StepFailed("did not stay up")))
    assert machine.go_on() is (UpdateEnd.LEFT if left < 3 else UpdateEnd.RETURNED)
    assert (machine.has, units.told[-1] in COMES_UP) == ("1.0", True)


@pytest.mark.parametrize("left", range(5))
def test_a_disk_that_became_read_only_leaves_no_board_stopped(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    units = Units(machine, monkeypatch)
    units.left = 99
    stages.begin(machine.system, RUNS)
    with monkeypatch.context() as patch:
        units = Units(machine, patch)
        units.fill(left, read_only=True)
        with pytest.raises(StepFailed, match="cannot be removed"):
            machine.go_on()
    assert units.told[-1] in COMES_UP
    assert machine.go_on() in (UpdateEnd.LEFT, UpdateEnd.UPDATED), "the next start takes it on"
    assert stages.under_way(machine.system) is None


@pytest.mark.parametrize("stage", UpdateStage)
def test_an_update_that_is_cut_off_under_the_command_is_said_to_go_on(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, stage: UpdateStage
) -> None:
    """As where memory runs out."""
    stages.begin(machine.system, replace(STATE, stage=stage))
    monkeypatch.setattr(stages, "go_on_apart", lambda _system: None)
    result = CliRunner().invoke(update.command, [f"--root={machine.system.root}", "--go-on"])
    assert (result.exit_code, result.stderr) == (1, f"{stages.CUT_OFF}\n")


def test_a_stuck_update_is_said_to_be_so_whatever_cuts_off_another_try(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages.begin(machine.system, replace(STATE, stage=UpdateStage.RETURN))
    monkeypatch.setattr(stages, "put_in_place", Mock(side_effect=StepFailed("no such package")))
    assert machine.go_on() is UpdateEnd.STUCK
    monkeypatch.setattr(stages, "go_on_apart", lambda _system: None)
    result = CliRunner().invoke(update.command, [f"--root={machine.system.root}", "--go-on"])
    assert "neither version is here whole: no such package" in result.stderr


# --- two at once -------------------------------------------------------------------------


def test_a_second_update_does_not_overwrite_the_first(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its question was asked before the other one began, and is answered while dpkg works."""
    other = UpdateState("1.2", "1.0", NAMES)

    def put(system: System, debs: list[Path], log: Path) -> None:
        with pytest.raises(stages.Underway):
            stages.begin(machine.system, other)
        machine.put(system, debs, log)

    monkeypatch.setattr(stages, "put_in_place", put)
    stages.begin(machine.system, STATE)
    with pytest.raises(stages.Underway):
        stages.begin(machine.system, other)
    assert stages.under_way(machine.system) == STATE
    assert (machine.go_on(), machine.has) == (UpdateEnd.UPDATED, "1.1")
    with pytest.raises(StepFailed, match="another update has ended meanwhile"):
        stages.begin(machine.system, other)
    assert stages.under_way(machine.system) is None


def test_an_update_whose_packages_another_one_has_removed_does_not_begin(machine: Machine) -> None:
    (stages.packages_of(machine.system, "1.1") / "jackspot.deb").unlink()
    with pytest.raises(StepFailed, match="another update has ended meanwhile"):
        stages.begin(machine.system, STATE)


# --- the process that does it ------------------------------------------------------------

APART = """
import signal
import sys
from pathlib import Path
from jackspot.commands.terminal.output import end_in_order
from jackspot.ops.install.system import System
from jackspot.ops.update import stages

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
end_in_order(lambda: stages.go_on_apart(System(Path(sys.argv[1]))))
"""
WAITS = """
import sys
from pathlib import Path

print("began", flush=True)
folder = Path(sys.argv[0]).parent
with (folder / "goes").open() as goes:
    goes.read()
(folder / "ended").touch()
with (folder / "over").open("w") as over:
    over.write("over")
"""


@pytest.mark.live
@pytest.mark.parametrize("by", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_no_signal_to_the_command_ends_the_process_that_installs(
    tmp_path: Path, by: signal.Signals
) -> None:
    folder = tmp_path / stages.FOLDER.lstrip("/")
    folder.mkdir(parents=True)
    (folder / "go-on").write_text(WAITS, encoding="utf-8")
    for name in ("goes", "over"):
        os.mkfifo(folder / name)
    words = [sys.executable, "-c", APART, str(tmp_path)]
    command = subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    assert command.stdout.readline() == "began\n"
    os.killpg(command.pid, by)
    if by is signal.SIGINT:
        assert "it goes on" in command.stdout.readline()
    else:
        assert command.wait() == -by
    with (folder / "goes").open("w"):
        pass
    assert (folder / "over").read_text(encoding="utf-8") == "over"
    assert (folder / "ended").exists()
    if by is signal.SIGINT:
        assert command.wait() == 0
    command.stdout.close()


# --- the journal's tables ----------------------------------------------------------------


def test_tables_that_a_crash_left_in_the_log_are_seen(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    assert stages.schema_of(journal) == 0
    build(journal, [])
    assert stages.schema_of(journal) == 1
    crashes = (
        "import os, sqlite3, sys\n"
        "made = sqlite3.connect(sys.argv[1])\n"
        "made.execute('PRAGMA user_version=2')\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crashes, str(journal)], check=True)
    assert stages.schema_of(journal) == 2


def test_of_a_file_that_sqlite_does_not_open_the_header_counts(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    build(journal, [])
    data = journal.read_bytes()
    journal.write_bytes(bytes(16) + data[16:])
    assert stages.schema_of(journal) == 1


# --- no room -----------------------------------------------------------------------------


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_no_room_for_the_packages_that_are_here_is_said(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(packages.CannotKeep, match="No space left"):
        packages.keep(machine.system, NAMES, "1.0", tmp_path / "kept")


@pytest.mark.parametrize("what", ["symlink_to", "mkdir"])
def test_no_room_to_begin_is_said(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with monkeypatch.context() as now:
        now.setattr(Path, what, full)
        with pytest.raises(StepFailed, match="cannot be written"):
            stages.begin(machine.system, STATE)
    assert stages.under_way(machine.system) is None


# --- what the hub of a hall has offered --------------------------------------------------


class Left:
    """A file that the board has left for root."""

    def __init__(self, system: System) -> None:
        self.door = offered.OfferedHere(system)
        self.door.folder.mkdir(parents=True)
        part = self.door.folder / "x.part"
        part.write_bytes(b"a release")
        self.offer = HandedOver(7, hashlib.sha256(b"a release").hexdigest(), "1.1")
        self.door.hand_over(part, self.offer)

    @property
    def found(self) -> UpdateFound | None:
        return self.door.found(self.offer)

    @property
    def is_there(self) -> bool:
        return (self.door.folder / offered.NAME).exists()


def take(machine: Machine) -> int:
    words = [f"--root={machine.system.root}", "--journal=/none", "--offered"]
    return CliRunner().invoke(update.command, words).exit_code


def test_a_power_cut_before_an_update_is_begun_leaves_what_was_offered(
    machine: Machine, tmp_path: Path
) -> None:
    left = Left(machine.system)
    (tmp_path / "tmp").mkdir()
    offered.take_over(machine.system, tmp_path / "tmp")
    assert (left.is_there, left.found) == (True, UpdateFound(UpdateStep.TAKEN))


def test_once_an_update_is_begun_what_was_offered_is_gone(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Left(machine.system)
    seen: list[tuple[bool, UpdateFound | None]] = []

    def steps(
        system: System, *_: object, has_begun: Callable[[], None], **__: object
    ) -> list[object]:
        stages.begin(system, STATE)
        seen.append((left.is_there, left.found))
        has_begun()
        seen.append((left.is_there, left.found))
        return []

    monkeypatch.setattr(update, "_checked", lambda *_, **__: (None, ()))
    monkeypatch.setattr(update, "_refuse_now", lambda *_: None)
    monkeypatch.setattr(update, "_steps", steps)
    assert take(machine) == 0
    taken = UpdateFound(UpdateStep.TAKEN)
    assert seen == [(True, taken), (False, taken)]


@pytest.mark.parametrize("error", [StepFailed("too old"), OSError("too old"), KeyError("too old")])
def test_whatever_root_fails_at_the_board_reads_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    left = Left(machine.system)
    monkeypatch.setattr(update, "_checked", fails)
    assert take(machine) == 1
    assert left.found == UpdateFound(UpdateStep.REFUSED, str(error))
    assert not left.is_there


def test_no_room_for_a_copy_is_what_the_board_reads(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Left(machine.system)
    monkeypatch.setattr(offered, "_copied", full)
    assert take(machine) == 1
    found = left.found
    assert found is not None
    assert (found.step, "No space left" in found.why) == (UpdateStep.REFUSED, True)
    assert not left.is_there


def test_what_was_ended_before_it_was_looked_at_is_left_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object, **__: object) -> None:
        raise SystemExit(143)

    left = Left(machine.system)
    monkeypatch.setattr(update, "_checked", ended)
    assert take(machine) == 143
    assert (left.is_there, left.found) == (False, None)


def test_a_file_that_cuts_off_whoever_looks_at_it_is_looked_at_three_times(
    machine: Machine, tmp_path: Path
) -> None:
    """As where memory runs out, or a weak power supply fails under the load."""
    left = Left(machine.system)
    for number in range(offered.MOST_TRIES):
        folder = tmp_path / f"try {number}"
        folder.mkdir()
        offered.take_over(machine.system, folder)
        assert left.found == UpdateFound(UpdateStep.TAKEN)
    assert take(machine) == 1
    found = left.found
    assert found is not None
    assert (found.step, "cut off" in found.why, left.is_there) == (UpdateStep.REFUSED, True, False)


def test_an_update_that_ended_is_not_refused_where_its_file_was_still_there(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power failed between its first note and the file's removal."""
    left = Left(machine.system)
    monkeypatch.setattr(offered, "installed", lambda _system: dict.fromkeys(NAMES, "1.1"))
    monkeypatch.setattr(update, "_checked", Mock(side_effect=StepFailed("1.1 is here already")))
    assert take(machine) == 1
    assert (left.found, left.is_there) == (UpdateFound(UpdateStep.DONE), False)


def test_two_who_would_go_on_do_so_one_after_the_other(machine: Machine) -> None:
    stages.begin(machine.system, STATE)
    ended: list[UpdateEnd | None] = []
    threads = [threading.Thread(target=lambda: ended.append(machine.go_on())) for _ in range(2)]
    with stages.alone(machine.system):
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    assert {*ended} == {UpdateEnd.UPDATED, None}, "the other one finds that all is done"


def test_while_another_update_is_under_way_nothing_is_refused(machine: Machine) -> None:
    stages.begin(machine.system, STATE)
    left = Left(machine.system)
    assert take(machine) == 1
    assert (left.is_there, left.found) == (False, UpdateFound(UpdateStep.TAKEN))
    assert machine.go_on() is UpdateEnd.UPDATED
    assert left.found == UpdateFound(UpdateStep.DONE)
