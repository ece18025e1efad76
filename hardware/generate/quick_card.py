"""The quick card: one page a language that hangs at the board and says how to press.

``quick-card/card.html`` has the page, ``words.toml`` its words, this module its pictures. Chromium
prints it. Two prints of the same page differ in their bytes (a date, an identifier), so what must
be the same is what stands on it.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import string
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from types import MappingProxyType

from pypdf import PdfReader

from hardware.generate.step import FOLDER, File, Step

CARD = FOLDER / "quick-card"
LANGUAGES = ("en", "de", "ja")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BUTTONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "OK": ("#1f8a5b", "#ffffff"),
        "FIX": ("#f2c230", "#2a2119"),
        "FOUL": ("#bf2c22", "#ffffff"),
        "OFF": ("#1f5fa8", "#ffffff"),
        "UNDO": ("#ffffff", "#2a2119"),
    }
)
"""Each button's colour, and the colour of its name on it."""

INK, RED = "#2a2119", "#bf2c22"


# --- words -------------------------------------------------------------------------------


def words() -> Mapping[str, Mapping[str, str]]:
    """Read the words: by what they say, then by language. ValueError where one is missing."""
    table = tomllib.loads((CARD / "words.toml").read_text(encoding="utf-8"))
    for key, said in table.items():
        if sorted(said) != sorted(LANGUAGES):
            raise ValueError(f"words.toml: [{key}]: expected {', '.join(LANGUAGES)}")
        named = {language: sorted(_named(text)) for language, text in said.items()}
        if unknown := {name for each in named.values() for name in each} - set(BUTTONS):
            raise ValueError(f"words.toml: [{key}]: there is no button {min(unknown)}")
        if any(named[language] != named["en"] for language in LANGUAGES):
            raise ValueError(f"words.toml: [{key}]: its languages name different buttons")
    return table


def _named(text: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", text)


def plain(text: str) -> str:
    """Return a sentence as it is read: buttons by their names."""
    return re.sub(r"\{(\w+)\}", r"\1", text)


# --- pictures ----------------------------------------------------------------------------


def _svg(width: int, height: int, *parts: str) -> str:
    return f'<svg viewBox="0 0 {width} {height}" aria-hidden="true">{"".join(parts)}</svg>'


def _label(x: float, y: float, size: float, text: str, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="800" text-anchor="middle" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _button(x: float, y: float, name: str, radius: float = 26) -> str:
    """Draw a button from above, with its name and the mark that a thumb feels beside it."""
    body, ink = BUTTONS[name]
    size = radius * {2: 0.8, 3: 0.66, 4: 0.5}[len(name)]
    return (
        _mark(x, y, name, radius)
        + f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{body}" stroke="{INK}" '
        'stroke-width="2.4"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.8:g}" fill="none" stroke="{INK}" '
        'stroke-opacity="0.35" stroke-width="1.2"/>' + _label(x, y + size * 0.36, size, name, ink)
    )


def _mark(x: float, y: float, name: str, radius: float) -> str:
    above = y - radius - 9
    if name == "OK":
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 6:g}" fill="none" stroke="{INK}" '
            'stroke-width="3"/>'
        )
    if name == "UNDO":
        return (
            f'<path d="M{x + 11:g} {above:g}H{x - 9:g}m6 -6l-6 6l6 6" fill="none" '
            f'stroke="{INK}" stroke-width="3.4"/>'
        )
    count = ("FIX", "FOUL", "OFF").index(name) + 1
    bars = [x + (i - (count - 1) / 2) * 9 for i in range(count)]
    return "".join(
        f'<path d="M{at:g} {above - 6:g}v12" stroke="{INK}" stroke-width="4"/>' for at in bars
    )


def _arrow(x: float, y: float = 50) -> str:
    return f'<path d="M{x:g} {y:g}h20m-8 -8l8 8l-8 8" fill="none" stroke="{INK}" stroke-width="4"/>'


def _display(x: float, said: str, y: float = 24, width: float = 78) -> str:
    """Draw the display with a word on it."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="52" rx="6" fill="{INK}"/>'
        f'<rect x="{x + 6:g}" y="{y + 8:g}" width="{width - 12:g}" height="36" rx="3" '
        'fill="#10161c"/>' + _label(x + width / 2, y + 34, 22, said, "#d9ecff")
    )


def _pocket(x: float, *, empty: bool = False) -> str:
    """Draw a corner of the board with its pocket, and a piece that falls in."""
    board = (
        f'<path d="M{x:g} 14h76v76h-76z" fill="#e2c48d" stroke="#8a5a12" stroke-width="6"/>'
        f'<circle cx="{x + 54:g}" cy="36" r="17" fill="{INK}"/>'
    )
    if empty:
        return board + _disc(x + 28, 66) + _cross(x + 54, 36)
    return board + (
        f'<path d="M{x + 24:g} 66l17 -17m-10 0h10v10" fill="none" stroke="{INK}" '
        'stroke-width="3.4"/>'
    ) + _disc(x + 18, 72) + _disc(x + 54, 36, 0.55)  # fmt: skip


def _disc(x: float, y: float, strength: float = 1) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="{RED}" fill-opacity="{strength:g}" '
        f'stroke="{INK}" stroke-width="2"/>'
    )


def _cross(x: float, y: float) -> str:
    return (
        f'<path d="M{x - 11:g} {y - 11:g}l22 22m0 -22l-22 22" stroke="#ffffff" stroke-width="5"/>'
    )


def _held(x: float, y: float, name: str) -> str:
    """Draw a button that is held down, and the bar that fills."""
    return (
        _button(x, y, name)
        + f'<rect x="{x + 46:g}" y="{y - 11:g}" width="86" height="22" rx="4" fill="#ffffff" '
        f'stroke="{INK}" stroke-width="2.4"/>'
        f'<rect x="{x + 49:g}" y="{y - 8:g}" width="80" height="16" rx="2" '
        f'fill="{BUTTONS["OK"][0]}"/>' + _label(x + 152, y + 8, 22, "1 s", INK)
    )


def _back() -> str:
    """Draw a hand's way: a piece goes back onto the middle of the board."""
    return (
        '<path d="M4 14h92v76h-92z" fill="#e2c48d" stroke="#8a5a12" stroke-width="6"/>'
        f'<circle cx="50" cy="56" r="5" fill="{INK}"/>'
        f'<path d="M50 16v22m-8 -8l8 8l8 -8" fill="none" stroke="{INK}" stroke-width="3.4"/>'
        + _disc(50, 56)
    )


def _flown() -> str:
    return (
        '<path d="M4 40h64v50h-64z" fill="#e2c48d" stroke="#8a5a12" stroke-width="6"/>'
        f'<path d="M34 62q22 -46 50 -28m-12 -5l12 5l-4 -13" fill="none" stroke="{INK}" '
        'stroke-width="3.4"/>' + _disc(92, 46)
    )


def _whistle() -> str:
    """Draw the sign for a foul: a raised hand's stop."""
    return (
        '<path d="M36 16h32l22 22v32l-22 22h-32l-22 -22v-32z" fill="#ffffff" '
        f'stroke="{RED}" stroke-width="8"/>' + _label(52, 68, 44, "!", RED)
    )


def _places() -> str:
    """Draw the seat's and the referee's box with their marks."""
    seat = (
        '<rect x="4" y="30" width="150" height="96" rx="10" fill="#ffffff" '
        f'stroke="{INK}" stroke-width="2"/>' + _button(42, 86, "FIX") + _button(112, 82, "OK")
    )
    box = (
        '<rect x="176" y="4" width="220" height="150" rx="10" fill="#ffffff" '
        f'stroke="{INK}" stroke-width="2"/>'
    )
    placed = (("FOUL", 214, 46), ("OFF", 284, 46), ("UNDO", 354, 46), ("FIX", 274, 118))
    buttons = [_button(x, y, name, 22) for name, x, y in placed]
    return _svg(400, 158, seat, box, *buttons, _button(346, 116, "OK", 22))


RED_SHOWN: Mapping[str, str] = MappingProxyType({"en": "RED", "de": "ROT", "ja": "赤"})
"""What the display says of a red piece, in each language."""


def pictures(language: str) -> Mapping[str, str]:
    """Return the card's pictures as SVG, displays in a language."""
    red = RED_SHOWN[language]
    return {
        "usual": _svg(
            300, 104, _pocket(6), _arrow(94), _display(122, red), _arrow(208),
            _button(266, 52, "OK"),
        ),
        "wrong": _svg(
            300, 100, _display(4, f"{red} ?"), _arrow(90), _button(146, 54, "FIX"), _arrow(184),
            _button(244, 54, "OK"),
        ),
        "nothing": _svg(300, 100, _pocket(6, empty=True), _arrow(94), _button(154, 52, "OK")),
        "placing": _svg(300, 100, _back(), _arrow(106), _button(168, 52, "OK")),
        "undo": _svg(
            300, 100, _button(34, 58, "UNDO"), _arrow(72), _button(128, 58, "FIX"), _arrow(166),
            _button(226, 56, "OK"),
        ),
        "foul": _svg(
            300, 100, _whistle(), _arrow(98), _button(154, 58, "FOUL"), _arrow(192),
            _button(252, 56, "OK"),
        ),
        "off": _svg(
            300, 100, _flown(), _arrow(110), _button(166, 58, "OFF"), _arrow(204),
            _button(262, 56, "OK"),
        ),
        "hold": _svg(300, 100, _held(40, 54, "OK")),
        "menu": _svg(300, 100, _held(40, 58, "FIX")),
        "marks": _places(),
    }  # fmt: skip


# --- the page ----------------------------------------------------------------------------


def page(language: str) -> str:
    """Write the card's page in a language."""
    said = {key: text[language] for key, text in words().items()}
    values = {key: re.sub(r"\{(\w+)\}", r"<b>\1</b>", escape(text)) for key, text in said.items()}
    values |= {f"{key}_picture": svg for key, svg in pictures(language).items()}
    values |= {"lang": language, "title_plain": escape(plain(said["title"]))}
    template = string.Template((CARD / "card.html").read_text(encoding="utf-8"))
    return template.substitute(values)


def browser() -> str:
    """Return the browser that prints: ``JACKSPOT_BROWSER``, else one that is known.

    FileNotFoundError where there is none.
    """
    for command in (os.environ.get("JACKSPOT_BROWSER", ""), *BROWSERS):
        if command and (path := shutil.which(command)):
            return path
    raise FileNotFoundError("no browser to print with: .ci/setup dev browser hardware")


@contextmanager
def laid_out(content: str, folder: Path = CARD) -> Iterator[str]:
    """Return the address of a page, beside its style and fonts, while it is used."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=folder, encoding="utf-8") as file:
        file.write(content)
        file.flush()
        yield Path(file.name).as_uri()


def printed_pages(pages: Mapping[str, str], folder: Path) -> Iterator[File]:
    """Print pages, each beside the styles of a folder; the keys are the files' places."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        for path, content in pages.items():
            with laid_out(content, folder) as address:
                sheet = opened.new_page()
                sheet.goto(address)
                sheet.evaluate("document.fonts.ready")
                printed = sheet.pdf(prefer_css_page_size=True, print_background=True)
            yield File(path, printed, what_stands_on_it)
        opened.close()


def make() -> Iterator[File]:
    """Return the card in each language."""
    pages = {f"quick-card/quick-card-{each}.pdf": page(each) for each in LANGUAGES}
    yield from printed_pages(pages, CARD)


def what_stands_on_it(content: bytes) -> list[tuple[str, tuple[int, ...]]]:
    """Return the text of each page, without how it is broken into lines, and the pages' sizes."""
    pages = PdfReader(io.BytesIO(content)).pages
    return [
        ("".join(each.extract_text().split()), tuple(round(float(edge)) for edge in each.mediabox))
        for each in pages
    ]


STEP = Step(
    "quick-card",
    make,
    owns=("quick-card/*.pdf",),
    slow=True,
)
