"""Drawn partners: each round everybody who is there gets another partner and other opponents.

Who comes and who goes does so between rounds. Each counts their own wins and points, whoever they
won them with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from jackspot_hub.event.lots import drawn, paired

PARTNERS_AGAIN = 10**6
"""What it costs that two are partners once more than they must."""
OPPONENTS_AGAIN = 10**3


@dataclass(frozen=True, slots=True)
class FourAtABoard:
    """Two pairs at a board, each as they sit: partners face each other."""

    one: tuple[int, int]
    two: tuple[int, int]

    @property
    def players(self) -> tuple[int, int, int, int]:
        """All four, in the order of play."""
        return self.one[0], self.two[0], self.one[1], self.two[1]


@dataclass(frozen=True, slots=True)
class PartnersRound:
    """One round: who plays where, and who waits."""

    boards: tuple[FourAtABoard, ...]
    waits: tuple[int, ...] = ()


def drawn_partners(
    there: Sequence[int], before: Sequence[PartnersRound], *, seed: str
) -> PartnersRound:
    """Draw the next round of those who are there.

    Those wait who have waited least so far, at most three. As few as can be have a partner again,
    and then as few as can be an opponent; the lot of ``seed`` and the round's number decides the
    rest.
    """
    lots = drawn(f"{seed} {len(before) + 1}", there)
    waited = Counter(each for played in before for each in played.waits)
    by_turn = sorted(lots, key=lambda each: waited[each])
    left_over = len(lots) % 4
    waits = tuple(by_turn[:left_over])
    playing = [each for each in lots if each not in waits]
    partners, opponents = _met(before)
    pairs = paired(playing, lambda one, two: partners[_pair(one, two)] ** 2 * PARTNERS_AGAIN)
    boards = paired(
        pairs,
        lambda one, two: (
            sum(opponents[_pair(a, b)] ** 2 for a, b in product(one, two)) * OPPONENTS_AGAIN
        ),
    )
    return PartnersRound(tuple(FourAtABoard(one, two) for one, two in boards), waits)


def _pair(one: int, two: int) -> tuple[int, int]:
    return min(one, two), max(one, two)


def _met(before: Iterable[PartnersRound]) -> tuple[Counter[tuple[int, int]], ...]:
    """Count how often two have been partners, and opponents."""
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    for played in before:
        for board in played.boards:
            partners.update((_pair(*board.one), _pair(*board.two)))
            opponents.update(_pair(a, b) for a, b in product(board.one, board.two))
    return partners, opponents
