"""How soon a board is ready to score after its process starts, and how much memory it takes.

``jackspot run`` as the service manager starts it, until it says that it is ready: config
read, journal checked, inputs watched, loop running. Memory is what it holds a second later,
when displays and pages have opened too. The floors are a Python that does nothing; one that
imports the libraries without which there are no pins, pixels and signs; and, for the memory, one
that also imports those without which there are no pages.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from tests.bench.processes import Running, folder_with_config, notified, printing
from tests.bench.report import Report

STARTS = 7
SETTLED_S = 1.0
LIBRARIES = "import gpiozero, PIL.Image, PIL.ImageDraw, luma.oled.device, serial"
AND_OF_PAGES = f"{LIBRARIES}, starlette.applications, starlette.responses, uvicorn"
RUN = "from jackspot.commands import main; main()"
NEEDED = "importing the libraries"


Start = Callable[[], AbstractContextManager[Running]]


def starts(*each: Start) -> list[tuple[float, float]]:
    """Start several things in turn, several times; return median milliseconds and mebibytes."""
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
            lambda: notified(command, folder),
            *(partial(printing, code) for code in ("", LIBRARIES, AND_OF_PAGES)),
        )
    (bare_ms, _mib), (libraries_ms, _mib), _pages = floors
    for against, floor_ms in (("a bare Python", bare_ms), (NEEDED, libraries_ms)):
        report.add("ready to score", ready_ms, floor_ms, unit="ms", against=against)
    for against, (_ms, floor_mib) in zip(
        ("a bare Python", NEEDED, f"{NEEDED}, of pages too"), floors, strict=True
    ):
        report.add("memory of a board", resident_mib, floor_mib, unit="MiB", against=against)
