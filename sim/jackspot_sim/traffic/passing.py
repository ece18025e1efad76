"""How beams see pieces and hands: pulses drawn from the table, and their exact density.

A *passage* is what one beam sees as one fall: the pulses of one piece, of two at once, of a
hand or of nothing at all. Passages are drawn so that each is one fall for the board, with less
than 15 ms between its pulses and more than that to the next one in the same pocket. So what was
sensed shows its passages, and the only question is what caused each of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import ColourSeen, Pulse
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import DEPTH_MM, BeamPassage, PieceRole
from jackspot_sim.chance.laws import MS, Skewed
from jackspot_sim.traffic.shots import drawn

APART_NS = 15 * MS
"""Pulses further apart than this are two falls for the board."""

Widths = tuple[int, ...]
"""Lengths of pulses and of the gaps between them in turn: pulse, gap, pulse ... in ns."""


class Cause(StrEnum):
    """What broke a beam."""

    PIECES = "pieces"
    HAND = "hand"
    GHOST = "ghost"
    """Nothing at all: a moth, the sun."""


class Passage(Struct, frozen=True):
    """One fall as a beam sees it. Its pulses are offsets from the shot, in nanoseconds.

    ``seen`` is what the pocket's colour head reports meanwhile, if there is one.
    """

    cause: Cause
    pocket: Pocket
    kinds: tuple[PieceRole, ...]
    pulses: tuple[Pulse, ...]
    seen: tuple[ColourSeen, ...] = ()

    @property
    def start_ns(self) -> int:
        """When the beam was first broken."""
        return self.pulses[0].start_ns

    @property
    def end_ns(self) -> int:
        """When the beam was whole again."""
        return self.pulses[-1].end_ns


# --- one piece, two pieces ---------------------------------------------------------------


def draw_one(
    kind: PieceRole, rng: random.Random, depth_mm: float = DEPTH_MM, *, queen: bool = False
) -> Widths:
    """Draw the pulses of one piece alone; none if the beam misses it."""
    manner = drawn(table.MANNERS, rng)
    match manner:
        case BeamPassage.MISSED:
            return ()
        case BeamPassage.FLAT:
            return (table.flat_width(kind, depth_mm, queen=queen).draw_ns(rng),)
        case BeamPassage.EDGE:
            return (table.edge_width(kind, depth_mm, queen=queen).draw_ns(rng),)
        case BeamPassage.TUMBLING:
            part = tumbling_part(kind, depth_mm, queen=queen)
            return (part.draw_ns(rng), table.TUMBLE_GAP.draw_ns(rng), part.draw_ns(rng))
        case BeamPassage.FLICKER:
            flicker = (table.FLICKER_WIDTH.draw_ns(rng), table.FLICKER_GAP.draw_ns(rng))
            flat = table.flat_width(kind, depth_mm, queen=queen).draw_ns(rng)
            return (*flicker, flat) if rng.random() < 0.5 else (flat, flicker[1], flicker[0])


def density_of_one(
    kind: PieceRole, widths: Widths, depth_mm: float = DEPTH_MM, *, queen: bool = False
) -> float:
    """Return the density of these pulses for one piece alone, per millisecond of each."""
    manners = table.MANNERS
    flat, edge = (
        table.flat_width(kind, depth_mm, queen=queen),
        table.edge_width(kind, depth_mm, queen=queen),
    )
    if len(widths) == 1:
        return manners[BeamPassage.FLAT] * flat.density(widths[0]) + manners[
            BeamPassage.EDGE
        ] * edge.density(widths[0])
    if len(widths) != 3:
        return 0.0
    first, gap, last = widths
    part = tumbling_part(kind, depth_mm, queen=queen)
    tumbling = part.density(first) * table.TUMBLE_GAP.density(gap) * part.density(last)
    short = table.FLICKER_WIDTH
    flicker = 0.5 * table.FLICKER_GAP.density(gap) * (
        short.density(first) * flat.density(last) + flat.density(first) * short.density(last)
    )  # fmt: skip
    return manners[BeamPassage.TUMBLING] * tumbling + manners[BeamPassage.FLICKER] * flicker


def tumbling_part(kind: PieceRole, depth_mm: float, *, queen: bool = False) -> Skewed:
    """Return the law of each of a tumbling piece's two pulses."""
    median_ms = table.TUMBLE_PART * table.edge_width(kind, depth_mm, queen=queen).median_ms
    return Skewed(median_ms, table.TUMBLE_SPREAD, high_ms=1_999.0)


def draw_two(
    first: PieceRole, second: PieceRole, rng: random.Random, depth_mm: float = DEPTH_MM, *,
    queen: bool = False,
) -> Widths:  # fmt: skip
    """Draw the pulses of two pieces that go through a pocket at once."""
    if rng.random() < table.OVERLAPPED:
        flat = rng.random() < table.OVERLAP_FLAT
        return (_overlapping(first, depth_mm, flat=flat, queen=queen).draw_ns(rng),)
    widths = [
        table.edge_width(kind, depth_mm, queen=queen).draw_ns(rng)
        if rng.random() < table.CLOSE_EDGE
        else table.flat_width(kind, depth_mm, queen=queen).draw_ns(rng)
        for kind in (first, second)
    ]
    return (widths[0], table.CLOSE_GAP.draw_ns(rng), widths[1])


def density_of_two(
    first: PieceRole, second: PieceRole, widths: Widths, depth_mm: float = DEPTH_MM, *,
    queen: bool = False,
) -> float:  # fmt: skip
    """Return the density of these pulses for two pieces at once, per millisecond of each."""
    if len(widths) == 1:
        flat = _overlapping(first, depth_mm, flat=True, queen=queen).density(widths[0])
        edge = _overlapping(first, depth_mm, flat=False, queen=queen).density(widths[0])
        return table.OVERLAPPED * (table.OVERLAP_FLAT * flat + (1 - table.OVERLAP_FLAT) * edge)
    if len(widths) != 3:
        return 0.0
    each = 1.0
    for kind, width in ((first, widths[0]), (second, widths[2])):
        flat = table.flat_width(kind, depth_mm, queen=queen).density(width)
        edge = table.edge_width(kind, depth_mm, queen=queen).density(width)
        each *= (1 - table.CLOSE_EDGE) * flat + table.CLOSE_EDGE * edge
    return (1 - table.OVERLAPPED) * table.CLOSE_GAP.density(widths[1]) * each


def _overlapping(first: PieceRole, depth_mm: float, *, flat: bool, queen: bool) -> Skewed:
    if flat:
        median_ms = table.OVERLAP_OF_FLAT * table.flat_width(first, depth_mm, queen=queen).median_ms
    else:
        median_ms = table.OVERLAP_OF_EDGE * table.edge_width(first, depth_mm, queen=queen).median_ms
    return Skewed(median_ms, table.OVERLAP_SPREAD, high_ms=1_999.0)


# --- what is no piece --------------------------------------------------------------------


def draw_hand(pocket: Pocket, start_ns: int, rng: random.Random) -> tuple[Passage, ...]:
    """Draw a hand in a pocket: one passage going in, and half of the time one more coming out."""
    end_ns = start_ns + table.HAND_WIDTH.draw_ns(rng)
    found = [_alone(Cause.HAND, pocket, start_ns, end_ns)]
    if rng.random() < table.HAND_TWICE:
        again_ns = end_ns + table.HAND_PAUSE.draw_ns(rng)
        again_end_ns = again_ns + table.HAND_WIDTH.draw_ns(rng)
        found.append(_alone(Cause.HAND, pocket, again_ns, again_end_ns))
    return tuple(found)


def draw_ghost(pocket: Pocket, start_ns: int, rng: random.Random) -> Passage:
    """Draw a beam that breaks for no reason at all."""
    return _alone(Cause.GHOST, pocket, start_ns, start_ns + table.GHOST_WIDTH.draw_ns(rng))


def _alone(cause: Cause, pocket: Pocket, start_ns: int, end_ns: int) -> Passage:
    return Passage(cause, pocket, (), (Pulse(pocket, start_ns, end_ns),))


def draw_spikes(
    passages: Sequence[Passage], rng: random.Random,
    chances: Mapping[Pocket, float] = dict.fromkeys(Pocket, table.SPIKES),
) -> tuple[Pulse, ...]:  # fmt: skip
    """Draw the noise on the wires around some passages: far too short to be anything.

    ``chances`` say for each pocket how likely a passage has any.
    """
    spikes: list[Pulse] = []
    for passage in passages:
        if rng.random() >= chances[passage.pocket]:
            continue
        at_ns = passage.start_ns
        for _ in range(rng.randint(*table.SPIKE_COUNT)):
            end_ns = at_ns - table.SPIKE_GAP.draw_ns(rng)
            at_ns = end_ns - table.SPIKE_WIDTH.draw_ns(rng)
            spikes.append(Pulse(passage.pocket, at_ns, end_ns))
        at_ns = passage.end_ns
        for _ in range(rng.randint(*table.SPIKE_COUNT)):
            start_ns = at_ns + table.SPIKE_GAP.draw_ns(rng)
            at_ns = start_ns + table.SPIKE_WIDTH.draw_ns(rng)
            spikes.append(Pulse(passage.pocket, start_ns, at_ns))
    busy = [pulse for passage in passages for pulse in passage.pulses]
    return tuple(spike for spike in spikes if not any(_near(spike, pulse) for pulse in busy))


def _near(spike: Pulse, pulse: Pulse) -> bool:
    """Whether a spike would touch a real pulse on the same wire."""
    same = spike.pocket is pulse.pocket
    return same and spike.start_ns <= pulse.end_ns and pulse.start_ns <= spike.end_ns


# --- a whole stroke ----------------------------------------------------------------------


class Sensed(Struct, frozen=True):
    """What beams see of a stroke: its passages in order, and what they missed."""

    passages: tuple[Passage, ...]
    missed: tuple[tuple[PieceRole, Pocket], ...]


def draw_passages(
    fallen: Sequence[tuple[PieceRole, Pocket]], rng: random.Random, depth_mm: float = DEPTH_MM, *,
    queen: bool = False,
) -> Sensed:  # fmt: skip
    """Draw what beams see of pieces that fall in this order; ``queen``: of carrom sizes."""
    missed_share = table.MANNERS[BeamPassage.MISSED]
    seen: list[tuple[PieceRole, Pocket]] = []
    missed: list[tuple[PieceRole, Pocket]] = []
    for each in fallen:
        (missed if rng.random() < missed_share else seen).append(each)
    passages: list[Passage] = []
    for kinds, pocket in _units(seen, rng):
        if len(kinds) == 2:
            widths = draw_two(kinds[0], kinds[1], rng, depth_mm, queen=queen)
        else:
            widths = ()
            while not widths:  # drawn again: whether the beam misses it was decided above
                widths = draw_one(kinds[0], rng, depth_mm, queen=queen)
        start_ns = _start_ns(passages, pocket, rng)
        pulses = tuple(_laid_out(pocket, start_ns, widths))
        passages.append(Passage(Cause.PIECES, pocket, kinds, pulses))
    return Sensed(tuple(passages), tuple(missed))


def _units(
    seen: Sequence[tuple[PieceRole, Pocket]], rng: random.Random
) -> Iterator[tuple[tuple[PieceRole, ...], Pocket]]:
    """Take pieces one by one, or two at once if both go into the same pocket."""
    index = 0
    while index < len(seen):
        kind, pocket = seen[index]
        index += 1
        if index < len(seen) and seen[index][1] is pocket and rng.random() < table.AT_ONCE:
            yield (kind, seen[index][0]), pocket
            index += 1
        else:
            yield (kind,), pocket


def _start_ns(before: Sequence[Passage], pocket: Pocket, rng: random.Random) -> int:
    if not before:
        return table.ROLLING.draw_ns(rng)
    free_ns = max((p.end_ns + APART_NS for p in before if p.pocket is pocket), default=0)
    return max(before[-1].start_ns, free_ns) + table.BETWEEN.draw_ns(rng)


def _laid_out(pocket: Pocket, start_ns: int, widths: Widths) -> Iterator[Pulse]:
    """Turn pulse, gap, pulse ... into pulses."""
    at_ns = start_ns
    for index, width_ns in enumerate(widths):
        if index % 2 == 0:
            yield Pulse(pocket, at_ns, at_ns + width_ns)
        at_ns += width_ns


def widths_of(pulses: Sequence[Pulse]) -> Widths:
    """Return the lengths of pulses and of the gaps between them, in turn."""
    widths = [pulses[0].width_ns]
    for before, after in pairwise(pulses):
        widths += [after.start_ns - before.end_ns, after.width_ns]
    return tuple(widths)
