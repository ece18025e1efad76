"""The printed parts can be printed, and parts that cannot are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold

from hardware.generate.step import FOLDER
from hardware.prints.catalogue import PRINTED, SCREWS, THREE_MM, Printed
from hardware.prints.checks import hanging_mm2, mesh_of, mistakes, read_stl, solid_of, thinnest
from hardware.prints.models import shape_of, stl
from hardware.prints.parameters import Sizes, load
from hardware.prints.solids import block, bore, cylinder, without

BED_MM = 180.0
each_part = pytest.mark.parametrize("part", PRINTED.values(), ids=lambda part: part.id)


@pytest.fixture(scope="module")
def sizes() -> Sizes:
    return load()[1]


def file_of(part: Printed) -> Path:
    return FOLDER / "prints" / "stl" / f"{part.id}.stl"


_looked_over: dict[tuple[bytes, bytes, float], list[str]] = {}


def wrong_with(part: Printed, sizes: Sizes) -> list[str]:
    """Return the mistakes of a part in these sizes; identical parts are checked once."""
    solid = part.solid(sizes)
    mesh = solid.to_mesh()
    key = (mesh.vert_properties.tobytes(), mesh.tri_verts.tobytes(), part.overhang_mm2)
    if key not in _looked_over:
        _looked_over[key] = mistakes(mesh_of(solid), BED_MM, part.overhang_mm2)
    return _looked_over[key]


@each_part
def test_the_file_of_a_part_can_be_printed(part: Printed, sizes: Sizes) -> None:
    assert sizes.print.bed_mm == BED_MM
    assert mistakes(read_stl(file_of(part)), BED_MM, part.overhang_mm2) == []


@each_part
def test_a_part_that_hangs_in_the_air_says_where(part: Printed) -> None:
    assert bool(part.overhang) == bool(part.overhang_mm2)
    hangs = hanging_mm2(read_stl(file_of(part)))
    assert hangs > 0.5 * part.overhang_mm2 - 0.1, "less hangs than is named"


@pytest.mark.long
@each_part
def test_a_part_for_lenses_of_three_millimetres_can_be_printed(part: Printed) -> None:
    _parameters, small = load(THREE_MM)
    assert wrong_with(part, small) == []


@pytest.mark.parametrize(
    "settings",
    [
        (
            "hikone.pocket_diameter_mm=60", "hikone.board_thickness_mm=18",
            "hikone.beam_depth_mm=45", "hikone.crossed_depth_mm=26",
            "box.ok_hole_mm=30", "box.ok_rim_mm=34", "box.lamp_hole_mm=8",
        ),
        pytest.param((
            "carrom.pocket_diameter_mm=46", "carrom.board_thickness_mm=8",
            "carrom.beam_depth_mm=25", "carrom.crossed_depth_mm=16",
            "oled.board_width_mm=27", "oled.board_height_mm=27", "oled.window_width_mm=23",
        ), marks=pytest.mark.long),
        pytest.param(
            ("carrom.crossed_depth_mm=32", "hikone.crossed_depth_mm=32"), marks=pytest.mark.long
        ),
    ],
)  # fmt: skip
def test_other_boards_and_buttons_can_be_printed(settings: tuple[str, ...]) -> None:
    _parameters, other = load(settings)
    wrong = {part.id: found for part in PRINTED.values() if (found := wrong_with(part, other))}
    assert wrong == {}


def test_all_models_together_are_small() -> None:
    assert sum(file_of(part).stat().st_size for part in PRINTED.values()) < 3_000_000


def test_every_screw_of_a_part_is_in_the_table_and_every_screw_is_used() -> None:
    used = {screw for part in PRINTED.values() for screw in part.screws}
    assert used == set(SCREWS)


# Each check refuses what it is there for.

BLOCK = block((0, 40), (0, 30), (0, 20))


def found(solid: Manifold, overhang_mm2: float = 0.0) -> str:
    return "; ".join(mistakes(mesh_of(solid), BED_MM, overhang_mm2))


def test_a_sound_block_is_taken() -> None:
    assert found(BLOCK) == ""


def test_an_open_mesh_is_refused() -> None:
    mesh = mesh_of(BLOCK)
    opened = trimesh.Trimesh(mesh.vertices, mesh.faces[1:])
    assert "not closed" in mistakes(opened, BED_MM)[0]


def test_a_mesh_that_is_inside_out_is_refused() -> None:
    mesh = mesh_of(BLOCK)
    turned = trimesh.Trimesh(mesh.vertices, mesh.faces[:, ::-1])
    assert "inside out" in mistakes(turned, BED_MM)[0]


def test_faces_turned_in_different_ways_are_refused() -> None:
    mesh = mesh_of(BLOCK)
    faces = np.array(mesh.faces)
    faces[0] = faces[0][::-1]
    assert "different ways" in mistakes(trimesh.Trimesh(mesh.vertices, faces), BED_MM)[0]


def test_two_bodies_are_refused() -> None:
    assert found(BLOCK + BLOCK.translate((60, 0, 0))) == "2 bodies in place of one"


def test_a_hollow_that_nothing_leads_to_is_refused() -> None:
    assert "bodies" in found(without(BLOCK, [block((10, 20), (10, 20), (5, 10))]))


@pytest.mark.parametrize("wall", [0.4, 0.8, 1.1])
def test_a_thin_wall_is_refused_wherever_it_is(wall: float) -> None:
    thin = without(BLOCK, [block((wall, 38), (2, 28), (2, 30))])
    assert f"{wall:.2f} mm thin" in found(thin)
    upright = BLOCK + block((60 - wall, 60), (0, 30), (0, 40)) + block((39, 60), (0, 30), (0, 2))
    assert f"{wall:.2f} mm thin" in found(upright)


def test_a_wall_of_three_lines_is_taken() -> None:
    assert found(without(BLOCK, [block((1.2, 38), (2, 28), (2, 30))])) == ""


def test_thickness_is_measured() -> None:
    assert thinnest(mesh_of(BLOCK))[0] == pytest.approx(20.0, abs=0.01)


def test_what_is_larger_than_the_bed_is_refused() -> None:
    assert "larger than the bed" in found(block((0, 181), (0, 30), (0, 5)))


def test_what_does_not_stand_on_the_bed_is_refused() -> None:
    assert "not on the bed" in found(BLOCK.translate((0, 0, 0.3)))
    assert "stand on the bed" in found(Manifold.sphere(15, 48).translate((0, 0, 15)))


def test_a_roof_in_the_air_is_refused_unless_it_is_named() -> None:
    table = BLOCK + block((0, 60), (0, 30), (16, 20))
    assert "600.0 mm2 hang in the air; 0 are named" in found(table)
    assert found(table, 600.0) == ""


@pytest.mark.parametrize(("degrees", "taken"), [(40, True), (45, True), (50, False)])
def test_a_slope_is_taken_up_to_45_degrees(degrees: int, *, taken: bool) -> None:
    shift = 20 * np.tan(np.radians(degrees))
    lower, upper = block((0, 20), (0, 20), (0, 0.01)), block((0, 20), (0, 20), (19.99, 20))
    leaning = Manifold.batch_hull([lower, upper.translate((shift, 0, 0))])
    # The lower edge of the leaning block is sharp; only the slope is checked here.
    assert ("hang" not in found(leaning)) is taken


def test_a_round_hole_hangs_and_one_with_a_roof_does_not() -> None:
    tall = block((0, 40), (0, 30), (0, 40))
    round_hole = cylinder(6, (-1, 50)).rotate((0, 90, 0)).translate((0, 15, 20))
    assert "hang" in found(without(tall, [round_hole]))
    assert found(without(tall, [bore(6, (-1, 41), 15, 20)])) == ""


# Files.


def test_a_file_that_is_read_is_the_solid_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "block.stl"
    path.write_bytes(stl(BLOCK))
    assert solid_of(read_stl(path)).volume() == pytest.approx(24_000)


def test_a_model_that_moved_or_grew_a_little_is_another() -> None:
    same = shape_of(stl(BLOCK))
    assert shape_of(stl(BLOCK.refine(3))) == same
    assert shape_of(stl(BLOCK.translate((0.05, 0, 0)))) != same
    assert shape_of(stl(without(BLOCK, [cylinder(1, (-1, 50), (20, 15))]))) != same
