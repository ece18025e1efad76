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
WRITTEN_BACK_S = 36
"""After how long the kernel has written what was not forced: 30 s, and it looks every 5 s."""


@pytest.mark.parametrize(
    ("aim_s", "kib_a_stroke"), [(0, 16), (8, 18)], ids=["one after the other", "as people shoot"]
)
def test_a_stroke_writes_little_to_the_card(
    board: Board, tmp_path: Path, aim_s: int, kib_a_stroke: int
) -> None:
    """Measured at the disk of the board's data, the file system's own writes included."""
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    begin(board, QUICK)
    score_one(board, "NE")
    board.machine.run("sync")  # the files that the first stroke began
    before = kib_written(board)
    for pocket in ["NE", "SE", "SW", "NW"] * (STROKES // 4):
        score_one(board, pocket)
        board.machine.run(f"sleep {aim_s}")
    board.machine.run(f"sleep {WRITTEN_BACK_S}")
    each = (kib_written(board) - before) / STROKES
    print(f"{each:.1f} KiB written a stroke, {aim_s} s after the one before")
    assert each < kib_a_stroke


def kib_written(board: Board) -> float:
    """Return what was written to the disk of the board's data so far."""
    sectors = board.machine.run("cat /sys/block/$(basename $(findmnt -no SOURCE "
                                "/var/lib/jackspot))/stat").text.split()[6]  # fmt: skip
    return int(sectors) / 2
