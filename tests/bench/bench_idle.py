"""How often an idle board wakes up, against what its clock and its watchdog need.

The whole board with its displays and pages, on pins without hardware. The clock on the
display needs one wake-up a second while it runs, the watchdog is fed twice in the time that
it allows. Counted are voluntary context switches of all threads.
"""

from __future__ import annotations

import sys
import time

from tests.bench.processes import WATCHDOG_S, Running, folder_with_config, notified
from tests.bench.report import Report

COUNTED_S = 10.0
SETTLED_S = 5.0
FEEDS_PER_S = 2 / WATCHDOG_S
CLOCK_PER_S = 1.0


def per_second(running: Running) -> float:
    """Count wake-ups for a while, after things have calmed down."""
    time.sleep(SETTLED_S)
    before, start = running.wake_ups(), time.monotonic()
    time.sleep(COUNTED_S)
    return (running.wake_ups() - before) / (time.monotonic() - start)


def measure(report: Report) -> None:
    with folder_with_config() as (folder, config, journal):
        command = [sys.executable, "-m", "tests.bench.board_program", str(config), str(journal)]
        with notified(command, folder) as board:
            nobody = per_second(board)
            board.ask("press referee_ok")
            assert board.ask("phase") == "ready", "a match has started"
            playing = per_second(board)
    report.add("wake-ups, nobody plays", nobody, FEEDS_PER_S, unit="/s", against="the watchdog")
    needed = FEEDS_PER_S + CLOCK_PER_S
    report.add("wake-ups, clock runs", playing, needed, unit="/s", against="clock and watchdog")
