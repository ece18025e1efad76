"""The printed hub board as files: for KiCad its net list and rules, for people its parts."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator

from hardware.board.circuit import KINDS, BoardPart, fitted, nets, parts
from hardware.board.kicad import board, project, route
from hardware.board.place import HIGH_MM, places
from hardware.board.shapes import pads_of
from hardware.generate.builds import BUILDS
from hardware.generate.step import File, Step, text


def make() -> Iterator[File]:
    """Return the net list, the rules, the table of parts, and what an assembler needs."""
    yield text("board/hub.net", _net_list())
    yield text("board/hub.kicad_pro", project())
    yield text("board/parts.csv", _table())
    for build in BUILDS:
        on_surface = [
            part for part in parts()
            if fitted(part, build)
            and part.part != "test"
            and not any(pad.drill for pad in pads_of(part.part))
        ]  # fmt: skip
        yield text(f"board/order/{build.name}-parts.csv", _csv(_to_buy(on_surface)))
        yield text(f"board/order/{build.name}-positions.csv", _csv(_positions(on_surface)))


def _net_list() -> str:
    lines = ['(export (version "E")', "  (components"]
    for part in parts():
        kind = KINDS[part.part]
        lines.append(
            f'    (comp (ref "{part.ref}") (value "{kind.value}") (footprint "{kind.footprint}")'
            f' (fields (field (name "For") "{part.of}")))'
        )
    lines += ["  )", "  (nets"]
    for code, (net, pads) in enumerate(nets().items(), 1):
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


def _positions(wanted: Iterable[BoardPart]) -> Iterator[list[object]]:
    """Yield middles from the bottom left corner, y up, and turns counter-clockwise."""
    yield ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]
    placed = places()
    for part in wanted:
        x, y, turn = placed[part.ref]
        yield [part.ref, f"{x:.2f}", f"{HIGH_MM - y:.2f}", "top", turn]


def _table() -> str:
    return _csv(_rows())


def _rows() -> Iterator[list[object]]:
    yield ["designator", "part", "for", "GPIO", "footprint", *(b.name for b in BUILDS)]
    for part in parts():
        kind = KINDS[part.part]
        there = ("fitted" if fitted(part, build) else "" for build in BUILDS)
        gpio = "" if part.gpio is None else part.gpio
        yield [part.ref, kind.value, part.of, gpio, kind.footprint, *there]


def make_tracks() -> Iterator[File]:
    """Return the board itself, with its tracks; KiCad fills the ground around them."""
    yield text("board/hub.kicad_pcb", board(route().paths))


STEP = Step(
    "board", make, owns=("board/*.net", "board/*.kicad_pro", "board/*.csv", "board/order/*.csv")
)
TRACKS = Step("tracks", make_tracks, owns=("board/*.kicad_pcb",), slow=True)
