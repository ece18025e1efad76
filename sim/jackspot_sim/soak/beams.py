"""What happens to the beams in the course of a match: they get dirty, go dark, are in the sun.

What people and pieces do is drawn elsewhere; this module adds what light does. A beam whose lens is
too dirty, or whose emitter has no power, is one passage that never ends: the board finds it
blocked, and plays on without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from jackspot.core.match import Match
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Stroke
from jackspot.sensing.events import Pulse
from jackspot.values import changed
from jackspot_sim.boards.chain import FOR_GOOD_NS
from jackspot_sim.sensing import sunlight
from jackspot_sim.sensing.quality import Sensors
from jackspot_sim.traffic.matches import TimedShot
from jackspot_sim.traffic.passing import APART_NS, Cause, Passage


def dirtied(sensors: Sensors, match: Match, pieces: int | None = None) -> Sensors:
    """Return what the sensors are like by now; ``pieces`` have left the board, in its strokes.

    Each lens loses light to what fell through its own pocket, and to the dust of all pieces.
    """
    strokes = [step.entry for step in match.steps if isinstance(step.entry, Stroke)]
    gone = [each.pocket for stroke in strokes for each in stroke.departures]
    here = Counter(pocket for pocket in gone if pocket is not None)
    count = len(gone) if pieces is None else pieces
    return {pocket: each.dirtier(count, here[pocket]) for pocket, each in sensors.items()}


def gone_dark(sensors: Sensors, match: Match, after: Match, shot: TimedShot) -> Iterator[Passage]:
    """Return the beams that are broken for good from this shot on.

    Those that were broken before the match are broken from its first shot on; those that its
    pieces made too dirty, from the last of them on.
    """
    now, then = dirtied(sensors, match), dirtied(sensors, after)
    for pocket in sensors:
        if now[pocket].is_blocked:
            since_ns = None if match.steps else 0
        else:
            since_ns = _last_ns(shot, pocket) + APART_NS if then[pocket].is_blocked else None
        if since_ns is not None:
            dark = Pulse(pocket, since_ns, since_ns + FOR_GOOD_NS)
            yield Passage(Cause.GHOST, pocket, (), (dark,))


def _last_ns(shot: TimedShot, pocket: Pocket) -> int:
    """Return when the last piece was through a pocket; if none was seen, when all was at rest."""
    late = [shot.late] if shot.late else []
    ends_ns = [each.end_ns for each in (*shot.falls, *late) if each.pocket is pocket]
    return max(ends_ns, default=shot.over_ns)


def in_the_sun(
    sensors: Sensors, shot: TimedShot, hands: Sequence[Passage], rng: Random
) -> tuple[TimedShot, tuple[Passage, ...]]:
    """Let the sun flicker in the beams during and after a shot; return the shot and the hands.

    A flicker together with pieces or with a hand joins their passage. A flicker alone is a passage
    of nothing, among the ``hands``.
    """
    found = _Wires(shot, hands)
    for burst in sunlight(sensors, shot.over_ns + shot.aiming_ns, rng):
        for flickers in _one_fall_each(burst):
            found.shine(Passage(Cause.GHOST, flickers[0].pocket, (), flickers))
    return found.shot, found.hands


class _Wires:
    """The passages of a shot and of the hands after it, while the sun is put among them."""

    def __init__(self, shot: TimedShot, hands: Sequence[Passage]) -> None:
        self.shot = shot
        self.hands = tuple(hands)

    def shine(self, sun: Passage) -> None:
        """Put flickers of the sun, close together, where they belong."""
        shot = self.shot
        clear = tuple(each for each in shot.spikes if not _touch(each, sun))
        shot = self.shot = changed(shot, spikes=clear) if clear != shot.spikes else shot
        late = [shot.late] if shot.late else []
        met = [each for each in (*shot.falls, *late, *self.hands) if _is_one_fall(each, sun)]
        if not met:
            self.hands = (*self.hands, sun)
            return
        kept, *others = met
        one = _together([*met, sun])
        falls = tuple(one if each is kept else each for each in shot.falls if each not in others)
        dropped = shot.late
        if dropped is not None:
            dropped = one if dropped is kept else None if dropped in others else dropped
        self.shot = changed(shot, falls=falls, late=dropped)
        hands = (one if each is kept else each for each in self.hands if each not in others)
        self.hands = tuple(hands)


def _one_fall_each(burst: Sequence[Pulse]) -> Iterator[tuple[Pulse, ...]]:
    """Split flickers where the board takes what follows for another fall."""
    group = [burst[0]]
    for before, after in pairwise(burst):
        if after.start_ns - before.end_ns > APART_NS:
            yield tuple(group)
            group = []
        group.append(after)
    yield tuple(group)


def _is_one_fall(passage: Passage, sun: Passage) -> bool:
    """Whether the board takes both for one fall."""
    return passage.pocket is sun.pocket and (
        passage.start_ns <= sun.end_ns + APART_NS and sun.start_ns <= passage.end_ns + APART_NS
    )


def _touch(spike: Pulse, sun: Passage) -> bool:
    same = spike.pocket is sun.pocket
    return same and spike.start_ns <= sun.end_ns and sun.start_ns <= spike.end_ns


def _together(passages: Sequence[Passage]) -> Passage:
    """Make one passage of several: all their pieces, and a pulse wherever any of them had one."""
    pocket = passages[0].pocket
    whose = sorted((each for each in passages if each.kinds), key=lambda each: each.start_ns)
    kinds = tuple(kind for each in whose for kind in each.kinds)
    pulses: list[Pulse] = []
    every = [(pulse.start_ns, pulse.end_ns) for each in passages for pulse in each.pulses]
    for start_ns, end_ns in sorted(every):
        last = pulses[-1] if pulses else None
        if last is not None and start_ns <= last.end_ns:
            pulses[-1] = Pulse(pocket, last.start_ns, max(end_ns, last.end_ns))
        else:
            pulses.append(Pulse(pocket, start_ns, end_ns))
    causes = [each.cause for each in passages]
    cause = next(each for each in Cause if each in causes)
    seen = tuple(frame for each in passages for frame in each.seen)
    return Passage(cause, pocket, kinds, tuple(pulses), seen)
