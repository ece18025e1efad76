"""All against all: Berger tables, and groups of them.

Berger's tables (FIDE Handbook C.05, annex 1) let everybody open about as often as the other side
does. Nobody waits: in each round everybody plays, except one if the number is odd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from jackspot_hub.event.fixtures import Drawing
from jackspot_hub.event.lots import dealt


@lru_cache
def berger(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rounds of ``count`` entrants from 0: who opens, and against whom.

    If ``count`` is odd, one of them is missing in each round.
    """
    even = count + count % 2
    last, half = even - 1, even // 2
    rounds = []
    for number in range(last):
        at = number * half % last
        pairs = [(last, at) if number % 2 else (at, last)]
        pairs += [((at + step) % last, (at - step) % last) for step in range(1, half)]
        rounds.append(tuple(pair for pair in pairs if max(pair) < count))
    return tuple(rounds)


def all_against_all(
    drawing: Drawing, name: str, entrants: Sequence[int], *, cycles: int = 1
) -> None:
    """Draw rounds in which each meets each; in a second cycle the other one opens."""
    rounds = berger(len(entrants))
    for cycle in range(cycles):
        for number, pairs in enumerate(rounds, start=cycle * len(rounds) + 1):
            for at, (one, two) in enumerate(pairs, start=1):
                opens, other = (two, one) if cycle % 2 else (one, two)
                key = f"{name}-{number}-{at}"
                drawing.meet(key, number, entrants[opens], entrants[other])


def groups(
    entrants: Sequence[int], count: int, kept_apart: Mapping[int, str] | None = None
) -> list[list[int]]:
    """Divide entrants in the order of their seeds into groups of similar strength and size.

    The first ``count`` seeds each lead a group, the next are dealt back in the other direction, and
    so on. ``kept_apart`` is a club or a family by entrant: those of one go to different groups if
    possible, each still among those of the same row.
    """
    found: list[list[int]] = [[] for _ in range(count)]
    clubs = kept_apart or {}

    def mates(entrant: int, group: int) -> int:
        own = clubs.get(entrant)
        return sum(own is not None and clubs.get(each) == own for each in found[group])

    for row in range(0, len(entrants), count):
        order = list(range(count))
        if row // count % 2:
            order.reverse()
        for entrant, group in dealt(entrants[row : row + count], order, mates).items():
            found[group].append(entrant)
    return found
