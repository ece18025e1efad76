"""What the owner does to the board's service while it runs: reinstall, restore, switch off."""

from __future__ import annotations

from pathlib import Path

from tests.kernel.board import MS, Board
from tests.kernel.people import (
    QUICK,
    QUICK_HELD_NS,
    answer,
    begin,
    choose,
    go_on,
    lines,
    pocketed,
    score_one,
)
from tests.kernel.plays import wait_for_picture
from tests.kernel.power import DataDisk
from tests.kernel.qemu import wait_until

JACKSPOT = "/opt/jackspot/bin/jackspot"


def test_a_board_shut_down_from_its_menu_switches_the_machine_off(
    board: Board, tmp_path: Path
) -> None:
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    board.machine.run("mkdir /var/lib/jackspot/board")
    begin(board, QUICK + '[journal]\npath = "/var/lib/jackspot/board/journal.sqlite3"\n')
    score_one(board, "NE")
    record = lines(board)
    board.press("referee_fix", 700 * MS)
    board.wait_for("the menu", lambda state: state["menu"] is not None)
    choose(board, "the board")
    answer(board)
    board.wait_for("its list", lambda state: "safe shutdown" in str(state["menu"]["items"]))
    choose(board, "safe shutdown")
    board.press("referee_ok", QUICK_HELD_NS)
    wait_until("the machine to go off", lambda: board.machine.process.poll() is not None)
    left = disk.left("/board")
    assert left.notices == ()
    assert "failed" not in {entry.kind for entry in left.entries}
    kept = [
        line for entry in left.entries if entry.kind == "line" for line in entry.body["entries"]
    ]
    assert kept == record


def test_installing_over_a_running_board_starts_it_anew_in_the_middle_of_its_match(
    board: Board,
) -> None:
    begin(board)
    count = pocketed(score_one(board, "NE"))
    before = board.machine.run("systemctl show jackspot -P MainPID").text
    board.begins_anew()
    board.machine.run("systemctl disable jackspot; rm /etc/udev/rules.d/60-jackspot.rules")
    said = board.machine.run(
        JACKSPOT, "install", "--yes", "--no-packages", "--no-i2c", timeout_s=300
    ).text
    board.wait_for("the board to answer", bool)
    assert board.machine.run("systemctl show jackspot -P MainPID").text not in {"0", before}, said
    assert board.machine.run("systemctl is-enabled jackspot").text == "enabled"
    assert board.machine.run("test -e /etc/udev/rules.d/60-jackspot.rules").status == 0
    assert pocketed(go_on(board)) == count
    wait_for_picture(board)
    score_one(board, "SE")


def test_a_backup_restored_into_a_running_board_brings_back_its_match(board: Board) -> None:
    begin(board)
    count = pocketed(score_one(board, "NE"))
    board.machine.run(JACKSPOT, "backup", "/var/tmp/board.zip", timeout_s=300)
    board.begins_anew()
    score_one(board, "SE")
    refused = board.machine.run(
        JACKSPOT, "restore", "--yes", "/var/tmp/board.zip", check=False, timeout_s=300
    )
    assert refused.status == 1
    assert b"--restart" in refused.err
    board.driven.clear()
    board.machine.run(
        JACKSPOT, "restore", "--yes", "--restart", "/var/tmp/board.zip", timeout_s=300
    )
    board.wait_for("the board to answer", bool)
    assert pocketed(go_on(board)) == count
    wait_for_picture(board)
    score_one(board, "SW")


def test_a_board_that_was_taken_off_the_machine_leaves_its_match_there(board: Board) -> None:
    begin(board)
    score_one(board, "NE")
    board.machine.run(JACKSPOT, "uninstall", "--yes", timeout_s=300)
    assert board.machine.run("systemctl is-active jackspot", check=False).text == "inactive"
    assert board.machine.run("ls /opt").text == ""
    kept = board.machine.run("stat --format=%s /var/lib/jackspot/journal.sqlite3").text
    assert int(kept) > 0
