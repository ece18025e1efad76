"""The pictures of what settles itself, drawn from the figures that a soak has counted.

Drawing the curve also makes the tables of firmware/MEASUREMENTS.md again.
"""

from __future__ import annotations

import re
from pathlib import Path

from jackspot_sim.soak.plots import Bars, svg
from jackspot_sim.soak.settled import BEGIN, END, curve_svg, evidence_svg, sure_svg, tables_text
from jackspot_sim.soak.settling import read_runs
from jackspot_sim.traffic.report import put_into

KEPT = Path(__file__).resolve().parents[2] / "sim" / "settling.json"
"""What ``jackspot soak --curve`` counted; its commands, dates and seed are in it."""
PAGE = KEPT.parents[1] / "firmware" / "MEASUREMENTS.md"


def sureness(path: Path) -> None:
    """Draw how sure first readings were, and how many of them were right."""
    path.write_text(sure_svg(read_runs(KEPT)), encoding="utf-8")


def settling_curve(path: Path) -> None:
    """Draw presses per stroke against wrong entries and wrong finals."""
    path.write_text(curve_svg(read_runs(KEPT)), encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def by_evidence(path: Path) -> None:
    """Draw the same by what a board has to go by, where people need to press least."""
    path.write_text(evidence_svg(read_runs(KEPT)), encoding="utf-8")


def presses(path: Path) -> None:
    """Draw how often people press, by what a board can feel."""
    path.write_text(presses_svg(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def presses_svg(page: str) -> str:
    """Draw the presses of the page's table: a group for each of its columns, a bar per referee."""
    found = [
        [float(each) for each in cells.split(" | ")]
        for row in PRESSED
        for cells in re.findall(rf"^\| {row} \| ([\d. |]+) \|$", page, re.MULTILINE)
    ]
    return svg(
        Bars(
            "Presses a stroke, by what a board can feel",
            ("one beam a pocket", "and discs, hands free", "and colour heads", "and crossed beams"),
            ("a referee who watches", "who looks at the table", "who is careless"),
            list(zip(*found, strict=True)), unit="", digits=2,
        )
    )  # fmt: skip


PRESSED = ("presses per stroke, who watches", "who looks at the table", "careless")
"""The rows of the table in the page that say how often people press before each referee."""


def with_tables(page: str) -> str:
    """Return the page with its tables of the same figures."""
    return put_into(page, tables_text(read_runs(KEPT)), BEGIN, END)
