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
    graph: networkx.Graph[tuple[str, int]] = networkx.Graph()
    for at, entrant in enumerate(dealing):
        for nth, place in enumerate(places):
            weight = -cost(entrant, place) * far - (at - nth) ** 2
            graph.add_edge(("entrant", entrant), ("place", place), weight=weight)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = (sorted(pair) for pair in matched)  # "entrant" before "place"
    found = {entrant: place for (_entrant, entrant), (_place, place) in pairs}
    return {entrant: found[entrant] for entrant in dealing}


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
