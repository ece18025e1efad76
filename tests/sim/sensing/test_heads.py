"""What colour heads see of the pieces that pass them, by geometry."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.readings.colours import ColourModel
from jackspot.sensing.events import ColourSeen, Fall, Pulse
from jackspot.sensing.limits import MS
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.physics.boards import HIKONE_BOARD, disc_of
from jackspot_sim.sensing.drops import dropped
from jackspot_sim.sensing.falling import Attitude
from jackspot_sim.sensing.heads import (
    HEADS,
    LIGHT_NS,
    SEES_ABOVE,
    USUAL,
    BoardHeads,
    ColourHead,
    Glow,
    HeadQuality,
    PaintedPieces,
    Shares,
    frames_of,
    glow_of,
)
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak.counting import Job
from jackspot_sim.soak.running import Soak
from jackspot_sim.traffic.passing import Cause

PUCK = disc_of(HIKONE_BOARD, Piece.RED)
HOLE_MM, DEPTH_MM = HIKONE_BOARD.pocket_radius_mm, 20.0
ON_EDGE, FLAT = (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
RED = USUAL[Piece.RED]


def glow(x: float = 0.0, z: float = DEPTH_MM, normal: tuple[float, float, float] = ON_EDGE) -> Glow:
    """Return what a head in the east sees of a puck."""
    return glow_of(PUCK, Attitude(0.0, x, 0.0, z, *normal), HOLE_MM, DEPTH_MM, 0.0)


def still(shares: Shares, head: ColourHead, near: float = 0.5) -> tuple[ColourSeen, ...]:
    """Return the frames of something that stays in front of a head."""
    glows = [Glow(step * LIGHT_NS, near, 0.0) for step in range(40)]
    return frames_of(Pocket.NE, head, [(shares, glows)], random.Random(1))


# --- geometry -----------------------------------------------------------------------------


def test_a_face_near_the_head_shines_most_and_one_far_below_it_not_at_all() -> None:
    near, middle, far = glow(20.0), glow(0.0), glow(-20.0)
    assert near.face > 2 * middle.face > 2 * far.face > 0
    assert glow(z=DEPTH_MM + 200.0) == Glow(0, 0.0, 0.0)


def test_on_edge_a_head_sees_the_face_flat_the_rim_alone() -> None:
    assert glow(normal=ON_EDGE).rim == pytest.approx(0.0)
    flat = glow(-11.0, normal=FLAT)
    assert flat.face == pytest.approx(0.0)
    assert 0.0 < flat.rim < glow(normal=ON_EDGE).face, "its rim is as near as the face"


@given(
    st.floats(-30, 30), st.floats(0, 80), st.floats(0, math.pi), st.floats(0, 2 * math.pi)
)  # fmt: skip
def test_nothing_sends_more_light_back_than_paper_on_the_window(
    x: float, z: float, tilt: float, turn: float
) -> None:
    normal = (math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), -math.cos(tilt))
    seen = glow(x, z, normal)
    assert 0.0 <= seen.face + seen.rim <= 1.0 + 1e-9


# --- lights -------------------------------------------------------------------------------


def test_of_what_stays_before_it_a_head_tells_the_colour_and_of_the_sun_nothing() -> None:
    for sun in (0.0, 300.0, 30_000.0):
        for frame in still(RED, ColourHead(sun=sun)):
            lights = [each - frame.dark for each in (frame.red, frame.green, frame.blue)]
            assert lights[0] / sum(lights) == pytest.approx(RED[0] / sum(RED), abs=0.04)


def test_a_dead_light_never_comes_back() -> None:
    for frame in still(RED, HEADS[HeadQuality.DULL][Pocket.NE]):
        assert abs(frame.blue - frame.dark) < SEES_ABOVE
    assert HEADS[HeadQuality.DULL][Pocket.SE] == ColourHead()


def test_what_is_hardly_brighter_than_dark_is_not_told() -> None:
    assert still(RED, ColourHead(), near=0.001) == ()


# --- a board ------------------------------------------------------------------------------


def job(heads: HeadQuality | None, system: RuleSystem = RuleSystem.HIKONE) -> Job:
    soak = Soak(1, 5, system, Quality.CROSSED, (Referee.WATCHING,), heads=heads)
    return changed(soak.job(0, Referee.WATCHING), most_shots=16)


@pytest.mark.parametrize("system", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_heads_change_nothing_of_what_happens(system: RuleSystem) -> None:
    blind = tuple(job(None, system).turns())
    seen = tuple(job(HeadQuality.CLEAN, system).turns())
    assert any(each.seen for turn in seen for each in turn.shot.falls)
    shots = (
        changed(
            turn.shot,
            falls=tuple(changed(each, seen=()) for each in turn.shot.falls),
            late=turn.shot.late and changed(turn.shot.late, seen=()),
        )
        for turn in seen
    )
    assert tuple(shots) == tuple(turn.shot for turn in blind)


def test_the_same_seed_sees_the_same() -> None:
    assert tuple(job(HeadQuality.DIRTY).turns()) == tuple(job(HeadQuality.DIRTY).turns())


def test_fingers_are_seen_while_they_break_the_beam_and_nothing_is_of_nothing() -> None:
    heads = BoardHeads(HEADS[HeadQuality.CLEAN], "hand")
    seen = heads.of_hand([Pulse(Pocket.SW, 0, 80 * MS), Pulse(Pocket.SW, 200 * MS, 260 * MS)])
    assert len(seen) > 20
    assert all(each.at_ns <= 84 * MS or 200 * MS <= each.at_ns <= 264 * MS for each in seen)
    assert all(
        not each.seen
        for turn in job(HeadQuality.CLEAN).turns()
        for each in (*turn.shot.falls, *turn.hands)
        if each.cause is Cause.GHOST
    )


def test_a_calibration_sees_the_paint_of_the_match_and_nothing_else_of_it() -> None:
    play, drops = (PaintedPieces("7-0", each) for each in ("play 7-0", "drops 7-0"))
    assert play._shares == drops._shares != PaintedPieces("7-1", "play 7-0")._shares
    assert play.one(Piece.RED) != drops.one(Piece.RED)
    clean, pulse = HEADS[HeadQuality.CLEAN], [Pulse(Pocket.SW, 0, 80 * MS)]
    one, other = (BoardHeads(clean, "7-0", each) for each in ("play", "drops"))
    assert one.of_hand(pulse) != other.of_hand(pulse)
    assert one.chance.random() != other.chance.random()


@pytest.mark.parametrize("heads", HeadQuality)
def test_heads_that_saw_drops_name_the_colour_of_what_falls(heads: HeadQuality) -> None:
    sensors = QUALITIES[Quality.CROSSED]
    measured = dropped(RuleSystem.HIKONE, 6, sensors, 1, BoardHeads(HEADS[heads], "paint"))
    learnt = ColourModel().learnt(measured.seen())
    again = dropped(RuleSystem.HIKONE, 6, sensors, 2, BoardHeads(HEADS[heads], "paint"))
    named = {Piece.RED: 0, Piece.GREEN: 0}
    told: list[Fall] = [fall for kinds, fall in again.seen() if Piece.RED in kinds]
    for fall in told:
        head = learnt.at(fall.pocket)
        red, green = (head.one(each, fall) for each in named)
        assert not 0.2 < red / green < 5 or len(fall.seen) < 3 or heads is not HeadQuality.CLEAN
        named[Piece.RED if red > green else Piece.GREEN] += 1
    assert min(named.values()) >= (9 if heads is HeadQuality.CLEAN else 6)
