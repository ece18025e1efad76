"""Parts have room under the board that they are made for; those that have none are left out."""

from __future__ import annotations

import csv
import math
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from manifold3d import Manifold

import hardware.prints.__main__ as program
from hardware.generate.builds import BUILDS
from hardware.generate.harness import SLACK_MM, harness
from hardware.generate.printed import printed
from hardware.generate.step import FOLDER
from hardware.prints import fits, housings, pocket, sight
from hardware.prints.__main__ import main
from hardware.prints.board import MEASURED, SIDE, read_board
from hardware.prints.bought import PLUG_AT, SLOT_MM, large_computer, moved
from hardware.prints.catalogue import PRINTED, SCREWS, solids
from hardware.prints.parameters import HOLDS_MM, WOOD_LEFT_MM, ParameterError, Sizes, load
from hardware.prints.solids import block, joined
from jackspot.values import changed

BOARDS = ("carrom", "hikone")
BRACKETS = ("single", "slim", "crossed")
PAGE = (FOLDER / "prints" / "README.md").read_text(encoding="utf-8")
THINNEST_BOARD_MM = 8.0
"""The laws of carrom allow no thinner playing surface."""

each_board = pytest.mark.parametrize("name", BOARDS)


@pytest.fixture(scope="module")
def sizes() -> Sizes:
    return load()[1]


def thick_at(solid: Manifold, x: float, y: float) -> float:
    """Return how thick a part is over a place of the bed, from the bed up."""
    hits = solid.ray_cast((x, y, -1.0), (x, y, 300.0))
    heights = sorted(hit.distance * 301.0 - 1.0 for hit in hits)
    assert heights, f"nothing at {x:.1f}, {y:.1f}"
    assert abs(heights[0]) < 0.01
    return heights[1]


# Screws.


@each_board
def test_no_screw_comes_near_the_playing_surface_of_the_thinnest_board(
    sizes: Sizes, name: str
) -> None:
    assert f"3 x {sizes.print.screw_mm:g} mm" in SCREWS["screw_wood"].name
    assert f"3 x {sizes.print.screw_mm:g} mm" in SCREWS["screw_pan"].name
    assert sizes.print.reach_mm <= THINNEST_BOARD_MM - WOOD_LEFT_MM
    outer = pocket.tube_radius(sizes.boards[name], sizes.beam) + sizes.print.wall_mm
    for kind, ears in (("single", (45, 135)), ("crossed", (45, 225)), ("slim", (90, 220, 320))):
        for degrees in ears:
            far = outer + 5.0 + 4.4  # beside the head's hole
            x, y = (far * f(math.radians(degrees)) for f in (math.cos, math.sin))
            assert thick_at(solids()[f"{name}_{kind}"], x, y) == pytest.approx(
                sizes.print.ear_mm, abs=0.02
            )


def test_the_ears_of_boxes_and_clips_are_as_thick(sizes: Sizes) -> None:
    ear = sizes.print.ear_mm
    for part, x, y in (
        ("seat_box", 95 / 4 + 4.6, 0.0),
        ("oled_case", 73 / 2 - 1.2, 0.0),
    ):
        assert thick_at(solids()[part], x, y) == pytest.approx(ear, abs=0.02), part
    # Under the plate lies the bought case's floor, and the screw must still hold.
    plate = thick_at(solids()["hub_plate"], 17.0 + 4.6, 12.0)
    reach = sizes.print.screw_mm - plate - sizes.hub.case_floor_mm
    assert HOLDS_MM <= reach <= THINNEST_BOARD_MM - WOOD_LEFT_MM
    high = solids()["cable_clip"].trim_by_plane((1.0, 0.0, 0.0), 13.0).bounding_box()
    assert high[4] == pytest.approx(ear, abs=0.02)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("print.screw_mm=12", "carrom.board_thickness_mm=8"), "make print.screw_mm at most 11.5"),
        (("print.ear_mm=3", "carrom.board_thickness_mm=8"), "print.ear_mm at least 3.5"),
        (("carrom.board_thickness_mm=6",), "go 5 mm into wood of 6 mm"),
        (("print.screw_mm=8",), "make it at least 9"),
    ],
)
def test_a_screw_that_would_come_through_is_refused(settings: tuple[str, ...], said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        load(settings)
    assert said in str(refused.value)


# Room beside the pocket.


@each_board
def test_brackets_need_as_much_beside_the_pocket_as_is_said_and_the_slim_one_less(
    sizes: Sizes, name: str
) -> None:
    beside = {kind: fits.beside_mm(solids()[f"{name}_{kind}"]) for kind in fits.KINDS}
    assert all(40 <= beside[kind] <= 46 for kind in ("single", "crossed", "chute"))
    assert beside["slim"] < 34
    for kind in fits.KINDS:
        assert f"| `{name}_{kind}`, {fits.KINDS[kind]} | {beside[kind]:.0f} mm |" in PAGE


def test_a_part_between_two_walls_is_measured_as_by_hand() -> None:
    bar = block((-50, 50), (-5, 5), (0, 10))  # lies askew between the walls: 55 / sqrt(2)
    assert fits.beside_mm(bar) == pytest.approx(55 / math.sqrt(2), abs=0.1)
    cube = block((-20, 20), (-20, 20), (0, 10))
    assert fits.beside_mm(cube) == pytest.approx(20)


@each_board
def test_the_slim_bracket_sees_what_falls_flat(sizes: Sizes, name: str) -> None:
    board = sizes.boards[name]
    axis = pocket.slim_axis(sizes, board)
    solid = solids()[f"{name}_slim"]
    assert sight.blocked_rays(solid, axis, 0.9 * sizes.beam.opening_mm(1) / 2) == 0
    assert sight.blocked_rays(solid, axis, 1.6 * sizes.beam.opening_mm(1) / 2) > 8
    spare = (board.pocket_diameter_mm - board.largest_piece_mm) / 2
    assert (solid ^ sight.falling_column(board, 90.0, spare)).is_empty()
    loose = pocket.tube_radius(board, sizes.beam) - board.smallest_piece_mm / 2
    aside = -axis.start[1]
    assert loose + aside + sizes.beam.opening_mm(1) / 2 < board.smallest_piece_mm / 2


# Where pieces go.


@each_board
@pytest.mark.parametrize("kind", BRACKETS)
def test_every_bracket_ends_in_a_ring_with_twelve_holes_below_its_beam(
    sizes: Sizes, name: str, kind: str
) -> None:
    board, solid = sizes.boards[name], solids()[f"{name}_{kind}"]
    beams = 2 if kind == "crossed" else 1
    low = board.below_mm(beams) + sizes.beam.skirt_mm
    assert solid.bounding_box()[5] == pytest.approx(low + pocket.NET_RING_MM, abs=0.01)
    radius = pocket.tube_radius(board, sizes.beam)
    z = low + pocket.NET_RING_MM / 2
    through = 0
    for i in range(24):
        way = np.exp(1j * math.radians(15.0 * i))
        start, end = (radius - 4) * way, (radius + 6) * way
        ray = ((start.real, start.imag, z), (end.real, end.imag, z))
        through += not solid.ray_cast(*ray)
    assert through == pocket.NET_HOLES


@each_board
def test_net_and_tray_hold_ten_pieces_and_a_striker(sizes: Sizes, name: str) -> None:
    board = sizes.boards[name]
    heap = fits.heap_mm3(board)
    solid = solids()["tray"]
    radius, deep = pocket.TRAY_MM
    inside = Manifold.cylinder(deep - 2.0, radius, radius, 64).translate((0, 0, 3.01))
    assert (solid ^ inside).is_empty()
    assert inside.volume() > heap
    area = math.pi * pocket.tube_radius(board, sizes.beam) ** 2
    assert fits.net_mm(sizes, board) * area == pytest.approx(heap)
    # Ten pieces and a striker, counted by hand: a man of 31.8 by 9 is 7.1 cm³.
    if name == "carrom":
        assert heap * fits.PACKED == pytest.approx(10 * 7148 + 20094, rel=0.01)


@each_board
def test_the_table_says_what_each_part_needs_below_and_it_is_checked(
    sizes: Sizes, name: str
) -> None:
    board = sizes.boards[name]
    for kind in fits.KINDS:
        solid = solids()[f"{name}_{kind}"]
        needed = fits.room(sizes, board, kind, solid)
        assert needed.below_mm > needed.height_mm + 40
        row = next(line for line in PAGE.splitlines() if f"`{name}_{kind}`, " in line)
        assert f"| {needed.height_mm:.0f} mm | {needed.below_mm:.0f} mm | yes |" in row
        low = changed(board, room_below_mm=needed.below_mm - 1)
        [wrong] = fits.misfits(sizes, low, kind, solid)
        assert "mm below the wood" in wrong
        tight = changed(board, room_beside_mm=needed.beside_mm - 1)
        [wrong] = fits.misfits(sizes, tight, kind, solid)
        assert "to the walls below" in wrong


# The hub.


def test_a_straight_plug_has_room_before_a_pi_4_in_the_printed_hub(sizes: Sizes) -> None:
    x, y = housings.computer_at(sizes)
    z = sizes.print.floor_mm + sizes.hub.post_mm + PLUG_AT[1]
    edge = y - 28.0
    plug = block(
        (x + PLUG_AT[0] - 6.0, x + PLUG_AT[0] + 6.0), (edge - 45.0, edge - 1.0), (z - 3.5, z + 3.5)
    )
    assert (solids()["hub_case"] ^ plug).is_empty()
    assert sizes.hub.plug_mm >= 45
    # The cables' sockets hang above it.
    socket = sizes.print.floor_mm + sizes.hub.room_mm / 2 - sizes.hub.socket_mm / 2
    assert z + 3.5 < socket
    narrow = load(["hub.plug_mm=22"])[1]
    assert not (PRINTED["hub_case"].solid(narrow) ^ plug).is_empty()


def test_the_posts_of_hub_and_plate_are_where_a_pi_has_its_holes(sizes: Sizes) -> None:
    top = sizes.print.floor_mm + sizes.hub.post_mm
    for part, (x, y) in (("hub_case", housings.computer_at(sizes)), ("hub_plate", (0.0, 0.0))):
        large, zero = housings.PI_HOLES_MM["large"], housings.PI_HOLES_MM["zero"]
        for dx, dy in {*large, *zero}:
            nut = 0.0 if (dx, dy) in large else housings.ZERO_NUT_MM
            above = thick_at(solids()[part], x + dx + 2.0, y + dy)
            assert above + nut == pytest.approx(top, abs=0.02)
    screws = housings.plate_screws()
    for at in housings.computer_holes((0.0, 0.0)):
        assert min(math.dist(at, screw) for screw in screws) > 9.0


@pytest.mark.parametrize("post", [3.0, 5.0, 12.0])
@pytest.mark.parametrize("part", ["hub_case", "hub_plate"])
def test_a_large_pi_rests_on_its_holes_alone_and_not_on_what_it_has_below(
    part: str, post: float
) -> None:
    own = load([f"hub.post_mm={post:g}"])[1]
    middle = housings.computer_at(own) if part == "hub_case" else (0.0, 0.0)
    at = (*middle, own.print.floor_mm + post)
    computer = joined(each.solid for each in moved(large_computer(own.hub.plug_mm), at))
    assert computer.bounding_box()[2] == pytest.approx(at[2] - SLOT_MM), "its slot is below it"
    made = PRINTED[part].solid(own)
    assert (made ^ computer).volume() < 0.01
    lower = computer.translate((0.0, 0.0, -0.01)) ^ made
    holes = [(x + middle[0], y + middle[1]) for x, y in housings.PI_HOLES_MM["large"]]
    found = {
        min(holes, key=lambda hole: math.dist(hole, each.bounding_box()[:2]))
        for each in lower.decompose()
    }
    assert found == set(holes)


# A board that somebody measured.

MINE = """
board = "carrom"
[measured]
pocket_diameter_mm = 45.2
board_thickness_mm = 15
room_beside_mm = 32
room_below_mm = 640
[sizes]
"print.fit_mm" = 0.2
"""


def test_from_a_measured_board_come_its_parts_and_what_does_not_fit_is_named(
    tmp_path: Path,
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE, encoding="utf-8")
    asked = ["carrom_single", "carrom_slim", "hikone_slim", "tray", "sleeve"]
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "made"), *asked])
    assert told.exit_code == 0, told.output
    made = sorted(path.stem for path in (tmp_path / "made").iterdir())
    assert made == ["carrom_slim", "sleeve", "tray"]
    assert "closed" not in told.output
    assert "carrom_single: left out: needs 42 mm from the pocket's centre" in told.output


def test_under_a_closed_box_nothing_goes_and_the_hub_goes_outside(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE.replace("= 640", "= 40").replace("carrom", "hikone"), encoding="utf-8")
    pockets = [f"hikone_{kind}" for kind in fits.KINDS]
    told = CliRunner().invoke(
        main, ["--board", str(file), "--out", str(tmp_path / "made"), *pockets, "hub_case"]
    )
    assert told.exit_code == 0, told.output
    assert sorted(path.stem for path in (tmp_path / "made").iterdir()) == ["hub_case"]
    assert told.output.count("mm below the wood") == len(pockets) + 1
    assert "hub_case: needs 52 mm below the wood, and there are 40: screw it to the frame" in (
        told.output
    )
    assert 'Write box = "closed" and measure it by its own sheet' in told.output
    sheet = told.output.rpartition("its own sheet, ")[2].split()[0]
    assert (FOLDER.parent / sheet).exists()


def test_a_smaller_frame_has_shorter_cables(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE.replace("= 640", "= 640\nframe_side_mm = 620"), encoding="utf-8")
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path), "sleeve"])
    assert told.exit_code == 0, told.output
    for build in (each for each in BUILDS if not each.is_closed):
        text = (tmp_path / f"cut-list-{build.name}.csv").read_text(encoding="utf-8")
        lengths = {row["for"]: int(row["length mm"]) for row in csv.DictReader(text.splitlines())}
        for run in harness(build):
            way = {"pocket_ne": 1.5, "pocket_se": 0.5}.get(run.cable.name)
            assert lengths[run.cable.name] <= run.length_mm
            if way:
                assert way * 620 + SLACK_MM <= lengths[run.cable.name] < way * 620 + 2 * SLACK_MM


def test_beams_go_as_deep_as_the_measured_wood_asks(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE, encoding="utf-8")
    board = load(read_board(file).settings)[1].carrom
    assert board.crossed_depth_mm == 23
    assert board.beam_depth_mm == 32
    assert board.pocket_diameter_mm == 45.2
    file.write_text(MINE.replace("= 15", "= 15\ncrossed_depth_mm = 26"), encoding="utf-8")
    assert load(read_board(file).settings)[1].carrom.crossed_depth_mm == 26


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('board = "carrom"', 'board = "chess"', "board: expected carrom or hikone, found 'chess'"),
        ("room_below_mm = 640\n", "", "room_below_mm is missing; measure it"),
        ("room_below_mm", "legs_mm = 3\nroom_below_mm", "there is no size legs_mm; it has pocket"),
        ("[sizes]", "[extras]", "extras: expected board, box, corner, [measured] or [sizes]"),
        ('"print.fit_mm"', '"print.fits_mm"', "my.toml: there is no size print.fits_mm; did you"),
        ("[measured]", "[measured", "not TOML"),
        ("= 45.2", "= 20", "my.toml: carrom.pocket_diameter_mm = 20 is outside 42.5 to 70"),
        ("= 640", "= 640\nframe_side_mm = 62", "frame_side_mm: expected 300 to 1500, found 62"),
    ],
)
def test_a_mistake_in_a_boards_file_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(MINE.replace(old, new, 1), encoding="utf-8")
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "x"), "tray"])
    assert told.exit_code == 1
    assert said in told.output
    assert not (tmp_path / "x").exists()


def of(board: str, thick: float, *own: str) -> str:
    """Return the file of a board of such wood, with sizes of one's own."""
    mine = MINE.replace("carrom", board).replace("= 15", f"= {thick:g}")
    return mine + "".join(f"{each}\n" for each in own)


@each_board
@pytest.mark.parametrize(
    ("thick", "own"),
    [
        (20, '"print.screw_mm" = 20'),
        (20, '"print.ear_mm" = 3'),
        (30, '"beam.module_width_mm" = 14'),
        (6, '"print.ear_mm" = 6'),
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_a_board_is_not_refused_for_the_sizes_of_the_other(
    tmp_path: Path, name: str, thick: float, own: str, *, beside: bool
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(of(name, thick, *(() if beside else (own,))), encoding="utf-8")
    given = ["--set", own.replace('"', "").replace(" ", "")] if beside else []
    told = CliRunner().invoke(
        main, ["--board", str(file), "--out", str(tmp_path / "x"), *given, "cable_clip"]
    )
    assert told.exit_code == 0, told.output


@each_board
@pytest.mark.parametrize("part", ["chute.beam_height_mm", "print.screw_mm", "thinnest_piece_mm"])
def test_a_board_is_refused_for_its_own_sizes(tmp_path: Path, name: str, part: str) -> None:
    file = tmp_path / "my.toml"
    own = f'"{name}.{part}" = 5' if part.startswith("thin") else f'"{part}" = 20'
    own = own.replace('height_mm" = 20', 'height_mm" = 8')
    file.write_text(of(name, 12, own), encoding="utf-8")
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "x"), "tray"])
    assert told.exit_code == 1
    assert name in told.output


@pytest.mark.parametrize(("width", "deep"), [(6, 21), (10, 23), (14, 25)])
@pytest.mark.parametrize("beside", [False, True])
def test_beams_go_as_deep_as_modules_of_ones_own_ask(
    tmp_path: Path, width: float, deep: float, *, beside: bool
) -> None:
    file = tmp_path / "my.toml"
    own = f'"beam.module_width_mm" = {width}'
    file.write_text(of("carrom", 15, *(() if beside else (own,))), encoding="utf-8")
    read = read_board(file, [f"beam.module_width_mm={width}"] if beside else [])
    assert load(read.settings, read.kind)[1].carrom.crossed_depth_mm == deep
    file.write_text(of("carrom", 15, own, '"carrom.crossed_depth_mm" = 30'), encoding="utf-8")
    assert load(read_board(file).settings, "carrom")[1].carrom.crossed_depth_mm == 30


@pytest.mark.parametrize("change", ["room", "bed", "no board"])
def test_nothing_of_an_earlier_run_is_left_and_nothing_of_a_stranger_is_touched(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "my.toml", tmp_path / "made"
    file.write_text(of("carrom", 12).replace("= 32", "= 60"), encoding="utf-8")
    there = {each: PRINTED[each] for each in ("carrom_single", "seat_box")}
    monkeypatch.setattr(program, "PRINTED", there)
    given = ["--board", str(file), "--out", str(out), "--step"]
    told = CliRunner().invoke(main, given)
    assert told.exit_code == 0, told.output
    assert "not on its plates" not in told.output
    assert (out / "least-1.3mf").exists()
    assert (out / "pocket-money-2.3mf").exists()
    mine = {"my.stl", "least-1 mine.3mf", "least-x.3mf", "seat_box.gcode", "README"}
    for name in (*mine, "least-17.3mf", "cut-list-closed-box.csv"):
        (out / name).write_text("mine", encoding="utf-8")
    if change == "room":
        file.write_text(of("carrom", 12), encoding="utf-8")
    elif change == "bed":
        given += ["--set", "print.bed_mm=100", "--set", "box.ok_rim_mm=46"]
    else:
        del given[:2]
    told = CliRunner().invoke(main, given)
    left = {path.name for path in out.iterdir()} - mine
    assert mine <= {path.name for path in out.iterdir()}
    assert all(f"{out / each}" in told.output for each in left), "each is of this run"
    assert ("carrom_single.stl" in left) is (change == "no board")
    assert ("seat_box.stl" in left) is (change in ("room", "no board"))
    assert told.exit_code == (change == "bed")
    for build, seats in (("least", 0), ("pocket-money", 1)):
        said = f"{build}: not on its plates: 4 carrom_single"
        said += ", 1 seat_box" if seats and change == "bed" else ""
        assert (f"{said}\n" in told.output) is (change in ("room", "bed"))
    assert "full: not on its plates: 4 carrom_single" not in told.output


def test_parts_that_are_not_asked_for_stay(tmp_path: Path) -> None:
    others = {"least-1.3mf", "cut-list-least.csv"}
    for name in others:
        (tmp_path / name).write_text("of all", encoding="utf-8")
    for asked in ("cable_clip", "board_pad", "cable_clip"):
        told = CliRunner().invoke(main, ["--out", str(tmp_path), asked])
        assert told.exit_code == 0, told.output
    made = {"cable_clip.stl", "board_pad.stl"}
    assert {path.name for path in tmp_path.iterdir()} == made | others


@pytest.mark.parametrize("mistake", ["bed_mm", "a comma"])
def test_a_refused_run_leaves_what_is_there(tmp_path: Path, mistake: str) -> None:
    file, out = tmp_path / "my.toml", tmp_path / "made"
    out.mkdir()
    there = {"cable_clip.stl", "least-1.3mf", "cut-list-least.csv"}
    for name in there:
        (out / name).write_text("of before", encoding="utf-8")
    text = of("carrom", 12)
    file.write_text(text.replace("= 12", "= 12,1") if mistake == "a comma" else text, "utf-8")
    given = ["--set", "print.bed_mm=1"] if mistake == "bed_mm" else []
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(out), *given])
    assert told.exit_code == 1
    assert {path.name for path in out.iterdir()} == there


@pytest.mark.parametrize("width", [10, 10.3])
def test_wood_of_any_thickness_finds_its_depth(tmp_path: Path, width: float) -> None:
    file = tmp_path / "my.toml"
    for tenths in range(80, 300):
        text = of("carrom", tenths / 10, f'"beam.module_width_mm" = {width}')
        file.write_text(text, encoding="utf-8-sig")  # as an editor of Windows may
        read = read_board(file)
        board = load(read.settings, read.kind)[1].carrom
        assert board.crossed_depth_mm >= tenths / 10 + width / 2 + 2.999


WRONG = {
    "a number": "-5", "a fraction": "-0.5", "a truth": "true", "words": '"wide"', "a list": "[1]",
    "a table": "{ a = 1 }", "no number": "nan", "too much": "inf", "a day": "2026-01-01",
    "digits": "1" + 5000 * "0",
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(
    "key",
    ["board", "box", "corner", "measured", "sizes", "strange", *MEASURED[:2], SIDE, "print.fit_mm"],
)
def test_each_key_of_the_wrong_kind_is_a_mistake_that_is_named(
    tmp_path: Path, key: str, wrong: str
) -> None:
    if "_" in key:
        text = re.sub(rf'(?m)^"?{key}"? = .*\n', "", MINE)
        place = "[measured]" if key in MEASURED else "[sizes]"
        text = text.replace(place, f'{place}\n"{key}" = {WRONG[wrong]}')
    else:
        text = re.sub(rf"(?m)^{key} = .*\n", "", MINE)
        if key in {"measured", "sizes"}:
            text = re.sub(rf"(?s)\[{key}\][^\[]*", "", text)
        text = f"{key} = {WRONG[wrong]}\n{text}"
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    told = CliRunner().invoke(
        main, ["--board", str(file), "--out", str(tmp_path / "x"), "cable_clip"]
    )
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    assert len(told.output) < 6000
    assert any(each in told.output for each in (key, "not TOML", "no size a"))
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("content", [MINE.replace("# ", "").encode() + "# Höhe".encode("latin-1"),
                                     b"\xff\xfe" + MINE.encode("utf-16-le"), b"\x00", b"a" * 9,
                                     b"a = " + b"[" * 5000])  # fmt: skip
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(content)
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path / "x"), "tray"])
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    assert "my.toml: not " in told.output


INDIAN = """
board = "carrom"
[measured]
pocket_diameter_mm = 44.5
board_thickness_mm = 12
room_beside_mm = 48
room_below_mm = 600
frame_side_mm = 900
"""
BOXED = """
board = "hikone"
box = "closed"
[measured]
board_thickness_mm = 12
pocket_leg_mm = 70
inside_mm = 38
wall_mm = 20
bottom_mm = 5.5
frame_side_mm = 600
"""


@pytest.mark.parametrize(
    ("board", "name"),
    [pytest.param(INDIAN, "least", marks=pytest.mark.long),
     (INDIAN, "full"), (BOXED, "closed-box")],
    ids=["Indian carrom, least", "Indian carrom, full", "closed box"],
)  # fmt: skip
def test_a_measured_board_gets_every_print_and_every_cable_of_its_build(
    tmp_path: Path, board: str, name: str
) -> None:
    build = next(each for each in BUILDS if each.name == name)
    file = tmp_path / "my.toml"
    file.write_text(board, encoding="utf-8")
    told = CliRunner().invoke(main, ["--board", str(file), "--out", str(tmp_path), *printed(build)])
    assert told.exit_code == 0, told.output
    assert "left out" not in told.output
    assert {path.stem for path in tmp_path.glob("*.stl")} == set(printed(build))
    text = (tmp_path / f"cut-list-{name}.csv").read_text(encoding="utf-8")
    cut = {row["for"] for row in csv.DictReader(text.splitlines())}
    assert {cable.name for cable in build.cables} <= cut


@pytest.mark.parametrize("name", ["my.toml", "my own board.toml"])
def test_make_hardware_makes_the_parts_of_a_board(name: str) -> None:
    told = subprocess.run(
        ["make", "-n", "hardware", f"BOARD={name}"],
        cwd=FOLDER.parent, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    [line] = [each for each in told.splitlines() if "-m hardware.prints" in each]
    asked = shlex.split(line)
    assert asked[asked.index("hardware.prints") + 1 :] == ["--board", name, "--out", "build/board"]
    assert "hardware.generate" not in told


def test_what_a_boards_file_has_are_sizes_of_a_board(sizes: Sizes) -> None:
    assert all(hasattr(sizes.carrom, name) for name in MEASURED if name != SIDE)
