"""A release that the board has fetched from its hub: how it gets from the board's user to root.

The board, which has no privileges, leaves the file in a folder of its own. A systemd unit watches
for it and starts ``jackspot update --offered`` as root. That takes a copy which nobody else can
write, checks its signature by root's keys and goes on as with any other file. So a file that a
compromised board leaves there is refused, as is a signed release that is older.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from jackspot.festival.messages import MOST_IN_UPDATE, UpdateStep
from jackspot.festival.updating import HandedOver, UpdateFound
from jackspot.files import MIB, atomic_write, from_json, read_text
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.update import stages
from jackspot.ops.update.packages import installed
from jackspot.ops.update.plan import UpdateEnd, UpdateStage

SPOOL = "/var/lib/jackspot/update"
"""The board's own folder."""
NAME = "offered.update"
"""The file in it that the unit watches for."""
TAKEN = f"{SPOOL}/taken.json"
"""Which offer the board handed over last."""
REFUSED = f"{stages.FOLDER}/refused.json"
"""Why the file that was handed over last was not even begun."""
UNREAD = ""
"""Stands for the SHA-256 of a file that could not be read or copied."""
MOST_SAID = 1 << 14
MOST_TRIES = 3
"""How often a file is looked at whose looking at was cut off: it may be what cuts it off."""
CUT_OFF = "it was cut off before anything was changed"


class OfferedHere:
    """What a board that runs as its own user can do and see of updates."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.folder = system.at(SPOOL)

    def version(self) -> str:
        """Return the version of the installed packages; empty: there are none."""
        try:
            return next(iter(installed(self._system).values()), "")
        except StepFailed:
            return ""

    def hand_over(self, file: Path, offer: HandedOver) -> None:
        """Leave a file for root, and note which offer it was. Raises OSError."""
        atomic_write(self._system.at(TAKEN), json.dumps(asdict(offer)), 0o600)
        file.rename(self.folder / NAME)

    def last(self) -> HandedOver | None:
        """Return what was handed over last, even before the board's last start."""
        try:
            return HandedOver(**self._said(TAKEN))
        except TypeError:
            return None

    def found(self, offer: HandedOver) -> UpdateFound | None:
        """Return what has become of an offer; None: it was not handed over, or is long past."""
        system = self._system
        if self.last() != offer:
            return None
        if (self.folder / NAME).exists():
            return UpdateFound(UpdateStep.TAKEN)
        with suppress(StepFailed):
            state = stages.under_way(system)
            if state is not None:
                tried = state.stage is UpdateStage.TRIAL
                return UpdateFound(UpdateStep.TRIAL if tried else UpdateStep.TAKEN)
        refused, last = self._said(REFUSED), self._said(stages.LAST)
        if refused.get("sha256") in (offer.sha256, UNREAD):
            is_here = self.version() == offer.release  # and was taken once more after a power cut
            why = str(refused.get("why", ""))
            return UpdateFound(UpdateStep.DONE) if is_here else UpdateFound(UpdateStep.REFUSED, why)
        if last.get("version") == offer.release:
            end, why = stages.outcome(system)
            return UpdateFound(_STEPS[end], "" if end is UpdateEnd.UPDATED else why)
        return None  # people have updated it since, or it has to be left again

    def _said(self, place: str) -> dict[str, Any]:
        return _said(self._system, place)


def _said(system: System, place: str) -> dict[str, Any]:
    try:
        return dict(from_json(read_text(system.at(place), MOST_SAID)))
    except (OSError, ValueError, TypeError):
        return {}


_STEPS = {
    UpdateEnd.UPDATED: UpdateStep.DONE,
    UpdateEnd.LEFT: UpdateStep.REFUSED,
    UpdateEnd.RETURNED: UpdateStep.BACK,
    UpdateEnd.STUCK: UpdateStep.BACK,
}


def take_over(system: System, folder: Path) -> tuple[Path, str]:
    """Copy what the board has left into a folder of root's; return the copy and its SHA-256.

    Anybody who controls the board controls its folder: links are not followed, only a regular file
    is read, and only up to a limit. Until it is begun or refused it is noted as cut off, and how
    often. Raises StepFailed if the file cannot be had, or was cut off too often.
    """
    tries = _said(system, REFUSED).get("tries", 0) + 1
    if tries > MOST_TRIES:
        raise StepFailed(f"{CUT_OFF}, {MOST_TRIES} times")
    note_refused(system, UNREAD, CUT_OFF, tries)
    system.remove(stages.LAST)  # it is about an earlier update
    with _spool(system) as handle:
        return _copied(handle, folder)


def remove(system: System) -> None:
    """Remove what the board has left, or the unit would start again. Raises StepFailed.

    Not before something else says what becomes of it: after a power cut it is taken once more.
    """
    with _spool(system) as handle:
        try:
            os.unlink(NAME, dir_fd=handle)
        except IsADirectoryError:
            shutil.rmtree(NAME, dir_fd=handle)
        except FileNotFoundError:
            pass


@contextmanager
def _spool(system: System) -> Iterator[int]:
    """Open the board's folder; an OSError raised inside becomes StepFailed."""
    spool = system.at(SPOOL)
    try:
        handle = os.open(spool, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise StepFailed(f"{spool}: {error.strerror}") from error
    try:
        yield handle
    except OSError as error:
        raise StepFailed(f"{spool / NAME}: {error.strerror}") from error
    finally:
        os.close(handle)


def _copied(spool: int, folder: Path) -> tuple[Path, str]:
    target, digest, size = folder / NAME, hashlib.sha256(), 0
    source = os.open(NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=spool)
    with os.fdopen(source, "rb") as given, target.open("xb") as kept:
        if not stat.S_ISREG(os.fstat(source).st_mode):
            raise StepFailed(f"{SPOOL}/{NAME}: expected a file, found something else")
        while piece := given.read(MIB):
            size += len(piece)
            if size > MOST_IN_UPDATE:
                raise StepFailed(
                    f"{SPOOL}/{NAME}: expected at most {MOST_IN_UPDATE // MIB} MB, found more"
                )
            digest.update(piece)
            kept.write(piece)
    return target, digest.hexdigest()


def note_refused(system: System, sha256: str, why: str, tries: int = 0) -> None:
    """Write down why the board's file was not begun, for the board to read."""
    system.write(REFUSED, json.dumps({"sha256": sha256, "why": why, "tries": tries}) + "\n")


def forget(system: System) -> None:
    """Forget why a file was not begun: it was, or is left again."""
    system.remove(REFUSED)
