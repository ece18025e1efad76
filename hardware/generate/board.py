"""The printed hub board as files: its net list, as KiCad reads it, and its table of parts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from hardware.board.circuit import KINDS, fitted, nets, parts
from hardware.board.kicad import board, route
from hardware.generate.builds import BUILDS
from hardware.generate.step import File, Step, text


def make() -> Iterator[File]:
    """Return the net list and the table of parts."""
    yield text("board/hub.net", _net_list())
    yield text("board/parts.csv", _table())


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


def _table() -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["designator", "part", "for", "GPIO", "footprint", *(b.name for b in BUILDS)])
    for part in parts():
        kind = KINDS[part.part]
        there = ("fitted" if fitted(part, build) else "" for build in BUILDS)
        gpio = "" if part.gpio is None else part.gpio
        table.writerow([part.ref, kind.value, part.of, gpio, kind.footprint, *there])
    return out.getvalue()


def make_tracks() -> Iterator[File]:
    """Return the board itself, with its tracks; KiCad fills the ground around them."""
    yield text("board/hub.kicad_pcb", board(route().paths))


STEP = Step("board", make, owns=("board/*.net", "board/*.csv"))
TRACKS = Step("tracks", make_tracks, owns=("board/*.kicad_pcb",), slow=True)
