"""The table of phases, as the page on the dialogue shows it: two tables and a diagram.

All three are made from :mod:`jackspot.dialogue.phases.table`, by ``make pictures ARGS=phases.svg``.
Since undo and the history lead from nearly every phase to nearly every other, a graph of circles
and arrows would be a knot. So the diagram has a column for each phase and a line for each press,
and an arrow goes down from the line into each phase that may come next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases.table import FALLS, NEXT, TABLE, Trigger
from jackspot.dialogue.state.view import Phase

PAGE = Path(__file__).resolve().parents[2] / "firmware" / "DIALOGUE.md"

PRESSES: dict[Action | Trigger, str] = {
    Action.OK: "OK", Action.OK_HELD: "OK held", Action.FIX: "FIX", Action.FIX_HELD: "FIX held",
    Action.FOUL: "FOUL", Action.OFF: "OFF", Action.UNDO: "UNDO",
}  # fmt: skip
"""The presses in the order of the page's columns, as it calls them."""

CAUSES: dict[Action | Trigger, str] = {**PRESSES, **{each: each.value for each in Trigger}}


# --- the page's tables ----------------------------------------------------------------------------


def presses_table() -> list[str]:
    """Return the table of what each press and each fall does in each phase."""
    columns = [name for action, name in PRESSES.items() if action is not Action.OK_HELD]
    rows = [[f"**{phase.value}**", *_cells(phase), FALLS[phase].says] for phase in Phase]
    return page_table(["phase", *columns, "a fall"], rows)


def _cells(phase: Phase) -> Iterator[str]:
    for action in Action:
        cell = TABLE.get((phase, action))
        held = TABLE.get((phase, Action.OK_HELD)) if action is Action.OK else None
        if action is Action.OK_HELD:
            continue
        if cell is None:
            yield "-"
        else:
            yield cell.says if held is None else f"{cell.says}; held: {held.says}"


def next_table() -> list[str]:
    """Return the table of what leads from each phase to each other one."""
    rows = [
        [f"**{phase.value}**", *(", ".join(_leading(phase, other)) for other in Phase)]
        for phase in Phase
    ]
    return page_table(["from", *(f"to *{phase.value}*" for phase in Phase)], rows)


def _leading(phase: Phase, other: Phase) -> Iterator[str]:
    for cause, name in CAUSES.items():
        if other in NEXT.get((phase, cause), ()):
            yield name


def page_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(row) + " |" for row in (header, *rows)]
    return [lines[0], "|---" * len(header) + "|", *lines[1:]]


def with_tables(page: str) -> str:
    """Return the page with its two tables made again."""
    lines = page.splitlines()
    for table in (presses_table(), next_table()):
        first = table[0].split("|")[1].strip()
        start = next(n for n, line in enumerate(lines) if line.startswith(f"| {first} |"))
        end = next(n for n in range(start, len(lines)) if not lines[n].startswith("|"))
        lines[start:end] = table
    return "\n".join(lines) + "\n"


# --- the diagram ----------------------------------------------------------------------------------

FAMILIES: dict[str, tuple[str, tuple[Action | Trigger, ...]]] = {
    "presses": (
        "#1b5e9e",
        (Action.OK, Action.OK_HELD, Action.FIX, Action.FIX_HELD, Action.FOUL, Action.OFF),
    ),
    "falls and time": ("#1f7a43", (Trigger.FALL, Trigger.QUIET, Trigger.ZERO)),
    "UNDO": ("#b34a00", (Action.UNDO,)),
    "lists": ("#6a3d9a", (Trigger.LIST,)),
}
"""Causes of one kind, which are drawn in one colour."""

NAMES_X, CAUSES_X, FIRST_X, COLUMN = 16, 266, 330, 96
TOP, HEAD, ROW, PILL = 16, 44, 32, 90
WIDTH = FIRST_X + COLUMN * (len(Phase) - 1) + 62


def lines_of(phase: Phase) -> Iterator[tuple[str, str, tuple[Phase, ...]]]:
    """Yield a phase's lines: a colour, what leads on, and where; what leads alike shares one."""
    for colour, family in FAMILIES.values():
        found: dict[tuple[Phase, ...], list[str]] = {}
        for cause in family:
            next_phases = NEXT.get((phase, cause), frozenset())
            if next_phases:
                in_order = tuple(each for each in Phase if each in next_phases)
                found.setdefault(in_order, []).append(CAUSES[cause])
        for to, names in found.items():
            yield colour, ", ".join(names), to


def diagram() -> str:
    """Draw the diagram."""
    parts: list[str] = []
    y = TOP + HEAD
    for number, phase in enumerate(Phase):
        lines = list(lines_of(phase))
        high = len(lines) * ROW
        if number % 2 == 0:
            parts.append(f'<rect x="0" y="{y}" width="{WIDTH}" height="{high}" fill="#f2f4f7"/>')
        parts.append(_text(NAMES_X, y + high // 2 + 5, phase.value.replace("_", " "), "name"))
        for colour, causes, to in lines:
            parts.append(_line(y, colour, causes, phase, to))
            y += ROW
    bottom = y
    height = bottom + HEAD + 40
    columns = [
        f'<line x1="{_x(phase)}" y1="{TOP + HEAD}" x2="{_x(phase)}" y2="{bottom}" class="column"/>'
        for phase in Phase
    ]
    heads = [_pill(phase, at) for at in (TOP, bottom + 12) for phase in Phase]
    bands = [each for each in parts if each.startswith("<rect")]
    drawn = [each for each in parts if not each.startswith("<rect")]
    body = "\n".join([*bands, *columns, *drawn, *heads, *_legend(bottom + HEAD + 24)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">\n'
        "<title>Which phase may come after which, and by what</title>\n"
        f"<style>{STYLE}</style>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


STYLE = (
    "text{font:14px sans-serif;fill:#1a1a1a}.name{font-weight:bold}.cause{text-anchor:end}"
    ".head{text-anchor:middle;font-weight:bold;font-size:12px}"
    ".column{stroke:#c3c9d1;stroke-width:1}"
)


def _x(phase: Phase) -> int:
    return FIRST_X + COLUMN * list(Phase).index(phase)


def _text(x: int, y: int, words: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(words)}</text>'


def _pill(phase: Phase, y: int) -> str:
    x = _x(phase)
    box = (
        f'<rect x="{x - PILL // 2}" y="{y}" width="{PILL}" height="26" rx="13" fill="#ffffff" '
        'stroke="#1a1a1a"/>'
    )
    return box + _text(x, y + 18, phase.value.replace("_", " "), "head")


def _line(y: int, colour: str, causes: str, phase: Phase, to: Sequence[Phase]) -> str:
    """Draw a line: from the dot in a phase's column along it, and down into each next phase."""
    along, tip = y + 11, y + 27
    xs = [_x(each) for each in (phase, *to)]
    drawn = [
        _text(CAUSES_X, y + 16, causes, "cause"),
        f'<path d="M{min(xs)} {along}H{max(xs)}" stroke="{colour}" stroke-width="2"/>',
        f'<circle cx="{_x(phase)}" cy="{along}" r="5" fill="{colour}"/>',
    ]
    drawn += [
        f'<path d="M{_x(each)} {along}v8" stroke="{colour}" stroke-width="2"/>'
        f'<path d="M{_x(each)} {tip}l-5 -9h10z" fill="{colour}"/>'
        for each in to
    ]
    return f'<g data-from="{phase.value}" data-by="{escape(causes)}">{"".join(drawn)}</g>'


def _legend(y: int) -> Iterator[str]:
    x = NAMES_X
    for name, (colour, _family) in FAMILIES.items():
        yield f'<circle cx="{x + 5}" cy="{y - 5}" r="5" fill="{colour}"/>'
        yield _text(x + 18, y, name, "key")
        x += 48 + 7 * len(name)


# --- making them ----------------------------------------------------------------------------------


def phases(path: Path) -> None:
    """Draw the diagram, and make the page's tables again."""
    path.write_text(diagram(), encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
