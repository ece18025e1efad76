"""``jackspot sim --record``: a short film of the simulated table, with its progress."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.film.filming import film
from jackspot_sim.film.moving_picture import record
from jackspot_sim.film.painting import Size
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.counting import Job

SEED = 38
"""A match in which everything worth seeing happens early."""
SECONDS = 24.0
SHORTEST_S, LONGEST_S = 5.0, 120.0


def match_of(rules: RuleSystem, seed: int, sensors: Quality) -> Job:
    """Return a match between two masters, with a referee who watches."""
    return Job(0, seed, rules, Strength.MASTER, Referee.WATCHING, sensors)


def recorded(
    path: Path, rules: RuleSystem, seed: int, sensors: Quality, seconds: float, size: Size
) -> None:
    """Record a match as a GIF; print what was written.

    CannotRecord if the file cannot be written.
    """
    columns = (TextColumn("recording"), BarColumn(), TextColumn("left:"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("frames", total=None)
        filmed = film(match_of(rules, seed, sensors))
        size_bytes = record(
            filmed, path, seconds, size,
            lambda done, every: progress.update(task, completed=done, total=every),
        )  # fmt: skip
    click.echo(
        f"{path}: {size_bytes / 1e6:.2f} MB, from match {seed} of {len(filmed.strokes)} strokes"
    )
