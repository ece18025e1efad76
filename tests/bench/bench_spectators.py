"""What a hundred spectators cost the game: from a pin's edge to the OLED, with and without them.

The same board as for the edges alone, with its pages served and its journal on the disk; another
process reads the streams, as phones do. Strokes with and without spectators take turns, so that
both meet the same machine. Between two edges real time passes, as it does when a switch bounces
and a puck rolls, and the pages are updated in that time. The floor is the same board with nobody
watching.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from jackspot.config import find, load
from jackspot.web.server import WebDisplay
from tests.bench.bench_edge import MS, SETTINGS, Bench, Cost, Stroke, middle
from tests.bench.processes import started
from tests.bench.report import Report

ONLOOKERS = 100
ROUNDS = 10
STROKES = 4
BETWEEN_S = 0.1
"""Real time between two edges: a finger is on a button that long."""
EDGES = ("a beam breaks, to its pocket lit", "a beam is whole, to the reading",
         "OK let go, to the new score")  # fmt: skip


class Unhurried(Bench):
    """A board at which real time passes between two edges."""

    def edge(self, wire_name: str, *, active: bool, noticed_ns: int) -> Cost:
        time.sleep(BETWEEN_S)
        return super().edge(wire_name, active=active, noticed_ns=noticed_ns)

    @property
    def port(self) -> int:
        """The port of its pages."""
        pages = next(each for each in self.board._displays if isinstance(each, WebDisplay))
        return int(pages.url.rstrip("/").rpartition(":")[2])

    def begin(self) -> None:
        """Start a match."""
        self.wait(1_000 * MS)
        self.edge("referee_ok", active=True, noticed_ns=50 * MS)
        self.edge("referee_ok", active=False, noticed_ns=20 * MS)
        self.wait(5_000 * MS)


@contextmanager
def looked_on(port: int, how_many: int) -> Iterator[None]:
    """Let this many spectators watch."""
    command = [sys.executable, "-m", "tests.bench.onlookers", str(port), str(how_many)]
    with started(command, {}) as onlookers:
        assert onlookers.stdout is not None
        assert onlookers.stdout.readline() == "ready\n"
        yield
        assert onlookers.stdin is not None
        onlookers.stdin.close()
        onlookers.wait()


def played(folder: Path) -> tuple[list[Stroke], list[Stroke]]:
    """Play strokes with nobody watching and with everybody, in turns."""
    settings = SETTINGS.replace("enabled = false", "port = 0")
    (folder / "jackspot.toml").write_text(settings)
    config = load(find(folder / "jackspot.toml"))
    costs: dict[int, list[Stroke]] = {0: [], ONLOOKERS: []}
    for number in range(ROUNDS):
        for how_many in sorted(costs, reverse=bool(number % 2)):
            bench = Unhurried(config, folder / f"journal-{number}-{how_many}.db")
            with ExitStack() as stack:
                stack.enter_context(closing(bench))
                bench.begin()
                if how_many:
                    stack.enter_context(looked_on(bench.port, how_many))
                costs[how_many] += [bench.stroke() for _ in range(STROKES)]
    return costs[0], costs[ONLOOKERS]


def measure(report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent, prefix="bench-") as name:
        alone, seen = played(Path(name))
    for edge, least, cost in zip(EDGES, middles(alone), middles(seen), strict=True):
        report.add(
            f"{edge}, {ONLOOKERS} looking on", cost.total_us / 1_000, least.total_us / 1_000,
            unit="ms", against="with nobody looking on", aim=1.1,
        )  # fmt: skip
        report.add(
            f"{edge}, {ONLOOKERS} looking on: work alone", cost.work_us, least.work_us,
            unit="us", against="its work",
        )  # fmt: skip


def middles(strokes: Sequence[Stroke]) -> list[Cost]:
    """Return the median cost of each edge of a stroke."""
    return [middle(edge) for edge in zip(*strokes, strict=True)]
