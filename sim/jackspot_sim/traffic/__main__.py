"""``python -m jackspot_sim.traffic``: the published table, readings, whole matches."""

from __future__ import annotations

import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from jackspot.calibration.measuring.fit import calibrated
from jackspot.calibration.measuring.measured import PieceSet
from jackspot.commands.terminal.board_options import NumberRange
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.readings.widths import WidthModel
from jackspot_sim.chance.frequencies import DEPTH_MM, Referee, Strength
from jackspot_sim.traffic.drops import dropped
from jackspot_sim.traffic.measure import (
    HELD_OUT_SEEDS,
    LINEUPS,
    TUNING_SEEDS,
    Figures,
    board_reader,
    measure,
)
from jackspot_sim.traffic.page import page
from jackspot_sim.traffic.report import measure_all, put_into, report


@click.group()
def main() -> None:
    """Make traffic: seeded pulses and presses of people, without a board."""


@main.command("table")
def table() -> None:
    """Print the published frequencies as Markdown (sim/TRAFFIC.md)."""
    click.echo(page(), nl=False)


@main.command("readings")
@click.option("--strokes", type=click.IntRange(1), default=2_000, show_default=True,
              help="Strokes that beams saw, for each strength.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=HELD_OUT_SEEDS.start, show_default=True,
              help="The first match's seed; the next matches count up from it.")  # fmt: skip
@click.option("--depth", "depth_mm", type=NumberRange(5, 100), default=DEPTH_MM,
              show_default=True, help="How many mm the beams are below the edge.")  # fmt: skip
@click.option("--rules", type=click.Choice([each.value for each in LINEUPS]), default="hikone",
              show_default=True, help="The rules that are played by.")  # fmt: skip
@click.option("--drops", type=click.IntRange(0, 1_000), default=0, show_default=True,
              help="Calibrate with so many drops of each kind a pocket; 0: none.")  # fmt: skip
@click.option("--date", "day", type=click.DateTime(["%Y-%m-%d"]), required=True,
              help="The day to write above the figures.")  # fmt: skip
def readings(
    strokes: int, seed: int, depth_mm: float, rules: str, drops: int, day: datetime.datetime
) -> None:
    """Measure first readings beside the Bayes ceiling, for each strength.

    Exit status 1 when a strength is more than one point behind its ceiling.
    """
    measured: dict[Strength, Figures] = {}
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:>9}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    seeds = range(seed, seed + len(HELD_OUT_SEEDS))
    reader = board_reader(_calibrated(RuleSystem(rules), depth_mm, drops))
    with Progress(*columns, console=console) as progress:
        for strength in Strength:
            task = progress.add_task(strength.value, total=strokes)
            for figures in measure(strength, seeds, strokes, reader, depth_mm, RuleSystem(rules)):
                measured[strength] = figures
                progress.update(task, completed=figures.strokes)
    title = (
        f"First readings, {day:%Y-%m-%d}, seeds from {seed}, beams {depth_mm:g} mm deep, {rules}, "
        + (f"calibrated with {drops} drops" if drops else "not calibrated")
    )
    Console().print(_figures_table(title, measured))
    if any(figures.behind > 0.01 for figures in measured.values()):
        raise SystemExit(1)


def _calibrated(rules: RuleSystem, depth_mm: float, drops: int) -> WidthModel:
    """Return the widths of a board calibrated with this many drops of each kind."""
    measured = dropped(PieceSet.of_board(rules_for(rules).red), drops, depth_mm, TUNING_SEEDS.start)
    return calibrated(WidthModel(), [measured])


def _figures_table(title: str, measured: dict[Strength, Figures]) -> Table:
    """Lay out the figures: shares in per cent, with their standard errors."""
    found = Table(title=title)
    found.add_column("strength")
    for heading in ("strokes", "first reading right", "ceiling", "behind, points"):
        found.add_column(heading, justify="right")
    for strength, figures in measured.items():
        found.add_row(
            strength.value,
            f"{figures.strokes:,}",
            f"{100 * figures.right_share:.1f} % ± {100 * figures.right_error:.1f}",
            f"{100 * figures.ceiling:.1f} %",
            f"{100 * figures.behind:.2f} ± {100 * figures.behind_error:.2f}",
        )
    return found


@main.command("measure")
@click.option("--matches", type=click.IntRange(1), default=2_000, show_default=True,
              help="Matches before each kind of referee.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="The same seed counts the same.")
@click.option("--workers", type=click.IntRange(1),
              help="Processes; one for each processor where nothing is said.")  # fmt: skip
@click.option("--auto-confirm", type=NumberRange(0, 1), default=0.0, show_default=True,
              help="Readings as sure as this settle themselves; 0: none does.")  # fmt: skip
@click.option("--into", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Put the table into this page, between its two lines.")  # fmt: skip
def measure_referees(
    matches: int, seed: int, workers: int | None, auto_confirm: float, into: Path | None
) -> None:
    """Play matches before each kind of referee and print what was counted as Markdown."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("matches", total=matches * len(Referee))
        counted = measure_all(
            matches, seed, workers, lambda: progress.advance(task), auto_confirm
        )  # fmt: skip
    today = datetime.datetime.now(tz=datetime.UTC).date()
    text = report(counted, matches, seed, today, auto_confirm)
    click.echo(text, nl=False)
    if into is not None:
        try:
            into.write_text(put_into(into.read_text(encoding="utf-8"), text), encoding="utf-8")
        except ValueError as wrong:
            raise click.ClickException(f"{into}: {wrong}") from None


if __name__ == "__main__":
    main()
