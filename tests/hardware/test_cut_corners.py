"""Cut-off corners without a floor: beams see, plates hold, legs are checked, misfits are named."""

from __future__ import annotations

import math
import random
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from manifold3d import Manifold

import hardware.prints.__main__ as program
from hardware.generate.bom import bill
from hardware.generate.builds import BUILDS, CUT_CORNERS
from hardware.generate.harness import CLOSED_SIDE_MM, SLACK_MM, harness
from hardware.generate.parts import parts
from hardware.generate.printed import instead, printed, screws
from hardware.generate.sheets import words
from hardware.generate.step import FOLDER
from hardware.prints import corner, fits, sight
from hardware.prints.__main__ import main
from hardware.prints.board import CORNERS, CUT_MEASURED, LEGS, SIDE, read_board
from hardware.prints.catalogue import CLOSED, PRINTED, solids
from hardware.prints.parameters import Sizes, load
from hardware.prints.solids import block, cylinder, plate

PAGE = (FOLDER / "prints" / "README.md").read_text(encoding="utf-8")
CLOSED_BOX = next(build for build in BUILDS if build.is_closed)
PARTS = [name for name in PRINTED if name.startswith(CLOSED)]
ON_LEGS = """
board = "hikone"
corner = "cut"
[measured]
board_thickness_mm = 12
room_below_mm = 300
pocket_leg_mm = 72
frame_below_mm = 36
wall_mm = 22
legs_at_mm = 200
frame_side_mm = 620
"""
FLAT = ON_LEGS.replace("= 300", "= 36").replace("= 200", "= 0")
"""The same board without legs, flat on the table."""


def sizes_of(tmp_path: Path, text: str) -> Sizes:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    return load(read_board(file).settings)[1]


def told(tmp_path: Path, text: str, *asked: str) -> tuple[int, str, set[str]]:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "made"), *asked])
    return done.exit_code, done.output, {path.stem for path in tmp_path.glob("made/*")}


def wood(sizes: Sizes) -> tuple[Manifold, Manifold]:
    """Return the frame around a corner, and the plate under it."""
    thick, low, far = sizes.closed.wall_mm, sizes.closed.inside_mm, 300.0
    whole = block((-thick, far), (-thick, far), (-20.0, low))
    frame = whole - block((0.0, far), (0.0, far), (-21.0, low + 1.0))
    return frame, plate(corner.plate_outline(sizes), (low, low + sizes.closed.bottom_mm))


# What falls, and where it stays.


@pytest.mark.parametrize(("leg", "below"), [(60, 31), (72, 36), (75, 40), (90, 60)])
def test_a_piece_that_falls_flat_breaks_a_beam_wherever_it_falls(
    tmp_path: Path, leg: int, below: int
) -> None:
    text = ON_LEGS.replace("= 72", f"= {leg}").replace("below_mm = 36", f"below_mm = {below}")
    sizes = sizes_of(tmp_path, text)
    assert sight.flat_is_seen_in_corner(sizes)
    one, two = corner.axes(sizes)
    half, radius = sizes.beam.crossed_aperture_mm / 2, sizes.hikone.smallest_piece_mm / 2
    chance = random.Random(7)
    fell = 0
    while fell < 5_000:
        x, y = (chance.uniform(radius, leg) for _ in "xy")
        if (corner.fence_mm(sizes) - x - y) / math.sqrt(2) < radius:
            continue
        fell += 1
        assert min(abs(y - one.start[1]), abs(x - two.start[0])) <= radius - half, (x, y)


@pytest.mark.parametrize("text", [ON_LEGS, FLAT], ids=["legs", "flat"])
def test_nothing_stands_in_the_way_of_what_falls_or_of_the_light(tmp_path: Path, text: str) -> None:
    sizes = sizes_of(tmp_path, text)
    low = sizes.closed.inside_mm + sizes.closed.bottom_mm
    shaft = plate(corner.shaft(sizes, 0.01), (-12.0, low + sizes.print.floor_mm + 1.0))
    frame, under = wood(sizes)
    bracket, cover = corner.bracket(sizes), corner.cover(sizes).translate((0.0, 0.0, low))
    for each in (frame, under, bracket, cover):
        assert (each ^ shaft).is_empty()
    half = sizes.beam.crossed_aperture_mm / 2
    for axis in corner.axes(sizes):
        assert sight.blocked_rays(bracket + under + cover, axis, 0.9 * half) == 0


@pytest.mark.parametrize("below", [31, 36, 40, 60])
def test_ten_pieces_and_a_striker_stay_below_the_beams(tmp_path: Path, below: int) -> None:
    sizes = sizes_of(tmp_path, ON_LEGS.replace("below_mm = 36", f"below_mm = {below}"))
    assert fits.drawer_mm3(sizes) > 1.1 * fits.heap_mm3(sizes.hikone)
    # The heap ends below the drawer's rim, and that is below plate and cover.
    rim = sizes.closed.inside_mm + sizes.closed.bottom_mm + sizes.print.floor_mm
    rim += sizes.closed.drawer_gap_mm
    beam = sizes.hikone.below_mm(2)
    standing = sizes.hikone.largest_piece_mm - fits.BELOW_RIM_MM
    assert rim - beam > 20
    assert rim + fits.BELOW_RIM_MM - beam > sizes.hikone.thinnest_piece_mm + fits.THICKER_MM
    assert standing < rim + sizes.closed.drawer_mm - beam, "one on edge in an empty drawer"


# What holds.


@pytest.mark.parametrize("text", [ON_LEGS, FLAT], ids=["legs", "flat"])
def test_no_holder_collides_with_frame_plate_or_another(tmp_path: Path, text: str) -> None:
    sizes = sizes_of(tmp_path, text)
    low = sizes.closed.inside_mm + sizes.closed.bottom_mm
    frame, under = wood(sizes)
    bracket, cover = corner.bracket(sizes), corner.cover(sizes).translate((0.0, 0.0, low))
    foot = corner.foot(sizes)
    along, middle = corner.foot_at_mm(sizes) - sizes.closed.wall_mm, -sizes.closed.wall_mm / 2
    feet = [foot.translate((*at, low)) for at in ((along, middle), (middle, along))]
    solid = {"frame": frame, "plate": under, "bracket": bracket, "cover": cover,
             "foot": feet[0], "other foot": feet[1]}  # fmt: skip
    for (one, a), (two, b) in product(solid.items(), repeat=2):
        assert one == two or (a ^ b).volume() < 0.01, (one, two)
    # A receiver upright in the bracket, its wires bent over it, ends above the plate.
    assert corner.inside_needed_mm(sizes) <= sizes.closed.inside_mm


@pytest.mark.parametrize("wall", [18, 20, 25, 40])
@pytest.mark.parametrize("leg", [60, 75, 95])
def test_the_plate_holds_cover_and_feet_and_its_screws_meet_no_other(wall: int, leg: int) -> None:
    sizes = load([f"closed.wall_mm={wall}", f"closed.leg_mm={leg}"])[1]
    far = corner.plate_mm(sizes) - wall
    box = corner.cover(sizes).bounding_box()
    foot, middle = corner.foot_at_mm(sizes) - wall, -wall / 2
    assert max(box[3:5]) < foot - corner.FOOT_MM / 2
    assert foot + corner.FOOT_MM / 2 <= far
    wood = plate(corner.plate_outline(sizes), (0.0, sizes.closed.bottom_mm))
    mine = corner.plate_screws(sizes)
    others = [at for at, _arm in corner.cover_screws(sizes)]
    others += [(foot, middle), (middle, foot)]
    for at in (*mine, *others):
        around = cylinder(3.0, (0.5, sizes.closed.bottom_mm - 0.5), at)
        assert (around - wood).is_empty(), f"{at} has wood around it"
    for at in mine:
        assert -wall < min(at) < 0, "over the frame"
        assert min(math.dist(at, other) for other in others) > 8
    # A full drawer hangs inside the triangle of the outermost screws: it does not tip the plate.
    (x0, x1), (y0, y1) = corner.drawer_inside(sizes)
    ends = max(x + y for x, y in mine)
    assert (x0 + x1) / 2 + (y0 + y1) / 2 < ends


def test_plate_screws_reach_into_the_frame_and_cover_screws_stay_in_the_plate() -> None:
    sizes = load()[1]
    name = parts()["lath_screw"].name
    assert "3 x 25 mm" in name
    into = 25 - sizes.closed.bottom_mm
    assert 15 < into < sizes.closed.inside_mm
    _along, up = corner.drill_mm(sizes)
    hole = corner.drill_mm(sizes)[0] - sizes.closed.wall_mm
    for x, y in corner.plate_screws(sizes):
        above_hole = up - sizes.closed.bottom_mm - 5.5
        beside = min(abs(x - hole), abs(y - hole)) if max(x, y) > 0 else math.inf
        assert beside > 8 or into < above_hole, "no screw goes through the light's hole"
    assert sizes.print.reach_mm <= sizes.closed.bottom_mm
    plywood = parts()["corner_plate"].name
    assert f"{corner.plate_mm(sizes):g} x {corner.plate_mm(sizes):g} mm" in plywood
    assert f"{sizes.closed.bottom_mm:g} or 6 mm thick" in plywood


# The room below, and the legs.


def test_the_room_below_is_that_of_frame_plate_and_drawer(tmp_path: Path) -> None:
    sizes = sizes_of(tmp_path, ON_LEGS)
    low = sizes.closed.inside_mm + sizes.closed.bottom_mm
    hangs = low + corner.hangs_mm(sizes)
    assert corner.below_board_mm(sizes) == hangs + corner.AIR_MM
    assert low + corner.foot_mm(sizes) >= corner.below_board_mm(sizes)


@pytest.mark.parametrize(
    ("room", "legs", "serve"),
    [(300, 200, True), (300, 176, True), (300, 150, False), (300, 0, False), (82, 200, True),
     (81, 200, False)],
)  # fmt: skip
def test_legs_stay_where_they_are_long_enough_and_out_of_the_plates_way(
    tmp_path: Path, room: int, legs: int, *, serve: bool
) -> None:
    text = ON_LEGS.replace("= 300", f"= {room}").replace("= 200", f"= {legs}")
    text = text.replace("wall_mm = 22", "wall_mm = 20")
    code, output, made = told(tmp_path, text, "closed_foot", "closed_cover", "hub_case")
    assert code == 0, output
    assert ("closed_foot" in made) is not serve
    assert ("so it stays on its legs, without feet" in output) is serve
    assert ("closed_foot: left out: the board stays on its legs" in output) is serve
    assert ("stands on eight feet of 41 mm under the plates" in output) is not serve
    assert "hub_case: needs" not in output, "the hub has room below the board either way"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["closed.leg_mm=58"], "lets discs of 34.0 mm through, and the largest piece has 34"),
        (["closed.inside_mm=20"], "needs 31 mm between the playing board and the plate, and the "
         "frame goes 20 mm below"),
        (["closed.bottom_mm=4"], "screws go 5 mm into a plate of 4 mm"),
        (["closed.drawer_mm=24"], "make closed.drawer_mm larger"),
    ],
)  # fmt: skip
def test_what_does_not_go_under_cut_corners_is_named(settings: list[str], said: str) -> None:
    found = list(fits.cut_misfits(load(settings)[1]))
    assert any(said in each for each in found), found
    assert list(fits.cut_misfits(load()[1])) == []


def test_the_page_states_the_sizes() -> None:
    sizes = load()[1]
    said = PAGE.split("### Cut-off corners without a second floor", 1)[1]
    along, up = corner.drill_mm(sizes)
    for value in (
        corner.inside_needed_mm(sizes), corner.plate_mm(sizes), corner.opening_mm(sizes),
        corner.below_board_mm(sizes), corner.foot_mm(sizes), up - sizes.closed.bottom_mm,
    ):  # fmt: skip
        assert f"| {value:g} mm |" in said, value
    assert f"| {along:.4g} mm |" in said


def test_the_sheet_says_what_the_frame_must_have(tmp_path: Path) -> None:
    needed = f"{corner.inside_needed_mm(load()[1]):g}"
    for language, text in words()["frame_below_mm"].items():
        assert needed in text, language


# A board that somebody measured.


def test_a_measured_board_gets_its_parts_and_is_told_what_to_saw_and_drill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = (*PARTS, "sleeve", "hub_case", "hub_plate", "hikone_crossed", "tray", "carrom_slim")
    monkeypatch.setattr(program, "PRINTED", {each: PRINTED[each] for each in there})
    code, output, made = told(tmp_path, FLAT)
    assert code == 0, output
    laid = {each for each in made if each.startswith("cut-corners-")}
    assert made == {*PARTS, "sleeve", "hub_case", "hub_plate", "cut-list-cut-corners", *laid}
    assert len(laid) >= 5
    assert "saw four plates of 5.5 mm, 180 mm square" in output
    assert "opening of 90 mm, 22 mm from two of its sides" in output
    assert "47.2 mm from the frame's outer corner and 28.0 mm above its lower edge" in output
    assert "the bracket takes 31 of 36 mm; the drawers need 82 mm below the playing board" in output


def test_a_frame_that_is_too_low_gets_none_of_them_and_is_told_why(tmp_path: Path) -> None:
    code, output, made = told(tmp_path, ON_LEGS.replace("below_mm = 36", "below_mm = 25"), *PARTS)
    assert code == 0
    assert not made & set(PARTS)
    assert output.count("and the frame goes 25 mm below the playing board") == len(PARTS)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cut"', '"off"', 'corner: expected "round" or "cut", found \'off\''),
        ('"hikone"', '"carrom"', 'cut-off corners are drawn for board = "hikone" alone'),
        ('corner = "cut"', 'corner = "round"\nbox = "closed"', "round pockets in a closed box"),
        ("legs_at_mm = 200\n", "", "legs_at_mm is missing; measure it"),
        ("= 200", "= -1", "legs_at_mm: expected 0 to 750, found -1"),
        ("frame_below_mm", "inside_mm", "frame_below_mm is missing"),
        ("frame_side", "bottom_mm = 3\nframe_side", "there is no size bottom_mm; it has"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    code, output, made = told(tmp_path, ON_LEGS.replace(old, new, 1), "sleeve")
    assert code == 1
    assert said in output
    assert not made


def test_a_closed_box_may_say_that_its_corners_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    text = ON_LEGS.replace('corner = "cut"', 'corner = "cut"\nbox = "closed"')
    text = text.replace("frame_below_mm", "inside_mm").replace("room_below_mm = 300\n", "")
    file.write_text(text.replace("legs_at_mm = 200", "bottom_mm = 5.5"), encoding="utf-8")
    board = read_board(file)
    assert board.is_closed
    assert not board.is_cut


def test_every_size_of_the_file_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(ON_LEGS, encoding="utf-8")
    board = read_board(file)
    sizes = load(board.settings)[1]
    closed = sizes.closed
    assert board.is_cut
    assert not board.is_closed
    assert (closed.leg_mm, closed.inside_mm, closed.wall_mm) == (72, 36, 22)
    assert (sizes.hikone.room_below_mm, board.legs_at_mm, board.side_mm) == (300, 200, 620)
    own = [name for name in CUT_MEASURED if name not in (*CORNERS, LEGS, SIDE)]
    assert all(hasattr(sizes.hikone, name) for name in own)


# The order.


def test_the_build_is_a_closed_boxs_with_plates_in_the_place_of_laths() -> None:
    assert CUT_CORNERS.config == CLOSED_BOX.config
    assert printed(CUT_CORNERS) == printed(CLOSED_BOX)
    assert screws(CUT_CORNERS) == screws(CLOSED_BOX)
    assert instead(CUT_CORNERS)
    mine, box = (
        {line.part.id: line.quantity for line in bill(build)} for build in (CUT_CORNERS, CLOSED_BOX)
    )
    other = {name for name in {*mine, *box} if mine.get(name) != box.get(name)}
    assert other == {"lath", "lath_screw", "corner_plate", "bought_case"}
    assert mine["corner_plate"] == 4
    assert mine["lath_screw"] == 4 * len(corner.plate_screws(load()[1]))


def test_its_cables_are_those_of_the_smaller_board() -> None:
    for run in harness(CUT_CORNERS):
        way = {"pocket_ne": 1.5, "pocket_se": 0.5}.get(run.cable.name)
        if way:
            least = way * CLOSED_SIDE_MM + SLACK_MM
            assert least <= run.length_mm < least + 250


def test_the_models_of_the_closed_box_are_the_ones_that_fit(tmp_path: Path) -> None:
    text = ON_LEGS.replace("= 72", "= 75").replace("= 36", "= 40").replace("= 22", "= 20")
    sizes = sizes_of(tmp_path, text)
    for name in PARTS:
        assert PRINTED[name].solid(sizes).volume() == pytest.approx(solids()[name].volume())
