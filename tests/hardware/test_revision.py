"""Every printed part carries the number of its revision, or says why not."""

from __future__ import annotations

import pytest
from manifold3d import CrossSection

from hardware.generate.step import FOLDER
from hardware.prints.catalogue import PRINTED, Printed
from hardware.prints.checks import read_stl, solid_of
from hardware.prints.page import page
from hardware.prints.parameters import load
from hardware.prints.revision import (
    DEEP_MM,
    DIGIT_MM,
    PLACES,
    STROKE_MM,
    UNMARKED,
    engraved,
    groove,
    strokes,
)
from hardware.prints.solids import block

MARKED = [part for part in PRINTED.values() if not part.unmarked]
each_marked = pytest.mark.parametrize("part", MARKED, ids=lambda part: part.id)


def test_every_part_has_a_place_for_its_number_or_a_reason() -> None:
    assert {*PLACES, *UNMARKED} == set(PRINTED)
    assert not set(PLACES) & set(UNMARKED)
    assert len(UNMARKED) <= 4


@each_marked
def test_the_number_is_whole_and_on_flat_plastic_that_stays_thick_enough(part: Printed) -> None:
    _parameters, sizes = load()
    bare = part.made(sizes)
    taken = groove(bare, PLACES[part.id](sizes), part.revision)
    area = strokes(part.revision).area()
    assert (bare ^ taken).volume() == pytest.approx(area * DEEP_MM, rel=2e-3)
    low, high = taken.bounding_box()[2], taken.bounding_box()[5]
    around = taken.project().hull().offset(1.2)
    air = around.extrude(1.0).translate((0.0, 0.0, high))
    assert (bare ^ air).volume() < 1e-6, "something stands over the number"
    below = around.extrude(1.2).translate((0.0, 0.0, low - 1.2))
    assert (below - bare).volume() < 1e-6, "less than 1.2 mm is left below the number"


@each_marked
def test_the_committed_model_carries_the_number(part: Printed) -> None:
    _parameters, sizes = load()
    taken = groove(part.made(sizes), PLACES[part.id](sizes), part.revision)
    model = solid_of(read_stl(FOLDER / "prints" / "stl" / f"{part.id}.stl"))
    assert (model ^ taken).volume() < 0.02 * taken.volume(), "run `make hardware ARGS=--anew`"


def test_another_revision_has_another_number() -> None:
    block_of = block((-20, 20), (-20, 20), (0, 5))
    volumes = {round(engraved(block_of, PLACES["tray"](load()[1]), n).volume(), 3)
               for n in (1, 2, 4, 7, 10, 12)}  # fmt: skip
    assert len(volumes) == 6


@pytest.mark.parametrize("digit", range(10))
def test_a_nozzle_draws_each_digit_and_the_walls_between_its_strokes(digit: int) -> None:
    outline = strokes(digit)
    assert outline.offset(-STROKE_MM / 2 + 0.01).area() > 0
    plate = CrossSection.square((DIGIT_MM[0] + 4, DIGIT_MM[1] + 4), True) - outline
    for wall in plate.decompose():
        assert not wall.offset(-0.6).is_empty(), "a wall that is thinner than 1.2 mm"


def test_a_place_beside_the_part_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no part at 0\.0, 0\.0"):
        groove(block((5, 9), (5, 9), (0, 5)), PLACES["tray"](load()[1]), 2)


def test_the_page_says_of_every_part_which_revision_it_is() -> None:
    rows = {line.split("`")[1]: line for line in page().splitlines() if line.startswith("| [`")}
    for part in PRINTED.values():
        told = f"; not engraved: {part.unmarked}" if part.unmarked else ""
        assert rows[part.id].endswith(f" | {part.revision}{told} |")
