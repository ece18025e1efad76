"""What remains of an event: files that agree with its tables, and records that score the same."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import time
import zipfile
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import jsonschema
import pytest
from click.testing import CliRunner

from jackspot.commands.score import command as score_command
from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.displays.words import translator
from jackspot.festival.description import schema_of
from jackspot.festival.messages import adapter
from jackspot.ops.forgetting.places import list_of_exports
from jackspot.values import changed
from jackspot_hub.command import export_command, opened as opened_hub
from jackspot_hub.desk.entering import register, reword
from jackspot_hub.desk.final_places import places_of
from jackspot_hub.desk.page_parts import PartsOfEvent, before_a_public
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.contest import (
    AllAgainstAll,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    Partners,
    Swiss,
)
from jackspot_hub.event.fixtures import Outcome, members
from jackspot_hub.event.programme import Person
from jackspot_hub.event.standings import TieBreak
from jackspot_hub.event_file import read_event
from jackspot_hub.results import MARK, EventResultsJson, files_of, newspaper, results_of
from jackspot_hub.running import RunningHub
from jackspot_hub.web.organising import needs
from tests.conftest import PATIENCE_S
from tests.hub.halls import PlayedHall, programme
from tests.hub.shown import ShownHall
from tests.hub.test_hub_web import client, shown  # noqa: F401  a fixture
from tests.hub.test_loose_results import free_hall, played_freely
from tests.test_docs import FORMATS, blocks, codes, rows

EVENT = """\
name = "Small cup"
hall = "hikone"
boards = 1

[[contest]]
name = "s"
title = "Open singles"
format = "groups"
groups = 1
upper = 2
entrants = ["Aiko", "Ben", "Chie"]
"""
ENGLISH = translator("en")


def played(**formats: Format) -> PlayedHall:
    """Return an event played to its end."""
    hall = PlayedHall(programme(3, 0, **formats), Random(5))
    while not all(map(hall.desk.is_over, hall.desk.programme.classes)):
        hall.tick()
        for board in list(hall.desk.open_orders):
            if hall.sit_down(board) is not None:
                hall.result(board)
    return hall


@pytest.fixture(scope="module")
def desk() -> DeskState:
    hall = played(
        s=Groups(2, 2), d=DoubleElimination(), w=Swiss(2), p=Partners(2), t=Partners(2, 3)
    )
    hall.write(correct(hall.desk, "w-2-1", Outcome(0, (7, 4)), "Zoe"))
    return hall.desk


def table(files: Any, name: str) -> list[dict[str, str]]:
    assert files[name].startswith(MARK)
    return list(csv.DictReader(io.StringIO(files[name].removeprefix(MARK), newline="")))


def test_every_record_scores_again_as_the_table_says_but_where_the_desk_said_otherwise(
    desk: DeskState, tmp_path: Path
) -> None:
    files = files_of(desk, ENGLISH)
    rows = table(files, "matches.csv")
    assert len(rows) == sum(len(desk.played(each)) for each in desk.programme.classes)
    assert [row["match"] for row in rows if row["differs"] == "yes"] == ["w-2-1"]
    for row in rows:
        path = tmp_path / "match.carom"
        path.write_text(files[row["record"]], encoding="utf-8")
        scored = CliRunner().invoke(score_command, [str(path), "--json"])
        assert scored.exit_code == 0, scored.output
        state = read_record(files[row["record"]]).match.state
        sides: dict[Side, set[str]] = {}
        for seat, side in state.settings.sides.items():
            sides.setdefault(side, set()).add(state.settings.names[seat])
        told = {frozenset(row[each].split(", ")): row[each] for each in ("first", "second")}
        names = {side: told[frozenset(own)] for side, own in sides.items()}
        by_name = {names[side]: str(state.points.get(side, 0)) for side in names}
        same = (
            row["winner"] == ("" if state.winner is None else names[state.winner])
            and row["points_first"] == by_name[row["first"]]
            and row["points_second"] == by_name[row["second"]]
        )
        assert same == (row["differs"] == "no")
    (differs,) = [row for row in rows if row["differs"] == "yes"]
    assert (differs["points_first"], differs["points_second"], differs["ended"]) == ("7", "4", "")


def test_the_tables_of_the_files_are_those_of_the_desk(desk: DeskState) -> None:
    rows = table(files_of(desk, ENGLISH), "standings.csv")
    for contest in desk.programme.classes:
        for name, ranks in desk.drawn(contest).tables.items():
            own = [row for row in rows if row["table"] == name]
            assert [(int(row["place"]), int(row["entrant"]), int(row["won"])) for row in own] == [
                (each.place, each.entrant, each.tally.won) for each in ranks
            ]
    assert {row["table"] for row in rows} == {"s-A", "s-B", "w", "p", "t"}


def test_all_of_it_as_json_is_what_its_schema_says(desk: DeskState) -> None:
    text = files_of(desk, ENGLISH)["results.json"]
    said = json.loads(text)
    jsonschema.Draft202012Validator(schema_of(EventResultsJson)).validate(said)
    assert adapter(EventResultsJson).validate_json(text) == said, "all keys are known"
    assert {each["name"] for each in said["contests"]} == {"s", "d", "w", "p", "t"}
    assert all(each["over"] for each in said["contests"])


@pytest.mark.parametrize(
    "form", [Knockout(), DoubleElimination(), Groups(2, 2), AllAgainstAll(), Swiss(2, upper=2)]
)
def test_everybody_who_has_a_place_has_one_and_the_first_have_won_the_final(form: Format) -> None:
    desk = played(s=form).desk
    places = places_of(desk, "s")
    entrants = [entrant for place in places for entrant in place.entrants]
    assert len(entrants) == len(set(entrants)) == (4 if isinstance(form, Groups) else 8)
    assert places[0].first == 1
    assert all(one.last + 1 == other.first for one, other in pairwise(places))
    final = desk.drawn("s").final
    if final is not None:
        assert [place.entrants for place in places[:2]] == [(final.winner,), (final.loser,)]
    if isinstance(form, Knockout):
        assert [str(place) for place in places] == ["1", "2", "3", "4", "5–8"]


BRACKETS: tuple[Format, ...] = (
    Knockout(), Knockout(third_place=False), DoubleElimination(), Groups(1, 4), Swiss(2, upper=4),
)  # fmt: skip


@pytest.mark.parametrize("form", BRACKETS)
@pytest.mark.parametrize("seed", range(4))
def test_everybody_of_a_bracket_has_a_place_whatever_was_corrected_since(
    form: Format, seed: int
) -> None:
    random = Random(seed)
    hall = played(s=form)
    for key, each in random.sample(sorted(hall.desk.played("s").items()), 3):
        assert each.outcome is not None
        other = changed(each.outcome, winner=random.randrange(2))
        hall.write(correct(hall.desk, key, other, "Zoe"))
        if seed % 2:  # and those who meet now play
            settle(hall)
    if not hall.desk.is_over("s"):
        settle(hall)
    assert_all_have_a_place(hall.desk, "s")


def settle(hall: PlayedHall) -> None:
    """Let the first side win each match that is not over."""
    while still := [each for each in hall.desk.still_open("s") if each.is_ready]:
        hall.write(correct(hall.desk, still[0].key, Outcome(0), "Zoe"))


def assert_all_have_a_place(desk: DeskState, contest: str) -> None:
    assert desk.is_over(contest)
    places = places_of(desk, contest)
    found = sorted(entrant for place in places for entrant in place.entrants)
    assert found == sorted(desk.programme.classes[contest].contest.entrants)
    assert all(len(each.entrants) == each.last - each.first + 1 for each in places)


@pytest.mark.parametrize("form", BRACKETS)
def test_two_who_did_not_come_to_a_final_share_the_first_place(form: Format) -> None:
    hall = played(s=form)
    key = final_of_all(hall.desk)
    two = hall.desk.played("s")[key].sides
    hall.write(correct(hall.desk, key, Outcome(None, forfeit=True), "Zoe"))
    assert_all_have_a_place(hall.desk, "s")
    first = places_of(hall.desk, "s")[0]
    assert (str(first), set(first.entrants)) == ("1–2", set(two))
    assert needs(hall.desk) == [], "nobody goes on from a final"


def final_of_all(desk: DeskState) -> str:
    finals = [each for each in desk.drawn("s").fixtures if "third" not in each.key]
    return finals[-1].key


def test_two_who_did_not_come_for_the_third_place_share_it() -> None:
    hall = played(s=Knockout())
    hall.write(correct(hall.desk, "s-third", Outcome(None, forfeit=True), "Zoe"))
    assert [str(place) for place in places_of(hall.desk, "s")] == ["1", "2", "3–4", "5–8"]
    assert needs(hall.desk) == [], "nobody goes on from there"


def test_somebody_must_go_on_from_a_match_to_which_nobody_came() -> None:
    hall = PlayedHall(programme(1, s=Knockout()), Random(1))
    hall.write(correct(hall.desk, "s-1-1", Outcome(None, forfeit=True), "Zoe"))
    assert needs(hall.desk) == [{"what": "tied", "key": "s-1-1"}]


@pytest.mark.parametrize("form", [Knockout(), DoubleElimination()])
@pytest.mark.parametrize("name", ["final", "third", "lower"])
def test_no_name_of_a_contest_is_taken_for_a_part_of_its_bracket(name: str, form: Format) -> None:
    """Its places are those of the same contest under another name."""
    alike = played(s=form).desk
    desk = played(**{name: form}).desk
    assert [str(place) for place in places_of(desk, name)] == [
        str(place) for place in places_of(alike, "s")
    ]
    assert [line.count(" – ") for line in newspaper(desk, ENGLISH).splitlines()] == [
        line.count(" – ") for line in newspaper(alike, ENGLISH).splitlines()
    ]


def test_a_match_that_is_to_be_played_again_has_neither_record_nor_board_of_what_was_played() -> (
    None
):
    hall = played(s=Knockout())
    winner = hall.desk.played("s")["s-3-1"].outcome
    hall.write(correct(hall.desk, "s-3-1", None, "Zoe"))
    hall.write(correct(hall.desk, "s-3-1", winner, "Zoe"))
    (match,) = (each for each in results_of(hall.desk)["contests"][0]["matches"]
                if each["key"] == "s-3-1")  # fmt: skip
    assert (match["record"], match["board"], match["differs"]) == (None, None, False)


BY_WINS = (TieBreak.WINS, TieBreak.OPPONENTS, TieBreak.LOT)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", [Swiss(3), AllAgainstAll(), Groups(2, 0), Partners(3)])
def test_what_decided_is_told_in_wins_as_people_count_them(form: Format, seed: int) -> None:
    hall = played(s=form)
    whole = hall.desk.programme.classes["s"]
    counted = changed(whole, contest=changed(whole.contest, tie_breaks=BY_WINS))
    hall.desk = changed(hall.desk, programme=changed(hall.desk.programme, classes={"s": counted}))
    random = Random(seed)
    for key in list(hall.desk.played("s")):
        outcome = random.choice([Outcome(0, (2, 1)), Outcome(1, (1, 2)), Outcome(None, (3, 3))])
        hall.write(correct(hall.desk, key, outcome, "Zoe"))
    (contest,) = results_of(hall.desk)["contests"]
    rows = iter(table(files_of(hall.desk, ENGLISH), "standings.csv"))
    for own in contest["tables"]:
        wins = {row["entrant"]: row["won"] + row["tied"] / 2 for row in own["rows"]}
        for row in own["rows"]:
            line = next(rows)
            if (decided := row.get("decided")) is None:
                continue
            assert (float(line["value_before"]), float(line["own_value"])) == (
                decided["before"], decided["own"],
            )  # fmt: skip
            match decided["by"]:
                case "wins":
                    assert decided["own"] == wins[row["entrant"]]
                case "opponents":
                    met = [
                        one for each in hall.desk.played("s").values()
                        for side, other in (each.sides, each.sides[::-1])
                        if row["entrant"] in members(side)
                        for one in members(other)
                    ]  # fmt: skip
                    assert decided["own"] == sum(wins[each] for each in met)
                case other:
                    assert other == "lot"


@pytest.mark.parametrize("meetings", [1, 2])
def test_a_match_of_free_play_says_whether_it_counts_and_the_newspaper_counts_so(
    meetings: int,
) -> None:
    hall = free_hall(meetings)
    for at in range(3):
        north, south = ("f 1", "f 3") if at % 2 else ("f 3", "f 1")
        played_freely(hall, north, south, seq=2 * at + 1, match=at + 1, id=f"b002-y-{2 * at + 1}")
    played_freely(hall, "f 2", "f 3", seq=9, match=9, id="b002-y-9")
    files = files_of(hall.desk, ENGLISH)
    told = [row["counts"] for row in table(files, "matches.csv")]
    assert told == ["yes"] * meetings + ["no"] * (3 - meetings) + ["yes"]
    (free, _) = results_of(hall.desk)["contests"]
    assert [each["counts"] for each in free["matches"]] == [each == "yes" for each in told]
    played_in = sum(row["played"] for row in free["tables"][0]["rows"])
    assert f"{played_in // 2} of {played_in // 2} matches" in files["standings.txt"]
    public = json.loads(PartsOfEvent().of(hall.desk)["contest/f"])
    assert public["over"] == public["known"] == meetings + 1


def test_an_event_that_is_not_over_has_no_places_and_says_how_far_it_is() -> None:
    hall = PlayedHall(programme(2, s=Knockout()), Random(1))
    hall.tick()
    for board in list(hall.desk.open_orders):
        hall.sit_down(board)
        hall.result(board)
    assert places_of(hall.desk, "s") == ()
    said = results_of(hall.desk)
    assert (said["contests"][0]["over"], said["contests"][0]["places"]) == (False, [])
    assert "2 of 8 matches" in newspaper(hall.desk, ENGLISH)


def test_a_match_that_nobody_played_has_no_record_and_no_board() -> None:
    hall = PlayedHall(programme(1, s=Knockout()), Random(1))
    hall.write(correct(hall.desk, "s-1-1", Outcome(1, forfeit=True), "Zoe"))
    (match,) = results_of(hall.desk)["contests"][0]["matches"]
    assert (match["forfeit"], match["record"], match["board"], match["ended_ms"]) == (
        True, None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(1, forfeit=True), "forfeit, s 2 won"),
        (Outcome(None, forfeit=True), "forfeit, nobody wins"),
        (Outcome(0, (9, 12)), "9 : 12, s 1 won"),
        (Outcome(1, (7, 7)), "7 : 7, s 2 won"),
        (Outcome(1, (3, 12)), "3 : 12"),
        (Outcome(None, (7, 7)), "7 : 7"),
    ],
)
def test_the_newspaper_says_who_won_where_the_points_do_not(outcome: Outcome, told: str) -> None:
    hall = PlayedHall(programme(1, s=Knockout()), Random(1))
    hall.write(correct(hall.desk, "s-1-1", outcome, "Zoe"))
    (line,) = (each for each in newspaper(hall.desk, ENGLISH).splitlines() if " – " in each)
    one, two = line.split("  ")[0].split(" – ")
    assert line.split("  ")[1] == told.replace("s 1", one).replace("s 2", two)
    assert ", " not in newspaper(hall.desk, translator("ja")), "its lists have a comma of their own"


def test_a_match_of_free_play_has_the_record_and_the_board_that_it_came_from() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "f 1")
    (match,) = results_of(hall.desk)["contests"][0]["matches"]
    assert (match["winner"], match["board"], match["differs"]) == (0, 2, False)
    assert match["record"] in files_of(hall.desk, ENGLISH)
    assert "f 3" in newspaper(hall.desk, ENGLISH)


def test_the_newspaper_gets_titles_ranks_names_and_scores_in_its_language() -> None:
    desk = played(s=Groups(2, 2)).desk
    text = newspaper(desk, ENGLISH)
    final = desk.drawn("s").final
    assert final is not None
    assert isinstance(final.winner, int)
    (first,) = desk.programme.names("s", final.winner)
    assert text.startswith("Test\n1970-01-01\n\nS\n")
    assert f"\n1. {first}\n" in text
    assert "\nGroup A\n" in text
    titles = ("Final", "Third place", "Semi-finals")
    assert [each for each in text.splitlines() if each in titles] == list(titles)
    for language, word in (("de", "Gruppe A"), ("ja", "三位決定戦")):
        assert word in newspaper(desk, translator(language))


def test_two_of_one_name_are_told_apart_wherever_people_read_of_them() -> None:
    hall = played(s=Swiss(2, 2))
    one, two, *_others = hall.desk.programme.people
    people = dict(hall.desk.programme.people)
    people[two] = changed(people[two], name=people[one].name)
    desk = changed(hall.desk, programme=changed(hall.desk.programme, people=people))
    for text in (
        newspaper(desk, ENGLISH),
        "".join(PartsOfEvent(before_a_public).of(desk).values()),
    ):
        for number in (one, two):
            assert f"{people[one].name} ({number})" in text
        assert text.count(people[one].name) == text.count(f"{people[one].name} (")


def test_the_rounds_before_a_knockout_have_a_title_of_their_own() -> None:
    lines = newspaper(played(s=Swiss(2, 2)).desk, ENGLISH).splitlines()
    assert lines.index("1. s 1") < lines.index("Rounds") if "1. s 1" in lines else "Rounds" in lines
    assert "Rounds" not in newspaper(played(s=Swiss(2)).desk, ENGLISH)


@pytest.mark.parametrize("evil", ["=1+1", "+49", "-2", "@SUM(A1)", '=HYPERLINK("http://x","a")'])
def test_no_name_is_a_formula_to_a_spreadsheet(evil: str) -> None:
    hall = played(s=AllAgainstAll())
    hall.write(reword(hall.desk, Person(1, evil, club=evil), "desk"))
    files = files_of(hall.desk, ENGLISH)
    for name in ("matches.csv", "standings.csv", "places.csv"):
        cells = [cell for row in table(files, name) for cell in row.values()]
        assert f"'{evil}" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
        assert evil not in cells


# --- the command -------------------------------------------------------------------------


def event(folder: Path) -> Path:
    path = folder / "cup.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


def exported(path: Path, *words: str) -> Any:
    return CliRunner().invoke(export_command, [str(path), *words])


def test_a_folder_gets_all_files_also_while_the_hub_runs_and_none_is_written_over(
    tmp_path: Path,
) -> None:
    path, folder = event(tmp_path), tmp_path / "out" / "results"
    with closing(
        RunningHub(read_event(path), path.with_suffix(".sqlite3"), lambda *_: None)
    ) as hub:
        for key, winner in (("s-1-1", 0), ("s-2-1", 1)):
            hub.enter(correct(hub.desk, key.replace("s-", "s-A-"), Outcome(winner), "desk"))
        done = exported(path, str(folder))
        assert (done.exit_code, done.output) == (
            0, f"{folder}: 5 files, and 0 match records in records\n",
        )  # fmt: skip
        assert {each.name for each in folder.iterdir()} == set(files_of(hub.desk, ENGLISH))
        hub.enter(register(hub.desk, "Dirk", "desk"))
    before = {each: each.read_bytes() for each in folder.iterdir()}
    again = exported(path, str(folder))
    assert again.exit_code == 1
    assert again.stderr == f"{folder}: expected a new folder or an empty one, found files in it\n"
    assert {each: each.read_bytes() for each in folder.iterdir()} == before


def test_a_folder_is_known_to_have_names_before_the_first_file_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = event(tmp_path), tmp_path / "out"
    opened_hub(path, path.with_suffix(".sqlite3"), lambda *_: None).close()

    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert exported(path, str(folder)).exit_code == 1
    assert list_of_exports(path.with_suffix(".sqlite3")).read_text() == f'"{folder}"\n'


@pytest.mark.needs_root
def test_results_that_sudo_writes_belong_to_whoever_called_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = event(tmp_path), tmp_path / "out"
    opened_hub(path, path.with_suffix(".sqlite3"), lambda *_: None).close()
    monkeypatch.setenv("SUDO_UID", "65534")
    monkeypatch.setenv("SUDO_GID", "65534")
    assert exported(path, str(folder)).exit_code == 0
    assert {each.stat().st_uid for each in (folder, *folder.rglob("*"))} == {65534}


@pytest.mark.needs_root
def test_a_folder_that_was_there_before_sudo_wrote_results_keeps_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = event(tmp_path), tmp_path / "out"
    opened_hub(path, path.with_suffix(".sqlite3"), lambda *_: None).close()
    folder.mkdir()
    os.chown(folder, 33, 33)
    monkeypatch.setenv("SUDO_UID", "65534")
    monkeypatch.setenv("SUDO_GID", "65534")
    assert exported(path, str(folder)).exit_code == 0
    assert folder.stat().st_uid == 33
    assert {each.stat().st_uid for each in folder.rglob("*")} == {65534}


def test_a_folder_that_cannot_be_made_is_not_known_to_have_names(tmp_path: Path) -> None:
    path = event(tmp_path)
    opened_hub(path, path.with_suffix(".sqlite3"), lambda *_: None).close()
    done = exported(path, str(path / "out"))
    assert (done.exit_code, "Not a directory" in done.stderr) == (1, True)
    assert not list_of_exports(path.with_suffix(".sqlite3")).exists()


def test_an_event_without_a_journal_has_no_results(tmp_path: Path) -> None:
    done = exported(event(tmp_path), str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "expected the event's journal, found none; `jackspot hub run " in done.stderr
    assert {each.name for each in tmp_path.iterdir()} == {"cup.toml"}


# --- at the desk -------------------------------------------------------------------------


def test_who_has_signed_in_downloads_all_of_it_and_nobody_else_anything(shown: ShownHall) -> None:  # noqa: F811
    while not shown.hall.desk.records:
        shown.turn(ends=1, sits=1)
    files = files_of(shown.hall.desk, ENGLISH)
    names = [each for each in files if "/" not in each]
    with client(shown) as stranger:
        for name in (*names, "records.zip", "x"):
            assert stranger.get(f"/api/hub/results/{name}").status_code == 401
    with client(shown, signed_in=True) as who:
        for name in names:
            answer = who.get(f"/api/hub/results/{name}", timeout=PATIENCE_S)
            assert answer.content.decode() == files[name]
            assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
            assert answer.headers["cache-control"] == "no-store"
        packed = zipfile.ZipFile(io.BytesIO(who.get("/api/hub/results/records.zip").content))
        assert {each: packed.read(each).decode() for each in packed.namelist()} == {
            name: text for name, text in files.items() if "/" in name
        }
        german = who.get("/api/hub/results/standings.txt?lang=de").text
        assert german == newspaper(shown.hall.desk, translator("de"))
        assert who.get("/api/hub/results/x").status_code == 404
        assert who.get("/api/hub/results/matches.csv?lang=xx").status_code == 422


@pytest.mark.parametrize("year", [1970, 2200])
def test_records_are_downloaded_whatever_year_the_clock_shows(
    shown: ShownHall,  # noqa: F811
    year: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    while not shown.hall.desk.records:
        shown.turn(ends=1, sits=1)
    moment = time.struct_time((year, 1, 1, 0, 0, 1, 0, 1, 0))
    with client(shown, signed_in=True) as who:
        monkeypatch.setattr(time, "localtime", lambda *_: moment)
        packed = who.get("/api/hub/results/records.zip", timeout=PATIENCE_S)
    assert packed.status_code == 200
    assert zipfile.ZipFile(io.BytesIO(packed.content)).testzip() is None


# --- the page of formats -----------------------------------------------------------------


def block(language: str) -> str:
    (found,) = [each for each in blocks(FORMATS) if each.language == language]
    return found.text


def test_the_results_on_the_page_are_what_their_schema_says_and_the_schema_is_the_types() -> None:
    schema, text = json.loads(block("event_results_schema")), block("event_results")
    assert schema == schema_of(EventResultsJson)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    assert adapter(EventResultsJson).validate_json(text) == json.loads(text), "all keys are known"


def test_the_page_names_every_file_and_every_column(desk: DeskState) -> None:
    files = files_of(desk, ENGLISH)
    told = [codes(row[0])[0] for row in rows(FORMATS, first="file") if "KEY" not in row[0]]
    assert told == [name for name in files if "/" not in name]
    for name, columns in rows(FORMATS, first="table of results"):
        head = files[name.strip("`")].removeprefix(MARK).splitlines()[0].split(",")
        assert codes(columns) == head
