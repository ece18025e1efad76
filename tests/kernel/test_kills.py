"""The board's process is killed in each phase: the service brings it back with its match."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kernel.board import MS, Board
from tests.kernel.people import QUICK, State, answer, begin, fall, go_on, pocketed, score_one
from tests.kernel.plays import wait_for_picture
from tests.kernel.qemu import wait_until


def kill(board: Board) -> State:
    """Kill the board as the kernel kills it, and wait until another process answers."""
    before = main_pid(board)
    board.begins_anew()
    board.machine.run("systemctl", "kill", "--signal=KILL", "jackspot")
    wait_until("a new process", lambda: main_pid(board) not in {"0", before})
    return board.wait_for("the board to answer", bool)


def main_pid(board: Board) -> str:
    """Return the process that the service manager takes for the board's; 0: none."""
    return board.machine.run("systemctl", "show", "jackspot", "-P", "MainPID").text


def answered(board: Board, state: State, button: str = "referee_ok") -> State:
    """Answer what the board asks, and wait for what it asks then."""
    answer(board, button)
    return board.wait_for("the next question", lambda now: now["ask"] != state["ask"])


def in_setup(board: Board) -> None:
    """Nobody has begun."""
    board.start(QUICK)


def in_ready(board: Board) -> None:
    """The next stroke is awaited."""
    begin(board, QUICK)
    score_one(board, "NE")


def in_falling(board: Board) -> None:
    """A piece is in a beam, and more may come."""
    begin(board, QUICK.replace("settle_s = 0.3", "settle_s = 60\nsettle_at_most_s = 60"))
    board.drop("NE")
    board.wait_for_phase("falling")


def in_review(board: Board) -> None:
    """The board has asked what fell."""
    begin(board, QUICK)
    fall(board, "SW")


def in_placing(board: Board) -> None:
    """The striker fell with the shooter's own: they go back."""
    begin(board, QUICK)
    score_one(board, "NE")
    state = fall(board, "SE")
    for _reading in range(10):
        if {"striker"} == {each["piece"] for each in state["proposal"]["departures"]}:
            break
        state = answered(board, state, "referee_fix")
    answer(board)
    board.wait_for_phase("placing")


def in_a_list(board: Board) -> None:
    """The menu is open."""
    begin(board, QUICK)
    board.press("referee_fix", 700 * MS)
    board.wait_for("the menu", lambda state: state["menu"] is not None)


def while_paused(board: Board) -> None:
    """It was killed before, and nobody has said yet that play goes on."""
    in_ready(board)
    assert kill(board)["phase"] == "paused"


@pytest.mark.parametrize(
    "reach", [in_setup, in_ready, in_falling, in_review, in_placing, in_a_list, while_paused]
)
def test_a_board_that_is_killed_returns_with_its_match(
    board: Board, reach: Callable[[Board], None]
) -> None:
    reach(board)
    before, journal = board.state(), board.dump()
    after = kill(board)
    assert board.dump()[: len(journal)] == journal
    assert pocketed(after) == pocketed(before)
    assert after["faults"] == []
    wait_for_picture(board)
    state = go_on(board)
    if before["phase"] in {"falling", "review"}:
        state = board.wait_for_phase("review")
        wanted = [each["pocket"] for each in before["proposal"]["departures"]]
        assert [each["pocket"] for each in state["proposal"]["departures"]] == wanted
    for _answer in range(3):
        if state["phase"] == "ready":
            break
        state = answered(board, state)
    assert state["phase"] == "ready"
    score_one(board, "NW")
