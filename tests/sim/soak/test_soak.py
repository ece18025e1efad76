"""The soak: matches from physics with referees, what is counted, and its report."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.proposals.learnt import NOTHING_LEARNT, Learnt
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import KnockHeard, Pulse
from jackspot.values import changed
from jackspot_sim.chance.frequencies import PieceRole, Referee, Room, Strength
from jackspot_sim.physics import STRENGTHS, opening
from jackspot_sim.physics.discs import Blow
from jackspot_sim.sensing.heads import HeadQuality
from jackspot_sim.sensing.knocks import knocks_of
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak import matches
from jackspot_sim.soak.agreed import Options, read_options, written
from jackspot_sim.soak.command import command, command_line
from jackspot_sim.soak.counting import (
    CALIBRATIONS,
    Job,
    SoakCount,
    SoakLedger,
    measure,
    missed_of,
)
from jackspot_sim.soak.matches import play
from jackspot_sim.soak.plots import Bars, svg
from jackspot_sim.soak.report import replay_line, tables, write
from jackspot_sim.soak.running import Soak, run, taught
from jackspot_sim.soak.telling import told
from jackspot_sim.traffic.matches import TimedTurn
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.rounds import Round
from tests.conftest import thinned
from tests.sim.soak.dumped import dumped

SHORT = 24


class ShortSoak(Soak, frozen=True):
    """A soak whose matches are left as they are after this many shots."""

    shots = 30

    def job(self, number: int, referee: Referee, learnt: Learnt = NOTHING_LEARNT) -> Job:
        """Return one match."""
        return changed(super().job(number, referee, learnt), most_shots=self.shots)


class BriefSoak(ShortSoak, frozen=True):
    """A soak for what happens between matches rather than in them."""

    shots = 10


SOAK_OF_TWO = ShortSoak(
    2, 1, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,), lineups=("NS",)
)


def job(
    number: int = 2, referee: Referee = Referee.WATCHING, quality: Quality = Quality.DEFAULT,
    system: RuleSystem = RuleSystem.HIKONE, lineup: str = "NS", options: Options = (),
) -> Job:  # fmt: skip
    return Job(number, 11, system, Strength.MASTER, referee, quality, lineup, most_shots=SHORT,
               options=options)  # fmt: skip


def timeless(count: SoakCount) -> SoakCount:
    """Leave out what the clock measured."""
    return changed(count, physics_s=0.0, whole_s=0.0)


@pytest.mark.parametrize(
    ("system", "lineup"),
    [(RuleSystem.HIKONE, "NESW"), (RuleSystem.JAPAN, "NS"), (RuleSystem.KAGW, "NS"),
     (RuleSystem.GRUNDREGELN, "NS"), (RuleSystem.ICF, "NWSE"), (RuleSystem.POINTS, "NS")],
)  # fmt: skip
def test_with_a_referee_who_watches_the_score_is_right(system: RuleSystem, lineup: str) -> None:
    count = measure(job(system=system, lineup=lineup))
    assert count.tally.strokes > 10
    assert (count.tally.finals_wrong, count.tally.stuck, count.tally.turns_left) == (0, 0, 0)
    assert count.fell > 3
    assert len(count.samples) >= count.tally.first_right > 0


@pytest.mark.parametrize(
    ("system", "lineup", "options"),
    [
        (RuleSystem.HIKONE, "NES", (("jack_penalty", 2), ("own_side_pockets", False))),
        (RuleSystem.JAPAN, "NESW", (("area_hit", "foul"), ("best_of", 3))),
        (RuleSystem.POINTS, "NESW", (("two_colours", True),)),
    ],
)
def test_what_people_agree_on_is_played(system: RuleSystem, lineup: str, options: Options) -> None:
    played = job(system=system, lineup=lineup, options=options)
    assert dict(options).items() <= dict(played.settings.options).items()
    assert "".join(played.settings.seats) == lineup
    count = measure(played)
    assert (count.tally.finals_wrong, count.tally.stuck) == (0, 0)
    assert count.tally.strokes > 10


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--option", "jack_penalty=13"], "options.jack_penalty: expected 0 to 12, found 13"),
        (["--option", "jack_penlty=3"], "did you mean 'jack_penalty'?"),
        (["--option", "jack_penalty"], "expected NAME=VALUE"),
        (["--option", "best_of=3", "--option", "best_of=5"], "best_of is given twice"),
        (["--option", "time_limit_s=300"], "nobody here plays against the clock"),
        (["--option", "opening=mass_break"], "shoot one after the other"),
        (["--rules", "icf", "--option", "jack_penalty=3"], "icf has no option 'jack_penalty'"),
        (["--rules", "icf", "--seats", "NES"], "three players play hikone or japan, not icf"),
        (["--seats", "NX"], "seats: "),
    ],
)
def test_what_cannot_be_agreed_on_is_refused_before_anything_is_played(
    given: list[str], said: str
) -> None:
    done = CliRunner().invoke(command, given)
    assert done.exit_code == 2
    assert said in done.stderr


def test_options_are_read_as_records_have_them_and_written_so_again() -> None:
    given = ("best_of=3", "area_rule=false", "area_hit=foul")
    options = read_options([*given[:2], 'area_hit="foul"'])
    assert options == (("best_of", 3), ("area_rule", False), ("area_hit", "foul"))
    assert written(options) == given


@pytest.mark.parametrize("number", [19, 163])
def test_who_edits_what_fell_after_a_queen_or_beside_a_piece_off_finds_the_way(number: int) -> None:
    """A queen is given back by a miss that nobody had pressed for; one man falls and one flies."""
    soak = Soak(500, 3001, RuleSystem.KAGW, Quality.DEFAULT, (Referee.WATCHING,))
    count = measure(soak.job(number, Referee.WATCHING))
    assert (count.tally.finals_wrong, count.tally.stuck) == (0, 0)


def test_a_whole_match_is_played_to_its_end() -> None:
    count = measure(changed(job(), most_shots=200))
    assert count.tally.strokes < 200
    assert count.tally.finals_wrong == 0
    assert count.fell >= 13, "twelve pucks and the jack"
    assert count.virtual_ns > 60_000_000_000


def test_the_same_seed_counts_the_same() -> None:
    short = changed(job(referee=Referee.CARELESS), most_shots=10)
    one, other = (timeless(measure(short)) for _ in range(2))
    assert one == other
    assert one != timeless(measure(changed(short, number=3)))


@pytest.mark.parametrize("referee", [Referee.TABLE_ONLY, Referee.CARELESS])
def test_nobody_is_lost_however_badly_the_board_is_minded(referee: Referee) -> None:
    assert measure(job(referee=referee)).tally.stuck == 0


def test_crossed_beams_miss_nothing_and_a_dead_one_misses_its_pocket() -> None:
    crossed, dead = (measure(job(quality=each)) for each in (Quality.CROSSED, Quality.DEAD))
    assert crossed.missed == 0
    assert 0 < dead.missed < dead.fell
    assert dead.tally.finals_wrong == 0, "what no beam saw is entered by hand"


def shortened(turns: Iterator[TimedTurn], to_ns: int) -> Iterator[TimedTurn]:
    """Let the first pieces that a beam sees break it for no longer than this."""
    whole = True
    for turn in turns:
        shot = turn.shot
        if whole and shot.falls:
            whole = False
            first, *others = shot.falls
            start_ns = first.pulses[0].start_ns
            brief = changed(first, pulses=(Pulse(first.pocket, start_ns, start_ns + to_ns),))
            yield changed(turn, shot=changed(shot, falls=(brief, *others)))
        else:
            yield turn


@pytest.mark.parametrize(("width_ns", "unmade"), [(1_000_000, 1), (9_000_000, 0)])
def test_what_a_beam_sees_too_briefly_for_the_board_is_counted(width_ns: int, unmade: int) -> None:
    one = job()
    played = play(one.settings, one.strength, one.referee, one.case.seed,
                  QUALITIES[one.quality], 12)  # fmt: skip
    watched = Round(one.case, shortened(played, width_ns))
    ledger = SoakLedger(watched)
    watched.run()
    assert any(each.turn.shot.falls for each in watched.happened)
    assert ledger.unmade_and_joined() == (unmade, 0)


def test_a_piece_that_hung_and_fell_past_the_beam_is_missed_too() -> None:
    one = job()
    [turn] = play(one.settings, one.strength, one.referee, one.case.seed,
                  QUALITIES[one.quality], 1)  # fmt: skip
    shot = changed(turn.shot, stroke=changed(turn.shot.stroke, departures=(
        *turn.shot.stroke.departures, Departure(Piece.RED, Pocket.NE))))  # fmt: skip
    assert missed_of(shot) == missed_of(turn.shot) + 1
    seen = Passage(Cause.PIECES, Pocket.NE, (PieceRole.OWN,), (Pulse(Pocket.NE, 1, 2),))
    assert missed_of(changed(shot, late=seen)) == missed_of(turn.shot)


def test_the_sun_makes_falls_of_nothing() -> None:
    assert measure(changed(job(quality=Quality.SUNNY), most_shots=12)).from_nothing > 0


def test_the_whole_firmware_counts_what_the_pure_chain_counts() -> None:
    short = changed(job(quality=Quality.SUNNY), most_shots=8)
    whole = timeless(measure(changed(short, whole=True)))
    assert whole.latencies_ns
    assert max(whole.latencies_ns) < 30_000_000, "a whole frame at 400 kHz"
    assert changed(whole, latencies_ns=Counter()) == timeless(measure(short))


@pytest.mark.parametrize(
    "told",
    [
        {"drops": 6, "hands": Assistance.FREE, "room": Room.CLUB, "heads": HeadQuality.CLEAN},
        {"room": Room.FAIR, "flicks": 0},
        {"drops": 1, "heads": HeadQuality.DULL},
        {"hands": Assistance.ASSIST},
    ],
)
def test_the_whole_firmware_plays_the_same_board_with_the_same_evidence(
    told: dict[str, Any],
) -> None:
    soak = changed(SOAK_OF_TWO, seed=7, most_shots=8, **told)
    pure = changed(soak.job(0, Referee.WATCHING), most_shots=8)
    whole = measure(changed(pure, whole=True))
    assert timeless(changed(whole, latencies_ns=Counter())) == timeless(measure(pure))


@pytest.mark.parametrize("system", thinned(["hikone", "points"], {"points"}))
def test_the_same_seed_gives_the_same_canonical_dump_in_two_processes(system: str) -> None:
    """From the break to the end of the match, with sets in another order in the second process."""
    here = dumped(system)
    there = subprocess.run(
        [sys.executable, "-m", "tests.sim.soak.dumped", system],
        cwd=Path(__file__).parents[3], env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert there == here
    kinds = [json.loads(line)["kind"] for line in here.splitlines()]
    last = next(each for each in reversed(kinds) if each in ("match_end", "undo"))
    assert last == "match_end", "an end that is taken back is none"
    assert kinds.count("line") > 20


# --- many, and the report ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def soaked() -> tuple[Soak, object]:
    soak = ShortSoak(2, 5, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,), first=1)
    return soak, run(soak, workers=1)


def test_strengths_lineups_and_boards_take_turns() -> None:
    jobs = Soak(12, 1, RuleSystem.HIKONE, Quality.DEFAULT, tuple(Referee)).jobs()
    assert len(jobs) == 36
    kinds = {(each.strength, each.lineup, each.box) for each in jobs}
    assert len(kinds) == len(STRENGTHS) * 4


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_played_before_an_interruption_is_counted_and_told(
    workers: int, tmp_path: Path
) -> None:
    soak = BriefSoak(40, 5, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,))

    def interrupt(_job: Job, _counted: SoakCount) -> None:
        raise KeyboardInterrupt

    results = run(soak, workers, interrupt)
    assert results.whole.tally.matches == 1
    assert not results.whole_soak
    page = write(results, tmp_path, command_line(soak), datetime.date(2026, 11, 22))
    text = page.read_text(encoding="utf-8")
    assert "Soak: 1 match of hikone" in text
    assert "<strong>Interrupted</strong> before all 40 matches were played" in text


@pytest.mark.parametrize("given", [["--referee", "watching"], []])
def test_what_was_played_before_a_process_was_killed_is_counted_and_told(
    monkeypatch: pytest.MonkeyPatch, given: list[str]
) -> None:
    def dies(_pool: object, doing: Callable[[Job], object], jobs: Sequence[Job]) -> Iterator[Any]:
        for job in jobs:
            yield doing(job)
            raise BrokenProcessPool

    monkeypatch.setattr("jackspot_sim.soak.running._each", dies)
    monkeypatch.setattr("jackspot_sim.soak.command.Soak", BriefSoak)
    done = CliRunner().invoke(command, ["--matches", "6", "--workers", "2", *given])
    assert done.exit_code == 1
    wanted = 6 if given else 18
    assert f"a process that helped was killed: 1 of {wanted} matches were played" in done.stderr
    assert "First readings" in done.stdout


def test_a_report_never_takes_the_place_of_anything_else(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear", encoding="utf-8")
    done = CliRunner().invoke(command, ["--into", str(tmp_path)])
    assert done.exit_code == 2
    assert "expected an empty folder or one with an earlier report" in done.stderr
    assert "letters.txt" in done.stderr
    done = CliRunner().invoke(command, ["--into", str(tmp_path / "letters.txt")])
    assert "is a file" in done.stderr
    done = CliRunner().invoke(command, ["--into", "/proc/report"])
    assert done.exit_code == 2
    assert "no report can be written into /proc/report: No such file" in done.stderr


WRITE_UNTIL_FULL = """
import datetime, pathlib, resource, sys
from jackspot.core.settings import RuleSystem
from jackspot_sim.soak.counting import SoakCount
from jackspot_sim.soak.command import _tell
from jackspot_sim.soak.running import Results, Soak
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.chance.frequencies import Referee
soak = Soak(1, 1, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,))
results = Results(soak, {Referee.WATCHING: SoakCount()}, {}, {}, 1.0, 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, resource.RLIM_INFINITY))
_tell(results, pathlib.Path(sys.argv[1]))
"""


def test_a_full_disk_leaves_the_tables_and_the_earlier_report(soaked, tmp_path: Path) -> None:
    soak, results = soaked
    page = write(results, tmp_path, command_line(soak), datetime.date(2026, 11, 22))
    earlier = page.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", WRITE_UNTIL_FULL, str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert f"the report could not be written into {tmp_path}: File too large" in done.stderr
    assert "Scores, by referee" in done.stdout
    assert page.read_text(encoding="utf-8") == earlier
    assert not list(tmp_path.glob(".soak-*"))


def test_the_report_is_a_page_with_plots_and_figures(soaked, tmp_path: Path) -> None:
    soak, results = soaked
    page = write(results, tmp_path, command_line(soak), datetime.date(2026, 11, 22))
    text = page.read_text(encoding="utf-8")
    assert "22 November 2026, seed 5" in text
    assert command_line(soak) in text
    for name in ("readings.svg", "scores.svg", "presses.svg", "strokes.svg"):
        assert f'src="{name}"' in text
        ElementTree.parse(tmp_path / name)
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert figures["Scores, by referee"][0] == ["matches", "2"]
    assert {table.title for table in tables(results)} <= set(figures)


def test_a_plot_needs_a_value_for_every_bar() -> None:
    with pytest.raises(ValueError, match="a value for each"):
        svg(Bars("broken", ["one"], ["a", "b"], [[1.0]]))


def test_strokes_that_the_board_never_showed_are_first_readings_that_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of the first referee, the first of which each beam sees too briefly."""
    plays = matches.play
    monkeypatch.setattr(
        "jackspot_sim.soak.counting.play", lambda *given: shortened(plays(*given), 1_000_000)
    )
    who = (Referee.WATCHING, Referee.CARELESS)
    results = run(changed(SOAK_OF_TWO, referees=who), 1)
    watched = results.by_referee[Referee.WATCHING].tally
    found = results.readings.values()
    assert sum(each.strokes for each in found) == watched.fell
    assert sum(each.right for each in found) == watched.first_right < watched.fell


def test_a_match_is_told_stroke_by_stroke() -> None:
    lines = list(told(job()))
    assert lines[0].startswith("match 2, seed 11: hikone, master")
    assert lines[-1] == "the final score is right"
    assert any("ms" in line for line in lines)


def test_the_command_counts_and_writes(tmp_path: Path) -> None:
    given = ["--matches", "1", "--first", "2", "--referee", "watching", "--workers", "1"]
    done = CliRunner().invoke(command, [*given, "--into", str(tmp_path / "report")])
    assert done.exit_code == 0, done.output
    assert "First readings" in done.stdout
    assert (tmp_path / "report" / "index.html").exists()


@pytest.mark.long
@pytest.mark.parametrize("quality", [Quality.DEFAULT, Quality.CROSSED, Quality.DIRTY])
def test_a_hundred_matches_with_a_referee_who_watches(quality: Quality) -> None:
    soak = Soak(100, 77, RuleSystem.HIKONE, quality, (Referee.WATCHING,))
    count = run(soak).whole
    assert count.wrong == count.stuck == ()
    if quality is Quality.CROSSED:
        assert count.missed == 0


def test_a_board_that_learns_before_is_the_same_each_time() -> None:
    soak = changed(SOAK_OF_TWO, learn=2)
    lessons = {each.number for each in soak.lessons()}
    assert len(lessons) == 2
    assert not lessons & {each.number for each in soak.jobs()}
    careless = changed(soak, referees=(Referee.CARELESS,))
    taught_by = [changed(each, sampled=True) for each in careless.lessons()]
    assert taught_by == soak.lessons(), "a replayed match learns from the same ones"
    learnt = taught(soak, 1)
    assert learnt.matches == 2
    assert learnt.strokes > 20
    assert learnt == taught(soak, 2)
    assert soak.jobs(learnt)[0].case.dialogue_settings.times == learnt.times()
    assert "--learn 2" in command_line(soak)


def test_calibrations_take_turns_and_each_kind_of_match_meets_all_of_them() -> None:
    soak = Soak(1, 7, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,), drops=1,
                room=Room.CLUB, flicks=1, heads=HeadQuality.CLEAN)  # fmt: skip
    here, there, later = (soak.job(n, Referee.WATCHING).case for n in (0, 1, CALIBRATIONS))
    assert here == soak.job(0, Referee.WATCHING).case
    assert here.widths == later.widths != there.widths
    assert here.shots == later.shots != there.shots
    assert here.further != later.further, "pieces are painted for each match"
    jobs = [soak.job(n, Referee.WATCHING) for n in range(12 * CALIBRATIONS)]
    kinds = {(e.strength, e.lineup, e.box, e.number % CALIBRATIONS) for e in jobs}
    assert len(kinds) == len(jobs)


def test_discs_have_another_noise_in_each_match(monkeypatch: pytest.MonkeyPatch) -> None:
    noises: list[Any] = []

    def heard(blows: Iterable[Blow], seed: int | str = 0) -> tuple[KnockHeard, ...]:
        noises.append(seed)
        return knocks_of(blows, seed)

    monkeypatch.setattr("jackspot_sim.traffic.rounds.knocks_of", heard)
    for number in (0, 1):
        measure(changed(job(number), most_shots=4, room=Room.ALONE, flicks=0))
    assert len(set(noises)) == len(noises) == 8
    blow = Blow(0, (9_000.0, 2_000.0, 2_000.0, 2_000.0))
    assert knocks_of([blow], noises[0]) != knocks_of([blow], noises[4])


def test_a_match_with_discs_that_goes_wrong_is_shown_with_the_same_discs() -> None:
    soak = Soak(1, 7, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.CARELESS,), room=Room.CLUB)
    for line in (command_line(soak), replay_line(soak, 17, Referee.CARELESS)):
        assert line.count("--knocks club") == 1
        assert "--flicks" not in line
    guessed = changed(soak, flicks=0)
    for line in (command_line(guessed), replay_line(guessed, 17, Referee.CARELESS)):
        assert "--knocks club --flicks 0" in line
    assert job_shots(guessed) == ShotModel()
    assert job_shots(soak).learnt_with is None
    assert job_shots(soak) != ShotModel()


def test_without_a_limit_each_match_is_played_to_its_end() -> None:
    """The very match that is left as it stands after ten strokes."""
    soak = Soak(1, 11, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,), most_shots=10)
    [left] = soak.jobs()
    [ends] = changed(soak, most_shots=None).jobs()
    assert (measure(left).unended, measure(ends).unended) == (1, 0)
    assert "--strokes 10" in command_line(soak)
    assert "--strokes 0" in replay_line(changed(soak, most_shots=None), 0, Referee.WATCHING)
    assert "--strokes" not in command_line(SOAK_OF_TWO)


def test_the_line_of_a_soak_makes_the_same_soak(monkeypatch: pytest.MonkeyPatch) -> None:
    soak = Soak(
        2, 5, RuleSystem.HIKONE, Quality.CROSSED, (Referee.WATCHING,), first=3, drops=6, whole=True,
        lineups=("NES",), options=(("jack_penalty", 2),), learn=4, auto_confirm=0.5,
        room=Room.FAIR, hands=Assistance.FREE, flicks=2, heads=HeadQuality.DULL, most_shots=None,
    )  # fmt: skip
    given = []

    def played(soak: Soak, *_others: object) -> NoReturn:
        given.append(soak)
        raise SystemExit

    monkeypatch.setattr("jackspot_sim.soak.command.run", played)
    CliRunner().invoke(command, command_line(soak).split()[2:])
    assert given == [soak]


def job_shots(soak: Soak) -> ShotModel:
    shots = soak.job(0, Referee.WATCHING).case.shots
    assert shots is not None
    return shots


def test_a_match_that_cannot_be_played_is_told_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plays = matches.play

    def breaks(*given: Any) -> Iterator[TimedTurn]:
        if given[3] == "1-0":
            raise AssertionError("a puck too many")
        return plays(*given)

    monkeypatch.setattr("jackspot_sim.soak.counting.play", breaks)
    results = run(SOAK_OF_TWO, 1)
    [told] = results.whole.broken
    assert told.startswith("0: AssertionError: a puck too many (test_soak.py, line ")
    assert ", in breaks from counting.py, line " in told
    assert told.endswith(", in turns)")
    assert results.whole.tally.matches == 1
    [row] = [row for row in tables(results)[0].rows if row[0] == "broken off"]
    assert row[1:] == ("1",)


def test_what_lies_there_again_after_a_restored_stroke_is_not_put_back_twice() -> None:
    """In pairs, after an own piece in the own area was hit."""
    match = Match.begin(job(lineup="NESW").settings)
    lying = opening(RuleSystem.HIKONE)
    stroke = Stroke(Seat.N, (Departure(Piece.RED, Pocket.NW),), frozenset({Flag.AREA, Flag.FOUL}))
    fouled = match.enter(stroke).state
    assert fouled.place == (Piece.RED,)
    assert matches.sent_back(fouled, lying, {Piece.RED: [7]}) == [], "all of them lie there"


def test_a_stroke_that_is_restored_may_still_cost_a_puck() -> None:
    """A striker fell with it: the debt is paid at once by a puck that was in before."""
    match = Match.begin(job(lineup="NESW").settings)
    match = match.enter(Stroke(Seat.N, (Departure(Piece.RED, Pocket.NW),)))
    first = next(each for each in opening(RuleSystem.HIKONE) if each.piece is Piece.RED)
    lying = tuple(each for each in opening(RuleSystem.HIKONE) if each.number != first.number)
    fell = (Departure(Piece.RED, Pocket.NE), Departure(Piece.STRIKER, Pocket.NE))
    state = match.enter(Stroke(Seat.N, fell, frozenset({Flag.AREA}))).state
    assert state.place == (Piece.RED,)
    out = {Piece.RED: [first.number]}
    assert matches.sent_back(state, lying, out) == [(first.number, Piece.RED)]
