"""Playing against the computer: it flicks; people press the buttons, and put pieces back."""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.agreement import agree
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Button
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.people.opponents import AIMS_NS, folded
from jackspot_sim.people.play import Player
from jackspot_sim.physics.players import choose, task_of
from jackspot_sim.physics.values import Flick
from tests.browser.conftest import expect
from tests.browser.finger import place, pull
from tests.browser.person import AIM_S, KEYS, Person, arrive
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

AIMS_S = AIMS_NS / 1e9
RUNS_S = 10.0
"""Longer than any shot takes, late falls included."""


def let_the_computer_play(page: Page, seat: str, strength: str) -> None:
    """Choose who plays a seat."""
    with page.expect_response(re.compile("/sim/do/player")):
        page.get_by_role("combobox", name=f"Who plays {seat}").select_option(strength)


def shots(table: StandingTable) -> int:
    """Count the shots on this board of the match."""
    run = table.session.picture().run
    return 0 if run is None else run.number


def test_the_computer_shoots_once_and_waits_until_its_stroke_is_entered(page, table):
    person = arrive(page, table)
    let_the_computer_play(page, "N", "club")
    person.key("OK")
    person.expect_phase("ready")
    expect(page, "#play-note").to_have_text("The computer is aiming.")
    expect(page, "#shoot").to_be_disabled()
    assert shots(table) == 0
    person.rest(AIMS_S + 0.5)
    assert shots(table) == 1
    person.rest(RUNS_S)
    assert shots(table) == 1


@pytest.mark.long
def test_who_opens_the_page_later_is_told_that_the_computer_has_shot(page, table):
    person = arrive(page, table)
    let_the_computer_play(page, "N", "club")
    person.key("OK")
    person.expect_phase("ready")
    person.rest(AIMS_S + 0.5)
    person.rest(RUNS_S)
    person.wait_until(lambda state: state["phase"] in ("ready", "review"))
    while person.state()["phase"] == "review":  # say that what the break pocketed was no stroke
        if table.session.shown.proposal.stroke:
            person.key("FIX")
        else:
            person.key("OK")
    page.reload()
    expect(page, "#play-note").to_contain_text("OK ends the stroke")
    expect(page, "#box.next").to_have_count(1)
    expect(page, "#shoot").to_be_disabled()


def test_a_person_takes_over_from_the_computer(page, table):
    person = arrive(page, table)
    let_the_computer_play(page, "N", "beginner")
    person.key("OK")
    person.expect_phase("ready")
    let_the_computer_play(page, "N", "")
    person.rest(AIMS_S + 1)
    assert shots(table) == 0
    expect(page, "#play-note").to_contain_text("Pull it back")


@pytest.fixture
def short_match(tmp_path) -> Iterator[StandingTable]:
    """Return a table at which either side needs few pucks before the jack."""
    needed = {"handicap": {"N": {"pucks_needed": 2}, "S": {"pucks_needed": 1}}}
    config = changed(load(Sources(())), match={"rules": "hikone", **needed})
    table = StandingTable(tmp_path, config=config)
    yield table
    table.close()


@pytest.mark.long
def test_a_short_match_against_the_computer_is_played_to_its_end_by_mouse(page, short_match):
    table = short_match
    person = arrive(page, table)
    let_the_computer_play(page, "S", "master")
    referee = RefereeWithAMouse(person, table)
    referee.play_to_the_end()
    person.expect_phase("match over")
    person.expect_truth_agrees()
    strokes = [entry for entry in table.session.shown.written.entries if isinstance(entry, Stroke)]
    assert {stroke.seat for stroke in strokes} == {Seat.N, Seat.S}
    assert table.session.shown.winner is not None


@pytest.mark.long
def test_a_whole_match_is_played_against_the_computer(page, table):
    person = arrive(page, table)
    let_the_computer_play(page, "S", "master")
    Referee(person, table).play_to_the_end()
    person.expect_phase("match over")
    person.expect_truth_agrees()
    counts = [int(page.locator(f".side-{side} .count").inner_text()) for side in ("red", "green")]
    assert max(counts) == 12
    strokes = [entry for entry in table.session.shown.written.entries if isinstance(entry, Stroke)]
    assert {stroke.seat for stroke in strokes} == {Seat.N, Seat.S}


class Referee(Player):
    """A person who plays in the north, watches every shot and presses the referee's buttons.

    Everything is done on the page; time passes on the table's own clock.
    """

    def __init__(self, person: Person, table: StandingTable) -> None:
        self._now_ns = 0
        self._agenda_of_person: list[tuple[int, int, Callable[[], None]]] = []
        self._number = itertools.count()
        self._person = person
        self._table = table
        self._seen = 0
        view = table.session.shown
        assert view is not None
        settings = agree({"rules": view.rules.value})
        super().__init__(settings, [], PageHands(person), self)

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do something later, by the person's own agenda."""
        due_ns = self._now_ns + delay_ns
        heapq.heappush(self._agenda_of_person, (due_ns, next(self._number), action))

    def play_to_the_end(self) -> None:
        """Look and act until the match is over."""
        self.start()
        while self._agenda_of_person:
            due_ns, _, action = heapq.heappop(self._agenda_of_person)
            if due_ns > self._now_ns:
                self._table.let_pass((due_ns - self._now_ns) / 1e9)
                self._now_ns = due_ns
            view = self._table.session.shown
            if view is not None:
                self.post(view)
            action()

    def _act(self, view: BoardView) -> None:
        if self.current is not None:
            super()._act(view)
        elif view.phase is Phase.MATCH_OVER:
            self.stop()
        elif view.phase in (Phase.SETUP, Phase.PLACING):
            self._in_phase(view)
        elif view.phase is Phase.READY and view.menu is None:
            self._watch_a_shot(view)

    def _watch_a_shot(self, view: BoardView) -> None:
        """Watch one shot by the person or the computer to its end, and remember it."""
        session = self._table.session
        assert view.shooter is not None
        assert view.written is not None
        if view.shooter is Seat.N:
            run = session.picture().run
            state, lying = folded(view.written), session.picture().lying
            first = session.picture().first_shot
            seed = f"person {0 if run is None else run.number}"
            self._flick(choose(task_of(state, lying, first=first), Strength.MASTER, seed).flick)
        else:
            before = shots(self._table)
            self._table.let_pass(AIMS_S + 0.5)
            assert shots(self._table) == before + 1
        self._table.let_pass(RUNS_S)
        departures = [
            Departure(piece, happening.pocket)
            for happening in session.rig.table.happenings(self._seen)
            for piece in happening.pieces
        ]
        self._seen = max((each.number for each in session.happenings()), default=0)
        self._entries = (*self._entries, Stroke(view.shooter, tuple(departures)))
        self._shot = True

    def _flick(self, flick: Flick) -> None:
        self._table.let_pass(AIM_S)
        answer = self._person.page.evaluate(
            """async (flick) => (await fetch("/sim/do/flick", {
                method: "POST", headers: { "content-type": "application/json" },
                body: JSON.stringify(flick),
            })).status""",
            {
                "x_mm": flick.x_mm,
                "y_mm": flick.y_mm,
                "speed_mm_s": flick.speed_mm_s,
                "angle_rad": flick.angle_rad,
            },
        )
        assert answer == 204


class RefereeWithAMouse(Referee):
    """A referee who places and pulls the striker with the mouse."""

    def _flick(self, flick: Flick) -> None:
        self._table.let_pass(AIM_S)
        page = self._person.page
        if page.locator("#grip").is_hidden():
            self._hands.fetch_strikers()
            expect(page, "#grip").to_be_visible()
        if not self._table.session.picture().first_shot:
            place(page, self._table, Seat.N, (flick.x_mm, flick.y_mm))
        pull(page, self._table, flick)
        with self._person.sent("flick"):
            page.mouse.up()


class PageHands:
    """Hands that use the page: the referee's keys, and the button that puts pieces back."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def drop(self, pocket: Pocket, pieces: Sequence[Piece]) -> None:
        raise AssertionError("pieces fall by themselves here")

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        raise AssertionError("pieces fly by themselves here")

    def put_back(self, pieces: Sequence[Piece]) -> None:
        del pieces
        with self._person.sent("put-back"):
            self._person.page.click("#put-back")

    def fetch_strikers(self) -> None:
        with self._person.sent("fetch"):
            self._person.page.click("#fetch")

    def press(self, button: Button) -> None:
        with self._person.sent():
            self._person.page.keyboard.down(KEYS[button.key.value.upper()])

    def release(self, button: Button) -> None:
        with self._person.sent():
            self._person.page.keyboard.up(KEYS[button.key.value.upper()])
