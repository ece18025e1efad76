"""A thousand falls on the kernel's lines: none is missed and none is invented."""

from __future__ import annotations

import random
from itertools import pairwise

from tests.kernel.board import Board
from tests.kernel.falls import (
    drive_all,
    driven_falls,
    journaled_falls,
    report,
    strokes,
    told,
    until_shown,
)

FALLS = 1_000
SEED = 20_261_121


def test_of_a_thousand_falls_none_is_missed_and_none_is_invented(board: Board) -> None:
    board.start("[board]\nfree_play = true\n")
    driven, transfers = drive_all(board, list(strokes(FALLS, random.Random(SEED))))
    seen, wanted = journaled_falls(board), driven_falls(board.driven)
    assert len(wanted) == FALLS
    assert [fall.pocket for fall in seen] == [fall.pocket for fall in wanted]
    pairs = list(zip(wanted, seen, strict=True))
    for ours, theirs in pairs:
        assert ours.broken_ns <= theirs.broken_ns < ours.whole_ns
        assert ours.whole_ns <= theirs.whole_ns
    shown = [
        time_ns
        for stroke, following in pairwise(driven)
        if (time_ns := until_shown(stroke, following[0].at_ns, transfers)) is not None
    ]
    report(
        "falls",
        f"{FALLS} falls in {len(driven)} strokes, seed {SEED}; 500 million instructions a second",
        told("from drive to the kernel's stamp", [s.broken_ns - w.broken_ns for w, s in pairs]),
        told("from a stroke's last edge to the OLED's last byte, bus at 400 kHz", shown),
    )
