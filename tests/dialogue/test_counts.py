"""A count that is one off is corrected in a few presses, with any buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Key
from tests.dialogue.playing import Table


@dataclass
class Fingers:
    """Somebody who presses the buttons of one place and counts how often."""

    table: Table
    place: str
    two_buttons: bool = False
    presses: int = 0

    def ok(self) -> None:
        self._count(lambda: self.table.ok(self.place))

    def ok_held(self) -> None:
        self._count(lambda: self.table.hold(self.place, "ok"))

    def fix(self) -> None:
        key = Key.UNDO if self.two_buttons else Key.FIX
        self._count(lambda: self.table.press(self.place, key))

    def fix_held(self) -> None:
        """Hold FIX, which with two buttons is OK and UNDO together."""
        if self.two_buttons:
            self._count(self._both)
        else:
            self._count(lambda: self.table.hold(self.place, "fix"))

    def _both(self) -> Table:
        self.table.down(self.place, "ok").wait(0.02).down(self.place, "undo").wait(1.1)
        return self.table.up(self.place, "ok").up(self.place, "undo")

    def _count(self, press: Callable[[], Table]) -> None:
        press().wait(1.0)
        self.presses += 1

    def to_the_counts(self) -> None:
        """Open the menu and go to the line; where fouls are called by lines, those come first."""
        self.fix_held()
        while self.table.item != "correct the counts":
            self.fix()


MOST_PRESSES = {"the seats alone": 7, "the box alone": 5, "two buttons": 7, "the page alone": 5}

BOARDS: dict[str, Callable[[], Fingers]] = {
    "the seats alone": lambda: Fingers(Table("NS", box=False), "S"),
    "the box alone": lambda: Fingers(Table("", box=True), "referee"),
    "two buttons": lambda: Fingers(Table("N", box=False, fix=False), "N", two_buttons=True),
    "the page alone": lambda: Fingers(Table("", box=False), "page"),
}


def in_play(fingers: Fingers) -> Fingers:
    """A match in *ready* where both sides have pucks in and something is owed."""
    table, place = fingers.table, fingers.place
    table.ok(place).calm().must_be(Phase.READY)
    fingers.to_the_counts()
    table.must_be(Phase.READY)
    fingers.ok()
    for _ in range(2):
        fingers.ok()
    fingers.fix()
    for _ in range(2):
        fingers.ok()
    fingers.fix_held()
    fingers.to_the_counts()
    fingers.ok_held()
    for _ in range(2):
        fingers.ok()
    fingers.fix()
    for _ in range(2):
        fingers.ok()
    fingers.fix_held()
    table.calm().must_be(Phase.READY)
    assert (table.counts, table.owed) == ((2, 2), (2, 2))
    fingers.presses = 0
    return fingers


@pytest.mark.parametrize("step", [1, -1], ids=["one more", "one less"])
@pytest.mark.parametrize("side", [0, 1], ids=["red", "green"])
@pytest.mark.parametrize("what", ["in", "owed"])
@pytest.mark.parametrize("board", list(BOARDS))
def test_a_count_that_is_one_off_is_corrected_in_few_presses(
    board: str, what: str, side: int, step: int
) -> None:
    fingers = in_play(BOARDS[board]())
    table = fingers.table
    fingers.to_the_counts()
    (fingers.ok if what == "in" else fingers.ok_held)()
    for _ in range(side):
        fingers.fix()
    (fingers.ok if step == 1 else fingers.ok_held)()
    fingers.fix_held()
    table.must_be(Phase.READY)
    assert table.view.menu is None, "closing the list is one of the presses"
    wanted = {"in": [2, 2], "owed": [2, 2]}
    wanted[what][side] += step
    assert (table.counts, table.owed) == (tuple(wanted["in"]), tuple(wanted["owed"]))
    assert fingers.presses <= MOST_PRESSES[board]


def test_a_list_of_counts_says_what_ok_and_holding_it_do() -> None:
    table = Table().started("N").hold("referee", "fix")
    assert str(table.view.ok) == "select, hold: edit owed"
    table.wait(1.0).ok("referee")
    assert table.items == [
        "RED in: 0", "GREEN in: 0", "the table is right", "what is owed", "jack is on the board",
    ]  # fmt: skip
    assert str(table.view.ok) == "+1, hold: -1"


def test_what_is_owed_is_reached_without_holding_ok_too() -> None:
    table = Table().started("N").hold("referee", "fix").pick("correct the counts")
    table.pick("what is owed").pick("GREEN owes: 0").pick("the table is right")
    assert table.owed == (0, 1)


def test_a_count_that_cannot_be_is_refused_and_the_list_stays_open() -> None:
    table = Table().started("N").hold("referee", "fix").pick("correct the counts")
    table.wait(1.0).hold("referee", "ok")
    assert str(table.view.detail) == "not possible"
    assert table.item == "RED in: 0"
    for _ in range(13):
        table.wait(1.0).ok("referee")
    assert str(table.view.detail) == "not possible"
    assert table.counts == (12, 0)


def test_a_count_that_was_corrected_too_far_is_one_entry_for_undo() -> None:
    table = Table().started("N").hold("referee", "fix").pick("correct the counts")
    table.wait(1.0).ok("referee").wait(1.0).ok("referee").wait(1.0).hold("referee", "ok")
    assert table.counts == (1, 0)
    table.wait(1.0).hold("referee", "fix").calm().undo()
    assert table.counts == (0, 0)
