"""Taking names out of an event that is over: what is left is an event of numbers.

Nothing can be struck out of a journal in place, so it is rewritten as a board's is
(:mod:`jackspot.ops.forgetting.rewriting`): every entry with its number and its instants, in a new
chain, and the old file is gone with its log and its free pages. From then on people are called by
their numbers, in the journal and in the event's file, so draws, tables and records stay. Clubs and
families, which a draw keeps apart, are called by numbers too. A second run finds nothing to do, or
finishes what was interrupted.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from jackspot.core.figures import same_name
from jackspot.core.header import write_header
from jackspot.core.pieces import Seat
from jackspot.core.record import RecordError, read_record
from jackspot.festival.messages import crc32
from jackspot.files import atomic_write, read_text
from jackspot.ops.forgetting.places import LARGEST_BYTES, ForgettingPlan, list_of_exports
from jackspot.ops.forgetting.rewriting import (
    Rewrite,
    remove_drafts,
    rewrite_copy,
    rewrite_journal,
    rewritten,
)
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.database import log_holds_anything, read_backup
from jackspot.storage.entries import Sealed, StoredEntry
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot_hub.desk.allowed import kept_as_drawn
from jackspot_hub.desk.attaching import BY_NAMES
from jackspot_hub.desk.no_show import BY_RULE
from jackspot_hub.desk.state import DeskKind, DeskState, person_body
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Person, Programme
from jackspot_hub.event_file import (
    BEGUN,
    facts,
    numbered,
    programme_of,
    read_event,
    taken_since,
)
from jackspot_hub.running import KINDS, desk_of

DESK = "desk"
OWN_WORDS = frozenset((DESK, "terminal", BY_NAMES, BY_RULE))
"""Who did something, if nobody gave a name: these stay."""
UNREAD = "its record is none"
"""How a result with an unreadable record differs; the record may be quoted after this."""
ELSEWHERE = (
    "what the broker keeps of public/ until it is started again",
    "the boards: each keeps its own matches, see `jackspot forget` there",
    "the service's log, which names who was called and who said what at the desk: "
    "sudo journalctl --rotate --vacuum-time=1s takes all old lines out of this machine's log",
    "the stick or the backup that this machine was restored from, and the event's file where it "
    "was before it was installed: name that folder with --copy, or delete them",
    "tables that people were entered from, what was printed, copied or taken away",
    "what a disk or a stick keeps of deleted files until it writes over them",
)
"""What cannot be reached from here."""


def open_still(desk: DeskState) -> str:
    """Return what is not over in an event; empty: everything is.

    A class without entrants does not count, nor do further matches of free play.
    """
    left = []
    for name, played in desk.programme.classes.items():
        if not played.is_drawn and played.people:
            left.append(f"{name}: {len(played.people)} are entered, and it is not drawn")
        elif still := desk.still_open(name):
            left.append(f"{name}: {len(still)} matches are not over, {still[0].key} first")
        elif unwon := desk.unwon(name):
            left.append(f"{name}: {', '.join(unwon)} still has no winner")
    return "; ".join(left)


Rename = Callable[[Seat, str], str]
"""Returns the new name of somebody on a seat who had this name; empty: none."""


# --- what entries say ---------------------------------------------------------------------


class Numbering(Struct, frozen=True):
    """Returns what is left of each entry. Clubs are numbered as they come."""

    desk: DeskState
    clubs: dict[str, str] = field(default_factory=dict)

    def rewrite(self, entry: StoredEntry) -> Mapping[str, Any] | None:
        """Return what is left of an entry's body; None if nothing is removed from it."""
        body = dict(entry.body)
        match entry.kind:
            case DeskKind.REGISTERED | DeskKind.REWORDED:
                number = body["person"]
                body |= person_body(Person(number, str(number), club=self._club(body["club"])))
            case DeskKind.ENTERED if body.get("forced"):
                body["forced"] = "-"
            case DeskKind.NOTICE if body["text"]:
                body["text"] = dict.fromkeys(body["text"], "-")
            case DeskKind.ORDERED:
                for key in body.keys() & {"header", "resume"}:
                    body[key] = with_names(body[key], self._seated(body["order"]))
            case DeskKind.RESULT:
                said = body["message"]
                is_theirs = body["outcome"] is not None  # else others may have played it
                rename = self._seated(said["order"]) if is_theirs else self._known
                record = with_names(said["record"], rename)
                if record != said["record"]:
                    body["message"] = {**said, "record": record, "crc32": crc32(record)}
                body["differs"] = UNREAD if UNREAD in body["differs"] else body["differs"]
        if body.get("by", DESK) not in OWN_WORDS:
            body["by"] = DESK
        return None if body == entry.body else body

    def _club(self, club: str) -> str:
        return self.clubs.setdefault(club, str(len(self.clubs) + 1)) if club else ""

    def _seated(self, order: int) -> Rename:
        """Return what renames those who were called to their numbers, by where they sit."""
        given, programme = self.desk.orders[order], self.desk.programme
        played = programme.classes[given.contest]
        seats = programme.seats(given.contest, given.sides)
        numbers = {
            seat: str(number)
            for side, own in zip(given.sides, seats, strict=True)
            for seat, number in zip(own, played.on(side), strict=True)
        }
        return lambda seat, _name: numbers.get(seat, "")

    def _known(self, _seat: Seat, name: str) -> str:
        """Return the number of somebody who is the only one of their name; nobody else's."""
        people = self.desk.programme.people.values()
        found = [each.number for each in people if same_name(each.name) == same_name(name)]
        return str(found[0]) if len(found) == 1 else ""


def with_names(record: str, rename: Rename) -> str:
    """Return a record, or the header of one, with people renamed, and without comments.

    Empty if it cannot be read.
    """
    try:
        settings = read_record(record).settings
    except RecordError:
        return ""
    lines = record.partition("\n---")[2].split("\n")
    body = "\n".join(line.partition("#")[0].rstrip() for line in lines)
    names = {seat: rename(seat, name) for seat, name in settings.names.items()}
    left = {seat: name for seat, name in names.items() if name}
    return f"{write_header(changed(settings, names=left))}---{body}"


def _same(desk: DeskState, after: DeskState) -> bool:
    """Whether everything except names is as it was."""
    return desk.results == after.results and all(
        desk.drawn(name) == after.drawn(name) for name in desk.programme.classes
    )


# --- where they are ------------------------------------------------------------------------


def look(event: Path, journal: Path, copies: Sequence[Path] = ()) -> ForgettingPlan:
    """Check every place where names of an event can be, while nobody writes its journal.

    ``copies`` are folders as `--copy` names them; those that were used are known, too. Raises
    CannotBe for an event that is not over, BadEvent, JournalError.
    """
    programme = read_event(event, journal)
    desk = desk_of(programme, read_checked(journal, KINDS))
    taken_since(journal, programme, partial(kept_as_drawn, desk))
    if left := open_still(desk):
        raise CannotBe(f"it is not over, so its names stay: {left}. Say how those matches ended "
                       "(`jackspot hub correct`, or the desk), and withdraw who is entered in "
                       "a class that is not played")  # fmt: skip
    found = ForgettingPlan()
    _look_at_journal(programme, journal, found, _rewrite)
    _look_at_event(event, journal, found)
    known = [*(each.resolve() for each in copies), *_noted(journal)]
    for folder in dict.fromkeys(known):
        copy = folder / journal.name
        if copy.exists() and not copy.samefile(journal):
            _look_at_copy(programme, copy, folder / event.name, found)
        elif folder in known[: len(copies)]:
            raise CannotBe(f"{folder}: expected a copy of the event, {journal.name}, found none")
        elif folder.exists():
            found.unreached.append(f"{folder}: results were written there; delete them")
        else:
            found.unreached.append(f"{folder}: a copy or results were there; plug the stick in "
                                   f"and name it with --copy, or delete them")  # fmt: skip
    return found


def _rewrite(journal: Path, rewrite: Rewrite) -> None:
    """Rewrite the event's own journal, and remove what power cuts have left of it."""
    remove_drafts(journal)
    rewrite_journal(journal, rewrite)


def _look_at_journal(
    programme: Programme, journal: Path, found: ForgettingPlan, act: Callable[..., object]
) -> None:
    entries = _read(journal)
    desk = desk_of(programme, entries)
    written, count = rewritten(entries, Numbering(desk).rewrite)
    if not _same(desk, desk_of(programme, written)):
        raise CannotBe(f"{journal}: without names it would be drawn otherwise; nothing was changed")
    if count:
        words = f"{count:,} entries of {journal}"
        taken = partial(_acting, journal, partial(act, journal, Numbering(desk).rewrite))
        found.steps.append(InstallStep("journal", words, taken))


def _read(journal: Path) -> Sealed:
    """Read a journal, or a copy of one without leaving anything beside it."""
    is_alone = not log_holds_anything(journal)
    return read_backup(journal, KINDS) if is_alone else read_checked(journal, KINDS)


def _look_at_event(event: Path, journal: Path, found: ForgettingPlan) -> None:
    """Check an event's file, and the one beside its journal that has its names as digests.

    The digests are deleted first and written last: between the two nothing is compared with them.
    """
    text = event.read_text(encoding="utf-8-sig")
    left = numbered(text, journal)
    begun, said = journal.with_suffix(BEGUN), json.dumps(facts(programme_of(tomllib.loads(left))))
    is_as_said = begun.exists() and begun.read_bytes() == said.encode()
    if not is_as_said:
        _delete(begun, "digests", found)
    if left != text:
        act = partial(_acting, event, partial(atomic_write, event, left))
        words = f"{event}: people by their numbers; its comments go, too"
        found.steps.append(InstallStep("event", words, act))
    if not is_as_said:
        act = partial(_acting, begun, partial(atomic_write, begun, said))
        found.steps.append(InstallStep("digests", f"write {begun} by numbers", act))


def _delete(path: Path, what: str, found: ForgettingPlan) -> None:
    """Delete a file, if it is there."""
    if path.exists():
        act = partial(_acting, path, partial(path.unlink, missing_ok=True))
        found.steps.append(InstallStep(what, f"delete {path}", act))


def _look_at_copy(programme: Programme, copy: Path, event: Path, found: ForgettingPlan) -> None:
    try:
        _look_at_journal(programme, copy, found, rewrite_copy)
        if event.exists():
            _look_at_event(event, copy, found)
        else:
            _delete(copy.with_suffix(BEGUN), "digests", found)
        for draft in sorted(
            each for kept in (copy, event) for each in copy.parent.glob(f"{kept.name}.tmp*")
        ):
            _delete(draft, "left over", found)
    except (JournalError, CannotBe, OSError, ValueError) as error:
        found.unreached.append(f"{copy.parent}: {error}; delete that copy")
        found.unread = True


def _acting(path: Path, act: Callable[[], object]) -> None:
    """Take a step as the user who owns its folder."""
    try:
        with as_owner_of(path.parent):
            act()
    except JournalError as error:
        raise StepFailed(str(error)) from error
    except OSError as error:
        raise StepFailed(f"{path}: cannot be written: {error.strerror}") from error


def _noted(journal: Path) -> list[Path]:
    """Return the folders to which the event was copied, or its results written."""
    try:
        lines = read_text(list_of_exports(journal), LARGEST_BYTES).splitlines()
    except FileNotFoundError:
        return []
    found = []
    for line in dict.fromkeys(lines):
        with suppress(ValueError):
            found.append(Path(str(json.loads(line))).resolve())
    return found
