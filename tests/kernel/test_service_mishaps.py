"""What a festival does to the service: it hangs, its clock jumps, it is upgraded.

Each ends with a running board that has its match and says what was wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.board import JOURNAL, Board
from tests.kernel.people import State, answer, begin, go_on, pocketed, score_one
from tests.kernel.qemu import wait_until

HERE = Path(__file__).resolve().parent
OLD = HERE.parent / "faults" / "journals"
YEAR_S = 366 * 24 * 3600
CLOCK = "[match.options]\ntime_limit_s = 600\n"


def shown(board: Board, name: str) -> str:
    """Return a property that the service manager shows for the board's unit."""
    return board.machine.run("systemctl", "show", "jackspot", "-P", name).text


def one_in(board: Board, config: str = "") -> State:
    """Start a match and confirm its first piece."""
    begin(board, config)
    return score_one(board, "NE")


def back_again(board: Board, main_pid: str) -> State:
    """Wait until another process answers for the board."""
    wait_until("a new process", lambda: shown(board, "MainPID") not in {"0", main_pid})
    return board.wait_for("the board to answer", bool)


def test_a_loop_that_hangs_is_ended_by_the_watchdog_and_the_match_goes_on(board: Board) -> None:
    count = pocketed(one_in(board))
    pid = shown(board, "MainPID")
    tool = "/run/stop_thread.py"
    board.machine.write(tool, (HERE / "sent" / "stop_thread.py").read_bytes())
    board.machine.run("systemd-run", "-q", "--unit=hang", "python3", "-I", tool, pid)
    state = back_again(board, pid)
    assert pocketed(state) == count
    assert "Failed with result 'watchdog'" in board.log()
    go_on(board)
    assert sum(pocketed(score_one(board, "NE"))) == sum(count) + 1


@pytest.mark.parametrize("jump_s", [YEAR_S, -YEAR_S])
def test_the_match_does_not_notice_that_the_wall_clock_jumps_by_a_year(
    board: Board, jump_s: int
) -> None:
    state = one_in(board, CLOCK)
    assert state["clock"]["running"]
    before_ns, at_ns = state["clock"]["remaining_ns"], state["clock"]["as_of_ns"]
    now = int(board.machine.run("date", "+%s").text)
    board.machine.run("date", "-s", f"@{now + jump_s}")
    state = score_one(board, "NE")
    assert state["faults"] == []
    passed_ns = state["clock"]["as_of_ns"] - at_ns
    assert before_ns - state["clock"]["remaining_ns"] == passed_ns < 300 * 10**9
    instants = [entry["at_ns"] for entry in board.dump()]
    assert instants == sorted(instants)
    board.restart()
    again = board.state()
    assert (pocketed(again), again["faults"]) == (pocketed(state), [])


@pytest.mark.parametrize(
    ("journal", "phase", "faults"),
    [("whole_dialogue.db", "review", []), ("first_dialogue.db", "paused", ["unread"])],
)
def test_an_upgrade_over_a_journal_of_the_version_before_goes_on_with_its_match(
    board: Board, journal: str, phase: str, faults: list[str]
) -> None:
    owner = "install -o jackspot -g jackspot -m 640 /dev/stdin"
    board.machine.run(
        f"install -d -o jackspot -g jackspot /var/lib/jackspot; {owner} {JOURNAL}",
        given=(OLD / journal).read_bytes(),
    )
    board.start()
    state = board.state()
    assert (state["phase"], [fault["trouble"] for fault in state["faults"]]) == (phase, faults)
    state = go_on(board)
    assert [each["pocket"] for each in state["proposal"]["departures"]] == ["SE"]
    answer(board)
    state = board.wait_for("the stroke", lambda now: now["phase"] != "review")
    assert state["faults"] == []
    kept = [entry["body"]["entries"] for entry in board.dump() if entry["kind"] == "line"]
    assert (len(kept), kept[0]) == (6, ["S striker@SW"])
