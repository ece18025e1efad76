"""A monkey that has not read the code never breaks the board, and never gets stuck."""

from __future__ import annotations

import pytest

from jackspot.core.rules import RULES
from tests.dialogue.monkey import WAY_OUT, Monkey, Played

STEPS = 60
"""So many things the monkey does in one match."""

CHECKED = 6
"""In the default run all is checked after so many of them; in the long run after each."""

BUNCHES = range(12)
BUNCH = 5
LONG_BUNCHES = range(40)
LONG_BUNCH = 50


def played(bunch: int, size: int, checks_each: int) -> list[Played]:
    seeds = range(bunch * size, (bunch + 1) * size)
    return [Monkey(seed, checks_each=checks_each).play(STEPS) for seed in seeds]


@pytest.mark.parametrize("bunch", BUNCHES)
def test_no_press_and_no_piece_breaks_the_board_or_gets_it_stuck(bunch: int) -> None:
    for match in played(bunch, BUNCH, CHECKED):
        assert match.longest_way_out <= WAY_OUT


STUMBLED = (
    7004, 7026, 7066, 7201, 8208, 8297, 9052, 20011, 20188, 25020, 25131, 25216, 25279,
    30169, 30318, 35291, 50319, 50686, 51075,
)  # fmt: skip
"""Where a power cut once changed what was shown, or no way led out."""


@pytest.mark.parametrize("seed", STUMBLED)
def test_where_the_monkey_once_stumbled_it_walks(seed: int) -> None:
    assert Monkey(seed, checks_each=CHECKED).play(STEPS).longest_way_out <= WAY_OUT


def test_the_monkey_gets_everywhere() -> None:
    """It must reach what it is to break: all systems, all phases, entries and power cuts."""
    monkeys = [Monkey(seed, checks_each=STEPS) for seed in range(60)]
    done = [monkey.play(STEPS) for monkey in monkeys]
    assert {monkey.table.dialogue.plan.header["rules"] for monkey in monkeys} == {
        rules.value for rules in RULES
    }
    assert len(frozenset().union(*(each.phases for each in done))) >= 7
    assert sum(each.entered for each in done) > 300
    assert sum(each.cuts for each in done) > 30
    assert {len(monkey.table.plan.lineup) for monkey in monkeys} == {2, 3, 4}


@pytest.mark.long
@pytest.mark.parametrize("bunch", LONG_BUNCHES)
def test_two_thousand_matches_of_a_monkey_checked_at_every_step(bunch: int) -> None:
    for match in played(1_000 + bunch, LONG_BUNCH, 1):
        assert match.longest_way_out <= WAY_OUT
