"""Playing on the page in systems other than Hikone's for two: doubles, and the computer."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot_sim.browser.orders import with_rules, with_seats
from jackspot_sim.people.opponents import AIMS_NS
from jackspot_sim.physics.values import Flick
from tests.browser.conftest import expect
from tests.browser.finger import lay_before, pixel, place, pull, straight_in
from tests.browser.person import Person, arrive
from tests.conftest import thinned
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

AIMS_S = AIMS_NS / 1e9
RUNS_S = 10.0
"""Longer than any shot takes."""
FOUR = (Seat.N, Seat.E, Seat.S, Seat.W)

Set = Callable[[RuleSystem], StandingTable]


@pytest.fixture
def doubles(tmp_path: Path, request: pytest.FixtureRequest) -> Set:
    """Return a function that sets up a table for two pairs."""

    def set_up(rules: RuleSystem) -> StandingTable:
        config = with_seats(with_rules(load(Sources(())), rules), FOUR)
        table = StandingTable(tmp_path, config=config)
        request.addfinalizer(table.close)
        return table

    return set_up


def begin(page: Page, table: StandingTable) -> Person:
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    return person


@pytest.mark.long
def test_in_doubles_on_a_carrom_board_a_striker_is_placed_and_flicked_by_mouse(page, doubles):
    page.emulate_media(reduced_motion="no-preference")
    table = doubles(RuleSystem.KAGW)
    person = begin(page, table)
    assert table.session.shown.shooter is Seat.N
    target = lay_before(table, Piece.WHITE, Pocket.SW, away=Seat.E)
    at = (120.0, 252.6)
    place(page, table, Seat.N, at)
    expect(page, "#aim.illegal").to_have_count(0)
    place_at = page.get_by_role("slider", name="Place")
    assert abs(abs(float(place_at.input_value())) - 120) < 2
    angle = straight_in(table, at, target, Pocket.SW)
    pull(page, table, Flick(*at, 2_600.0, angle))
    with person.sent("flick"):
        page.mouse.up()
    expect(page, "#play-note").to_have_text("Pieces are moving…")
    run = table.session.picture().run
    assert run is not None
    assert math.dist((run.flick.x_mm, run.flick.y_mm), at) < 2
    person.rest(RUNS_S)
    person.wait_for_reading()
    expect(page, "#proposal").to_contain_text("SW")
    person.fix_until("WHITE SW")
    person.key("OK")
    person.expect_headline("WHITE N: shoot again")
    expect(page, "#play-note").to_contain_text("Pull it back")


def test_in_japanese_doubles_the_area_that_is_forbidden_to_the_shooter_is_marked(page, doubles):
    table = doubles(RuleSystem.JAPAN)
    person = arrive(page, table)
    expect(page, ".aim-area").to_be_hidden()
    person.key("OK")
    person.expect_phase("ready")
    expect(page, ".aim-area").to_be_visible()
    area, board = (page.locator(each).bounding_box() for each in (".aim-area", "#board"))
    seat = table.session.shown.shooter
    assert seat is Seat.N
    middle = (area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    assert math.dist(middle, pixel(page, 0, 252)) < 3
    assert area["width"] > 0.8 * board["width"]


@pytest.mark.parametrize(
    "rules", thinned([RuleSystem.JAPAN, RuleSystem.ICF], {RuleSystem.ICF}), ids=str
)
def test_the_computer_plays_for_one_of_four_in_any_system(page, doubles, rules):
    table = doubles(rules)
    person = begin(page, table)
    shooter = table.session.shown.shooter
    with person.sent("player"):
        page.get_by_role("combobox", name=f"Who plays {shooter}").select_option("master")
    expect(page, "#play-note").to_contain_text("The computer is aiming")
    person.rest(AIMS_S + 0.5)
    assert table.session.picture().run is not None
    person.rest(RUNS_S)
    expect(page, "#play-note").to_contain_text("OK")
    expect(page, "#shoot").to_be_disabled()
