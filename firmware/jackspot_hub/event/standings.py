"""Standings: who is before whom, and what decided it.

Tie-breaks are applied one after the other, each only among those who are tied in all before it. The
order is the organiser's; the usual one ends with a lot, so that nobody stays tied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain, combinations

from msgspec import Struct

from jackspot.values import changed
from jackspot_hub.event.fixtures import PlayedMatch, members
from jackspot_hub.event.lots import drawn


class TieBreak(StrEnum):
    """What may decide between entrants; more is better, except for a lot."""

    WINS = "wins"
    """A win counts two, a tied match one."""
    MEETING = "meeting"
    """Wins in the matches between those who are tied, if each of them has met each."""
    DIFFERENCE = "difference"
    """Own points minus the opponents'."""
    POINTS = "points"
    JACK = "jack"
    """Wins by the jack, or the queen."""
    OPPONENTS = "opponents"
    """The wins of all opponents, counted as wins are (Buchholz)."""
    LOT = "lot"
    """The number of the lot drawn by the published seed, from 1: less is better."""


USUAL = (
    TieBreak.WINS, TieBreak.MEETING, TieBreak.DIFFERENCE, TieBreak.POINTS, TieBreak.JACK,
    TieBreak.LOT,
)  # fmt: skip
"""Used until an organiser says otherwise."""


IN_HALVES = (TieBreak.WINS, TieBreak.MEETING, TieBreak.OPPONENTS)
"""Tie-breaks in which a win counts two, so that a tied match can count one."""


class WinTally(Struct, frozen=True):
    """The totals of an entrant."""

    played: int = 0
    won: int = 0
    level: int = 0
    points: int = 0
    against: int = 0
    by_jack: int = 0
    waited: int = 0
    """This many of its wins are rounds in which it waited and did not play."""

    @property
    def wins(self) -> int:
        """Count a win as two, a tied match as one."""
        return 2 * self.won + self.level


class Decided(Struct, frozen=True):
    """What put an entrant behind the one before: a tie-break, and its values for both."""

    by: TieBreak
    before: int
    own: int


class RankedEntrant(Struct, frozen=True):
    """An entrant's place from 1. ``decided`` is None for the first, and for a tied one."""

    place: int
    entrant: int
    tally: WinTally
    decided: Decided | None


def standings(
    entrants: Sequence[int], played: Iterable[PlayedMatch], order: Sequence[TieBreak] = USUAL,
    *, seed: str = "", byes: Iterable[int] = (),
) -> tuple[RankedEntrant, ...]:  # fmt: skip
    """Rank entrants by what they have played against each other; others' matches do not count.

    ``byes`` names those who have waited, once for each round: it counts as a win.
    """
    own = set(entrants)
    over = [
        each for each in played
        if each.outcome is not None and own.issuperset(chain(*map(members, each.sides)))
    ]  # fmt: skip
    found = _Found(tallies(entrants, over), over, drawn(seed, entrants))
    for entrant in byes:
        tally = found.tallies[entrant]
        found.tallies[entrant] = changed(tally, won=tally.won + 1, waited=tally.waited + 1)
    ranked: list[RankedEntrant] = []
    for places in _ranked(found, list(entrants), tuple(order)):
        for entrant, decided in places:
            level = ranked and decided is None
            place = ranked[-1].place if level else len(ranked) + 1
            ranked.append(RankedEntrant(place, entrant, found.tallies[entrant], decided))
    return tuple(ranked)


def tallies(entrants: Iterable[int], played: Iterable[PlayedMatch]) -> dict[int, WinTally]:
    """Return the totals of each entrant."""
    counts: dict[int, list[int]] = {entrant: [0] * 6 for entrant in entrants}
    for each in played:
        outcome = each.outcome
        if outcome is None:
            continue
        for at, side in enumerate(each.sides):
            won = outcome.winner == at
            added = (
                1, won, outcome.is_level, outcome.points[at], outcome.points[1 - at],
                won and outcome.by_jack,
            )  # fmt: skip
            for entrant in members(side):
                if entrant in counts:
                    counts[entrant] = [a + b for a, b in zip(counts[entrant], added, strict=True)]
    return {entrant: WinTally(*numbers) for entrant, numbers in counts.items()}


class _Found(Struct, frozen=True):
    tallies: dict[int, WinTally]
    over: Sequence[PlayedMatch]
    lots: Sequence[int]


_Places = list[tuple[int, Decided | None]]


def _ranked(found: _Found, level: list[int], order: tuple[TieBreak, ...]) -> list[_Places]:
    """Rank those who are tied so far; what came before decides the first of them."""
    if len(level) == 1 or not order:
        return [[(entrant, None) for entrant in level]]
    values = _VALUES[order[0]](found, level)
    shares: defaultdict[int, list[int]] = defaultdict(list)
    for entrant in level:
        shares[values[entrant]].append(entrant)
    ranked: list[_Places] = []
    before: int | None = None
    for value in sorted(shares, reverse=order[0] is not TieBreak.LOT):
        within = _ranked(found, shares[value], order[1:])
        if before is not None:
            first, _level = within[0][0]
            within[0][0] = (first, Decided(order[0], before, value))
        ranked += within
        before = value
    return ranked


def _meeting(found: _Found, level: list[int]) -> Mapping[int, int]:
    """Count wins among those who are tied; 0 for all if they have not all met."""
    among = [each for each in found.over if set(level).issuperset(each.sides)]
    met = {frozenset(each.sides) for each in among}
    if any(frozenset(pair) not in met for pair in combinations(level, 2)):
        return dict.fromkeys(level, 0)
    return {entrant: tally.wins for entrant, tally in tallies(level, among).items()}


def _opponents(found: _Found, level: list[int]) -> Mapping[int, int]:
    sums = dict.fromkeys(level, 0)
    for each in found.over:
        for own, others in (each.sides, each.sides[::-1]):
            wins = sum(found.tallies[other].wins for other in members(others))
            for entrant in members(own):
                if entrant in sums:
                    sums[entrant] += wins
    return sums


def _of_tally(value: Callable[[WinTally], int]) -> Callable[[_Found, list[int]], Mapping[int, int]]:
    return lambda found, level: {each: value(found.tallies[each]) for each in level}


_VALUES: Mapping[TieBreak, Callable[[_Found, list[int]], Mapping[int, int]]] = {
    TieBreak.WINS: _of_tally(lambda tally: tally.wins),
    TieBreak.MEETING: _meeting,
    TieBreak.DIFFERENCE: _of_tally(lambda tally: tally.points - tally.against),
    TieBreak.POINTS: _of_tally(lambda tally: tally.points),
    TieBreak.JACK: _of_tally(lambda tally: tally.by_jack),
    TieBreak.OPPONENTS: _opponents,
    TieBreak.LOT: lambda found, level: {each: found.lots.index(each) + 1 for each in level},
}
