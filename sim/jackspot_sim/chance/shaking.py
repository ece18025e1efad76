"""What shakes a board besides the strokes that are shot on it, drawn from the published table."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from msgspec import Struct

from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import Room
from jackspot_sim.chance.laws import MS, Skewed

MINUTE_NS = 60_000 * MS
SONG_NS = 4 * MINUTE_NS
"""How long music plays, or does not play, at a time."""


class Disturbance(Struct, frozen=True):
    """One blow: ``height`` is what the disc next to it reads above rest.

    ``at`` is where, in parts of half the board from its middle (x east, y north); None: through
    the table. Then ``lean_n`` and ``lean_e`` say how much more than usual N and E feel of it.
    """

    at_ns: int
    height: float
    at: tuple[float, float] | None = None
    lean_n: float = 1.0
    lean_e: float = 1.0


def draw_disturbances(
    room: Room, begin_ns: int, end_ns: int, rng: random.Random, songs: str
) -> tuple[Disturbance, ...]:
    """Draw what shakes a board within a span of time, in order.

    ``songs`` is the seed that decides when music plays; it is the same for all spans of a match.
    """
    found: list[Disturbance] = []
    for at_ns in _times(table.LEANS[room], begin_ns, end_ns, rng):
        along, side = rng.uniform(-1, 1), rng.randrange(4)
        place = ((along, 1.0), (1.0, along), (along, -1.0), (-1.0, along))[side]
        found.append(Disturbance(at_ns, _height(table.LEAN_HEIGHT, rng), place))
    for at_ns in _times(table.DROPS[room], begin_ns, end_ns, rng):
        found += _bouncing(at_ns, rng)
    for at_ns in _times(table.THUMPS[room], begin_ns, end_ns, rng):
        found.append(_through_table(at_ns, table.THUMP_HEIGHT, rng))
    for at_ns in _times(table.NEIGHBOURS[room], begin_ns, end_ns, rng):
        found += _neighbours_stroke(at_ns, rng)
    first_song, last_song = begin_ns // SONG_NS, end_ns // SONG_NS
    for song in range(first_song, last_song + 1):
        if random.Random(f"song {room} {songs} {song}").random() < table.MUSIC_PLAYS:
            start_ns, stop_ns = max(begin_ns, song * SONG_NS), min(end_ns, (song + 1) * SONG_NS)
            found += [
                _through_table(at_ns, table.MUSIC_HEIGHT, rng)
                for at_ns in _times(table.MUSIC[room], start_ns, stop_ns, rng)
            ]
    return tuple(sorted(found, key=lambda each: each.at_ns))


def _times(a_minute: float, begin_ns: int, end_ns: int, rng: random.Random) -> Iterator[int]:
    """Draw the instants of what comes this often, at any time with the same chance."""
    at_ns = float(begin_ns)
    while a_minute > 0.0:
        at_ns += rng.expovariate(a_minute / MINUTE_NS)
        if at_ns >= end_ns:
            return
        yield round(at_ns)


def _height(law: Skewed, rng: random.Random) -> float:
    return law.draw_ns(rng) / MS


def _through_table(at_ns: int, law: Skewed, rng: random.Random) -> Disturbance:
    lean_n, lean_e = (math.exp(rng.gauss(0.0, table.UNEVEN)) for _ in range(2))
    return Disturbance(at_ns, _height(law, rng), None, lean_n, lean_e)


def _bouncing(at_ns: int, rng: random.Random) -> Iterator[Disturbance]:
    """Let something bounce, each time half as high and half as soon."""
    place = rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)
    height, wait_ns = _height(table.DROP_HEIGHT, rng), rng.uniform(80, 200) * MS
    for _ in range(rng.randint(1, 4)):
        yield Disturbance(at_ns, height, place)
        height, wait_ns, at_ns = height / 2, wait_ns / 2, at_ns + round(wait_ns)


def _neighbours_stroke(at_ns: int, rng: random.Random) -> Iterator[Disturbance]:
    """Let somebody shoot at the next board: a flick, and what it meets."""
    flick = _through_table(at_ns, table.NEIGHBOUR_HEIGHT, rng)
    yield flick
    for _ in range(rng.randint(1, 6)):
        at_ns += round(rng.uniform(80, 500) * MS)
        height = flick.height * rng.uniform(0.2, 1.0)
        yield Disturbance(at_ns, height, None, flick.lean_n, flick.lean_e)
