"""The harness as files: what WireViz draws from (YAML), the cut list, and ``WIRING.md``.

Nothing here needs a program from outside; the drawing itself is
:mod:`hardware.generate.wiring_drawing`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import yaml

from hardware.generate.bom import bill
from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.harness import (
    CLOSED_SIDE_MM,
    SIDE_MM,
    Run,
    cut_list,
    far_end,
    harness,
    near_end,
)
from hardware.generate.parts import Part, parts
from hardware.generate.step import File, Step, text
from jackspot.inputs.cables import Core, without_cable
from jackspot.inputs.header import HEADER_PINS
from jackspot.inputs.pins_page import what

WIREVIZ_COLOURS = {
    "white": "WH",
    "brown": "BN",
    "green": "GN",
    "yellow": "YE",
    "grey": "GY",
    "pink": "PK",
    "blue": "BU",
}

_HEAD = """\
# Wiring

This page lists every cable of a board, from the pin of the header to the connection at its far end.
`make hardware` makes it from the firmware's pin table and cables (`firmware/jackspot/inputs/`), the
[builds](builds/) and the [parts](parts.toml). `jackspot wiring` prints the same for the
configuration of your own board. Why these plugs: [CONNECTORS.md](CONNECTORS.md); why these
resistors: [ELECTRICAL.md](ELECTRICAL.md). **Nothing here has been built yet.**

The **hub** is the Pi with its board in a case under the middle of the frame's south side. Each
cable runs along the frame, has its plug at the hub and is held fast at its far end, so that a foot
pulls out the plug and nothing else. Lengths are for a frame of {side:g} cm, those of the closed box
for one of {closed:g}; a smaller board needs less. The colours are those of the cores from contact 1
on (DIN 47100). Whatever colours you use, keep to the contacts.
"""


def make() -> Iterator[File]:
    """Return YAML and cut list for each build, and the page."""
    for build in BUILDS:
        yield text(f"wiring/{build.name}.yml", drawing(build))
        yield text(f"wiring/{build.name}-cut-list.csv", cut_list_csv(build))
    yield text("WIRING.md", _page())


def drawing(build: Build) -> str:
    """Write what WireViz draws: for each cable one row, from the hub's board to the far end."""
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[list[Any]] = []
    for run in reversed(harness(build)):  # Graphviz puts the first at the bottom
        name = run.cable.name
        contacts = [core.contact for core in run.cable.cores]
        table = parts()
        near = [near_end(build, run.cable, core.signal) for core in run.cable.cores]
        signals = [str(core.signal) for core in run.cable.cores]
        far = [far_end(build, run.cable, core.signal) for core in run.cable.cores]
        connectors[f"J {name}"] = _connector(table[run.socket], contacts, near)
        connectors[f"X {name}"] = _connector(table[run.plug], contacts, signals)
        end = {"pins": contacts, "pinlabels": far, "show_pincount": False}
        connectors[f"end of {name}"] = end
        cables[f"W {name}"] = _cable(run, table[run.part])
        wires = list(range(1, len(contacts) + 1))
        connections.append([
            {f"J {name}": contacts}, "==>", {f"X {name}": contacts},
            {f"W {name}": wires}, {f"end of {name}": contacts},
        ])  # fmt: skip
    document = {"connectors": connectors, "cables": cables, "connections": connections}
    head = f"# The harness of the build {build.name!r}, for WireViz. Made by `make hardware`.\n"
    dumped: str = yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100)
    return head + dumped


class _Plain(yaml.SafeDumper):
    """Writes what is used twice twice, and not as a reference."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def _connector(part: Part, contacts: list[int], labels: list[str]) -> dict[str, Any]:
    return {
        "type": part.name.partition(",")[0],
        "pins": contacts,
        "pinlabels": labels,
        "manufacturer": part.maker,
        "mpn": part.number,
        "show_pincount": False,
    }


def _cable(run: Run, part: Part) -> dict[str, Any]:
    return {
        "wirecount": len(run.cable.cores),
        "colors": [WIREVIZ_COLOURS[run.colour(core)] for core in run.cable.cores],
        "length": run.length_mm / 1000,
        "type": part.number,
    }


def cut_list_csv(build: Build, side_mm: float | None = None) -> str:
    """Write the cut list of a build, for a frame of this side or of that of its kind of board."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["part", "name", "pieces", "length mm", "for"])
    for cut in cut_list(build, side_mm):
        name = parts()[cut.part].name
        table.writerow([cut.part, name, cut.pieces, cut.length_mm, cut.what])
    return out.getvalue()


def _page() -> str:
    blocks = [_HEAD.format(side=SIDE_MM / 10, closed=CLOSED_SIDE_MM / 10)]
    blocks += ["\n".join(_section(build)) for build in BUILDS]
    return "\n".join(blocks)


def _section(build: Build) -> Iterator[str]:
    yield f"## {build.title}\n"
    yield f"{build.about[0].upper()}{build.about[1:]}."
    yield f"Configuration: [{build.name}.toml](builds/{build.name}.toml);"
    yield f"order table: [CSV](bom/{build.name}.csv)."
    if build.name == CUT_CORNERS.like:
        yield f"For [cut-off corners](guide/cut-corners.md): [CSV](bom/{CUT_CORNERS.name}.csv)."
    yield ""
    yield f"![The schematic of the build {build.title}](schematic/{build.name}.svg)\n"
    yield f"![The harness of the build {build.title}](wiring/{build.name}.svg)\n"
    yield "### Contacts\n" if build is BUILDS[0] else f"### Contacts of {build.title}\n"
    yield "| socket | contact | core | signal | on the hub's board | at the far end |"
    yield "|---|---|---|---|---|---|"
    for run in harness(build):
        for core in run.cable.cores:
            yield _contact(build, run, core)
    for wire in without_cable(build.wires):
        pin = HEADER_PINS[wire.gpio]
        yield (
            f"| - | - | - | `{wire.name}` | pin {pin} through its transistor | "
            f"the {what(wire.name)}, on the board |"
        )
    yield f"\n### Cut list of {build.title}\n"
    yield "| cable | length | pieces | for |"
    yield "|---|---|---|---|"
    for cut in cut_list(build):
        part = parts()[cut.part]
        yield f"| {part.number} | {cut.length_mm / 1000:g} m | {cut.pieces} | `{cut.what}` |"
    metres = {line.part.id: line for line in bill(build) if line.part.unit == "m"}
    cut_parts = dict.fromkeys(cut.part for cut in cut_list(build))
    sums = (f"{parts()[part].number}: {metres[part].written()}" for part in cut_parts)
    yield f"\nIn all: {', '.join(sums)} ([CSV](wiring/{build.name}-cut-list.csv)).\n"


def _contact(build: Build, run: Run, core: Core) -> str:
    signal = f"`{core.signal}`" if core.signal in {w.name for w in build.wires} else core.signal
    return (
        f"| `{run.cable.name}` | {core.contact} | {run.colour(core)} | {signal} | "
        f"{near_end(build, run.cable, core.signal)} | {far_end(build, run.cable, core.signal)} |"
    )


STEP = Step("wiring", make, owns=("WIRING.md", "wiring/*.yml", "wiring/*.csv"))
