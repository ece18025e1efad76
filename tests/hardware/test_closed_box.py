"""A closed box: its beams see, its drawers slide and hold enough, and misfits are named."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from manifold3d import Manifold

import hardware.prints.__main__ as program
from hardware.generate import light
from hardware.generate.bom import bill
from hardware.generate.builds import BUILDS
from hardware.generate.harness import CLOSED_SIDE_MM, SLACK_MM, harness
from hardware.generate.printed import printed
from hardware.generate.step import FOLDER
from hardware.prints import corner, fits, sight
from hardware.prints.__main__ import main
from hardware.prints.board import CLOSED_MEASURED, read_board
from hardware.prints.catalogue import CLOSED, PRINTED, solids
from hardware.prints.parameters import ParameterError, Sizes, load
from hardware.prints.pocket import sleeve, sleeve_drill_mm
from hardware.prints.solids import block, cylinder, plate
from jackspot.values import changed

PAGE = (FOLDER / "prints" / "README.md").read_text(encoding="utf-8")
BUILD = next(build for build in BUILDS if build.name == "closed-box")
PARTS = [name for name in PRINTED if name.startswith(CLOSED)]
ROOMY = ["closed.inside_mm=60", "hikone.board_thickness_mm=15", "hikone.crossed_depth_mm=23"]


@pytest.fixture(scope="module")
def sizes() -> Sizes:
    return load()[1]


def hung(drawer: Manifold, sizes: Sizes, *, pulled: float = 0.0, down: float = 0.0) -> Manifold:
    """Return the drawer as it hangs from the cover, pulled out and pushed down this far."""
    top = sizes.print.floor_mm + sizes.closed.drawer_mm  # of the drawer as it is printed
    at = sizes.print.floor_mm + sizes.closed.drawer_gap_mm + top + down
    return drawer.mirror((0.0, 0.0, 1.0)).translate((-pulled, 0.0, at))


# The bracket.


@pytest.mark.parametrize("settings", [[], ["closed.leg_mm=66"], ROOMY], ids=str)
def test_light_passes_the_fence_along_both_beams_and_no_wider(settings: list[str]) -> None:
    sizes = load(settings)[1]
    solid, half = corner.bracket(sizes), sizes.beam.crossed_aperture_mm / 2
    for axis in corner.axes(sizes):
        assert sight.blocked_rays(solid, axis, 0.9 * half) == 0
        assert sight.blocked_rays(solid, axis, 1.6 * half) > 8


def test_the_beams_cross_in_the_pocket_at_right_angles_and_at_one_height(sizes: Sizes) -> None:
    one, two = corner.axes(sizes)
    assert one.start[1] == one.end[1] == two.start[0] == two.end[0]
    assert {one.start[2], one.end[2], two.start[2], two.end[2]} == {8.0}
    crossing = (one.start[1], one.start[1])
    shaft = plate(corner.shaft(sizes), (0.0, 20.0))
    assert not (shaft ^ cylinder(1.0, (0.0, 20.0), crossing)).is_empty()
    assert one.start[0] > corner.fence_mm(sizes) - one.start[1] > 0 > one.end[0]


@pytest.mark.parametrize("settings", [[], ["closed.leg_mm=66"], ROOMY], ids=str)
def test_nothing_stands_in_the_shaft(settings: list[str]) -> None:
    sizes = load(settings)[1]
    down = sizes.closed.inside_mm + sizes.closed.bottom_mm
    shaft = plate(corner.shaft(sizes, 0.01), (-20.0, down + sizes.print.floor_mm + 1.0))
    assert (corner.bracket(sizes) ^ shaft).is_empty()
    assert (corner.cover(sizes).translate((0.0, 0.0, down)) ^ shaft).is_empty()


def test_the_largest_piece_falls_flat_through_the_shaft(sizes: Sizes) -> None:
    leg, across = sizes.closed.leg_mm, sizes.hikone.largest_piece_mm
    inner = leg * (2 - math.sqrt(2)) / 2  # radius of the circle in the triangle
    assert inner > across / 2
    column = cylinder(across / 2, (0.0, 100.0), (inner, inner))
    assert (column ^ corner.bracket(sizes)).is_empty()


def test_the_bracket_goes_through_the_sawn_opening_and_ends_before_the_cover(sizes: Sizes) -> None:
    box = corner.bracket(sizes).bounding_box()
    assert min(box[:2]) >= corner.BESIDE_WALL_MM - 0.001
    assert max(box[3:5]) < corner.opening_mm(sizes)
    assert box[5] == sizes.closed.inside_mm + sizes.closed.bottom_mm - 1.0


def test_the_modules_stand_in_the_bracket_and_have_room_in_the_box(sizes: Sizes) -> None:
    solid = corner.bracket(sizes)
    beam, fit = sizes.beam, sizes.print.fit_mm / 2
    for axis, mirrored in zip(corner.axes(sizes), (False, True), strict=True):
        far, off, z = max(axis.start[:2]), min(axis.start[:2]), axis.start[2]
        back, half = far + beam.led_length_mm, beam.module_width_mm / 2
        module = block(
            (back + fit, back + beam.module_depth_mm), (off - half, off + half),
            (z - half, z - half + corner.MODULE_LONG_MM),
        )  # fmt: skip
        if mirrored:
            module = module.mirror((1.0, -1.0, 0.0))
        assert (solid ^ module).is_empty()
        assert module.bounding_box()[5] + corner.WIRES_MM <= corner.inside_needed_mm(sizes)
    assert corner.inside_needed_mm(sizes) <= sizes.closed.inside_mm


def test_the_bracket_is_screwed_to_the_wood_as_safely_as_the_others(sizes: Sizes) -> None:
    solid = solids()["closed_corner"]
    for x, y in corner.ears(sizes):
        hits = solid.ray_cast((x + 3.2, y + 3.2, -1.0), (x + 3.2, y + 3.2, 99.0))
        heights = sorted(hit.distance * 100.0 - 1.0 for hit in hits)
        assert heights[1] == pytest.approx(sizes.print.ear_mm, abs=0.05)
        free = cylinder(3.3, (sizes.print.ear_mm + 0.01, 99.0), (x, y))
        assert (solid ^ free).is_empty(), "a screwdriver comes to it"


# What is seen.


@pytest.mark.parametrize("leg", [62, 70, 75, 85, 95])
def test_no_piece_falls_flat_beside_both_beams(leg: int) -> None:
    sizes = load([f"closed.leg_mm={leg}"])[1]
    assert sight.flat_is_seen_in_corner(sizes)
    chance = random.Random(25)
    off, half = corner.beam_off_wall_mm(sizes), sizes.beam.crossed_aperture_mm / 2
    radius = sizes.hikone.smallest_piece_mm / 2
    fell = 0
    while fell < 20_000:
        x, y = (chance.uniform(radius, leg) for _ in "xy")
        if (corner.fence_mm(sizes) - x - y) / math.sqrt(2) < radius:
            continue
        fell += 1
        assert abs(x - off) <= radius - half or abs(y - off) <= radius - half, (x, y)


def test_a_pocket_that_is_too_wide_for_two_beams_is_told() -> None:
    assert not sight.flat_is_seen_in_corner(
        load(["closed.leg_mm=100", "hikone.smallest_piece_mm=26"])[1]
    )


def test_the_page_says_which_share_on_edge_passes_unseen(sizes: Sizes) -> None:
    share = sight.share_unseen_in_corner(sizes)
    assert 0.03 < share < 0.12
    assert f"| {share:.0%} |" in PAGE.split("### A closed box", 1)[1]


def test_no_sun_reaches_a_receiver(sizes: Sizes) -> None:
    assert sight.sun_in_corner(sizes).recess_mm <= sizes.beam.crossed_recess_mm
    assert "sun reaches" in "".join(fits.closed_misfits(load(["closed.leg_mm=90"])[1]))


def test_the_light_suffices_through_the_shroud_and_the_fence(sizes: Sizes) -> None:
    through = light.closed(sizes)
    assert through.way_m == pytest.approx(sight.corner_way_mm(sizes) / 1000)
    assert through.share == pytest.approx((4 / 5) ** 2 * (3 / 5) ** 2)
    told = (FOLDER / "ELECTRICAL.md").read_text(encoding="utf-8")
    assert f"(500 mm / {through.way_m * 1000:.3g} mm)² x {through.share:.0%}" in told


@pytest.mark.parametrize("settings", [[], ["closed.leg_mm=66"]], ids=str)
def test_as_many_rays_pass_shroud_and_fence_as_is_reckoned(settings: list[str]) -> None:
    sizes = load(settings)[1]
    off, z = corner.beam_off_wall_mm(sizes), sizes.hikone.below_mm(2)
    outside = -sizes.closed.wall_mm - corner.COLLAR_MM
    shroud = sleeve(sizes).rotate((0.0, 90.0, 0.0)).translate((outside, off, z))
    both = corner.bracket(sizes) + shroud
    passed = sight.light_share(both, corner.axes(sizes)[0], sizes.beam.led_mm)
    assert 0.9 < passed / light.closed(sizes).share < 1.25


# The drawer.


def test_the_drawer_slides_in_its_rails_and_does_not_fall_out(sizes: Sizes) -> None:
    cover, drawer = solids()["closed_cover"], solids()["closed_drawer"]
    for pulled in (0.0, 20.0, 60.0, 100.0):
        assert (cover ^ hung(drawer, sizes, pulled=pulled)).is_empty(), pulled
        assert not (cover ^ hung(drawer, sizes, pulled=pulled, down=1.5)).is_empty(), pulled
    assert not (cover ^ hung(drawer, sizes, pulled=-2.0)).is_empty(), "it stops at its end"


def test_the_drawer_is_under_all_of_the_shaft_and_hangs_as_low_as_is_said(sizes: Sizes) -> None:
    (x0, x1), (y0, y1) = corner.drawer_inside(sizes)
    leg = corner.fence_mm(sizes)
    assert x0 < 0 < leg < x1
    assert y0 < 0 < leg < y1
    low = hung(solids()["closed_drawer"], sizes).bounding_box()[5]
    assert low == pytest.approx(corner.hangs_mm(sizes))
    foot = solids()["closed_foot"].bounding_box()[5]
    assert foot == corner.foot_mm(sizes) >= low + 2


def test_the_drawer_holds_ten_pieces_and_a_striker_below_its_rim(sizes: Sizes) -> None:
    heap = fits.heap_mm3(sizes.hikone)
    assert heap * fits.PACKED == pytest.approx(
        10 * math.pi / 4 * 31.6**2 * 10 + math.pi / 4 * 34**2 * 15
    )
    holds = fits.drawer_mm3(sizes)
    assert holds > 1.1 * heap
    (x0, x1), (y0, y1) = corner.drawer_inside(sizes)
    assert holds < (x1 - x0) * (y1 - y0) * sizes.closed.drawer_mm
    # As a solid: a heap that is as high as it may be under the shaft and slopes off around it.
    high = sizes.closed.drawer_mm - fits.BELOW_RIM_MM
    reach = high / math.tan(math.radians(fits.STEEP_DEG))
    cone = Manifold.cylinder(high, reach, 0.0, 96)
    at = [(0.0, 0.0), (corner.fence_mm(sizes), 0.0), (0.0, corner.fence_mm(sizes))]
    pile = Manifold.batch_hull([cone.translate((x, y, 0.0)) for x, y in at])
    pile = pile ^ block((x0, x1), (y0, y1), (0.0, 99.0))
    assert holds == pytest.approx(pile.volume(), rel=0.01)


# What is sawn, drilled and screwed.


def test_the_frame_is_drilled_where_the_beams_run(sizes: Sizes) -> None:
    along, up = corner.drill_mm(sizes)
    closed = sizes.closed
    for axis in corner.axes(sizes):
        assert along == closed.wall_mm + min(axis.start[:2])
        assert up == closed.bottom_mm + closed.inside_mm - axis.start[2]
    box = solids()["sleeve"].bounding_box()
    assert corner.sleeve_reach_mm(sizes) == pytest.approx(box[5] - corner.COLLAR_MM)
    assert corner.sleeve_reach_mm(sizes) < closed.wall_mm


def test_the_cap_has_room_for_the_shrouds_collar_and_the_emitters_housing(sizes: Sizes) -> None:
    cap, beam = solids()["closed_eye"], sizes.beam
    high = cap.bounding_box()[5]
    wide = solids()["sleeve"].bounding_box()[3]
    assert (cap ^ cylinder(wide, (high - corner.COLLAR_MM, high))).is_empty()
    half = beam.module_width_mm / 2
    deep = (high - corner.COLLAR_MM - beam.module_depth_mm, high - corner.COLLAR_MM)
    assert (cap ^ block((-half, corner.MODULE_LONG_MM - half), (-half, half), deep)).is_empty()


def test_the_feet_leave_the_drawers_their_way(sizes: Sizes) -> None:
    """A foot goes under the frame where the guide says, beside cover and drawer."""
    side = max(solids()["closed_cover"].bounding_box()[3:5])
    told = (FOLDER / "guide" / "closed-box.md").read_text(encoding="utf-8")
    assert corner.foot_at_mm(sizes) - corner.FOOT_MM / 2 > sizes.closed.wall_mm + side
    assert f"{corner.foot_at_mm(sizes):g} mm" in told


# Heights stated and checked.


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["closed.leg_mm=58"], "lets discs of 34.0 mm through, and the largest piece has 34"),
        (["closed.inside_mm=29"], "needs 31 mm inside the box, which has 29"),
        (["closed.wall_mm=18", "beam.recess_mm=13"], "goes 19.7 mm into a frame of 18"),
        (["closed.drawer_mm=24"], "make closed.drawer_mm larger"),
        (["closed.bottom_mm=3"], "screws go 5 mm into a floor of 3 mm and come out inside"),
        (["closed.bottom_mm=4", "print.ear_mm=5.5"], "go 4.5 mm into a floor of 4 mm"),
    ],
)
def test_what_does_not_go_into_a_box_is_named(settings: list[str], said: str) -> None:
    found = list(fits.closed_misfits(load(settings)[1]))
    assert any(said in each for each in found), found


def test_the_boxes_that_are_known_of_have_room(sizes: Sizes) -> None:
    assert list(fits.closed_misfits(sizes)) == []
    for inside in (37, 40, 42.5):  # heights that the sources imply
        assert list(fits.closed_misfits(load([f"closed.inside_mm={inside}"])[1])) == []


def test_the_page_states_the_heights(sizes: Sizes) -> None:
    told = PAGE.split("### A closed box", 1)[1]
    for value in (
        corner.inside_needed_mm(sizes), corner.hangs_mm(sizes), corner.foot_mm(sizes),
        corner.opening_mm(sizes), sleeve_drill_mm(sizes),
    ):  # fmt: skip
        assert f"| {value:g} mm |" in told, value


# A board that somebody measured.

MINE = """
board = "hikone"
box = "closed"
[measured]
board_thickness_mm = 12
pocket_leg_mm = 72
inside_mm = 42
wall_mm = 20
bottom_mm = 5.5
frame_side_mm = 620
"""


def told(tmp_path: Path, text: str, *asked: str) -> tuple[int, str, set[str]]:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "made"), *asked])
    made = {path.stem for path in tmp_path.glob("made/*")}
    return done.exit_code, done.output, made


def test_a_measured_box_gets_its_parts_and_is_told_where_to_saw_and_drill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = (*PARTS, "sleeve", "hub_case", "hikone_crossed", "tray", "carrom_slim")
    monkeypatch.setattr(program, "PRINTED", {each: PRINTED[each] for each in there})
    code, output, made = told(tmp_path, MINE)
    assert code == 0, output
    laid = {f"closed-box-{n}" for n in range(1, 6)}
    assert made == {*PARTS, "sleeve", "hub_case", "cut-list-closed-box", *laid}
    assert re.search(r"closed-box-\d\.3mf, 4 times", output), "a drawer fills a bed"
    assert "saw at each corner a square of 90 mm" in output
    assert "45.2 mm from the frame's outer corner and 39.5 mm above" in output
    assert "inside the bracket takes 31 of 42 mm" in output
    assert "on feet of 41 mm" in output
    assert "hub_case: goes outside" in output


def test_a_box_without_room_gets_none_of_them_and_is_told_why(tmp_path: Path) -> None:
    code, output, made = told(tmp_path, MINE.replace("= 42", "= 30"), *PARTS)
    assert code == 0
    assert not made & set(PARTS)
    assert output.count("needs 31 mm inside the box, which has 30") == len(PARTS)


def test_an_open_board_gets_no_parts_of_a_closed_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = MINE.replace('box = "closed"\n', "").replace("pocket_leg", "pocket_diameter")
    text = text.replace("inside_mm = 42", "room_beside_mm = 60").replace("wall_mm = 20\n", "")
    text = text.replace("bottom_mm = 5.5", "room_below_mm = 400")
    text = text.replace("= 72", "= 52")
    there = {each: PRINTED[each] for each in ("closed_corner", "hikone_crossed")}
    monkeypatch.setattr(program, "PRINTED", there)
    code, output, made = told(tmp_path, text)
    assert code == 0, output
    assert "closed_corner" not in made
    assert {"hikone_crossed", "cut-list-least", "full-1"} <= made
    assert "cut-list-closed-box" not in made


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"closed"', '"shut"', 'box: expected "open" or "closed", found \'shut\''),
        ('"hikone"', '"carrom"', 'a closed box is drawn for board = "hikone" alone'),
        ("inside_mm = 42\n", "", "inside_mm is missing; measure it"),
        ("inside_mm", "room_below_mm", "inside_mm is missing"),
        ("frame_side", "room_beside_mm = 3\nframe_side", "there is no size room_beside_mm; it has"),
        ("= 72", "= 140", "closed.leg_mm = 140 is outside 58 to 100"),
    ],
)
def test_a_mistake_in_the_file_of_a_box_is_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    code, output, made = told(tmp_path, MINE.replace(old, new, 1), "sleeve")
    assert code == 1
    assert said in output
    assert not made


def test_every_size_that_a_file_of_a_box_has_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE, encoding="utf-8")
    board = read_board(file)
    sizes = load(board.settings)[1]
    assert board.is_closed
    closed = sizes.closed
    assert (closed.leg_mm, closed.inside_mm, closed.wall_mm, closed.bottom_mm) == (72, 42, 20, 5.5)
    assert all(name in CLOSED_MEASURED for name in ("pocket_leg_mm", "frame_side_mm"))
    thick = changed(sizes.hikone, board_thickness_mm=15)
    assert thick.below_mm(2) < 8
    file.write_text(MINE.replace("thickness_mm = 12", "thickness_mm = 15"), encoding="utf-8")
    assert load(read_board(file).settings)[1].hikone.below_mm(2) == 8


def test_sizes_that_no_beam_has_room_for_are_refused() -> None:
    with pytest.raises(ParameterError, match="crossed_depth_mm"):
        load(["hikone.board_thickness_mm=16"])


# The build.


def test_the_build_has_two_beams_at_each_corner_and_all_its_parts() -> None:
    assert BUILD.is_closed
    assert BUILD.crossed_beams
    pieces = printed(BUILD)
    assert set(PARTS) <= set(pieces)
    assert pieces["closed_eye"] == pieces["sleeve"] == 8
    assert pieces["closed_drawer"] == pieces["closed_cover"] == pieces["closed_corner"] == 4
    assert not any(name.startswith(("carrom", "hikone")) for name in pieces)
    there = {line.part.id: line.quantity for line in bill(BUILD)}
    assert there["beam_pair"] == 8
    assert there["lath"] == 2
    assert not any(set(PARTS) & set(printed(build)) for build in BUILDS if not build.is_closed)


def test_its_cables_are_those_of_a_smaller_board() -> None:
    for run in harness(BUILD):
        way = {"pocket_ne": 1.5, "pocket_se": 0.5}.get(run.cable.name)
        if way:
            least = way * CLOSED_SIDE_MM + SLACK_MM
            assert least <= run.length_mm < least + 250
