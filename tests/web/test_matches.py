"""The history over HTTP: the list, one match, files; whole names or initials."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackspot.core.agreement import agree
from jackspot.core.header import write_header
from jackspot.core.pieces import Seat
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.history.on_demand import LaterHistory
from jackspot.history.pages import PageHistory
from jackspot.values import changed
from tests.history.journals import DAY, Book
from tests.web.conftest import Served

RECORD = Path(__file__).parents[1] / "records" / "whole_match.carom"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with a whole match of Aiko and Ben, and one of Anna and Ben a day later."""
    path = tmp_path_factory.mktemp("matches") / "journal.sqlite3"
    names = '[names]\nN = "Aiko"\nS = "Ben"\n---\n'
    with Book(path) as book:
        book.play(RECORD.read_text(encoding="utf-8").replace("---\n", names, 1))
        book.shelve()
        book.wall.wall_ns += DAY
        book.match(names={"N": "Anna", "S": "Ben"})
        book.line("N red@NE")
        book.write(EntryKind.UNDO)
        book.line("N green@NE")
    return path


@pytest.fixture
def history(journal: Path) -> Iterator[Served]:
    served = Served()
    served.board.matches = LaterHistory(journal, "Board 7", initials=False)
    yield served
    served.close()


@pytest.fixture
def hidden(journal: Path) -> Iterator[Served]:
    served = Served()
    served.board.matches = LaterHistory(journal, "Board 7", initials=True)
    yield served
    served.close()


def test_matches_are_listed_newest_first_with_figures(history: Served) -> None:
    answer = history.client.get("/api/matches")
    found = answer.json()
    assert answer.headers["cache-control"] == "no-store"
    assert [match["number"] for match in found["matches"]] == [2, 1]
    assert found["names"] == ["Aiko", "Anna", "Ben"]
    assert [player["name"] for player in found["players"]] == ["Ben", "Aiko", "Anna"]
    assert "record" not in found["matches"][0]


def test_the_list_is_narrowed_by_player_and_by_day(history: Served) -> None:
    def numbers(**asked: str) -> list[int]:
        found = history.client.get("/api/matches", params=asked).json()
        return [match["number"] for match in found["matches"]]

    assert numbers(player="aiko") == [1]
    assert numbers(since="2026-05-03") == [2]
    assert numbers(until="2026-05-02", player="Ben") == [1]
    assert numbers(player="nobody") == []
    wrong = history.client.get("/api/matches", params={"since": "soon"})
    assert wrong.status_code == 422
    assert "2026-05-02" in wrong.json()["error"]


@pytest.mark.parametrize("initials", [False, True])
@pytest.mark.parametrize(
    "ways",
    [
        ("J\u00fcrgen", "Ju\u0308rgen", "J\u00dcRGEN "),
        ("Gro\u00df", "GROSS"),
        ("Anna M", "anna  m"),
        ("\u30d7\u30c5", "\u30d5\u309a\u30c5"),
    ],
)
def test_a_player_is_one_person_however_the_name_is_written(
    tmp_path: Path, served: Served, ways: tuple[str, ...], initials: bool
) -> None:
    with Book(tmp_path / "journal.sqlite3") as book:
        for way in ways:
            book.match(names={"N": way, "S": "Ben"})
            book.line("N red@NE")
            book.shelve()
    served.board.matches = LaterHistory(book.path, "Board 7", initials=initials)
    found = served.client.get("/api/matches").json()
    people = {seat["person"] for match in found["matches"] for seat in match["seats"]}
    assert len(found["matches"]) == len(ways)
    assert len(people) == 2
    assert {each["person"] for each in found["players"]} == people
    assert sorted(each["matches"] for each in found["players"]) == [len(ways)] * 2


def test_one_match_has_its_lines_and_its_score_card(history: Served) -> None:
    match = history.client.get("/api/matches/1").json()
    assert len(match["lines"]) == 27
    assert match["slip"]["totals"] == [112, 1]
    assert match["slip"]["rows"][0]["cells"][0] == {
        "points": 112, "total": 112, "hundreds": 1, "ones": 12,
    }  # fmt: skip
    corrected = history.client.get("/api/matches/2").json()
    assert [line["stands"] for line in corrected["lines"]] == [False, True]


@pytest.mark.parametrize("kind", ["carom", "csv", "json"])
def test_a_match_is_had_as_a_file(history: Served, kind: str) -> None:
    answer = history.client.get(f"/api/matches/1.{kind}")
    assert answer.status_code == 200
    name = f'attachment; filename="2026-05-02-match-0001.{kind}"'
    assert answer.headers["content-disposition"] == name
    if kind == "carom":
        assert read_record(answer.text).match.state.over
    elif kind == "csv":
        assert answer.text.startswith("match,began,")
    else:
        assert json.loads(answer.text)["matches"][0]["number"] == 1


@pytest.mark.parametrize("path", ["9", "9.carom", "1.exe", "99999999999999999999"])
def test_what_is_not_there_is_refused_in_words(history: Served, path: str) -> None:
    answer = history.client.get(f"/api/matches/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_who_looks_on_is_told_initials_and_nowhere_a_name(hidden: Served) -> None:
    listed = hidden.client.get("/api/matches")
    found = listed.json()
    assert found["names"] == ["A1", "A2", "B1"]
    assert [seat["name"] for seat in found["matches"][1]["seats"]] == ["A1", "B1"]
    assert [player["name"] for player in found["players"]] == ["B1", "A1", "A2"]
    told = [listed.text] + [
        hidden.client.get(f"/api/matches/{path}").text
        for path in ("1", "2", "1.carom", "1.csv", "1.json")
    ]
    assert not [text for text in told if any(name in text for name in ("Aiko", "Anna", "Ben"))]
    narrowed = hidden.client.get("/api/matches", params={"player": "A2"}).json()
    assert [match["number"] for match in narrowed["matches"]] == [2]
    record = read_record(hidden.client.get("/api/matches/1.carom").text)
    assert list(record.settings.names.values()) == ["A1", "B1"]


@pytest.mark.parametrize("guess", ["Aiko", "aiko", " Ben ", "Anna", "nobody", "a1", "A"])
def test_no_guessed_name_tells_whose_initials_are_whose(hidden: Served, guess: str) -> None:
    narrowed = hidden.client.get("/api/matches", params={"player": guess}).json()
    unknown = hidden.client.get("/api/matches", params={"player": "nobody at all"}).json()
    assert narrowed == unknown
    assert (narrowed["matches"], narrowed["players"]) == ([], [])


def test_initials_that_nobody_has_are_nobodys_whoever_is_called_so(tmp_path: Path) -> None:
    with Book(tmp_path / "journal.sqlite3") as book:
        book.match(names={"N": "B1", "S": "Ben"})
        book.line("N -")
        book.match(names={"N": "B1"})
        book.line("N -")
    shown = PageHistory(book.path, "Board", initials=True)

    def numbers(player: str) -> list[int]:
        return [match["number"] for match in shown.listed(player, "", "")["matches"]]

    assert shown.listed("", "", "")["names"] == ["B1", "B2"]
    assert (numbers("B1"), numbers("B2"), numbers("B3")) == ([2, 1], [1], [])


@pytest.mark.parametrize(
    "name",
    ["Aiko", "x" * 80, "e" + "\u0301" * 40, "A\n---\nko"],
    ids=["usual", "long", "many marks", "several lines"],
)
def test_the_record_with_initials_has_every_seat_whatever_its_name(
    tmp_path: Path, name: str
) -> None:
    """Also a longer name, or an event's, than anybody may enter today."""
    names = {Seat.N: name, Seat.S: "Ben"}
    header = write_header(changed(agree({"rules": "hikone"}), names=names, event="cup" * 100))
    with Book(tmp_path / "journal.sqlite3") as book:
        book.write(EntryKind.MATCH, header=f"{header}---\n")
        book.line("N -")
    shown = PageHistory(book.path, "Board", initials=True).one(1)
    assert shown is not None
    told = {seat["seat"]: seat["name"] for seat in shown["seats"]}
    record = read_record(shown["record"], bounded=False)
    assert record.settings.names == told
    assert set(told.values()) == {f"{name[0].upper()}1", "B1"}
    assert record.settings.event == "cup" * 100
    assert len(record.match.steps) == 1


def test_a_board_without_a_history_says_so(served: Served) -> None:
    answer = served.client.get("/api/matches")
    assert answer.status_code == 503
    assert "no history" in answer.json()["error"]


def test_a_journal_that_cannot_be_read_is_told_and_the_board_goes_on(
    served: Served, tmp_path: Path
) -> None:
    broken = tmp_path / "journal.sqlite3"
    broken.write_bytes(b"nothing of a journal")
    served.board.matches = PageHistory(broken, "Board", initials=False)
    answer = served.client.get("/api/matches")
    assert answer.status_code == 503
    assert str(broken) in answer.json()["error"]
    assert served.client.get("/api/schema").status_code == 200
