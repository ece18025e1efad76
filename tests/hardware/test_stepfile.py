"""STEP files of printed parts: read back, they are the same closed body as the mesh."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from manifold3d import Manifold

from hardware.generate.step import FOLDER
from hardware.prints.__main__ import main
from hardware.prints.catalogue import PRINTED, solids
from hardware.prints.faces import FLAT_MM, body
from hardware.prints.solids import block, cylinder
from hardware.prints.stepfile import step

each_part = pytest.mark.parametrize("part", PRINTED.values(), ids=lambda part: part.id)
ROOT = FOLDER.parent


class ReadBack:
    """A STEP file's faces, by following its entities from the solid down to the points."""

    def __init__(self, content: bytes) -> None:
        text = content.decode("ascii")
        assert text.startswith("ISO-10303-21;\nHEADER;\n")
        assert text.endswith("ENDSEC;\nEND-ISO-10303-21;\n")
        self.entities = dict(re.findall(r"^#(\d+)=(.*);$", text, re.MULTILINE))
        [shell] = self.of_kind("MANIFOLD_SOLID_BREP")
        [faces] = self.inside(shell)
        self.faces = [self.face(face) for face in self.inside(faces)]

    def of_kind(self, kind: str) -> list[str]:
        return [n for n, entity in self.entities.items() if entity.startswith(f"{kind}(")]

    def inside(self, number: str) -> list[str]:
        return re.findall(r"#(\d+)", self.entities[number])

    def numbers(self, number: str) -> np.ndarray:
        kind, said = re.fullmatch(r"(\w+)\('',\((.*)\)\)", self.entities[number]).groups()  # type: ignore[union-attr]
        assert kind in {"CARTESIAN_POINT", "DIRECTION"}
        return np.array([float(each) for each in said.split(",")])

    def face(self, number: str) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Return a place on a face's plane, its normal, and its borders' corners."""
        assert self.entities[number].endswith(",.T.)")
        *bounds, plane = self.inside(number)
        kinds = [self.entities[each].split("(")[0] for each in bounds]
        assert kinds == ["FACE_OUTER_BOUND", *["FACE_BOUND"] * (len(kinds) - 1)]
        assert all(self.entities[each].endswith(",.T.)") for each in bounds)
        place, normal, along = self.inside(*self.inside(plane))
        assert abs(self.numbers(normal) @ self.numbers(along)) < 1e-3
        borders = [np.array([*self.border(*self.inside(each))]) for each in bounds]
        return self.numbers(place), self.numbers(normal), borders

    def border(self, loop: str) -> Iterator[np.ndarray]:
        """Yield the corners of a border, each edge of which begins where the last one ended."""
        edges = [self.edge(each) for each in self.inside(loop)]
        for (_, end), (start, _) in zip(edges, [*edges[1:], edges[0]], strict=True):
            assert end == start
        yield from (self.numbers(*self.inside(start)) for start, _ in edges)

    def edge(self, oriented: str) -> tuple[str, str]:
        [curve] = self.inside(oriented)
        start, end, line = self.inside(curve)
        at, vector = self.inside(line)
        way = self.numbers(*self.inside(vector))
        for corner in (start, end):
            off = self.numbers(*self.inside(corner)) - self.numbers(at)
            assert np.linalg.norm(off - (off @ way) * way) < 1e-3
        return (start, end) if self.entities[oriented].endswith(",.T.)") else (end, start)

    def volume(self) -> float:
        return sum(float(place @ area(border)) for place, _, borders in self.faces
                   for border in borders) / 3  # fmt: skip

    def corners(self) -> np.ndarray:
        return np.vstack([border for _, _, borders in self.faces for border in borders])


def area(border: np.ndarray) -> np.ndarray:
    """Return the area inside a border, as a vector along its normal."""
    area: np.ndarray = np.cross(border, np.roll(border, -1, axis=0)).sum(axis=0) / 2
    return area


@each_part
def test_a_step_file_has_the_volume_and_the_size_of_the_mesh(part) -> None:
    solid = solids()[part.id]
    content = step(solid, part.id, part.revision)
    found = ReadBack(content)
    assert found.volume() == pytest.approx(solid.volume(), rel=1e-6)
    corners = found.corners()
    box = [*corners.min(axis=0), *corners.max(axis=0)]
    assert box == pytest.approx(solid.bounding_box(), abs=1e-4)
    surface = sum(float(np.linalg.norm(sum(map(area, borders)))) for _, _, borders in found.faces)
    assert surface == pytest.approx(solid.surface_area(), rel=1e-4)
    assert len(found.faces) < solid.num_tri() / 2, "triangles of one plane are one face"
    assert f"PRODUCT('{part.id}','{part.id}','revision {part.revision}'".encode() in content


@each_part
def test_the_faces_of_a_step_file_are_flat_and_close_the_body(part) -> None:
    found = ReadBack(step(solids()[part.id], part.id, part.revision))
    used = Counter(
        (found.inside(each)[0], found.entities[each].endswith(".T.)"))
        for loop in found.of_kind("EDGE_LOOP") for each in found.inside(loop)
    )  # fmt: skip
    curves = found.of_kind("EDGE_CURVE")
    assert used == {(curve, along): 1 for curve in curves for along in (True, False)}
    for place, normal, borders in found.faces:
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        inward = [float(area(border) @ normal) for border in borders]
        assert inward[0] > 0 > max([*inward[1:], -1.0])
        assert inward[0] > -sum(inward[1:])
        for border in borders:
            assert np.abs((border - place) @ normal).max() < 2 * FLAT_MM


def faces_of(solid: Manifold) -> list[list[int]]:
    """Return how many corners each border of each face has."""
    return sorted([len(border) for border in face.borders] for face in body(solid).faces)


def test_a_block_has_six_faces_and_one_with_a_hole_two_borders_at_its_ends() -> None:
    whole = block((0, 10), (0, 10), (0, 10))
    assert faces_of(whole) == [[4]] * 6
    hole = block((3, 7), (3, 7), (-1, 11))
    assert faces_of(whole - hole) == [[4]] * 8 + [[4, 4]] * 2
    beside = block((10, 20), (0, 10), (0, 10))
    assert faces_of(whole + beside) == [[4]] * 6, "no edge is left where two blocks met"


def test_where_a_face_touches_itself_in_a_corner_its_border_goes_on_around_that_corner() -> None:
    """Two pits in a block, whose rims share a corner."""
    solid = block((-20, 20), (-20, 20), (-20, 0))
    for x in (-5.0, 5.0):
        rim = [(x + a, x + b, 1.0) for a in (-6.0, 6.0) for b in (-6.0, 6.0)]
        solid -= Manifold.hull_points([*rim, (x, x, -5.0)])
    found = ReadBack(step(solid, "x", 1))
    assert found.volume() == pytest.approx(solid.volume())
    [upper] = [borders for place, normal, borders in found.faces
               if normal[2] > 0.99 and abs(place[2]) < 1e-6]  # fmt: skip
    assert sum(map(len, upper)) == 12


def test_facets_of_a_circle_stay_apart() -> None:
    facets = len(body(cylinder(10.0, (0.0, 5.0))).faces) - 2
    assert facets > 24
    assert faces_of(cylinder(10.0, (0.0, 5.0))) == [[4]] * facets + [[facets]] * 2


def test_two_bodies_are_refused() -> None:
    apart = block((0, 1), (0, 1), (0, 1)) + block((2, 3), (0, 1), (0, 1))
    with pytest.raises(ValueError, match="expected one body, found 2"):
        body(apart)


def test_the_command_writes_a_step_file_beside_each_model_where_it_is_asked(tmp_path: Path) -> None:
    for options, wanted in (([], [".stl"]), (["--step"], [".step", ".stl"])):
        done = CliRunner().invoke(main, ["--out", str(tmp_path), *options, "board_pad"])
        assert done.exit_code == 0, done.output
        assert sorted(each.suffix for each in tmp_path.iterdir()) == wanted
    solid = solids()["board_pad"]
    again = ReadBack((tmp_path / "board_pad.step").read_bytes())
    assert again.volume() == pytest.approx(solid.volume(), rel=1e-6)


def test_the_page_says_what_the_step_files_are_and_make_and_release_make_them() -> None:
    page = (FOLDER / "prints" / "README.md").read_text(encoding="utf-8")
    command = "-m hardware.prints --step --out build/prints"
    assert f"`.venv/bin/python {command}`" in page
    assert "of flat facets" in page
    assert command in (ROOT / ".ci" / "release").read_text(encoding="utf-8")
    assert command in (ROOT / "Makefile").read_text(encoding="utf-8")
