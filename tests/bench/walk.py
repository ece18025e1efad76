"""Follow one beam edge, one fall and one OK through the code: which functions, files, how deep.

This counts what a reader has to know to follow a piece, not time: every Python function of the
firmware that runs, in any thread, from the pin's edge until board and OLED rest again. The first
strokes are not counted, so that one-off work is left out.

Usage: ``python -m tests.bench.walk [--list]``; ``--list`` names the files of each walk.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import jackspot
from jackspot.config import find, load
from jackspot.dialogue.state.view import Phase
from tests.bench.bench_edge import MS, SETTINGS, Bench

FIRMWARE = str(Path(jackspot.__file__).parent)
UNSEEN_STROKES = 2


@dataclass
class Walk:
    """The firmware's functions that ran, with how often each was called."""

    name: str
    calls: Counter[CodeType] = field(default_factory=Counter)
    deepest: int = 0

    @property
    def files(self) -> list[str]:
        return sorted({code.co_filename.removeprefix(FIRMWARE)[1:] for code in self.calls})

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Take a call from the interpreter (see :func:`sys.setprofile`)."""
        del argument
        if event == "call" and frame.f_code.co_filename.startswith(FIRMWARE):
            self.calls[frame.f_code] += 1
            self.deepest = max(self.deepest, depth(frame))


def depth(frame: FrameType | None) -> int:
    """Count the firmware's own calls that are open, including this one."""
    count = 0
    while frame is not None:
        count += frame.f_code.co_filename.startswith(FIRMWARE)
        frame = frame.f_back
    return count


class Follower:
    """Notes what the firmware calls, in this thread and in all that start after it was made."""

    def __init__(self) -> None:
        self.walks: list[Walk] = []
        self._walk: Walk | None = None
        threading.setprofile(self._note)

    @contextmanager
    def following(self, name: str) -> Iterator[None]:
        """Note everything that runs meanwhile as a walk of this name."""
        self._walk = Walk(name)
        self.walks.append(self._walk)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._walk = None

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if self._walk is not None:
            self._walk.note(frame, event, argument)


def walk_a_stroke(bench: Bench, follower: Follower) -> None:
    """Play a stroke: a puck falls and the referee confirms it."""
    with follower.following("a beam breaks"):
        bench.edge("pocket_ne", active=True, noticed_ns=2 * MS)
    bench.wait(7 * MS)
    with follower.following("a beam is whole: a fall"):
        bench.edge("pocket_ne", active=False, noticed_ns=20 * MS)
    for _ in range(4):
        bench.wait(1_000 * MS)
    bench.expect(Phase.REVIEW)
    bench.edge("referee_ok", active=True, noticed_ns=50 * MS)
    with follower.following("OK is let go"):
        bench.edge("referee_ok", active=False, noticed_ns=20 * MS)
    bench.expect(Phase.READY)


def main(arguments: list[str]) -> int:
    """Print the walks as a table."""
    from rich.console import Console
    from rich.table import Table

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "jackspot.toml").write_text(SETTINGS)
        follower = Follower()
        bench = Bench(load(find(folder / "jackspot.toml")), folder / "journal.db")
        with closing(bench):
            bench.begin()
            for _ in range(UNSEEN_STROKES):
                bench.stroke()
            walk_a_stroke(bench, follower)
    table = Table(title="One piece through the firmware")
    for heading in ("what", "functions", "files", "deepest", "calls"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for walk in follower.walks:
        figures = (len(walk.calls), len(walk.files), walk.deepest, walk.calls.total())
        table.add_row(walk.name, *(f"{figure:,}" for figure in figures))
    console = Console(width=None if sys.stdout.isatty() else 100)
    console.print(table)
    if "--list" in arguments:
        for walk in follower.walks:
            console.print(f"\n{walk.name}:", *walk.files, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
