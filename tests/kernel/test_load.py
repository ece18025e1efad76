"""Beams stay true while others take the processor, the card is slow and the OLED all but hangs.

The board times a fall by the kernel's stamps of its edges. The control shows why: it takes the
time at which the process comes to look.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kernel.board import MS, OLED, Board, Driven
from tests.kernel.falls import (
    drive_all,
    driven_falls,
    journaled_falls,
    report,
    strokes,
    told,
    wrong_by_ns,
)
from tests.kernel.power import DataDisk
from tests.kernel.qemu import wait_until

FREE = "[board]\nfree_play = true\n"
OTHERS = 3
"""Programs that compute endlessly on the guest's one processor."""
WRITE_MS = 25
"""How long a write takes the card; forcing something to it takes two, one after the other."""
HUNG_HZ = 100
"""The speed of the OLED's bus: a picture takes a minute and a half."""
READING_NS = 300 * MS
FALLS = 300
OF_CONTROL = 100
SEED = 20_261_127
EDGES = "/opt/jackspot/lib/python3*/site-packages/jackspot/inputs/edges.py"
KERNELS, OWN = r"round(ticks \* NS_PER_TICK)", "self._now_ns()"
"""Where an edge's instant is read, and what the control has in its place."""
LISTEN = Path(__file__).with_name("sent") / "listen.py"
HEARD = "/run/heard"


def test_widths_are_true_and_readings_in_time_whatever_else_the_machine_does(
    board: Board, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """``--falls`` is how many there are; ten thousand take the better part of an hour."""
    count = request.config.getoption("--falls") or FALLS
    disk = DataDisk(tmp_path, "data")
    disk.plug(board.machine, "slot1", "/var/lib/jackspot")
    disk.slow(board.machine, "/var/lib/jackspot", WRITE_MS)
    for number in range(OTHERS):
        board.machine.run(f"systemd-run -q --unit=other{number} sh -c 'while :; do :; done'")
    driven, heard = falls_under_load(board, count)
    wanted, seen = driven_falls(board.driven), journaled_falls(board)
    faults = board.state()["faults"]
    readings = until_heard(driven, heard)
    board.stop()
    board.machine.run(f"grep -q '{KERNELS}' {EDGES} && sed -i 's/{KERNELS}/{OWN}/' {EDGES}")
    falls_under_load(board, OF_CONTROL)
    late = wrong_by_ns(driven_falls(board.driven), journaled_falls(board))
    report(
        "load",
        f"{count} falls, {OTHERS} programs that compute, {WRITE_MS} ms a write, OLED hung",
        told("width wrong by", wrong_by_ns(wanted, seen)),
        told("from a stroke's last edge to the page", readings),
        told(f"the control, of {OF_CONTROL} falls those seen: width wrong by", late),
    )
    assert [fall.pocket for fall in seen] == [fall.pocket for fall in wanted]
    assert max(wrong_by_ns(wanted, seen)) < MS
    assert all(0 < each < READING_NS for each in readings)
    assert {fault["part"] for fault in faults} <= {"oled"}
    assert max(late) >= MS, "the control: a program that stamps edges itself cannot do this"


def falls_under_load(board: Board, count: int) -> tuple[list[list[Driven]], list[int]]:
    """Start the board and drive ``count`` falls, each while its OLED hangs.

    Return the levels of each stroke, and when the page heard something new.
    """
    board.start(FREE)
    board.machine.write("/run/listen.py", LISTEN.read_bytes())
    board.machine.run(  # it stands in for a phone, which waits for nothing that computes here
        "systemd-run -q -p CPUSchedulingPolicy=fifo -p CPUSchedulingPriority=1 "
        f"--unit=listen{count} python3 /run/listen.py {HEARD}"
    )
    wait_until(
        "the page to hear", lambda: board.machine.run(f"test -s {HEARD}", check=False).status == 0
    )
    board.machine.run(f"echo {HUNG_HZ} >{OLED}/hz")
    driven, _transfers = drive_all(board, list(strokes(count, random.Random(SEED))))
    board.machine.run("sleep", "5")
    heard = [int(line) for line in board.machine.read(HEARD).split()]
    board.machine.run(f"echo 400000 >{OLED}/hz")
    return driven, heard


def until_heard(driven: Sequence[list[Driven]], heard: Sequence[int]) -> list[int]:
    """Return the time from each stroke's last edge to the last event heard before the next."""
    ends = [*(following[0].at_ns for following in driven[1:]), heard[-1] + 1]
    return [
        max(at for at in heard if at < end_ns) - stroke[-1].at_ns
        for stroke, end_ns in zip(driven, ends, strict=True)
    ]
