"""Pages bring along a font for Japanese: a television beside a board may have none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import ImageFont

import jackspot.locale
import jackspot.web
from jackspot.displays.words import LANGUAGES
from jackspot.locale.catalogues import forms, read, sentences

PAGES = Path(jackspot.web.__file__).parent / "pages"
FONT = PAGES / "fonts" / "mplus1-medium.woff2"
NAMES = "斎藤 渡邉 髙橋 あいこ ベン 彦根 濱田 ゔ々ー"
PLAIN = 0x2000
"""Below it are the letters of German and English, which every device has."""


def drawn(text: str) -> set[str]:
    """Return the characters of a text that the font draws."""
    font = ImageFont.truetype(FONT, 40)
    none = bytes(font.getmask("\uffff"))
    return {each for each in text if each.isspace() or bytes(font.getmask(each)) != none}


def asked_of_it(text: str) -> set[str]:
    """Return the characters of a text for which a page may ask this font."""
    css = (PAGES / "theme.css").read_text(encoding="utf-8")
    [said] = re.findall(r"unicode-range: ([^;]+);", css)
    ranges = [re.findall(r"[0-9A-F]+", each) for each in said.split(",")]
    return {c for c in text if any(int(a, 16) <= ord(c) <= int(b, 16) for a, b in ranges)}


def japanese() -> str:
    """Return every character of the Japanese catalogue that is not plain Latin."""
    path = Path(jackspot.locale.__file__).parent / "ja" / "LC_MESSAGES" / "jackspot.po"
    texts = [form for message in sentences(read(path, "ja")) for form in forms(message.string)]
    return "".join({each for text in texts for each in text if ord(each) >= PLAIN})


@pytest.mark.parametrize("text", [NAMES, japanese()], ids=["names", "catalogue"])
def test_the_font_draws_what_pages_may_say_in_japanese(text: str) -> None:
    wanted = asked_of_it(text)
    assert len(wanted) > 10
    assert wanted - drawn(text) == set()


def test_it_is_asked_for_all_japanese_and_for_nothing_else() -> None:
    assert asked_of_it("あア亜、。「」ー％abcäöüß0123") == set("あア亜、。「」ー％")
    assert "ja" in LANGUAGES
