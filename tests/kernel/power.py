"""Power cuts: the board's data on a disk of its own, what was told outside, what must be there.

A stroke or entry counts as acknowledged when the guest has told its number over a serial port:
those bytes are outside at once, whatever happens to the guest afterwards. :class:`Ledger` notes
with them how long the disk's log was by then, so that it is known of every crash point what had
been acknowledged before it.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jackspot.assembly import KINDS
from jackspot.storage.entries import Sealed
from jackspot.storage.recovery import open_or_recover
from jackspot.storage.wall import SystemWall
from tests.kernel.write_log import WriteLog, copy_image, copy_out, count_entries, cuts

DISK_MB = 32
JOURNAL = "journal.sqlite3"


@dataclass(frozen=True, slots=True)
class Left:
    """A journal after a cut: its entries, and what had to be done for it to open: nothing."""

    entries: Sealed
    notices: tuple[str, ...]


class DataDisk:
    """A disk for the board's data, an ext4 file system, of which every write is logged.

    ``image`` is the disk as it is; ``before`` as it was when its power came on last; ``log`` has
    what was written since.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.image = folder / f"{name}.img"
        self.before = folder / f"{name}-before.img"
        self.log = folder / f"{name}-writes.bin"
        with self.image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-b", "4096", self.image], check=True)

    def backend(self) -> dict[str, object]:
        """Give QEMU's description of the disk, for a new life of it.

        The host's cache is passed by: when QEMU is killed, nothing is left of what the guest
        had not yet handed over.
        """
        copy_image(self.image, self.before)
        self.log.write_bytes(b"")
        return {
            "node-name": self.name,
            "driver": "blklogwrites",
            "log-sector-size": 512,
            "cache": {"direct": True},
            "file": {"driver": "file", "filename": str(self.image), "cache": {"direct": True}},
            "log": {"driver": "file", "filename": str(self.log)},
        }

    def left(self, folder: str) -> Left:
        """Open the journal in one of its folders as the power cut left it, on a copy."""
        copy = self.folder / "left.img"
        copy_image(self.image, copy)
        return journal_in(copy, folder, self.folder / "left")


def journal_in(image: Path, folder: str, scratch: Path) -> Left:
    """Open the journal in a folder of a file system, as a board does. Changes the image."""
    shutil.rmtree(scratch, ignore_errors=True)
    copy_out(image, folder, scratch)
    path = scratch / Path(folder).name / JOURNAL
    opened = open_or_recover(path, KINDS, SystemWall())
    opened.journal.close()
    return Left(opened.entries, tuple(map(str, opened.notices)))


@dataclass(frozen=True, slots=True)
class Told:
    """A number that had been told when so many entries of the disk's log were written."""

    number: int
    entries: int


class Ledger:
    """What a guest has told with one mark, beside how far the log of a disk was by then."""

    def __init__(self, port: Path, mark: str, disk: DataDisk) -> None:
        self._port, self._disk = port, disk
        self._line = re.compile(rb"^%s(\d+)\n" % mark.encode(), re.MULTILINE)
        self.notes: list[Told] = []

    @property
    def last(self) -> int:
        """The last number that was told; 0 before the first."""
        return self.notes[-1].number if self.notes else 0

    def look(self) -> int:
        """Note what is told by now, and give the last number."""
        found = self._line.findall(self._port.read_bytes() if self._port.exists() else b"")
        if found and int(found[-1]) != self.last:
            # In this order: what is told was on the disk before the log was measured.
            self.notes.append(Told(int(found[-1]), count_entries(self._disk.log)))
        return self.last

    def known_at(self, entries: int) -> int:
        """Say which number had certainly been told when the log had so many entries."""
        return max((note.number for note in self.notes if note.entries <= entries), default=0)


@dataclass(frozen=True, slots=True)
class Found:
    """What a cut left: where it was, the number acknowledged before it, and the journal."""

    where: str
    known: int
    left: Left


def crash_points(
    disk: DataDisk, ledger: Ledger, folder: str, how_many: int, seed: int
) -> Iterator[Found]:
    """Cut the power at instants drawn from the seed, anywhere from the first number told on."""
    chance = random.Random(seed)
    log = WriteLog(disk.log)
    first = ledger.notes[0].entries
    counts: Iterable[int] = sorted(chance.choices(range(first, len(log.entries) + 1), k=how_many))
    for cut in cuts(log, disk.before, counts, disk.folder, chance):
        left = journal_in(cut.image, folder, disk.folder / "cut")
        yield Found(f"{cut} (seed {seed})", ledger.known_at(cut.count), left)
