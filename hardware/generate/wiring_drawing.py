"""The harness as pictures, by WireViz and Graphviz.

Where Graphviz places things depends a little on its version, so of a picture only its words must
be the same (:func:`hardware.generate.look.words`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import graphviz
import yaml
from wireviz.wireviz import parse

from hardware.generate.builds import BUILDS, Build
from hardware.generate.look import COLOURS, FONT, words
from hardware.generate.step import File, Step
from hardware.generate.wiring import drawing

CORE_COLOURS = {
    "#ffffff": ("WH", "white", "#ffffff"),
    "#895956": ("BN", "brown", COLOURS["brown"]),
    "#00ff00": ("GN", "green", "#2f9a6b"),
    "#ffff00": ("YE", "yellow", COLOURS["gold"]),
    "#999999": ("GY", "grey", "#999999"),
    "#ff66cc": ("PK", "pink", "#e39bb4"),
    "#0066ff": ("BU", "blue", COLOURS["one"]),
}
"""WireViz' colours of the cores, their names and the colours drawn."""


def make() -> Iterator[File]:
    """Return one picture for each build."""
    for build in BUILDS:
        svg: bytes = graphviz.Source(source(build)).pipe(format="svg")
        yield File(f"wiring/{build.name}.svg", _tidy(svg), words)


def source(build: Build) -> str:
    """Return the graph that is drawn, in Graphviz' language; needs no program."""
    harness = parse(yaml.safe_load(drawing(build)), return_types="harness")
    graph = harness.graph
    graph.attr("graph", bgcolor=COLOURS["panel"], nodesep="0.12", ranksep="0.45")
    ink = {"fontname": "DejaVu Sans", "fontcolor": COLOURS["text"], "color": COLOURS["quiet"]}
    graph.attr("node", fontsize="13", **ink)
    written: str = graph.source
    # A wire says its number and colour; where it comes from stands at the plug beside it.
    written = re.sub(
        r"<td>[^<]*</td>\s*<td>\s*(\d+):([A-Z]{2})\s*</td>\s*<td>[^<]*</td>",
        lambda found: f'<td></td><td cellpadding="2">{found[1]} {_NAMES[found[2]]}</td><td></td>',
        written,
    )
    for theirs, (_code, _name, ours) in CORE_COLOURS.items():
        written = re.sub(theirs, ours, written, flags=re.IGNORECASE)
    return written.replace("#000000", COLOURS["quiet"])


_NAMES = {code: name for code, name, _colour in CORE_COLOURS.values()}


def source_words(build: Build) -> list[str]:
    """Return everything that will stand written in the picture."""
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", source(build))
    said = (" ".join(unescape(cell).split()) for cell in cells)
    return sorted(each for each in said if each)


def _tidy(svg: bytes) -> bytes:
    """Take out what says only which program drew it, and round places to a tenth."""
    plain = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", svg.decode(), flags=re.DOTALL)
    plain = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\d+\.\d)\d+", r"\1", tag[0]), plain)
    plain = plain.replace('font-family="DejaVu Sans"', f'font-family="{FONT}"')
    return plain.replace('stroke="black"', f'stroke="{COLOURS["quiet"]}"').encode()


STEP = Step("diagrams", make, owns=("wiring/*.svg",), programs={"dot": "graphviz"})
