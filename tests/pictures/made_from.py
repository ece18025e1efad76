"""What each picture of the README is made from: a short digest of every file and of every drawing.

A page's picture is made from the page and all that it loads. A picture with an OLED in it is made
from what the OLED draws at such a moment. Digests are of files and of whole frames, so they are the
same on every machine; nothing in them is simulated or rendered by a browser.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from jackspot.displays.oled.layout import draw
from jackspot_sim.soak.settled import curve_svg, evidence_svg, sure_svg
from jackspot_sim.soak.settling import read_runs
from tests.displays.oled_views import VIEWS
from tests.pictures.phases import diagram
from tests.pictures.settling import KEPT, PAGE, presses_svg

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = Path(__file__).with_name("made_from.json")
"""The digests of what the pictures were made from."""

PAGES = ROOT / "firmware" / "jackspot" / "web" / "pages"
HUB = ROOT / "firmware" / "jackspot_hub" / "web" / "pages"
TABLE = ROOT / "sim" / "jackspot_sim" / "page"
FILM = ROOT / "sim" / "jackspot_sim" / "film"
GERMAN = ROOT / "firmware" / "jackspot" / "locale" / "de" / "LC_MESSAGES" / "pages.json"

DRAWN = {"/phones.svg"}
"""What a hub draws on request."""
_LOADED = re.compile(
    r"""(?:from\s|\bimport\s|import\(|href=|src=|url\()\s*["']?(/?[\w./-]+\.(?:js|css|svg|woff2))"""
)
SHOWN = ("ready_owed_clock", "review_doubtful", "placing", "match_over")
"""Views like those of the OLED's picture, which is made of moments of simulated matches."""


def loaded_by(first: Path) -> Iterator[Path]:
    """Yield a page, all that it loads, and all that those files load in turn."""
    found, open_files = {first}, [first]
    while open_files:
        file = open_files.pop()
        yield file
        if file.suffix not in {".html", ".js", ".css"}:
            continue
        for name in set(_LOADED.findall(file.read_text(encoding="utf-8"))) - DRAWN:
            wanted = _place_of(name, file)
            if wanted not in found:
                found.add(wanted)
                open_files.append(wanted)


def _place_of(name: str, by: Path) -> Path:
    """Return the file that a page loads under a name: from the root, or from where it is."""
    if name.startswith("/sim/"):
        return TABLE / name.removeprefix("/sim/")
    if not name.startswith("/"):
        return (by.parent / name).resolve()
    own = by.parent / name.removeprefix("/")
    return own if by.parent == HUB and own.exists() else PAGES / name.removeprefix("/")


def _files(*paths: Path) -> dict[str, str]:
    return {str(each.relative_to(ROOT)): _digest(each.read_bytes()) for each in paths}


def _glass() -> dict[str, str]:
    drawn = {each: draw(VIEWS[each], lambda text: text) for each in SHOWN}
    return {f"OLED: {name}": _digest(frame.tobytes()) for name, frame in drawn.items()}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def made_from(picture: str) -> Mapping[str, str]:
    """Return the digest of everything that a picture is made from now."""
    match picture:
        case "oled.png":
            parts = _glass()
        case "phases.svg":
            parts = {"the table of phases": _digest(diagram().encode())}
        case "referee.png":
            parts = _files(*loaded_by(PAGES / "referee.html"), GERMAN)
        case "score.png":
            parts = _files(*loaded_by(PAGES / "index.html"))
        case "table.png":
            parts = _files(*loaded_by(TABLE / "index.html")) | _glass()
        case "table.gif":
            parts = _files(*(FILM / each for each in ("colours.py", "ground.py", "painting.py")))
            parts |= _glass()
        case "presses.svg" | "presses-and-wrong.svg" | "hands-off.svg" | "sure-and-right.svg":
            parts = {"drawn": _digest(_figures(picture).encode())}
        case "wall.gif":
            parts = _files(*loaded_by(HUB / "wall.html"))
        case _:
            raise ValueError(f"no picture is called {picture}")
    return MappingProxyType(dict(sorted(parts.items())))


def _figures(picture: str) -> str:
    """Draw what was measured."""
    if picture == "presses.svg":
        return presses_svg(PAGE.read_text(encoding="utf-8"))
    drawn = {
        "presses-and-wrong.svg": curve_svg, "hands-off.svg": evidence_svg,
        "sure-and-right.svg": sure_svg,
    }  # fmt: skip
    return drawn[picture](read_runs(KEPT))


def written() -> dict[str, dict[str, str]]:
    """Return what the pictures were made from, as it was written down."""
    told: dict[str, dict[str, str]] = json.loads(WRITTEN.read_text(encoding="utf-8"))
    return told


def write_down(picture: str) -> None:
    """Write down what a picture has just been made from."""
    told = written() if WRITTEN.exists() else {}
    told[picture] = dict(made_from(picture))
    WRITTEN.write_text(json.dumps(told, indent=0, sort_keys=True) + "\n", encoding="utf-8")
