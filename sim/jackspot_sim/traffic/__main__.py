"""``python -m jackspot_sim.traffic``: the published table."""

from __future__ import annotations

import click

from jackspot_sim.traffic.page import page


@click.group()
def main() -> None:
    """Make traffic: seeded pulses and presses of people, without a board."""


@main.command("table")
def table() -> None:
    """Print the published frequencies as Markdown (sim/TRAFFIC.md)."""
    click.echo(page(), nl=False)


if __name__ == "__main__":
    main()
