"""Lots that anybody can draw again: by a published seed, and with families and clubs apart."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

import networkx  # graph matchings; long maintained, in Debian, pure Python
from msgspec import Struct

T = TypeVar("T")


def lot(seed: str, entrant: int) -> str:
    """Return the lot of an entrant: the SHA-256 of seed, blank and number, in hexadecimal.

    The smallest is drawn first. ``printf 'SEED 12' | sha256sum`` gives the same.
    """
    return hashlib.sha256(f"{seed} {entrant}".encode()).hexdigest()


def drawn(seed: str, entrants: Iterable[int]) -> list[int]:
    """Return entrants in the order in which their lots are drawn."""
    return sorted(entrants, key=lambda each: lot(seed, each))


def dealt(
    dealing: Sequence[int], places: Sequence[int], cost: Callable[[int, int], int]
) -> dict[int, int]:
    """Assign entrants to places, at most one to each place; return the place of each.

    The sum of ``cost``, of an entrant at a place, is minimal. Among such assignments it is the one
    nearest to ``places`` in their order. There are at least as many places as entrants.
    """
    straight = dict(zip(dealing, places, strict=False))
    if not any(cost(entrant, place) for entrant, place in straight.items()):
        return straight
    far = len(places) * len(places) * len(dealing) + 1
    weights = [
        [cost(entrant, place) * far + (at - nth) ** 2 for nth, place in enumerate(places)]
        for at, entrant in enumerate(dealing)
    ]
    return {each: places[nth] for each, nth in zip(dealing, _assigned(weights), strict=True)}


class _Assigning(Struct):
    """An assignment while it is computed: the prices of rows and columns, and who owns which."""

    weights: Sequence[Sequence[int]]
    row_price: list[int]
    price: list[int]
    owner: list[int | None]

    def seat(self, start: int) -> None:
        """Let a row take the cheapest way to a free column, past rows that move on."""
        row, left = start, set(range(len(self.price)))
        ways: dict[
            int, tuple[int, int | None]
        ] = {}  # to each column: what it costs, and past which
        by: int | None = None
        moved: list[tuple[int, int]] = []
        while True:
            for at in left:
                more = self.weights[row][at] - self.row_price[row] - self.price[at]
                if at not in ways or more < ways[at][0]:
                    ways[at] = more, by
            by = min(left, key=lambda at: (ways[at][0], at))
            step = ways[by][0]
            self._raise(step, [(start, None), *moved])
            left.discard(by)
            ways.update((at, (ways[at][0] - step, ways[at][1])) for at in left)
            held = self.owner[by]
            if held is None:
                break
            moved.append((held, by))
            row = held
        while by is not None:
            before = ways[by][1]
            self.owner[by] = start if before is None else self.owner[before]
            by = before

    def _raise(self, step: int, rows: Iterable[tuple[int, int | None]]) -> None:
        for row, column in rows:
            self.row_price[row] += step
            if column is not None:
                self.price[column] -= step


def _assigned(weights: Sequence[Sequence[int]]) -> list[int]:
    """Give each row a column of its own at the minimal sum of weights, and return them.

    The Hungarian method: rows are added one by one, and each takes the cheapest way to a free
    column, at prices with which every earlier row stays content.
    """
    wide = len(weights[0])
    so_far = _Assigning(weights, [0] * len(weights), [0] * wide, [None] * wide)
    for row in range(len(weights)):
        so_far.seat(row)
    at = {row: column for column, row in enumerate(so_far.owner)}
    return [at[row] for row in range(len(weights))]


def paired(members: Sequence[T], cost: Callable[[T, T], int]) -> list[tuple[T, T]]:
    """Pair all members, whose number is even, at the minimal sum of ``cost``.

    Among such pairings neighbours are paired. The pairs are in the order of their first members.
    """
    graph: networkx.Graph[int] = networkx.Graph()
    far = len(members) ** 2 + 1
    for one, two in combinations(range(len(members)), 2):
        weight = -cost(members[one], members[two]) * far - (two - one)
        graph.add_edge(one, two, weight=weight)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(members[one], members[two]) for one, two in sorted(map(sorted, matched))]
