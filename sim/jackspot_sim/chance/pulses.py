"""What a falling piece, a hand or a finger does to a wire: the generator of edges.

Pure values and seeded chance: a duration comes from a size, a depth and a manner, never from a
clock. The edges of one happening are offsets from its beginning; the table decides who puts them
on a wire, and when.

The physics is free fall. A piece that drops from the pocket's edge is ``d`` below it after
``sqrt(2 d / g)``. A beam at depth ``d`` is therefore broken from the moment the piece's lower
side gets there until its upper side has passed: ``sqrt(2 (d + h) / g) - sqrt(2 d / g)``, ``h``
being how tall the piece is as it falls. With the beam 15 to 60 mm below the edge, a flat disc of
8 mm takes 13 to 7 ms, and one of 30 to 41 mm on edge takes 52 to 25 ms. Everything in
:data:`CHANCE` is an assumption until it has been measured on a board.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Piece
from jackspot.core.rules import has_jack
from jackspot.core.settings import RuleSystem

MS = 1_000_000

Edges = tuple[tuple[int, bool], ...]
"""(offset in nanoseconds, active) in order, alternating, the first active."""

GRAVITY_MM_S2 = 9_806.65


class Manner(StrEnum):
    """How pieces go through a pocket, or what else breaks its beam."""

    CLEAN = "clean"
    """Flat through the middle, perhaps a little tilted: one pulse a piece."""
    EDGE = "edge"
    """On edge: one long pulse a piece."""
    TUMBLING = "tumbling"
    """Turning over, its middle past the beam's axis for a moment: two pulses for one piece."""
    DOUBLE = "double"
    """All at once, one on the other: a single pulse for several pieces."""
    NOISY = "noisy"
    """Clean, with spikes on the wire before and after."""
    STUCK = "stuck"
    """The last piece stays in the beam until it is freed."""
    MISSED = "missed"
    """On edge beside the beam's axis: no pulse at all."""
    HAND = "hand"
    """No piece: a hand reaches in and comes out."""


class DiscSize(Struct, frozen=True):
    """A disc, in millimetres."""

    diameter_mm: float
    thickness_mm: float


class Chance(Struct, frozen=True):
    """The numbers of the generator that are assumed, not computed.

    Spreads are standard deviations of a logarithm: 0.08 is about 8 per cent. Ranges are drawn
    from evenly.
    """

    depth_mm: float = 30.0
    """How far below the pocket's edge the beam is."""
    speed_spread: float = 0.08
    """A piece does not drop from rest: it is slowed at the pocket's wall or pushed."""
    tilt_deg: tuple[float, float] = (0.0, 4.0)
    """How far a clean piece leans."""
    tumble_share: tuple[float, float] = (0.25, 0.45)
    """Each of the two pulses of a tumbling piece, as a share of its time on edge."""
    tumble_gap_ms: tuple[float, float] = (3.0, 12.0)
    """Between those two pulses; under 15 ms may be one piece."""
    between_ms: tuple[float, float] = (90.0, 350.0)
    """From one piece of a stroke to the next in the same pocket."""
    overlap_share: tuple[float, float] = (0.35, 0.85)
    """How far into a piece's pulse the next of a double begins."""
    spikes: tuple[int, int] = (1, 4)
    """Spikes on each side of a noisy pulse."""
    spike_ms: tuple[float, float] = (0.05, 1.2)
    """A spike's length; under 2 ms is noise."""
    spike_gap_ms: tuple[float, float] = (20.0, 60.0)
    """Between spikes, and between spikes and the piece."""
    hand_ms: tuple[float, float] = (150.0, 900.0)
    """How long fingers are in the beam."""
    hand_gap_ms: tuple[float, float] = (60.0, 400.0)
    """Between going in and coming out."""
    chatter_ms: tuple[float, float] = (0.5, 6.0)
    """From one edge of a loose contact to the next."""
    chatter_edges: int = 300
    """How many edges a loose contact makes before it rests."""
    bounces: tuple[int, int] = (0, 4)
    """Contact bounces of a button each time it goes down or up."""
    bounce_ms: tuple[float, float] = (0.05, 0.6)
    """How long a bounce, and the pause before it, lasts; all are over within 5 ms."""


CHANCE = Chance()

MANNERS: Mapping[Manner, float] = MappingProxyType(
    {Manner.CLEAN: 0.83, Manner.EDGE: 0.10, Manner.TUMBLING: 0.05, Manner.NOISY: 0.02}
)
"""How often a single piece falls in each manner, for simulated players; assumed."""

_CAROM_PUCK = DiscSize(30.0, 8.0)
_CARROM_MAN = DiscSize(31.0, 8.0)

SIZES: Mapping[bool, Mapping[Piece, DiscSize]] = MappingProxyType(
    {
        True: MappingProxyType(
            {
                Piece.RED: _CAROM_PUCK,
                Piece.GREEN: _CAROM_PUCK,
                Piece.STRIKER: _CAROM_PUCK,
                Piece.JACK: DiscSize(34.0, 8.0),
            }
        ),
        False: MappingProxyType(
            {
                Piece.WHITE: _CARROM_MAN,
                Piece.BLACK: _CARROM_MAN,
                Piece.BROWN: _CARROM_MAN,
                Piece.QUEEN: _CARROM_MAN,
                Piece.STRIKER: DiscSize(41.3, 9.0),
            }
        ),
    }
)
"""Sizes of the pieces with a jack (True) and with a queen (False).

Hikone's pucks and strikers 30 mm, its jack 34 mm; carrom men 30.2 to 31.8 by 7 to 9 mm, striker
up to 41.3 mm (laws of carrom). The thickness of Hikone's pieces is assumed.
"""


def size_of(piece: Piece, rules: RuleSystem) -> DiscSize:
    """Return a piece's size in a rule system; KeyError if the system has no such piece."""
    return SIZES[has_jack(rules)][piece]


def passage_ns(height_mm: float, depth_mm: float) -> int:
    """Compute how long something this tall breaks a beam this deep, falling from rest."""
    root = math.sqrt(2 / GRAVITY_MM_S2)
    seconds = root * (math.sqrt(depth_mm + height_mm) - math.sqrt(depth_mm))
    return round(seconds * 1e9)


def fall_edges(
    sizes: Sequence[DiscSize], manner: Manner, rng: random.Random, chance: Chance = CHANCE
) -> Edges:
    """Make the edges of pieces that fall into one pocket, one after the other.

    The first piece reaches the beam at offset 0 (its spikes, if any, come first). A stuck
    piece's last edge is active. ValueError for no pieces, except for a hand.
    """
    if manner is Manner.HAND:
        return hand_edges(rng, chance)
    if not sizes:
        raise ValueError(f"expected at least one piece to fall {manner}; only a hand has none")
    if manner is Manner.MISSED:
        return ()
    if manner is Manner.DOUBLE:
        return _double(sizes, rng, chance)
    spans: list[tuple[int, int]] = []
    start_ns = 0
    for size in sizes:
        found = _piece(size, manner, start_ns, rng, chance)
        spans += found
        start_ns = found[-1][1] + _ms(rng, chance.between_ms)
    if manner is Manner.NOISY:
        spans = _with_spikes(spans, rng, chance)
    edges = _edges(spans)
    return edges[:-1] if manner is Manner.STUCK else edges


def hand_edges(rng: random.Random, chance: Chance = CHANCE) -> Edges:
    """Make the edges of a hand: once in and once out, or all in one."""
    first_ns = _ms(rng, chance.hand_ms)
    if rng.random() < 0.3:
        return _edges([(0, first_ns)])
    again_ns = first_ns + _ms(rng, chance.hand_gap_ms)
    return _edges([(0, first_ns), (again_ns, again_ns + _ms(rng, chance.hand_ms))])


def contact_edges(down: bool, rng: random.Random, chance: Chance = CHANCE) -> Edges:
    """Make the edges of a contact that closes (``down``) or opens, with its bounces."""
    edges = [(0, down)]
    at_ns = 0
    for _ in range(rng.randint(*chance.bounces)):
        for active in (not down, down):
            at_ns += _ms(rng, chance.bounce_ms)
            edges.append((at_ns, active))
    return tuple(edges)


def chatter_edges(rng: random.Random, chance: Chance = CHANCE) -> Edges:
    """Make the edges of a loose contact, or of a lamp that flickers in a beam."""
    edges: list[tuple[int, bool]] = []
    at_ns = 0
    for number in range(2 * (chance.chatter_edges // 2)):
        edges.append((at_ns, number % 2 == 0))
        at_ns += _ms(rng, chance.chatter_ms)
    return tuple(edges)


def random_manner(rng: random.Random) -> Manner:
    """Draw how a single piece falls."""
    return rng.choices(list(MANNERS), list(MANNERS.values()))[0]


def _piece(
    size: DiscSize, manner: Manner, start_ns: int, rng: random.Random, chance: Chance
) -> list[tuple[int, int]]:
    """Return when one piece is in the beam: one span, or two for one that tumbles."""
    slower = math.exp(rng.gauss(0, chance.speed_spread))
    if manner is Manner.TUMBLING:
        on_edge_ns = passage_ns(size.diameter_mm, chance.depth_mm) * slower
        first_ns = start_ns + round(on_edge_ns * rng.uniform(*chance.tumble_share))
        again_ns = first_ns + _ms(rng, chance.tumble_gap_ms)
        end_ns = again_ns + round(on_edge_ns * rng.uniform(*chance.tumble_share))
        return [(start_ns, first_ns), (again_ns, end_ns)]
    if manner is Manner.EDGE:
        height_mm = size.diameter_mm
    else:
        tilt = math.radians(rng.uniform(*chance.tilt_deg))
        height_mm = size.thickness_mm * math.cos(tilt) + size.diameter_mm * math.sin(tilt)
    return [(start_ns, start_ns + round(passage_ns(height_mm, chance.depth_mm) * slower))]


def _double(sizes: Sequence[DiscSize], rng: random.Random, chance: Chance) -> Edges:
    start_ns, end_ns = 0, 0
    for size in sizes:
        [(_, passed_ns)] = _piece(size, Manner.CLEAN, start_ns, rng, chance)
        end_ns = max(end_ns, passed_ns)
        start_ns += round((passed_ns - start_ns) * rng.uniform(*chance.overlap_share))
    return _edges([(0, end_ns)])


def _with_spikes(
    spans: Sequence[tuple[int, int]], rng: random.Random, chance: Chance
) -> list[tuple[int, int]]:
    before: list[tuple[int, int]] = []
    start_ns = 0
    for _ in range(rng.randint(*chance.spikes)):
        end_ns = start_ns + _ms(rng, chance.spike_ms)
        before.append((start_ns, end_ns))
        start_ns = end_ns + _ms(rng, chance.spike_gap_ms)
    moved = [(start + start_ns, end + start_ns) for start, end in spans]
    after: list[tuple[int, int]] = []
    last_ns = moved[-1][1]
    for _ in range(rng.randint(*chance.spikes)):
        at_ns = last_ns + _ms(rng, chance.spike_gap_ms)
        last_ns = at_ns + _ms(rng, chance.spike_ms)
        after.append((at_ns, last_ns))
    return [*before, *moved, *after]


def _edges(spans: Iterable[tuple[int, int]]) -> Edges:
    return tuple(edge for start, end in spans for edge in ((start, True), (end, False)))


def _ms(rng: random.Random, between: tuple[float, float]) -> int:
    return round(rng.uniform(*between) * MS)
