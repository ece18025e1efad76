"""``jackspot watch``: a match of a soak on the page, with the same firmware and record."""

from __future__ import annotations

import datetime
import shlex
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.core.directives import Say, Saying, SetPocketed
from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.record import write_record
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.values import changed
from jackspot.web.server import WebSettings
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.command import watch
from jackspot_sim.film.filming import film
from jackspot_sim.film.parting import beside
from jackspot_sim.film.replay import BEFORE_NS, Replay, _happenings
from jackspot_sim.film.values import Film, FilmScene, Track
from jackspot_sim.physics.values import PieceFall, TippingPiece
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.soak.counting import Job, SoakCount
from jackspot_sim.soak.matches import play
from jackspot_sim.soak.report import replay_line, write
from jackspot_sim.soak.running import Results, Soak
from jackspot_sim.table.table import Breakage
from jackspot_sim.traffic.measures import final_of
from jackspot_sim.traffic.rounds import Round
from tests.conftest import PATIENCE_S

WRONG, RIGHT = (14, Referee.CARELESS), (2, Referee.WATCHING)
"""A match that ends with a wrong score, and one that does not."""


def job(number: int, who: Referee, quality: Quality = Quality.DEFAULT, shots: int = 10) -> Job:
    soak = Soak(1, 1, RuleSystem.HIKONE, quality, (who,))
    return changed(soak.job(number, who), most_shots=shots)


@dataclass
class Shown:
    """A served film and its client."""

    film: Film
    replay: Replay
    client: httpx.Client

    def wind(self, **body: object) -> httpx.Response:
        return self.client.post("/sim/do/wind", json=body)


@pytest.fixture(scope="module")
def wrong() -> Film:
    return film(job(*WRONG))


@pytest.fixture
def shown(wrong: Film) -> Iterator[Shown]:
    replay = Replay(wrong, WebSettings(port=0))
    replay.pause(paused=True)
    replay.start()
    runs = threading.Thread(target=replay.run)
    runs.start()
    address = replay.url.removesuffix("/sim/")
    with httpx.Client(base_url=address, timeout=PATIENCE_S) as client:
        yield Shown(wrong, replay, client)
    replay.close()
    runs.join(PATIENCE_S)
    assert not runs.is_alive()


# --- the same match ---------------------------------------------------------------------------


def soaked(of: Job) -> tuple[str, bool]:
    """Play a match as the soak does; return the record, and whether the final score is right."""
    case = of.case
    turns = play(case.settings, case.strength, case.referee, case.seed, QUALITIES[of.quality],
                 case.most_shots)  # fmt: skip
    played = Round(case, turns)
    played.run()
    game = played.chain.dialogue.game
    assert game is not None
    entries = [entry for line in game.lines for entry in line.entries]
    right = final_of(game.match.state) == final_of(played.happened[-1].turn.after.state)
    return write_record(game.match.settings, entries), right


@pytest.mark.parametrize(("number", "who", "right"), [(*WRONG, False), (*RIGHT, True)])
def test_what_the_page_shows_at_the_end_is_the_record_of_the_soak(
    number: int, who: Referee, right: bool
) -> None:
    of = job(number, who)
    record, is_right = soaked(of)
    assert is_right is right
    filmed = film(of)
    assert filmed.record == record
    replay = Replay(filmed, WebSettings(port=0))
    replay.pause(paused=True)
    replay.wind_to(len(filmed.strokes) + 1)
    assert replay.told()["right"] is right
    replay.start()
    try:
        address = replay.url.replace("/sim/", "/api/record")
        assert httpx.get(address, timeout=PATIENCE_S).text == record
    finally:
        replay.close()
        replay.run()


def test_the_pieces_move_on_the_page_as_the_physics_computed_them(shown: Shown) -> None:
    third = shown.film.strokes[2]
    shown.replay.wind_to(3)
    before = shown.replay.picture()
    assert before.run is not None
    assert before.run.over
    assert before.now_ns == third.at_ns - BEFORE_NS
    shown.replay.set_speed(1.0)
    running = shown.film.scenes.at(third.at_ns + 100_000_000).run
    assert running is not None
    assert running.flick == shown.film.runs[2].flick
    assert not running.over


# --- winding ------------------------------------------------------------------------------------


def test_a_film_that_stands_stands_and_goes_to_any_stroke_and_back(shown: Shown) -> None:
    numbers = []
    for stroke in (4, 2, 9):
        assert shown.wind(stroke=stroke).status_code == 204
        wound = shown.replay.picture().wound
        assert wound is not None
        assert wound.paused
        numbers.append((wound.stroke, wound.jumps))
    assert numbers == [(4, 1), (2, 2), (9, 3)]
    at_ns = shown.replay.now_ns()
    assert shown.replay.now_ns() == at_ns
    edges = [edge.at_ns for edge in shown.replay.edges(0)]
    assert edges
    assert max(edges) <= at_ns


def test_a_film_runs_on_ends_and_begins_again(shown: Shown) -> None:
    shown.replay.wind_to(len(shown.film.strokes) + 1)
    wound = shown.replay.picture().wound
    assert wound is not None
    assert wound.paused
    assert shown.replay.now_ns() == shown.film.end_ns
    assert shown.wind(paused=False).status_code == 204
    assert shown.replay.now_ns() < shown.film.end_ns


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"stroke": 0}, 409, "there is no stroke 0"),
        ({"stroke": 99}, 409, "there is no stroke 99"),
        ({"stroke": "4"}, 422, "number of a stroke"),
        ({"paused": 1}, 422, '"paused" must be true or false'),
        ({}, 422, "number of a stroke"),
    ],
)
def test_what_no_film_can_do_is_told(
    shown: Shown, body: dict[str, object], status: int, said: str
) -> None:
    answer = shown.wind(**body)
    assert answer.status_code == status
    assert said in answer.json()["error"]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("drop", {"pocket": "NE", "pieces": ["red"], "manner": "clean"}),
        ("flick", {"x_mm": 0, "y_mm": 200, "speed_mm_s": 900, "angle_rad": 1}),
        ("button", {"wire": "referee_ok", "down": True}),
        ("put-back", {}),
        ("new", {}),
        ("show", {"running": True}),
    ],
)
def test_nothing_is_done_at_a_match_that_has_been_played(
    shown: Shown, name: str, body: dict[str, object]
) -> None:
    answer = shown.client.post(f"/sim/do/{name}", json=body)
    assert answer.status_code == 409
    assert "it can only be watched" in answer.json()["error"]


def test_a_dead_beam_is_shown_and_what_it_did_not_see_is_told() -> None:
    filmed = film(job(2, Referee.WATCHING, Quality.DEAD, shots=16))
    replay = Replay(filmed, WebSettings(port=0))
    assert replay.picture().faulty == {"pocket_ne": Breakage.DEAD}
    missed = [each for each in filmed.strokes if each.missed]
    assert all(one.pocket is Pocket.NE for each in missed for one in each.missed)
    told = {number: seen for number, *_, seen in replay.told()["strokes"]}
    assert [told[each.number] for each in missed] == [
        [f"{one.piece}@NE" for one in each.missed] for each in missed
    ]


LATE = (191, Referee.WATCHING, Quality.DEAD, 6)
"""A match in whose fifth stroke a piece falls late, where no beam sees it."""


@pytest.mark.parametrize("case", [LATE, (2, Referee.WATCHING, Quality.DEAD, 16)])
def test_what_falls_into_the_pocket_of_a_dead_beam_is_told_as_unseen_late_or_not(
    case: tuple[int, Referee, Quality, int],
) -> None:
    filmed = film(job(*case))
    fell = [each for each in _happenings(filmed) if each.pocket is not None]
    assert any(each.pocket is Pocket.NE for each in fell)
    for each in fell:
        assert (each.manner is Manner.MISSED) is (each.pocket is Pocket.NE)
    assert [each.missed for each in filmed.strokes] == [
        tuple(one for one in each.stroke.departures if one.pocket is Pocket.NE)
        for each in filmed.strokes
    ]
    if case is LATE:
        assert filmed.strokes[4].missed == (Departure(Piece.RED, Pocket.NE),)


@pytest.mark.parametrize("unseen", [(), (0,), (1,), (2,), (0, 1), (0, 2), (0, 1, 2)])
def test_of_several_pieces_of_a_kind_in_one_pocket_those_that_were_missed_are_unseen(
    wrong: Film, unseen: tuple[int, ...]
) -> None:
    red, at_s = Departure(Piece.RED, Pocket.NE), (0.5, 0.8, 1.1)
    tips = TippingPiece(-20.0, -20.0, 0.0, 0.0, 10.0, 0.1, 1.0, 0.8, 0.0)
    falls = tuple(
        PieceFall(number, Piece.RED, Pocket.NE, each, tips) for number, each in enumerate(at_s, 1)
    )
    run, stroke = wrong.runs[0], wrong.strokes[0]
    of_stroke = changed(
        stroke,
        missed=(red,) * len(unseen),
        unseen_ns=tuple(round(at_s[each] * 1e9) for each in unseen),
    )
    filmed = changed(
        wrong,
        runs=(changed(run, shot=changed(run.shot, falls=falls, flown=())),),
        strokes=(of_stroke,),
        scenes=Track(FilmScene(RuleSystem.HIKONE, ())),
    )
    missed = [each.manner is Manner.MISSED for each in _happenings(filmed)]
    assert missed == [each in unseen for each in range(3)]


# --- the record beside the truth ------------------------------------------------------------


def stroke(seat: str, *pieces: str) -> Stroke:
    return Stroke(Seat(seat), tuple(Departure(Piece(each), Pocket.NE) for each in pieces))


def parted(true: list[Stroke], found: list) -> tuple[list[tuple[list[str], bool]], list[str]]:
    pairs, left = beside(true, found)
    assert len(pairs) == len(true)
    told = [([write_entry(each) for each in entries], agrees) for entries, agrees in pairs]
    return told, [write_entry(each) for each in left]


A, B, C = stroke("N", "red"), stroke("S"), stroke("N", "red", "striker")


def test_a_record_that_has_everything_parts_nowhere() -> None:
    board = Say(Saying.BOARD)
    told, left = parted([A, B, C], [A, B, board, C])
    assert told == [(["N red@NE"], True), (["S -"], True), (["N red@NE striker@NE"], True)]
    assert left == []


def test_a_pocket_is_no_difference_for_it_is_not_scored() -> None:
    elsewhere = Stroke(Seat.N, (Departure(Piece.RED),))
    assert parted([A], [elsewhere]) == ([(["N red"], True)], [])


@pytest.mark.parametrize(
    ("found", "agrees", "left"),
    [
        ([A, C], [True, False, True], []),
        ([A, B], [True, True, False], []),
        ([A, stroke("N"), C], [True, False, True], []),
        ([A, B, B, C], [True, True, False], []),
        ([A, B, C, B], [True, True, True], ["S -"]),
        ([], [False, False, False], []),
        ([A, SetPocketed(Side.RED, 1), B, C], [True, False, True], []),
    ],
    ids=["lost", "lost at the end", "another", "doubled", "too many", "nothing", "set by hand"],
)
def test_where_a_record_parts_from_the_truth_is_found(
    found: list, agrees: list[bool], left: list[str]
) -> None:
    told, rest = parted([A, B, C], found)
    assert ([each for _entries, each in told], rest) == (agrees, left)
    kept = [line for entries, _agrees in told for line in entries] + rest
    assert kept == [write_entry(each) for each in found], "no entry is left out"


def test_the_strokes_of_a_wrong_match_part_somewhere(wrong: Film) -> None:
    assert wrong.partings
    assert all(each.agrees or each in wrong.partings for each in wrong.strokes)


# --- from the report to the page ------------------------------------------------------------


def test_the_report_names_the_command_for_each_wrong_match(tmp_path: Path) -> None:
    soak = Soak(
        9, 4, RuleSystem.ICF, Quality.SLOW, (Referee.CARELESS,), drops=10, lineups=("NS", "EW"),
        options=(("best_of", 1),), learn=3,
    )  # fmt: skip
    count = SoakCount(wrong=(3, 8), stuck=(5,))
    results = Results(soak, {Referee.CARELESS: count}, {}, {}, 1.0, 1)
    page = write(results, tmp_path, "jackspot soak", datetime.date(2026, 11, 22))
    text = page.read_text(encoding="utf-8")
    for number in (3, 5, 8):
        line = (
            f"jackspot watch {number} --seed 4 --rules icf --sensors slow "
            "--seats NS --seats EW --option best_of=1 --drops 10 --learn 3 --referee careless"
        )
        assert line in text
        assert line == replay_line(soak, number, Referee.CARELESS)
        context = watch.make_context("watch", shlex.split(line)[2:])
        assert context.params["number"] == number
        assert context.params["lineups"] == soak.lineups


def test_a_soak_without_wrong_matches_lists_none(tmp_path: Path) -> None:
    soak = Soak(9, 4, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,))
    results = Results(soak, {Referee.WATCHING: SoakCount()}, {}, {}, 1.0, 1)
    page = write(results, tmp_path, "jackspot soak", datetime.date(2026, 11, 22))
    assert "Matches to look at" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--", "-1"], "x>=0"),
        (["3", "--referee", "blind"], "careless"),
        (["3", "--sensors", "good"], "crossed"),
        (["3", "--option", "speed=9"], "speed"),
    ],
)
def test_a_replay_that_cannot_be_meant_is_told(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["watch", *words])
    assert result.exit_code == 2
    assert said in result.output
