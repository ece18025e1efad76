"""Drawn partners: each round everybody who is there gets another partner and other opponents.

Four play at a board, two against two; or three, one against two. People come and go between rounds.
Each counts their own wins and points, whoever they won them with. The draw does not depend on how
matches end, only on who is there, on their clubs and on earlier rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, product

from msgspec import Struct

from jackspot_hub.event.fixtures import (
    Drawing,
    Fixture,
    There,
    Waits,
    entrants_of,
    members,
    pinned_in,
    side_of,
)
from jackspot_hub.event.lots import drawn, paired

PARTNERS_AGAIN = 10**6
"""Cost of two being partners once more than necessary."""
OPPONENTS_AGAIN = 10**4
OF_ONE_CLUB = 1
"""Less than one more meeting, for a whole round together."""
NEVER = 10**9

Team = tuple[int, ...]
"""One who plays alone, or two who are partners."""
Clubs = Mapping[int, str]
"""A club or a family by entrant, of those who are in one."""


class PartnersRound(Struct, frozen=True):
    """One round: who plays against whom at each board, and who waits."""

    boards: tuple[tuple[Team, Team], ...]
    waits: tuple[int, ...] = ()


def partners(
    drawing: Drawing, name: str, rounds: int, there_in: There,
    *, at_a_board: int = 4, seed: str = "", clubs: Clubs | None = None,
) -> tuple[Waits, ...]:  # fmt: skip
    """Draw rounds as far as possible: each once everything of the one before is over.

    If some matches of a round were called already, the others are drawn. ``clubs`` is a club or a
    family by entrant. Returns who waits.
    """
    before: list[PartnersRound] = []
    waiting: list[Waits] = []
    for number in range(1, rounds + 1):
        there = there_in(number)
        key = f"{name}-{number}-"
        pinned = pinned_in(drawing, key)
        called = set(entrants_of(side for each in pinned.values() for side in each.sides))
        free = [each for each in there if each not in called]
        draw = drawn_threes if at_a_board == 3 else drawn_partners
        new = draw(free, before, seed=seed, clubs=clubs)
        unused = (f"{key}{at}" for at in range(1, len(there) + 2) if f"{key}{at}" not in pinned)
        fresh = [
            Fixture(at, number, (side_of(one), side_of(two)))
            for at, (one, two) in zip(unused, new.boards, strict=False)
        ]
        drawing.fixtures += [Fixture(at, number, each.sides) for at, each in pinned.items()]
        drawing.fixtures += fresh
        waiting += [Waits(number, each) for each in new.waits]
        if fresh or any(each.outcome is None for each in pinned.values()):
            for later in range(number + 1, rounds + 1):  # played, though an earlier one is not over
                drawing.fixtures += [
                    Fixture(at, later, each.sides)
                    for at, each in pinned_in(drawing, f"{name}-{later}-").items()
                ]
            break
        as_called = ((members(one), members(two)) for one, two in
                     (each.sides for each in pinned.values()))  # fmt: skip
        before.append(PartnersRound(tuple(as_called), new.waits))
    return tuple(waiting)


def drawn_partners(
    there: Sequence[int], before: Sequence[PartnersRound], *, seed: str, clubs: Clubs | None = None
) -> PartnersRound:
    """Draw the next round of those who are there, four at a board.

    Those who have waited least so far wait, at most three. As few as possible have a partner again,
    and, of such draws, as few as possible one of their own club; then the same for opponents. The
    lot of ``seed`` and the round's number decides the rest.
    """
    lots = drawn(f"{seed} {len(before) + 1}", there)
    waited = Counter(each for played in before for each in played.waits)
    by_turn = sorted(lots, key=lambda each: waited[each])
    waits = tuple(by_turn[: len(lots) % 4])
    met = _Met(before, clubs or {})
    pairs = paired([each for each in lots if each not in waits], met.as_partners)
    return PartnersRound(tuple(paired(pairs, met.as_opponents)), waits)


def drawn_threes(
    there: Sequence[int], before: Sequence[PartnersRound], *, seed: str, clubs: Clubs | None = None
) -> PartnersRound:
    """Draw the next round of those who are there, three at a board: one alone against two.

    If their number is no multiple of three, one or two boards of two take the rest, so that nobody
    waits except somebody who is there alone. Those who have done so least play in twos, and alone
    against two.
    """
    lots = drawn(f"{seed} {len(before) + 1}", there)
    if len(lots) < 2:
        return PartnersRound((), tuple(lots))
    in_twos, alone = _seated(before)
    twos = {0: 0, 1: 4, 2: 2}[len(lots) % 3]
    by_turn = sorted(lots, key=lambda each: (alone[each], -in_twos[each]))
    ones, others = by_turn[: (len(lots) - twos) // 3], by_turn[(len(lots) - twos) // 3 :]
    rest = sorted(others, key=lambda each: in_twos[each])
    met = _Met(before, clubs or {})
    two = paired([(each,) for each in rest[:twos]], met.as_opponents)
    teams: list[Team] = [*((each,) for each in ones), *paired(rest[twos:], met.as_partners)]
    three = paired(teams, lambda a, b: NEVER if len(a) == len(b) else met.as_opponents(a, b))
    boards = [(min(pair, key=len), max(pair, key=len)) for pair in three]
    return PartnersRound((*boards, *two))


def _seated(before: Iterable[PartnersRound]) -> tuple[Counter[int], Counter[int]]:
    """Count how often each has played in twos, and alone against two."""
    in_twos: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for played in before:
        for one, two in played.boards:
            if len(one) == len(two) == 1:
                in_twos.update((*one, *two))
            elif len(one) == 1:
                alone.update(one)
    return in_twos, alone


class _Met:
    """How often people were partners and opponents, and who is of one club."""

    def __init__(self, before: Iterable[PartnersRound], clubs: Clubs) -> None:
        self._clubs = clubs
        self._partners: Counter[frozenset[int]] = Counter()
        self._opponents: Counter[frozenset[int]] = Counter()
        for one, two in chain.from_iterable(played.boards for played in before):
            self._partners.update(map(frozenset, (one, two)))
            self._opponents.update(map(frozenset, product(one, two)))

    def as_partners(self, one: int, two: int) -> int:
        """Return the cost of two as partners."""
        again = self._partners[frozenset((one, two))] ** 2 * PARTNERS_AGAIN
        return again + self._of_one_club(one, two)

    def as_opponents(self, one: Team, two: Team) -> int:
        """Return the cost of two teams against each other."""
        pairs = list(product(one, two))
        again = sum(self._opponents[frozenset(pair)] ** 2 for pair in pairs) * OPPONENTS_AGAIN
        return again + sum(self._of_one_club(*pair) for pair in pairs)

    def _of_one_club(self, one: int, two: int) -> int:
        own = self._clubs.get(one)
        return OF_ONE_CLUB if own is not None and own == self._clubs.get(two) else 0
