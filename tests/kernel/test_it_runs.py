"""The installed board runs under its own unit, on a kernel's own pins, bus and ports."""

from __future__ import annotations

import pytest

from tests.kernel.board import SIGN_CONFIG, Board

pytestmark = pytest.mark.smoke


def test_the_service_starts_and_scores_what_falls(board: Board) -> None:
    board.plug_sign()
    board.start(SIGN_CONFIG)
    board.wait_for_phase("setup")
    board.press("referee_ok")
    board.wait_for_phase("ready")
    board.drop("NE")
    board.wait_for_phase("review")
    board.press("referee_ok")
    board.wait_for("the next question", lambda state: state["phase"] != "review")
    assert board.machine.run("systemctl", "is-active", "jackspot").text == "active"
    assert board.sign().strings
