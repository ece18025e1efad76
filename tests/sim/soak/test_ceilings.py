"""The best possible readings: learnt from one half of the strokes, and tried on the other."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Stroke
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak.ceilings import ReaderKnowledge, Sample, half_of, right_at_best, sample_of
from jackspot_sim.soak.matches import play
from jackspot_sim.soak.running import Soak
from jackspot_sim.traffic.matches import TimedTurn
from jackspot_sim.traffic.measures import First


def stroke(number: int, sort: int, content: str, colour: int = 0, *, other: bool = False) -> Sample:
    """Return one stroke; a match has two. ``other``: another seat shot."""
    shown = f"S: {content}" if other else content
    return Sample(
        number // 2, (sort,), shown, (sort + 50,), content, (100 + colour, sort), right=True
    )


def test_the_commonest_content_of_a_sort_is_what_could_be_read() -> None:
    found = [stroke(n, 1, "own@NE striker@NE" if n % 10 == 9 else "own@NE") for n in range(100)]
    found += [stroke(n, 2, "own@SW" if n % 10 == 9 else "jack@SW") for n in range(100)]
    right = right_at_best(found)
    assert sum(right) == 180
    assert not right[9]


def test_a_colour_tells_apart_what_widths_do_not() -> None:
    contents = ("own@NE", "striker@NE")
    found = [stroke(n, 1, contents[n % 2], colour=n % 2) for n in range(200)]
    assert sum(right_at_best(found)) == 100
    assert sum(right_at_best(found, ReaderKnowledge.COLOURS)) == 200


def test_who_shot_out_of_turn_is_known_only_to_who_is_told() -> None:
    found = [stroke(n, 1, "own@NE", other=n % 20 == 19) for n in range(200)]
    assert sum(right_at_best(found)) == 190
    assert sum(right_at_best(found, ReaderKnowledge.SHOOTER)) == 200


def test_each_half_has_its_share_of_every_line_up_and_box() -> None:
    """Strengths, line-ups and boxes alternate with the number; the halves must not."""
    soak = Soak(1200, 1, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,))
    kinds = Counter((j.strength, j.lineup, j.box, half_of(j.number)) for j in soak.jobs())
    assert len(kinds) == 3 * 2 * 2 * 2
    assert min(kinds.values()) > 30


@cache
def turn() -> TimedTurn:
    """Return a turn of a real match in which a puck falls."""
    settings = agree({"rules": "hikone", "seats": ["N", "S"]})
    sensors = QUALITIES[Quality.IDEAL]
    turns = play(settings, Strength.MASTER, Referee.WATCHING, "ceilings", sensors, 30)
    return next(each for each in turns if each.shot.falls and each.before.steps)


def sampled(match: Match, gap_ns: int | None) -> Sample:
    """Sample the turn as it looks in a match with these entries."""
    first = First(right=True, state=match.state, gap_ns=gap_ns)
    return sample_of(7, Strength.MASTER, turn().shot, first)


def test_a_stroke_out_of_turn_names_its_seat_and_the_pieces_as_its_opponent_would() -> None:
    """The entries say that it is the other seat's turn, whose own puck the shooter calls theirs."""
    right, shooter = turn().before, turn().shot.stroke.seat
    wrong = right.enter(Stroke(shooter))
    assert wrong.state.position.seat is not shooter
    known, mistaken = sampled(right, 9_000_000_000), sampled(wrong, 9_000_000_000)
    assert known.content == known.shot == mistaken.shot
    assert mistaken.content.startswith(f"{shooter}: ")
    swapped = {"own": "opponent's", "opponent's": "own"}
    names = [each.split("@") for each in known.content.split()]
    told = sorted(f"{swapped.get(name, name)}@{pocket}" for name, pocket in names)
    assert mistaken.content.removeprefix(f"{shooter}: ") == " ".join(told)
    assert mistaken.known == known.known
    assert mistaken.sensed[0] != known.sensed[0]


@pytest.mark.parametrize("gap_ns", [None, 40_000_000_001])
def test_how_long_ago_something_was_entered_sorts_what_is_sensed(gap_ns: int | None) -> None:
    soon, late = sampled(turn().before, 9_000_000_000), sampled(turn().before, gap_ns)
    assert soon.sensed[:2] != late.sensed[:2]
    assert soon.sensed[2:] == late.sensed[2:]
    assert soon._replace(sensed=()) == late._replace(sensed=())
