"""Bars as SVG: small, sharp, light and dark, without a library or a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, BAR, GAP, LABELS, VALUES = 720, 18, 14, 170, 110
COLOURS = ("#2f6f4e", "#c8a24a", "#7a4a8c", "#3a6ea5")


@dataclass(frozen=True, slots=True)
class Bars:
    """Groups of bars: a value for each group and series. ``unit`` follows each value."""

    title: str
    groups: Sequence[str]
    series: Sequence[str]
    values: Sequence[Sequence[float]]
    unit: str = " %"
    digits: int = 1


def svg(bars: Bars) -> str:
    """Draw bars. ValueError where there is not a value for each group and series."""
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
        "<style>text{fill:#222}rect.back{fill:#fff}@media (prefers-color-scheme:dark)"
        "{text{fill:#eee}rect.back{fill:#1b1b1b}}</style>",
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
