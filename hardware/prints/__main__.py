"""``python -m hardware.prints``: make the models with sizes of one's own, into another folder."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hardware.prints.catalogue import PRINTED
from hardware.prints.checks import mesh_of, mistakes
from hardware.prints.models import stl
from hardware.prints.parameters import ParameterError, load


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Where the STL files go.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="A size of parameters.toml.")  # fmt: skip
@click.argument("parts", nargs=-1, metavar="[PART]...", type=click.Choice(list(PRINTED)))
def main(out: Path, settings: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """Make the PARTs named, or all, with sizes of your own.

    What could not be printed is not written; exit status 1 then, and where a size is wrong.
    """
    try:
        _parameters, sizes = load(settings)
    except ParameterError as error:
        click.echo(error, err=True)
        sys.exit(1)
    out.mkdir(parents=True, exist_ok=True)
    refused = False
    for part in [PRINTED[each] for each in parts] or list(PRINTED.values()):
        solid = part.solid(sizes)
        if found := mistakes(mesh_of(solid), sizes.print.bed_mm, part.overhang_mm2):
            refused = True
            click.echo(f"{part.id}: {'; '.join(found)}", err=True)
            continue
        (out / f"{part.id}.stl").write_bytes(stl(solid))
        click.echo(f"{out / part.id}.stl")
    if refused:
        click.echo("change the sizes that make it so; the others are written", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
