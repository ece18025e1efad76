"""How many presses usual things take, counted by playing them: the table in DIALOGUE.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table

PAGE = Path(__file__).parents[2] / "firmware" / "DIALOGUE.md"
BOX, SEATS = "box", "seats"


class Counting(Table):
    """A board that counts presses; a hold, or buttons pressed together, count as one press."""

    presses = 0

    def begun(self, place: str) -> Counting:
        """Start the match at this place, and count from here on."""
        self.started("N" if place != "referee" else "referee")
        self.presses = 0
        return self

    def say(self, place: str, *keys: str) -> Counting:
        """Press in turn: ``ok``, ``fix``, ``foul``, ``off`` or ``undo``; a star means held."""
        for key in keys:
            self.presses += 1
            if key.endswith("*"):
                self.hold(place, key[:-1])
            elif key == "undo":
                self.undo(place)
            else:
                self.press(place, key)
            self.wait(0.9)
        return self

    def until(self, place: str, what: Callable[[Table], bool]) -> Counting:
        """Press FIX until the table is as wanted."""
        for _ in range(12):
            if what(self):
                return self
            self.say(place, "fix")
        raise AssertionError(f"FIX does not lead there: {self.view.headline}")

    def through(self, place: str) -> Counting:
        """Press OK until the next stroke can be shot."""
        while self.phase is not Phase.READY or self.dialogue.menu is not None:
            self.say(place, "ok")
        return self


def shows(what: str) -> Callable[[Table], bool]:
    return lambda table: table.proposed == what


def marks(line: str) -> Callable[[Table], bool]:
    return lambda table: table.item.startswith(line)


def fallen(table: Counting, pocket: str = "NE") -> Counting:
    table.fall(pocket).wait(1.6)
    return table


def own_puck(table: Counting, place: str) -> None:
    fallen(table).until(place, shows("RED NE")).through(place)
    assert table.entries == ["N red@NE"]


def nothing_fell(table: Counting, place: str) -> None:
    table.say(place, "ok")
    assert table.entries == ["N -"]


def striker(table: Counting, place: str) -> None:
    fallen(table).until(place, shows("RED NE")).through(place)
    table.presses = 0
    fallen(table.wait(6.0), "SW").until(place, shows("STRIKER SW")).through(place)
    assert table.entries[1].startswith("N striker@SW")


def foul(table: Counting, place: str) -> None:
    if place == "referee":
        table.say(place, "foul")
    else:
        table.say(place, "fix*").until(place, marks("foul")).say(place, "ok")
    table.through(place)
    assert table.entries == ["N foul"]


def striker_off(table: Counting, place: str) -> None:
    if place == "referee":
        table.say(place, "off")
    else:
        table.say(place, "fix*").until(place, marks("piece off")).say(place, "ok")
    table.through(place)
    assert table.entries == ["N striker^"]


def puck_and(call: str, line: str, entered: str, table: Counting, place: str) -> None:
    """An own puck falls, and something is called: by its button, or by a line of editing."""
    if place == "referee":
        fallen(table).until(place, shows("RED NE")).say(place, call)
    else:
        fallen(table).say(place, "fix*").until(place, marks(line)).say(place, "ok", "fix*")
    table.through(place)
    assert table.entries[0] == f"N red@NE {entered}"


def wrong_ok(table: Counting, place: str) -> None:
    fallen(table).until(place, shows("RED NE")).through(place)
    table.presses = 0
    table.wait(6.0).must_be(Phase.READY)
    table.say(place, "undo").until(place, shows("GREEN NE")).through(place)
    assert table.entries[0] == "N green@NE"


def three_more_strokes(table: Counting, place: str) -> None:
    fallen(table).until(place, shows("RED NE")).through(place)
    for _ in range(3):
        table.wait(4.0).say(place, "ok")
    table.wait(4.0)
    table.presses = 0


def three_later(table: Counting, place: str) -> None:
    """The stroke before the last three was entered wrong."""
    three_more_strokes(table, place)
    table.say(place, *["undo"] * 4).until(place, shows("GREEN NE")).through(place)
    assert table.entries[0] == "N green@NE"
    assert len(table.game.lines) == 4


def three_later_by_history(table: Counting, place: str) -> None:
    three_more_strokes(table, place)
    table.say(place, "fix*").until(place, marks("history")).say(place, "ok")
    table.until(place, marks("1 ")).say(place, "ok").until(place, shows("GREEN NE"))
    table.through(place)
    assert table.entries[0] == "N green@NE"
    assert len(table.game.lines) == 4


def pocket_called(table: Counting, place: str) -> None:
    """The jack is called into the third pocket of the list."""
    table.say(place, "fix*").until(place, marks("call a pocket")).say(place, "ok")
    table.until(place, marks("called SW")).say(place, "ok")
    assert table.dialogue.called is not None


def one_count(table: Counting, place: str) -> None:
    table.say(place, "fix*").until(place, marks("correct the counts")).say(place, "ok")
    table.say(place, "ok", "fix*")
    assert table.counts == (1, 0)


SITUATIONS: Mapping[str, Callable[[Counting, str], None]] = {
    "nothing fell": nothing_fell,
    "an own puck": own_puck,
    "the striker, with a puck to give back": striker,
    "a foul": foul,
    "the striker flew off": striker_off,
    "a foul, and an own puck": partial(puck_and, "foul", "called", "foul"),
    "the striker flew off, and an own puck": partial(puck_and, "off", "piece off", "striker^"),
    "a wrong OK mended at once": wrong_ok,
    "the same three strokes later": three_later,
    "the same, by the history": three_later_by_history,
    "a pocket called for the jack": pocket_called,
    "a count that is one off": one_count,
}


def counted(situation: str, where: str) -> int:
    """Play a situation at the box, or at a seat of a board that has no box."""
    place = "referee" if where == BOX else "N"
    calls = {"N": {"called_pocket": True}} if "called" in situation else {}
    table = Counting(box=where == BOX, page=False, handicap=calls)
    SITUATIONS[situation](table.begun(place), place)
    return table.presses


def written() -> dict[str, tuple[int, int]]:
    """Read the table of the page."""
    rows: dict[str, tuple[int, int]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [each.strip() for each in line.strip("|").split("|")]
        if cells[0] in SITUATIONS:
            rows[cells[0]] = (int(cells[1]), int(cells[2]))
    return rows


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_page_says_how_many_presses_it_takes(situation: str) -> None:
    assert written()[situation] == (counted(situation, BOX), counted(situation, SEATS))
