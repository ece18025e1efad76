"""The table of sizes is checked when it is read, and agrees with the things it describes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.prints.__main__ import main
from hardware.prints.page import EXPECTED_DEPTH_MM
from hardware.prints.parameters import TABLE, Origin, ParameterError, load, read_table
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.pulses import CHANCE, SIZES
from jackspot_sim.sensing.quality import CROSSED_MM

TEXT = TABLE.read_text(encoding="utf-8")


def test_the_pieces_are_those_of_the_simulated_table() -> None:
    _parameters, sizes = load()
    for with_jack, board in ((True, sizes.hikone), (False, sizes.carrom)):
        diameters = [size.diameter_mm for size in SIZES[with_jack].values()]
        assert board.smallest_piece_mm <= min(diameters)
        assert board.largest_piece_mm == max(diameters)
        assert board.thinnest_piece_mm <= min(
            each.thickness_mm for each in SIZES[with_jack].values()
        )
    assert RuleSystem.HIKONE in RuleSystem


def test_beams_sit_about_as_deep_as_those_of_the_simulated_table() -> None:
    _parameters, sizes = load()
    assert CHANCE.depth_mm == EXPECTED_DEPTH_MM
    for board in sizes.boards.values():
        assert board.depth_mm(1) == 32
        assert board.depth_mm(2) == CROSSED_MM


def test_nothing_claims_to_be_measured() -> None:
    parameters, _sizes = load()
    assert [each.name for each in parameters if each.origin is Origin.MEASURED] == []


def test_what_nobody_knows_says_how_to_measure_it() -> None:
    parameters, _sizes = load()
    guessed = {each.name: each.why for each in parameters if each.origin is Origin.GUESS}
    assert "hikone.pocket_diameter_mm" in guessed
    for name, why in guessed.items():
        assert "easure" in why or "Print" in why or name == "chute.bounce", name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("value = 44.5", 'value = "wide"'), "carrom.pocket_diameter_mm: expected a number"),
        (("value = 44.5", "value = nan"), "carrom.pocket_diameter_mm: expected a number"),
        (("value = 44.5", "value = 20"), "= 20 is outside 42.5 to 70"),
        (("range = [42.5, 70.0]", "range = 42"), "range: expected two numbers"),
        (('from = "guess"', 'from = "hearsay"'), "'hearsay' is none of measured, rule book"),
        (('why = "As for carrom."', 'why = " "'), "why: say where it comes from"),
        (("[hub.notch_mm]", "[hub.nock_mm]"), "hub.notch_mm is missing"),
        (("[hub.notch_mm]", "[hub.nock_mm]\n[hub.notch_mm]"), "hub.nock_mm: expected exactly"),
        (("[beam.led_mm]", "[beam.led_mm"), "not TOML"),
    ],
)
def test_a_mistake_in_the_table_is_named(change: tuple[str, str], said: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(ParameterError) as refused:
        read_table(TEXT.replace(*change, 1))
    assert said in str(refused.value)


def test_a_size_that_nothing_uses_is_refused() -> None:
    extra = '\n[beam.led]\nvalue = 5\nrange = [3, 5]\nfrom = "guess"\nwhy = "none"\n'
    with pytest.raises(ParameterError, match=r"no size beam\.led; did you mean beam\.led_mm\?"):
        read_table(TEXT + extra)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("carrom.pocket_mm=45", "did you mean carrom.pocket_diameter_mm?"),
        ("carrom.pocket_diameter_mm", "expected NAME=VALUE"),
        ("carrom.pocket_diameter_mm=wide", "expected a number, found 'wide'"),
        ("carrom.largest_piece_mm=45", "does not fall through a pocket of 44.5 mm"),
        ("hikone.smallest_piece_mm=36", "smallest_piece_mm is larger"),
        ("carrom.beam_depth_mm=15", "carrom: the beam would be 3 mm below"),
        ("carrom.beam_depth_mm=15", "make beam_depth_mm at least 20"),
        ("hikone.crossed_depth_mm=19", "hikone: the crossed beams would be 7 mm below"),
        ("hikone.crossed_depth_mm=19", "make crossed_depth_mm at least 20"),
        ("hikone.board_thickness_mm=15", "make crossed_depth_mm at least 23"),
        ("beam.led_mm=4", "expected 3 or 5"),
        ("beam.aperture_mm=5", "must be smaller than led_mm"),
        ("beam.crossed_aperture_mm=5", "must be smaller than led_mm"),
        ("beam.rim_mm=4.5", "must be larger than led_mm"),
        ("chute.beam_height_mm=8", "make it at most 6"),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(setting: str, said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        load([setting])
    assert said in str(refused.value)


def test_a_maker_makes_a_part_with_sizes_of_his_own(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        main, ["--out", str(tmp_path), "--set", "carrom.pocket_diameter_mm=46", "carrom_single"]
    )
    assert told.exit_code == 0, told.output
    assert [path.name for path in tmp_path.iterdir()] == ["carrom_single.stl"]


def test_a_wrong_size_writes_nothing(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["--out", str(tmp_path), "--set", "beam.led_mm=4"])
    assert told.exit_code == 1
    assert "expected 3 or 5" in told.output
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_would_not_print_is_not_written(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        main, ["--out", str(tmp_path), "--set", "print.bed_mm=120", "hub_case", "sleeve"]
    )
    assert told.exit_code == 1
    assert "hub_case: " in told.output
    assert "larger than the bed of 120 mm" in told.output
    assert [path.name for path in tmp_path.iterdir()] == ["sleeve.stl"]


@pytest.mark.parametrize("name", ["window_width_mm", "window_height_mm", "both"])
def test_a_part_that_leaves_no_place_for_its_number_is_refused_and_no_other(
    tmp_path: Path, name: str
) -> None:
    names = ["window_width_mm", "window_height_mm"] if name == "both" else [name]
    given = [each for size in names for each in ("--set", f"oled.{size}=56")]
    told = CliRunner().invoke(main, ["--out", str(tmp_path), *given, "oled_bezel", "cable_clip"])
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    assert "oled_bezel: " in told.output
    assert [path.name for path in tmp_path.iterdir()] == ["cable_clip.stl"]
