"""How many machine instructions a start, a fall and an OK take, on any machine.

The same as the benchmarks of the start and of an edge, counted by valgrind's callgrind instead of
timed. Two runs differ by less than one in a hundred, even beside other work, and the counts hold
for any processor of this kind. Every thread is counted, but not the kernel. The program under
test marks where a part begins and ends by asking for its parent's process number, which costs
nothing and is done nowhere else; callgrind writes down its counts at each such call.

Usage: ``make bench ARGS=instructions``; it takes some minutes, since everything runs fifty times
slower.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from PIL import Image

from jackspot.config import find, load
from tests.bench import bench_edge
from tests.bench.bench_edge import DIGIT, SETTINGS, Bench
from tests.bench.bench_start import LIBRARIES
from tests.bench.processes import PATHS, folder_with_config
from tests.bench.report import Report

UNSEEN, COUNTED = 2, 5
"""Strokes before counting, so that one-off work is not counted; and strokes counted."""
SENT = 100
MILLION = 1_000_000
EACH_EDGE = (
    "a beam breaks, to its pocket lit", "a beam is whole, to the reading", "OK goes down",
    "OK let go, to the new score",
)  # fmt: skip
"""The edges of a stroke, in their order."""

BARE = ""
TO_READY = """
import os
from jackspot.ops.watchdog import Watchdog
Watchdog.ready = lambda self: os._exit(0)
from jackspot.commands import main
main()
"""
EDGES = "from tests.bench.bench_instructions import play; play()"
FLOORS = "from tests.bench.bench_instructions import send; send()"


def counted(code: str, *words: str) -> list[int]:
    """Run code in a Python of its own; return the instructions from each mark to the next.

    The first number is what came before the first mark, the last what came after the last.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--quiet", "--tool=callgrind", "--dump-before=getppid"]
        command += [f"--callgrind-out-file={out}", sys.executable, "-c", code, *words]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS), "PYTHONHASHSEED": "0"}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        parts = sorted(out.parent.glob("out.*"), key=lambda path: int(path.suffix[1:]))
        return [_total(each) for each in (*parts, out)]


def _total(dump: Path) -> int:
    found = re.search(r"^totals: (\d+)", dump.read_text(), re.MULTILINE)
    assert found, f"{dump}: callgrind has counted nothing"
    return int(found[1])


def _mark() -> None:
    os.getppid()


def play() -> None:
    """Play strokes, with a mark around each edge."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "jackspot.toml").write_text(SETTINGS)
        bench = Bench(load(find(folder / "jackspot.toml")), folder / "journal.db")
        with closing(bench):
            bench.begin()
            for _ in range(UNSEEN):
                bench.stroke()
            edge = bench.edge

            def marked(wire_name: str, **how: Any) -> Any:
                _mark()
                cost = edge(wire_name, **how)
                _mark()
                return cost

            bench.edge = marked  # type: ignore[method-assign]
            for _ in range(COUNTED):
                bench.stroke()


def send() -> None:
    """Send a digit from a pin's callback, with a mark around many of them."""
    digit = Image.new("1", (16, 32), 255)
    for repeats in (UNSEEN, SENT):
        bench_edge.FLOOR_REPEATS = repeats
        _mark()
        bench_edge.floor(DIGIT, Image.new("1", (128, 64)), digit)
    _mark()


def measure(report: Report) -> None:
    """Count them, which needs valgrind."""
    if shutil.which("valgrind") is None:
        print("instructions: not counted, valgrind is not installed", file=sys.stderr)
        return
    (bare,), (libraries,) = counted(BARE), counted(LIBRARIES)
    with folder_with_config() as (_folder, config, journal):
        words = ("run", "--config", str(config), "--journal", str(journal))
        (ready,) = counted(TO_READY, *words)
    for against, floor in (("a bare Python", bare), ("importing the libraries", libraries)):
        report.add("ready to score", ready / MILLION, floor / MILLION, unit="M instructions",
                   against=against)  # fmt: skip
    between = counted(EDGES)
    edges = [statistics.median(between[1 + 2 * at :: 8]) for at in range(4)]
    *_, sent, _after = counted(FLOORS)
    for name, count in zip(EACH_EDGE, edges, strict=True):
        report.add(name, count / MILLION, sent / SENT / MILLION, unit="M instructions",
                   against="callback and a digit")  # fmt: skip
