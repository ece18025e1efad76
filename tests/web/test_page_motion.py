"""Motion on pages: only what a browser draws without laying out or painting again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jackspot
import jackspot_hub
import jackspot_sim

FIRMWARE = Path(jackspot.__file__).parent / "web" / "pages"
HUB = Path(jackspot_hub.__file__).parent / "web" / "pages"
SIM = Path(jackspot_sim.__file__).parent / "page"
SHEETS = sorted((*FIRMWARE.glob("*.css"), *HUB.glob("*.css"), *SIM.glob("*.css")))
COMPOSITED = frozenset({"opacity", "transform", "translate", "scale", "rotate"})
"""Properties animated on their own layer; a projector's small computer draws 60 a second."""
PAINTED = {
    ("referee.css", "stroke-dashoffset"): "the ring of a held button, on a phone; no shape moves",
    ("page.css", "--held"): "the ring of a held button at the table",
    ("page.css", "border-color"): "a pocket under the mouse, for an eighth of a second",
    ("page.css", "box-shadow"): "a pocket under the mouse, and a cap that is pressed",
    ("play.css", "box-shadow"): "the glow of the next button: fifteen steps, then still",
}
"""What is painted again while it is animated, each with its reason; none is on the score page."""
MOST_LAYERS = 2
"""How many rules of a style sheet may ask for a layer: each costs a picture of the screen."""

_KEYFRAMES = re.compile(r"@keyframes[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_PROPERTY = re.compile(r"(?<=[{;])\s*([\w-]+)\s*:")
_TRANSITION = re.compile(r"\btransition(?:-property)?\s*:([^;}]*)")
_WHAT_KEYFRAMES_HAVE_TOO = frozenset({"animation-timing-function"})


def animated(css: str) -> set[str]:
    """Return the properties that keyframes and transitions of a style sheet change."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    found = {name for body in _KEYFRAMES.findall(css) for name in _PROPERTY.findall(body)}
    for names in _TRANSITION.findall(css):
        outside = re.sub(r"\([^()]*\)", "", names)
        found |= {one.split()[0] for one in outside.split(",") if one.split()}
    return found - _WHAT_KEYFRAMES_HAVE_TOO - {"none"}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_only_transforms_and_opacity_are_animated_or_there_is_a_reason(sheet: Path) -> None:
    painted = animated(sheet.read_text(encoding="utf-8")) - COMPOSITED
    assert {(sheet.name, name) for name in painted} <= set(PAINTED)


def test_every_reason_is_still_needed() -> None:
    found = {
        (sheet.name, name)
        for sheet in SHEETS
        for name in animated(sheet.read_text(encoding="utf-8")) - COMPOSITED
    }
    assert found == set(PAINTED)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_few_rules_ask_for_a_layer_of_their_own(sheet: Path) -> None:
    assert sheet.read_text(encoding="utf-8").count("will-change") <= MOST_LAYERS


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("@keyframes a { from { left: 0; } 50%, to { top: 1px; opacity: 0 } }",
         {"left", "top", "opacity"}),
        ("a { transition: width 1s cubic-bezier(0, 1, 0, 1), color 2s; }", {"width", "color"}),
        ("a { transition-property: height }", {"height"}),
        ("a { transition-duration: 1s; /* transition: left 1s; */ left: 0; }", set()),
        ("a { transition: 1s; }", {"1s"}),
    ],
)  # fmt: skip
def test_what_is_animated_is_found(css: str, found: set[str]) -> None:
    assert animated(css) == found
