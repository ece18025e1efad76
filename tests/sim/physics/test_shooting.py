"""Shots: what physics demands of them, for any flick at any pieces."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.values import changed
from jackspot_sim.physics import (
    CARROM_BOARD,
    HIKONE_BOARD,
    STRIKER,
    Flick,
    Lying,
    PhysicalBoard,
    Shot,
    Touch,
    board_of,
    boards,
    disc_of,
    opening,
    place_striker,
    put_back,
    shoot,
)
from jackspot_sim.physics.boards import HIKONE
from jackspot_sim.physics.places import is_free
from jackspot_sim.physics.shooting import _Course

BOARDS = (HIKONE_BOARD, CARROM_BOARD)
KINDS = {
    HIKONE_BOARD: (Piece.RED, Piece.GREEN, Piece.JACK),
    CARROM_BOARD: (Piece.WHITE, Piece.BLACK, Piece.QUEEN),
}
PULL_CURVE = 1.5
"""How a shot's speed grows with how far the page's striker is pulled back."""
SYSTEM = {HIKONE_BOARD: RuleSystem.HIKONE, CARROM_BOARD: RuleSystem.ICF}


def scattered(board: PhysicalBoard, count: int, seed: int, stacked: int = 0) -> tuple[Lying, ...]:
    """Lay pieces anywhere, none on another, and then stack some in the middle of the board."""
    rng = random.Random(seed)
    lying: list[Lying] = []
    while len(lying) < count:
        piece = KINDS[board][len(lying) % 2]
        at = (rng.uniform(-1, 1) * board.half_mm, rng.uniform(-1, 1) * board.half_mm)
        room = is_free(board, lying, at, disc_of(board, piece).radius_mm + 0.1)
        clear = all(math.dist(at, board.pocket_at(pocket)) > 30 for pocket in Pocket)
        if room and clear:
            lying.append(Lying(len(lying) + 1, piece, *at))
    more = [(count + 1 + number, KINDS[board][0]) for number in range(stacked)]
    return put_back(RuleSystem.HIKONE, lying, more) if board is HIKONE_BOARD else tuple(lying)


@st.composite
def shots(draw: st.DrawFn) -> tuple[PhysicalBoard, tuple[Lying, ...], Flick, int]:
    board = draw(st.sampled_from(BOARDS))
    seed = draw(st.integers(0, 10_000))
    lying = scattered(board, draw(st.integers(0, 22)), seed, draw(st.integers(0, 4)))
    seat = draw(st.sampled_from(Seat))
    wish = (draw(st.floats(-300, 300)), draw(st.floats(-300, 300)))
    at = place_striker(SYSTEM[board], seat, lying, wish)
    speed = draw(st.floats(50, board.fastest_mm_s))
    flick = Flick(*(at or (0.0, 0.0)), speed, draw(st.floats(0, math.tau)))
    if at is None:
        lying = ()
    return board, lying, flick, seed


@given(shots())
@settings(max_examples=60, deadline=None)
def test_energy_never_grows(shot: tuple[PhysicalBoard, tuple[Lying, ...], Flick, int]) -> None:
    board, lying, flick, seed = shot
    course = _Course(board, lying, flick, random.Random(seed))
    course._weigh_down()
    before = course._sliders[STRIKER].body.kinetic_energy
    for _ in range(900):
        moved = course._advance()
        course._release()
        now = sum(each.body.kinetic_energy for each in course._sliders.values())
        assert now <= before * (1 + 1e-9) + 1e-6
        before = now
        if not moved:
            break
    assert before == pytest.approx(0.0, abs=1e-3)


@given(shots())
@settings(max_examples=60, deadline=None)
def test_what_lies_there_afterwards_is_what_did_not_leave(
    shot: tuple[PhysicalBoard, tuple[Lying, ...], Flick, int],
) -> None:
    board, lying, flick, seed = shot
    done = shoot(board, lying, flick, seed)
    gone = [each.number for each in done.falls] + [each.number for each in done.flown]
    here = [each.number for each in done.resting] + ([] if done.striker_at is None else [STRIKER])
    assert sorted(gone + here) == sorted([STRIKER, *(each.number for each in lying)])
    for each in done.resting:
        room = board.half_mm - disc_of(board, each.piece).radius_mm + 0.5
        assert max(abs(each.x_mm), abs(each.y_mm)) <= room, "through the frame"
    on_wood = [each for each in done.resting if each.level == 0]
    for index, one in enumerate(on_wood):
        for other in on_wood[index + 1 :]:
            apart = math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))
            radii = disc_of(board, one.piece).radius_mm + disc_of(board, other.piece).radius_mm
            assert apart >= radii - 0.3, "two pieces in one place"


@given(shots())
@settings(max_examples=10, deadline=None)
def test_the_same_seed_gives_the_same_shot(
    shot: tuple[PhysicalBoard, tuple[Lying, ...], Flick, int],
) -> None:
    assert shoot(*shot) == shoot(*shot)


def _summary(done: Shot) -> str:
    return msgspec.json.encode(done).decode()


def test_another_process_computes_the_same_shot() -> None:
    lying = opening(RuleSystem.HIKONE)
    flick = Flick(12.0, -204.0, 4_700.0, 1.6)
    program = (
        "import sys; sys.path[:0] = ['.', 'firmware', 'sim']\n"
        "from tests.sim.physics.test_shooting import *\n"
        "from tests.sim.physics.test_shooting import _summary\n"
        f"done = shoot(HIKONE_BOARD, opening(RuleSystem.HIKONE), {flick!r}, 7)\n"
        "print(_summary(done))"
    )
    there = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() == _summary(shoot(HIKONE_BOARD, lying, flick, 7))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("speed", [150.0, 400.0, 700.0])
def test_a_piece_stops_where_friction_stops_it(board: PhysicalBoard, speed: float) -> None:
    done = shoot(board, (), Flick(0, -board.half_mm / 2, speed, math.pi / 2), 1)
    assert done.striker_at is not None
    x, y = done.striker_at
    assert x == pytest.approx(0.0, abs=1e-6), "a straight shot goes straight"
    went = y + board.half_mm / 2
    wanted = speed**2 / (2 * board.board_friction * 9_806.65)
    half_a_step = 0.3
    assert went == pytest.approx(wanted, rel=0.01, abs=half_a_step)


def test_the_hardest_flick_makes_the_runs_that_the_laws_of_carrom_ask_for() -> None:
    board = CARROM_BOARD
    flick = Flick(0, -board.line_from_middle_mm, board.fastest_mm_s, math.pi / 2)
    done = shoot(board, (), flick, 1)
    runs = sum(each.touch is Touch.FRAME for each in done.contacts)
    assert 3 <= runs <= 6, "three and a half runs at least, and no skating rink"


def test_a_full_hit_passes_the_speed_on() -> None:
    lying = (Lying(1, Piece.RED, 0, 0),)
    done = shoot(HIKONE_BOARD, lying, Flick(0, -204, 1_200, math.pi / 2), 1)
    assert done.first_hit == 1
    assert not done.by_frame
    puck = done.resting[0]
    assert done.striker_at is not None
    assert abs(puck.x_mm) < 0.01
    assert puck.y_mm > 100
    assert done.striker_at[1] < puck.y_mm / 2 - 60


def test_a_puck_at_a_pocket_is_pocketed() -> None:
    at = HIKONE_BOARD.pocket_at(Pocket.NE)
    lying = (Lying(4, Piece.GREEN, at[0] - 60, at[1] - 60),)
    done = shoot(HIKONE_BOARD, lying, Flick(at[0] - 204, at[1] - 204, 900, math.pi / 4), 1)
    assert [(each.number, each.pocket, each.late) for each in done.falls] == [(4, Pocket.NE, False)]
    assert done.resting == ()


@pytest.mark.parametrize("system", RuleSystem)
def test_a_break_looks_like_a_break(system: RuleSystem) -> None:
    board, lying = board_of(system), opening(system)
    at = place_striker(system, Seat.S, lying, (0, -999), first=True)
    assert at is not None
    moved, reached = [], []
    for seed in range(8):
        angle = math.pi / 2 + (seed - 4) * 0.004
        done = shoot(board, lying, Flick(*at, 0.8 * board.fastest_mm_s, angle), seed)
        places = {each.number: each for each in lying}
        shifts = [
            math.dist((e.x_mm, e.y_mm), (places[e.number].x_mm, places[e.number].y_mm))
            for e in done.resting
        ]
        moved.append(sum(shift > 5 for shift in shifts))
        reached.append(max(shifts))
    assert sum(moved) / len(moved) >= (13 if board is HIKONE_BOARD else 15), "hardly anything moved"
    assert max(reached) > 150, "nothing went far"


def test_pieces_on_a_pile_come_down_when_it_is_shot_away() -> None:
    lying = put_back(RuleSystem.HIKONE, (), [(1, Piece.GREEN), (2, Piece.RED), (3, Piece.JACK)])
    assert [each.level for each in lying] == [0, 1, 2]
    done = shoot(HIKONE_BOARD, lying, Flick(0, -204, 3_000, math.pi / 2), 5)
    levels = {each.number: each.level for each in done.resting}
    assert levels.get(2, 0) == 0
    assert levels.get(3, 0) <= 1


def test_a_hard_meeting_may_throw_a_piece_over_the_frame() -> None:
    lying = opening(RuleSystem.ICF)
    flick = Flick(0, -252.6, 6_000, math.pi / 2)
    flown = [shoot(CARROM_BOARD, lying, flick, seed).flown for seed in range(24)]
    assert any(flown)
    assert sum(map(bool, flown)) < 12, "pieces seldom leave the board"


def test_a_piece_that_hangs_over_an_edge_may_fall_later() -> None:
    at = HIKONE_BOARD.pocket_at(Pocket.SW)
    lying = (Lying(1, Piece.RED, at[0] + 22.0, at[1]),)
    flick = Flick(0, 204, 300, math.pi / 2)
    done = [shoot(HIKONE_BOARD, lying, flick, seed) for seed in range(60)]
    late = [each.falls[0] for each in done if each.falls]
    assert 3 <= len(late) <= 40
    assert all(each.late and each.pocket is Pocket.SW for each in late)
    assert all(each.resting for each in done if not each.falls)


def test_nothing_falls_through_a_hole_that_is_no_wider_than_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wide = disc_of(HIKONE_BOARD, Piece.RED).diameter_mm
    narrow = changed(HIKONE_BOARD, pocket_mm=wide)
    monkeypatch.setattr(boards, "_DISCS", {narrow: boards._DISCS[HIKONE_BOARD]})
    at = narrow.pocket_at(Pocket.NE)
    for seed in range(60):
        lying = (Lying(1, Piece.RED, at[0] - seed / 6, at[1]),)
        done = shoot(narrow, lying, Flick(-150, -200, 300, math.pi), seed)
        assert not done.falls
        assert done.resting == lying


def test_two_pieces_of_one_number_are_refused() -> None:
    lying = (Lying(1, Piece.RED, 0, 0), Lying(1, Piece.RED, 50, 0))
    with pytest.raises(ValueError, match="each once"):
        shoot(HIKONE_BOARD, lying, Flick(0, -204, 500, 1.5))


def test_a_break_spreads_the_ring_as_far_as_the_figures_say():
    board, ring = HIKONE_BOARD, opening(RuleSystem.HIKONE)
    said = re.search(r"by (\d+) %, (\d+) to (\d+) of the 24", HIKONE["fastest_mm_s"].why)
    assert said is not None
    pulled, fewest, most = (int(each) for each in said.groups())
    speed = board.fastest_mm_s * (pulled / 100) ** PULL_CURVE
    moved = []
    for degrees in range(-20, 21, 2):
        angle = math.radians(degrees - 90)
        shot = shoot(board, ring, Flick(0.0, board.line_from_middle_mm, speed, angle), degrees)
        rests = {each.number: (each.x_mm, each.y_mm) for each in shot.resting}
        moved.append(
            sum(
                each.number not in rests
                or math.dist((each.x_mm, each.y_mm), rests[each.number]) > 50
                for each in ring
                if each.piece is not Piece.JACK
            )
        )
    assert (min(moved), max(moved)) == (fewest, most)
