"""Where a board keeps names, and the steps that take them out there.

Every place is checked each time, so an interrupted run is finished by running it again. The
journal's copies are treated like the journal. Exports are known from the list that the commands
which write them keep beside the journal. What cannot be changed is named.
"""

from __future__ import annotations

import codecs
import difflib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import rewritten
from jackspot.core.figures import same_name
from jackspot.files import MIB, read_bytes, read_text
from jackspot.history.index import index_path, kept_summaries
from jackspot.ops.forgetting.names import NotTold, Taking, known_names
from jackspot.ops.forgetting.rewriting import (
    copies,
    count_changes,
    count_in_copy,
    drafts,
    drop_index,
    held,
    remove_drafts,
    rewrite_copy,
    rewrite_journal,
)
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.database import sync_folder
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked

LARGEST_BYTES = 256 * MIB
"""Largest capture, export or list of exports; a day's capture has a tenth of it."""

Log = Callable[[], str | None]
"""Returns what the system's log says of the board; None if there is no log to ask."""


class BoardFiles(Struct, frozen=True):
    """Where a board's files are: its journal, and the settings that may name people."""

    journal: Path
    settings: tuple[Path, ...] = ()


class ForgettingPlan(Struct):
    """What there is to do, and what cannot be reached: one line each, with what to do about it."""

    steps: list[InstallStep] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)
    unread: bool = False
    """Whether an existing file could not be read: a name may still be in it."""


def look(
    board: BoardFiles, taking: Taking, log: Log, *, delete_damaged: bool = False
) -> ForgettingPlan:
    """Check every place where these names can be. Raises JournalDamaged for the journal."""
    found = ForgettingPlan()
    with as_owner_of(board.journal.parent):
        if count := count_changes(board.journal, lambda entry: taking.body(entry.body)):
            found.steps.append(_journal(board.journal, taking, count))
        for path in copies(board.journal):
            _look_at_copy(path, taking, found, delete=delete_damaged)
        if _is_indexed(board.journal, taking, changes=bool(found.steps)):
            drop = partial(_acting, board.journal, partial(drop_index, board.journal))
            found.steps.append(InstallStep("index", "the list of matches is rebuilt", drop))
        captures = sorted(board.journal.parent.glob("*.vcd"))
        for path in captures:
            _look_at_file(path, "capture", partial(_capture, taking=taking), found)
        _look_at_exports(board.journal, captures, taking, found)
    for path in board.settings:
        for each in (path, *sorted(path.parent.glob(f"{path.name}.before-restore-*"))):
            _look_at_file(each, "settings", partial(_text, change=taking.config), found)
    _look_at_archives(board.journal.parent, found)
    _look_at_log(taking, log, found)
    return found


def left_over(journal: Path) -> list[InstallStep]:
    """Return the step that deletes what a power cut left beside a journal no board writes."""

    def act() -> None:
        with held(journal):
            remove_drafts(journal)

    with as_owner_of(journal.parent):
        left = drafts(journal)
    words = f"delete {', '.join(map(str, left))}"
    return [InstallStep("left over", words, partial(_acting, journal, act))] if left else []


def nearest_names(journal: Path, name: str) -> list[str]:
    """Return names from the journal that a given name may have been meant for."""
    with as_owner_of(journal.parent):
        known = known_names(entry.body for entry in read_checked(journal, None))
    close = difflib.get_close_matches(same_name(name), known, n=5, cutoff=0.5)
    within = [key for key in known if same_name(name) in key and key not in close]
    return [known[key] for key in (*close, *within)]


def _journal(journal: Path, taking: Taking, count: int) -> InstallStep:
    def act() -> None:
        with held(journal):
            remove_drafts(journal)
            drop_index(journal)  # before the journal: what it has left out must not outlive it
            rewrite_journal(journal, lambda entry: taking.body(entry.body))
            drop_index(journal)  # somebody may have read the matches meanwhile

    return InstallStep("journal", f"{count:,} entries of {journal}", partial(_acting, journal, act))


def _acting(path: Path, act: Callable[[], object]) -> None:
    """Take a step as the user who owns its folder; StepFailed if it cannot be taken."""
    try:
        with as_owner_of(path.parent):
            act()
    except (JournalError, NotTold, CaptureError) as error:
        raise StepFailed(str(error)) from error
    except OSError as error:
        raise StepFailed(f"{path}: cannot be written: {error.strerror}") from error


def _is_indexed(journal: Path, taking: Taking, *, changes: bool) -> bool:
    """Return whether the list of matches is there, and has the names or is out of date."""
    index = index_path(journal)
    if changes or not index.exists():
        return index.exists()
    try:
        return any(taking.export(text) != text for text in kept_summaries(index))
    except (sqlite3.Error, OSError, ValueError):
        return True  # it is made again from the journal


def _look_at_copy(path: Path, taking: Taking, found: ForgettingPlan, *, delete: bool) -> None:
    """Check a backup, or a journal that was set aside."""
    try:
        count = count_in_copy(path, lambda entry: taking.body(entry.body))
    except JournalError as error:
        if delete and isinstance(error, JournalDamaged):
            words = f"delete {path}, which cannot be read"
            found.steps.append(
                InstallStep("damaged", words, partial(_acting, path, partial(_remove, path)))
            )
        else:
            found.unreached.append(
                f"{path}: cannot be read, so names in it cannot be told; --delete-damaged removes "
                f"it ({str(error).removeprefix(f'{path}: ')})"
            )
        return
    if count:
        what = "set aside" if is_journal_set_aside(path) else "backup"
        act = partial(rewrite_copy, path, lambda entry: taking.body(entry.body))
        found.steps.append(
            InstallStep(what, f"{count:,} entries of {path}", partial(_acting, path, act))
        )


def is_journal_set_aside(path: Path) -> bool:
    """Return whether a file is a journal that was set aside, judged by its name."""
    return ".aside-" in path.name


def _remove(path: Path) -> None:
    for each in (path, *(path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm", ".mark"))):
        each.unlink(missing_ok=True)


def _look_at_file(
    path: Path, what: str, change: Callable[[bytes], bytes], found: ForgettingPlan
) -> None:
    """Check a file that is read, changed and written whole."""
    try:
        data = read_bytes(path, LARGEST_BYTES)
        left = change(data)
    except FileNotFoundError:
        return
    except (OSError, NotTold, CaptureError, UnicodeDecodeError) as error:
        found.unreached.append(f"{path}: {error}")
        found.unread = True
        return
    if left != data:
        act = partial(_acting, path, partial(_replace, path, left))
        found.steps.append(InstallStep(what, f"{path}", act))


def _replace(path: Path, data: bytes) -> None:
    """Replace a file by one that says less, with the same permissions."""
    draft = path.with_name(path.name + ".rewritten")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
    draft.chmod(path.stat().st_mode & 0o777)
    draft.replace(path)
    sync_folder(path)


def _text(data: bytes, change: Callable[[str], str]) -> bytes:
    """Change a text; a leading byte order mark stays."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark + change(data.removeprefix(mark).decode("utf-8")).encode()


def _capture(data: bytes, taking: Taking) -> bytes:
    """Rewrite a capture; the same bytes if it holds none of the names."""
    changed = False

    def text(said: str) -> str:
        nonlocal changed
        left = taking.config(said) if said else said
        changed = changed or left != said
        return left

    def entry(said: dict[str, object]) -> object:
        nonlocal changed
        body = said.get("body")
        left = taking.body(body) if isinstance(body, dict) else None
        changed = changed or left is not None
        return said if left is None else said | {"body": left}

    left = rewritten(data, text, entry)
    return left if changed else data


ARCHIVE = "an archive that may name people; delete it or make a new one"

CHANGES = {
    ".carom": Taking.record,
    ".csv": Taking.table,
    ".json": Taking.export,
}
"""How exported files are changed, by the ending of their names."""


def list_of_exports(journal: Path) -> Path:
    """Return the path of the list of files that were written from a journal."""
    return journal.with_name(journal.name + ".exports")


def note_export(journal: Path, target: Path) -> bool:
    """Note that a file was written from a journal; False if that cannot be noted."""
    line = json.dumps(str(target.absolute())) + "\n"  # also of bytes that are no text
    try:
        with (
            as_owner_of(journal.parent),
            list_of_exports(journal).open("a", encoding="utf-8") as out,
        ):
            out.write(line)
    except OSError:
        return False
    return True


def _exports(journal: Path, found: ForgettingPlan) -> Iterator[Path]:
    """Return the files that were written from a journal, each once, existing or not."""
    try:
        lines = read_text(list_of_exports(journal), LARGEST_BYTES).splitlines()
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        found.unreached.append(f"{list_of_exports(journal)}: {error}; so exports are not known")
        found.unread = True
        return
    known: dict[str, None] = {}
    for line in lines:
        with suppress(ValueError):
            known[str(json.loads(line))] = None
    yield from map(Path, known)


def _look_at_exports(
    journal: Path, seen: Sequence[Path], taking: Taking, found: ForgettingPlan
) -> None:
    """Check the files that were written from a journal, without those that were seen already."""
    absent = []
    for path in _exports(journal, found):
        if path in seen:
            continue
        if _is_there(path):
            _look_at_export(path, taking, found)
        else:
            absent.append(path)
    _tell_absent(absent, found)


def _is_there(path: Path) -> bool:
    """Return whether a file exists; True if that cannot be told."""
    try:
        return path.exists()
    except OSError:
        return True


def _tell_absent(absent: Sequence[Path], found: ForgettingPlan) -> None:
    """Name exported files that are not there, those of one folder in one line."""
    counts = Counter(path.parent for path in absent)
    said = {
        path if counts[path.parent] == 1 else path.parent: counts[path.parent] for path in absent
    }
    for path, count in said.items():
        what = "written by an export" if count == 1 else f"{count} files written by exports"
        where = "it may" if count == 1 else "they may"
        found.unreached.append(f"{path}: {what}, not there now; {where} be elsewhere")


def _look_at_export(path: Path, taking: Taking, found: ForgettingPlan) -> None:
    """Check an exported file; an archive is only named."""
    if path.suffix == ".vcd":
        _look_at_file(path, "capture", partial(_capture, taking=taking), found)
        return
    change = CHANGES.get(path.suffix)
    if change is None:
        found.unreached.append(
            f"{path}: an archive that may name people; delete it or make a new one"
        )
        return
    _look_at_file(path, "export", partial(_text, change=partial(change, taking)), found)


def _look_at_archives(folder: Path, found: ForgettingPlan) -> None:
    """Name archives that lie beside the journal: backups and bundles that people made."""
    named = {line.partition(":")[0] for line in found.unreached}
    for path in sorted(folder.glob("*.zip")):
        if str(path) not in named:
            found.unreached.append(f"{path}: {ARCHIVE}")


def _look_at_log(taking: Taking, log: Log, found: ForgettingPlan) -> None:
    """Say how many lines of the system's log have names in them: it cannot be rewritten."""
    said = log()
    if said is None:
        return
    folded = [same_name(line) for line in said.splitlines()]
    count = sum(any(name in line for name in taking.names) for line in folded)
    if count:
        found.unreached.append(
            f"the system's log: {count} lines; it cannot be rewritten, old lines go with: "
            "journalctl --rotate --vacuum-time=1s"
        )


ELSEWHERE: Sequence[str] = (
    "copies that people took away: exports, captures, USB sticks, backups, support bundles made "
    "with --with-names, printed cards",
    "what a memory card keeps of deleted files until it writes over them",
)
"""What no program on the board can reach."""
