"""Parts come loose, stick or are leaned on: the game goes on, and the fault is reported."""

from __future__ import annotations

from tests.kernel.board import ACTIVE, HUB_CONFIG, RESTING, SECOND, SIGN_CONFIG, Board, gpio_of
from tests.kernel.people import answer, begin, pocketed, score_one
from tests.kernel.plays import wait_for_picture, wait_for_sign
from tests.kernel.qemu import wait_until


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


def test_a_sensor_hub_that_was_pulled_out_is_told_and_play_goes_on_until_it_returns(
    board: Board,
) -> None:
    hub = board.plug_hub()
    begin(board, HUB_CONFIG)
    board.machine.run("sleep", "9")  # what shook a board before its discs had listened for long
    hub.knocks([1_400, 2_500, 6_000, 2_500])
    board.machine.run("sleep", "1")
    assert pocketed(score_one(board, "NE")) == [1, 0]
    board.pull_hub()
    wait_until("the hub to be gone", board.hub_is_gone, every_s=1.0)
    assert pocketed(score_one(board, "SW")) == [2, 0]
    board.plug_hub()
    wait_until("the hub to be back", lambda: not board.hub_is_gone(), every_s=1.0)
    with_hub, without = [entry for entry in board.dump() if entry["kind"] == "fall"]
    [[_at_ns, peaks, sides]] = with_hub["body"]["heard"]
    assert (peaks, sides) == ([1_400, 2_500, 6_000, 2_500], "NESW")
    assert "heard" not in without["body"]


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
