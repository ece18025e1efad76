"""The quick card fits its page in each language, and says what the board does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from hardware.generate import quick_card
from hardware.generate.parts import parts
from hardware.generate.quick_card import BUTTONS, CARD, LANGUAGES, plain, what_stands_on_it, words
from hardware.prints.boxes import MARKS
from jackspot.config import Sources, load
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases.table import TABLE
from jackspot.dialogue.state.view import Phase
from jackspot.locale.__main__ import po_path
from jackspot.sensing.events import Key

each_language = pytest.mark.parametrize("language", LANGUAGES)


def card(language: str) -> Path:
    return CARD / f"quick-card-{language}.pdf"


@each_language
def test_the_card_is_one_page_of_a4(language: str) -> None:
    [page] = PdfReader(card(language)).pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(
        (595.3, 841.9), abs=1
    )


@each_language
def test_every_sentence_stands_on_the_card(language: str) -> None:
    [(text, _size)] = what_stands_on_it(card(language).read_bytes())
    missing = [
        key for key, said in words().items() if "".join(plain(said[language]).split()) not in text
    ]
    assert missing == [], "run `make hardware`"
    for name in BUTTONS:
        assert name in text


@each_language
def test_the_display_on_the_card_speaks_its_language(language: str) -> None:
    [(text, _size)] = what_stands_on_it(card(language).read_bytes())
    shown = quick_card.RED_SHOWN[language]
    assert f"{shown}?" in text
    for other in set(quick_card.RED_SHOWN.values()) - {shown}:
        assert f"{other}?" not in text
    if language != "en":
        path = po_path(language)
        [said] = re.findall(r'^msgid "RED"\nmsgstr "(.*)"$', path.read_text("utf-8"), re.MULTILINE)
        assert shown == said


@each_language
def test_every_font_of_the_card_is_in_its_file(language: str) -> None:
    names = dict(embedded(card(language)))
    assert names, "no font at all"
    assert [name for name, inside in names.items() if not inside] == []
    assert all("+MPLUS1-" in name for name in names), names


def embedded(path: Path) -> list[tuple[str, bool]]:
    found = []
    [page] = PdfReader(path).pages
    fonts: Any = page["/Resources"]
    for name in fonts["/Font"]:
        font = fonts["/Font"][name].get_object()
        for each in font.get("/DescendantFonts", [font]):
            descriptor = each.get_object()["/FontDescriptor"].get_object()
            # A font of outlines is drawn glyph by glyph in the file itself.
            inside = "/CharProcs" in font or any(
                f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")
            )
            found.append((str(descriptor["/FontName"]), inside))
    return found


@each_language
def test_everything_fits_the_page_and_is_large_enough(browser: Browser, language: str) -> None:
    sheet = browser.new_page(viewport={"width": 794, "height": 1123})
    try:
        with quick_card.laid_out(quick_card.page(language)) as address:
            sheet.goto(address)
            sheet.evaluate("document.fonts.ready")
            overflow = sheet.evaluate("""() => {
              const page = document.body.getBoundingClientRect();
              return [...document.body.querySelectorAll("*")]
                .filter((each) => !each.closest("svg") || each.matches("svg"))
                .filter((each) => {
                  const box = each.getBoundingClientRect();
                  return box.bottom > page.bottom || box.right > page.right
                    || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0;
                }).map((each) => each.outerHTML.slice(0, 60));
            }""")
            points = sheet.evaluate("""() => [...document.querySelectorAll("h1, p, footer")]
              .map((each) => parseFloat(getComputedStyle(each).fontSize) * 0.75)""")
            loaded = sheet.evaluate(
                """() => [...document.fonts].filter((each) => each.status === "error").length"""
            )
    finally:
        sheet.close()
    assert overflow == []
    assert min(points) >= 12
    assert len(points) == len(words())
    assert loaded == 0


def test_a_text_that_is_too_long_is_seen_not_to_fit(browser: Browser) -> None:
    sheet = browser.new_page(viewport={"width": 794, "height": 1123})
    try:
        with quick_card.laid_out(quick_card.page("en")) as address:
            sheet.goto(address)
            sheet.evaluate(
                """() => { document.querySelector("footer").textContent = "word ".repeat(200); }"""
            )
            assert sheet.evaluate("""() => document.querySelector("footer")
              .getBoundingClientRect().bottom > document.body.getBoundingClientRect().bottom""")
    finally:
        sheet.close()


# What it says is what the board does.


def test_the_buttons_are_those_of_the_box_in_the_colours_of_the_bill() -> None:
    assert [name.lower() for name in BUTTONS] == [str(key) for key in Key]
    name = parts()["button"].name
    pairs = (pair.split() for pair in name.split(": ")[1].split(", "))
    told = {button: colour for colour, button in pairs}
    assert told == {
        "OK": "green", "FIX": "yellow", "FOUL": "red", "OFF": "blue", "UNDO": "white",
    }  # fmt: skip
    assert set(MARKS) == {str(key) for key in Key}


def test_the_marks_are_those_of_the_printed_lid() -> None:
    drawn = {name: quick_card._mark(0, 0, name, 20) for name in BUTTONS}
    counts = {"one bar": 1, "two bars": 2, "three bars": 3}
    for key, mark in MARKS.items():
        if mark in counts:
            assert drawn[key.upper()].count("<path") == counts[mark]
    assert "<circle" in drawn["OK"]
    assert "H" in drawn["UNDO"]


@pytest.mark.parametrize(
    ("row", "phase", "action"),
    [
        ("usual", Phase.FALLING, Action.OK),
        ("usual", Phase.REVIEW, Action.OK),
        ("wrong", Phase.REVIEW, Action.FIX),
        ("nothing", Phase.READY, Action.OK),
        ("placing", Phase.PLACING, Action.OK),
        ("undo", Phase.READY, Action.UNDO),
        ("undo", Phase.REVIEW, Action.UNDO),
        ("foul", Phase.READY, Action.FOUL),
        ("off", Phase.READY, Action.OFF),
        ("hold", Phase.REVIEW, Action.OK_HELD),
        ("menu", Phase.READY, Action.FIX_HELD),
        ("start", Phase.SETUP, Action.OK),
        ("start", Phase.SETUP, Action.FIX),
    ],
)
def test_what_a_row_says_is_a_press_that_does_something(
    row: str, phase: Phase, action: Action
) -> None:
    assert (phase, action) in TABLE
    name = action.name.split("_", maxsplit=1)[0]
    assert f"{{{name}}}" in words()[row]["en"]


def test_a_hold_is_as_long_as_the_card_draws_it() -> None:
    assert load(Sources(())).dialogue.hold_ns == 1_000_000_000
    assert "1 s" in quick_card.pictures("en")["hold"]


# Mistakes in the words are named.


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('ja = "席に', 'jp = "席に', "expected en, de, ja"),
        ("{OFF}, then", "{AWAY}, then", "there is no button AWAY"),
        ("Dann {OK}.", "Dann weiter.", "its languages name different buttons"),
    ],
)
def test_a_mistake_in_the_words_is_named(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (CARD / "words.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "words.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(quick_card, "CARD", tmp_path)
    with pytest.raises(ValueError, match=re.escape(said)):
        words()


def test_cards_that_say_something_else_are_told_apart() -> None:
    english, german = (what_stands_on_it(card(each).read_bytes()) for each in ("en", "de"))
    assert english != german
