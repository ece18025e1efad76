"""The page for people who solder a board: every fitted part has its row and its place."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from hardware.board.design import Design
from hardware.generate.board import DESIGNS
from hardware.generate.step import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Page

each_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)


def fitted(design: Design) -> dict[str, set[str]]:
    """Return who has which parts, by the committed table; test pads are part of the board."""
    with (FOLDER / design.folder / "parts.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["part"] != "test pad"]
    return {
        who: {row["designator"] for row in rows if row[who] == "fitted"} for who in design.fitted
    }


@each_design
def test_each_row_has_the_parts_of_the_table_for_whom_they_are_fitted(design: Design) -> None:
    page = (FOLDER / design.folder / "assembly.html").read_text(encoding="utf-8")
    found = re.search(r"^const groups = (.*);$", page, re.MULTILINE)
    assert found is not None
    parts = [part for group in json.loads(found[1]) for part in group["parts"]]
    told = {who: {part["ref"] for part in parts if who in part["who"]} for who in design.fitted}
    assert told == fitted(design)
    drawn = re.findall(r'data-ref="(\w+)"', page)
    assert sorted(drawn) == sorted({ref for refs in told.values() for ref in refs})


@pytest.mark.browser
def test_a_row_lights_its_places_a_place_its_row_and_ticks_are_kept(page: Page) -> None:
    (hub,) = (each for each in DESIGNS if each.name == "hub")
    page.goto((FOLDER / hub.folder / "assembly.html").as_uri())
    for who, refs in fitted(hub).items():
        page.locator("#who").select_option(who)
        expect(page.locator("#count")).to_have_text(f"{len(refs)} parts, {len(refs)} to solder.")
        expect(page.locator(".part:not(.unfitted)")).to_have_count(len(refs))
    amber = page.get_by_role("button", name="amber LED")
    amber.click()
    expect(page.locator(".part.lit")).to_have_count(4)
    lit = page.locator(".part.lit").evaluate_all("all => all.map((each) => each.dataset.ref)")
    assert lit == ["D19", "D20", "D21", "D22"]
    expect(amber).to_contain_text("D19 (pocket_ne)")
    page.locator("[data-ref='U1']").click()
    expect(page.locator("li button[aria-pressed='true']")).to_contain_text("74HC86")
    page.get_by_role("checkbox", name="amber LED: soldered").check()
    page.reload()
    page.locator("#who").select_option(who)
    expect(page.locator("#count")).to_have_text(f"{len(refs)} parts, {len(refs) - 4} to solder.")
