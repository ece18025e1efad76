"""``python -m hardware.prints``: make the models with sizes of one's own, into another folder.

``make hardware BOARD=my.toml`` does it with what the measuring sheet has a maker write down.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path

import click
from manifold3d import Manifold

from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.printed import laid_out, version
from hardware.generate.wiring import cut_list_csv
from hardware.prints import fits
from hardware.prints.board import Measured, read_board
from hardware.prints.catalogue import CLOSED, PRINTED, Printed
from hardware.prints.checks import mesh_of, mistakes
from hardware.prints.models import stl
from hardware.prints.parameters import ParameterError, Sizes, load
from hardware.prints.plates import plates, threemf
from hardware.prints.stepfile import step

LOW_MM = 80.0
"""With less below the wood than this, no part at a pocket has room."""


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Where the STL files go.",
)
@click.option(
    "--board",
    "board",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A board's sizes, as the measuring sheet asks for them.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="A size of parameters.toml.")  # fmt: skip
@click.option("--step", "also_step", is_flag=True, help="A STEP file beside each STL file.")
@click.argument("parts", nargs=-1, metavar="[PART]...", type=click.Choice(list(PRINTED)))
def main(
    out: Path,
    board: Path | None,
    settings: tuple[str, ...],
    parts: tuple[str, ...],
    *,
    also_step: bool,
) -> None:
    """Make the PARTs named, or all, with sizes of your own.

    What an earlier run made of them is removed first. What could not be printed is not written;
    exit status 1 then, and where a size is wrong, which changes nothing. With --board only the
    parts for that board are made, and those that find no room under it are left out and named; a
    measured frame gives the cables' cut lists too. If no PART is named, the builds' plates are made
    anew, and what is missing on them is named.
    """
    try:
        measured = read_board(board, settings) if board else None
        _parameters, sizes = load(measured.settings, measured.kind) if measured else load(settings)
    except ParameterError as error:
        click.echo(error, err=True)
        sys.exit(1)
    out.mkdir(parents=True, exist_ok=True)
    _clear(out, parts or PRINTED, plates_too=not parts)
    refused, made = False, dict[str, Manifold]()
    wanted = [PRINTED[each] for each in parts or PRINTED if not measured or measured.wants(each)]
    for part in wanted:
        try:
            if (solid := _solid(part, sizes, measured)) is not None:
                made[part.id] = solid
                _write(part, solid, out, also_step=also_step)
        except ValueError as error:
            refused = True
            click.echo(f"{part.id}: {error}", err=True)
    if measured:
        _say_what_else_is_known(measured, sizes, out)
    if measured and not parts:
        _lay_out(measured, made, sizes, out, {each.id for each in wanted} - set(made))
    if refused:
        click.echo("change the sizes that make it so; the others are written", err=True)
        sys.exit(1)


def _clear(out: Path, parts: Iterable[str], *, plates_too: bool) -> None:
    """Remove what an earlier run made of these parts, and its plates and cut lists."""
    names = rf"({'|'.join(parts)})\.(stl|step)"
    if plates_too:
        builds = "|".join(build.name for build in (*BUILDS, CUT_CORNERS))
        names += rf"|({builds})-[1-9]\d*\.3mf|cut-list-({builds})\.csv"
    ours = re.compile(names)
    for path in out.glob("*"):
        if path.is_file() and ours.fullmatch(path.name):
            path.unlink()


def _solid(part: Printed, sizes: Sizes, measured: Measured | None) -> Manifold | None:
    """Make a part, or say why it is left out. ValueError where it could not be printed."""
    solid = part.solid(sizes)
    if wrong := list(_misfits(part, solid, sizes, measured)):
        click.echo(f"{part.id}: left out: {'; '.join(wrong)}")
        return None
    if found := mistakes(mesh_of(solid), sizes.print.bed_mm, part.overhang_mm2):
        raise ValueError("; ".join(found))
    if measured and part.id == "hub_case":
        _say_where_the_hub_goes(solid, sizes, measured)
    return solid


def _write(part: Printed, solid: Manifold, out: Path, *, also_step: bool) -> None:
    (out / f"{part.id}.stl").write_bytes(stl(solid))
    click.echo(f"{out / part.id}.stl")
    if also_step:
        (out / f"{part.id}.step").write_bytes(step(solid, part.id, part.revision))
        click.echo(f"{out / part.id}.step")


def _say_what_else_is_known(measured: Measured, sizes: Sizes, out: Path) -> None:
    if measured.is_closed or measured.is_cut:
        says = fits.cut_says(sizes, measured.legs_at_mm) if measured.is_cut else None
        for line in says or fits.closed_says(sizes):
            click.echo(line)
    elif sizes.boards[measured.kind].room_below_mm < LOW_MM:
        click.echo(
            'is it a closed box with triangles for pockets? Write box = "closed" and measure it by '
            "its own sheet, hardware/measuring-sheet/measure-closed-en.pdf"
        )
        click.echo(
            'triangles without a second floor? Write corner = "cut" and measure them by theirs, '
            "hardware/measuring-sheet/measure-cut-en.pdf"
        )
    if measured.side_mm:
        for build in _builds(measured):
            path = out / f"cut-list-{build.name}.csv"
            path.write_text(cut_list_csv(build, measured.side_mm), encoding="utf-8")
            click.echo(f"{path}")


def _lay_out(
    measured: Measured, made: Mapping[str, Manifold], sizes: Sizes, out: Path, missed: Set[str]
) -> None:
    """Write the plates of the builds for such a board, and say which parts they miss."""
    for build in _builds(measured):
        of_board = {
            name.replace("carrom_", f"{measured.kind}_"): n for name, n in laid_out(build).items()
        }
        pieces = {name: n for name, n in of_board.items() if name in made}
        for at, (plate, times) in enumerate(plates(pieces, made, sizes.print.bed_mm).items(), 1):
            path = out / f"{build.name}-{at}.3mf"
            title = f"Jackspot {build.name}, plate {at}"
            path.write_bytes(threemf(plate, made, title, version()))
            click.echo(f"{path}" + (f", {times} times" if times > 1 else ""))
        if missing := [f"{n} {name}" for name, n in of_board.items() if name in missed]:
            click.echo(f"{build.name}: not on its plates: {', '.join(missing)}")


def _builds(measured: Measured) -> Iterator[Build]:
    """Return the builds for such a board."""
    for build in (*BUILDS, CUT_CORNERS):
        if (build.is_closed, build.has_plates) == (measured.is_closed, measured.is_cut):
            yield build


def _misfits(
    part: Printed, solid: Manifold, sizes: Sizes, measured: Measured | None
) -> Iterator[str]:
    if part.id.startswith(CLOSED):
        yield from _closed_misfits(part, sizes, measured)
    elif measured:
        kind = part.id.removeprefix(f"{measured.kind}_")
        if kind in fits.KINDS:
            yield from fits.misfits(sizes, sizes.boards[measured.kind], kind, solid)


def _closed_misfits(part: Printed, sizes: Sizes, measured: Measured | None) -> Iterator[str]:
    if not (measured and measured.is_cut):
        yield from fits.closed_misfits(sizes)
        return
    yield from fits.cut_misfits(sizes)
    if part.id == "closed_foot" and fits.legs_serve(sizes, measured.legs_at_mm):
        yield "the board stays on its legs"


def _say_where_the_hub_goes(solid: Manifold, sizes: Sizes, measured: Measured) -> None:
    if measured.is_closed:
        click.echo("hub_case: goes outside, onto two laths under the frame")
        return
    needed, there = fits.hub_mm(sizes, solid), sizes.boards[measured.kind].room_below_mm
    if measured.is_cut:
        there = fits.below_cut_mm(sizes, measured.legs_at_mm)
    if needed > there:
        click.echo(
            f"hub_case: needs {needed:.0f} mm below the wood, and there are {there:g}: screw it to "
            "the frame outside"
        )


if __name__ == "__main__":
    main()
