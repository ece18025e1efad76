"""A whole match over the kernel's wires."""

from __future__ import annotations

from pathlib import Path

from jackspot.core.record import read_record
from jackspot.core.scoring import score
from tests.kernel.board import SIGN_CONFIG, Board
from tests.kernel.plays import played, wait_for_picture, wait_for_sign

RECORD = Path(__file__).with_name("match.carom")


def test_a_match_of_hikone_carom_ends_with_the_right_score_on_every_display(board: Board) -> None:
    config, steps = played(RECORD)
    board.plug_sign()
    board.start(config + SIGN_CONFIG)
    board.drive(steps)
    state = board.wait_for_phase("match_over")
    told, wanted = (score(read_record(text)) for text in (state["record"], RECORD.read_text()))
    assert told["boards"] == wanted["boards"]
    assert told["match"] == wanted["match"]
    assert state["faults"] == []
    wait_for_picture(board)
    wait_for_sign(board)
