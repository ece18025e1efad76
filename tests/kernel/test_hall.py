"""A board in a hall, with the broker and the keys that a hall has, over a network that fails."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from jackspot.festival.broker import free_port, program, reached
from jackspot.festival.joining import write
from jackspot.festival.keys import CONFIG, BrokerUser, HallKeys, write_keys
from jackspot.festival.names import board_id
from tests.festival.hub import Hub
from tests.kernel.board import MS, Board
from tests.kernel.people import (
    QUICK,
    answer,
    choose,
    go_on,
    lines,
    pocketed,
    score_one,
)
from tests.kernel.power import DataDisk
from tests.kernel.qemu import GATEWAY, PATIENCE_S, Machine, Source, wait_until

HALL, NUMBER = "hikone", 7
BOARD = board_id(NUMBER)
HEADER = """\
# jackspot record 1
rules = "hikone"
seats = ["N", "S"]
event = "36th championship"
round = "singles-A-1-1"
[names]
N = "Aiko"
S = "Ben"
---
"""


class Desk(Struct, frozen=True):
    """The hall's hub, and what its boards have in their config."""

    hub: Hub
    config: str

    def status(self, heard: dict[str, Any]) -> str:
        """Return what is reported of the board: that it is there, or lost."""
        return str((heard.get(f"{BOARD} status") or {}).get("state"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Return the desk of a hall whose broker takes nobody without its keys."""
    own, folder, here = pwd.getpwuid(os.getuid()), tmp_path / "hall", "127.0.0.1"
    keys = HallKeys(HALL, NUMBER, (GATEWAY,), free_port(), (here,))
    handed = write_keys(folder, keys, BrokerUser(own.pw_name, own.pw_uid, own.pw_gid))
    with subprocess.Popen([program(), "-c", folder / CONFIG], stderr=subprocess.DEVNULL) as broker:
        assert reached((here, keys.port), lambda: broker.poll() is None)
        secret = (folder / "hub.password").read_text(encoding="utf-8").strip()
        ca = folder / "hall.crt"
        hub = Hub((here, keys.port), HALL, tmp_path / "hub.jsonl", ca=ca, secret=secret)
        yield Desk(hub, f"{QUICK}{write(handed)}number = {NUMBER}\n")
        hub.close()
        broker.terminate()


def on_its_disk(machine: Machine, disk: DataDisk, config: str) -> Board:
    """Start the board with its data on a disk that outlives the machine."""
    disk.carry(machine)
    machine.join_network()
    board = Board(machine)
    board.start(config)
    return board


def resign(board: Board) -> None:
    """End the match: S gives up. If nobody has played for long, a press wakes the board."""
    if board.state()["attract"] is not None:
        board.press("referee_ok")
        board.wait_for("the match", lambda state: state["attract"] is None)
    board.press("referee_fix", 700 * MS)
    board.wait_for("the menu", lambda state: state["menu"] is not None)
    choose(board, "resign")
    answer(board)
    board.wait_for("who it is", lambda state: "S resigns" in state["menu"]["items"])
    choose(board, "S resigns")
    answer(board, held=True)
    board.wait_for_phase("match_over")


def test_what_was_played_without_a_network_and_over_a_power_cut_arrives_once(
    source: Source, desk: Desk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """``--away-s`` is how many seconds the network is gone, by the guest's clock."""
    half_s = int(request.config.getoption("--away-s", default=60)) // 2
    disk, hub = DataDisk(tmp_path, "data"), desk.hub
    with Machine(source) as machine:
        board = on_its_disk(machine, disk, desk.config)
        hub.until(lambda heard: desk.status(heard) == "ready", PATIENCE_S)
        hub.order(BOARD, 1, HEADER, begins="players")
        board.wait_for("the order", lambda state: "Aiko" in str(state))
        for _question in "we are here", "start":
            answer(board)
        board.wait_for_phase("ready")
        score_one(board, "NE")
        hub.until(lambda heard: "NE" in str(heard.get(f"{BOARD} record")), PATIENCE_S)
        machine.plug_network(False)
        counts = pocketed(score_one(board, "SE"))
        hub.until(lambda heard: desk.status(heard) == "lost", PATIENCE_S)
        machine.run("sleep", str(half_s), timeout_s=2 * half_s + 60)
        played = lines(board)
        machine.kill()
    with Machine(source) as machine:
        machine.plug_network(False)
        board = on_its_disk(machine, disk, desk.config)
        assert pocketed(go_on(board)) == counts
        assert lines(board)[: len(played)] == played
        machine.run("sleep", str(half_s), timeout_s=2 * half_s + 60)
        resign(board)
        assert hub.results == []
        machine.plug_network(True)
        hub.until(lambda _heard: hub.results, PATIENCE_S)
        (result,) = hub.results
        assert result["record"].startswith(HEADER)
        assert result["record"].removeprefix(HEADER).split("\n")[:-1] == lines(board)
        boot = hub.heard[f"{BOARD} status"]["boot"]
        board.restart()
        hub.until(lambda heard: heard[f"{BOARD} status"]["boot"] != boot, PATIENCE_S)
        wait_until(
            "the board to be idle", lambda: board.state()["phase"] in ("match_over", "setup")
        )
        assert len(hub.results) == 1
