"""The Bayes ceiling: the best anybody could read out of the falls of a stroke.

For the falls of one stroke this computes the probability of everything that can have fallen,
exactly and from the generator's own chances and densities: it knows who plays and how deep the
beam is, which no board does. Naming the likeliest is then the best that is possible; how often
that is right is the ceiling that readings are measured against.

Two things keep it exact:

- Every passage is one fall (see :mod:`jackspot_sim.traffic.passing`), so what was sensed can be
  taken apart in few ways. All of them are summed: which outcome, in which order, which pieces the
  beams missed, which two went through at once, whether the last falls were a hand after the
  striker.
- People press by plans that depend on whether and when something was sensed, never on what it was.
  Before the first reading is shown, presses therefore say nothing more about the pieces, and the
  ceiling given falls and state is also the one given the presses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import DEPTH_MM, BeamPassage, Outcome, PieceRole, Strength
from jackspot_sim.traffic.passing import (
    APART_NS,
    Passage,
    density_of_one,
    density_of_two,
    widths_of,
)
from jackspot_sim.traffic.shots import (
    OUTCOMES,
    Stand,
    order_chances,
    outcome_chances,
    pocket_chance,
)

Content = tuple[tuple[Piece, Pocket], ...]
"""What fell where; the order does not count, since no rule of hikone or icf asks for it."""

MOST_AT_ONCE = 2
MOST_HAND_FALLS = 2


def content_of(departures: Sequence[Departure]) -> Content:
    """Return what fell where, in one fixed order; pieces that flew off are left out."""
    found = [(each.piece, each.pocket) for each in departures if each.pocket is not None]
    return tuple(sorted(found))


class _Sensed(Struct, frozen=True):
    """The falls that pieces made, with the density of each for every piece and every two."""

    pockets: tuple[Pocket, ...]
    densities: tuple[Mapping[tuple[PieceRole, ...], float], ...]


def posterior(
    stand: Stand, strength: Strength, falls: Sequence[Passage], depth_mm: float = DEPTH_MM
) -> Mapping[Content, float]:
    """Return the probability of everything that can have made these falls of one stroke.

    They add up to one. ValueError if nothing in the table can have made them.
    """
    found: dict[Where, float] = {}
    for by_hand in range(min(MOST_HAND_FALLS, len(falls) - 1) + 1):
        pieces, hand = falls[: len(falls) - by_hand], falls[len(falls) - by_hand :]
        density = _times(pieces) * _hand_density(pieces, hand)
        if density:
            sensed = _weighed(pieces, depth_mm, queen=stand.queen)
            for where, chance in _contents(stand, strength, sensed, hand):
                found[where] = found.get(where, 0.0) + chance * density
    total = sum(found.values())
    if not total:
        raise ValueError("expected falls of one stroke as the table describes them: none fits")
    return {
        tuple(sorted((stand.pieces[kind], pocket) for kind, pocket in where)): weight / total
        for where, weight in found.items()
    }


def best(chances: Mapping[Content, float]) -> Content:
    """Return the likeliest content, always the same among equals."""
    return min(chances, key=lambda content: (-chances[content], content))


def _weighed(passages: Sequence[Passage], depth_mm: float, *, queen: bool) -> _Sensed:
    widths = [widths_of(each.pulses) for each in passages]
    return _Sensed(
        tuple(each.pocket for each in passages),
        tuple(
            {(kind,): density_of_one(kind, each, depth_mm, queen=queen) for kind in PieceRole}
            | {
                (first, second): density_of_two(first, second, each, depth_mm, queen=queen)
                for first, second in product(PieceRole, PieceRole)
            }
            for each in widths
        ),
    )


Where = tuple[tuple[PieceRole, Pocket], ...]
Parts = tuple[tuple[PieceRole, ...], ...]
"""The pieces that each passage is made of, one or two."""


def _contents(
    stand: Stand, strength: Strength, sensed: _Sensed, hand: Sequence[Passage]
) -> Iterator[tuple[Where, float]]:
    """Return every content with its share of the density, some more than once."""
    chances = outcome_chances(stand, strength)
    after = hand[0].pocket if hand else None
    for (outcome, parts), ways in _accounts(stand.seat, sensed.pockets, after, strength):
        weight = chances.get(outcome, 0.0)
        for number, part in enumerate(parts):
            weight *= sensed.densities[number][part]
        if weight:
            for where, share in ways:
                yield where, weight * share


@lru_cache(maxsize=20_000)
def _accounts(
    seat: Seat, pockets: tuple[Pocket, ...], hand: Pocket | None, strength: Strength
) -> tuple[tuple[tuple[Outcome, Parts], tuple[tuple[Where, float], ...]], ...]:
    """List every way that pieces can have made passages in these pockets.

    For an outcome and the parts it was seen in: what lies where, each with its chance by
    everything that depends neither on how long the beams were broken nor on what is left on the
    board.
    """
    found: dict[tuple[Outcome, Parts], dict[Where, float]] = {}
    fewest, most = len(pockets), MOST_AT_ONCE * len(pockets)
    missed = table.MANNERS[BeamPassage.MISSED]
    for outcome in dict.fromkeys(each for rows in OUTCOMES.values() for each in rows):
        for (order, share), seen in product(
            order_chances(outcome).items(), _ways_to_see(len(outcome), fewest, most)
        ):
            unseen = missed ** (len(order) - len(seen))
            for units in _ways_to_fall(len(seen), fewest):
                parts = tuple(_parted([order[index] for index in seen], units))
                together = _together_chance(units, pockets)
                ways = found.setdefault((outcome, parts), {})
                for lie in _ways_to_lie(len(order), seen, units, pockets):
                    chance = share * unseen * together * _pocket_chances(order, lie, seat)
                    chance *= _hand_chance(order, lie, strength, hand)
                    where = tuple(sorted(zip(order, lie, strict=True)))
                    ways[where] = ways.get(where, 0.0) + chance
    return tuple(
        (key, tuple((where, chance) for where, chance in ways.items() if chance))
        for key, ways in found.items()
    )


@cache
def _ways_to_see(count: int, fewest: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Choose which of ``count`` pieces the beams saw, between ``fewest`` and ``most``."""
    return tuple(
        seen
        for number in range(fewest, min(count, most) + 1)
        for seen in combinations(range(count), number)
    )


@cache
def _ways_to_fall(pieces: int, passages: int) -> tuple[tuple[int, ...], ...]:
    """Share pieces out among passages in order, one or two to each."""
    sizes = product(range(1, MOST_AT_ONCE + 1), repeat=passages)
    return tuple(each for each in sizes if sum(each) == pieces)


def _parted(kinds: Sequence[PieceRole], units: Sequence[int]) -> Iterator[tuple[PieceRole, ...]]:
    """Cut pieces in order into the parts that each passage is made of."""
    index = 0
    for size in units:
        yield tuple(kinds[index : index + size])
        index += size


def _together_chance(units: Sequence[int], pockets: Sequence[Pocket]) -> float:
    """Return the chance that pieces in these pockets go singly or in twos like this."""
    chance = 1.0
    for number, size in enumerate(units):
        followed = number + 1 < len(units) and pockets[number + 1] is pockets[number]
        if size == MOST_AT_ONCE:
            chance *= table.AT_ONCE * (1.0 - table.MANNERS[BeamPassage.MISSED]) ** 2
        elif followed:
            chance *= 1.0 - table.AT_ONCE
    return chance


def _ways_to_lie(
    count: int, seen: Sequence[int], units: Sequence[int], pockets: Sequence[Pocket]
) -> Iterator[tuple[Pocket, ...]]:
    """Return each piece's pocket: that of its passage, or any if no beam saw it."""
    known = [pocket for pocket, size in zip(pockets, units, strict=True) for _ in range(size)]
    missed = [index for index in range(count) if index not in seen]
    for unseen in product(Pocket, repeat=len(missed)):
        where = dict(zip(seen, known, strict=True)) | dict(zip(missed, unseen, strict=True))
        yield tuple(where[index] for index in range(count))


def _pocket_chances(order: Outcome, pockets: Sequence[Pocket], seat: Seat) -> float:
    chance, before = 1.0, None
    for kind, pocket in zip(order, pockets, strict=True):
        chance *= pocket_chance(kind, pocket, seat, before)
        before = pocket
    return chance


def _hand_chance(
    order: Outcome, pockets: Sequence[Pocket], strength: Strength, hand: Pocket | None
) -> float:
    """Return the chance that a hand came at once for the striker, or did not."""
    hasty = table.HASTY_HAND.of(strength)
    if PieceRole.STRIKER not in order:
        return 1.0 if hand is None else 0.0
    if hand is None:
        return 1.0 - hasty
    return hasty if hand is pockets[order.index(PieceRole.STRIKER)] else 0.0


def _times(passages: Sequence[Passage]) -> float:
    """Return the density of when the falls of pieces came."""
    density = table.ROLLING.density(passages[0].start_ns)
    for index in range(1, len(passages)):
        here, before = passages[index], passages[:index]
        free_ns = max((p.end_ns + APART_NS for p in before if p.pocket is here.pocket), default=0)
        density *= table.BETWEEN.density(here.start_ns - max(before[-1].start_ns, free_ns))
    return density


def _hand_density(pieces: Sequence[Passage], hand: Sequence[Passage]) -> float:
    """Return the density of falls that a hand made after all pieces had fallen."""
    if not hand:
        return 1.0
    if any(len(each.pulses) > 1 or each.pocket is not hand[0].pocket for each in hand):
        return 0.0
    density = table.HASTY_DELAY.density(hand[0].start_ns - max(each.end_ns for each in pieces))
    density *= math.prod(table.HAND_WIDTH.density(each.pulses[0].width_ns) for each in hand)
    if len(hand) == 1:
        return density * (1.0 - table.HAND_TWICE)
    pause_ns = hand[1].start_ns - hand[0].end_ns
    return density * table.HAND_TWICE * table.HAND_PAUSE.density(pause_ns)
