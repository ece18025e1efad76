"""What this board's own strokes say about what usually happens: how much more or less often.

The published priors (:mod:`jackspot.readings.usual`) describe ordinary play anywhere. Where its
owner allows it, a board corrects them by the strokes that people confirmed on it. For each content
of a stroke in the table it counts how often it happened, and how often the table expected it given
what lay on the board and how the shooter had played. The quotient, pulled towards 1 by
:data:`HELD_BY` imagined strokes, multiplies the table's number. So an hour of play changes little,
a festival says much, and a board on which people play as the table says learns next to nothing.

Pure: matches in, counts out; counts of several matches add up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.match import Match
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.scenes import scene_in
from jackspot.dialogue.state.transition import NEXT_BOARD
from jackspot.readings.reading import Scene
from jackspot.readings.usual import (
    CENTRE,
    HABITS,
    OPPONENT,
    OWN,
    PLACE,
    STRIKER,
    Aim,
    Pocketed,
    Times,
    Usual,
)

HELD_BY = 2.0
"""This many extra strokes of each content are imagined, seen as often as expected. The published
numbers are assumptions that may be wrong by a factor of two either way."""

Row = tuple[Aim, Pocketed]
"""A line of the published table: what people aim at, and what a stroke pockets."""


class Learnt(Struct, frozen=True):
    """Counts of confirmed strokes, by line of the table: how often seen, how often expected."""

    matches: int = 0
    strokes: int = 0
    seen: Mapping[Row, int] = field(default_factory=dict)
    expected: Mapping[Row, float] = field(default_factory=dict)

    def __add__(self, other: Learnt) -> Learnt:
        """Return the sum of these counts and others."""
        rows = sorted({*self.expected, *other.expected})
        seen = {row: self.seen.get(row, 0) + other.seen.get(row, 0) for row in rows}
        expected = {row: self.expected.get(row, 0) + other.expected.get(row, 0) for row in rows}
        matches, strokes = self.matches + other.matches, self.strokes + other.strokes
        return Learnt(matches, strokes, seen, expected)

    def times(self) -> Times:
        """Return the factor for each number of the table; those not named stay as they are."""
        found: dict[Aim, dict[Pocketed, float]] = {}
        for row, expected in self.expected.items():
            aim, pocketed = row
            times = (HELD_BY + self.seen.get(row, 0)) / (HELD_BY + expected)
            found.setdefault(aim, {})[pocketed] = times
        return MappingProxyType({aim: MappingProxyType(each) for aim, each in found.items()})


NOTHING_LEARNT = Learnt()


def learnt_from(match: Match, left_out: Collection[int] = ()) -> Learnt:
    """Count the strokes of one match as it is: what people confirmed and did not take back.

    ``left_out`` are the steps of which people at this board have confirmed nothing.
    """
    seen: Counter[Row] = Counter()
    expected: defaultdict[Row, float] = defaultdict(float)
    strokes = 0
    for number, step in enumerate(match.steps):
        if number in left_out or not isinstance(step.entry, Stroke):
            continue
        before = Match(match.settings, match.opened, match.steps[:number])
        if before.state.result is not None:  # the stroke opens the next board
            before = before.enter(NEXT_BOARD)
        scene = scene_in(before, step.entry.seat)
        usual = usual_in(scene)
        strokes += 1
        for pocketed in HABITS[scene.aim].strokes:
            often = usual.often(pocketed) / 100_000
            if often:
                expected[scene.aim, pocketed] += often
        found = pocketed_by(step.entry, scene)
        if (scene.aim, found) in expected:
            seen[scene.aim, found] += 1
    return NOTHING_LEARNT + Learnt(1, strokes, seen, expected)


def usual_in(scene: Scene) -> Usual:
    """Return what the published table expects in a scene."""
    left = [0, 0, 0, 0]
    for piece, count in scene.available.items():
        left[PLACE[scene.roles[piece]]] += max(count, 0)
    held = (left[OWN], left[OPPONENT], left[STRIKER], left[CENTRE])
    return Usual(held, scene.full, scene.aim, scene.skill)


def pocketed_by(stroke: Stroke, scene: Scene) -> Pocketed:
    """Count what a stroke pocketed, by what it is to the shooter; flown pieces do not count."""
    count = [0, 0, 0, 0]
    for each in stroke.departures:
        if not each.flew_off:
            count[PLACE[scene.roles[each.piece]]] += 1
    return count[OWN], count[OPPONENT], count[STRIKER], count[CENTRE]
