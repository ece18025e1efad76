"""A whole match over the kernel's wires."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackspot.core.record import read_record
from jackspot.core.scoring import score
from tests.kernel.board import SIGN_CONFIG, Board
from tests.kernel.people import QUICK, begin, score_one
from tests.kernel.plays import played, wait_for_picture, wait_for_sign
from tests.kernel.power import DataDisk

RECORD = Path(__file__).with_name("match.carom")


def test_a_match_of_hikone_carom_ends_with_the_right_score_on_every_display(board: Board) -> None:
    config, steps = played(RECORD)
    board.plug_sign()
    board.start(config + SIGN_CONFIG)
    board.drive(steps)
    state = board.wait_for_phase("match_over")
    told, wanted = (score(read_record(text)) for text in (state["record"], RECORD.read_text()))
    assert told["boards"] == wanted["boards"]
    assert told["match"] == wanted["match"]
    assert state["faults"] == []
    wait_for_picture(board)
    wait_for_sign(board)


STROKES = 8
STROKE_KIB, HALF_A_MINUTE_KIB = 10, 16
"""The most that each stroke forces, and the most that the kernel writes back of the rest, once it
is 30 s old: the index of the journal's log, and how far the journal had got."""


@pytest.mark.parametrize("aim_s", [0, 8], ids=["one after the other", "as people shoot"])
def test_a_stroke_writes_little_to_the_card(board: Board, tmp_path: Path, aim_s: int) -> None:
    """This is measured at the disk of the board's data, including the file system's own writes."""
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    # With two disks, the kernel gives the one that hardly writes little memory for unwritten data,
    # and writes that back at once. A board has one disk.
    board.machine.run("echo 90 > /sys/block/$(basename $(findmnt -no SOURCE "
                      "/var/lib/jackspot))/bdi/min_ratio")  # fmt: skip
    begin(board, QUICK)
    score_one(board, "NE")
    board.machine.run("sleep 30 && sync", timeout_s=120)  # what is written once, at a start
    before, begun_s = kib_written(board), uptime_s(board)
    for pocket in ["NE", "SE", "SW", "NW"] * (STROKES // 4):
        score_one(board, pocket)
        board.machine.run(f"sleep {aim_s}")
    board.machine.run("sleep 36", timeout_s=120)
    kib, lasted_s = kib_written(board) - before, uptime_s(board) - begun_s
    print(f"{kib / STROKES:.1f} KiB written a stroke, {STROKES} strokes in {lasted_s - 36:.0f} s")
    assert kib < STROKES * STROKE_KIB + HALF_A_MINUTE_KIB * lasted_s / 30


def kib_written(board: Board) -> float:
    """Return what was written to the disk of the board's data so far."""
    sectors = board.machine.run("cat /sys/block/$(basename $(findmnt -no SOURCE "
                                "/var/lib/jackspot))/stat").text.split()[6]  # fmt: skip
    return int(sectors) / 2


def uptime_s(board: Board) -> float:
    """Return for how long the guest has been up, by its own clock."""
    return float(board.machine.read("/proc/uptime").split()[0])
