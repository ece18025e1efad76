"""Make the pages' pictures again: ``make pictures``, or with ``ARGS="oled.png"`` some of them.

Those of the README show the running product: what a match on the simulated table looked like, a
page in a browser. The diagram of the phases is made from their table. Look at them before they are
committed. What each was made from is written down beside; a test reports when that has changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tests.pictures.made_from import write_down
from tests.pictures.making import PICTURES

INTO = Path(__file__).resolve().parents[2] / "firmware" / "pictures"


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(sorted(PICTURES)))
def main(names: tuple[str, ...]) -> None:
    """Make these pictures, or all of them."""
    for name in names or sorted(PICTURES):
        PICTURES[name](INTO / name)
        write_down(name)
        click.echo(f"{INTO / name}: {(INTO / name).stat().st_size / 1e3:,.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
