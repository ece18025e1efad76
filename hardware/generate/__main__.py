"""``python -m hardware.generate``: make the files of ``hardware/`` anew, or compare them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from hardware.generate.step import FOLDER, Step, differences, write
from hardware.generate.steps import STEPS

_BY_NAME = {step.name: step for step in STEPS}


@click.command()
@click.argument("names", metavar="[STEP]...", nargs=-1, type=click.Choice(list(_BY_NAME)))
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 where a file differs.")
@click.option("--anew", is_flag=True, help="Write pictures that say the same but look otherwise.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    help="Another folder than hardware/.",
)
def main(names: tuple[str, ...], into: Path, *, check: bool, anew: bool) -> None:
    """Make everything in hardware/ that is made, or only the STEPs named."""
    steps = [_BY_NAME[name] for name in names] or list(STEPS)
    missing = sorted({package for step in steps for package in step.missing()})
    if missing:
        click.echo(f"not installed: {', '.join(missing)}; .ci/setup dev hardware does it", err=True)
        sys.exit(1)
    different = [line for step in steps for line in _run(step, into, check=check, anew=anew)]
    if check and different:
        click.echo(f"{len(different)} not as they are made: run make hardware", err=True)
        sys.exit(1)


def _run(step: Step, folder: Path, *, check: bool, anew: bool) -> list[str]:
    began_s = time.monotonic()
    if reason := step.unless():
        click.echo(f"{step.name:<12} left out: {reason}")
        return []
    lines = list(differences(step, folder) if check else write(step, folder, anew=anew))
    click.echo(f"{step.name:<12} {time.monotonic() - began_s:5.1f} s  {len(lines) or 'no'} changes")
    for line in lines:
        click.echo(f"  {line}")
    return lines


if __name__ == "__main__":
    main()
