"""Updating a board in a root with real dpkg and gpgv: it ends with the new or the old version.

The packages are made up. Their program backs up and restores like the real one, and reports whether
it starts, stays up, and is in order. A small script stands in for systemctl.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS
from jackspot.commands import main, update
from jackspot.festival.messages import UpdateStep
from jackspot.festival.updating import HandedOver, UpdateFound
from jackspot.ops.install.plan import UNIT
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.stick import device
from jackspot.ops.update import offered, packages, stages
from jackspot.ops.update.offered import OfferedHere
from jackspot.ops.update.plan import (
    TIMES,
    UpdateEnd,
    UpdateStage,
    UpdateState,
    after_restart,
    as_json,
    begun,
    failed,
    from_table,
    passed,
)
from jackspot.ops.update.trial import Trial
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed
from tests.ops.update_bench import (
    COMMAND,
    NAMES,
    SYSTEMCTL,
    Signer,
    make_deb,
    make_release,
    program,
)
from tests.storage.support import Entry

pytestmark = pytest.mark.live

HERE = Path(__file__).resolve().parents[1]
PLAYED = HERE / "faults" / "journals" / "whole_dialogue.db"
GO_ON_APART, COMMAND_APART = stages.go_on_apart, stages._command
AT_ONCE = Trial(3, lambda _seconds: None)
STATE = UpdateState("1.1", "1.0", NAMES)


# --- the plan ----------------------------------------------------------------------------


@pytest.mark.parametrize("has_way_back", [True, False])
@pytest.mark.parametrize("stage", UpdateStage)
def test_whatever_becomes_of_a_stage_the_update_comes_to_an_end(
    stage: UpdateStage, has_way_back: bool
) -> None:
    coming: list[UpdateState] = [replace(STATE, stage=stage, has_way_back=has_way_back)]
    for _ in range(8):
        coming = [
            each
            for state in map(begun, coming)
            for each in (passed(state), failed(state, "why"))
            if not isinstance(each, UpdateEnd)
        ]
    assert coming == []


def test_before_packages_are_touched_an_update_that_is_cut_off_is_left() -> None:
    for stage in (UpdateStage.STOP, UpdateStage.BACK_UP):
        cut = after_restart(begun(replace(STATE, stage=stage)))
        assert isinstance(cut, UpdateState)
        assert cut.stage is UpdateStage.LEAVE
    assert after_restart(STATE) == STATE, "what was not begun is begun"


@pytest.mark.parametrize("stage", TIMES)
def test_installing_and_the_trial_go_on_a_few_times_and_then_back(stage: UpdateStage) -> None:
    state = replace(STATE, stage=stage)
    for _ in range(TIMES[stage] - 1):
        state = begun(state)
        assert after_restart(state) == state
    last = after_restart(begun(state))
    assert isinstance(last, UpdateState)
    assert (last.stage, last.begun) == (UpdateStage.RETURN, 0)


def test_going_back_is_tried_until_it_succeeds() -> None:
    state = replace(STATE, stage=UpdateStage.RETURN, begun=99)
    assert after_restart(state) == state


def test_a_state_is_read_back_as_it_was_written() -> None:
    state = replace(STATE, units=(UNIT,), broken=("pins",), why="x", begun=2)
    assert from_table(json.loads(json.dumps(as_json(state)))) == state


# --- a board in a root -------------------------------------------------------------------


class Shelf:
    """A root in which a board of version 1.0 is installed, and releases, each made only once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.signer = Signer(folder / "home")
        self.root, self.made = folder / "root", folder / "made"
        self._releases: dict[tuple[str, str], Path] = {}
        for place in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc", "usr/share/jackspot"):
            (self.root / place).mkdir(parents=True)
        for name in ("status", "available"):
            (self.root / "var/lib/dpkg" / name).touch()
        shutil.copy(self.signer.keyring, self.root / "usr/share/jackspot/update.gpg")
        first = self.release("1.0", program("1.0"))
        self.debs = [first.parent / f"{name}_1.0_all.deb" for name in NAMES]
        packages.put_in_place(System(self.root), self.debs, folder / "log")

    def release(self, version: str, says: str) -> Path:
        """Return a release of a version with this program."""
        folder = self.made / str(len(self._releases))
        if (version, says) not in self._releases:
            self._releases[version, says] = make_release(folder, version, self.signer, says)
        return self._releases[version, says]


class Bench:
    """A board of version 1.0 in a root, with a played match, and the maker's key."""

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self.root, self.made, self.shelf = folder / "root", folder / "made", shelf
        self.signer = shelf.signer
        self.made.mkdir()
        shutil.copytree(shelf.root, self.root, symlinks=True)
        self.system = System(self.root)
        self.journal = self.root / "var/lib/jackspot/journal.sqlite3"
        self.journal.parent.mkdir(parents=True)
        shutil.copy(PLAYED, self.journal)
        with closing(Journal.open(self.journal, KINDS, SystemWall())) as journal:
            journal.append([Entry("shelve", 1, {"why": "for later"})])
        units = self.root / "run/units"
        units.mkdir(parents=True)
        (units / UNIT).write_text("active\n", encoding="utf-8")
        self.system.live = True

    def release(self, version: str = "1.1", **how: str) -> Path:
        return self.shelf.release(version, program(version, **how))

    def run(self, *words: str) -> Result:
        arguments = [f"--root={self.root}", f"--journal={self.journal}", "--yes", *words]
        return CliRunner().invoke(update.command, arguments)

    def offer(self, file: Path, release: str = "1.1") -> tuple[OfferedHere, HandedOver]:
        """Leave a release for root, as a board does; return the board's door and what it noted."""
        door, digest = OfferedHere(self.system), hashlib.sha256(file.read_bytes()).hexdigest()
        door.folder.mkdir(exist_ok=True)
        offer = HandedOver(7, digest, release)
        door.hand_over(Path(shutil.copyfile(file, door.folder / "x.part")), offer)
        return door, offer

    def begin_a_match(self) -> None:
        with closing(Journal.open(self.journal, KINDS, SystemWall())) as journal:
            journal.append([Entry("back", 1, {})])

    def entries(self) -> list[tuple[object, ...]]:
        return [entry.said() for entry in read_checked(self.journal, None)]

    def holds(self, version: str) -> None:
        """Check that the board works with all of this version, and that nothing is unfinished."""
        assert dict(packages.installed(self.system)) == dict.fromkeys(NAMES, version)
        verify = ["dpkg", f"--root={self.root}", "--verify", *NAMES]
        assert subprocess.run(verify, capture_output=True, check=True).stdout == b""
        part = self.root / "usr/share/jackspot/jackspot/part7.py"
        assert part.read_text(encoding="utf-8") == f"{version} 7\n"
        assert (self.root / "run/units" / UNIT).read_text(encoding="utf-8") == "active\n"
        assert not (self.root / stages.STATE.lstrip("/")).exists()
        assert not list(self.root.glob("etc/systemd/system/**/*update*"))
        assert not list(self.root.rglob("*.dpkg-new"))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    if os.geteuid() != 0:
        pytest.skip("dpkg installs as root")
    return Shelf(tmp_path_factory.mktemp("shelf"))


def command_here(system: System, *words: str) -> None:
    """Do in this process what the installed program does: another one takes half a second."""
    assert "from jackspot.commands import main" in system.at(COMMAND).read_text(encoding="utf-8")
    done = CliRunner().invoke(main, words)
    if done.exit_code:
        raise StepFailed(f"jackspot {words[0]}: {(done.stderr or done.stdout).strip()[-400:]}")


@pytest.fixture
def bench(tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Bench:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "systemctl").write_text(SYSTEMCTL, encoding="utf-8")
    (tools / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    made = Bench(tmp_path, shelf)
    monkeypatch.setattr(update, "System", lambda _root: made.system)
    monkeypatch.setattr(stages, "go_on_apart", lambda system: stages.go_on(system, print, AT_ONCE))
    monkeypatch.setattr(stages, "_command", command_here)
    return made


@pytest.mark.needs_root
def test_an_update_installs_tries_and_keeps_the_version_from_before(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "_command", COMMAND_APART)
    before = bench.entries()
    done = bench.run(str(bench.release()))
    assert done.exit_code == 0, done.output
    bench.holds("1.1")
    assert bench.entries() == before
    kept = bench.root / "var/lib/jackspot-update/packages"
    assert sorted(each.name for each in kept.iterdir()) == ["1.0", "1.1"]
    backup = bench.root / stages.BACKUP.lstrip("/")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    calls = (bench.root / "run/calls").read_text(encoding="utf-8").split("\n")
    assert calls[:2] == [f"stop {UNIT}", f"restart {UNIT}"]
    again = bench.run(str(bench.release("1.2")))
    assert again.exit_code == 0, again.output
    bench.holds("1.2")


@pytest.mark.needs_root
def test_it_says_first_what_it_will_do_and_a_dry_run_changes_nothing(bench: Bench) -> None:
    done = bench.run("--dry-run", str(bench.release()))
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "signed by a key of this machine" in said
    assert "install 1.1, watch it for 60 s; if it fails, go back to 1.0" in said
    bench.holds("1.0")
    assert not (bench.root / "var/lib/jackspot-update").exists()


BROKEN = '{"what": "OLED", "mark": "broken", "found": "none", "remedy": ""}'


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"starts": "exit 1"}, "systemctl"),
        ({"restarts": 'date +%N'}, "did not stay up: after 0 s it is active, restarts: "),
        ({"findings": BROKEN}, "finds broken what was not: OLED"),
        ({"findings": "nonsense"}, "gives no findings"),
    ],
)  # fmt: skip
def test_where_the_trial_fails_the_old_version_is_back_with_all_matches(
    bench: Bench, how: dict[str, str], why: str
) -> None:
    before = bench.entries()
    done = bench.run(str(bench.release(**how)))
    assert done.exit_code == 1
    assert "the version from before is here again" in done.output
    assert why in done.output
    bench.holds("1.0")
    assert bench.entries() == before
    assert sorted(each.name for each in (bench.root / stages.PACKAGES.lstrip("/")).iterdir()) == [
        "1.0"
    ]


@pytest.mark.needs_root
def test_what_was_broken_before_is_no_reason_to_go_back(bench: Bench) -> None:
    shutil.rmtree(bench.root / "usr/bin")
    make_release(bench.made / "b", "1.0.1", bench.signer, program("1.0.1", findings=BROKEN))
    debs = [bench.made / "b" / f"{name}_1.0.1_all.deb" for name in NAMES]
    packages.put_in_place(bench.system, debs, bench.made / "log")
    done = bench.run(str(bench.release(findings=BROKEN)))
    assert done.exit_code == 0, done.output
    bench.holds("1.1")


@pytest.mark.needs_root
@pytest.mark.parametrize("crash", ["pass", "os._exit(1)"])  # a crash leaves it in the log
def test_a_journal_whose_tables_the_new_version_changed_comes_back_from_the_backup(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, crash: str
) -> None:
    monkeypatch.setattr(stages, "_command", COMMAND_APART)
    before = bench.entries()
    newer = f"{sys.executable} -c \"import os,sqlite3;made=sqlite3.connect('{bench.journal}');" \
        f'made.execute(\'PRAGMA user_version=99\');{crash}"; exit 1'  # fmt: skip
    done = bench.run(str(bench.release(starts=newer)))
    assert done.exit_code == 1
    bench.holds("1.0")
    *there, last = bench.entries()
    assert (there, last[4]) == (before, "restored")
    assert list(bench.journal.parent.glob("*.aside-*")), "what the new version wrote is kept"


@pytest.mark.needs_root
def test_a_folder_gives_the_only_release_in_it(bench: Bench, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    assert "expected one file *.update at its top, found none" in bench.run(str(stick)).output
    shutil.copy(bench.release(), stick)
    (stick / "cup.pdf").touch()
    done = bench.run("--dry-run", str(stick))
    assert done.exit_code == 0, done.output
    assert "Jackspot 1.1, signed" in done.output
    shutil.copy(bench.release("1.2"), stick)
    assert "found jackspot-1.1.update, jackspot-1.2.update" in bench.run(str(stick)).output


@pytest.mark.needs_root
def test_a_sticks_device_is_mounted_for_its_release_and_let_go(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stick's image stands in for the device, so it is mounted by a loop."""
    image = tmp_path / "stick.img"
    image.write_bytes(bytes(8 << 20))
    files = tmp_path / "files"
    files.mkdir()
    shutil.copy(bench.release(), files)
    made = subprocess.run(["mke2fs", "-q", "-d", files, image], check=False)
    if made.returncode:
        pytest.skip("mke2fs is missing")
    monkeypatch.setattr(update, "is_device", lambda path: path == image)
    monkeypatch.setattr(device, "mount_options", lambda _kind: "loop,ro")
    done = bench.run("--dry-run", str(image))
    if "cannot be mounted" in done.output or "mount:" in done.output:
        pytest.skip(f"mounting is not allowed here: {done.output}")
    assert done.exit_code == 0, done.output
    assert "Jackspot 1.1, signed" in done.output
    assert str(tmp_path) not in Path("/proc/self/mountinfo").read_text(encoding="utf-8")


@pytest.mark.needs_root
def test_an_update_during_a_match_is_refused(bench: Bench) -> None:
    bench.begin_a_match()
    done = bench.run(str(bench.release()))
    assert done.exit_code == 1
    assert "a match is on" in done.output
    assert not (bench.root / "run/calls").exists(), "the board was left alone"
    bench.holds("1.0")


@pytest.mark.needs_root
def test_a_match_that_was_begun_before_the_board_stopped_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(bench, monkeypatch)
    bench.begin_a_match()
    before = bench.entries()
    assert stages.go_on(bench.system, print, AT_ONCE) is UpdateEnd.LEFT
    assert "a match is on" in stages.outcome(bench.system)[1]
    bench.holds("1.0")
    assert bench.entries() == before


@pytest.mark.needs_root
def test_an_older_version_is_taken_only_when_asked_for(bench: Bench) -> None:
    older = bench.release("0.9")
    done = bench.run(str(older))
    assert done.exit_code == 1
    assert "older than 1.0, which is here; to take it all the same add --downgrade" in done.output
    assert "is here already" in bench.run(str(bench.release("1.0"))).output
    bench.holds("1.0")
    assert bench.run("--downgrade", str(older)).exit_code == 0
    bench.holds("0.9")


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"Architecture": "armhf"}, "expected a package for"),
        ({"Depends": "python3-unheard-of (>= 3)"}, "python3-unheard-of"),
        ({"Installed-Size": "999999999"}, "expected room for"),
    ],
)
def test_what_this_machine_cannot_take_is_refused_before_anything_is_changed(
    bench: Bench, fields: dict[str, str], says: str
) -> None:
    file = make_release(bench.made / "other", "1.1", bench.signer, program("1.1"), **fields)
    done = bench.run(str(file))
    assert done.exit_code == 1
    assert says in done.output
    bench.holds("1.0")
    assert not (bench.root / "var/lib/jackspot-update").exists()


@pytest.mark.needs_root
def test_a_disk_that_is_full_is_said_and_nothing_is_changed(bench: Bench) -> None:
    place = bench.root / "var/lib/jackspot-update"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        done = bench.run(str(bench.release()))
    finally:
        subprocess.run(["umount", str(place)], check=True)
    assert done.exit_code == 1
    assert "expected room for" in done.output
    bench.holds("1.0")


@pytest.mark.needs_root
def test_packages_whose_files_were_changed_cannot_be_kept_which_is_said_and_asked(
    bench: Bench,
) -> None:
    part = bench.root / "usr/share/jackspot/jackspot/part3.py"
    part.write_text("changed", encoding="utf-8")
    md5 = bench.root / "var/lib/dpkg/info/jackspot-common.md5sums"
    md5.write_text("0" * 32 + "  usr/share/jackspot/jackspot/part3.py\n", encoding="utf-8")
    file = str(bench.release())
    done = bench.run(file)
    assert done.exit_code == 1
    assert "add --no-way-back" in done.output
    assert dict(packages.installed(bench.system)) == dict.fromkeys(NAMES, "1.0")
    assert bench.run("--no-way-back", file).exit_code == 0
    bench.holds("1.1")


@pytest.mark.needs_root
def test_a_package_is_made_again_with_scripts_modes_and_links(tmp_path: Path, bench: Bench) -> None:
    folder = tmp_path / "made-again"
    packages.keep(bench.system, NAMES, "1.0", folder)
    for name in NAMES:
        for what in ("--contents", "--field"):
            listed = [
                subprocess.run(["dpkg-deb", what, deb], check=True, capture_output=True).stdout
                for deb in (folder / f"{name}.deb", bench.shelf.debs[NAMES.index(name)])
            ]
            parts = [sorted(each.decode().split()) for each in listed]
            if what == "--field":
                assert parts[0] == parts[1]
            else:
                assert [x for x in parts[0] if "/" in x] == [x for x in parts[1] if "/" in x]


@pytest.mark.needs_root
def test_without_apts_packages_make_install_is_named(tmp_path: Path, bench: Bench) -> None:
    (bench.root / "var/lib/dpkg/status").write_text("", encoding="utf-8")
    assert "make install" in bench.run(str(bench.release())).output


# --- power cuts --------------------------------------------------------------------------

CUT = """
import os, signal, sys, threading
from pathlib import Path
from jackspot.ops.install.system import System
from jackspot.ops.update import stages
from jackspot.ops.update.trial import Trial

number, delay, written = int(sys.argv[2]), float(sys.argv[3]), stages._write
seen = []

def end():
    os.killpg(0, signal.SIGKILL)

def write(system, state):
    written(system, state)
    seen.append(state)
    if len(seen) == number:
        threading.Timer(delay, end).start() if delay else end()

stages._write = write
stages.go_on(System(Path(sys.argv[1])), print, Trial(3, lambda seconds: None))
"""


def ready(bench: Bench, monkeypatch: pytest.MonkeyPatch, **how: str) -> None:
    """Write down an update that nobody has gone on with yet."""
    monkeypatch.setattr(stages, "go_on_apart", lambda _system: None)
    assert stages.CUT_OFF in bench.run(str(bench.release(**how))).output


def cut_off(bench: Bench, number: int, delay: float = 0) -> bool:
    """Go on, but kill it and its children once a stage is written; return whether it was killed."""
    words = [sys.executable, "-c", CUT, str(bench.root), str(number), str(delay)]
    done = subprocess.run(
        words, start_new_session=True, check=False, capture_output=True,
        env=os.environ | {"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    return done.returncode == -signal.SIGKILL


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("number", "starts"),
    [
        (2, "exit 0"),
        (3, "exit 0"),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (
                (1, "exit 0"),
                (4, "exit 0"),
                (4, "exit 1"),
                (5, "exit 1"),
            )
        ),
    ],
)
def test_a_power_cut_at_any_stage_ends_in_a_board_that_works(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int, starts: str
) -> None:
    before = bench.entries()
    ready(bench, monkeypatch, starts=starts)
    was_cut = cut_off(bench, number)
    assert was_cut == (number < 5 or starts == "exit 1")
    end = stages.go_on(bench.system, print, AT_ONCE)
    if number < 3:
        wanted = UpdateEnd.LEFT
    else:
        wanted = UpdateEnd.UPDATED if starts == "exit 0" else UpdateEnd.RETURNED
    assert end is (wanted if was_cut else None)
    bench.holds("1.1" if wanted is UpdateEnd.UPDATED else "1.0")
    assert bench.entries() == before


@pytest.mark.needs_root
@pytest.mark.parametrize(
    "delay",
    [
        0.15,
        *(pytest.param(s, marks=pytest.mark.long) for s in (0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.45)),
    ],
)
@pytest.mark.parametrize(("number", "starts"), [(3, "exit 0"), (5, "exit 1")])
def test_a_power_cut_while_dpkg_unpacks_ends_in_one_whole_version(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int, starts: str, delay: float
) -> None:
    before = bench.entries()
    ready(bench, monkeypatch, starts=starts)
    cut_off(bench, number, delay)
    stages.go_on(bench.system, print, AT_ONCE)
    bench.holds("1.1" if starts == "exit 0" else "1.0")
    assert bench.entries() == before


@pytest.mark.long
@pytest.mark.needs_root
def test_cut_off_again_and_again_it_goes_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(bench, monkeypatch)
    assert cut_off(bench, 3)
    for _ in range(TIMES[UpdateStage.INSTALL] - 1):
        assert cut_off(bench, 1)
    assert stages.go_on(bench.system, print, AT_ONCE) is UpdateEnd.RETURNED
    bench.holds("1.0")


@pytest.mark.needs_root
def test_an_update_that_was_cut_off_is_named_and_gone_on_with_by_the_copy_of_the_program(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installed program is incomplete then, so what the unit starts needs nothing of it."""
    ready(bench, monkeypatch)
    assert "sudo jackspot update --go-on" in bench.run(str(bench.release("1.2"))).output
    wants = bench.root / "etc/systemd/system/multi-user.target.wants/jackspot-update.service"
    assert wants.is_symlink()
    shutil.rmtree(bench.root / "usr/share/jackspot/jackspot")
    (bench.root / "usr/bin/jackspot").unlink()
    state = bench.root / stages.STATE.lstrip("/")
    said = json.loads(state.read_text(encoding="utf-8"))
    state.write_text(json.dumps(said | {"stage": "install", "begun": 1, "units": []}))
    go_on = bench.root / stages.GO_ON.lstrip("/")
    done = subprocess.run(
        [sys.executable, "-P", "-S", str(go_on)], check=False, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"]}, cwd="/",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    bench.holds("1.1")


@pytest.mark.needs_root
def test_a_board_that_does_not_run_is_updated_and_stays_off(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy of the program does it, as a process of its own."""
    monkeypatch.setattr(stages, "go_on_apart", GO_ON_APART)
    unit = bench.root / "run/units" / UNIT
    unit.write_text("inactive\n", encoding="utf-8")
    done = bench.run(str(bench.release(starts="exit 1")))
    assert done.exit_code == 0, done.output
    assert unit.read_text(encoding="utf-8") == "inactive\n"
    unit.write_text("active\n", encoding="utf-8")
    bench.holds("1.1")


@pytest.mark.needs_root
def test_a_state_that_cannot_be_read_is_said(bench: Bench) -> None:
    place = bench.root / stages.STATE.lstrip("/")
    place.parent.mkdir()
    place.write_text("{", encoding="utf-8")
    with pytest.raises(StepFailed, match="cannot be read"):
        stages.under_way(bench.system)
    assert "cannot be read" in bench.run(str(bench.release())).output


@pytest.mark.needs_root
def test_a_release_without_a_package_that_is_here_is_refused(bench: Bench) -> None:
    hub = make_deb(bench.made, "jackspot-hub", "1.0", {"/usr/share/hub": ""})
    packages.put_in_place(bench.system, [hub], bench.made / "log")
    assert "is not a whole release: jackspot-hub" in bench.run(str(bench.release())).output


# --- what the hub of a hall has offered --------------------------------------------------


@pytest.mark.needs_root
def test_what_the_board_has_left_is_taken_as_any_file_and_the_board_sees_how_far_it_is(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    door, offer = bench.offer(bench.release())
    seen: list[UpdateFound | None] = []
    look = partial(door.found, offer)
    assert (door.version(), look()) == ("1.0", UpdateFound(UpdateStep.TAKEN))
    assert door.found(changed(offer, offer=8)) is None, "another offer was not handed over"
    taken = dict(stages._STAGES)
    for stage, does in taken.items():

        def watched(*given: Any, does: Any = does) -> None:
            seen.append(look())
            does(*given)

        monkeypatch.setitem(stages._STAGES, stage, watched)
    done = bench.run("--offered")
    assert done.exit_code == 0, done.output
    bench.holds("1.1")
    assert seen == [UpdateFound(UpdateStep.TAKEN)] * 3 + [UpdateFound(UpdateStep.TRIAL)]
    assert look() == UpdateFound(UpdateStep.DONE)
    assert [path.name for path in door.folder.iterdir()] == ["taken.json"]
    for place in (stages.LAST,):
        assert stat.S_IMODE(bench.system.at(place).stat().st_mode) == 0o644, "the board reads it"
    assert bench.run(str(bench.release("1.2"))).exit_code == 0
    assert look() is None, "people have updated it by hand since"


@pytest.mark.needs_root
def test_a_board_that_goes_back_sees_why(bench: Bench) -> None:
    file = bench.release(starts="exit 1")
    door, offer = bench.offer(file)
    assert bench.run("--offered").exit_code == 1
    bench.holds("1.0")
    found = door.found(offer)
    assert found is not None
    assert (found.step, "trial: " in found.why) == (UpdateStep.BACK, True)
    bench.offer(file)
    assert door.found(offer) == UpdateFound(UpdateStep.TAKEN), "it is tried once more"


def unsigned(bench: Bench, tmp_path: Path) -> Path:
    return make_release(tmp_path / "theirs", "9.9", Signer(tmp_path / "thief"))


def older(bench: Bench, _tmp_path: Path) -> Path:
    return bench.release("0.9")


def none_at_all(_bench: Bench, tmp_path: Path) -> Path:
    (tmp_path / "junk").write_bytes(b"junk")
    return tmp_path / "junk"


def in_a_match(bench: Bench, _tmp_path: Path) -> Path:
    bench.begin_a_match()
    return bench.release()


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("left", "says"),
    [
        (unsigned, "its signature is not by a key that this machine trusts"),
        (older, "is 0.9, older than 1.0"),
        (none_at_all, "expected a release as `make release` makes it"),
        (in_a_match, "a match is on"),
    ],
)
def test_root_refuses_what_it_would_refuse_of_anybody_and_the_board_reads_why(
    bench: Bench, tmp_path: Path, left: Callable[[Bench, Path], Path], says: str
) -> None:
    file = left(bench, tmp_path)
    door, offer = bench.offer(file)
    assert bench.run("--offered").exit_code == 1
    found = door.found(offer)
    assert found is not None
    assert found.step is UpdateStep.REFUSED
    assert says in found.why
    assert "/tmp" not in found.why.replace(str(bench.root), "")
    assert not (door.folder / offered.NAME).exists(), "or it would be started again and again"
    bench.holds("1.0")


def a_link(place: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("root's", encoding="utf-8")
    place.symlink_to(tmp_path / "secret")


def a_pipe(place: Path, _tmp_path: Path) -> None:
    os.mkfifo(place)


def a_folder(place: Path, _tmp_path: Path) -> None:
    (place / "more").mkdir(parents=True)


def without_end(place: Path, _tmp_path: Path) -> None:
    with place.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.needs_root
@pytest.mark.parametrize("left", [a_link, a_pipe, a_folder, without_end])
def test_only_a_file_is_taken_from_a_board_and_nothing_stays_there(
    bench: Bench,
    tmp_path: Path,
    left: Callable[[Path, Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(offered, "MOST_IN_UPDATE", 1 << 22)
    place = bench.system.at(offered.SPOOL) / offered.NAME
    place.parent.mkdir()
    left(place, tmp_path)
    done = bench.run("--offered")
    assert done.exit_code == 1
    assert list(place.parent.iterdir()) == []
    assert "root's" not in done.output
    bench.holds("1.0")


@pytest.mark.needs_root
def test_no_link_in_the_place_of_the_boards_folder_is_followed(
    bench: Bench, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / offered.NAME).touch()
    bench.system.at(offered.SPOOL).symlink_to(tmp_path / "elsewhere")
    assert bench.run("--offered").exit_code == 1
    assert (tmp_path / "elsewhere" / offered.NAME).exists()


@pytest.mark.needs_root
def test_an_update_that_was_cut_off_refuses_another_one_and_lets_go_of_its_file(
    bench: Bench,
) -> None:
    debs = [packages.look_at_deb(deb) for deb in bench.shelf.debs]
    packages.lay_ready(debs, stages.packages_of(bench.system, "1.1"))
    stages.begin(bench.system, STATE)
    door, offer = bench.offer(bench.release())
    assert bench.run("--offered").exit_code == 1
    assert not (door.folder / offered.NAME).exists()
    assert door.found(offer) == UpdateFound(UpdateStep.TAKEN), "that one goes on"
