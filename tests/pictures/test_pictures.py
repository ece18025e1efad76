"""The pictures of the pages: each is made by a command, and each is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from jackspot.dialogue.phases.table import NEXT
from jackspot.dialogue.state.view import Phase
from jackspot_sim.soak.settled import curve_svg, evidence_svg, sure_svg
from jackspot_sim.soak.settling import read_runs
from tests.pictures.__main__ import INTO
from tests.pictures.made_from import PAGES, TABLE, loaded_by, made_from, written
from tests.pictures.making import PICTURES, oled
from tests.pictures.phases import CAUSES, diagram, lines_of, with_tables
from tests.pictures.settling import KEPT, presses_svg, with_tables as with_figures

README = Path(__file__).resolve().parents[2] / "README.md"
DIALOGUE = INTO.parent / "DIALOGUE.md"
MEASUREMENTS = INTO.parent / "MEASUREMENTS.md"


def test_every_picture_is_made_by_the_command_and_shown_on_a_page() -> None:
    pages = (README, DIALOGUE, MEASUREMENTS)
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    shown = re.findall(r"\bpictures/([\w.-]+)", text)
    assert sorted(shown) == sorted(PICTURES)
    assert sorted(path.name for path in INTO.iterdir()) == sorted(PICTURES)


@pytest.mark.parametrize("picture", sorted(PICTURES))
def test_a_picture_was_made_from_what_is_there_now(picture: str) -> None:
    now, then = made_from(picture), written()[picture]
    changed = sorted(each for each in {*now, *then} if now.get(each) != then.get(each))
    assert changed == [], f'make pictures ARGS="{picture}", and look at it'


def test_the_first_picture_moves_and_is_small_enough_for_a_page() -> None:
    first = re.findall(r"firmware/pictures/([\w.]+)", README.read_text(encoding="utf-8"))[0]
    path = INTO / first
    with Image.open(path) as picture:
        assert getattr(picture, "n_frames", 1) > 100
    assert path.stat().st_size < 1_000_000


def test_the_picture_of_the_oled_has_four_moments(tmp_path: Path) -> None:
    oled(tmp_path / "oled.png")
    with Image.open(tmp_path / "oled.png") as made, Image.open(INTO / "oled.png") as kept:
        assert made.size == kept.size == (812, 428)
        quarters = {
            made.convert("L").crop((x, y, x + 384, y + 192)).tobytes()
            for x in (16, 412) for y in (16, 220)
        }  # fmt: skip
    assert len(quarters) == 4


@pytest.mark.parametrize("folder", [PAGES, TABLE], ids=["board", "simulated table"])
def test_every_file_of_the_pages_is_loaded_by_one(folder: Path) -> None:
    first = [page for each in (PAGES, TABLE) for page in each.glob("*.html")]
    loaded = {file for page in first for file in loaded_by(page)}
    there = {file for file in folder.rglob("*") if file.suffix in {".js", ".css", ".woff2"}}
    assert there - loaded <= {PAGES / "api-page.css"}, "written into the page of the interface"


def test_the_page_and_the_diagram_of_the_phases_are_made_of_the_table() -> None:
    said = 'make pictures ARGS="phases.svg", and look at it'
    assert (INTO / "phases.svg").read_text(encoding="utf-8") == diagram(), said
    page = DIALOGUE.read_text(encoding="utf-8")
    assert page == with_tables(page), said


def test_the_pictures_and_tables_of_what_settles_itself_are_made_of_the_same_figures() -> None:
    names = "presses-and-wrong.svg hands-off.svg sure-and-right.svg"
    said = f'make pictures ARGS="{names}", and look at them'
    runs = read_runs(KEPT)
    assert (INTO / "presses-and-wrong.svg").read_text(encoding="utf-8") == curve_svg(runs), said
    assert (INTO / "hands-off.svg").read_text(encoding="utf-8") == evidence_svg(runs), said
    assert (INTO / "sure-and-right.svg").read_text(encoding="utf-8") == sure_svg(runs), said
    page = MEASUREMENTS.read_text(encoding="utf-8")
    assert page == with_figures(page), said
    said = 'make pictures ARGS="presses.svg", and look at it'
    assert (INTO / "presses.svg").read_text(encoding="utf-8") == presses_svg(page), said


def test_the_diagram_has_each_step_from_one_phase_to_another_once() -> None:
    drawn = [
        (phase, name, other)
        for phase in Phase
        for _colour, names, to in lines_of(phase)
        for name in names.split(", ")
        for other in to
    ]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == {
        (phase, CAUSES[cause], other) for (phase, cause), to in NEXT.items() for other in to
    }
