"""The support bundle: what is in it, and that no player's name is anywhere in its bytes."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import time
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS
from jackspot.capture.tap import Recipient
from jackspot.capture.vcd_file import read_capture
from jackspot.commands import main
from jackspot.core.pieces import Seat
from jackspot.core.record import read_record
from jackspot.ops.support.bundle import own_words
from jackspot.ops.support.names import Hiding, names_in_toml
from jackspot.replay import board_for, config_of
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import Venue, board_config, rehearse
from jackspot_sim.people.habits import Habits

RECORD = Path(__file__).parents[1] / "records" / "debts_and_jack.carom"
NAMES = {Seat.N: "Kunigunde Bärlauch", Seat.S: "彦根あいこ"}
ELSEWHERE = ("Zacharias O'Quill", "Wu")
ORIGIN = re.compile(r'"origin":\d+,')
PARTS = ("Kunigunde", "Bärlauch", "彦根あいこ", "Zacharias", "Quill")


class Played:
    """A board's folder after a match between people with names, and its capture."""

    def __init__(self, folder: Path) -> None:
        self.journal = folder / "journal.sqlite3"
        self.config = folder / "jackspot.toml"
        calibration = folder / "calibration.toml"
        calibration.write_text('board = "Zacharias\'s"\n', encoding="utf-8")
        self.config.write_text(
            "# Zacharias set this up\n"
            f"[calibration]\npath = {json.dumps(str(calibration))}\n"
            f"[people]\nnames = {json.dumps(ELSEWHERE, ensure_ascii=False)}\n"
            '[board]\nname = "Zacharias\'s"\n[gpio]\nfactory = "mock"\n'
            '[oled]\ndriver = "none"\n[web]\nport = 0\npin = "975310"\n'
            '[hotspot]\npassword = "hidden one"\n[festival]\nkey = "hidden two"\n'
            '[match]\nrules = "hikone"\n'
            'seats = ["N", "S"]\nevent = "Kunigunde\'s cup"\n'
            '[match.names]\nN = "Kunigunde Bärlauch"\n',
            encoding="utf-8",
        )
        record = read_record(RECORD.read_text(encoding="utf-8"))
        settings = changed(record.settings, names=NAMES, event="Kunigunde's cup")
        stream = io.StringIO()
        venue = Venue(board_config(settings, at_box=True), captured=Recipient(stream))
        entries = [step.entry for step in record.match.steps]
        rehearse(settings, entries, self.journal, Habits(at_box=True), venue=venue)
        (folder / "kunigunde.vcd").write_text(stream.getvalue(), encoding="ascii")

    def bundle(self, file: Path, *more: str) -> Result:
        places = (f"--journal={self.journal}", f"--config={self.config}")
        arguments = ["support-bundle", str(file), "--seconds=0", *places, *more]
        return CliRunner().invoke(main, arguments)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("board"))


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forms(name: str) -> Iterator[bytes]:
    """Yield every form in which a name may appear in a file."""
    for text in (name, name.lower(), name.upper(), json.dumps(name)[1:-1]):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            yield text.encode(encoding)


def found_in(data: bytes, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(form in data for form in forms(name))]


def test_no_name_is_in_any_byte_of_a_bundle(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    result = played.bundle(file)
    assert result.exit_code == 0, result.output
    assert "4 names replaced" in result.stdout
    assert found_in(file.read_bytes(), PARTS) == []
    for member, data in members(file).items():
        assert found_in(member.encode() + b"\0" + data, PARTS) == [], member


@pytest.mark.parametrize("more", [(), ("--with-names",)])
def test_no_secret_is_in_any_byte_of_a_bundle(played: Played, tmp_path: Path, more) -> None:
    made = tmp_path / "bundle.zip"
    assert played.bundle(made, *more).exit_code == 0
    with zipfile.ZipFile(made) as bundle:
        found = b"".join(bundle.read(each) for each in bundle.namelist())
    assert b"[festival]" in found
    assert [each for each in ("975310", "hidden one", "hidden two") if each.encode() in found] == []


def test_with_names_they_are_where_the_test_above_looks_for_them(
    played: Played, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.zip"
    assert played.bundle(file, "--with-names").exit_code == 0
    inside = members(file)
    assert set(inside) >= {"settings.toml", "journal.jsonl", "journal.sqlite3", "kunigunde.vcd"}
    found = {name: found_in(data, PARTS) for name, data in inside.items()}
    assert found["settings.toml"] == ["Kunigunde", "Bärlauch", "Zacharias", "Quill"]
    assert found["calibration.toml"] == ["Zacharias"]
    for name in ("journal.jsonl", "journal.sqlite3", "kunigunde.vcd"):
        assert set(found[name]) >= {"Kunigunde", "Bärlauch", "彦根あいこ"}, name


def test_the_journal_in_a_bundle_is_the_match_with_initials_for_names(
    played: Played, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.zip"
    played.bundle(file)
    copy = tmp_path / "journal.sqlite3"
    copy.write_bytes(members(file)["journal.sqlite3"])
    told, kept = read_checked(copy, KINDS), read_checked(played.journal, KINDS)
    assert [(entry.kind, entry.at_ns) for entry in told] == [
        (entry.kind, entry.at_ns) for entry in kept
    ]
    assert [entry.body for entry in told if entry.kind == "line"] == [
        entry.body for entry in kept if entry.kind == "line"
    ]
    headers = [entry.body["header"] for entry in told if entry.kind == "match"]
    assert headers
    for header in headers:
        assert all(name[0] in "KP" and name[1:].isdigit() for name in names_in_toml(header))
    with closing(sqlite3.connect(copy)) as journal:
        assert journal.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_a_capture_in_a_bundle_replays_to_the_bundles_own_journal(
    played: Played, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.zip"
    played.bundle(file)
    inside = members(file)
    [name] = [name for name in inside if name.endswith(".vcd")]
    capture = read_capture(io.BytesIO(inside[name]))
    again = tmp_path / "again.sqlite3"
    with board_for(capture, config_of(capture), again) as board:
        board.run()
    lines = [entry.canonical() for entry in read_checked(again, None)]
    told = inside["journal.jsonl"].decode().splitlines()
    # A dialogue notes a checksum of the settings it began with, and those included the names.
    assert [ORIGIN.sub("", line) for line in lines] == [ORIGIN.sub("", line) for line in told]


def test_a_capture_that_was_asked_for_is_beside_the_boards_own_of_that_name(
    played: Played, tmp_path: Path
) -> None:
    own = played.journal.with_name("kunigunde.vcd")
    asked = tmp_path / own.name
    asked.write_text(own.read_text(encoding="ascii") + "$comment asked for $end\n", "ascii")
    file = tmp_path / "bundle.zip"
    more = ("--with-names", f"--capture={asked}", f"--capture={own}")
    assert played.bundle(file, *more).exit_code == 0
    captures = {name: data for name, data in members(file).items() if name.endswith(".vcd")}
    assert captures == {
        "kunigunde.vcd": asked.read_bytes(), "kunigunde-2.vcd": own.read_bytes()
    }  # fmt: skip


def test_a_clock_that_was_never_set_prevents_no_bundle(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(0))
    result = played.bundle(tmp_path / "bundle.zip")
    assert result.exit_code == 0, result.exception


def test_a_bundle_says_what_is_in_it_and_what_could_not_be_had(
    played: Played, tmp_path: Path
) -> None:
    file, broken = tmp_path / "bundle.zip", tmp_path / "broken.toml"
    broken.write_text('[people\nnames = ["Kunigunde"]\n', encoding="utf-8")
    nowhere = tmp_path / "nowhere.sqlite3"
    result = CliRunner().invoke(
        main,
        ["support-bundle", str(file), "--seconds=0", f"--journal={nowhere}", f"--config={broken}",
         f"--capture={tmp_path / 'none.vcd'}"],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    inside = members(file)
    note = inside["READ ME.txt"].decode()
    assert f"Not here: journal: there is none at {nowhere}" in note
    assert "Not here: broken.toml: it cannot be read, or is no TOML" in note
    assert "Not here: none.vcd: " in note
    assert "is not TOML" in note
    assert json.loads(inside["doctor.json"])["findings"]
    assert json.loads(inside["versions.json"])["packages"]["gpiozero"]
    assert found_in(b"".join(inside.values()), ("Kunigunde",)) == []


SECRETS = ("864209", "2296079e2306ad8577b7f9da032e11a0", "verysecret1", "quite \\u0073ecret")
MISTAKEN = {
    "dotted": 'web.pin = "864209"\nhotspot."pass\\u0077ord" = "verysecret1"\n',
    "inline": 'festival = {{ hall = "x", key = "{1}" }}\nhotspot = [{{ password = "{2}" }}]\n',
    "comments": '[web]\n#pin = "864209"\nport = 0 # or pin 864209\n',
    "lines": '[festival]\nkey = """\n{1}\n"""\n[hotspot]\npassword = "{3}"\n',
    "forms": '[web]\npin = 864209\n[hotspot]\npassword = ["verysecret1"]\n',
    "short": '[web]\npin = "864209 "\n',
    "spelling": '[web]\nPIN = "864209"\n[hotspot]\npasswrod = "verysecret1"\n',
    "other words": '[web]\npim = 864209\n[hotspot]\npassphrase = "verysecret1"\n'
    '[dialogue]\npwd = ["verysecret1"]\n[festivel]\nkay = "{1}"\n',
    "no tables": 'web = "pin = 864209"\nhotspot = ["verysecret1"]\n',
    "a list of tables": 'festival = [{{ kay = "{1}" }}]\nhotspott = "verysecret1"\nweb = 864209\n',
    "as names": '[web]\n864209 = "pin"\n[hotspot]\nverysecret1 = "passwort"\n[festival]\n{1} = 1\n',
    "as names elsewhere": '864209 = 1\n{1} = "key"\n[dialogue]\nverysecret1 = "password"\n',
    "as names in wrong tables": '[match]\n864209 = "PIN"\n[festivel]\n{1} = "kay"\n',
    "as names of tables": '[web.864209]\n[festival]\nhall.{1} = "key"\n'
    '[oled.x]\nverysecret1 = "pin"\n',
    "an unreadable file": '[web]\npin = "864209"\nhost = \n',
}


@pytest.mark.parametrize("more", [(), ("--with-names",)])
@pytest.mark.parametrize("text", MISTAKEN.values(), ids=MISTAKEN)
def test_no_secret_of_settings_with_a_mistake_is_in_a_bundle(
    text: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    config, own = tmp_path / "jackspot.toml", tmp_path / "board.toml"
    config.write_text(text.format("", *SECRETS[1:]), encoding="utf-8")
    own.write_text(
        '[board]\nnonsense = 1\n[people]\nnames = ["Kunigunde"]\n'
        "[pins]\nlamps = 3\npocket_ne = { gpio = 5, pull = 'sideways' }\n",
        encoding="utf-8",
    )
    file = tmp_path / "bundle.zip"
    result = CliRunner().invoke(
        main,
        ["support-bundle", str(file), "--seconds=0", f"--journal={tmp_path / 'none.sqlite3'}",
         f"--config={config}", f"--board-file={own}", *more],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    inside = members(file)
    for name, data in inside.items():
        found = [each for each in (*SECRETS, "quite secret") if each.encode() in data]
        assert not found, (name, found)
    assert "Not here: settings.toml: " in inside["READ ME.txt"].decode()
    mistaken = tomllib.loads(inside["board.toml"].decode())
    assert mistaken["board"] == {"nonsense": 1}
    assert mistaken["pins"] == {"lamps": 3, "pocket_ne": {"gpio": 5, "pull": "sideways"}}
    assert ("Kunigunde" if more else "K1") in inside["board.toml"].decode()
    assert ("jackspot.toml" in inside) == (text != MISTAKEN["an unreadable file"])


DEEP = "x = " + "[" * 50_000
UNREADABLE = {
    "deep": DEEP,
    "a nesting that a parser takes": "x = " + "[" * 300 + "]" * 300,
    "dots": "a" + ".a" * 30_000 + " = 1",
    "number": f"schema = 0x{'f' * 5_000}",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_what_nobody_wrote_is_left_out_of_a_bundle_by_name(text: str, tmp_path: Path) -> None:
    calibration, config = tmp_path / "measured.toml", tmp_path / "jackspot.toml"
    calibration.write_text(text, encoding="utf-8")
    config.write_text(f"[calibration]\npath = {json.dumps(str(calibration))}\n", encoding="utf-8")
    said = {"began_ns": 0, "started_ns": 0, "from_start": True, "config": text, "journal": [text]}
    head = f"$comment jackspot capture 1\n{json.dumps(said)} $end\n"
    wire = "$scope module jackspot $end $var wire 1 ! pocket_ne $end $enddefinitions $end #0 0!\n"
    (tmp_path / "deep.vcd").write_text(head + wire, encoding="ascii")
    note = bundled(tmp_path, config)
    assert "Not here: measured.toml: it is no TOML" in note
    assert "Not here: deep.vcd: its journal cannot be read" in note


def bundled(folder: Path, config: Path) -> str:
    """Make a bundle of a folder; return what it says about itself."""
    file = folder / "bundle.zip"
    places = (f"--journal={folder / 'journal.sqlite3'}", f"--config={config}")
    result = CliRunner().invoke(main, ["support-bundle", str(file), "--seconds=0", *places])
    assert result.exit_code == 0, result.output
    return members(file)["READ ME.txt"].decode()


def test_a_pipe_in_place_of_a_file_holds_no_bundle(tmp_path: Path) -> None:
    calibration, config = tmp_path / "measured.toml", tmp_path / "jackspot.toml"
    config.write_text(f"[calibration]\npath = {json.dumps(str(calibration))}\n", encoding="utf-8")
    for pipe in (calibration, tmp_path / "pins.vcd"):
        os.mkfifo(pipe)
    note = bundled(tmp_path, config)
    assert f"Not here: {calibration}: expected a file, found a pipe" in note
    assert "Not here: pins.vcd: expected a file, found a pipe" in note


def test_what_is_no_toml_hides_names_as_any_text() -> None:
    hiding = Hiding(["Anna Berg"], [])
    assert hiding.toml('names = ["\\q Anna"]\n') == 'names = ["\\q A1"]\n'


def test_a_bundle_never_goes_over_a_file(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    file.write_text("mine", encoding="utf-8")
    result = played.bundle(file)
    assert result.exit_code == 1
    assert "is there already" in result.stderr
    assert file.read_text(encoding="utf-8") == "mine"


# How names are replaced.


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("Anna", "annas-pi: Anna's turn, ANNA", "A1s-pi: A1's turn, A1"),
        ("Wu", "Wu wuchs, said wu", "A1 wuchs, said A1".replace("A1", "W1")),
        ("Anna Berg", "Berg, Anna; Bergen", "A1, A1; A1en"),
        ("ひこ", "ひこさん", "P1さん"),
        ("林", "林さん, 小林", "P1さん, 小P1"),
        ("林 太郎", "太郎さん, 林杯", "P1さん, P1杯"),
        ("Jürgen", "Ju\u0308rgen's, J\\u00fcrgen", "J1's, J1"),
        ("Ju\u0308rgen", "Jürgen's, Ju\\u0308rgen", "J1's, J1"),
        ("Ö", "Österreich", "Österreich"),
        ("Red", "red shoots; Red", "red shoots; Red"),
        ("Over", "board_over, over", "board_over, O1"),
        ("K", "K shoots", "K shoots"),
        ("a.b", "axb a.b", "axb a1"),
    ],
)
def test_a_name_in_a_text_is_replaced_but_not_a_word_of_the_program(
    name: str, text: str, told: str
) -> None:
    hiding = Hiding([name], {"red", "board_over"})
    assert hiding.text(text) == told


def test_a_name_has_one_label_in_both_forms_of_its_letters() -> None:
    hiding = Hiding(["Jürgen", "Ju\u0308rgen", "林"], [])
    assert hiding.json({"names": ["Jürgen", "Ju\u0308rgen", "林"]}) == {"names": ["J1", "J1", "P2"]}


def test_a_player_who_is_called_as_a_side_is_hidden_where_names_stand() -> None:
    words = own_words()
    assert {"red", "hikone", "board_over", "pocket_ne"} <= words
    hiding = Hiding(["red", "hikone"], words)
    header = 'rules = "hikone"\ncolours = { N = "red" }\n[names]\nN = "red"\nS = "hikone"\n'
    told = hiding.toml(header)
    assert 'rules = "hikone"' in told
    assert 'colours = { N = "red" }' in told
    assert told.endswith('[names]\nN = "r1"\nS = "h2"\n')
    assert hiding.kept_as_words == 2
    assert hiding.json({"names": {"N": "red"}, "side": "red"}) == {
        "names": {"N": "r1"},
        "side": "red",
    }


@pytest.mark.parametrize(
    "name", ['quote " and \\ more', "with 'one'", "tab\tinside", "ünïcödé", "a" * 200, "(.*)"]
)
def test_any_name_that_toml_can_hold_is_hidden_and_leaves_toml(name: str) -> None:
    text = f"[people]\nnames = [{json.dumps(name)}]\n[names]\nN = {json.dumps(name)}\n"
    [found, again] = names_in_toml(text)
    assert found == again == name
    told = Hiding([name], ()).toml(text)
    assert name not in told
    assert list(names_in_toml(told)) == [f"{name[0]}1"] * 2
