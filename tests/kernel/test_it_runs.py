"""The installed board runs under its own unit, on a kernel's own pins, bus and ports."""

from __future__ import annotations

import pytest

from tests.kernel.board import SIGN_CONFIG, Board
from tests.kernel.plays import wait_for_picture, wait_for_sign

pytestmark = pytest.mark.smoke


def test_a_puck_that_falls_is_scored_and_shown_and_a_sign_plugged_in_later_tells_it(
    board: Board,
) -> None:
    board.start(SIGN_CONFIG)
    board.wait_for_faults("alpha_sign")
    board.press("referee_ok")
    board.wait_for_phase("ready")
    board.drop("NE")
    board.wait_for_phase("review")
    board.press("referee_ok")
    state = board.wait_for_phase("ready")
    assert [side["pocketed"] for side in state["sides"]] == [1, 0]
    board.plug_sign()
    board.wait_for_faults()
    wait_for_picture(board)
    wait_for_sign(board)
    assert board.machine.run("systemctl", "is-active", "jackspot").text == "active"


def test_an_oled_that_was_gone_returns_whole(board: Board) -> None:
    board.start()
    board.press("referee_ok")
    board.wait_for_phase("ready")
    before = wait_for_picture(board)
    board.plug_oled(False)
    board.drop("SE")
    board.wait_for_faults("oled")
    board.wait_for_phase("review")
    board.press("referee_ok")
    board.wait_for_phase("ready")
    board.plug_oled(True)
    board.wait_for_faults()
    after = wait_for_picture(board)
    assert after.tobytes() != before.tobytes()
    assert "oled" in board.log()
