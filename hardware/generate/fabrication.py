"""What a maker of boards gets, by KiCad: gerbers, drills, pictures, a model of the bare board.

KiCad checks electrical and design rules first, with the ground filled; a board with an error is not
made.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from hardware.board.design import Design
from hardware.board.kicad import printed
from hardware.generate.board import DESIGNS, files
from hardware.generate.step import FOLDER, File, Step
from hardware.prints.models import look_of, png

_LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,Edge.Cuts"
_PRINT_BELOW = "B.SilkS"
"""A layer of those boards alone that have something printed below."""
_FILL = """
import pcbnew, sys
board = pcbnew.LoadBoard(sys.argv[1])
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
board.Save(sys.argv[1])
"""
_MADE_BY = re.compile(r"date|GenerationSoftware|Created by|FILE_NAME", re.IGNORECASE)
_KICADS_NAME = re.compile(rb"(= PRODUCT\(')board 1(',')board 1")
_PICTURE = (2400, 1600)


def without_kicad() -> str:
    """Say why nothing can be made here; "" where KiCad 9 is."""
    if not shutil.which("kicad-cli"):
        return "KiCad 9 is not here (Debian 13 and bookworm-backports have it: package kicad)"
    found = _run("kicad-cli", "version").split(".", maxsplit=1)[0]
    return "" if found == "9" else f"KiCad 9 is expected, and this one is {found}"


def make() -> Iterator[File]:
    """Return the files. RuntimeError: what KiCad finds against a committed board."""
    for design in DESIGNS:
        with TemporaryDirectory() as name:
            yield from _of(design, Path(name))


def _of(design: Design, folder: Path) -> Iterator[File]:
    out, order = folder / "out", f"{design.folder}/order/{design.name}"
    out.mkdir()
    for ending in ("kicad_pcb", "kicad_pro", "kicad_sch"):
        shutil.copy(FOLDER / f"{design.folder}/{design.name}.{ending}", folder)
    board = str(folder / f"{design.name}.kicad_pcb")
    _run("/usr/bin/python3", "-c", _FILL, board)
    report = folder / "found.txt"
    scheme = str(folder / f"{design.name}.kicad_sch")
    for program, check, checked in (("sch", "erc", scheme), ("pcb", "drc", board)):
        _run("kicad-cli", program, check, "--severity-error", "--exit-code-violations",
             "--output", str(report), checked, report=report)  # fmt: skip
    export = ("kicad-cli", "pcb", "export")
    layers = f"{_LAYERS},{_PRINT_BELOW}" if printed(design).below else _LAYERS
    _run(*export, "gerbers", "--no-protel-ext", "--use-drill-file-origin",
         "--layers", layers, "--output", f"{out}/", board)  # fmt: skip
    _run(*export, "drill", "--drill-origin", "plot", "--excellon-separate-th",
         "--output", f"{out}/", board)  # fmt: skip
    made = sorted(path for path in out.iterdir() if path.suffix in {".gbr", ".drl"})
    yield File(f"{order}-gerbers.zip", _zipped(made), _in_zip)
    model = out / "board.step"
    _run(*export, "step", "--board-only", "--drill-origin", "--output", str(model), board)
    yield File(f"{order}.step", named(model.read_bytes(), design.name), _undated)
    for side in ("top", "bottom"):
        drawn = out / f"{side}.png"
        wide, high = map(str, _PICTURE)
        _run("kicad-cli", "pcb", "render", "--side", side, "--width", wide, "--height", high,
             "--background", "transparent", "--output", str(drawn), board)  # fmt: skip
        picture = Image.open(drawn).convert("RGBA")
        content = png(picture.crop(picture.getbbox()).convert("RGB"))
        yield File(f"{design.folder}/{side}.png", content, look_of)


def named(step: bytes, name: str) -> bytes:
    """Return a STEP file that says which board it is: KiCad calls every board "board 1".

    Raise :class:`ValueError` where KiCad's own name is not there.
    """
    whole = f"jackspot_{name}_board".encode()
    found, count = _KICADS_NAME.subn(lambda match: match[1] + whole + match[2] + whole, step)
    if count != 1:
        raise ValueError(f"{name}.step: expected one product 'board 1', found {count}")
    return found.replace(b"FILE_NAME('board.step'", f"FILE_NAME('{name}.step'".encode())


def _run(*command: str, report: Path | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = report.read_text(encoding="utf-8") if report and report.exists() else done.stderr
        raise RuntimeError(f"{' '.join(command[:4])} failed: {said}")
    return done.stdout


def _zipped(paths: list[Path]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _in_zip(content: bytes) -> dict[str, list[str]]:
    """Return each file's lines, sorted: KiCad draws tracks in another order each time."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: sorted(_undated(archive.read(name))) for name in archive.namelist()}


def _undated(content: bytes) -> list[str]:
    """Return the lines but those that tell the time and the program's version."""
    return [line for line in content.decode().splitlines() if not _MADE_BY.search(line)]


STEP = Step(
    "fabrication",
    make,
    owns=files("order/*.zip", "order/*.step", "*.png"),
    slow=True,
    unless=without_kicad,
)
