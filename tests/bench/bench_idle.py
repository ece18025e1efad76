"""How often an idle board wakes up, against what its clock and its watchdog need.

The whole board with its displays and pages, on pins without hardware. The clock on the
display needs one wake-up a second while it runs, the watchdog is fed twice in the time that
it allows, and the clock's time goes onto the disk every five seconds; how often a thread waits for
that is counted here, too. The counts are voluntary context switches of all threads. Nobody plays in
the minute and a half before pictures of help begin to turn.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from jackspot.assembly import KINDS
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from tests.bench.processes import WATCHDOG_S, Running, folder_with_config, notified
from tests.bench.report import Report

CLOCK_SETTLES_S, CLOCK_COUNTED_S = 5.0, 20.0
PEOPLE_GONE_S, REST_COUNTED_S = 35.0, 60.0
FEEDS_PER_S = 2 / WATCHDOG_S
CLOCK_PER_S = 1.0
NOTES_PER_S = 1e9 / DialogueSettings().clock_note_ns
NOTES = 20


def per_second(running: Running, settles_s: float, counted_s: float) -> float:
    """Count wake-ups for a while, after things have calmed down."""
    time.sleep(settles_s)
    before, start = running.wake_ups(), time.monotonic()
    time.sleep(counted_s)
    return (running.wake_ups() - before) / (time.monotonic() - start)


def waits_for_the_disk(journal: Path) -> float:
    """Count how often a thread waits for one note of the clock."""
    keeper = Keeper(journal, KINDS, SystemWall())
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    for used_ns in range(NOTES):
        keeper.append((JournalEntry(EntryKind.CLOCK, used_ns, {"used_ns": used_ns}),))
    waits = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before
    keeper.close()
    return waits / NOTES


def measure(report: Report) -> None:
    with folder_with_config() as (folder, config, journal):
        waits = waits_for_the_disk(folder / "notes.sqlite3")
        command = [sys.executable, "-m", "tests.bench.board_program", str(config), str(journal)]
        with notified(command, folder) as board:
            nobody = per_second(board, PEOPLE_GONE_S, REST_COUNTED_S)
            board.ask("press referee_ok")
            assert board.ask("phase") == "ready", "a match has started"
            playing = per_second(board, CLOCK_SETTLES_S, CLOCK_COUNTED_S)
    report.add(
        "wake-ups, nobody plays", nobody, FEEDS_PER_S, unit="/s", against="the watchdog", aim=1.1
    )
    needed = FEEDS_PER_S + CLOCK_PER_S + NOTES_PER_S * (1 + waits)
    report.add(
        "wake-ups, clock runs", playing, needed, unit="/s",
        against="clock, its time on the disk, and watchdog", aim=1.3,
    )  # fmt: skip
