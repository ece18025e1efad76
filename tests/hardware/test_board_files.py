"""The committed files of the printed boards agree with each other and with the tables."""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile

import pytest

from hardware.board.design import Design
from hardware.board.head_board import HEAD
from hardware.board.kicad import board, lands, printed
from hardware.board.place import HUB
from hardware.board.pocket_board import POCKET
from hardware.board.shapes import pads_of
from hardware.board.silk import Text, turned
from hardware.generate.board import DESIGNS
from hardware.generate.fabrication import named
from hardware.generate.step import FOLDER

each_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
Hole = tuple[float, float, float]
"""Drill, then millimetres from the bottom left corner."""


def pcb(design: Design, ending: str = "kicad_pcb") -> str:
    """Read a committed board, or its schematic."""
    return (FOLDER / f"{design.folder}/{design.name}.{ending}").read_text(encoding="utf-8")


@each_design
def test_the_committed_board_is_that_of_the_tables_but_for_its_tracks(design):
    """`make test-long` also routes it again."""
    tracks = ("  (segment ", "  (via ")
    content = pcb(design)
    untracked = [line for line in content.splitlines() if not line.startswith(tracks)]
    assert untracked == board(design, {}).splitlines(), "run `make hardware`"


@each_design
def test_the_committed_schematic_has_at_every_pad_the_net_of_the_tables(design):
    content = pcb(design, "kicad_sch")
    pins: dict[str, list[tuple[str, float]]] = {}
    kind = ""
    for symbol, down, name in re.findall(
        r'\(symbol "jackspot:(\w+)"|\(pin \w+ line \(at -2.54 (\S+) 0\).*?\(name "(\w+)"', content
    ):
        kind = symbol or kind
        if name:
            pins.setdefault(kind, []).append((name, -float(down)))
    at = r"\(at ([\d.]+) ([\d.]+)"
    labels = {
        (float(x), float(y)): net
        for net, x, y in re.findall(
            rf'\(global_label "([^"]+)" \(shape passive\) {at} 180', content
        )
    }
    left = {(float(x), float(y)) for x, y in re.findall(rf"\(no_connect {at}", content)}
    found = {}
    for kind, x, y, ref in re.findall(
        rf'\(lib_id "jackspot:(\w+)"\) {at} 0.*\n +\(property "Reference" "([^"]+)"', content
    ):
        for name, down in pins[kind]:
            place = round(float(x) - 2.54, 2), round(float(y) + down, 2)
            assert (place in labels) is not (place in left)
            if place in labels and not ref.startswith("#"):
                found[ref, name] = labels[place]
    assert found == {pad: net for net, pads in design.nets().items() for pad in pads}


def in_zip(design: Design, *endings: str) -> dict[str, str]:
    with zipfile.ZipFile(FOLDER / f"{design.folder}/order/{design.name}-gerbers.zip") as archive:
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


def wanted(design: Design, *, plated: bool) -> list[Hole]:
    """Return the holes of the tables' parts, and of the committed vias."""
    found = []
    for part in design.parts:
        x, y, turn = design.places[part.ref]
        for pad in pads_of(part.part):
            if pad.drill and bool(pad.name) == plated:
                dx, dy = turned(pad.x, pad.y, turn)
                found.append((pad.drill, x + dx, design.high_mm - y - dy))
    if plated:
        vias = re.findall(r"\(via \(at (\S+) (\S+)\)", pcb(design))
        found += [(0.3, float(x), design.high_mm - float(y)) for x, y in vias]
    else:
        found += [(drill, x, design.high_mm - y) for x, y, drill in design.holes]
    return sorted((d, round(x, 2), round(y, 2)) for d, x, y in found)


@each_design
@pytest.mark.parametrize(("file", "plated"), [("-PTH.drl", True), ("-NPTH.drl", False)])
def test_the_committed_drill_files_have_the_holes_of_the_board(design, file, plated):
    [content] = in_zip(design, f"{design.name}{file}").values()
    found, expected = drilled(content), wanted(design, plated=plated)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=0.02)


@each_design
def test_the_committed_gerbers_have_every_layer(design):
    names = {name.removeprefix(f"{design.name}-") for name in in_zip(design, ".gbr")}
    both = {f"{side}_{layer}.gbr" for side in "FB" for layer in ("Cu", "Mask")}
    below = {"B_Silkscreen.gbr"} if core_holes(design) else set()
    assert names == both | {"F_Paste.gbr", "F_Silkscreen.gbr", "Edge_Cuts.gbr"} | below


@each_design
def test_the_committed_board_says_its_name_and_revision_in_its_print(design):
    said, _sizes = design.title
    assert re.fullmatch(r"[A-Z][A-Z ]+ \d+", said)
    assert f'(gr_text "{said}" ' in pcb(design)


@each_design
def test_the_step_model_is_called_what_the_board_is(design):
    path = FOLDER / f"{design.folder}/order/{design.name}.step"
    content = path.read_text(encoding="utf-8")
    names = re.findall(r"= PRODUCT\('([^']*)','([^']*)'", content)
    whole, bare = f"jackspot_{design.name}_board", f"{design.name}_PCB"
    assert names == [(whole, whole), (bare, bare)]
    assert f"FILE_NAME('{design.name}.step'" in content


def test_a_step_model_without_kicads_own_name_is_refused():
    with pytest.raises(ValueError, match="found 0"):
        named(b"#7 = PRODUCT('board 2','board 2','',(#8));", "hub")


@pytest.mark.parametrize(
    ("design", "who"),
    [(design, who) for design in DESIGNS for who in design.fitted],
    ids=lambda each: getattr(each, "name", each),
)
def test_an_assembler_gets_each_fitted_part_of_the_surface_once_and_where_it_is(design, who):
    def rows(what: str) -> list[dict[str, str]]:
        path = FOLDER / f"{design.folder}/order/{who}-{what}.csv"
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))

    listed = [ref for row in rows("parts") for ref in row["Designator"].split(",")]
    on_surface = {
        part.ref
        for part in design.parts
        if design.fitted[who](part)
        and part.part != "test"
        and not any(pad.drill for pad in pads_of(part.part))
    }
    assert sorted(listed) == sorted(on_surface)
    assert all(int(row["Quantity"]) == len(row["Designator"].split(",")) for row in rows("parts"))
    blocks = pcb(design).split("\n  (footprint ")[1:]
    there = {}
    for block in blocks:
        ref = re.search(r'"Reference" "(\w+)"', block)
        at = re.search(r"\(at (\S+) (\S+) (\d+)\)", block)
        if ref and at:
            there[ref[1]] = (float(at[1]), design.high_mm - float(at[2]), float(at[3]))
    positions = rows("positions")
    assert sorted(row["Designator"] for row in positions) == sorted(listed)
    for row in positions:
        told = tuple(float(row[key]) for key in ("Mid X", "Mid Y", "Rotation"))
        assert told == pytest.approx(there[row["Designator"]], abs=0.006)
        assert row["Layer"] == "top"


def core_holes(design: Design) -> list[tuple[str, float, float]]:
    """Return what goes into each hole for a cable's core, and where that is."""
    found = []
    for part in design.parts:
        x, y, turn = design.places[part.ref]
        for pad in pads_of(part.part) if part.part == "cores" else ():
            dx, dy = turned(pad.x, pad.y, turn)
            found.append((design.cores(part)[pad.name], x + dx, y + dy))
    return found


def test_every_cable_that_is_soldered_to_a_board_without_a_plug_is_known():
    """Cables of the hub's board have sockets and headers; no other part takes bare cores."""
    assert {design.name: len(core_holes(design)) for design in DESIGNS} == {
        "hub": 0, "pocket": 6, "head": 6,
    }  # fmt: skip
    assert [said for said, _, _ in core_holes(HEAD)] == list("123456")
    assert [said for said, _, _ in core_holes(POCKET)] == ["SIG", "GND", "5V"] * 2
    for design in DESIGNS:
        named = {part.part for part in design.parts if design.cores(part)}
        assert named <= {"cores"}


@each_design
@pytest.mark.parametrize("side", "FB")
def test_each_hole_for_a_core_is_named_right_beside_it_on_both_sides(design, side):
    """The committed board has each name in line with its hole, nearer to it than to any other."""
    mirrored = r" \(justify mirror\)" if side == "B" else ""
    pattern = (
        r'\(gr_text "([^"]+)" \(at (\S+) (\S+) 0\) \(layer "' + side + r'\.SilkS"\)'
        r" \(effects \(font \(size (\S+) \S+\) \(thickness \S+\)\)" + mirrored + r"\)\)"
    )
    there = [
        Text(said, float(x), float(y), 0, float(size))
        for said, x, y, size in re.findall(pattern, pcb(design))
    ]
    holes = core_holes(design)
    pads = [land for land in lands(design) if "FB".index(side) in land.layers]
    for said, x, y in holes:
        near = min((t for t in there if t.said == said), key=lambda t: abs(t.x - x) + abs(t.y - y))
        assert near.x == pytest.approx(x, abs=0.01)
        left, top, right, bottom = box(near)
        away = max(top - y, y - bottom)
        assert 0.85 < away < 0.85 + 0.6
        assert near.size >= 0.8
        others = [(a, b) for _, a, b in holes if (a, b) != (x, y)]
        assert all(math.hypot(near.x - a, near.y - b) > abs(near.y - y) for a, b in others)
        for land in pads:
            apart = max(abs(land.x - near.x) - land.half_wide - (right - left) / 2,
                        abs(land.y - near.y) - land.half_high - (bottom - top) / 2)  # fmt: skip
            assert apart >= 0.2


@each_design
def test_the_gerbers_have_the_names_of_the_lower_side(design):
    content = in_zip(design, "B_Silkscreen.gbr")
    assert bool(content) is bool(core_holes(design))
    for layer in content.values():
        drawn = {
            (int(x) / 1e6, int(y) / 1e6)
            for x, y in re.findall(r"^X(-?\d+)Y(-?\d+)D0[12]\*$", layer, re.MULTILINE)
        }
        for _said, x, y in core_holes(design):
            assert [at for at in drawn if abs(at[0] - x) < 1.2
                    and 0.8 < abs(at[1] - (design.high_mm - y)) < 3.0]  # fmt: skip


def box(text: Text) -> tuple[float, float, float, float]:
    """Return roughly where a text is, in KiCad's own letters."""
    long, high = 0.85 * text.size * len(text.said), text.size
    wide, tall = (high, long) if text.turn else (long, high)
    return text.x - wide / 2, text.y - tall / 2, text.x + wide / 2, text.y + tall / 2


@each_design
def test_every_part_has_its_name_beside_it_and_no_text_lies_on_a_pad_or_another_text(design):
    silk = printed(design)
    assert set(silk.names) == {part.ref for part in design.parts}
    boxes = [box(text) for text in (*silk.names.values(), *silk.texts)]
    pads = [(p.x - p.half_wide, p.y - p.half_high, p.x + p.half_wide, p.y + p.half_high)
            for p in lands(design)]  # fmt: skip
    for i, (left, top, right, bottom) in enumerate(boxes):
        for a, b, c, d in (*boxes[i + 1 :], *pads):
            assert left >= c or right <= a or top >= d or bottom <= b, (boxes[i], (a, b, c, d))


def test_each_check_at_a_test_pad_is_of_the_part_that_joins_the_two() -> None:
    """Pads joined by a fuse or resistor are checked by its name; what nothing joins is no short."""
    page = (FOLDER / "board/README.md").read_text(encoding="utf-8")
    net = {part.ref: part.nets["1"] for part in HUB.parts if part.part == "test"}
    joins = {part.ref: set(part.nets.values()) for part in HUB.parts if part.ref[0] in "FR"}
    rows = re.findall(r"^\| (TP\d+) ([^|]*)\| ([^|]*) \| ([^|]*) \|$", page, re.MULTILINE)
    assert len(rows) == 9
    told: set[str] = set()
    for start, more, end, shows in rows:
        froms = [start, *re.findall(r"TP\d+", more)]
        tos = re.findall(r"TP\d+", end)
        parts = re.findall(r"\b[FR]\d+\b", shows)
        told |= {*froms, *tos}
        if "no short" in shows:
            assert not [ref for ref, nets in joins.items() if nets == {net[start], net[tos[0]]}]
        pairs = (
            [(a, b) for a in froms for b in tos] if len(froms) == 1 else [(a, "") for a in froms]
        )
        for ref, (a, b) in zip(parts, pairs, strict=False):
            assert {net[a], *([net[b]] if b else [])} <= joins[ref], (ref, a, b)
    assert told >= {ref for ref, of in net.items() if of != "protect"} - {"TP11"}
