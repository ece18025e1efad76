"""Run every benchmark and print one table: ``make bench``, or names to run only those.

To add one, write ``tests/bench/bench_NAME.py`` with a function ``measure(report)`` that
measures something of the product and the least it could cost, both in this run, and calls
``report.add(name, value, floor, unit=..., against=..., aim=...)`` for each line;
:func:`tests.bench.report.side_by_side` times two things fairly. Nothing else is needed: all
``bench_*.py`` are found here.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all; the status is 1 for an unknown name."""
    sys.path[:0] = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "sim")]
    from rich.console import Console

    from tests.bench.report import Report

    known = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    if unknown := sorted(set(names) - set(known)):
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 1
    # Written to a file, a table is wide enough for its words to stay on one line.
    console = Console(width=None if sys.stdout.isatty() else 120)
    report = Report()
    for name in names or known:
        with Console(stderr=True).status(f"measuring {name}"):
            importlib.import_module(f"tests.bench.bench_{name}").measure(report)
    report.show(console)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
