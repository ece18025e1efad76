"""The committed files of the printed hub board agree with each other and with the tables."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import pytest

from hardware.board.circuit import fitted, parts
from hardware.board.kicad import board, lands, printed
from hardware.board.place import HIGH_MM, HOLES, places
from hardware.board.shapes import pads_of
from hardware.board.silk import Text, turned
from hardware.generate.builds import BUILDS
from hardware.generate.step import FOLDER

PCB = FOLDER / "board/hub.kicad_pcb"
Hole = tuple[float, float, float]
"""Drill, then millimetres from the bottom left corner."""


def test_the_committed_board_is_that_of_the_tables_but_for_its_tracks():
    """`make test-long` routes it anew too."""
    tracks = ("  (segment ", "  (via ")
    content = PCB.read_text(encoding="utf-8")
    assert [line for line in content.splitlines() if not line.startswith(tracks)] == board(
        {}
    ).splitlines(), "run `make hardware`"


def in_zip(*endings: str) -> dict[str, str]:
    with zipfile.ZipFile(FOLDER / "board/order/hub-gerbers.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(endings)]
        return {name: archive.read(name).decode() for name in names}


def drilled(content: str) -> list[Hole]:
    """Read the holes of a drill file."""
    sizes = dict(re.findall(r"^T(\d+)C([\d.]+)$", content, re.MULTILINE))
    found, size = [], 0.0
    for tool, x, y in re.findall(r"^(?:T(\d+)|X([-\d.]+)Y([-\d.]+))$", content, re.MULTILINE):
        if tool:
            size = float(sizes.get(tool, 0))
        else:
            found.append((size, round(float(x), 2), round(float(y), 2)))
    return sorted(found)


def wanted(*, plated: bool) -> list[Hole]:
    """Return the holes of the tables' parts, and of the committed vias."""
    found = []
    for part in parts():
        x, y, turn = places()[part.ref]
        for pad in pads_of(part.part):
            if pad.drill and bool(pad.name) == plated:
                dx, dy = turned(pad.x, pad.y, turn)
                found.append((pad.drill, x + dx, HIGH_MM - y - dy))
    if plated:
        vias = re.findall(r"\(via \(at (\S+) (\S+)\)", PCB.read_text(encoding="utf-8"))
        found += [(0.3, float(x), HIGH_MM - float(y)) for x, y in vias]
    else:
        found += [(drill, x, HIGH_MM - y) for x, y, drill in HOLES]
    return sorted((d, round(x, 2), round(y, 2)) for d, x, y in found)


@pytest.mark.parametrize(("file", "plated"), [("-PTH.drl", True), ("-NPTH.drl", False)])
def test_the_committed_drill_files_have_the_holes_of_the_board(file, plated):
    [content] = in_zip(f"hub{file}").values()
    found, expected = drilled(content), wanted(plated=plated)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=0.02)


def test_the_committed_gerbers_have_every_layer():
    names = {name.removeprefix("hub-") for name in in_zip(".gbr")}
    both = {f"{side}_{layer}.gbr" for side in "FB" for layer in ("Cu", "Mask")}
    assert names == both | {"F_Paste.gbr", "F_Silkscreen.gbr", "Edge_Cuts.gbr"}


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)
def test_an_assembler_gets_each_fitted_part_of_the_surface_once_and_where_it_is(build):
    def rows(what: str) -> list[dict[str, str]]:
        path = FOLDER / f"board/order/{build.name}-{what}.csv"
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))

    listed = [ref for row in rows("parts") for ref in row["Designator"].split(",")]
    on_surface = {
        part.ref
        for part in parts()
        if fitted(part, build)
        and part.part != "test"
        and not any(pad.drill for pad in pads_of(part.part))
    }
    assert sorted(listed) == sorted(on_surface)
    assert all(int(row["Quantity"]) == len(row["Designator"].split(",")) for row in rows("parts"))
    blocks = PCB.read_text(encoding="utf-8").split("\n  (footprint ")[1:]
    there = {}
    for block in blocks:
        ref = re.search(r'"Reference" "(\w+)"', block)
        at = re.search(r"\(at (\S+) (\S+) (\d+)\)", block)
        if ref and at:
            there[ref[1]] = (float(at[1]), HIGH_MM - float(at[2]), float(at[3]))
    positions = rows("positions")
    assert sorted(row["Designator"] for row in positions) == sorted(listed)
    for row in positions:
        told = tuple(float(row[key]) for key in ("Mid X", "Mid Y", "Rotation"))
        assert told == pytest.approx(there[row["Designator"]], abs=0.006)
        assert row["Layer"] == "top"


def box(text: Text) -> tuple[float, float, float, float]:
    """Return about where a text lies, in letters of KiCad's own."""
    long, high = 0.85 * text.size * len(text.said), text.size
    wide, tall = (high, long) if text.turn else (long, high)
    return text.x - wide / 2, text.y - tall / 2, text.x + wide / 2, text.y + tall / 2


def test_every_part_has_its_name_beside_it_and_no_text_lies_on_a_pad_or_another_text():
    silk = printed()
    assert set(silk.names) == {part.ref for part in parts()}
    boxes = [box(text) for text in (*silk.names.values(), *silk.texts)]
    pads = [(p.x - p.half_wide, p.y - p.half_high, p.x + p.half_wide, p.y + p.half_high)
            for p in lands()]  # fmt: skip
    for i, (left, top, right, bottom) in enumerate(boxes):
        for a, b, c, d in (*boxes[i + 1 :], *pads):
            assert left >= c or right <= a or top >= d or bottom <= b, (boxes[i], (a, b, c, d))
