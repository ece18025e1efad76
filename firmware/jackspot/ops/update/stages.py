"""Running the stages of an update, each written to disk before it begins.

This runs from a copy of the program, since the installed one is half of two versions for a while.
``jackspot update`` starts it; after a power cut, so does a unit that exists only as long as an
update is under way.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from jackspot.files import atomic_write, from_json, read_text
from jackspot.ops.install.parts import UNITS, WANTED, carried_file
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.update.packages import installed, put_in_place, to_disk
from jackspot.ops.update.plan import (
    UNTIL_INSTALL,
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
from jackspot.ops.update.trial import COMMAND, Trial, control, try_out

FOLDER = "/var/lib/jackspot-update"
STATE = f"{FOLDER}/state.json"
"""Exists exactly while an update is under way; the unit checks for it."""
LAST = f"{FOLDER}/last.json"
"""The board can read both, since its hub asks about progress."""
LOG = f"{FOLDER}/log"
GO_ON = f"{FOLDER}/go-on"
PROGRAM = f"{FOLDER}/program"
PACKAGES = f"{FOLDER}/packages"
BACKUP = f"{FOLDER}/before.zip"
"""The board's files before the update, with players' names in them: for root alone."""
UNIT_FILE = "jackspot-update.service"
MOST_IN_STATE = 1 << 16

PARTS = ("__init__.py", "files.py", "ops/__init__.py", "ops/install", "ops/update")
"""The parts of the program that are copied: this module and its imports, which need no library."""
_LEFT_OUT = shutil.ignore_patterns("__pycache__")

_START = """\
import sys

sys.path.insert(0, {program!r})

from jackspot.ops.update.stages import main  # noqa: E402

main({root!r})
"""
_SCHEMA = slice(60, 64)
"""Where SQLite keeps a file's user version (``PRAGMA user_version``; its file format, 1.3)."""


CUT_OFF = "an update was cut off; type: sudo jackspot update --go-on"


class Underway(StepFailed):
    """An update is under way already."""


def begin(system: System, state: UpdateState) -> None:
    """Write down an update whose packages are ready, and have every start continue it.

    Raises Underway if there is one already, and StepFailed if another one has ended since this
    one's packages were laid ready.
    """
    with alone(system):
        _refuse_outdated(system, state)
        try:
            _lay_out(system)
        except (OSError, shutil.Error) as error:
            raise StepFailed(f"{system.at(FOLDER)}: cannot be written: {error}") from error
        _write(system, state)


def _refuse_outdated(system: System, state: UpdateState) -> None:
    if under_way(system) is not None:
        raise Underway(CUT_OFF)
    here = installed(system)
    ready = packages_of(system, state.version)
    there = all((ready / f"{name}.deb").exists() for name in state.names)
    if not there or any(here.get(name) != state.before for name in state.names):
        raise StepFailed("another update has ended meanwhile; begin again")


def _lay_out(system: System) -> None:
    """Copy the program, and have every start of the machine start it."""
    folder, here = system.at(FOLDER), Path(__file__).resolve().parents[2]
    program = system.at(PROGRAM)
    shutil.rmtree(program, ignore_errors=True)
    for part in PARTS:
        target = program / here.name / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (here / part).is_dir():
            shutil.copytree(here / part, target, ignore=_LEFT_OUT)
        else:
            shutil.copyfile(here / part, target)
    for path in (program, *program.rglob("*")):
        to_disk(path)
    system.write(GO_ON, _START.format(program=str(program), root=str(system.root)), 0o700)
    system.write(f"{UNITS}/{UNIT_FILE}", carried_file(UNIT_FILE))
    link = system.at(f"{WANTED}/{UNIT_FILE}")
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(f"{UNITS}/{UNIT_FILE}")
    system.at(LAST).unlink(missing_ok=True)
    for place in (folder, link.parent, link.parent.parent):
        to_disk(place)


def go_on_apart(system: System) -> None:
    """Have the copy of the program continue; neither a closed terminal nor Ctrl-C ends it."""
    words = [sys.executable, str(system.at(GO_ON))]
    apart = subprocess.Popen(words, start_new_session=True)
    while True:
        try:
            apart.wait()
        except KeyboardInterrupt:
            say("it goes on: what is begun is not stopped")
        else:
            return


def main(root: str) -> None:
    """Take an update to its end; the exit status says whether the new version is installed."""
    try:
        end = go_on(System(Path(root)), say)
    except StepFailed as error:
        say(str(error))
        sys.exit(1)
    sys.exit(end not in (None, UpdateEnd.UPDATED))


def say(words: str) -> None:
    """Print progress; if nobody reads it any more, go on."""
    with suppress(OSError):
        sys.stdout.write(f"{words}\n")
        sys.stdout.flush()


def go_on(
    system: System, tell: Callable[[str], None], trial: Trial | None = None
) -> UpdateEnd | None:
    """Take the stages of the update under way to its end; return None if there is none.

    It waits while another process does so, or prepares one.
    """
    with alone(system, waits=True):
        state = under_way(system)
        if state is None:
            return None
        following = after_restart(state)
        while not isinstance(following, UpdateEnd):
            coming = begun(following)
            tell(f"{coming.stage}: {_words(coming)}")
            try:
                _note(system, coming)
                state = coming
                _STAGES[state.stage](system, state, trial or Trial())
            except StepFailed as error:
                tell(f"{coming.stage}: {error}")
                following = failed(state, f"{coming.stage}: {error}")
                if isinstance(following, UpdateEnd):
                    state = replace(state, why=f"{state.why}; {error}".removeprefix("; "))
            else:
                following = passed(state)
        _end(system, state, following)
        return following


def under_way(system: System) -> UpdateState | None:
    """Return the update that is under way. StepFailed if that cannot be read."""
    place = system.at(STATE)
    try:
        return from_table(from_json(read_text(place, MOST_IN_STATE)))
    except (FileNotFoundError, PermissionError):  # whoever may not read it changes nothing
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StepFailed(
            f"{place}: cannot be read: {error}; remove it, then have apt install the version that "
            f"is wanted from {system.at(PACKAGES)}"
        ) from error


def outcome(system: System) -> tuple[UpdateEnd, str]:
    """Return how the last update ended, and why; STUCK if it never ended."""
    try:
        table = from_json(read_text(system.at(LAST), MOST_IN_STATE))
        return UpdateEnd(table["end"]), str(table["why"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        return UpdateEnd.STUCK, f"it did not come to its end: {error}"


def schema_of(journal: Path) -> int:
    """Return the version of a journal's tables; 0 if there is none.

    After a crash a new one is only in the log beside the file, which SQLite reads.
    """
    uri = f"file:{quote(str(journal.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as opened:
            return int(opened.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return _schema_in_header(journal)


def _schema_in_header(journal: Path) -> int:
    try:
        with journal.open("rb") as file:
            return int.from_bytes(file.read(_SCHEMA.stop)[_SCHEMA], "big")
    except OSError:
        return 0


def packages_of(system: System, version: str) -> Path:
    """Return the folder for the packages of a version."""
    return system.at(PACKAGES) / version


# --- stages ------------------------------------------------------------------------------


def _stop(system: System, state: UpdateState, _trial: Trial) -> None:
    control(system, "stop", state.units)
    if state.schema:
        _command(system, "update", "--match", "--journal", state.journal)


def _back_up(system: System, state: UpdateState, _trial: Trial) -> None:
    """Write the backup; one of a damaged journal or of wrong settings does, too.

    The file exists once it is complete, and the new version may be what fixes them.
    """
    if state.schema:
        system.remove(BACKUP)
        try:
            _command(system, "backup", str(system.at(BACKUP)), "--journal", state.journal)
        except StepFailed as error:
            if not system.at(BACKUP).exists():
                raise
            say(str(error))


def _install(system: System, state: UpdateState, _trial: Trial) -> None:
    _put(system, state.version, state.names)


def _try(system: System, state: UpdateState, trial: Trial) -> None:
    here = installed(system)
    if any(here.get(name) != state.version for name in state.names):
        raise StepFailed(f"{state.version} is not installed")  # it was being taken back
    try_out(system, state.units, state.broken, trial)


def _return(system: System, state: UpdateState, _trial: Trial) -> None:
    """Restore the old version; it opens the newer journal, unless its tables have changed."""
    with suppress(StepFailed):  # a service that does not stop is restarted below
        control(system, "stop", state.units)
    _put(system, state.before, state.names)
    if state.schema and schema_of(Path(state.journal)) > state.schema:
        with suppress(StepFailed):  # installing may have started it
            control(system, "stop", state.units)
        _command(
            system, "restore", "--yes", "--journal-only", str(system.at(BACKUP)),
            "--journal", state.journal,
        )  # fmt: skip
    if state.units:
        system.run_on_root("systemctl", "daemon-reload")
    control(system, "restart", state.units)


def _leave(system: System, state: UpdateState, _trial: Trial) -> None:
    control(system, "start", state.units)


_STAGES: Mapping[UpdateStage, Callable[[System, UpdateState, Trial], None]] = {
    UpdateStage.STOP: _stop,
    UpdateStage.BACK_UP: _back_up,
    UpdateStage.INSTALL: _install,
    UpdateStage.TRIAL: _try,
    UpdateStage.RETURN: _return,
    UpdateStage.LEAVE: _leave,
}


def _words(state: UpdateState) -> str:
    match state.stage:
        case UpdateStage.STOP:
            return ", ".join(state.units) or "nothing of it runs"
        case UpdateStage.BACK_UP:
            return BACKUP if state.schema else "there is no journal"
        case UpdateStage.INSTALL:
            return f"{', '.join(state.names)} {state.version}"
        case UpdateStage.TRIAL:
            return "watched for a minute" if state.units else "nothing of it ran before"
        case UpdateStage.RETURN:
            return f"to {state.before}, because of {state.why}"
        case UpdateStage.LEAVE:
            return state.why


def _put(system: System, version: str, names: tuple[str, ...]) -> None:
    folder = packages_of(system, version)
    put_in_place(system, [folder / f"{name}.deb" for name in names], system.at(LOG))


def _command(system: System, *words: str) -> None:
    """Run the installed program."""
    try:
        done = subprocess.run(
            [str(system.at(COMMAND)), *words],
            capture_output=True, check=False, text=True, errors="replace",
        )  # fmt: skip
    except OSError as error:
        raise StepFailed(f"jackspot {words[0]}: cannot be started: {error.strerror}") from error
    if done.returncode:
        raise StepFailed(f"jackspot {words[0]}: {(done.stderr or done.stdout).strip()[-400:]}")


# --- on the disk -------------------------------------------------------------------------


def _note(system: System, state: UpdateState) -> None:
    """Write down that a stage begins.

    StepFailed if it cannot be, and no package was touched. Later, what is on disk leads on, too.
    """
    try:
        _write(system, state)
    except StepFailed:
        if state.stage in UNTIL_INSTALL and state.begun == 1:
            raise


def _write(system: System, state: UpdateState) -> None:
    try:
        atomic_write(system.at(STATE), json.dumps(as_json(state), indent=1) + "\n", 0o644)
    except OSError as error:
        raise StepFailed(f"{system.at(STATE)}: cannot be written: {error.strerror}") from error


def _end(system: System, state: UpdateState, end: UpdateEnd) -> None:
    """Record how the update ended, and remove what only an update needs.

    A stuck update stays under way: the next start tries to go back once more.
    """
    said = {
        "end": end, "version": state.version, "before": state.before,
        "why": f"{state.why}; {system.at(LOG)}" if end is UpdateEnd.STUCK else state.why,
    }  # fmt: skip
    last, text = system.at(LAST), json.dumps(said, indent=1) + "\n"
    try:
        atomic_write(last, text, 0o644)
    except OSError:
        with suppress(OSError):
            last.unlink(missing_ok=True)  # what an earlier end says is not true any more
    if end is UpdateEnd.STUCK and state.has_way_back:
        return
    system.remove(STATE)
    to_disk(system.at(FOLDER))
    for place in (f"{WANTED}/{UNIT_FILE}", f"{UNITS}/{UNIT_FILE}", GO_ON):
        system.remove(place)
    shutil.rmtree(system.at(PROGRAM), ignore_errors=True)
    kept = {state.before, state.version} if end is UpdateEnd.UPDATED else {state.before}
    for folder in system.at(PACKAGES).iterdir():
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)
    if not last.exists():
        with suppress(OSError):  # there may be room now
            atomic_write(last, text, 0o644)


@contextmanager
def alone(system: System, *, waits: bool = False) -> Iterator[None]:
    """Be the only process that begins or continues an update.

    ``waits``: for another one to end; else it raises Underway.
    """
    place = system.at(f"{FOLDER}/lock")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StepFailed(f"{place}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except OSError as error:
            raise Underway(f"an update is under way ({system.at(STATE)})") from error
        yield
    finally:
        os.close(handle)
