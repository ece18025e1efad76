"""A finger or a mouse on the board of the simulated table's page; places are in millimetres.

x runs east and y runs north from the board's middle. Each gesture first waits until the page is up
to date, and at the end checks that it did what was meant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.places import as_seen, placing, seen_from
from jackspot_sim.physics.values import Flick, Lying
from tests.browser.conftest import expect
from tests.browser.person import look
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

PULL_MM, NO_PULL_MM, POWER_CURVE = 165, 9, 1.5
"""The page's own values: the hardest pull, no pull at all, and the curve between them."""
OUTSIDE_MM = 20
"""This far behind the frame's inner edge, a drag can move only the place of a striker."""


STEADY_MM = 2.0
"""How exactly a mouse, which moves by whole pixels, can place a striker."""


def pixel(page: Page, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Return the pixel at a place on the board."""
    box = page.locator("#board").bounding_box()
    extent = page.locator("#aim").get_attribute("viewBox")
    assert box is not None
    assert extent is not None
    scale = box["width"] / float(extent.split()[2])
    return box["x"] + box["width"] / 2 + x_mm * scale, box["y"] + box["height"] / 2 - y_mm * scale


def place(page: Page, table: StandingTable, seat: Seat, at: tuple[float, float]) -> None:
    """Drag a seat's striker from the middle of its line to a place."""
    picture = table.session.picture()
    where, board = placing(picture.rules, first=picture.first_shot), board_of(picture.rules)
    along, out = as_seen(seat, *at)
    look(page)
    expect(page, f'#rail[data-seat="{seat}"]').to_be_visible()
    behind = board.half_mm + OUTSIDE_MM
    page.mouse.move(*pixel(page, *seen_from(seat, along, behind)))
    page.mouse.down()
    page.mouse.move(*pixel(page, *seen_from(seat, along, behind + out - where.usual_mm)))
    page.mouse.up()
    _expect_striker(page, at)


def pull(page: Page, table: StandingTable, flick: Flick) -> None:
    """Pull the striker back from where it is, until letting go would be this flick."""
    fastest = board_of(table.session.picture().rules).fastest_mm_s
    power = (flick.speed_mm_s / fastest) ** (1 / POWER_CURVE)
    far = NO_PULL_MM + power * (PULL_MM - NO_PULL_MM)
    back = flick.angle_rad + math.pi
    look(page)
    _expect_striker(page, (flick.x_mm, flick.y_mm))
    page.mouse.move(*pixel(page, flick.x_mm, flick.y_mm))
    page.mouse.down()
    for part in (0.5, 1.0):
        x, y = (flick.x_mm + math.cos(back) * far * part, flick.y_mm + math.sin(back) * far * part)
        page.mouse.move(*pixel(page, x, y))
    expect(page, "#shoot").to_be_enabled()


def _expect_striker(page: Page, at: tuple[float, float]) -> None:
    """Expect a striker in somebody's hand to be at a place."""
    grip = page.locator("#grip")
    expect(page, "#grip").to_be_visible()
    box = grip.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    one_mm = math.dist(pixel(page, 0, 0), pixel(page, 1, 0))
    assert math.dist(middle, pixel(page, *at)) < STEADY_MM * one_mm


def straight_in(table: StandingTable, at: tuple[float, float], laid: Lying, to: Pocket) -> float:
    """Return the angle at which a striker from a place sends a piece into a pocket."""
    board = board_of(table.session.picture().rules)
    x, y = board.pocket_at(to)
    apart = disc_of(board, laid.piece).radius_mm + disc_of(board, Piece.STRIKER).radius_mm
    share = apart / math.dist((x, y), (laid.x_mm, laid.y_mm))
    meets_x = laid.x_mm - (x - laid.x_mm) * share
    meets_y = laid.y_mm - (y - laid.y_mm) * share
    return math.atan2(meets_y - at[1], meets_x - at[0])


def lay_before(table: StandingTable, piece: Piece, pocket: Pocket, *, away: Seat) -> Lying:
    """Lay one piece just before a pocket, and all others in rows before a seat, out of the way."""
    board = board_of(table.session.picture().rules)
    lying = table.session.rig.table.lying()
    target = next(each for each in lying if each.piece is piece)
    x, y = board.pocket_at(pocket)
    laid = Lying(target.number, piece, x * 0.89, y * 0.89)
    others = [each for each in lying if each is not target]
    table.lay(
        [
            laid,
            *(
                Lying(each.number, each.piece,
                      *seen_from(away, 36.0 * (index % 8 - 3.5), 180.0 + 36 * (index // 8)))
                for index, each in enumerate(others)
            ),
        ]
    )  # fmt: skip
    return laid
