"""Lots that anybody can draw again: by a seed that is shown, and with families and clubs apart."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

import networkx  # matchings in graphs; long kept, in Debian, pure Python

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
    """Deal entrants to places, one to each at most; return the place of each.

    The sum of ``cost``, of an entrant at a place, is the least there is; among such ways it is
    the one nearest to ``places`` in their order. There are at least as many places as entrants.
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


def _assigned(weights: Sequence[Sequence[int]]) -> list[int]:
    """Give each row a column of its own at the least sum of weights, and return them.

    The Hungarian method with shortest paths: rows come one after the other, and each takes the
    cheapest way to a column that is free, in prices that keep every earlier row content.
    """
    wide = len(weights[0])
    row_price, price = [0] * len(weights), [0] * wide
    owner: list[int | None] = [None] * wide
    for start in range(len(weights)):
        row, left = start, set(range(wide))
        dear: dict[int, tuple[int, int | None]] = {}  # the way to a column: its price, and by which
        by: int | None = None
        trodden: list[int] = []
        while True:
            paid = weights[row]
            for at in left:
                more = paid[at] - row_price[row] - price[at]
                if at not in dear or more < dear[at][0]:
                    dear[at] = more, by
            by = min(left, key=lambda at: (dear[at][0], at))
            step = dear[by][0]
            row_price[start] += step
            for at in trodden:
                held = owner[at]
                assert held is not None
                row_price[held] += step
                price[at] -= step
            left.discard(by)
            for at in left:
                dear[at] = dear[at][0] - step, dear[at][1]
            trodden.append(by)
            held = owner[by]
            if held is None:
                break
            row = held
        while by is not None:
            before = dear[by][1]
            owner[by] = start if before is None else owner[before]
            by = before
    found = [0] * len(weights)
    for at, held in enumerate(owner):
        if held is not None:
            found[held] = at
    return found


def paired(members: Sequence[T], cost: Callable[[T, T], int]) -> list[tuple[T, T]]:
    """Pair all members, whose number is even, at the least sum of ``cost``.

    Among such ways neighbours are paired. The pairs come in the order of their first members.
    """
    graph: networkx.Graph[int] = networkx.Graph()
    far = len(members) ** 2 + 1
    for one, two in combinations(range(len(members)), 2):
        weight = -cost(members[one], members[two]) * far - (two - one)
        graph.add_edge(one, two, weight=weight)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(members[one], members[two]) for one, two in sorted(map(sorted, matched))]
