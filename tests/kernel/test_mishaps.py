"""What comes loose, sticks or is leaned on: the game goes on, and the fault is told."""

from __future__ import annotations

from tests.kernel.board import ACTIVE, RESTING, SECOND, SIGN_CONFIG, Board, gpio_of
from tests.kernel.people import answer, begin, pocketed, score_one
from tests.kernel.plays import wait_for_picture, wait_for_sign


def test_a_sign_whose_adapter_was_pulled_out_gets_its_texts_back(board: Board) -> None:
    board.plug_sign()
    begin(board, SIGN_CONFIG)
    before = wait_for_sign(board)
    board.pull_sign()
    assert pocketed(score_one(board, "NE")) == [1, 0]
    board.wait_for_faults("alpha_sign")
    board.plug_sign()
    board.wait_for_faults()
    assert wait_for_sign(board) != before
    wait_for_picture(board)


def test_a_beam_that_stays_broken_is_told_and_the_others_score(board: Board) -> None:
    begin(board)
    gpio = gpio_of("pocket_ne")
    board.drive([(0, gpio, ACTIVE)])
    board.wait_for_faults("pocket_ne")
    assert pocketed(score_one(board, "SW")) == [1, 0]
    board.drive([(0, gpio, RESTING)])
    board.wait_for_faults()
    wait_for_picture(board)


def test_a_button_held_for_a_minute_is_told_and_the_others_count(board: Board) -> None:
    begin(board)
    gpio = gpio_of("seat_w_fix")
    pressed_ns, held_ns = board.drive([(0, gpio, ACTIVE), (61 * SECOND, gpio, ACTIVE)])
    assert held_ns - pressed_ns > 60 * SECOND
    board.wait_for_faults("seat_w_fix")
    assert pocketed(score_one(board, "SE")) == [1, 0]
    board.drive([(0, gpio, RESTING)])
    board.wait_for_faults()
    answer(board)
    board.wait_for("the turn to pass", lambda state: state["turn"] == "S")
