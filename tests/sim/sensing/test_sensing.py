"""Beams and falling discs: geometry and free fall, checked against formulae and each other."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.calibration.measuring.measured import DropPlace, PieceKind
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.sensing.limits import Limits
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.chance.pulses import passage_ns
from jackspot_sim.physics import (
    CARROM_BOARD,
    HIKONE_BOARD,
    PhysicalBoard,
    PieceFall,
    TippingPiece,
    disc_of,
)
from jackspot_sim.sensing import QUALITIES, Quality, Sensor, falling, sense, sunlight
from jackspot_sim.sensing.drops import dropped
from jackspot_sim.sensing.falling import spans_of
from jackspot_sim.sensing.quality import DEFAULT, TRIPS_AT, Sensors
from jackspot_sim.soak.counting import Job
from jackspot_sim.soak.matches import Played, play
from jackspot_sim.soak.running import Soak

PUCK = disc_of(HIKONE_BOARD, Piece.RED)
EXACT = changed(DEFAULT, aside_mm=0.0, wobble=0.0)
ONE_FALL_NS = 15_000_000


def drop(x: float = 0.0, y: float = 0.0, tilt: float = 0.0, towards: float = 0.0,
         rate: float = 0.0, speed: float = 0.0) -> TippingPiece:  # fmt: skip
    vx, vy = speed * math.cos(towards), speed * math.sin(towards)
    return TippingPiece(x, y, vx, vy, 0.0, tilt, rate, towards, 0.0)


def widths_ms(one: TippingPiece, sensor: Sensor = EXACT) -> list[float]:
    spans = spans_of(HIKONE_BOARD, PUCK, one, sensor, 0.0, random.Random(1))
    return [1000 * (end - start) for start, end in spans]


@pytest.mark.parametrize("depth", [15.0, 30.0, 60.0])
def test_a_flat_piece_breaks_the_beam_as_long_as_free_fall_says(depth: float) -> None:
    # Its lower side is half its thickness below its middle when that passes the surface.
    wanted = passage_ns(8.0, depth - 4.0) / 1e6
    assert widths_ms(drop(), changed(EXACT, depth_mm=depth)) == [pytest.approx(wanted, abs=0.6)]


def test_a_piece_on_edge_breaks_it_for_its_whole_diameter() -> None:
    wanted = passage_ns(30.0, 30.0 - 15.0) / 1e6
    [width] = widths_ms(drop(tilt=math.pi / 2, towards=math.pi / 2))
    assert width == pytest.approx(wanted, abs=0.6)


def test_a_piece_on_edge_beside_the_beam_is_missed_and_a_crossing_beam_sees_it() -> None:
    beside = drop(y=10.0, tilt=math.pi / 2, towards=math.pi / 2)
    assert widths_ms(beside) == []
    assert len(widths_ms(beside, changed(EXACT, crossed=True))) == 1


def test_a_piece_that_turns_over_can_let_the_beam_through_for_a_moment() -> None:
    turning = drop(y=5.0, tilt=0.8, towards=math.pi / 2, rate=-32.0)
    first, second = widths_ms(turning)
    assert min(first, second) > 5
    assert len(widths_ms(changed(turning, tilt_rate=0.0))) == 1


def fall(
    number: int, one: TippingPiece, at_s: float = 1.0, pocket: Pocket = Pocket.NE
) -> PieceFall:
    return PieceFall(number, Piece.RED, pocket, at_s, one)


def everywhere(sensor: Sensor) -> Sensors:
    return dict.fromkeys(Pocket, sensor)


def seen(falls: list[PieceFall], sensor: Sensor) -> list[tuple[int, int]]:
    """Return how many pieces and pulses each fall on the wires has."""
    found = sense(HIKONE_BOARD, falls, everywhere(sensor), random.Random(1), ONE_FALL_NS)
    return [(len(each.falls), len(each.pulses)) for each in found]


def test_two_pieces_in_a_beam_at_once_are_one_pulse_and_apart_they_are_two() -> None:
    assert seen([fall(1, drop()), fall(2, drop(), 1.004)], EXACT) == [(2, 1)]
    assert seen([fall(1, drop()), fall(2, drop(), 1.020)], EXACT) == [(2, 2)]
    assert seen([fall(1, drop()), fall(2, drop(), 1.200)], EXACT) == [(1, 1), (1, 1)]
    other = fall(2, drop(), 1.004, Pocket.SW)
    assert seen([fall(1, drop()), other], EXACT) == [(1, 1), (1, 1)]


def test_a_slow_receiver_joins_what_is_close_and_overlooks_what_is_short() -> None:
    close = [fall(1, drop()), fall(2, drop(), 1.020)]
    assert seen(close, changed(EXACT, response_ms=12.0)) == [(2, 1)]
    assert seen([fall(1, drop())], changed(EXACT, response_ms=20.0)) == [(1, 0)]


@pytest.mark.parametrize(
    "sensor", [changed(EXACT, dead=True), changed(EXACT, dirt=0.6), changed(EXACT, dark=True)]
)
def test_a_dead_sensor_and_one_that_is_blocked_by_dirt_see_nothing(sensor: Sensor) -> None:
    assert seen([fall(1, drop())], sensor) == [(1, 0)]


def test_a_beam_that_leans_is_met_sooner_on_its_one_side_and_later_on_the_other() -> None:
    leaning = changed(EXACT, tilt_deg=30.0)
    lower, upper = drop(x=10.0), drop(x=-10.0)

    def meets_ms(one: TippingPiece, sensor: Sensor) -> float:
        spans = spans_of(HIKONE_BOARD, PUCK, one, sensor, 0.0, random.Random(1))
        return 1000 * spans[0][0]

    assert meets_ms(lower, EXACT) == pytest.approx(meets_ms(upper, EXACT), abs=0.3)
    assert meets_ms(upper, leaning) < meets_ms(upper, EXACT)
    assert widths_ms(drop(), leaning)[0] > widths_ms(drop(), EXACT)[0] + 5, "aslant through a disc"


@given(
    x=st.floats(-10, 10), y=st.floats(-10, 10), tilt=st.floats(0, 1.5), towards=st.floats(-3, 3),
    rate=st.floats(-20, 20), degrees=st.floats(0.1, 30),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_a_beam_seen_from_its_other_end_sees_the_same(
    x: float, y: float, tilt: float, towards: float, rate: float, degrees: float
) -> None:
    one = drop(x, y, tilt, towards, rate)
    sensor = changed(EXACT, tilt_deg=degrees)
    here = spans_of(HIKONE_BOARD, PUCK, one, sensor, 0.0, random.Random(1))
    turned = changed(sensor, tilt_deg=-degrees)
    there = spans_of(HIKONE_BOARD, PUCK, one, turned, math.pi, random.Random(1))
    assert sum(map(_width, here)) == pytest.approx(sum(map(_width, there)), abs=0.001)


def _width(span: tuple[float, float]) -> float:
    return span[1] - span[0]


def test_the_wall_throws_back_a_piece_that_still_tips_as_the_sensor_says() -> None:
    pushed = random_drops(HIKONE_BOARD, Piece.RED, 20)
    hard, soft = ([widths_ms(one, changed(EXACT, wall_bounce=each)) for one in pushed]
                  for each in (0.9, 0.0))  # fmt: skip
    assert hard != soft


def tip_unseen(tip: Callable[..., float], *given: Any) -> float:
    """Tip over the rim while nothing looks."""
    return tip(*given[:-1], lambda *_: None)


@pytest.mark.parametrize(
    ("sensor", "while_it_tips"),
    [
        (EXACT, False),
        (changed(EXACT, depth_mm=20.0, crossed=True), False),
        (changed(EXACT, depth_mm=15.0), True),
    ],
    ids=["30 mm", "20 mm, crossed", "15 mm"],
)
@pytest.mark.parametrize(
    ("board", "piece"),
    [
        (HIKONE_BOARD, Piece.RED),
        (HIKONE_BOARD, Piece.JACK),
        (CARROM_BOARD, Piece.WHITE),
        (CARROM_BOARD, Piece.STRIKER),
    ],
)
def test_a_shallow_beam_sees_a_piece_while_it_still_tips_and_others_do_not(
    board: PhysicalBoard, piece: Piece, sensor: Sensor, while_it_tips: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    drops, disc = random_drops(board, piece, 40, 350), disc_of(board, piece)

    def spans() -> list[falling.Spans]:
        return [spans_of(board, disc, one, sensor, math.pi / 4, random.Random(1)) for one in drops]

    whole = spans()
    monkeypatch.setattr(falling, "_tip", partial(tip_unseen, falling._tip))
    later = spans()
    assert (whole != later) is while_it_tips
    for longer, shorter in zip(whole, later, strict=True):
        assert sum(map(_width, longer)) >= sum(map(_width, shorter))
        ends = [end for _, end in longer]
        assert ends[len(longer) - len(shorter) :] == [end for _, end in shorter]


def test_a_lens_is_dirtied_by_what_falls_past_it_and_by_the_dust_of_all() -> None:
    sensor = changed(DEFAULT, dust_a_piece=0.01, dirt_a_fall=0.1)
    assert sensor.dirtier(3).dirt == pytest.approx(0.03)
    assert sensor.dirtier(3, 2).dirt == pytest.approx(0.23)
    assert changed(DEFAULT, dark=True).is_blocked
    assert not changed(DEFAULT, dead=True, dirt=0.9).is_blocked, "a wire that came off says nothing"


def test_a_rim_breaks_a_beam_once_it_and_dirt_take_as_much_light_as_trips_it() -> None:
    """A beam of 3 mm trips at half its light: at 40 % dirt a rim must cover a sixth of it."""
    margins = [changed(DEFAULT, dirt=dirt).margin_mm for dirt in (0.0, 0.4, 0.5, 1.0)]
    assert margins == pytest.approx([0.0, 1.0, 1.5, 1.5])
    covered = DEFAULT.beam_mm / 2 - margins[1]
    assert (1 - 0.4) * (1 - covered / DEFAULT.beam_mm) == pytest.approx(1 - TRIPS_AT)


def test_a_lens_gets_dirtier_with_every_fall_until_it_is_blocked() -> None:
    assert not DEFAULT.is_blocked
    assert DEFAULT.dirtier(1_000).margin_mm > DEFAULT.margin_mm
    assert DEFAULT.dirtier(1_000_000).is_blocked


def random_drops(
    board: PhysicalBoard, piece: Piece, count: int, fastest_mm_s: float = 1_500
) -> list[TippingPiece]:
    """Push pieces into a pocket from every side that is board, at all speeds."""
    rng, disc = random.Random(5), disc_of(board, piece)
    past = math.sqrt(board.pocket_radius_mm**2 - disc.radius_mm**2) - 1.0
    drops = []
    for _ in range(count):
        towards = math.pi / 4 + rng.uniform(-1.2, 1.2)
        speed = rng.uniform(0, fastest_mm_s)
        drops.append(
            TippingPiece(
                -past * math.cos(towards), -past * math.sin(towards),
                speed * math.cos(towards), speed * math.sin(towards),
                198.0, 0.13, 198.0 / disc.radius_mm, towards, 0.0,
            )
        )  # fmt: skip
    return drops


def missed(board: PhysicalBoard, piece: Piece, quality: Quality, count: int) -> int:
    sensors, rng = QUALITIES[quality], random.Random(3)
    found = 0
    for number, one in enumerate(random_drops(board, piece, count)):
        falls = [PieceFall(number, piece, Pocket.NE, 0.5, one)]
        found += not any(each.pulses for each in sense(board, falls, sensors, rng, ONE_FALL_NS))
    return found


@pytest.mark.parametrize(
    ("board", "piece"),
    [
        (HIKONE_BOARD, Piece.RED),
        pytest.param(CARROM_BOARD, Piece.WHITE, marks=pytest.mark.long),
        (CARROM_BOARD, Piece.STRIKER),
    ],
)
def test_crossed_beams_miss_nothing_that_a_single_one_misses(
    board: PhysicalBoard, piece: Piece
) -> None:
    assert missed(board, piece, Quality.CROSSED, 250) == 0
    assert 0 <= missed(board, piece, Quality.DEFAULT, 250) < 50


@pytest.mark.long
def test_crossed_beams_miss_hardly_a_piece_and_deep_ones_more() -> None:
    """Pieces come evenly from all sides at up to 1.5 m/s: more along the frame than in play."""
    crossed, deep = (missed(HIKONE_BOARD, Piece.RED, each, 12_000)
                     for each in (Quality.CROSSED, Quality.DEEP))  # fmt: skip
    assert crossed < 24
    assert deep > 40


@pytest.mark.long
def test_crossed_beams_miss_fewer_than_one_piece_in_ten_thousand_in_play() -> None:
    """Each fall of many matches, a dozen times, turning over a little differently each time."""
    soak = Soak(120, 1, RuleSystem.HIKONE, Quality.CROSSED, (Referee.WATCHING,))
    sensors, rng = QUALITIES[Quality.CROSSED], random.Random(1)
    fallen = [fall for each in soak.jobs() for fall in falls_of(each)]
    assert len(fallen) > 3_000
    unseen = 0
    for fall in fallen * 12:
        found = sense(HIKONE_BOARD, [fall], sensors, rng, ONE_FALL_NS)
        longest = max((pulse.width_ns for each in found for pulse in each.pulses), default=0)
        unseen += longest < Limits().min_pulse_ns
    assert unseen <= len(fallen) * 12 / 10_000


def falls_of(job: Job) -> Iterator[PieceFall]:
    """Return all falls in a match of the soak."""
    played: list[Played] = []
    case, sensors = job.case, QUALITIES[job.quality]
    turns = play(case.settings, case.strength, case.referee, case.seed, sensors, case.most_shots,
                 played.append)  # fmt: skip
    for _ in turns:
        pass
    return (fall for each in played for fall in each.shot.falls)


def test_a_single_beam_is_missed_now_and_then() -> None:
    assert missed(HIKONE_BOARD, Piece.RED, Quality.DEFAULT, 600) > 3


def test_the_sun_flickers_as_often_as_it_should() -> None:
    hour_ns = 3_600_000_000_000
    assert sunlight(QUALITIES[Quality.DEFAULT], hour_ns, random.Random(1)) == ()
    bursts = sunlight(QUALITIES[Quality.SUNNY], hour_ns, random.Random(1))
    assert 80 < len(bursts) < 160, "four pockets, one burst in two minutes each"
    for burst in bursts:
        assert all(one.end_ns < two.start_ns for one, two in pairwise(burst))


@pytest.mark.parametrize("system", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_drops_for_a_calibration_are_pushed_until_the_beam_sees_them(system: RuleSystem) -> None:
    measured = dropped(system, 3, QUALITIES[Quality.DEFAULT], 1)
    kind = PieceKind.PUCK if system is RuleSystem.HIKONE else PieceKind.MAN
    for pocket in Pocket:
        assert len(measured.drops[DropPlace(pocket, kind)]) == 3
