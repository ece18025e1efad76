"""How every drawing looks: the colours and type of the board's own pages, light."""

from __future__ import annotations

import re
from html import unescape
from types import MappingProxyType

COLOURS = MappingProxyType(
    {
        "ground": "#f1ebe0",
        "panel": "#fffdf8",
        "sunk": "#e9e1d2",
        "line": "#d8ccb7",
        "text": "#2a2119",
        "quiet": "#6d5f4f",
        "accent": "#8a5a12",
        "red": "#bf2c22",
        "red-soft": "#f6ddd6",
        "green": "#17704c",
        "green-soft": "#d8eadd",
        "one": "#1f5fa8",
        "one-soft": "#d9e6f5",
        "two": "#84429a",
        "two-soft": "#efe0f3",
        "brown": "#7a4a1f",
        "brown-soft": "#eaddcf",
        "warn": "#8c4a00",
        "warn-soft": "#fbe6c8",
        "jack": "#241b18",
        "gold": "#e3bd67",
    }
)
"""By the names of ``theme.css``, with its values by day; a test compares them."""

FONT = "Noto Sans, Liberation Sans, DejaVu Sans, sans-serif"


def words(svg: bytes) -> list[str]:
    """Return what stands written in a drawing, in no order: its places may differ."""
    found = re.findall(r"<(?:text|tspan)\b[^>]*>([^<]+)<", svg.decode())
    return sorted(" ".join(unescape(each).split()) for each in found if each.strip())
