"""The table of sizes, frictions and effects as a page: every number with its source.

``python -m jackspot_sim.sensing`` prints it; ``sim/PHYSICS.md`` is what it printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import asdict

from jackspot.core.pieces import Pocket
from jackspot_sim.physics import boards, discs, effects, players
from jackspot_sim.physics.figures import Figures, Source
from jackspot_sim.sensing import falling, heads, quality
from jackspot_sim.sensing.heads import ColourHead
from jackspot_sim.sensing.quality import Sensor

HEAD = """# Physics: the sizes and frictions of the simulated boards

This page is made from `sim/jackspot_sim/physics` by `python -m jackspot_sim.sensing`; a test holds
the two together. Every number has its source: **measured** (somebody measured such a board and
published it), **rule book** (a rule book requires it), **computed** (from other numbers here),
**guess** (nobody has published it; the reason says why this one). If you measure a board of your
own, put your numbers into `boards.py` and `effects.py`.

Pieces are flat discs that slide in a plane, simulated by Chipmunk through
[pymunk](https://www.pymunk.org). Only sliding friction slows a piece on the board: it stops after
`v² / (2 µ g)`. Leaving the plane (tipping into a pocket, hopping, lying on others) is computed
separately. The simulation does not cover friction that couples sliding and turning, pieces that
roll or rest on their rims, or a board that is not level.
"""


QUALITIES = """
The beam runs along the diagonal of the board, from its middle into the corner. Pieces come to a
pocket from there and turn over about an axis across it, so that even on edge they show the beam
their face. A beam across the corner would miss twice as many.

Once a beam's lens has lost as much light as trips it, the beam stays broken, whatever falls. A beam
whose emitter has no power (`dark`) is broken from the first shot on. After 2 s the board reports
that it is blocked, and falls there are entered manually. A beam that never breaks (`dead`) reports
nothing. Sun that flickers while a piece falls makes one pulse with it.

Sensors by name (`--sensors`):

"""


HEADS = """
A head is in the pocket's wall at the beam's depth, across the beam. What it sees of a piece follows
from where the piece is and how it leans at the instant of each light. The table shows how much of
each light comes back from usual pieces, all guesses; the pieces of a set differ from them as above:

| | red | green | blue |
|---|---:|---:|---:|
"""

HEADS_BY_NAME = """
Heads by name (`--colours`):

"""


def page() -> str:
    """Write the whole page in Markdown."""
    return HEAD + "".join(_sections())


def _sections() -> Iterator[str]:
    yield _section("The Hikone board (hikone, japan)", boards.HIKONE)
    for name, figures in boards.HIKONE_PIECES.items():
        yield _section(f"Hikone: {name}", figures)
    yield _section("The carrom board (kagw, grundregeln, points, icf)", boards.CARROM)
    for name, figures in boards.CARROM_PIECES.items():
        yield _section(f"Carrom: {name}", figures)
    yield _section("Off the plane", effects.FIGURES)
    for strength, figures in players.FIGURES.items():
        yield _section(f"Computer player: {strength}", figures)
    yield _section("Over a pocket's rim", falling.FIGURES)
    yield _section("A pocket's sensor", quality.FIGURES)
    yield _section("Light in every sensor", quality.LIGHT)
    yield _section("Discs that feel knocks", discs.FIGURES)
    yield _section("Colour heads", heads.FIGURES)
    yield _colours()
    yield QUALITIES + "".join(f"- **{each}**: {said}\n" for each, said in _sensors())
    yield _guesses()


def _sensors() -> Iterator[tuple[str, str]]:
    for each in quality.Quality:
        without = "the numbers above, one beam a pocket."
        yield each.value, _said(quality.QUALITIES[each], quality.DEFAULT, without)


def _colours() -> str:
    """Write how much of each light the usual pieces send back, and the heads by name."""
    lines = [HEADS]
    named = [(each.value, shares) for each, shares in heads.USUAL.items()]
    named += [("striker", each) for each in heads.STRIKERS]
    named += [("fingers", heads.SKIN), ("bare wood", heads.BARE_WOOD)]
    for name, (red, green, blue) in named:
        lines.append(f"| {name} | {red:g} | {green:g} | {blue:g} |\n")
    lines.append(HEADS_BY_NAME)
    for each in heads.HeadQuality:
        said = _said(heads.HEADS[each], ColourHead(), "clean windows, all lights alike, no sun.")
        lines.append(f"- **{each}**: {said}\n")
    return "".join(lines)


def _section(title: str, figures: Figures) -> str:
    lines = [f"\n## {title}\n\n| | | | source | why |\n|---|---:|---|---|---|\n"]
    for name, each in figures.items():
        words = _words(name)
        lines.append(f"| {words} | {each.value:g} | {each.unit} | {each.source} | {each.why} |\n")
    return "".join(lines)


def _words(name: str) -> str:
    for ending in ("_mm_s", "_rad_s", "_mm", "_g", "_s", "_ms", "_deg", "_rad"):
        name = name.removesuffix(ending)
    return name.replace("_", " ")


def _said(
    by_pocket: Mapping[Pocket, Sensor | ColourHead], usual: Sensor | ColourHead, without: str
) -> str:
    """Say how what is in the pockets differs from the usual; ``without``: if it does not."""
    usually = asdict(usual)
    found: list[str] = []
    for pocket, each in by_pocket.items():
        differs = [
            f"{_words(name)} {value if isinstance(value, bool) else format(value, 'g')}"
            for name, value in asdict(each).items()
            if value != usually[name]
        ]
        if differs:
            found.append(f"{pocket}: {', '.join(differs)}")
    if not found:
        return without
    same = {each.partition(": ")[2] for each in found}
    return f"{same.pop()}." if len(found) == 4 and len(same) == 1 else f"{'; '.join(found)}."


def _guesses() -> str:
    """Count how many numbers there are of each source."""
    every = [boards.HIKONE, boards.CARROM, effects.FIGURES]
    every += [*boards.HIKONE_PIECES.values(), *boards.CARROM_PIECES.values()]
    every += [*players.FIGURES.values(), quality.FIGURES]
    every += [falling.FIGURES, quality.LIGHT, discs.FIGURES, heads.FIGURES]
    found = [figure.source for figures in every for figure in figures.values()]
    counts = ", ".join(f"{found.count(each)} {each}" for each in Source)
    return f"\nOf {len(found)} numbers: {counts}.\n"
