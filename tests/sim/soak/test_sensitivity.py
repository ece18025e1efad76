"""The simulation's guesses, each changed alone."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from jackspot.core.settings import RuleSystem
from jackspot.values import changed
from jackspot_sim.chance import frequencies
from jackspot_sim.chance.frequencies import FrequencyRow, Room
from jackspot_sim.chance.laws import Even, Skewed
from jackspot_sim.physics import HIKONE_BOARD, boards
from jackspot_sim.sensing.page import page
from jackspot_sim.soak.sensitivity import (
    PEOPLE,
    Found,
    _found,
    effect,
    guesses,
    row,
    scaled,
    through_no_pocket,
    times,
)

LATER: dict[str, tuple[str, str, object]] = {
    "board: pocket mm": ("physics.boards", "HIKONE_BOARD.pocket_mm", 104.0),
    "board: frame bounce": ("physics.boards", "HIKONE_BOARD.frame_bounce", 1.0),
    "disc: gain": ("physics.discs", "DISCS.gain", 4_000.0),
    "head: noise": ("sensing.heads", "SIZES.noise", 240.0),
    "beam: trips at": ("sensing.quality", "TRIPS_AT", 1.0),
    "rim: rim friction": ("sensing.falling", "RIM_FRICTION", 0.4),
    "people: doubled": ("traffic.people", "table.DOUBLED.values", "0.12)"),
}
"""What a doubled guess comes to: in which module, where, and how much."""


DOUBLED = """
import sys
from importlib import import_module
from operator import attrgetter
from jackspot_sim.soak.sensitivity import Guess, change
change(Guess(*sys.argv[1:4]), 2.0)
print(attrgetter(sys.argv[5])(import_module(f"jackspot_sim.{sys.argv[4]}")))
"""


@pytest.mark.parametrize("name", LATER)
def test_a_guess_is_changed_before_anything_is_made_of_it(name: str) -> None:
    [guess] = [each for each in guesses() if str(each) == name]
    module, where, wanted = LATER[name]
    words = [sys.executable, "-c", DOUBLED, guess.room, guess.name, guess.why, module, where]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.split()[-1:] == [str(wanted)], done.stderr


def test_every_guess_of_the_pages_has_its_turn_or_cannot_matter() -> None:
    told = {each.why for each in guesses() if each.why}
    guessed = [line for line in page().splitlines() if "| guess |" in line]
    left = [line for line in guessed if not any(f"| {why} |" in line for why in told)]
    elsewhere = page().partition("## The carrom board")[2].partition("## Off the plane")[0]
    for line in left:
        flickers = line.startswith("| sun ")
        assert line in elsewhere or flickers or "| 0 |" in line, line


def test_each_guess_has_one_turn_and_only_if_a_referee_who_watches_can_feel_it() -> None:
    people = {each.name.lower() for each in guesses() if not each.why}
    assert not people & {each.name for each in guesses() if each.why}
    assert not people & {"notices", "noticed_after", "reads_unasked", "overlooks"}
    rows = [
        value for name in PEOPLE if isinstance(value := getattr(frequencies, name), FrequencyRow)
    ]
    assert all(row.values[0] > 0 for row in rows), "halved or doubled, nothing stays nothing"


def test_a_process_that_was_killed_leaves_what_others_found() -> None:
    done, killed = Future[Found](), Future[Found]()
    done.set_result(Found(0.5, 0.9, 0.1, 0))
    killed.set_exception(BrokenProcessPool())
    assert _found(done) == Found(0.5, 0.9, 0.1, 0)
    assert _found(killed) == Found(broken="a process was killed")


def test_peoples_numbers_of_every_shape_are_changed() -> None:
    for name in PEOPLE:
        value = getattr(frequencies, name)
        assert scaled(value, 2.0) != value
    assert scaled(FrequencyRow((0.2, 0.7), "why"), 2.0).values == (0.4, 1.0)
    assert scaled(FrequencyRow((1.0, 2.5), "strokes"), 2.0).values == (2.0, 5.0)
    assert scaled(Skewed(10.0, 0.5, 5.0, 20.0), 0.5) == Skewed(5.0, 0.5, 2.5, 20.0)
    assert scaled(Even(1.0, 3.0), 2.0) == Even(2.0, 6.0)
    assert dict(scaled({Room.CLUB: 2.0}, 0.5)) == {Room.CLUB: 1.0}
    assert scaled(0.8, 2.0, chance=True) == 1.0
    assert times("frame_bounce", 0.7, 2.0) == 1.0
    assert times("reach_mm", 150.0, 2.0) == 300.0


def test_a_pocket_that_lets_no_piece_through_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert through_no_pocket(RuleSystem.HIKONE) == ""
    assert through_no_pocket(RuleSystem.ICF) == ""
    half = changed(HIKONE_BOARD, pocket_mm=HIKONE_BOARD.pocket_mm / 2)
    monkeypatch.setattr(boards, "HIKONE_BOARD", half)
    monkeypatch.setattr(boards, "_DISCS", {half: boards._DISCS[HIKONE_BOARD]})
    assert through_no_pocket(RuleSystem.HIKONE) == "a pocket of 26 mm lets no jack of 34 mm through"


def test_what_cannot_be_played_is_said_and_moves_nothing() -> None:
    usual, found, broken = Found(0.5, 0.9, 0.1, 0), Found(0.7, 0.8, 0.2, 1), Found(broken="none")
    assert row("a", usual, found) == "| a | 0.50 0.70 | 90.0 80.0 | 10.0 20.0 | 0 1 |"
    assert row("a", broken, found) == "| a | - 0.70 | - 80.0 | - 20.0 | - 1 |"
    assert row("a", broken, broken) == "| a | cannot be played | | | |"
    assert effect(usual, broken) == 0.0
    assert effect(usual, found) == pytest.approx(0.2)
