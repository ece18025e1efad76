"""What comes loose, sticks or is leaned on: the game goes on, and the fault is told."""

from __future__ import annotations

from tests.kernel.board import ACTIVE, RESTING, SECOND, SIGN_CONFIG, Board, gpio_of
from tests.kernel.plays import wait_for_picture, wait_for_sign


def pocketed(board: Board) -> list[int]:
    return [side["pocketed"] for side in board.state()["sides"]]


def begin(board: Board, config: str = "") -> None:
    """Start a board and its match."""
    board.start(config)
    board.press("referee_ok")
    board.wait_for_phase("ready")


def score_one(board: Board, pocket: str) -> None:
    """Let one piece fall, and say that it was what the board takes it for."""
    board.drop(pocket)
    board.wait_for_phase("review")
    board.press("referee_ok")
    board.wait_for_phase("ready")


def test_a_sign_whose_adapter_was_pulled_out_gets_its_texts_back(board: Board) -> None:
    board.plug_sign()
    begin(board, SIGN_CONFIG)
    before = wait_for_sign(board)
    board.pull_sign()
    score_one(board, "NE")
    board.wait_for_faults("alpha_sign")
    assert pocketed(board) == [1, 0]
    board.plug_sign()
    board.wait_for_faults()
    assert wait_for_sign(board) != before
    wait_for_picture(board)


def test_a_beam_that_stays_broken_is_told_and_the_others_score(board: Board) -> None:
    begin(board)
    gpio = gpio_of("pocket_ne")
    board.drive([(0, gpio, ACTIVE)])
    board.wait_for_faults("pocket_ne")
    score_one(board, "SW")
    assert pocketed(board) == [1, 0]
    board.drive([(0, gpio, RESTING)])
    board.wait_for_faults()
    wait_for_picture(board)


def test_a_button_held_for_a_minute_is_told_and_the_others_count(board: Board) -> None:
    begin(board)
    gpio = gpio_of("seat_w_fix")
    pressed_ns, held_ns = board.drive([(0, gpio, ACTIVE), (61 * SECOND, gpio, ACTIVE)])
    assert held_ns - pressed_ns > 60 * SECOND
    board.wait_for_faults("seat_w_fix")
    score_one(board, "SE")
    assert pocketed(board) == [1, 0]
    board.drive([(0, gpio, RESTING)])
    board.wait_for_faults()
    board.press("referee_ok")
    board.wait_for("the turn to pass", lambda state: state["turn"] == "S")
