"""A match of every system is played to its end by presses, and its record scores the same.

The player knows no rules: pieces fall, and he takes one of the readings that the board offers,
answers what it asks, forgets to press, takes strokes back, pulls the plug. The outcome is always a
match that the rules accept, and the record that the board exports says so too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

import pytest

from jackspot.core.options import CAROM
from jackspot.core.pieces import Seat
from jackspot.core.record import read_record
from jackspot.core.rules import RULES
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.conftest import thinned
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table

POCKETS = ("NE", "SE", "SW", "NW")
MOST_STEPS = 600
"""A longer match is drawn by agreement."""

SHORT: Mapping[RuleSystem, dict[str, object]] = {
    RuleSystem.HIKONE: {},
    RuleSystem.JAPAN: {"timeout_tie": "sudden_death", "time_limit_s": 240},
    RuleSystem.KAGW: {"best_of": 3},
    RuleSystem.GRUNDREGELN: {"target": 5, "max_boards": 2},
    RuleSystem.POINTS: {"best_of": 1},
    RuleSystem.ICF: {"target": 5, "best_of": 1, "shot_clock_s": 15},
}
"""Options that let a match end soon."""


@dataclass
class Somebody:
    """A player who knows no rules, on seat buttons if ``seats`` is set, else on the box."""

    rules: RuleSystem
    seed: int
    seats: bool = True
    lineup: str = "NS"
    dice: random.Random = field(init=False)
    table: Table = field(init=False)
    asked: set[MenuKind] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        few = {"pucks_needed": 2}
        handicap = {self.lineup[0]: few, self.lineup[1]: few} if self.rules in CAROM else None
        self.table = Table(
            self.lineup if self.seats else "", box=not self.seats, page=False, lineup=self.lineup,
            rules=self.rules.value, options=SHORT[self.rules], handicap=handicap,
        )  # fmt: skip
        self.table.watchers += [watch_the_question, watch_the_evidence(self.table)]
        self.table.started(self.lineup[0] if self.seats else "referee")

    @property
    def shooter(self) -> str:
        """The place where the seat to shoot presses."""
        seat = self.table.view.shooter or self.table.game.match.state.position.seat
        return seat.value if self.seats else "referee"

    @property
    def opponent(self) -> str:
        """A place where the side that did not make the last stroke presses."""
        if not self.seats:
            return "referee"
        game = self.table.game
        sides = game.match.state.position.seat_sides
        last = next((line.stroke for line in reversed(game.lines) if line.stroke), None)
        mine = sides[last.seat] if last else sides[Seat(self.lineup[0])]
        return next(seat.value for seat in sides if sides[seat] is not mine)

    def play(self) -> None:
        """Play to the end of the match."""
        for step in range(MOST_STEPS):
            if self.table.phase is Phase.MATCH_OVER and self.table.dialogue.menu is None:
                return
            if step % 25 == 0:
                check_all(self.table)
            self.step()
        while self.table.phase is not Phase.MATCH_OVER:
            self.agree_on_a_draw()

    def step(self) -> None:
        """Do what comes to mind in this phase."""
        table = self.table
        if table.dialogue.menu is not None:
            self.answer()
        elif table.phase is Phase.READY:
            self.shoot()
        elif table.phase in (Phase.FALLING, Phase.REVIEW):
            self.review()
        elif table.phase is Phase.PLACING and self.dice.random() < 0.3:
            table.fix(self.opponent)
        elif table.phase is Phase.BOARD_OVER and self.dice.random() < 0.5:
            table.fix(self.shooter)
        else:
            table.ok(self.opponent if table.phase is Phase.PLACING else self.shooter)
        table.wait(3.2)
        if self.dice.random() < 0.01:
            table.restart()
            table.wait(1.0)

    def shoot(self) -> None:
        """Let something fall, or nothing; now and then something is wrong."""
        table, luck = self.table, self.dice.random()
        if luck < 0.25 or table.game.undone:
            table.ok(self.shooter)
        elif luck < 0.30:
            table.fix(self.shooter)
        elif luck < 0.33:
            table.hold(self.shooter, "fix").wait(1.0).pick("foul", by=self.shooter)
        elif luck < 0.35:
            table.undo(self.opponent)
        else:
            table.falls_in(*self.dice.choices(POCKETS, k=self.dice.choice((1, 1, 1, 2))))
            table.wait(1.7)

    def review(self) -> None:
        """Take one of the readings, mostly one of the likelier ones."""
        table, place = self.table, self.shooter
        table.fix(place, self.dice.choice((0, 0, 0, 0, 0, 1, 1, 2, 3, 5))).wait(1.0)
        if table.phase is not Phase.REVIEW or table.dialogue.menu is not None:
            return
        shown = table.view.proposal
        if shown is not None and str(shown.follows) == "not possible here":
            table.fix(place)
        elif shown is not None and shown.ends_board:
            table.hold(place, "ok")
        else:
            table.ok(place)

    def answer(self) -> None:
        """Say yes or no to a question; close a list."""
        table, menu = self.table, self.table.dialogue.menu
        assert menu is not None
        self.asked.add(menu.kind)
        place = menu.opener.value if menu.opener else self.opponent
        assert table.view.menu is not None
        if menu.kind in (MenuKind.GATHERED, MenuKind.KEEP, MenuKind.STOPPED):
            table.wait(1.0).hold(place, "ok")
        elif table.view.menu.question:
            table.wait(1.0).press(place, self.dice.choice(("ok", "ok", "fix")))
        else:
            table.hold(place, "fix")

    def agree_on_a_draw(self) -> None:
        """End the board by agreement, and open the next one."""
        table = self.table.wait(25.0)
        if table.dialogue.menu is not None:
            self.answer()
        elif table.phase in (Phase.READY, Phase.PLACING):
            table.hold(self.shooter, "fix").wait(1.0).pick("draw", by=self.shooter, held=True)
        else:
            table.hold(self.opponent, "ok")


def check_the_record(somebody: Somebody) -> None:
    """Check that the exported record scores to what the board says."""
    table = somebody.table
    check_all(table)
    read = read_record(table.view.record)
    assert read.match.state == table.game.match.state
    again = score(read)
    assert again["match"]["over"] is True
    assert len(again["boards"]) == len(table.game.match.state.boards)
    winner = table.game.match.state.winner
    assert again["match"]["winner"] == (winner.value if winner else None)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("rules", "seats"),
    thinned(product(RULES, (True, False)), {(each, at % 2 == 0) for at, each in enumerate(RULES)}),
)
def test_a_match_of_every_system_is_played_to_its_end(rules: RuleSystem, seats: bool) -> None:
    somebody = Somebody(rules, seed=1, seats=seats)
    somebody.play()
    check_the_record(somebody)
    has_a_break = Flag.NOBREAK in RULES[rules].flags
    assert (MenuKind.TOUCHED in somebody.asked) is has_a_break, "whoever misses first is asked"


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("seed", range(2, 27))
@pytest.mark.parametrize("lineup", ["NS", "EW", "NESW"])
@pytest.mark.parametrize("rules", RULES)
def test_whatever_is_played_the_record_scores_to_the_same(
    rules: RuleSystem, lineup: str, seed: int
) -> None:
    somebody = Somebody(rules, seed, lineup=lineup, seats=seed % 2 == 0)
    somebody.play()
    check_the_record(somebody)
