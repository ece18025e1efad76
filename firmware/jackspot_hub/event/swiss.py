"""Swiss rounds: each meets somebody of similar strength whom they have not met yet.

A round is a maximum-weight matching in a graph of those who may meet (networkx, Edmonds' blossoms).
The criteria, in this order:

- Nobody meets twice, nor meets somebody whom they meet in a later round that is called already.
- Those who meet differ by few points.
- The one who waits has not waited before, and has few points.
- Those of one club, or family, do not meet.
- The upper half meets the lower half among those who are tied.
- Those who have opened more often open less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import networkx
from msgspec import Struct, field

from jackspot_hub.event.fixtures import Drawing, Fixture, PlayedMatch, There, Waits, pinned_in

NOBODY = -1
"""The opponent of an entrant who waits."""
A_POINT = 10**9
"""Cost of a point between those who meet; their order in the standing costs far less."""
OF_ONE_CLUB = 10**6
"""Less than a point for a whole round together, and more than the order in the standing."""
ONCE_MORE = 10**18
NEAR = 16
"""This many behind one in the standing are first candidates, or half of those who are tied if that
is more; if that fails, all."""


class _Past(Struct):
    """The outcome of earlier rounds, and the clubs of those who are in one."""

    clubs: Mapping[int, str] = field(default_factory=dict)
    wins: Counter[int] = field(default_factory=Counter)
    met: set[frozenset[int]] = field(default_factory=set)
    opened: Counter[int] = field(default_factory=Counter)

    def take(self, each: PlayedMatch) -> None:
        self.met.add(frozenset(each.sides))
        self.opened[each.sides[0]] += 1
        self.opened[each.sides[1]] -= 1
        if each.outcome is not None:
            winner = each.winner()
            if winner is not None:
                self.wins[winner] += 2
            elif each.outcome.is_level:
                self.wins.update(each.sides)

    def wait(self, entrant: int) -> None:
        self.met.add(frozenset((entrant, NOBODY)))
        self.wins[entrant] += 2


def swiss(
    drawing: Drawing, name: str, rounds: int, there_in: There,
    clubs: Mapping[int, str] | None = None,
) -> tuple[tuple[Waits, ...], bool]:  # fmt: skip
    """Draw rounds as far as possible: each once everything of the one before is over.

    ``clubs`` is a club or a family by entrant. Returns who waits, and whether all rounds are over.
    """
    past, waiting = _Past(clubs or {}), []
    pins = {at: pinned_in(drawing, f"{name}-{at}-") for at in range(1, rounds + 1)}
    for number, pinned in pins.items():
        there = there_in(number)
        key = f"{name}-{number}-"
        free = _free(there, pinned)
        called_later = {at: pins[at] for at in range(number + 1, rounds + 1) if pins[at]}
        pairs, alone = _paired(past, free, _meetings(called_later, there_in))
        unused = (f"{key}{at}" for at in range(1, len(there) + 1) if f"{key}{at}" not in pinned)
        fresh = [Fixture(at, number, pair) for at, pair in zip(unused, pairs, strict=False)]
        drawing.fixtures += [Fixture(at, number, each.sides) for at, each in pinned.items()]
        drawing.fixtures += fresh
        if alone is not None:
            waiting.append(Waits(number, alone))
            past.wait(alone)
        if fresh or any(each.outcome is None for each in pinned.values()):
            drawing.fixtures += [  # played, though an earlier one is not over
                Fixture(at, later, each.sides)
                for later, known in called_later.items() for at, each in known.items()
            ]  # fmt: skip
            return tuple(waiting), False
        for each in pinned.values():
            past.take(each)
    return tuple(waiting), True


def _free(there: Sequence[int], pinned: Mapping[str, PlayedMatch]) -> list[int]:
    """Return those in a round who are called to none of its matches."""
    called = {side for each in pinned.values() for side in each.sides}
    return [each for each in there if each not in called]


def _meetings(
    called: Mapping[int, Mapping[str, PlayedMatch]], there_in: There
) -> set[frozenset[int]]:
    """Return who meets in rounds that are called, and who waits, if that is only one."""
    found = {frozenset(each.sides) for pinned in called.values() for each in pinned.values()}
    for number, pinned in called.items():
        match _free(there_in(number), pinned):
            case [alone]:
                found.add(frozenset((alone, NOBODY)))
    return found


def _paired(
    past: _Past, free: Sequence[int], later: set[frozenset[int]]
) -> tuple[list[tuple[int, int]], int | None]:
    """Pair all who are free, the best first; return the pairs, the opener first, and who waits.

    ``later`` is who meets in later rounds, which are called already.
    """
    ranked = sorted(free, key=lambda each: -past.wins[each])
    if len(ranked) % 2:
        ranked.append(NOBODY)
    met = past.met | later
    tied = max(Counter(past.wins[each] for each in free).values(), default=0)
    mates = _mates(past, met, ranked, max(NEAR, tied // 2 + 1))
    if 2 * len(mates) < len(ranked):
        mates = _mates(past, met, ranked, len(ranked))
    if 2 * len(mates) < len(ranked):
        mates = _mates(past, met, ranked, len(ranked), again=True)
    at = {entrant: place for place, entrant in enumerate(ranked)}
    alone: int | None = None
    pairs: list[tuple[int, int]] = []
    for mated in mates:
        one, two = sorted(mated, key=lambda each: (past.opened[each], at[each]))
        if NOBODY in mated:
            alone = two if one == NOBODY else one
        else:
            pairs.append((one, two))
    return sorted(pairs, key=lambda pair: min(at[pair[0]], at[pair[1]])), alone


def _mates(
    past: _Past, met: set[frozenset[int]], ranked: Sequence[int], near: int, *, again: bool = False
) -> Collection[tuple[int, int]]:
    """Match as many as possible, each with one of the next ``near``; ``again``: even once more."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(ranked)
    halves = _halves(past, ranked)
    for at, one in enumerate(ranked):
        behind = ranked[at + 1 : at + 1 + near]
        candidates = behind if NOBODY in behind or NOBODY not in ranked else [*behind, NOBODY]
        for other in candidates:
            once_more = frozenset((one, other)) in met
            if once_more and not again:
                continue
            cost = _cost(past, halves, one, other, len(ranked) - at) + once_more * ONCE_MORE
            graph.add_edge(one, other, weight=-cost)
    matched: Collection[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return matched


def _halves(past: _Past, ranked: Sequence[int]) -> dict[int, int]:
    """Return each one's number within their half of those who are tied."""
    halves: dict[int, int] = {}
    level: dict[int, list[int]] = {}
    for each in (each for each in ranked if each != NOBODY):
        level.setdefault(past.wins[each], []).append(each)
    for members in level.values():
        half = max(len(members) // 2, 1)
        halves |= {each: place % half for place, each in enumerate(members)}
    return halves


def _cost(past: _Past, halves: dict[int, int], one: int, other: int, behind: int) -> int:
    """Return the cost of a meeting; ``behind`` is how many are behind the first of them."""
    if other == NOBODY:
        return past.wins[one] ** 2 * A_POINT + behind
    apart = abs(past.wins[one] - past.wins[other])
    same = past.opened[one] == past.opened[other] != 0
    club = past.clubs.get(one)
    mates = club is not None and club == past.clubs.get(other)
    return (
        apart**2 * A_POINT + mates * OF_ONE_CLUB
        + abs(halves[one] - halves[other]) ** 2 + 50 * same
    )  # fmt: skip
