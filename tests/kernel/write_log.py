"""What was written to a disk, write by write, and the disks that a power cut can leave.

The log is that of QEMU's ``blklogwrites`` driver, in the form of the Linux device mapper's
``log-writes`` target (the kernel's ``Documentation/admin-guide/device-mapper/log-writes.rst``):
a superblock, then one header sector and its data for each write, flush and discard, in the
order in which they ended.

What a power cut may leave: a disk may hold what it was given in a memory of its own and bring
it to the medium in any order, until a flush is over. So everything that was written before the
last flush is there; of each later write all, none or some of the sectors are there. One sector is
written whole or not at all. A discard that was not flushed may have happened or not.
"""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Iterable, Iterator
from enum import Enum, IntFlag
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

MAGIC = 0x6A736677736872
VERSION = 1
SUPERBLOCK = struct.Struct("<QQQI")
"""Magic number, version, number of entries, and bytes a sector."""
HEADER = struct.Struct("<QQQQ")
"""First sector, number of sectors, flags, and the length of a mark's data."""


class Flag(IntFlag):
    """What an entry is besides a write."""

    FLUSH = 1
    """Everything that was written before it is on the medium."""
    FUA = 2
    """It is itself on the medium."""
    DISCARD = 4
    """Its sectors are not needed any more; no data follows."""
    MARK = 8
    """A remark by the writer of the log; it is about no sector."""


class NotALog(ValueError):
    """The file is not a log of writes; the message says where it differs from one."""


class Entry(Struct, frozen=True):
    """One write, flush or discard. ``data_at`` is the byte of the log where its data begins."""

    sector: int
    sectors: int
    flags: Flag
    data_at: int


class WriteLog:
    """A log of writes, read as far as its superblock says: up to the last flush or further.

    Raises NotALog. It may be read while QEMU writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            count, self.sector_bytes = _superblock(file, path)
            self.entries = tuple(self._entries(file, count))

    def _entries(self, file: BinaryIO, count: int) -> Iterator[Entry]:
        at = self.sector_bytes
        end = self.path.stat().st_size
        for number in range(count):
            file.seek(at)
            raw = file.read(HEADER.size)
            if len(raw) < HEADER.size:
                raise NotALog(f"{self.path}: {count} entries are promised, {number} are there")
            sector, sectors, flags, length = HEADER.unpack(raw)
            entry = Entry(sector, sectors, Flag(flags), at + self.sector_bytes)
            size = self.bytes_of(entry)
            if entry.flags & Flag.MARK:
                size = -(-length // self.sector_bytes) * self.sector_bytes
            at = entry.data_at + size
            if at > end:
                raise NotALog(f"{self.path}: entry {number} needs {at} bytes, {end} are there")
            yield entry

    def bytes_of(self, entry: Entry) -> int:
        """Return how many bytes of data an entry has in the log."""
        return 0 if entry.flags & (Flag.DISCARD | Flag.MARK) else entry.sectors * self.sector_bytes

    def safe(self, count: int) -> int:
        """Return how many of the first ``count`` entries the last flush among them made safe."""
        for index in range(count, 0, -1):
            entry = self.entries[index - 1]
            if entry.flags & Flag.FLUSH:
                # One that also writes flushes what was before it, not what it writes.
                return index - 1 if self.bytes_of(entry) else index
        return 0

    def play(self, disk: BinaryIO, entries: Iterable[Entry], parts: Chooser | None = None) -> None:
        """Write entries to a disk's image in order: all of each, or what ``parts`` chooses."""
        with self.path.open("rb") as log:
            for entry in entries:
                if entry.flags & Flag.MARK or not entry.sectors:
                    continue
                log.seek(entry.data_at)
                size = self.sector_bytes
                data = log.read(self.bytes_of(entry)) or bytes(entry.sectors * size)
                for sector in range(entry.sectors) if parts is None else parts.of(entry):
                    disk.seek((entry.sector + sector) * size)
                    disk.write(data[sector * size : (sector + 1) * size])


def count_entries(path: Path) -> int:
    """Return how many entries a log that QEMU still writes holds; 0 before its first flush."""
    with path.open("rb") as file:
        return _superblock(file, path)[0] if path.stat().st_size else 0


def _superblock(file: BinaryIO, path: Path) -> tuple[int, int]:
    raw = file.read(SUPERBLOCK.size)
    if len(raw) < SUPERBLOCK.size:
        raise NotALog(f"{path}: ends after {len(raw)} bytes, before its superblock does")
    magic, version, count, sector_bytes = SUPERBLOCK.unpack(raw)
    if (magic, version) != (MAGIC, VERSION):
        raise NotALog(f"{path}: begins with {magic:#x}, version {version}: no log of writes")
    return count, sector_bytes


class Loss(Enum):
    """What happens to the writes after the last flush."""

    NONE = "all of them are there"
    ALL = "none of them is there"
    SOME = "each is there or not"
    TORN = "of each some sectors are there"


class Chooser(Struct, frozen=True):
    """Chooses the sectors that are there of a write that no flush has made safe."""

    loss: Loss
    chance: random.Random
    whole: int = 0
    """How many sectors at the disk's beginning are written only together with their whole write."""

    def of(self, entry: Entry) -> Iterable[int]:
        """Return the sectors of a write that have reached the medium, from 0."""
        every = range(entry.sectors)
        if entry.flags & Flag.FUA or self.loss is Loss.NONE:
            return every
        if self.loss is Loss.TORN and entry.sector >= self.whole:
            return [sector for sector in every if self.chance.random() < 0.5]
        there = self.loss is not Loss.ALL and self.chance.random() < 0.5
        return every if there else ()


class Cut(Struct, frozen=True):
    """One disk that a power cut may have left: after ``count`` entries of the log."""

    count: int
    loss: Loss
    image: Path

    def __str__(self) -> str:
        """Return where the power failed and what the disk made of it."""
        return f"cut after write {self.count}, of what was not flushed {self.loss.value}"


def cuts(
    log: WriteLog,
    before: Path,
    counts: Iterable[int],
    folder: Path,
    chance: random.Random,
    whole: int = 0,
) -> Iterator[Cut]:
    """Make the disk after each of these numbers of entries, which ascend, one after the other.

    ``before`` is the disk's image before the first entry. The kinds of loss take turns. The image
    of a cut may be written to, and is gone when the next one is asked for. The first ``whole``
    sectors are never torn.
    """
    safe, image = folder / "safe.img", folder / "cut.img"
    copy_image(before, safe)
    done = 0
    for turn, count in enumerate(sorted(counts)):
        loss = list(Loss)[turn % len(Loss)]
        reached = log.safe(count)
        with safe.open("r+b") as disk:
            log.play(disk, log.entries[done:reached])
        done = max(done, reached)
        copy_image(safe, image)
        with image.open("r+b") as disk:
            log.play(disk, log.entries[reached:count], Chooser(loss, chance, whole))
        yield Cut(count, loss, image)


def copy_image(source: Path, target: Path) -> None:
    """Copy a disk's image, with its holes."""
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", source, target], check=True)


def copy_out(image: Path, folder: str, target: Path) -> None:
    """Copy a folder out of an ext4 image as the kernel would find it when it mounts it.

    The file system's own journal is played back first, as mounting does; after that the file
    system must be whole. The image is changed. Raises NotWhole.
    """
    replayed = subprocess.run(
        ["e2fsck", "-p", "-E", "journal_only", image], capture_output=True, check=False
    )
    if replayed.returncode not in {0, 1}:
        raise NotWhole(f"{image}: its journal could not be played back: {_said(replayed)}")
    checked = subprocess.run(["e2fsck", "-f", "-n", image], capture_output=True, check=False)
    if checked.returncode:
        raise NotWhole(f"{image}: not whole after its journal was played back: {_said(checked)}")
    target.mkdir(parents=True, exist_ok=True)
    copied = subprocess.run(
        ["debugfs", "-R", f"rdump {folder} {target}", image], capture_output=True, check=False
    )
    if copied.returncode or not (target / Path(folder).name).is_dir() or not any(target.iterdir()):
        raise NotWhole(f"{image}: {folder} could not be copied out: {_said(copied)}")


class NotWhole(Exception):
    """A file system is in a state that a power cut must not leave it in."""


def _said(ended: subprocess.CompletedProcess[bytes]) -> str:
    return (ended.stdout + ended.stderr).decode(errors="replace").strip()
