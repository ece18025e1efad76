"""Playing at the simulated table: the striker is flicked by hand, and the firmware counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics.values import Lying
from tests.browser.accessible import grave_faults
from tests.browser.conftest import expect
from tests.browser.person import AIM_S, SETTLED_S, Person, arrive, look
from tests.conftest import new_context
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXTENT_MM = 692.0
"""A Hikone board with its frame, as it is drawn."""
RUNS_S = 8.0
"""Longer than any of these shots."""


class Point(NamedTuple):
    """A place on the board in millimetres, y to the north."""

    x: float
    y: float


STRIKER = Point(0.0, 204.0)
"""The place of the first striker of the player in the north."""
TARGET = Point(-240.0, -240.0)
"""A puck just before the south-west pocket, with a clear path from the striker."""


@pytest.fixture
def motion() -> str:
    """Show pieces as they run, and the animations that beckon."""
    return "no-preference"


@pytest.fixture
def shooting(page: Page, table: StandingTable) -> Person:
    """Somebody in the north with an easy shot."""
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    arrange(table)
    look(page)
    return person


def arrange(table: StandingTable) -> None:
    """Lay a red puck before a pocket, and everything else out of the way."""
    lying = table.session.rig.table.lying()
    target = next(each for each in lying if each.piece is Piece.RED)
    others = [each for each in lying if each is not target]
    table.lay(
        [
            Lying(target.number, target.piece, *TARGET),
            *(
                Lying(each.number, each.piece, 60.0 + 40 * (index // 8), 140.0 - 40 * (index % 8))
                for index, each in enumerate(others)
            ),
        ]
    )


def on_page(page: Page, at: Point) -> tuple[float, float]:
    """Return the pixel at a place on the board."""
    box = page.locator("#board").bounding_box()
    assert box is not None
    scale = box["width"] / EXTENT_MM
    return box["x"] + box["width"] / 2 + at.x * scale, box["y"] + box["height"] / 2 - at.y * scale


def pulled_back(length_mm: float) -> Point:
    """Return where a finger pulls the striker to, away from the target."""
    dx, dy = STRIKER.x - TARGET.x, STRIKER.y - TARGET.y
    far = math.hypot(dx, dy)
    return Point(STRIKER.x + dx / far * length_mm, STRIKER.y + dy / far * length_mm)


def count_what_fell(person: Person) -> None:
    """Let the pieces run, and confirm what the firmware proposes."""
    person.rest(RUNS_S)
    person.wait_for_reading()
    person.fix_until("RED SW")
    person.click("OK")
    person.expect_counts(1, 0)
    person.expect_truth_agrees()


def test_a_puck_flicked_into_a_pocket_by_mouse_is_proposed_and_counted(shooting, table):
    page = shooting.page
    page.mouse.move(*on_page(page, STRIKER))
    page.mouse.down()
    page.mouse.move(*on_page(page, pulled_back(60)))
    page.mouse.move(*on_page(page, pulled_back(105)))
    expect(page, "#aim-said").to_contain_text("m/s")
    with shooting.sent("flick"):
        page.mouse.up()
    expect(page, "#play-note").to_have_text("Pieces are moving…")
    count_what_fell(shooting)
    assert {edge.wire for edge in table.session.edges(0)} >= {"pocket_sw", "referee_ok"}


def test_a_striker_is_placed_in_its_area_and_shown_where_it_may_not_stand(shooting):
    page = shooting.page
    page.mouse.move(*on_page(page, Point(-90, 240)))
    page.mouse.down()
    expect(page, "#play-note").to_contain_text("the first shot is made from the tee spot")
    page.mouse.move(*on_page(page, Point(-2, 241)))
    expect(page, "#play-note").to_contain_text("Pull it back")
    page.mouse.move(*on_page(page, Point(-2, 120)))
    expect(page, "#play-note").to_contain_text("By the rules")
    expect(page, "#aim.illegal").to_have_count(1)
    page.mouse.up()


def test_a_finger_flicks_on_a_phone(browser, table):
    context = new_context(browser, has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    person = arrive(page, table, touch=True)
    person.click("OK")
    person.expect_phase("ready")
    arrange(table)
    look(page)
    page.locator("#board").scroll_into_view_if_needed()
    touch = context.new_cdp_session(page)
    for kind, at in (
        ("touchStart", STRIKER),
        ("touchMove", pulled_back(60)),
        ("touchMove", pulled_back(105)),
    ):
        x, y = on_page(page, at)
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    with person.sent("flick"):
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    count_what_fell(person)
    context.close()


def test_a_shot_is_aimed_and_made_with_the_keyboard_alone(shooting):
    page = shooting.page
    turn = page.get_by_role("slider", name="Direction")
    turn.focus()
    wanted = math.degrees(math.atan2(TARGET.x - STRIKER.x, STRIKER.y - TARGET.y))
    for _ in range(round(abs(wanted) * 2)):
        page.keyboard.press("ArrowLeft" if wanted < 0 else "ArrowRight")
    page.get_by_role("slider", name="Power").focus()
    page.keyboard.press("PageUp")
    for _ in range(52):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Shoot").focus()
    with shooting.sent("flick"):
        page.keyboard.press("Enter")
    count_what_fell(shooting)


@pytest.mark.parametrize(
    "gives_up",
    [
        pytest.param(lambda page: page.keyboard.press("Escape"), id="by Escape"),
        pytest.param(
            lambda page: page.mouse.move(*on_page(page, STRIKER)),
            id="back there",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_pull_that_is_given_up_is_no_shot(shooting, table, gives_up: Callable[[Page], None]):
    page = shooting.page
    page.mouse.move(*on_page(page, STRIKER))
    page.mouse.down()
    page.mouse.move(*on_page(page, pulled_back(100)))
    expect(page, "#aim-said").to_contain_text("m/s")
    gives_up(page)
    page.mouse.up()
    expect(page, "#aim-said").to_have_text("")
    assert table.session.picture().run is None


@pytest.mark.long
def test_a_striker_that_is_pulled_back_stays_in_the_hand_while_something_falls(shooting, table):
    page = shooting.page
    shooting.rest(AIM_S)
    page.mouse.move(*on_page(page, STRIKER))
    page.mouse.down()
    page.mouse.move(*on_page(page, pulled_back(100)))
    aimed = page.locator("#aim-said").inner_text()
    table.session.hands.drop(Pocket.NE, [Piece.GREEN], Manner.CLEAN)
    shooting.wait_for_reading()
    expect(page, "#aim-said").to_have_text(aimed)
    with shooting.sent("flick"):
        page.mouse.up()
    assert table.session.picture().run is not None


def test_what_is_to_go_back_is_dragged_onto_the_jack_spot(shooting, table):
    page = shooting.page
    shooting.let_fall("NE", "red", "striker")
    shooting.wait_for_reading()
    shooting.fix_until("RED NE, STRIKER NE")
    shooting.key("OK")
    shooting.expect_phase("put back")
    page.click("#tab-play")
    chip = page.locator("#put-tray .put-chip")
    expect(page, "#put-tray .put-chip").to_have_count(1)
    chip.hover()
    page.mouse.down()
    page.mouse.move(*on_page(page, Point(20, 20)))
    page.mouse.move(*on_page(page, Point(2, 3)))
    with shooting.sent("put"):
        page.mouse.up()
    expect(page, "#put-tray").to_be_hidden()
    [top] = [each for each in table.session.picture().lying if (each.x_mm, each.y_mm) == (0, 0)]
    assert top.piece is Piece.RED
    shooting.key("OK")
    shooting.expect_phase("ready")
    shooting.expect_truth_agrees()


def test_pieces_are_moved_by_hand_and_back_apart_from_shooting(page, table):
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    lain = table.session.picture().lying[3]
    at = Point(lain.x_mm, lain.y_mm)
    expect(page, "#grip").to_be_visible()
    page.click("#hands-on")
    expect(page, "#grip").to_be_hidden()
    expect(page, "#move-back").to_be_disabled()
    page.mouse.move(*on_page(page, at))
    page.mouse.down()
    page.mouse.move(*on_page(page, Point(-100, -180)))
    with person.sent("move"):
        page.mouse.up()
    assert piece_near(table, Point(-100, -180)) is lain.piece
    page.keyboard.press("PageUp")
    expect(page, "#hand-said").to_contain_text("in hand")
    page.keyboard.press("Escape")
    expect(page, "#hand-said").to_have_text("")
    with person.sent("move-back"):
        page.click("#move-back")
    assert piece_near(table, at) is lain.piece
    page.click("#hands-off")
    expect(page, "#grip").to_be_visible()


def piece_near(table: StandingTable, at: Point) -> Piece | None:
    """Name the piece that lies within a few millimetres of a place."""
    lying = table.session.picture().lying
    found = (each.piece for each in lying if math.dist((each.x_mm, each.y_mm), at) < 4)
    return next(found, None)


def test_the_table_to_play_on_can_be_used_by_everybody(shooting):
    assert grave_faults(shooting.page) == []


@pytest.mark.long
def test_a_second_flick_while_pieces_run_is_refused_in_words(shooting, table):
    page = shooting.page
    shooting.rest(AIM_S + SETTLED_S)
    answers = page.evaluate(
        """async () => {
            const flick = { x_mm: 0, y_mm: 204, speed_mm_s: 900, angle_rad: 4 };
            const send = async () => {
                const answer = await fetch("/sim/do/flick", {
                    method: "POST", headers: { "content-type": "application/json" },
                    body: JSON.stringify(flick),
                });
                return [answer.status, answer.ok ? "" : (await answer.json()).error];
            };
            return [await send(), await send()];
        }"""
    )
    assert answers[0][0] == 204
    assert answers[1][0] == 409
    assert "still moving" in answers[1][1]
    assert table.session.picture().run is not None
