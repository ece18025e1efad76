"""Names are removed from an event that is over: none is left in any byte, and all else stays."""

from __future__ import annotations

import re
import shutil
import threading
import time
import tomllib
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from jackspot.core.record import read_record
from jackspot.displays.words import translator
from jackspot.festival.messages import What, crc32
from jackspot.ops.forgetting.places import note_export
from jackspot.ops.forgetting.rewriting import DRAFT
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot_hub import command as hub_command
from jackspot_hub.command import (
    correct_command,
    export_command,
    forget_command,
    opened as opened_hub,
)
from jackspot_hub.copying import EventCopy
from jackspot_hub.desk.entering import check_in, draw_class, enter, register, reword, withdraw
from jackspot_hub.desk.revising import correct, undo
from jackspot_hub.desk.state import DeskEntry, DeskState, after
from jackspot_hub.desk.step import give_notice, move, take_notice_back
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Person
from jackspot_hub.event_file import BEGUN, BadEvent, numbered, programme_of, read_event
from jackspot_hub.forgetting import open_still, with_names
from jackspot_hub.results import files_of
from jackspot_hub.running import KINDS, RunningHub, read_desk
from tests.festival.conftest import mosquitto  # noqa: F401  a fixture
from tests.hub.halls import PlayedHall
from tests.hub.test_loose_results import played_freely

EVENT = """\
# Aiko is the one to beat, says Schiedsrichterin
name = "Small cup"
hall = "hikone"
boards = 2
seed = "2026"

[[contest]]
name = "s"
title = "Open \\"singles\\""
format = "groups"
groups = 2
upper = 1
names = "initials"
entrants = ["Aiko", "Benno", "愛子", "O'Hara \\"Kiddo\\""]    # by their seeds

[contest.match]
rules = "hikone"
options = { time_limit_s = 300 }
handicap = { N = { pucks_needed = 6 } }

[[contest]]
name = "p"
format = "swiss"
rounds = 2
upper = 2
earlier = true
knockout_match = { options = { time_limit_s = 600, best_of = 3 } }
entrants = [["愛子", "Benno"], ["Chie", "Dirk"]]

[[contest]]
name = "k"
format = "groups"
draw = "later"
groups = 2
upper = 0

[[contest]]
name = "f"
format = "free"
entrants = ["Aiko", "Benno", "愛子"]

[[contest]]
name = "nobody"
format = "all"
draw = "later"
"""
NAMES = (
    "Aiko", "Benno", "愛子", "O'Hara", "Kiddo", "Chie", "Dirk", "Emilia", "Emilian", "Frieda",
    "えみ", "Goro", "Hana", "Verein", "Familie", "1999", "2001", "Schiedsrichterin",
    "Zeugin", "Onkel",
)  # fmt: skip
"""The names and other personal details of people; none of them is in a key of an entry."""
ENGLISH = translator("en")


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an event that is over."""
    path = tmp_path_factory.mktemp("over") / "cup.toml"
    path.write_text(EVENT, encoding="utf-8")
    played(path)
    return path.parent


@pytest.fixture
def event(over: Path, tmp_path: Path) -> Path:
    """The file of an event that is over, with its journal beside it."""
    shutil.copytree(over, tmp_path, dirs_exist_ok=True)
    return tmp_path / "cup.toml"


def desk_at(path: Path) -> DeskState:
    return read_desk(read_event(path), path.with_suffix(".sqlite3"))


def opened(path: Path) -> RunningHub:
    return RunningHub(read_event(path), path.with_suffix(".sqlite3"), lambda *_: None)


def played(path: Path, *, to_the_end: bool = True) -> None:
    """Play an event in its journal, with people who come on the day, mistakes and undos."""
    with closing(opened(path)) as hub:
        people = [("Emilia", "えみ", "Verein A", 1999), ("Frieda", "", "Familie B", None),
                  ("Goro", "", "Verein A", 2001), ("Hana", "", "Familie B", 1999)]  # fmt: skip
        for name, kana, club, born in people:
            hub.enter(register(hub.desk, name, "Zeugin", kana=kana, club=club, born=born))
            number = max(hub.desk.programme.people)
            hub.enter(enter(hub.desk, "k", [number], "Zeugin", forced="Onkel says so"))
            hub.enter(check_in(hub.desk, number, "Zeugin"))
        emi = hub.desk.programme.people[7]
        hub.enter(reword(hub.desk, changed(emi, name="Emilian"), "Zeugin"))
        hub.enter(undo(hub.desk, len(hub.desk.past), "Zeugin"))
        hub.enter(register(hub.desk, "Onkel", "Zeugin"))
        hub.enter(enter(hub.desk, "k", [max(hub.desk.programme.people)], "Zeugin"))
        hub.enter(withdraw(hub.desk, "k", max(hub.desk.programme.people), "Zeugin"))
        hub.enter(draw_class(hub.desk, "k", "37", "Zeugin"))
        play(hub, to_the_end=to_the_end)


class WrittenHall(PlayedHall):
    """A played hall whose desk writes into a journal on the disk."""

    def __init__(self, hub: RunningHub) -> None:
        self.hub = hub
        super().__init__(hub.desk.programme, Random(4))
        self.desk = changed(hub.desk, seen=self.desk.seen)
        self.now_ms = time.time_ns() // 1_000_000

    def write(self, entries: tuple[DeskEntry, ...]) -> None:
        if entries:
            self.hub.desk = self.desk
            self.hub.enter(entries)
            self.desk = self.hub.desk


def play(hub: RunningHub, *, to_the_end: bool) -> None:
    """Let boards play it at random; one match moves, one result is loose, one is corrected."""
    hall = WrittenHall(hub)
    hall.tick()
    board, other = hall.desk.open_orders
    hall.tick()
    order = hall.sit_down(board)
    assert order is not None
    hall.say(board, What.RECORD, {"v": 1, "journal": "x", "seq": 1, "crc32": "0" * 8,
                                  "record": order["header"] + "N -\nS -\n"})  # fmt: skip
    hall.sit_down(other)
    hall.result(other)
    hall.write(move(hall.desk, board, other))
    hall.sit_down(other)
    hall.result(other)
    hall.result(other, order=None)  # people kept playing on their own
    (busy,) = list(hall.desk.open_orders)[:1] or [other]
    hall.sit_down(busy)
    header = hall.desk.orders[hall.plays[busy]].header
    others = re.sub("^N = .*", 'N = "Zeugin"', header, flags=re.MULTILINE)
    hall.result(busy, record=others + "! resign N\n", crc32=crc32(others + "! resign N\n"))
    torn = order["header"] + "N rot, sagt Aiko\n"
    hall.result(other, order=None, record=torn, crc32=crc32(torn))
    while to_the_end and not all(map(hall.desk.is_over, ("s", "p", "k"))):
        hall.tick()
        for each in list(hall.desk.open_orders):
            if hall.sit_down(each) is not None:
                hall.result(each)
    played_freely(hall, "Benno", "aiko", by="referee_ok")
    if to_the_end:
        hall.write(correct(hall.desk, "p-2-1", Outcome(0, (3, 1)), "Schiedsrichterin"))
    assert any("resume" in each.entry.body for each in hall.desk.past)
    assert len(hall.desk.unattached) == 3


def forget(path: Path, *words: str) -> Any:
    return CliRunner().invoke(forget_command, [str(path), "--yes", *words])


def names_in(*folders: Path) -> set[tuple[str, str]]:
    """Return every name in the bytes of a file, with the file that has it.

    A year within a checksum's hexadecimal digits does not count.
    """
    return {
        (path.name, name)
        for folder in folders for path in folder.rglob("*") if path.is_file()
        for name in NAMES if re.search(within(name), path.read_bytes())
    }  # fmt: skip


def within(name: str) -> bytes:
    text = name.encode()
    return rb"(?<![0-9a-f])%b(?![0-9a-f])" % text if name.isdigit() else re.escape(text)


def sums(desk: DeskState) -> object:
    """Return all that an event comes to, except names."""
    drawn = {name: desk.drawn(name) for name in desk.programme.classes}
    programme = {
        name: (changed(each.contest, kept_apart={}), each.contest.kept_apart.keys(), each.people)
        for name, each in desk.programme.classes.items()
    }
    return drawn, programme, desk.results, desk.on_disk, desk.arrived, desk.open_orders


def test_no_name_is_left_in_any_byte_and_all_else_is_as_it_was(event: Path) -> None:
    before = desk_at(event)
    journal = event.with_suffix(".sqlite3")
    entries = read_checked(journal, KINDS)
    assert {name for _file, name in names_in(event.parent)} == set(NAMES)
    done = forget(event)
    assert done.exit_code == 0, done.output
    assert names_in(event.parent) == set()
    after = desk_at(event)
    assert sums(after) == sums(before)
    again = read_checked(journal, KINDS)  # the chain is whole
    assert [(e.seq, e.kind, e.at_ns, e.wall_ns, e.boot) for e in again] == [
        (e.seq, e.kind, e.at_ns, e.wall_ns, e.boot) for e in entries
    ]
    people = after.programme.people
    assert people[1] == Person(1, "1")
    assert [people[each].club for each in (7, 8, 9, 10)] == ["1", "2", "1", "2"]
    assert {(each.kana, each.born) for each in people.values()} == {("", None)}
    assert 'draw = "later"' in event.read_text(encoding="utf-8")


def test_standings_and_records_go_on_by_number_and_score_as_before(event: Path) -> None:
    before = desk_at(event)
    forget(event)
    after = desk_at(event)
    assert before.records.keys() == after.records.keys()
    for key, record in after.records.items():
        one, two = read_record(before.records[key]).match, read_record(record).match
        assert (one.state.points, one.state.winner) == (two.state.points, two.state.winner)
        assert changed(one.settings, names={}) == changed(two.settings, names={})
        contest = key.partition("-")[0]
        people = after.programme.classes[contest].of(*after.played(contest)[key].sides)
        assert set(two.settings.names.values()) == set(map(str, people))
    for past in after.past:
        if past.entry.kind == "result":
            said = past.entry.body["message"]
            assert said["crc32"] == crc32(said["record"])
    for said in after.unattached:
        if said["record"]:
            assert all(map(str.isdecimal, read_record(said["record"]).settings.names.values()))
    files = files_of(after, ENGLISH)
    assert re.search(r"^1\. \d+  \d/\d", files["standings.txt"], re.MULTILINE)
    assert not [name for name in NAMES if any(name in text for text in files.values())]


def test_done_again_there_is_nothing_to_do_and_what_was_interrupted_is_finished(
    event: Path,
) -> None:
    with_all_names = event.read_text(encoding="utf-8")
    forget(event)
    journal, without = event.with_suffix(".sqlite3"), event.read_text(encoding="utf-8")
    bytes_before = journal.read_bytes()
    done = forget(event)
    assert (done.exit_code, done.output.splitlines()[0]) == (
        0, f"no names are left in {event} and {journal}",
    )  # fmt: skip
    assert journal.read_bytes() == bytes_before
    event.write_text(with_all_names, encoding="utf-8")  # the power failed after the journal
    event.with_suffix(BEGUN).unlink()
    journal.with_name(journal.name + DRAFT).write_text("Aiko")
    assert forget(event).exit_code == 0
    assert event.read_text(encoding="utf-8") == without


def test_the_event_goes_on_with_numbers(event: Path) -> None:
    forget(event)
    done = CliRunner().invoke(
        correct_command, [str(event), "p-2-1", "--winner", "2", "--points", "1", "4"]
    )
    assert done.exit_code == 0, done.output
    folder = event.parent / "out"
    assert CliRunner().invoke(export_command, [str(event), str(folder)]).exit_code == 0
    assert names_in(event.parent) == set()


def test_results_by_number_are_not_taken_over_by_other_people_under_the_same_file_name(
    event: Path,
) -> None:
    forget(event)
    journal, by_number = event.with_suffix(".sqlite3"), event.read_text(encoding="utf-8")
    event.write_text(EVENT.replace("Aiko", "Xaver"), encoding="utf-8")
    with pytest.raises(BadEvent, match="number 1 of them is not as it was"):
        opened_hub(event, journal, lambda *_: None)
    event.write_text(by_number, encoding="utf-8")
    opened_hub(event, journal, lambda *_: None).close()


def test_a_power_cut_between_the_events_file_and_its_facts_is_finished(event: Path) -> None:
    journal, facts = event.with_suffix(".sqlite3"), event.with_suffix(BEGUN)
    opened_hub(event, journal, lambda *_: None).close()
    forget(event)
    by_number = facts.read_bytes()
    facts.unlink()
    assert forget(event).exit_code == 0
    assert facts.read_bytes() == by_number


def test_a_notice_of_the_desk_says_nothing_afterwards_and_comments_of_any_file_go(
    tmp_path: Path,
) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        '# Onkel enters Aiko\nname = "Cup"\nhall = "h"\nboards = 1\n'
        '[[contest]]\nname = "k"\nformat = "all"\ndraw = "later"\n'
    )
    with closing(opened(path)) as hub:
        hub.enter(give_notice({"en": "Aiko waits", "ja": "愛子"}, 60, "desk"))
        hub.enter(take_notice_back(hub.desk, "desk"))
    done = forget(path)
    assert done.exit_code == 0, done.output
    assert names_in(tmp_path) == set()
    notice, back = read_checked(path.with_suffix(".sqlite3"), KINDS)
    assert notice.body["text"] == {"en": "-", "ja": "-"}
    assert back.body["text"] is None


# --- copies ------------------------------------------------------------------------------


def test_names_go_from_the_copy_on_the_stick_too_whether_it_is_named_or_known(
    event: Path, tmp_path: Path
) -> None:
    sticks = [tmp_path / "stick", tmp_path / "other"]
    before = desk_at(event)
    journal = event.with_suffix(".sqlite3")
    for stick in sticks:
        stick.mkdir()
        EventCopy(stick, event, journal).close()
        shutil.copy(stick / journal.name, stick / f"{journal.name}.tmp")  # pulled out while it ran
    note_export(journal, sticks[1])
    done = forget(event, "--copy", str(sticks[0]))
    assert done.exit_code == 0, done.output
    assert names_in(tmp_path) == set()
    for stick in sticks:
        after = desk_at(stick / event.name)
        assert sums(after) == sums(before)


def test_a_copy_that_is_not_there_is_named_with_what_to_do(event: Path, tmp_path: Path) -> None:
    journal = event.with_suffix(".sqlite3")
    note_export(journal, tmp_path / "stick")
    written = CliRunner().invoke(export_command, [str(event), str(tmp_path / "out")])
    assert written.exit_code == 0
    (tmp_path / "empty").mkdir()
    none = forget(event, "--copy", str(tmp_path / "empty"))
    assert none.exit_code == 1
    assert "expected a copy of the event, cup.sqlite3, found none" in none.output
    assert names_in(event.parent), "nothing was changed"
    done = forget(event)
    assert done.exit_code == 0
    assert f"not reached: {tmp_path / 'stick'}: a copy or results were there; plug" in done.output
    assert f"not reached: {tmp_path / 'out'}: results were written there; delete" in done.output
    assert "not reached: what the broker keeps of public/" in done.output


def test_what_no_program_here_can_reach_is_told_with_what_to_do(event: Path) -> None:
    done = forget(event)
    told = [line for line in done.output.splitlines() if line.startswith("not reached: ")]
    (log,) = [line for line in told if "service's log" in line]
    assert "journalctl --rotate --vacuum-time=1s" in log
    (stick,) = [line for line in told if "was restored from" in line]
    assert "--copy" in stick


def test_a_copy_that_cannot_be_read_is_named_and_the_command_fails(
    event: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "cup.sqlite3").write_bytes(b"Aiko" * 1_000)
    done = forget(event, "--copy", str(stick))
    assert done.exit_code == 1
    assert "delete that copy" in done.output
    assert names_in(event.parent) == {("cup.sqlite3", "Aiko")}, "of the copy alone"


def test_where_a_running_hub_copies_to_is_known(
    mosquitto: None,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, stick = tmp_path / "cup.toml", tmp_path / "stick"
    stick.mkdir()
    path.write_text('name = "A"\nhall = "a"\nboards = 1\n[[contest]]\nname = "s"\n'
                    'format = "all"\nentrants = ["Aiko", "Benno"]\n', encoding="utf-8")  # fmt: skip
    with closing(opened(path)) as hub:
        hub.enter(correct(hub.desk, "s-1-1", Outcome(0), "desk"))
    monkeypatch.setattr(hub_command, "_ended", threading.Event)
    done = CliRunner().invoke(hub_command.command, [
        str(path), "--copy", str(stick), "--until-over", "--pages", "127.0.0.1:0",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert ("cup.sqlite3", "Aiko") not in names_in(stick), "a file names people, the journal none"
    assert ("cup.toml", "Aiko") in names_in(stick)
    assert forget(path).exit_code == 0
    assert names_in(tmp_path) == set()


# --- what is refused ---------------------------------------------------------------------


def unchanged(event: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in event.parent.iterdir()
            if each.suffix in (".toml", ".sqlite3")}  # fmt: skip


def test_an_event_that_is_not_over_keeps_its_names(event: Path) -> None:
    event.with_suffix(".sqlite3").unlink()
    event.with_suffix(".sqlite3.mark").unlink()
    played(event, to_the_end=False)
    before = unchanged(event)
    done = forget(event)
    assert done.exit_code == 1
    assert "it is not over, so its names stay: s: " in done.output
    assert "matches are not over, s-" in done.output
    assert "jackspot hub correct" in done.output
    assert unchanged(event) == before


def test_a_class_that_is_not_drawn_is_open_while_somebody_is_entered_in_it(event: Path) -> None:
    with closing(opened(event)) as hub:
        hub.enter(register(hub.desk, "Otto", "desk"))
        hub.enter(enter(hub.desk, "nobody", [max(hub.desk.programme.people)], "desk"))
    done = forget(event)
    assert done.exit_code == 1
    assert "nobody: 1 are entered, and it is not drawn" in done.output
    with closing(opened(event)) as hub:
        hub.enter(withdraw(hub.desk, "nobody", max(hub.desk.programme.people), "desk"))
    assert forget(event).exit_code == 0


@pytest.mark.parametrize(
    ("form", "undecided"),
    [("knockout", {"k-2-1": Outcome(None, (3, 3))}), ("knockout", {"k-third": Outcome(None)}),
     ("double", {"k-final": Outcome(None, (3, 3))})],
)  # fmt: skip
def test_a_bracket_that_still_needs_a_winner_is_open(
    form: str, undecided: dict[str, Outcome]
) -> None:
    table = {"name": "k", "format": form, "entrants": ["Aiko", "Benno", "Chie", "Dirk"]}
    desk = DeskState(programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [table]}))
    while still := [each for each in desk.still_open("k") if each.is_ready]:
        key = still[0].key
        desk = after(desk, correct(desk, key, undecided.get(key, Outcome(0, (5, 1))), "desk"))
    (key,) = undecided
    assert open_still(desk) == f"k: {key} still has no winner"
    desk = after(desk, correct(desk, key, Outcome(0, (5, 1)), "desk"))
    assert open_still(desk) == ""


def test_an_events_file_that_begins_with_a_mark_is_read_and_forgotten(event: Path) -> None:
    before = desk_at(event)
    event.write_bytes(b"\xef\xbb\xbf" + event.read_bytes())
    assert desk_at(event).programme == before.programme
    assert forget(event).exit_code == 0
    assert names_in(event.parent) == set()


def test_while_the_hub_runs_nothing_is_changed(event: Path) -> None:
    with closing(opened(event)):
        before = unchanged(event)
        done = forget(event)
        assert done.exit_code == 1
        journal = event.with_suffix(".sqlite3")
        assert f"{journal}: a hub is running with it; end it first" in done.output
        assert unchanged(event) == before


def test_a_dry_run_says_what_would_be_done_and_changes_nothing(event: Path) -> None:
    before = unchanged(event)
    done = CliRunner().invoke(forget_command, [str(event), "--dry-run"])
    assert done.exit_code == 0
    assert "its comments go" in " ".join(done.output.split())
    assert "Nothing was done (--dry-run)." in done.output
    assert unchanged(event) == before


def test_a_damaged_journal_stays_as_it_is(event: Path) -> None:
    journal = event.with_suffix(".sqlite3")
    damaged = journal.read_bytes().replace(b"Aiko", b"Bert", 1)
    journal.write_bytes(damaged)
    with pytest.raises(JournalError):
        read_checked(journal, KINDS)
    done = forget(event)
    assert done.exit_code == 1
    assert "does not match its checksum" in done.output
    assert journal.read_bytes() == damaged


# --- the parts ---------------------------------------------------------------------------


def test_an_events_file_by_numbers_says_the_same_but_for_names() -> None:
    programme = programme_of(tomllib.loads(EVENT))
    text = numbered(EVENT)
    assert not [name for name in NAMES if name in text]
    again = programme_of(tomllib.loads(text))
    assert again == changed(programme, people={n: Person(n, str(n)) for n in programme.people})
    assert numbered(text) == text
    named = EVENT.replace("time_limit_s = 600 }", 'time_limit_s = 600 }, names = { N = "Onkel" }')
    assert numbered(named) == text


@pytest.mark.parametrize("record", ["", "no record", "# jackspot record 1\n---\n"])
def test_what_is_no_record_says_nothing_afterwards(record: str) -> None:
    assert with_names(record, lambda _seat, name: name) == ""
