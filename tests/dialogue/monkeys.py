"""Many matches of the monkey in one run: ``make monkey``, or ``python -m tests.dialogue.monkeys``.

A match that goes wrong is counted as what it is, named with its seed, and the run goes on: an
exception that the program raised, a dead end, or a difference between the record, the live state
and what a power cut brings back. The status is 1 where there was any.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import click
from msgspec import Struct, field

from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.dialogue.state.menu_kinds import MenuKind
from tests.dialogue.monkey import EVERY_BOX, Monkey, Played, Stuck

_logger = logging.getLogger(__name__)

STEPS = 60
"""How many things the monkey does in one match."""
TESTS = Path(__file__).resolve().parents[1]
SAID_EACH = 100
"""The run reports its progress each time it has played this many matches."""


class Wrong(StrEnum):
    """What can be wrong with a match."""

    EXCEPTION = "exceptions"
    DEAD_END = "dead ends"
    DIFFERENCE = "differences between record, live state and restart"


class Failed(Struct, frozen=True):
    """A match that went wrong, by its seed, with the end of its traceback."""

    seed: int
    what: Wrong
    trace: str


class Tally(Struct):
    """The outcome of many matches."""

    matches: int = 0
    entered: int = 0
    alone: int = 0
    boards: int = 0
    cuts: int = 0
    longest_way_out: int = 0
    wrong: Counter[Wrong] = field(default_factory=Counter)
    lists: set[MenuKind] = field(default_factory=set)

    def add(self, each: Played | Failed) -> None:
        """Count one match."""
        self.matches += 1
        if isinstance(each, Failed):
            self.wrong[each.what] += 1
            return
        self.entered += each.entered
        self.alone += each.alone
        self.boards += each.boards
        self.cuts += each.cuts
        self.longest_way_out = max(self.longest_way_out, each.longest_way_out)
        self.lists |= each.lists

    def __str__(self) -> str:
        """Return the tally in one line."""
        found = ", ".join(f"{self.wrong[each]} {each}" for each in Wrong)
        return (
            f"{self.matches:,} matches: {found}; {self.entered:,} lines entered, "
            f"{self.alone:,} by themselves, "
            f"{self.boards:,} boards ended, {self.cuts:,} power cuts, "
            f"at most {self.longest_way_out} presses out, "
            f"{len(self.lists)} of {len(MenuKind)} lists opened"
        )


def any_monkey(seed: int, hands: Assistance | None = None) -> Monkey:
    """Return a monkey with any box; every other one plays in a hall."""
    return Monkey(seed, boxes=EVERY_BOX, in_hall=seed % 2 == 1, hands=hands)


def play_one(seed: int, make: Callable[[int], Monkey] | None = None) -> Played | Failed:
    """Play one match, checking it after each step; return the outcome."""
    try:
        return (make(seed) if make else any_monkey(seed)).play(STEPS)
    except Exception as error:
        _logger.info("seed %d went wrong", seed, exc_info=True)
        return Failed(seed, wrong_by(error), traceback.format_exc())


def wrong_by(error: Exception) -> Wrong:
    """Return what an exception means; an assertion of the program is not a check of the tests."""
    last = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
    if isinstance(error, Stuck):
        return Wrong.DEAD_END
    if isinstance(error, AssertionError) and TESTS in last.parents:
        return Wrong.DIFFERENCE
    return Wrong.EXCEPTION


def count(played: Iterable[Played | Failed], say: Callable[[str], None]) -> Tally:
    """Count matches as they come, and report at once what is wrong."""
    tally, begun_s = Tally(), time.monotonic()
    for each in played:
        tally.add(each)
        if isinstance(each, Failed):
            say(f"seed {each.seed}: {each.what}\n{each.trace}")
        if tally.matches % SAID_EACH == 0:
            say(f"{time.monotonic() - begun_s:,.0f} s: {tally}")
    return tally


def play_all(
    seeds: Iterable[int], processes: int, hands: Assistance | None = None
) -> Iterator[Played | Failed]:
    """Play a match for each seed, in order if there is one process."""
    play = partial(play_one, make=partial(any_monkey, hands=hands))
    if processes == 1:
        yield from map(play, seeds)
        return
    with Pool(processes) as pool:
        yield from pool.imap_unordered(play, seeds, chunksize=4)


@click.command(help=__doc__)
@click.option("--matches", default=10_000, show_default=True, help="How many.")
@click.option("--first", default=1_000_000, show_default=True, help="The seed of the first one.")
@click.option("--processes", default=1, show_default=True, help="How many play side by side.")
@click.option(
    "--hands", type=click.Choice([e.value for e in Assistance]), help="Boards with discs."
)
def main(matches: int, first: int, processes: int, hands: str | None) -> None:
    """Play, and exit with 1 if anything was wrong."""
    logging.disable()
    helps = None if hands is None else Assistance(hands)
    tally = count(play_all(range(first, first + matches), processes, helps), click.echo)
    click.echo(str(tally))
    sys.exit(1 if tally.wrong.total() else 0)


if __name__ == "__main__":
    main()
