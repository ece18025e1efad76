"""People at the installed board: what they press, and what they go by.

They press the referee's box and look at the live state. As people do, they press only once the
board has been asking for a moment: an earlier press is taken for an answer to something else.
"""

from __future__ import annotations

from typing import Any

from tests.kernel.board import MS, Board

State = dict[str, Any]
HELD_NS = 1_300 * MS
"""Longer than a button must be down to count as held, by the board's own times."""
QUICK_HELD_NS = 500 * MS
QUICK = """\
[dialogue]
hold_s = 0.4
settle_s = 0.3
stand_s = 0.1
changed_guard_s = 0.1
ok_deaf_s = 0.1
pass_guard_s = 0.1
undo_pair_s = 0.1
"""
"""Times for quick people, where many strokes are wanted."""


def pocketed(state: State) -> list[int]:
    """Return what both sides have in."""
    return [side["pocketed"] for side in state["sides"]]


def lines(board: Board) -> list[str]:
    """Return the lines of the match record in the journal, including those taken back."""
    return [
        line
        for entry in board.dump()
        if entry["kind"] == "line"
        for line in entry["body"]["entries"]
    ]


def begin(board: Board, config: str = "") -> State:
    """Start a board and its match."""
    board.start(config)
    board.press("referee_ok")
    return board.wait_for_phase("ready")


def answer(board: Board, button: str = "referee_ok", *, held: bool = False) -> None:
    """Press a button once the board has asked for long enough."""
    board.machine.run("sleep", "1")
    board.press(button, HELD_NS if held else 100 * MS)


def fall(board: Board, pocket: str) -> State:
    """Let a piece fall, and wait until the board asks what it was."""
    board.drop(pocket)
    return board.wait_for_phase("review")


def score_one(board: Board, pocket: str) -> State:
    """Let one piece fall, and confirm what the board takes it for."""
    before = sum(pocketed(board.state()))
    fall(board, pocket)
    answer(board)
    return board.wait_for("the count", lambda state: sum(pocketed(state)) == before + 1)


def go_on(board: Board) -> State:
    """Acknowledge that the power was gone if the board asks; close any open list."""
    state = board.state()
    if state["menu"] is not None:
        answer(board, "referee_undo")
        state = board.wait_for("the list to close", lambda now: now["menu"] is None)
    if state["phase"] == "paused":
        answer(board)
        state = board.wait_for("play to go on", lambda now: now["phase"] != "paused")
    return state


def choose(board: Board, words: str) -> None:
    """Go through the open list to the line that begins with these words."""
    menu = board.state()["menu"]
    for _line in menu["items"]:
        if menu["items"][menu["chosen"]].startswith(words):
            return
        menu = next_line(board, menu["chosen"])["menu"]
    raise AssertionError(f"no line {words!r} in {menu['items']}")


def next_line(board: Board, chosen: int) -> State:
    """Go one line on in the open list."""
    answer(board, "referee_fix")
    return board.wait_for("the next line", lambda state: state["menu"]["chosen"] != chosen)
