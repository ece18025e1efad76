"""The power fails: a journal loses nothing that it acknowledged, and one that is not forced does.

Each journal is on a disk of its own that bypasses the host's cache, and QEMU is killed. Then, from
the log of everything that was written to the disk, further cuts are made at any write, with a disk
that loses or tears what was not flushed.
"""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from pathlib import Path

from jackspot.dialogue.state.entries import EntryKind
from jackspot.storage.entries import Sealed
from tests.kernel.board import Board
from tests.kernel.people import QUICK, QUICK_HELD_NS, begin, fall
from tests.kernel.power import DataDisk, Ledger, crash_points, read_numbers
from tests.kernel.qemu import SERIAL_PORT, Machine, MachineError, Source, wait_until

CUTS = 20
SEED = 20_261_122
CONFIG = f"[board]\nconfirm = 'referee'\n{QUICK}[match.options]\nbest_of = 9\n"
POINTS_OF_EACH_CUT = 6
"""How many further cuts are made from the log of the writes before each real one."""


def test_a_journal_loses_nothing_and_one_that_is_not_forced_to_the_disk_does(
    source: Source, tmp_path: Path
) -> None:
    """The control: the same cut takes acknowledged entries from a journal without FULL."""
    full, off = DataDisk(tmp_path, "full"), DataDisk(tmp_path, "off")
    ledgers = {"F": Ledger(full), "O": Ledger(off)}
    script = Path(__file__).with_name("sent") / "write_journal.py"
    with Machine(source) as machine:
        machine.write("/run/write_journal.py", script.read_bytes())
        for disk, slot, mark, how in ((full, "slot1", "F", ""), (off, "slot2", "O", "OFF")):
            disk.plug(machine, slot, f"/run/{disk.name}")
            machine.run(
                "systemd-run", "-q", f"--unit=write-{disk.name}", "/opt/jackspot/bin/python",
                "/run/write_journal.py", f"/run/{disk.name}/journal", SERIAL_PORT, mark,
                *([how] if how else []),
            )  # fmt: skip
        wait_until(
            "both to have told enough",
            lambda: all(read_numbers(machine.serial, *each) > 200 for each in ledgers.items()),
            every_s=0.01,
        )
        machine.kill()
        for mark, ledger in ledgers.items():
            read_numbers(machine.serial, mark, ledger)
    left = full.left("/journal")
    assert (left.notices, len(left.entries) >= ledgers["F"].last) == ((), True)
    for found in crash_points(full, ledgers["F"], "/journal", 60, seed=1):
        assert found.left.notices == (), found.where
        assert len(found.left.entries) >= found.known, found.where
    lost = ledgers["O"].last - len(off.left("/journal").entries)
    assert lost > 100, "what is not forced to the disk is lost with the power"


def test_twenty_power_cuts_in_a_match_take_no_stroke_that_was_acknowledged(
    source: Source, tmp_path: Path
) -> None:
    disk = DataDisk(tmp_path, "data")
    chance = random.Random(SEED)
    kept: list[str] = []
    acknowledged = []
    longest_s = 1.0
    for cut in range(1, CUTS + 1):
        ledger = Ledger(disk)
        with Machine(source) as machine:
            board = Board(machine)
            disk.carry(machine)
            board.start(CONFIG)
            assert board.state()["faults"] == [], f"after cut {cut - 1}"
            ledger.note(len(kept))
            people = People(board, chance)
            for _answer in range(chance.randrange(1, 5)):
                longest_s = max(longest_s, people.play())
                ledger.note(len(kept) + people.strokes)
            failure = PowerFailure(machine, after_s=chance.uniform(0, longest_s))
            with suppress(MachineError, OSError):
                while True:
                    people.play()
                    ledger.note(len(kept) + people.strokes)
            assert failure.begun.is_set(), "the machine ended before its power was cut"
            failure.over.wait(60)
        left = disk.left("/board")
        found = journaled(left.entries)
        assert left.notices == (), f"cut {cut}"
        assert found[: len(kept)] == kept, f"cut {cut}: what was there before"
        assert len(found) >= ledger.last, f"cut {cut}: {ledger.last} strokes had been acknowledged"
        for point in crash_points(disk, ledger, "/board", POINTS_OF_EACH_CUT, seed=cut):
            assert point.left.notices == (), f"cut {cut}, {point.where}"
            there = journaled(point.left.entries)
            assert there == found[: len(there)], f"cut {cut}, {point.where}"
            assert len(there) >= point.known, f"cut {cut}, {point.where}"
        kept = found
        acknowledged.append(ledger.last)
    print(f"strokes acknowledged by each cut, seed {SEED}: {acknowledged}")
    assert acknowledged[-1] > CUTS, "a match was played between the cuts"


def test_what_fell_is_on_the_disk_soon_though_nobody_confirmed_it(
    source: Source, tmp_path: Path
) -> None:
    disk = DataDisk(tmp_path, "data")
    with Machine(source) as machine:
        board = Board(machine)
        disk.carry(machine)
        begin(board)
        fall(board, "NE")
        machine.run("sleep", "2")  # twice as long as it may wait
        machine.kill()
    left = disk.left("/board")
    assert left.notices == ()
    assert EntryKind.FALL in [entry.kind for entry in left.entries]


class PowerFailure:
    """A power failure after ``after_s``; ``begun`` before QEMU is killed, ``over`` after it."""

    def __init__(self, machine: Machine, after_s: float) -> None:
        self.begun, self.over = threading.Event(), threading.Event()
        self._machine = machine
        threading.Timer(after_s, self._fail).start()

    def _fail(self) -> None:
        self.begun.set()
        self._machine.kill()
        self.over.set()


class People:
    """People who play on. ``strokes``: how many of theirs the live state has shown as settled.

    OK is always held: it answers everything, and starts and ends boards too.
    """

    def __init__(self, board: Board, chance: random.Random) -> None:
        self.strokes = 0
        self._board = board
        self._chance = chance

    def play(self) -> float:
        """Let something happen and settle it; return how many seconds that took outside."""
        began = time.monotonic()
        chance, board = self._chance, self._board
        state = board.state()
        if state["phase"] == "ready" and chance.random() < 0.7:
            for _piece in range(chance.choice((1, 1, 1, 2))):
                board.drop(chance.choice(("NE", "SE", "SW", "NW")))
            state = board.wait_for_phase("review")
        board.machine.run("sleep", "0.2")
        board.press("referee_ok", QUICK_HELD_NS)
        board.wait_for("the next question", lambda now: now["ask"] != state["ask"])
        self.strokes += state["phase"] in {"ready", "review"}
        return time.monotonic() - began


def journaled(entries: Sealed) -> list[str]:
    """Return the lines of a match record that a journal holds; none of them is taken back."""
    return [
        line for entry in entries if entry.kind == EntryKind.LINE for line in entry.body["entries"]
    ]
