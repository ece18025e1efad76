"""A thousand falls on the kernel's lines: none is missed and none is invented."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

from tests.kernel import image
from tests.kernel.board import Board, Driven, Transfer
from tests.kernel.falls import (
    driven_falls,
    journaled_falls,
    strokes,
    told,
    until_shown,
)

FALLS = 1_000
SEED = 20_261_121
BATCH = 40
"""Strokes after which the bus's log is read: it keeps the last 4096 transfers."""
REPORT = image.CACHE / "report.txt"


def test_of_a_thousand_falls_none_is_missed_and_none_is_invented(board: Board) -> None:
    board.start("[board]\nfree_play = true\n")
    driven, transfers = drive_all(board)
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
        f"{FALLS} falls in {len(driven)} strokes, seed {SEED}; 500 million instructions a second",
        told("from drive to the kernel's stamp", [s.broken_ns - w.broken_ns for w, s in pairs]),
        told("from a stroke's last edge to the OLED's last byte, bus at 400 kHz", shown),
    )


def drive_all(board: Board) -> tuple[list[list[Driven]], list[Transfer]]:
    """Drive all strokes; gives the levels of each, and what crossed the OLED's bus."""
    every = list(strokes(FALLS, random.Random(SEED)))
    transfers: set[Transfer] = set()
    for first in range(0, len(every), BATCH):
        board.drive([step for stroke in every[first : first + BATCH] for step in stroke])
        transfers |= set(board.transfers())
    driven = iter(board.driven)
    by_stroke = [[next(driven) for _ in stroke] for stroke in every]
    return by_stroke, sorted(transfers, key=lambda transfer: transfer.ended_ns)


def report(*lines: str) -> None:
    """Write lines where people find them, and print them."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    Path(REPORT).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("", *lines, sep="\n")
