"""How soon a board is ready to score after its process starts, and how much memory it takes.

``jackspot run`` as the service manager starts it, until it says that it is ready: config
read, journal checked, inputs watched, loop running. Memory is what it holds a second later,
when the displays have opened too. Floors: a Python that does nothing, and one that imports
the libraries without which there are no pins, pixels and signs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.bench.processes import Running, folder_with_config, notified, printing
from tests.bench.report import Report

STARTS = 7
SETTLED_S = 1.0
LIBRARIES = "import gpiozero, PIL.Image, PIL.ImageDraw, luma.oled.device, serial"
RUN = "from jackspot.commands import main; main()"


Start = Callable[[], AbstractContextManager[Running]]


def starts(*each: Start) -> list[tuple[float, float]]:
    """Start several things in turn, several times; give medians of milliseconds and mebibytes."""
    ready = [list[float]() for _ in each]
    resident = [list[float]() for _ in each]
    for _ in range(STARTS):
        for index, start in enumerate(each):
            with start() as running:
                ready[index].append(running.ready_s * 1_000)
                time.sleep(SETTLED_S)
                resident[index].append(running.resident_mib())
    return list(zip(map(statistics.median, ready), map(statistics.median, resident), strict=True))


def measure(report: Report) -> None:
    with folder_with_config() as (folder, config, journal):
        command = [sys.executable, "-c", RUN, "run"]
        command += ["--config", str(config), "--journal", str(journal)]
        (ready_ms, resident_mib), *floors = starts(
            lambda: notified(command, folder), lambda: printing(""), lambda: printing(LIBRARIES)
        )
    for against, (floor_ms, floor_mib) in zip(
        ("a bare Python", "importing the libraries"), floors, strict=True
    ):
        report.add("ready to score", ready_ms, floor_ms, unit="ms", against=against)
        report.add("memory of a board", resident_mib, floor_mib, unit="MiB", against=against)
