"""Bars and curves as SVG: small, sharp, light and dark, without a library or a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from msgspec import Struct

WIDTH, BAR, GAP, LABELS, VALUES = 720, 18, 14, 170, 110
COLOURS = ("#2f8f5e", "#c8922a", "#9a5ab4", "#3a7ec5", "#c8503c", "#7a8088")
_STYLE = (
    "<style>text{fill:#222}rect.back{fill:#fff}.axis{stroke:#8886;fill:none}"
    "@media (prefers-color-scheme:dark){text{fill:#eee}rect.back{fill:#1b1b1b}}</style>"
)


class Bars(Struct, frozen=True):
    """Groups of bars: a value for each group and series. ``unit`` follows each value."""

    title: str
    groups: Sequence[str]
    series: Sequence[str]
    values: Sequence[Sequence[float]]
    unit: str = " %"
    digits: int = 1


def svg(bars: Bars) -> str:
    """Draw bars. ValueError unless there is a value for each group and series."""
    if [len(row) for row in bars.values] != [len(bars.series)] * len(bars.groups):
        raise ValueError(f"{bars.title}: expected a value for each group and series")
    many = len(bars.series)
    top = 40 + (24 if many > 1 else 0)
    height = top + len(bars.groups) * (many * BAR + GAP)
    most = max((value for row in bars.values for value in row), default=0.0) or 1.0
    room = WIDTH - LABELS - VALUES
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(bars.title)}" font-family="system-ui, sans-serif" font-size="13">',
        _STYLE,
        f'<rect class="back" width="{WIDTH}" height="{height}"/>',
        f'<text x="8" y="22" font-size="15" font-weight="600">{escape(bars.title)}</text>',
    ]
    if many > 1:
        for number, name in enumerate(bars.series):
            x = 8 + number * 200
            parts.append(f'<rect x="{x}" y="34" width="12" height="12" fill="{COLOURS[number]}"/>')
            parts.append(f'<text x="{x + 18}" y="45">{escape(name)}</text>')
    for row, (group, found) in enumerate(zip(bars.groups, bars.values, strict=True)):
        y = top + row * (many * BAR + GAP)
        middle = y + many * BAR / 2 + 5
        parts.append(f'<text x="8" y="{middle:g}">{escape(group)}</text>')
        for number, value in enumerate(found):
            at, long = y + number * BAR, room * value / most
            parts.append(
                f'<rect x="{LABELS}" y="{at}" width="{max(long, 1):.1f}" height="{BAR - 3}" '
                f'rx="2" fill="{COLOURS[number]}"/>'
            )
            parts.append(
                f'<text x="{LABELS + long + 6:.1f}" y="{at + 12}">'
                f"{value:,.{bars.digits}f}{escape(bars.unit)}</text>"
            )
    return "\n".join([*parts, "</svg>\n"])


# --- curves ------------------------------------------------------------------------------


class Dot(Struct, frozen=True):
    """A point of a curve; its true height may be anywhere from ``low`` to ``high``."""

    x: float
    y: float
    low: float
    high: float


class Diagram(Struct, frozen=True):
    """Curves on one pair of axes, each axis from its first to its last mark.

    ``diagonal``: a line on which both are the same. Each series has a name, which gives it its
    colour in all panels of a picture, and its dots in order.
    """

    title: str
    x_label: str
    y_label: str
    x_marks: Sequence[float]
    y_marks: Sequence[float]
    series: Sequence[tuple[str, Sequence[Dot]]]
    diagonal: bool = False


PANEL, LEFT, TOP, BELOW = 168, 46, 26, 40


def panels_svg(title: str, rows: Sequence[Sequence[Diagram]], about: str = "") -> str:
    """Draw panels in rows, with one legend for all. ValueError for too many series."""
    names = list(dict.fromkeys(name for row in rows for each in row for name, _ in each.series))
    if len(names) > len(COLOURS):
        raise ValueError(f"{title}: expected at most {len(COLOURS)} series, found {len(names)}")
    wide = max(WIDTH, 8 + max(map(len, rows)) * (LEFT + PANEL) + 12)
    head = 60 + (18 if about else 0)
    height = head + len(rows) * (TOP + PANEL + BELOW)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="11">',
        _STYLE,
        f'<rect class="back" width="{wide}" height="{height}"/>',
        f'<text x="8" y="20" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    parts += [f'<text x="8" y="38">{escape(about)}</text>'] if about else []
    apart = 110 if max(map(len, names), default=0) < 15 else 130
    for number, name in enumerate(names):
        x, y = 8 + number * apart, head - 16
        parts.append(f'<circle cx="{x + 5}" cy="{y - 4}" r="5" fill="{COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 15}" y="{y}" font-size="12">{escape(name)}</text>')
    colours = dict(zip(names, COLOURS, strict=False))
    for down, row in enumerate(rows):
        for across, panel in enumerate(row):
            x, y = 8 + across * (LEFT + PANEL) + LEFT, head + down * (TOP + PANEL + BELOW) + TOP
            parts.append(f'<g transform="translate({x} {y})">')
            parts += [*_axes(panel), *_curves(panel, colours), "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _place(value: float, marks: Sequence[float]) -> float:
    share = (value - marks[0]) / (marks[-1] - marks[0])
    return PANEL * min(max(share, 0.0), 1.0)


def _axes(panel: Diagram) -> Iterator[str]:
    half = PANEL / 2
    title = escape(panel.title)
    yield f'<text x="{half}" y="-8" text-anchor="middle" font-weight="600">{title}</text>'
    yield f'<rect class="axis" width="{PANEL}" height="{PANEL}"/>'
    if panel.diagonal:
        yield f'<line class="axis" x1="0" y1="{PANEL}" x2="{PANEL}" y2="0" stroke-dasharray="4 3"/>'
    for mark in panel.x_marks:
        x = _place(mark, panel.x_marks)
        yield f'<line class="axis" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{PANEL}"/>'
        yield f'<text x="{x:.1f}" y="{PANEL + 13}" text-anchor="middle">{mark:g}</text>'
    for mark in panel.y_marks:
        y = PANEL - _place(mark, panel.y_marks)
        yield f'<line class="axis" x1="0" y1="{y:.1f}" x2="{PANEL}" y2="{y:.1f}"/>'
        yield f'<text x="-4" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>'
    yield f'<text x="{half}" y="{PANEL + 28}" text-anchor="middle">{escape(panel.x_label)}</text>'
    yield (
        f'<text transform="translate(-32 {half}) rotate(-90)" text-anchor="middle">'
        f"{escape(panel.y_label)}</text>"
    )


def _curves(panel: Diagram, colours: Mapping[str, str]) -> Iterator[str]:
    for name, dots in panel.series:
        colour = colours[name]
        places = [(_place(d.x, panel.x_marks), PANEL - _place(d.y, panel.y_marks), d) for d in dots]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _dot in places)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for x, y, dot in places:
            low, high = (PANEL - _place(each, panel.y_marks) for each in (dot.low, dot.high))
            yield (
                f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}" '
                f'stroke="{colour}" stroke-opacity="0.45"/>'
            )
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'
