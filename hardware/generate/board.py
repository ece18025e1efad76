"""The printed boards as files: net lists, schematics and rules for KiCad, parts for people."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator

from hardware.board.assembly import assembly
from hardware.board.design import KINDS, BoardPart, Design
from hardware.board.head_board import HEAD
from hardware.board.kicad import board, project, route
from hardware.board.place import HUB
from hardware.board.pocket_board import POCKET
from hardware.board.scheme import scheme
from hardware.board.shapes import pads_of
from hardware.generate.step import File, Step, text

DESIGNS = (HUB, POCKET, HEAD)


def make() -> Iterator[File]:
    """Return net lists, rules, schematics, tables of parts, and what an assembler needs."""
    for design in DESIGNS:
        start = f"{design.folder}/{design.name}"
        yield text(f"{start}.net", _net_list(design))
        yield text(f"{start}.kicad_pro", project(design))
        yield text(f"{start}.kicad_sch", scheme(design))
        yield text(f"{design.folder}/parts.csv", _csv(_rows(design)))
        yield text(f"{design.folder}/assembly.html", assembly(design))
        for who, fitted in design.fitted.items():
            on_surface = [
                part for part in design.parts
                if fitted(part)
                and part.part != "test"
                and not any(pad.drill for pad in pads_of(part.part))
            ]  # fmt: skip
            start = f"{design.folder}/order/{who}"
            yield text(f"{start}-parts.csv", _csv(_to_buy(on_surface)))
            yield text(f"{start}-positions.csv", _csv(_positions(design, on_surface)))


def _net_list(design: Design) -> str:
    lines = ['(export (version "E")', "  (components"]
    for part in design.parts:
        kind = KINDS[part.part]
        lines.append(
            f'    (comp (ref "{part.ref}") (value "{kind.value}") (footprint "{kind.footprint}")'
            f' (fields (field (name "For") "{part.of}")))'
        )
    lines += ["  )", "  (nets"]
    for code, (net, pads) in enumerate(design.nets().items(), 1):
        nodes = " ".join(f'(node (ref "{ref}") (pin "{pad}"))' for ref, pad in pads)
        lines.append(f'    (net (code "{code}") (name "{net}") {nodes})')
    return "\n".join([*lines, "  )", ")", ""])


def _csv(rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _to_buy(wanted: Iterable[BoardPart]) -> Iterator[list[object]]:
    yield ["Comment", "Designator", "Footprint", "Quantity"]
    found: dict[str, list[str]] = defaultdict(list)
    for part in wanted:
        found[part.part].append(part.ref)
    for name, refs in found.items():
        yield [KINDS[name].value, ",".join(refs), KINDS[name].footprint.split(":")[1], len(refs)]


def _positions(design: Design, wanted: Iterable[BoardPart]) -> Iterator[list[object]]:
    """Yield middles from the bottom left corner, y up, and turns counter-clockwise."""
    yield ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]
    for part in wanted:
        x, y, turn = design.places[part.ref]
        yield [part.ref, f"{x:.2f}", f"{design.high_mm - y:.2f}", "top", turn]


def _rows(design: Design) -> Iterator[list[object]]:
    yield ["designator", "part", "for", "GPIO", "footprint", *design.fitted]
    for part in design.parts:
        kind = KINDS[part.part]
        there = ("fitted" if fitted(part) else "" for fitted in design.fitted.values())
        gpio = "" if part.gpio is None else part.gpio
        yield [part.ref, kind.value, part.of, gpio, kind.footprint, *there]


def make_tracks() -> Iterator[File]:
    """Return the boards themselves, with their tracks; KiCad fills the ground around them."""
    for design in DESIGNS:
        yield text(f"{design.folder}/{design.name}.kicad_pcb", board(design, route(design).paths))


def files(*patterns: str) -> tuple[str, ...]:
    """Return patterns of files in each board's folder."""
    return tuple(f"{design.folder}/{pattern}" for design in DESIGNS for pattern in patterns)


STEP = Step(
    "board",
    make,
    owns=files("*.net", "*.kicad_pro", "*.kicad_sch", "*.csv", "assembly.html", "order/*.csv"),
)
TRACKS = Step("tracks", make_tracks, owns=files("*.kicad_pcb"), slow=True)
