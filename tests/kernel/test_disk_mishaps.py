"""The disk takes no more writes: it is full, or has become read-only. Play goes on."""

from __future__ import annotations

from pathlib import Path

from tests.kernel.board import Board
from tests.kernel.people import begin, go_on, lines, pocketed, score_one
from tests.kernel.plays import wait_for_picture
from tests.kernel.power import DataDisk
from tests.kernel.qemu import wait_until


def test_on_a_full_disk_play_goes_on_and_all_is_written_when_there_is_room(
    board: Board, tmp_path: Path
) -> None:
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    # With more free, the log would have room for a hundred more entries before the disk is full.
    board.machine.run("fallocate -l 20M /var/lib/jackspot/before")
    begin(board)
    score_one(board, "NE")
    board.machine.run("setpriv --reuid=jackspot --regid=jackspot --clear-groups "
                      "cp /dev/zero /var/lib/jackspot/filler || true")  # fmt: skip
    for pocket in "SE", "NW", "SW":  # a block that is begun takes the first of them
        score_one(board, pocket)
    board.wait_for_faults("journal")
    kept = len(lines(board))
    assert pocketed(score_one(board, "NE")) == [5, 0]
    assert len(lines(board)) == kept < 5, "the disk is full indeed"
    board.machine.run("rm /var/lib/jackspot/filler")
    board.wait_for_faults()
    wait_for_picture(board)
    assert len(lines(board)) == 5
    board.restart()
    assert pocketed(go_on(board)) == [5, 0]


def test_a_board_whose_disk_is_read_only_shows_its_match_and_writes_when_it_can(
    board: Board, tmp_path: Path
) -> None:
    """The kernel does this to a disk that has failed once: everything mounted is read-only."""
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    begin(board)
    score_one(board, "NE")
    kept = lines(board)
    board.machine.run("echo u >/proc/sysrq-trigger")
    wait_until("the disk to be read-only", lambda: is_read_only(board))
    assert pocketed(score_one(board, "SE")) == [2, 0]
    board.wait_for_faults("journal")
    assert lines(board) == kept
    board.restart()
    board.wait_for_faults("journal")
    state = go_on(board)
    assert pocketed(state) == [1, 0], "what the disk never took is gone with the process"
    assert pocketed(score_one(board, "SW")) == [2, 0]
    assert lines(board) == kept
    board.machine.run("mount -o remount,rw /var/lib/jackspot")
    board.wait_for_faults()
    assert len(lines(board)) == len(kept) + 1
    board.restart()
    assert pocketed(go_on(board)) == [2, 0]
    wait_for_picture(board)


def is_read_only(board: Board) -> bool:
    """Return whether the disk with the journal takes no writes."""
    return board.machine.run("touch /var/lib/jackspot/probe", check=False).status != 0
