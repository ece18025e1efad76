"""Power cuts: the board's data on a disk of its own, what was reported outside, what must remain.

A stroke counts as acknowledged when the live state that shows it has been read outside, and an
entry of a journal when the guest has reported its number over a serial port: what is outside stays
there, whatever happens to the guest afterwards. A :class:`Ledger` also notes how long the disk's
log was by then, so that for every crash point it is known what had been acknowledged before it.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from jackspot.assembly import KINDS
from jackspot.storage.entries import Sealed
from jackspot.storage.recovery import open_or_recover
from jackspot.storage.wall_clock import SystemWall
from tests.kernel.qemu import Machine, wait_until
from tests.kernel.write_log import WriteLog, copy_image, copy_out, count_entries, cuts

DISK_MB = 32
SUPERBLOCK_SECTORS = 8
"""The first block of an ext4 file system. Its superblock has two sectors, and no mount looks for
another one: nobody can mount a disk on which they are torn, whatever else is on it."""
JOURNAL = "journal.sqlite3"


class Left(Struct, frozen=True):
    """A journal after a cut: its entries, and what had to be done to open it (nothing)."""

    entries: Sealed
    notices: tuple[str, ...]


class DataDisk:
    """A disk for the board's data, an ext4 file system whose every write is logged.

    ``image`` is the disk as it is; ``before`` is as it was when its power last came on; ``log`` has
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
        """Return QEMU's description of the disk, for its next start.

        The host's cache is bypassed: when QEMU is killed, nothing is left of what the guest had
        not yet handed over.
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

    def plug(self, machine: Machine, slot: str, at: str) -> None:
        """Plug the disk into a machine, and mount it where its files are wanted."""
        machine.monitor.ask("blockdev-add", **self.backend())
        machine.monitor.ask(
            "device_add", driver="virtio-blk-pci", id=self.name, bus=slot, drive=self.name,
            serial=self.name,
        )  # fmt: skip
        device = f"/dev/disk/by-id/virtio-{self.name}"
        wait_until(device, lambda: machine.run("test", "-e", device, check=False).status == 0)
        machine.run(f"mkdir -p {at} && mount {device} {at}")

    def carry(self, machine: Machine) -> None:
        """Plug it into a machine whose board keeps its data there, in the folder ``board``."""
        self.plug(machine, "slot1", "/run/data")
        machine.run("mkdir -p /run/data/board /var/lib/jackspot")
        machine.run("mount --bind /run/data/board /var/lib/jackspot")

    def slow(self, machine: Machine, at: str, write_ms: int) -> None:
        """Let each write to it take ``write_ms``; the file system at ``at`` is mounted again."""
        device = f"/dev/disk/by-id/virtio-{self.name}"
        machine.run(
            f"umount {at} && modprobe dm-delay && echo 0 $(blockdev --getsz {device}) delay "
            f"{device} 0 0 {device} 0 {write_ms} | dmsetup create slow-{self.name} && "
            f"mount /dev/mapper/slow-{self.name} {at}"
        )

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


class Told(Struct, frozen=True):
    """A number that had been reported when this many entries of the disk's log were written."""

    number: int
    entries: int


class Ledger:
    """What was acknowledged, with how far the log of a disk was by then."""

    def __init__(self, disk: DataDisk) -> None:
        self._disk = disk
        self.notes: list[Told] = []

    @property
    def last(self) -> int:
        """The last number that was acknowledged; 0 before the first."""
        return self.notes[-1].number if self.notes else 0

    def note(self, number: int) -> None:
        """Note a number that has been read outside, so it was on the disk before now."""
        self.notes.append(Told(number, count_entries(self._disk.log)))

    def known_at(self, entries: int) -> int:
        """Return the number that was surely acknowledged when the log had ``entries`` entries."""
        return max((note.number for note in self.notes if note.entries <= entries), default=0)


def read_numbers(port: Path, mark: str, ledger: Ledger) -> int:
    """Note and return the last number that a serial port's lines give after a mark."""
    said = port.read_bytes() if port.exists() else b""
    found = re.findall(rb"^%s(\d+)\r?\n" % mark.encode(), said, re.MULTILINE)
    if found and int(found[-1]) != ledger.last:
        ledger.note(int(found[-1]))
    return ledger.last


class Found(Struct, frozen=True):
    """What a cut left: where it was, the number acknowledged before it, and the journal."""

    where: str
    known: int
    left: Left


def crash_points(
    disk: DataDisk, ledger: Ledger, folder: str, how_many: int, seed: int
) -> Iterator[Found]:
    """Cut the power at instants drawn from the seed, anywhere after the first number reported."""
    chance = random.Random(seed)
    log = WriteLog(disk.log)
    first = ledger.notes[0].entries if ledger.notes else 0
    counts: Iterable[int] = sorted(chance.choices(range(first, len(log.entries) + 1), k=how_many))
    for cut in cuts(log, disk.before, counts, disk.folder, chance, SUPERBLOCK_SECTORS):
        left = journal_in(cut.image, folder, disk.folder / "cut")
        yield Found(f"{cut} (seed {seed})", ledger.known_at(cut.count), left)
