"""The pieces of a shot on the pockets' wires: pulses as the board's pins see them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping

from msgspec import Struct

from jackspot.core.pieces import Pocket
from jackspot.sensing.events import ColourSeen, Pulse
from jackspot.values import changed
from jackspot_sim.chance.laws import MS, Even
from jackspot_sim.physics.boards import PhysicalBoard, disc_of
from jackspot_sim.physics.values import PieceFall
from jackspot_sim.sensing.falling import spans_of, unwatched
from jackspot_sim.sensing.heads import BoardHeads
from jackspot_sim.sensing.quality import LIGHT, Sensors

SECOND = 1_000_000_000

ALONG_RAD: Mapping[Pocket, float] = {
    Pocket.NE: math.pi / 4, Pocket.SE: 3 * math.pi / 4,
    Pocket.SW: math.pi / 4, Pocket.NW: 3 * math.pi / 4,
}  # fmt: skip
"""The beam's direction in each pocket, from above: along the board's diagonal into the corner."""

UNSEEN_NS = 100 * MS
"""How long after it tips a piece that no beam saw is past its pocket's head."""

SUN_FLASHES = (round(LIGHT["sun_fewest"].value), round(LIGHT["sun_most"].value))
"""How many times in a row the sun flickers."""
SUN_WIDTH = Even(LIGHT["sun_shortest_ms"].value, LIGHT["sun_longest_ms"].value)
"""How long each flicker breaks the beam, in ms."""
SUN_GAP = Even(LIGHT["sun_least_gap_ms"].value, LIGHT["sun_most_gap_ms"].value)
"""Between two of them."""


class SensedFalls(Struct, frozen=True):
    """What one wire carries of some falls: one or more pulses, and the falls that they belong to.

    No beam saw ``falls`` without a pulse. ``seen`` is what the pocket's colour head saw
    meanwhile. Times are from the shot, in nanoseconds.
    """

    pocket: Pocket
    falls: tuple[PieceFall, ...]
    pulses: tuple[Pulse, ...]
    seen: tuple[ColourSeen, ...] = ()


def sense(
    board: PhysicalBoard,
    falls: Iterable[PieceFall],
    sensors: Sensors,
    rng: random.Random,
    apart_ns: int = 0,
    heads: BoardHeads | None = None,
) -> tuple[SensedFalls, ...]:
    """Return what the wires carry of the falls of a shot, in the order in which it begins.

    Pieces in one beam at once are one pulse; pulses that are no further apart than ``apart_ns``
    are put together. A beam that is blocked stays broken and shows no piece: see
    :attr:`~jackspot_sim.sensing.quality.Sensor.is_blocked`. The pocket's colour head still sees
    what a dead or blocked beam does not.
    """
    found: list[SensedFalls] = []
    by_pocket: dict[Pocket, list[tuple[int, int, PieceFall]]] = {}
    for fall in falls:
        sensor = sensors[fall.pocket]
        disc = disc_of(board, fall.piece)
        along = ALONG_RAD[fall.pocket]
        across = along + math.pi / 2
        watch = heads.watch(board, fall, sensor.depth_mm, across) if heads else unwatched
        if sensor.is_blind and heads is not None:
            spans_of(board, disc, fall.drop, sensor, along, heads.chance, watch)
        spans = (
            [] if sensor.is_blind
            else spans_of(board, disc, fall.drop, sensor, along, rng, watch)
        )  # fmt: skip
        if not spans:
            found.append(SensedFalls(fall.pocket, (fall,), ()))
        start_ns = round(fall.at_s * SECOND)
        for begin, end in spans:
            span = (start_ns + round(begin * SECOND), start_ns + round(end * SECOND), fall)
            by_pocket.setdefault(fall.pocket, []).append(span)
    for pocket, spans_there in by_pocket.items():
        found += _on_wire(pocket, spans_there, round(sensors[pocket].response_ms * MS), apart_ns)
    if heads is not None:
        frames = heads.told()
        found = [
            changed(each, seen=tuple(f for f in frames[each.pocket] if _nearest(f, found) is each))
            for each in found
        ]
    return tuple(
        sorted(found, key=lambda each: (each.pulses[0].start_ns if each.pulses else 0, each.pocket))
    )


def _nearest(frame: ColourSeen, found: Iterable[SensedFalls]) -> SensedFalls:
    """Return the falls that a frame is reported with: those that it is nearest to."""

    def far_ns(each: SensedFalls) -> int:
        begin_ns = each.pulses[0].start_ns if each.pulses else round(each.falls[0].at_s * SECOND)
        end_ns = each.pulses[-1].end_ns if each.pulses else begin_ns + UNSEEN_NS
        return max(begin_ns - frame.at_ns, frame.at_ns - end_ns, 0)

    return min((each for each in found if each.pocket is frame.pocket), key=far_ns)


def _on_wire(
    pocket: Pocket, spans: list[tuple[int, int, PieceFall]], response_ns: int, apart_ns: int
) -> Iterable[SensedFalls]:
    """Join spans that a slow receiver cannot tell apart, and drop those it does not notice."""
    joined: list[tuple[int, int, list[PieceFall]]] = []
    for start_ns, end_ns, fall in sorted(spans, key=lambda each: each[:2]):
        if joined and start_ns <= joined[-1][1] + response_ns:
            last = joined[-1]
            whose = last[2] if fall in last[2] else [*last[2], fall]
            joined[-1] = (last[0], max(last[1], end_ns), whose)
        else:
            joined.append((start_ns, end_ns, [fall]))
    noticed = [each for each in joined if each[1] - each[0] >= response_ns]
    unseen = {fall.number for *_, whose in joined for fall in whose} - {
        fall.number for *_, whose in noticed for fall in whose
    }
    for fall in {each.number: each for *_, each in spans}.values():
        if fall.number in unseen:
            yield SensedFalls(pocket, (fall,), ())
    group: list[tuple[int, int, list[PieceFall]]] = []
    for each in noticed:
        if group and each[0] - group[-1][1] > apart_ns:
            yield _sensed(pocket, group, response_ns)
            group = []
        group.append(each)
    if group:
        yield _sensed(pocket, group, response_ns)


def _sensed(
    pocket: Pocket, group: list[tuple[int, int, list[PieceFall]]], response_ns: int
) -> SensedFalls:
    falls = {fall.number: fall for *_, whose in group for fall in whose}
    pulses = tuple(
        Pulse(pocket, start_ns + response_ns, end_ns + response_ns) for start_ns, end_ns, _ in group
    )
    return SensedFalls(pocket, tuple(falls.values()), pulses)


def sunlight(
    sensors: Sensors, duration_ns: int, rng: random.Random
) -> tuple[tuple[Pulse, ...], ...]:
    """Draw how the sun flickers in the beams for a time: bursts of pulses, from 0 on."""
    bursts: list[tuple[Pulse, ...]] = []
    for pocket, sensor in sensors.items():
        if sensor.sun_a_minute <= 0.0 or sensor.dead or sensor.is_blocked:
            continue
        at_s = rng.expovariate(sensor.sun_a_minute / 60)
        while at_s * SECOND < duration_ns:
            pulses: list[Pulse] = []
            at_ns = round(at_s * SECOND)
            for _ in range(rng.randint(*SUN_FLASHES)):
                end_ns = at_ns + SUN_WIDTH.draw_ns(rng)
                pulses.append(Pulse(pocket, at_ns, end_ns))
                at_ns = end_ns + SUN_GAP.draw_ns(rng)
            bursts.append(tuple(pulses))
            at_s += 1.0 + rng.expovariate(sensor.sun_a_minute / 60)
    return tuple(bursts)
