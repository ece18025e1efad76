"""What ranking the readings of a stroke costs, against just building what it returns.

The floor is the least any ranking must cost: making the same readings, departures and reasons
included, from probabilities that are known already. There are two lines: the usual stroke, from
generated traffic as it comes, and the longest that a board can be asked for, many falls that may
each be two pieces. A Raspberry Pi Zero 2 W is about 15 to 20 times slower than a desktop machine.
"""

from __future__ import annotations

from itertools import islice

from jackspot.core.phrases import Phrase
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Departure
from jackspot.readings.reading import Reading, Scene, WidthModel, rank
from jackspot.readings.skill import skill_of
from jackspot.sensing.events import Fall, Pulse
from jackspot.sensing.limits import MS
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.traffic.measure import TUNING_SEEDS, falls_of, scene_of, sensed_turns
from tests.bench.report import Report, side_by_side

STROKES = 100
LONGEST_FALLS = 8
"""Falls of the longest stroke: what can come to rest within the six seconds of *falling*."""

Question = tuple[Scene, tuple[Fall, ...]]


def usual() -> list[Question]:
    """Take generated strokes as they come: mostly one fall, sometimes two or three."""
    turns = islice(sensed_turns(Strength.CLUB, TUNING_SEEDS), STROKES)
    return [
        (
            scene_of(
                turn.shot.stand,
                WidthModel(),
                skill_of(turn.before.steps, turn.shot.stand.seat),
            ),
            falls_of(turn.shot.falls),
        )
        for turn in turns
    ]


def longest() -> Question:
    """Make the stroke with most to weigh: every pulse is as likely one piece as two."""
    falls = tuple(
        Fall(
            number, pocket := list(Pocket)[number % 4],
            (Pulse(pocket, number * 700 * MS, number * 700 * MS + 16 * MS),),
        )
        for number in range(1, LONGEST_FALLS + 1)
    )  # fmt: skip
    return usual()[0][0], falls


def copied(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Make readings again, with nothing to compute."""
    return tuple(
        Reading(
            tuple(Departure(each.piece, each.pocket) for each in reading.departures),
            reading.probability,
            Phrase(reading.why.msgid, reading.why.blanks),
            reading.stroke,
        )
        for reading in readings
    )


def measure(report: Report) -> None:
    questions = usual()
    answers = [rank(scene, falls) for scene, falls in questions]
    scene, falls = longest()
    most = rank(scene, falls)
    assert any(each.piece is Piece.STRIKER for reading in most for each in reading.departures)

    def rank_all() -> None:
        for each_scene, each_falls in questions:
            rank(each_scene, each_falls)

    def copy_all() -> None:
        for readings in answers:
            copied(readings)

    ours, floor = side_by_side(rank_all, copy_all, repeats=20)
    against = "making the same readings, nothing to work out"
    usual_us = ours / len(questions)
    report.add(
        f"readings of a stroke ({1e6 / usual_us:,.0f} a second)", usual_us,
        floor / len(questions), unit="us", against=against, aim=20.0,
    )  # fmt: skip
    ours, floor = side_by_side(lambda: rank(scene, falls), lambda: copied(most), repeats=30)
    report.add(
        f"longest ranking: {LONGEST_FALLS} falls, each one or two", ours, floor,
        unit="us", against=against, aim=40.0,
    )  # fmt: skip
