"""The pages say what the program does: their examples are run, their tables compared."""

from __future__ import annotations

import json
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import get_args

import click
import jsonschema
import pytest
from click.testing import CliRunner, Result

from jackspot.commands import COMMANDS
from jackspot.commands.hub import command as hub_command
from jackspot.commands.score import command as score_command
from jackspot.commands.wiring import command as wiring_command
from jackspot.config import Sources, load
from jackspot.config.sections import DialogueSection
from jackspot.core.agreement import KEYS
from jackspot.core.directives import RedPlace, Saying
from jackspot.core.pieces import Pocket
from jackspot.core.record import RecordError, Rewind, read_entry_line, read_record, write_entry
from jackspot.core.record_codes import DICTIONARY, record_from
from jackspot.core.rules import RULES
from jackspot.core.ruling import How
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.actions.codes import CODE_SIZES
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases.table import TABLE
from jackspot.dialogue.proposals.spanning import READINGS_BY_FIX
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.dialogue.state.entries import EntryKind, check
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from jackspot.festival.description import schema_of
from jackspot.festival.home_assistant import discovery, discovery_topic
from jackspot.festival.messages import AboutMessage, What, adapter, crc32, read as read_message
from jackspot.festival.names import board_id
from jackspot.festival.public import PUBLIC, PublicPart
from jackspot.festival.users import access_list
from jackspot.inputs.cables import CableKind
from jackspot.inputs.pins import BUTTONS
from jackspot.sensing.events import Button, Key, Place, beam_wire
from jackspot.settings.help import help_of
from jackspot.settings.section import write_section
from jackspot.storage.entries import write_json
from jackspot.web.api.description import description
from jackspot.web.api.page import CLIENT
from jackspot.web.presses import Motion, read_press
from jackspot.web.referee.access import Access
from jackspot.web.referee.kept import KeptFile
from jackspot.web.referee.sessions import LASTS_S, Sessions
from jackspot.web.state_types import published_schema
from jackspot_hub.event.standings import TieBreak
from jackspot_hub.event_file import _ContestTable, programme_of

ROOT = Path(__file__).resolve().parents[1]
DIALOGUE = ROOT / "firmware" / "DIALOGUE.md"
FORMATS = ROOT / "firmware" / "FORMATS.md"
WEB = ROOT / "firmware" / "jackspot" / "web"
FOLDERS = (".", "firmware", "firmware/jackspot/core/rules/*", "hardware", "systemd")
PAGES = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.md"))

every_page = pytest.mark.parametrize(
    "page", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES]
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, with the line its content begins on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text[: found.start(2)].count("\n") + 1)
        for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


def rows(page: Path, *, first: str, head: bool = False) -> list[list[str]]:
    """Return the rows of the one table whose head begins with this cell, with its head or not."""
    tables = re.findall(r"(?:^\|.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    [table] = [each for each in tables if each.startswith(f"| {first} |")]
    lines = [line.strip().strip("|").split("|") for line in table.splitlines()]
    return [[cell.strip() for cell in line] for line in (*lines[: int(head)], *lines[2:])]


def codes(cell: str) -> list[str]:
    """Return the words between backquotes."""
    return re.findall(r"`([^`]+)`", cell)


def all_codes(page: Path, *, first: str, column: int = 0) -> list[str]:
    """Return the words between backquotes of one column of a table."""
    return [code for row in rows(page, first=first) for code in codes(row[column])]


# Every page.


@every_page
def test_every_link_to_a_file_of_ours_leads_to_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    local = [link for link in links if not link.startswith(("http:", "https:"))]
    broken = []
    for link in local:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {head.replace(" ", "-") for head in plain}


@every_page
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = "\n".join(codes_and_blocks(text))
    called = set(re.findall(r"^\$? ?(?:\S*/)?jackspot ([a-z][a-z-]+)", code, re.MULTILINE))
    assert called <= {*COMMANDS, "sim", "soak", "watch"}
    targets = set(re.findall(r"^\$? ?make ([a-z-]+)", code, re.MULTILINE))
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets <= set(re.findall(r"^([a-z-]+):", rules, re.MULTILINE))


HUB = re.compile(r"jackspot hub ([a-z-]+)([^#|]*)")


def hub_commands() -> dict[str, click.Command]:
    """Return the commands of a hub, including those that the project's file adds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    added = {
        name: pkgutil.resolve_name(where)
        for name, where in project["entry-points"]["jackspot.hub"].items()
    }
    return {**hub_command.commands, **added}


@every_page
def test_every_command_of_a_hub_that_a_page_names_exists_with_its_options(page: Path) -> None:
    known = hub_commands()
    for code in codes_and_blocks(page.read_text(encoding="utf-8")):
        for name, more in HUB.findall(code):
            assert name in known, code
            options = {each for param in known[name].params for each in param.opts}
            for option in re.findall(r"(?<=\s)--[a-z-]+", more.partition("\n")[0]):
                assert option in {*options, "--help"}, code


def codes_and_blocks(text: str) -> Iterator[str]:
    """Yield the code in a page, inline and in blocks."""
    yield from re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    yield from re.findall(r"`([^`\n]+)`", text)


def test_what_is_not_there_yet_is_no_command_rule_system_or_language() -> None:
    there = {*COMMANDS, "sim", "soak", *(rules.value for rules in RuleSystem), "learning"}
    for page in PAGES:
        _, _, said = page.read_text(encoding="utf-8").partition("\n## Not yet\n")
        words = set(re.findall(r"[a-z]+", said.partition("\n## ")[0].lower()))
        assert not words & there - COMMON, (page.name, words & there - COMMON)


COMMON = frozenset({"run", "record", "score", "board", "history", "points"})
"""Those of these words that a sentence may have for another reason."""


@every_page
def test_every_file_that_a_page_names_in_the_repository_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:firmware|hardware|sim|systemd|tests)/[\w./-]+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


# The record as codes.


def test_the_codes_that_the_page_shows_are_those_of_its_record() -> None:
    [scanned, record, dictionary] = (
        block.text
        for block in blocks(FORMATS)
        if block.language in {"codes", "coded", "dictionary"}
    )
    assert record_from(scanned) == record
    assert dictionary.encode() == DICTIONARY
    large = CODE_SIZES[MenuKind.RECORD_LARGE]
    assert all(len(line) <= large[0] for line in scanned.splitlines())
    text = FORMATS.read_text(encoding="utf-8")
    assert f"most {CODE_SIZES[MenuKind.RECORD][1]} bytes is one code" in " ".join(text.split())
    assert f"of more than {large[1]} bytes that way" in " ".join(text.split())


# The match record.

RECORDS = [(page, block) for page in PAGES for block in blocks(page) if block.language == "carom"]
EXAMPLES = [
    (page, before, after)
    for page in PAGES
    for before, after in pairwise(blocks(page))
    if before.language == "carom"
]


def with_answer(language: str) -> list[tuple[str, str]]:
    """Return each record that is followed by an answer in this language, with the answer."""
    return [
        (record.text, answer.text)
        for _page, record, answer in EXAMPLES
        if answer.language == language
    ]


def test_there_are_examples_of_each_sort() -> None:
    assert len(RECORDS) >= 4
    assert len(with_answer("errors")) >= 2
    assert len(with_answer("json")) >= 1


def test_every_record_without_errors_below_it_is_valid() -> None:
    wrong = {text for text, _errors in with_answer("errors")}
    for page, block in RECORDS:
        if block.text not in wrong:
            assert read_record(block.text).match.steps, f"{page.name}:{block.line}"


@pytest.mark.parametrize(("record", "answer"), with_answer("errors"))
def test_a_record_with_errors_has_exactly_those_of_the_page(record: str, answer: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(record)
    assert str(refused.value).splitlines() == answer.splitlines()


@pytest.mark.parametrize(("record", "answer"), with_answer("json"))
def test_a_record_scores_to_the_json_of_the_page(record: str, answer: str) -> None:
    assert score(read_record(record)) == json.loads(answer)


@pytest.mark.parametrize(("record", "answer"), with_answer("scored"))
def test_a_record_is_printed_for_people_as_the_page_shows(
    record: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("match.carom").write_text(record, encoding="utf-8")
    printed = run_score("match.carom").stdout
    assert lines_of(printed) == lines_of(answer)


def lines_of(text: str) -> list[str]:
    """Return a text's lines without the blanks at their ends."""
    return [line.rstrip() for line in text.strip().splitlines()]


def run_score(*arguments: str) -> Result:
    return CliRunner().invoke(score_command, arguments)


def test_the_page_names_the_systems_that_are_played() -> None:
    header = table_below(FORMATS, "### The header")
    value = next(row[1] for row in header if row[0] == "`rules`")
    assert codes(value) == list(RULES) == list(RuleSystem)


def test_the_page_names_every_key_of_a_header() -> None:
    told = [code.strip("[]").split(".")[0] for row in table_below(FORMATS, "### The header")
            for code in codes(row[0])]  # fmt: skip
    assert sorted(told) == sorted(KEYS)


def test_every_word_of_a_stroke_is_on_the_page() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    for system in RULES.values():
        for word in (*system.pieces, *system.flags, *Pocket):
            assert f"`{word}" in text, word


def test_every_directive_is_on_the_page() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    for word in (*Rewind, *Saying, "turn", "resign", "set"):
        assert f"`! {word}" in text, word
    for place in RedPlace:
        assert place is RedPlace.POCKETED or f"`! set queen={place}" in text


def test_the_page_names_every_key_of_an_entry_and_nothing_else() -> None:
    [(record, _answer)] = with_answer("json")
    keys = {key for entry in score(read_record(record))["entries"] for key in entry}
    told = [
        code
        for row in table_below(FORMATS, "**`entries`** has one object")
        for code in codes(row[0])
    ]
    assert set(told) == keys | {"queen"}
    carrom = score(read_record('rules = "icf"\n---\nN -\n'))["entries"]
    assert set(carrom[0]) | {"jack", "directive"} == set(told)


def table_below(page: Path, words: str) -> list[list[str]]:
    """Return the rows of the first table below some words."""
    after = page.read_text(encoding="utf-8").split(words, 1)[1]
    found = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)
    assert found, words
    lines = [line.strip().strip("|").split("|") for line in found[0].splitlines()[2:]]
    return [[cell.strip() for cell in line] for line in lines]


def test_the_page_names_every_way_a_board_can_end() -> None:
    line = next(
        part for part in FORMATS.read_text(encoding="utf-8").split("\n\n") if "`how` is" in part
    )
    assert set(codes(line)) - {"how"} == set(How)


def test_the_exit_statuses_are_those_of_the_page(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.carom", tmp_path / "bad.carom"
    good.write_text('rules = "hikone"\n---\nN red\n', encoding="utf-8")
    bad.write_text('rules = "hikone"\n---\nS red\n', encoding="utf-8")
    statuses = {row[0]: row[1] for row in rows(FORMATS, first="status")}
    assert list(statuses) == ["0", "1", "2"]
    assert run_score(str(good)).exit_code == 0
    assert run_score(str(good), str(bad)).exit_code == 1
    assert run_score(str(tmp_path / "none.carom")).exit_code == 2
    told = run_score(str(bad))
    assert told.stderr.startswith(f"{bad}:3:1: ")
    assert told.stdout == ""


def test_several_files_are_one_object_a_line_and_a_bad_one_does_not_stop_them(
    tmp_path: Path,
) -> None:
    good, bad = tmp_path / "good.carom", tmp_path / "bad.carom"
    good.write_text('rules = "hikone"\n---\nN red\n', encoding="utf-8")
    bad.write_text('rules = "kagu"\n---\n', encoding="utf-8")
    first, second = map(json.loads, run_score("--json", str(bad), str(good)).stdout.splitlines())
    assert first["file"] == str(bad)
    assert [(each["line"], each["column"]) for each in first["errors"]] == [(1, 9)]
    assert set(first) == {"file", "errors"}
    assert second["file"] == str(good)
    assert second["entries"]


# Wires, live state, journal.


def test_the_page_names_every_wire_and_every_button_of_a_page() -> None:
    wires = [beam_wire(pocket) for pocket in Pocket] + [button.wire for button in BUTTONS]
    assert sorted(all_codes(FORMATS, first="wires")) == sorted(wires)
    text = FORMATS.read_text(encoding="utf-8")
    for key in Key:
        assert f"`{Button(Place.PAGE, key).wire}`" in text


def test_the_page_names_every_key_of_the_wiring(tmp_path: Path) -> None:
    board_file = tmp_path / "board.toml"
    board_file.touch()
    lamp_early = tmp_path / "jackspot.toml"
    hub = '[sensor_hub]\nport = "/dev/serial/by-id/hub"\n'
    lamp_early.write_text(f"[pins]\nlamp_n = 4\nseat_n_ok = 16\n{hub}", encoding="utf-8")
    called = ["--json", f"--config={lamp_early}", f"--board-file={board_file}"]
    said = json.loads(CliRunner().invoke(wiring_command, called).stdout)
    table = table_below(FORMATS, "### The wiring of a board")
    assert sorted(code for row in table for code in codes(row[0])) == sorted(said)
    for row in table:
        lists = [said[code] for code in codes(row[0]) if isinstance(said[code], list)]
        keys = {
            name for found in lists for each in found if isinstance(each, dict) for name in each
        }
        assert keys <= set(codes(row[1])), row[0]
    [cables] = [row for row in table if row[0] == "`cables`"]
    assert {*CableKind, *said["cables"][0]["cores"][0]} <= set(codes(cables[1]))


def test_the_page_names_every_key_of_the_live_state() -> None:
    told = [code for row in table_below(FORMATS, "this is the overview.") for code in codes(row[0])]
    assert sorted(told) == sorted(published_schema()["properties"])
    version = published_schema()["properties"]["schema"]["const"]
    assert f"the version of the object: {version}" in FORMATS.read_text(encoding="utf-8")


def test_the_page_names_every_phase() -> None:
    overview = table_below(FORMATS, "this is the overview.")
    assert codes(next(row[1] for row in overview if row[0] == "`phase`")) == list(Phase)


def test_the_press_of_the_page_is_one_that_a_board_takes() -> None:
    [block] = [each for each in blocks(FORMATS) if each.language == "press"]
    press = read_press(block.text.encode())
    assert (press.key, press.motion) == (Key.OK, Motion.SHORT)
    text = FORMATS.read_text(encoding="utf-8")
    for word in (*Key, *Motion):
        assert f"`{word}`" in text


def test_the_sign_in_of_the_page_is_one_that_a_board_takes() -> None:
    [block] = [each for each in blocks(FORMATS) if each.language == "session"]
    said = json.loads(block.text)
    access = Access(Sessions(KeptFile(), said["pin"]))
    session, cookie = access.sign_in(said["pin"], "127.0.0.1", said["name"])
    assert access.demand(cookie) == session
    assert f"{LASTS_S // 3600} hours" in " ".join(FORMATS.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("what", What)
def test_every_message_of_a_hall_stands_on_the_page_and_is_one_that_is_read(what: What) -> None:
    shown = [each for each in blocks(FORMATS) if each.language == what.leaf]
    assert shown
    for block in shown:
        said = read_message(what, block.text.encode())
        assert set(said) == set(json.loads(block.text)), "all keys are known"
        if what in {What.RECORD, What.RESULT}:
            assert said["crc32"] == crc32(said["record"])
            assert read_record(said["record"]).settings.rules in RuleSystem
    told = {row[0].strip("`"): row[1:4] for row in rows(FORMATS, first="topic")}
    writer, retained, qos = told[what.topic("HALL", "ID")]
    assert writer.startswith("board" if what.branch == "board" else "hub")
    assert ((retained == "R"), int(qos)) == (what.retained, what.qos)
    assert len(told) == len(What)


@pytest.mark.parametrize("part", PublicPart)
def test_every_part_that_anybody_may_read_stands_on_the_page_and_is_a_message_of_it(
    part: PublicPart,
) -> None:
    [block] = [each for each in blocks(FORMATS) if each.language == f"{PUBLIC}_{part.leaf}"]
    said = json.loads(block.text)
    assert adapter(part.kind).validate_json(block.text) == said, "all keys are known"
    jsonschema.Draft202012Validator(schema_of(part.kind)).validate(said)
    told = all_codes(FORMATS, first="public topic")
    assert re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), f"{PUBLIC}/{part.pattern}") in told
    assert len(told) == len(PublicPart)


def test_the_device_of_home_assistant_on_the_page_is_the_one_that_a_board_says() -> None:
    [block] = [each for each in blocks(FORMATS) if each.language == "home_assistant"]
    about: AboutMessage = {
        "v": 1, "name": "Board 7", "version": "0.1.0", "rules": [],
        "pages": ["http://192.168.7.27:8080/"], "parts": [],
    }  # fmt: skip
    assert json.loads(block.text) == discovery("hikone", "b007", about)
    assert discovery_topic("ID") in FORMATS.read_text(encoding="utf-8")


def test_who_may_what_at_a_halls_broker_is_what_the_page_says() -> None:
    ways = {"write": {0}, "read": {1}, "readwrite": {0, 1}}
    given: dict[str, tuple[set[str], set[str]]] = {}
    for line in access_list("HALL", 1).replace(board_id(1), "ID").splitlines():
        match line.split():
            case ["user", user]:
                given[user] = (set(), set())
            case ["topic", way, topic]:
                for each in ways[way]:
                    given[user][each].add(topic)
    told = {
        row[0].strip("`"): tuple(set(codes(cell)) for cell in row[1:])
        for row in rows(FORMATS, first="user")
    }
    assert told == given


def test_the_client_of_the_page_is_the_one_that_the_board_shows() -> None:
    assert [block.text for block in blocks(FORMATS) if block.language == "python"] == [CLIENT]


def test_the_page_names_every_request_of_the_interface() -> None:
    told = {code.split("?")[0] for code in all_codes(FORMATS, first="request")}
    asked = {
        f"{method.upper()} {path.replace('{number}', 'N').replace('{kind}', 'carom')}"
        for path, methods in description()["paths"].items()
        for method in methods
    }
    assert asked <= told


def test_the_page_names_every_parameter_of_the_overlay() -> None:
    rows_of = table_below(FORMATS, "### The score on a screen")
    told = {codes(row[1])[0] for row in rows_of if "`/overlay`" in row[0]}
    source = (WEB / "pages" / "overlay.js").read_text(encoding="utf-8")
    table = source.split("export const PARAMETERS = {", 1)[1].split("};", 1)[0]
    assert told == {"lang", *re.findall(r"^  (\w+): ", table, re.MULTILINE)}


def test_the_page_names_every_theme() -> None:
    rows_of = table_below(FORMATS, "### The score on a screen")
    told = {code for row in rows_of if codes(row[1]) == ["theme"] for code in codes(row[2])}
    source = (WEB / "pages" / "look.js").read_text(encoding="utf-8")
    found = re.search(r"THEMES = \[(.*)\]", source)
    assert found
    assert told == {*re.findall(r'"(\w+)"', found[1])} - {"auto"}


def test_the_dump_of_the_page_is_canonical_and_passes_the_journals_check() -> None:
    [block] = [each for each in blocks(FORMATS) if each.language == "jsonl"]
    for number, line in enumerate(block.text.splitlines(), start=1):
        entry = json.loads(line)
        assert write_json(entry) == line
        assert entry["seq"] == number
        check(entry["kind"], entry["body"])
        for text in entry["body"].get("entries", ()):
            assert write_entry(read_entry_line(text, RuleSystem.HIKONE)) == text
        if entry["kind"] == EntryKind.MATCH:
            assert read_record(entry["body"]["header"]).settings.rules is RuleSystem.HIKONE


def test_the_page_names_every_kind_of_entry() -> None:
    assert sorted(all_codes(FORMATS, first="kind")) == sorted(EntryKind)


# How people and the board talk.

PRESSES = {
    "OK": (Action.OK, Action.OK_HELD),
    "FIX": (Action.FIX,),
    "FIX held": (Action.FIX_HELD,),
    "FOUL": (Action.FOUL,),
    "OFF": (Action.OFF,),
    "UNDO": (Action.UNDO,),
}


def test_the_table_of_phases_has_every_phase_in_order() -> None:
    assert [row[0].strip("*") for row in rows(DIALOGUE, first="phase")] == list(Phase)


@pytest.mark.parametrize("phase", Phase)
def test_a_press_has_a_dash_on_the_page_exactly_where_it_does_nothing(phase: Phase) -> None:
    row = rows(DIALOGUE, first="phase")[list(Phase).index(phase)]
    for (name, actions), cell in zip(PRESSES.items(), row[1:7], strict=True):
        does_something = any((phase, action) in TABLE for action in actions)
        assert (cell != "-") is does_something, f"{name} in {phase}: {cell}"


def test_the_times_on_the_page_are_the_defaults() -> None:
    defaults = dict(write_section(load(Sources(())).dialogue))
    told = {codes(row[0])[0]: float(row[1]) for row in rows(DIALOGUE, first="key")}
    hands = [codes(row[0])[0] for row in rows(DIALOGUE, first="`hands`")]
    assert hands == list(Assistance)
    assert {**told, "hands": hands[0]} == defaults


def test_the_times_on_the_page_are_said_in_the_words_of_the_settings() -> None:
    said = help_of(DialogueSection)
    for key, _, words in rows(DIALOGUE, first="key"):
        assert said[codes(key)[0]].partition(" (")[0].casefold() == words.casefold()


def test_the_page_says_how_many_readings_fix_goes_through() -> None:
    assert READINGS_BY_FIX == 6
    assert "FIX goes through the first six" in DIALOGUE.read_text(encoding="utf-8")


# Config and service.


def test_the_example_config_is_one_that_a_board_takes() -> None:
    config = load(Sources((ROOT / "systemd" / "jackspot.toml",)))
    reference = load(Sources(()))
    assert config.wires == reference.wires
    assert config.board.name == "Board 1"


@every_page
def test_every_config_on_a_page_is_one_that_a_board_takes(page: Path, tmp_path: Path) -> None:
    """Or it is an event that a hub takes."""
    path = tmp_path / "jackspot.toml"
    for block in blocks(page):
        if block.language == "toml" and "[[contest]]" in block.text:
            assert programme_of(tomllib.loads(block.text)).classes, f"{page.name}:{block.line}"
        elif block.language == "toml":
            path.write_text(block.text, encoding="utf-8")
            assert load(Sources((path,))).wires, f"{page.name}:{block.line}"


# --- organising ----------------------------------------------------------------------------

ORGANISING = ROOT / "firmware" / "ORGANISING.md"


def test_the_event_of_the_organisers_page_is_one() -> None:
    page = ORGANISING.read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    programme = programme_of(tomllib.loads(example))
    assert set(programme.classes) == {"singles", "pairs"}
    formats = re.search(r"# (all, groups, .*)\n", example)
    assert formats is not None
    said = re.split(r", | or ", formats[1])
    assert sorted(said) == sorted(get_args(_ContestTable.model_fields["format"].annotation))


def test_every_key_of_a_contest_and_every_tie_break_stand_on_the_organisers_page() -> None:
    page = ORGANISING.read_text(encoding="utf-8")
    section = page.partition("\n## The event file")[2].partition("\n## ")[0]
    assert not [key for key in _ContestTable.model_fields if f"{key} = " not in section]
    rows = dict(re.findall(r"^\| `(\w+ = .*?)` \| (.*) \|$", section, re.MULTILINE))
    contest = {"name": "s", "format": "all", "draw": "later"}
    for each in rows:
        if "..." not in each:
            said = {**contest, **tomllib.loads(each)}
            event = {"name": "A", "hall": "a", "boards": 1, "contest": [said]}
            assert set(programme_of(event).classes) == {"s"}
    (ties,) = (what for key, what in rows.items() if key.startswith("tie_breaks"))
    assert set(re.findall(r"`(\w+)`", ties)) == set(TieBreak)


def test_every_command_of_the_organisers_page_and_the_readme_is_one() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    added = known["project"]["entry-points"]["jackspot.hub"]
    for page in (ORGANISING, ROOT / "README.md"):
        said = set(re.findall(r"jackspot hub ([a-z]+)", page.read_text(encoding="utf-8")))
        assert said <= {*added, *hub_command.commands}, page
    assert {*added, *hub_command.commands} - {"schema"} <= set(
        re.findall(r"jackspot hub ([a-z]+)", ORGANISING.read_text(encoding="utf-8"))
    )


def test_every_page_of_the_hub_stands_on_the_organisers_page() -> None:
    said = set(re.findall(r"^\| `/(\w*)` \|", ORGANISING.read_text(encoding="utf-8"), re.MULTILINE))
    own = (ROOT / "firmware" / "jackspot_hub" / "web" / "pages").glob("*.html")
    assert said == {"" if each.stem == "index" else each.stem for each in own}
