"""Helpers with which benchmarks measure, and the table of their results.

A result is a value beside a floor measured in the same run on the same machine: the least that
anything doing this job must cost. The ratio can be compared between machines, the value cannot.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Result(Struct, frozen=True):
    """One line. ``value`` and ``floor`` are in ``unit``; ``aim`` is for the ratio."""

    name: str
    value: float
    floor: float
    unit: str
    aim: float | None
    against: str

    @property
    def ratio(self) -> float:
        return self.value / self.floor if self.floor else float("inf")

    @property
    def met(self) -> bool | None:
        return None if self.aim is None else self.ratio <= self.aim


@dataclass
class Report:
    """Collects results; a benchmark module's ``measure`` is handed one."""

    results: list[Result] = field(default_factory=list)

    def add(
        self,
        name: str,
        value: float,
        floor: float,
        *,
        unit: str,
        against: str,
        aim: float | None = None,
    ) -> None:
        """Add a line; ``against`` says what the floor is, ``aim`` the ratio hoped for."""
        self.results.append(Result(name, value, floor, unit, aim, against))

    def show(self, console: Console) -> None:
        """Print the lines added so far as a table."""
        table = Table(title="Jackspot, each against a floor of the same run")
        for heading in ("what", "measured", "floor", "ratio", "aim", "the floor is"):
            right = heading in {"measured", "floor", "ratio", "aim"}
            table.add_column(heading, justify="right" if right else "left", overflow="fold")
        for result in self.results:
            colour = {True: "green", False: "red", None: "default"}[result.met]
            table.add_row(
                result.name,
                f"{number(result.value)} {result.unit}",
                f"{number(result.floor)} {result.unit}",
                f"[{colour}]{result.ratio:.2f}[/]",
                "" if result.aim is None else f"{result.aim:g}{'' if result.met else ', missed'}",
                result.against,
            )
        console.print(table)


def number(value: float) -> str:
    """Write a number with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def side_by_side(
    ours: Callable[[], object],
    floor: Callable[[], object],
    *,
    repeats: int = 200,
    inner: int = 1,
) -> tuple[float, float]:
    """Time two things in turn, so that both meet the same machine; medians in microseconds.

    ``inner`` calls are timed together if one is too short for the clock.
    """
    ours_ns: list[int] = []
    floor_ns: list[int] = []
    for turn in range(repeats):
        for call, times in _in_turn(turn, (ours, ours_ns), (floor, floor_ns)):
            times.append(timed(call, inner))
    return median_us(ours_ns, inner), median_us(floor_ns, inner)


Timed = tuple[Callable[[], object], list[int]]


def _in_turn(turn: int, first: Timed, second: Timed) -> tuple[Timed, Timed]:
    """Let each go first every other time."""
    return (first, second) if turn % 2 else (second, first)


def timed(call: Callable[[], object], inner: int = 1) -> int:
    """Time ``inner`` calls together, in nanoseconds, with the garbage collector quiet."""
    gc.disable()
    start = time.perf_counter_ns()
    for _ in range(inner):
        call()
    spent = time.perf_counter_ns() - start
    gc.enable()
    return spent


def median_us(times_ns: Sequence[int], inner: int = 1) -> float:
    """Return the median of times as microseconds a call."""
    return statistics.median(times_ns) / inner / 1_000
