"""A monkey that has not read the code never breaks the board, and never gets stuck."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jackspot.core.rules import RULES
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases.table import lead
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Key
from tests.conftest import PATIENCE_S, thinned
from tests.dialogue import monkeys
from tests.dialogue.monkey import BOXES, EVERY_BOX, WAY_OUT, Monkey, Played, Stuck
from tests.dialogue.monkeys import Failed, Wrong

ROOT = Path(__file__).parents[2]

STEPS = 60
"""How many things the monkey does in one match."""

CHECKED = 1
"""Everything is checked after each of them."""

STUMBLED_CHECKED = 6
"""Where it once stumbled, everything is checked after this many of them."""

BUNCHES = range(12)
BUNCH = 5
LONG_BUNCHES = range(10)
LONG_BUNCH = 50


def played(bunch: int, size: int, boxes: Sequence[tuple[Key, ...]] = BOXES) -> list[Played]:
    seeds = range(bunch * size, (bunch + 1) * size)
    return [Monkey(seed, checks_each=CHECKED, boxes=boxes).play(STEPS) for seed in seeds]


@pytest.mark.parametrize("bunch", BUNCHES)
def test_no_press_and_no_piece_breaks_the_board_or_gets_it_stuck(bunch: int) -> None:
    for match in played(bunch, BUNCH):
        assert match.longest_way_out <= WAY_OUT


@pytest.mark.parametrize("hands", [Assistance.ASSIST, Assistance.FREE])
def test_what_enters_itself_breaks_nothing_and_keeps_to_its_page(hands: Assistance) -> None:
    done = [Monkey(seed, checks_each=8, hands=hands).play(STEPS) for seed in range(3)]
    assert all(each.longest_way_out <= WAY_OUT for each in done)
    assert sum(each.alone for each in done) > 0


STUMBLED = (
    7004, 7026, 7066, 7201, 8208, 8297, 9052, 20011, 20188, 25020, 25131, 25216, 25279,
    30169, 30318, 35291, 50319, 50686, 51075,
)  # fmt: skip
"""Seeds at which a power cut once changed what was shown, or no way led out."""


STUMBLED_WITH_ANY_BOX = (
    50618,
    50823,
    51212,
    51942,
    1_001_738,
    1_002_010,
    1_003_229,
    1_003_972,
    1_010_440,
    1_011_333,
)
"""The same, with a referee's box of any buttons."""


@pytest.mark.parametrize(
    ("seed", "boxes"),
    [
        *(pytest.param(each, BOXES, marks=pytest.mark.long) for each in STUMBLED),
        *((each, EVERY_BOX) for each in STUMBLED_WITH_ANY_BOX),
    ],
)
def test_where_the_monkey_once_stumbled_it_walks(
    seed: int, boxes: Sequence[tuple[Key, ...]]
) -> None:
    monkey = Monkey(seed, checks_each=STUMBLED_CHECKED, boxes=boxes)
    assert monkey.play(STEPS).longest_way_out <= WAY_OUT


@pytest.mark.long
def test_the_monkey_gets_everywhere() -> None:
    """To break things it must reach them: all systems, most phases, entries and power cuts."""
    monkeys = [Monkey(seed, checks_each=STEPS) for seed in range(20)]
    done = [monkey.play(STEPS) for monkey in monkeys]
    assert {monkey.table.dialogue.plan.header["rules"] for monkey in monkeys} == {
        rules.value for rules in RULES
    }
    assert len(frozenset().union(*(each.phases for each in done))) >= 7
    assert sum(each.entered for each in done) > 200
    assert sum(each.cuts for each in done) > 20
    assert {len(monkey.table.plan.lineup) for monkey in monkeys} == {2, 3, 4}


@pytest.mark.long
@pytest.mark.parametrize("bunch", LONG_BUNCHES)
def test_hundreds_of_matches_of_a_monkey_checked_at_every_step(bunch: int) -> None:
    for match in played(1_000 + bunch, LONG_BUNCH, EVERY_BOX):
        assert match.longest_way_out <= WAY_OUT


@pytest.mark.long
def test_many_monkeys_open_nearly_every_list() -> None:
    opened: set[MenuKind] = set()
    for seed in range(600):
        monkey = Monkey(seed, checks_each=STEPS, boxes=EVERY_BOX, in_hall=seed % 2 == 1)
        opened |= monkey.play(STEPS).lists
    assert len(opened) >= len(MenuKind) - 3, set(MenuKind) - opened


# --- many of them in one run -----------------------------------------------------------


class Ends(Monkey):
    """A monkey whose match ends as its seed says."""

    def play(self, steps: int) -> Played:
        match self.seed:
            case 1:
                raise Stuck("no way out")
            case 2:
                raise AssertionError("the record scores to something else")
            case 3:
                raise KeyError("what the program raised")
            case 4:
                step = Transition(self.table.dialogue, 0)
                lead(step, Action.OK, lambda step: step.go(Phase.MATCH_OVER))  # the program's own
        return Played(self.seed, steps, 4, 2, 1, 3, 0, frozenset(), frozenset({MenuKind.MENU}))


def ended(seed: int) -> Played | Failed:
    return monkeys.play_one(seed, Ends)


def test_what_goes_wrong_with_a_match_is_told_apart_and_the_run_goes_on() -> None:
    said: list[str] = []
    tally = monkeys.count(map(ended, range(6)), said.append)
    assert tally.wrong == {Wrong.DEAD_END: 1, Wrong.DIFFERENCE: 1, Wrong.EXCEPTION: 2}
    assert [each.split(":")[0] for each in said] == ["seed 1", "seed 2", "seed 3", "seed 4"]
    assert all("Traceback" in each for each in said)
    assert str(tally).startswith(
        "6 matches: 2 exceptions, 1 dead ends, "
        "1 differences between record, live state and restart; 8 lines entered, "
        "0 by themselves, 4 boards ended"
    )


@pytest.mark.parametrize("processes", thinned(["1", "2"], {"2"}))
def test_many_matches_are_one_command_that_ends_with_what_it_found(processes: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.dialogue.monkeys", "--matches", "2",
         "--processes", processes],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("2 matches: 0 exceptions, 0 dead ends, 0 differences")
