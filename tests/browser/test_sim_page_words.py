"""The simulated table's page speaks its reader's language, and none of it stays English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.conftest import expect
from tests.browser.person import Person
from tests.conftest import new_context
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READ_ALL = """() => {
    const said = new Set([document.title]);
    const add = (text) => said.add((text ?? "").trim().replace(/\\s+/g, " "));
    const words = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const { parentElement, nodeValue } = words.currentNode;
        if (!parentElement.closest("script, style, kbd, code, option[lang], #sign")) {
            add(nodeValue);
        }
    }
    for (const element of document.querySelectorAll("*")) {
        for (const name of ["aria-label", "aria-valuetext", "title", "label", "placeholder",
            "data-asks", "data-by-hand"]) {
            add(element.getAttribute(name));
        }
    }
    add(document.querySelector('meta[name="description"]').content);
    return [...said].filter(Boolean);
}"""
"""Returns every text of the page, shown or not, and what only a screen reader says. The LED sign's
text is left out: it comes from the board, in the board's language."""

ON_THE_BOARD = {"OK", "FIX", "FOUL", "OFF", "UNDO", "NE", "SE", "SW", "NW", "OLED", "LED"}
"""Names on the board and its parts, the same in every language."""
NAMES = {"Jackspot", "Shift", "Esc", "Enter", "Page", "Up", "Down", "KAGW", "ICF", "mm", "ms"}
WIRE = re.compile(r"\b(pocket|seat|referee)_[a-z_]+")
SAME_IN_GERMAN = {"Computer", "Jack", "Queen", "Striker", "West", "in", "jack", "striker",
                  "tick"}  # fmt: skip


def test_nothing_on_the_page_stays_english(browser: Browser, table: StandingTable) -> None:
    pages = {language: opened(browser, table, language) for language in ("en", "de", "ja")}
    person = Person(pages["en"], table)
    person.sit_down()
    look_for_english(pages, "setup")
    person.key("OK")
    person.let_fall("NE", "red", "striker")
    person.wait_for_reading()
    look_for_english(pages, "review")
    person.fix_until("RED NE, STRIKER NE")
    person.key("OK")
    person.expect_phase("put back")
    look_for_english(pages, "placing")
    for page in pages.values():
        page.context.close()


def opened(browser: Browser, table: StandingTable, language: str) -> Page:
    """Open the page in a browser of its own."""
    page = new_context(browser).new_page()
    page.goto(f"{table.session.url}?lang={language}")
    expect(page, "html").to_have_attribute("lang", language)
    return page


def look_for_english(pages: dict[str, Page], phase: str) -> None:
    """Read every page once it shows the phase, and check that only names are in English."""
    said = {}
    for language, page in pages.items():
        expect(page, "#phase").to_have_attribute("data-phase", phase)
        said[language] = {WIRE.sub("", text) for text in page.evaluate(READ_ALL)}
    names = ON_THE_BOARD | NAMES
    assert set().union(*map(latin_words, said["ja"])) <= names
    same = said["en"] & said["de"]
    assert [text for text in same if latin_words(text) - names - SAME_IN_GERMAN] == []


def latin_words(text: str) -> set[str]:
    """Return the words that are written in Latin letters."""
    return set(re.findall(r"[A-Za-z]{2,}", text))


def test_another_language_is_chosen_and_refusals_are_said_in_it(page, table):
    page.goto(table.session.url)
    page.locator(".language").select_option("de")
    expect(page, "html").to_have_attribute("lang", "de")
    expect(page, "#play-note").to_have_text("OK beginnt die Partie.")
    page.click("#put-back")
    expect(page, "#toasts").to_have_text("das Brett verlangt nichts zurück")
