"""A USB stick is plugged into the machine: the results are on it, and the OLED says so."""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path

from jackspot.core.record import read_record
from jackspot.dialogue.words.stick_words import stick_notice
from jackspot.sensing.events import Stick
from tests.kernel.board import Board
from tests.kernel.people import begin, lines, score_one
from tests.kernel.plays import wait_for_picture
from tests.kernel.write_log import copy_out

SECTOR = 512
FIRST_SECTOR, STICK_MB = 2048, 32
LINUX = 0x83
"""The type of a partition that holds a Linux file system."""


def make_stick(path: Path) -> None:
    """Make a stick's image: a partition table of the old kind (MBR), and one file system."""
    sectors = (STICK_MB << 20) // SECTOR - FIRST_SECTOR
    far = b"\xfe\xff\xff"  # tells programs that count in cylinders to use the sectors instead
    with path.open("wb") as file:
        file.truncate(STICK_MB << 20)
        file.seek(446)
        file.write(struct.pack("<B3sB3sII", 0, far, LINUX, far, FIRST_SECTOR, sectors))
        file.seek(510)
        file.write(b"\x55\xaa")
    at = f"offset={FIRST_SECTOR * SECTOR}"
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-E", at, path, f"{sectors // 2}k"], check=True)


def taken_off(stick: Path, folder: Path) -> Path:
    """Return the contents of the board's folder on a stick, as a folder."""
    part = folder / "part.img"
    part.write_bytes(stick.read_bytes()[FIRST_SECTOR * SECTOR :])
    copy_out(part, "/Jackspot", folder / "stick")
    return folder / "stick" / "Jackspot"


def plugged_in(board: Board, stick: Path) -> None:
    """Plug a stick in, wait until it may be removed, and remove it."""
    monitor = board.machine.monitor
    monitor.ask("blockdev-add", node_name="stick", driver="file", filename=str(stick))
    monitor.ask("device_add", driver="usb-storage", id="stick", drive="stick", bus="usb.0")
    wait_for_picture(board, notice=stick_notice(Stick.WRITTEN))
    monitor.ask("device_del", id="stick")
    monitor.event("DEVICE_DELETED", device="stick")
    monitor.ask("blockdev-del", node_name="stick")
    wait_for_picture(board)


def check_results(board: Board, folder: Path) -> None:
    """Check that the match that is on the board is on the stick, with all tables."""
    files = sorted(folder.iterdir())
    assert [file.suffix for file in files].count(".csv") == 4
    [told] = [file for file in files if file.suffix == ".carom"]
    read_record(told.read_text(encoding="utf-8"))
    [stroke] = lines(board)
    assert stroke in told.read_text(encoding="utf-8")


def test_the_results_are_on_a_stick_that_was_plugged_in(board: Board, tmp_path: Path) -> None:
    begin(board)
    score_one(board, "NE")
    stick = tmp_path / "stick.img"
    make_stick(stick)
    plugged_in(board, stick)
    check_results(board, taken_off(stick, tmp_path))


def test_a_stick_with_fat_on_the_whole_of_it_is_written_with_names_in_any_letters(
    board: Board, tmp_path: Path
) -> None:
    """Some sticks come from the shop like this: without a partition table."""
    name = "Tisch Süd 愛"
    begin(board, f'[board]\nname = "{name}"\n')
    score_one(board, "NE")
    stick = tmp_path / "stick.img"
    with stick.open("wb") as file:
        file.truncate(64 << 20)  # less is too little for FAT32
    subprocess.run(["mkfs.vfat", "-F", "32", "-s", "1", stick], check=True, capture_output=True)
    plugged_in(board, stick)
    checked = subprocess.run(
        ["fsck.vfat", "-n", stick], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    utf8 = {**os.environ, "LC_ALL": "C.UTF-8"}
    out: list[str | Path] = ["mcopy", "-s", "-n", "-i", stick, "::", tmp_path]
    subprocess.run(out, check=True, env=utf8)
    check_results(board, tmp_path / name)
