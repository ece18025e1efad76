"""The reader of write logs, on which the tests of power cuts rest, is itself right.

``qemu_writes.bin`` was made by QEMU 7.2 on an empty disk of 64 KiB::

    qemu-io -c "write -P 0x11 0 1k" -c "write -P 0x22 4k 512" -c flush \\
        -c "write -P 0x33 1k 1k" -c "write -f -P 0x44 8k 512" -c "discard 4k 4k" \\
        -c "write -z 12k 512" --image-opts driver=blklogwrites,file.driver=file,\\
    file.filename=disk,log.driver=file,log.filename=qemu_writes.bin,log-sector-size=512
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.kernel.write_log import (
    HEADER,
    MAGIC,
    SUPERBLOCK,
    Flag,
    Loss,
    NotALog,
    WriteLog,
    count_entries,
    cuts,
)

QEMU = Path(__file__).with_name("qemu_writes.bin")
SECTOR = 512
F, N = Flag.FLUSH, Flag(0)


def write_log(path: Path, *entries: tuple[int, bytes, Flag]) -> WriteLog:
    """Write a log as QEMU does: sector, data and flags of each entry."""
    with path.open("wb") as file:
        file.write(SUPERBLOCK.pack(MAGIC, 1, len(entries), SECTOR).ljust(SECTOR, b"\0"))
        for sector, data, flags in entries:
            file.write(HEADER.pack(sector, len(data) // SECTOR, flags, 0).ljust(SECTOR, b"\0"))
            file.write(b"" if flags & Flag.DISCARD else data)
    return WriteLog(path)


def sectors(text: str) -> bytes:
    """Return one sector of data for each letter."""
    return b"".join(letter.encode() * SECTOR for letter in text)


def letters(image: Path) -> str:
    """Return the letter of each sector of an image; a dot for zeros."""
    data = image.read_bytes()
    return "".join(chr(data[at]) for at in range(0, len(data), SECTOR)).replace("\0", ".")


def empty_disk(folder: Path, size: int) -> Path:
    disk = folder / "before.img"
    disk.write_bytes(bytes(size * SECTOR))
    return disk


def left(folder: Path, log: WriteLog, disk: Path, count: int, seed: int = 0) -> dict[Loss, str]:
    """Return the disk after ``count`` entries, for each kind of loss."""
    chance = random.Random(seed)
    counts = [count] * len(Loss)
    return {cut.loss: letters(cut.image) for cut in cuts(log, disk, counts, folder, chance)}


def test_a_log_that_qemu_wrote_is_read_entry_by_entry() -> None:
    log = WriteLog(QEMU)
    assert log.sector_bytes == SECTOR
    assert count_entries(QEMU) == len(log.entries)
    assert [(e.sector, e.sectors, e.flags) for e in log.entries] == [
        (0, 2, N), (8, 1, N), (0, 0, F), (0, 0, F), (2, 2, N), (16, 1, N), (0, 0, F),
        (8, 8, Flag.DISCARD), (24, 1, N), (0, 0, F), (0, 0, F),
    ]  # fmt: skip


def test_the_disk_that_qemu_wrote_comes_out_of_its_log(tmp_path: Path) -> None:
    log, disk = WriteLog(QEMU), empty_disk(tmp_path, 32)
    [cut] = cuts(log, disk, [len(log.entries)], tmp_path, random.Random(0))
    expected = "\x11\x11\x33\x33............\x44..............."
    assert letters(cut.image) == expected


def test_what_was_flushed_is_there_after_any_cut_and_what_was_not_may_be(tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log",
        (0, sectors("ab"), N), (0, b"", F), (1, sectors("c"), N), (3, sectors("de"), N),
    )  # fmt: skip
    disk = empty_disk(tmp_path, 5)
    seen = [left(tmp_path, log, disk, 4, seed) for seed in range(20)]
    assert {each[Loss.NONE] for each in seen} == {"ac.de"}
    assert {each[Loss.ALL] for each in seen} == {"ab..."}
    assert {each[Loss.SOME] for each in seen} == {"ab...", "ac...", "ab.de", "ac.de"}
    torn = {each[Loss.TORN] for each in seen}
    assert torn > {"ab.d.", "ab..e"}
    assert {each[0] for each in torn} == {"a"}


def test_a_cut_before_the_first_flush_may_leave_nothing(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", (0, sectors("a"), N), (0, b"", F))
    disk = empty_disk(tmp_path, 1)
    assert left(tmp_path, log, disk, 1)[Loss.ALL] == "."
    assert left(tmp_path, log, disk, 2)[Loss.ALL] == "a"


def test_a_write_that_goes_past_the_disks_memory_is_there(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", (0, sectors("a"), N), (1, sectors("b"), Flag.FUA))
    assert set(left(tmp_path, log, empty_disk(tmp_path, 2), 2).values()) >= {".b", "ab"}
    assert all(disk[1] == "b" for disk in left(tmp_path, log, tmp_path / "before.img", 2).values())


def test_a_flush_that_brings_data_makes_safe_what_was_before_it_only(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", (0, sectors("a"), N), (1, sectors("b"), F))
    assert log.safe(2) == 1
    assert left(tmp_path, log, empty_disk(tmp_path, 2), 2)[Loss.ALL] == "a."


def test_a_discard_empties_its_sectors_once_it_is_flushed(tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log",
        (0, sectors("ab"), N), (0, b"", F), (0, sectors("x"), Flag.DISCARD), (0, b"", F),
    )  # fmt: skip
    disk = empty_disk(tmp_path, 2)
    assert left(tmp_path, log, disk, 3)[Loss.ALL] == "ab"
    assert set(left(tmp_path, log, disk, 4).values()) == {".b"}


def test_cuts_come_in_the_order_of_the_log_whatever_order_is_asked_for(tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log",
        (0, sectors("a"), N), (0, b"", F), (0, sectors("b"), N), (0, b"", F),
    )  # fmt: skip
    made = cuts(log, empty_disk(tmp_path, 1), [4, 0, 2], tmp_path, random.Random(0))
    assert [(cut.count, letters(cut.image)) for cut in made] == [(0, "."), (2, "a"), (4, "b")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data[:20], "before its superblock"),
        (lambda data: b"\0" * 8 + data[8:], "no log of writes"),
        (lambda data: data[:-SECTOR], "needs|promised"),
    ],
)
def test_a_file_that_is_no_whole_log_is_refused(tmp_path: Path, change, says: str) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(change(QEMU.read_bytes()))
    with pytest.raises(NotALog, match=says):
        WriteLog(broken)
