"""The sheets of paper: each fits its page, asks for what is read, and is drawn at full size."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from hardware.generate import sheets
from hardware.generate.quick_card import LANGUAGES, laid_out, what_stands_on_it
from hardware.generate.sheets import BOX, CUT, OPEN, SHEET, SHEETS, Sheet
from hardware.prints import housings
from hardware.prints.board import CORNERS, LEGS, SIDE, read_board
from hardware.prints.parameters import load

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)


@each_sheet
@each_language
def test_the_measuring_sheet_is_one_page_of_a4_with_all_it_asks_for(
    language: str, sheet: Sheet
) -> None:
    path = SHEET / f"{sheet.name}-{language}.pdf"
    [page] = PdfReader(path).pages
    assert float(page.mediabox.width) == pytest.approx(595.3, abs=1)
    [(text, _size)] = what_stands_on_it(path.read_bytes())
    for said in sheets.words_of(sheet).values():
        assert "".join(said[language].split()) in text, "run `make hardware`"
    for key in sheet.asks:
        assert key in text


def test_every_word_is_on_a_sheet() -> None:
    assert {key for sheet in SHEETS for key in sheets.words_of(sheet)} == set(sheets.words())


@each_sheet
@each_language
def test_everything_on_the_measuring_sheet_fits(
    browser: Browser, language: str, sheet: Sheet
) -> None:
    opened = browser.new_page(viewport={"width": 794, "height": 1123})
    try:
        with laid_out(sheets.page(language, sheet), SHEET) as address:
            opened.goto(address)
            opened.evaluate("document.fonts.ready")
            below = opened.evaluate("""() => [...document.body.children].filter((each) =>
              each.getBoundingClientRect().bottom > document.body.getBoundingClientRect().bottom)
              .length""")
            wide = opened.evaluate("""() => {
              const bar = document.querySelector("footer svg");
              return bar.getBoundingClientRect().width / 794 * 210;
            }""")
            high = opened.evaluate(
                """() => document.querySelector("body > svg").getBoundingClientRect().height"""
            )
            failed = opened.evaluate(
                """() => [...document.fonts].filter((each) => each.status === "error").length"""
            )
    finally:
        opened.close()
    assert below == 0
    assert high > 140, "the picture is not pressed together, its letters can be read"
    assert wide == pytest.approx(104, abs=0.3), "the bar of 100 mm is in a picture of 104"
    assert failed == 0


def read_from(sheet: Sheet, numbers: Mapping[str, float], file: Path) -> list[float | None]:
    """Write a sheet's example with numbers for its letters; return what is read back, in order."""
    text = sheets.example(sheet).replace("make hardware BOARD=my.toml", "")
    text = re.sub(r"= ([A-J])$", lambda at: f"= {numbers[at[1]]}", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    measured = read_board(file)
    sizes = load(measured.settings)[1]
    board, own = sizes.boards[measured.kind], {SIDE: measured.side_mm, LEGS: measured.legs_at_mm}
    return [
        getattr(sizes.closed, CORNERS[key])
        if key in CORNERS
        else own[key] if key in own else getattr(board, key)
        for key in sheet.letters
    ]  # fmt: skip


def test_the_example_on_the_sheet_is_a_file_that_is_read(tmp_path: Path) -> None:
    numbers = dict(zip("ABCDEFGH", (45, 10, 60, 600, 30, 8, 41, 700), strict=True))
    assert read_from(OPEN, numbers, tmp_path / "my.toml") == list(numbers.values())


def test_the_example_of_a_closed_box_is_a_file_that_is_read(tmp_path: Path) -> None:
    numbers = dict(zip("ABCDEFGHI", (11, 74, 41, 21, 6, 29, 7, 33, 610), strict=True))
    assert read_from(BOX, numbers, tmp_path / "my.toml") == list(numbers.values())


def test_the_example_of_cut_corners_is_a_file_that_is_read(tmp_path: Path) -> None:
    numbers = dict(zip("ABCDEFGHIJ", (11, 320, 74, 39, 21, 190, 29, 7, 33, 610), strict=True))
    assert read_from(CUT, numbers, tmp_path / "my.toml") == list(numbers.values())


@each_sheet
def test_every_letter_is_in_the_picture(sheet: Sheet) -> None:
    drawn = sheets.picture(sheet)
    for letter in sheet.letters.values():
        assert re.search(rf">[^<]*\b{letter}\b[^<]*</text>", drawn), letter


def test_a_language_that_lacks_a_word_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (SHEET / "words.toml").read_text(encoding="utf-8")
    (tmp_path / "words.toml").write_text(text.replace("\nja =", "\njp =", 1), encoding="utf-8")
    monkeypatch.setattr(sheets, "SHEET", tmp_path)
    with pytest.raises(ValueError, match="expected en, de, ja"):
        sheets.words()


# The drilling template.


def test_the_template_is_drawn_at_full_size() -> None:
    [page] = PdfReader(SHEET / "case-template.pdf").pages
    assert float(page.mediabox.width) == pytest.approx(841.9, abs=1)
    assert '<svg width="297mm" height="209mm" viewBox="0 0 297 209">' in sheets.template()
    assert "M0 0v100M" in sheets.template()


def test_the_holes_of_the_template_have_room_in_the_bought_case() -> None:
    _parameters, sizes = load()
    hub = sizes.hub
    places = sheets.socket_places(sizes)
    assert len(places) == housings.HUB_SOCKETS
    apart = places[1][0] - places[0][0]
    assert apart == housings.HUB_PITCH_MM
    reach = hub.socket_screws_mm / 2 + 5
    assert places[0][0] - reach > 5
    assert places[-1][0] + reach < hub.case_width_mm - 5
    for x, y in places:
        assert f'<circle cx="{x:g}" cy="{hub.case_height_mm - y:g}" r="{hub.socket_mm / 2:g}"' in (
            sheets.template()
        )
    # Sockets of both sides and the posts' plate between them.
    assert 2 * hub.socket_depth_mm + 61 < hub.case_depth_mm
    for x, y in housings.plate_screws():
        assert math.hypot(x, y) < hub.case_depth_mm / 2
        assert f'cx="{hub.case_width_mm / 2 + x:g}"' in sheets.template()
