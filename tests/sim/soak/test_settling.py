"""Curves of readings that settle themselves: counted, kept in a file, and drawn."""

from __future__ import annotations

import re
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee, Room
from jackspot_sim.sensing.heads import HeadQuality
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.command import command
from jackspot_sim.soak.counting import SoakCount, measure, measure_at
from jackspot_sim.soak.plots import Diagram, Dot, panels_svg
from jackspot_sim.soak.report import settling_table, tables
from jackspot_sim.soak.running import run
from jackspot_sim.soak.settled import curve_svg, evidence_svg, sure_svg, tables_text
from jackspot_sim.soak.settling import (
    THRESHOLDS,
    BoardEvidence,
    Point,
    put_run,
    read_runs,
    together,
)
from jackspot_sim.traffic.certainty import Bin
from jackspot_sim.traffic.measures import MeasuredTally
from tests.sim.soak.test_soak import SOAK_OF_TWO, BriefSoak, job, timeless

KEPT = Path(__file__).parents[3] / "sim" / "settling.json"


def put_a_curve(sensors: str, file: Path) -> None:
    done = CliRunner().invoke(
        command,
        ["--matches", "1", "--first", "2", "--seed", "11", "--sensors", sensors,
         "--workers", "1", "--curve", str(file)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of figures from a master's first shots in one match, with both kinds of sensors."""
    file = tmp_path_factory.mktemp("settling") / "small.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jackspot_sim.soak.command.Soak", BriefSoak)
        for sensors in ("default", "crossed"):
            put_a_curve(sensors, file)
    return file


def test_the_same_shots_are_played_at_each_threshold() -> None:
    asked, settled = measure_at(job(), (0.0, 0.7))
    assert timeless(asked) == timeless(measure(job()))
    assert timeless(settled) == timeless(measure(changed(job(), auto_confirm=0.7)))
    assert asked.tally.strokes == settled.tally.strokes
    assert asked.tally.unasked == 0 < settled.tally.unasked
    assert settled.tally.presses < asked.tally.presses


def test_the_whole_firmware_settles_what_the_pure_chain_settles() -> None:
    short = changed(job(), most_shots=8, auto_confirm=0.5)
    whole, pure = (measure(changed(short, whole=each)) for each in (True, False))
    assert whole.tally == pure.tally
    assert whole.tally.unasked > 0


def test_figures_are_read_as_they_were_kept(small: Path) -> None:
    runs = read_runs(small)
    assert [each.evidence.sensors for each in runs] == [Quality.DEFAULT, Quality.CROSSED]
    for each in runs:
        assert {(p.referee, p.auto_confirm) for p in each.points} == {
            (who, threshold) for who in Referee for threshold in THRESHOLDS
        }
        assert sum(one.bin.count for one in each.sure) > 5
    before = small.read_text(encoding="utf-8")
    put_run(runs[0], small)
    assert small.read_text(encoding="utf-8") == before


def test_each_evidence_has_a_run_of_its_own(small: Path) -> None:
    [first, _second] = read_runs(small)
    told = BoardEvidence(room=Room.CLUB, heads=HeadQuality.CLEAN, hands=Assistance.FREE)
    file = small.with_name("further.json")
    for evidence in (first.evidence, told, told):
        put_run(changed(first, evidence=evidence), file)
    beams, heads = read_runs(file)
    assert (beams.evidence, heads.evidence) == (first.evidence, told)
    assert (str(beams.evidence), str(heads.evidence)) == ("one beam", "discs, heads")
    assert str(heads.evidence) in evidence_svg((beams, heads))
    assert str(heads.evidence) not in curve_svg((beams, heads))


def test_what_entered_itself_is_an_entry_too() -> None:
    point = Point(Referee.WATCHING, 0.9, 1, 50, 40, 20, 2, 5, 1, 0, 0, missed=30, missed_wrong=3)
    assert point.lines == (5, 50)


def test_a_file_that_is_no_such_figures_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "letter.json"
    other.write_text("[1]", encoding="utf-8")
    done = CliRunner().invoke(command, ["--curve", str(other)])
    assert done.exit_code == 2
    assert "expected figures of jackspot soak --curve" in done.stderr
    assert other.read_text(encoding="utf-8") == "[1]"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--auto-confirm", "0.9"], "leave --auto-confirm out"),
        (["--referee", "careless"], "give --referee watching first"),
        (["--referee", "table_only", "--referee", "watching"], "give --referee watching first"),
        (["--into", "report"], "leave --into and --replay out"),
        (["--replay", "0"], "leave --into and --replay out"),
    ],
)
def test_a_curve_is_of_a_referee_who_watches_with_thresholds_of_its_own(
    tmp_path: Path, given: list[str], said: str
) -> None:
    done = CliRunner().invoke(command, ["--curve", str(tmp_path / "new.json"), *given])
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("\u2502", " ").split())
    assert not list(tmp_path.iterdir())


PLAYED = MeasuredTally(1, 10, 5, 4, 0.0, 12)
WRONG = changed(PLAYED, finals_wrong=1)


@pytest.mark.parametrize(
    ("watched", "careless", "further", "status"),
    [
        (SoakCount(PLAYED), SoakCount(WRONG), SoakCount(PLAYED), 0),
        (SoakCount(WRONG), SoakCount(PLAYED), SoakCount(PLAYED), 1),
        (SoakCount(PLAYED, stuck=(3,)), SoakCount(PLAYED), SoakCount(PLAYED), 1),
        (SoakCount(PLAYED), SoakCount(PLAYED, stuck=(3,)), SoakCount(PLAYED), 1),
        (SoakCount(PLAYED), SoakCount(PLAYED), SoakCount(WRONG), 1),
        (SoakCount(PLAYED), SoakCount(PLAYED, broken=("3: why",)), SoakCount(), 1),
    ],
)
def test_a_curve_in_which_something_went_wrong_ends_with_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watched: SoakCount, careless: SoakCount,
    further: SoakCount, status: int,
) -> None:  # fmt: skip
    usual = {(who, at): SoakCount(PLAYED) for who in Referee for at in THRESHOLDS}
    found = usual | {(Referee.WATCHING, 0.9): watched, (Referee.CARELESS, 0.9): careless}
    monkeypatch.setattr("jackspot_sim.soak.command.run_at", lambda *_given: (found, further))
    done = CliRunner().invoke(command, ["--curve", str(tmp_path / "new.json")])
    assert done.exit_code == status, done.output
    assert (tmp_path / "new.json").exists()


def test_part_of_a_curve_is_no_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_given: object) -> NoReturn:
        raise BrokenProcessPool

    monkeypatch.setattr("jackspot_sim.soak.command.run_at", dies)
    done = CliRunner().invoke(command, ["--curve", str(tmp_path / "new.json")])
    assert done.exit_code == 1
    assert "a process that helped was killed: part of a curve is no curve" in done.stderr
    assert not list(tmp_path.iterdir())


def test_it_is_said_how_often_somebody_gave_up(small: Path) -> None:
    [run, _crossed] = read_runs(small)
    run = changed(run, points=tuple(changed(each, stuck=7) for each in run.points))
    table = settling_table(run)
    assert table.columns[-1] == "gave up"
    assert {row[-1] for row in table.rows} == {"7"}
    lines = tables_text([run]).split("\n| referee |")[1].splitlines()
    assert lines[0].endswith("| gave up |")
    assert {line.split(" | ")[-1] for line in lines[2:] if line} == {"7 |"}


def form_of(svg: str) -> list[str]:
    """Return what a picture has whatever its figures are: panels, axes, names."""
    ElementTree.fromstring(svg)
    titles = re.findall(r'y="-8"[^>]*>([^<]*)<', svg)
    labels = re.findall(r'y="196[^>]*>([^<]*)<', svg)
    return [*titles, *labels]


@pytest.mark.parametrize("drawn", [sure_svg, curve_svg, evidence_svg])
def test_a_small_one_is_drawn_in_the_form_of_the_published_one(drawn, small: Path) -> None:
    published, made = drawn(read_runs(KEPT)), drawn(read_runs(small))
    here, there = form_of(made), form_of(published)
    assert here
    assert set(here) <= set(there)
    assert "seed 11" in made
    assert f"seed {read_runs(KEPT)[0].seed}" in published


def test_bins_of_several_kinds_are_put_together() -> None:
    one, other = Bin(10, 5, 0.55), Bin(30, 27, 0.59)
    [both] = together([one, other], (0.0, 0.5, 1.0))
    assert (both.count, both.right) == (40, 32)
    assert both.said == pytest.approx(0.58)


def test_a_picture_has_no_more_curves_than_colours() -> None:
    series = [(str(number), [Dot(1, 1, 1, 1)]) for number in range(9)]
    with pytest.raises(ValueError, match="at most 6 series, found 9"):
        panels_svg("many", [[Diagram("", "", "", (0, 1), (0, 1), series)]])


def test_a_soak_tells_how_sure_its_first_readings_were() -> None:
    told = {table.title: table for table in tables(run(changed(SOAK_OF_TWO, matches=3), 1))}
    table = told["How sure first readings are"]
    assert "its score is -0." in table.about
    assert sum(int(row[1]) for row in table.rows) > 20
