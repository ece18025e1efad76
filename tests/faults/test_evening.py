"""An evening of eight hours of play and rest, on the board's own threads, leaves nothing behind."""

from __future__ import annotations

import gc
import sys
import threading
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from jackspot.core.agreement import agree
from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Pocket
from jackspot.sensing.events import Button, Key, Place
from jackspot.storage.journal import read_checked
from jackspot_sim.boards.rehearsal import board_config
from jackspot_sim.boards.rig import Rig, RigHands
from jackspot_sim.clock import SimClock

HOURS = 8
MOST_BLOCKS = 6_000
"""How many blocks of memory an hour may leave behind, while bounded memories fill up. One view left
of each stroke and each answer would be more than that."""
MINUTE_NS = 60 * SECOND_NS
OK = Button(Place.REFEREE, Key.OK)
AGREED = agree({"rules": "hikone", "options": {"time_limit_s": 600}})


class Held(Struct, frozen=True):
    """What a board holds after an hour; ``journal`` is the total length of its entries."""

    files: int
    threads: int
    blocks: int
    journal: int


class Evening:
    """People who play for half of each hour, and leave the board alone for the other half."""

    def __init__(self, rig: Rig) -> None:
        self.rig, self.random, self.held = rig, Random(1), list[Held]()
        self.hands = RigHands(rig.clock, rig.table)
        self.minute = 0

    def goes_on(self) -> None:
        """Let a minute happen, and then the next one."""
        clock, self.minute = self.rig.clock, self.minute + 1
        if self.minute % 60 < 30:
            self.stroke()
        if self.minute % 60 == 0:
            self.held.append(self.holds())
        if self.minute == HOURS * 60:
            clock.close()
            return
        clock.after(MINUTE_NS, self.goes_on)

    def stroke(self) -> None:
        """Let something fall, or nothing, and answer like a referee who is looking elsewhere."""
        clock = self.rig.clock
        if self.random.random() < 0.6:
            there = sorted(self.rig.table.truth().on_board)
            self.hands.drop(self.random.choice(list(Pocket)), [self.random.choice(there)])
        for at_s, held_s in ((5, 0.1), (10, 0.1), (15, 1.3), (20, 0.1)):
            clock.after(at_s * SECOND_NS, lambda: self.hands.press(OK))
            clock.after(int((at_s + held_s) * SECOND_NS), lambda: self.hands.release(OK))

    def holds(self) -> Held:
        """Count what the process holds, once its garbage is collected."""
        gc.collect()
        return Held(
            len(list(Path("/proc/self/fd").iterdir())), threading.active_count(),
            sys.getallocatedblocks(), written(self.rig.keeper.path),
        )  # fmt: skip


def written(journal: Path) -> int:
    """Count the characters of the entries; the file itself grows by whole logs."""
    return sum(len(each.text) for each in read_checked(journal, None))


@pytest.mark.long
def test_an_evening_of_play_and_rest_leaves_the_board_as_it_was(tmp_path: Path) -> None:
    clock = SimClock()
    rig = Rig(board_config(AGREED), tmp_path / "journal.sqlite3", clock, direct=False)
    evening = Evening(rig)
    clock.after(MINUTE_NS, evening.goes_on)
    rig.run()
    early, late = evening.held[1], evening.held[-1]
    assert (late.files, late.threads) == (early.files, early.threads)
    hours = HOURS - 2
    assert (late.blocks - early.blocks) / hours <= MOST_BLOCKS, evening.held
    journal = [after.journal - before.journal for before, after in pairwise(evening.held)]
    assert max(journal) <= 1.5 * min(journal), journal
