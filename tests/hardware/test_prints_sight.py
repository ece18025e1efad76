"""Beams see what they must: nothing stands in their way, pieces fall freely, sun stays out."""

from __future__ import annotations

import math
from itertools import product

import pytest

from hardware.prints import pocket, sight
from hardware.prints.catalogue import PRINTED, solids
from hardware.prints.parameters import Sizes, load
from hardware.prints.solids import block
from jackspot.values import changed

BOARDS = ("carrom", "hikone")
BEAMS = {"single": 1, "crossed": 2}
each_bracket = pytest.mark.parametrize("kind", BEAMS)
each_board = pytest.mark.parametrize("name", BOARDS)


@pytest.fixture(scope="module")
def sizes() -> Sizes:
    return load()[1]


def axes(sizes: Sizes, name: str, kind: str) -> tuple[pocket.Axis, ...]:
    board = sizes.boards[name]
    if kind == "chute":
        return (pocket.chute_axis(sizes, board),)
    return pocket.bracket_axes(sizes, board, BEAMS[kind])


@each_board
@pytest.mark.parametrize("kind", ["single", "crossed", "chute"])
def test_emitter_and_receiver_see_each_other(sizes: Sizes, name: str, kind: str) -> None:
    solid = solids()[f"{name}_{kind}"]
    for axis in axes(sizes, name, kind):
        half = sizes.beam.opening_mm(BEAMS.get(kind, 1)) / 2
        assert sight.blocked_rays(solid, axis, 0.9 * half) == 0
        # The rays of the check are stopped by the holes' edges when they run outside them.
        assert sight.blocked_rays(solid, axis, 1.6 * half) > 8


@each_board
def test_a_wall_in_the_way_of_a_beam_is_found(sizes: Sizes, name: str) -> None:
    wall = block((-1, 1), (-30, 30), (0, 60))
    [axis] = axes(sizes, name, "single")
    assert sight.blocked_rays(solids()[f"{name}_single"] + wall, axis, 1.0) == 17


@each_board
@each_bracket
def test_a_beam_runs_through_the_middle_of_the_pocket_as_deep_as_is_said(
    sizes: Sizes, name: str, kind: str
) -> None:
    board = sizes.boards[name]
    for axis in axes(sizes, name, kind):
        middle = [(a + b) / 2 for a, b in zip(axis.start, axis.end, strict=True)]
        assert middle[:2] == pytest.approx([0, 0], abs=1e-9)
        assert board.board_thickness_mm + middle[2] == pytest.approx(board.depth_mm(BEAMS[kind]))
        # The light's way through the model is where the parameters say.
        plug = block((-80, 80), (-80, 80), (middle[2] - 1.9, middle[2] + 1.9))
        assert sight.blocked_rays(solids()[f"{name}_{kind}"] ^ plug, axis, 0.5) == 0


@each_board
def test_crossed_beams_cross_at_right_angles_at_one_height(sizes: Sizes, name: str) -> None:
    first, second = axes(sizes, name, "crossed")
    dot = sum(
        (a - b) * (c - d)
        for a, b, c, d in zip(first.start, first.end, second.start, second.end, strict=True)
    )
    assert dot == pytest.approx(0, abs=1e-6)
    assert first.start[2] == second.start[2] == first.end[2] == second.end[2]


@each_board
@each_bracket
def test_the_largest_piece_falls_freely_through_a_bracket(
    sizes: Sizes, name: str, kind: str
) -> None:
    board = sizes.boards[name]
    solid = solids()[f"{name}_{kind}"]
    spare = (board.pocket_diameter_mm - board.largest_piece_mm) / 2
    assert (solid ^ sight.falling_column(board, 90.0, spare)).is_empty()
    # A column wider than the tube is stopped.
    assert not (solid ^ sight.falling_column(board, 90.0, spare + 1.0)).is_empty()


@each_board
def test_the_largest_piece_passes_the_chute_in_any_position(sizes: Sizes, name: str) -> None:
    board = sizes.boards[name]
    solid = solids()[f"{name}_chute"]
    assert pocket.chute_shape(sizes, board).gap >= board.largest_piece_mm + 2
    assert (solid ^ sight.sliding_ball(sizes, board)).is_empty()
    x, _y, z = pocket.chute_shape(sizes, board).on_floor(50.0, 20.0)
    peg = block((x - 2, x + 2), (-2, 2), (z - 2, z + 2))
    assert not ((solid + peg) ^ sight.sliding_ball(sizes, board)).is_empty()


@each_board
def test_no_piece_on_edge_passes_crossed_beams_unseen(sizes: Sizes, name: str) -> None:
    board, half = sizes.boards[name], sizes.beam.opening_mm(2) / 2
    radius = pocket.tube_radius(board, sizes.beam)
    piece = (board.smallest_piece_mm, board.thinnest_piece_mm)
    assert sight.thickest_unseen(piece[0], radius, half, 2) < piece[1]
    assert sight.share_unseen(*piece, radius, half, 2) == 0
    # One beam alone misses some.
    assert sight.thickest_unseen(piece[0], radius, half, 1) > piece[1]
    assert 0.05 < sight.share_unseen(*piece, radius, half, 1) < 0.5


def test_a_rectangle_beside_one_beam_is_computed_as_by_hand() -> None:
    # 30 long beside a beam without width: its far corners lie on the circle of 23.
    expected = math.sqrt(23.0**2 - 15.0**2)
    assert sight.thickest_unseen(30.0, 23.0, 0.0, 1) == pytest.approx(expected, abs=0.02)


def test_a_rectangle_between_two_beams_is_computed_as_by_hand() -> None:
    # Its near side goes from beam to beam at 45 degrees: 15 from the middle.
    expected = math.sqrt(26.0**2 - 15.0**2) - 15.0
    assert sight.thickest_unseen(30.0, 26.0, 0.0, 2) == pytest.approx(expected, abs=0.02)


def test_a_larger_pocket_lets_pieces_pass_crossed_beams() -> None:
    assert sight.thickest_unseen(30.0, 30.0, 1.5, 2) > 9.0
    assert sight.share_unseen(30.0, 8.0, 30.0, 1.5, 2) > 0


@each_board
def test_a_piece_that_falls_flat_is_seen_wherever_it_falls(sizes: Sizes, name: str) -> None:
    board = sizes.boards[name]
    assert sight.flat_is_seen(board, sizes.beam)
    assert not sight.flat_is_seen(changed(board, pocket_diameter_mm=62.0), sizes.beam)


@each_board
@each_bracket
def test_no_direct_sun_reaches_a_lens(sizes: Sizes, name: str, kind: str) -> None:
    board = sizes.boards[name]
    sun = sight.sun(board, sizes.beam, BEAMS[kind])
    assert sizes.beam.stands_back_mm(BEAMS[kind]) >= sun.recess_mm
    assert 20 < sun.lowest_deg < 60


@each_board
@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("single", ("{name}.beam_depth_mm=24", "beam.recess_mm=2")),
        # Where the lenses of single beams stand is not enough for crossed ones, which sit higher.
        ("crossed", ("beam.crossed_recess_mm=6.5",)),
    ],
)
def test_rays_of_the_sun_are_stopped_by_the_model_before_the_lens(
    sizes: Sizes, name: str, kind: str, settings: tuple[str, ...]
) -> None:
    assert rays_that_reach_the_lens(sizes, name, kind) == 0
    _parameters, forward = load(each.format(name=name) for each in settings)
    assert rays_that_reach_the_lens(forward, name, kind) > 0


def rays_that_reach_the_lens(sizes: Sizes, name: str, kind: str) -> int:
    """Count the rays of a sun at every height that come through the pocket onto a lens."""
    board = sizes.boards[name]
    solid = PRINTED[f"{name}_{kind}"].solid(sizes)
    axis, *_others = pocket.bracket_axes(sizes, board, BEAMS[kind])
    lens_x, z = axis.start[0], axis.start[2]
    half, top = board.pocket_diameter_mm / 2, -board.board_thickness_mm
    wood = block((-9000, -half), (-60, 60), (top, 0)) + block((half, 9000), (-60, 60), (top, 0))
    radius = (sizes.beam.led_mm + sizes.print.fit_mm) / 2
    reached = 0
    for step, degrees in product(range(-20, 21), range(1, 90)):
        target = (lens_x - 0.05, 0.0, z + radius * step / 20)
        above = (target[2] - top + 1) / math.tan(math.radians(degrees))
        start = (target[0] - above, 0.0, top - 1)
        reached += not solid.ray_cast(start, target) and not wood.ray_cast(start, target)
    return reached


def test_a_lens_that_stands_too_far_forward_would_see_the_sun(sizes: Sizes) -> None:
    shallow = changed(sizes.carrom, beam_depth_mm=22.0)
    assert sight.sun(shallow, sizes.beam, 1).recess_mm > sizes.beam.recess_mm


@each_board
def test_a_piece_on_the_felt_of_the_chute_covers_all_of_its_beam(sizes: Sizes, name: str) -> None:
    board, chute, half = sizes.boards[name], sizes.chute, sizes.beam.aperture_mm / 2
    assert chute.beam_height_mm - half >= chute.felt_mm
    assert chute.beam_height_mm + half <= chute.felt_mm + board.thinnest_piece_mm
    assert sight.bounce_mm(sizes, board) < sight.room_to_bounce_mm(sizes)
    bare = changed(sizes, chute=changed(chute, bounce=0.4))
    assert sight.bounce_mm(bare, board) > sight.room_to_bounce_mm(bare)
