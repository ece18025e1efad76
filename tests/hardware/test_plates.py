"""Plates: all pieces of a build are on them, none on another, and a slicer reads the files."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from manifold3d import Manifold

from hardware.generate.builds import BUILDS, Build
from hardware.generate.printed import HUB, on_plates, plate_files, printed
from hardware.prints.catalogue import PRINTED, solids
from hardware.prints.models import shape_of, stl
from hardware.prints.parameters import load
from hardware.prints.plates import APART_MM, Plate, laid_of, plates, size, threemf

BED_MM = load()[1].print.bed_mm


def outlines(plate: Plate, made: dict[str, Manifold]) -> list[tuple[float, float, float, float]]:
    """Return left, front, right and back of each piece."""
    found = []
    for each in plate:
        wide, deep = size(made[each.part])
        if each.turned:
            wide, deep = deep, wide
        found.append((each.x, each.y, each.x + wide, each.y + deep))
    return found


def expect_sound(plate: Plate, made: dict[str, Manifold]) -> None:
    """Expect all pieces to be on the bed, each apart from the others."""
    lying = outlines(plate, made)
    for at, (left, front, right, back) in enumerate(lying):
        assert min(left, front) >= 0
        assert max(right, back) <= BED_MM + 1e-6
        for other in lying[:at]:
            apart = max(left - other[2], other[0] - right, front - other[3], other[1] - back)
            assert apart >= APART_MM - 1e-6


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)
def test_the_plates_of_a_build_have_all_its_pieces_each_by_itself(build: Build) -> None:
    found: Counter[str] = Counter()
    for plate, times in on_plates(build).items():
        expect_sound(plate, dict(solids()))
        assert len({PRINTED[each.part].material for each in plate}) == 1
        for each in plate:
            found[each.part] += times
    others = {"fit_gauge", *HUB}
    assert found == {name: n for name, n in printed(build).items() if name not in others}


sizes = st.tuples(st.floats(1, BED_MM), st.floats(1, BED_MM))


@given(st.lists(sizes, min_size=1, max_size=12))
def test_whatever_the_pieces_are_none_lies_upon_another(each: list[tuple[float, float]]) -> None:
    names = list(PRINTED)[: len(each)]
    made = {
        name: Manifold.cube((wide, deep, 5.0))
        for name, (wide, deep) in zip(names, each, strict=True)
    }
    found = plates(dict.fromkeys(names, 1), made, BED_MM)
    for plate in found:
        expect_sound(plate, made)
    assert sorted(piece.part for plate in found for piece in plate) == sorted(names)


def test_a_piece_that_no_bed_holds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"hub_case: 178 mm is more than the bed's 150"):
        plates({"hub_case": 1}, solids(), 150.0)


def test_a_file_has_each_piece_as_it_was_made_where_it_was_laid() -> None:
    made = dict(solids())
    (plate, *_others) = plates({"closed_eye": 3, "closed_foot": 2}, made, BED_MM)
    laid = laid_of(threemf(plate, made, "Some", "1.2.3"))
    assert laid.title == "Some"
    assert set(laid.shapes) == {"closed_eye 1.2.3", "closed_foot 1.2.3"}
    for name, shape in laid.shapes.items():
        assert shape == shape_of(stl(made[name.split()[0]]))
    for piece, (name, transform) in zip(plate, laid.items, strict=True):
        assert name.split()[0] == piece.part
        *turn, x, y, z = map(float, transform.split())
        corners = np.array(made[piece.part].to_mesh().vert_properties[:, :3], float)
        moved = corners @ np.reshape(turn, (3, 3)) + (x, y, z)
        assert moved.min(axis=0) == pytest.approx((piece.x, piece.y, 0.0), abs=0.01)
        assert np.linalg.det(np.reshape(turn, (3, 3))) == pytest.approx(1.0), "not mirrored"


@pytest.mark.long
def test_two_runs_write_the_same_bytes() -> None:
    assert plate_files() == plate_files()
