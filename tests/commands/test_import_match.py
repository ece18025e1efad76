"""A match that begins at one board and continues at another."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.commands import main
from jackspot.config import Sources, load
from jackspot.core.record import read_record, write_entry
from jackspot.core.record_codes import codes_of
from jackspot.dialogue.actions.codes import CODE_SIZES
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from jackspot.history.archive import Archive
from jackspot.ops import import_match as importing
from jackspot.storage.journal import read_checked
from tests.history.journals import Book

RECORDS = Path(__file__).parents[1] / "records"
HALF = 'rules = "hikone"\n[names]\nN = "Aiko"\nS = "Ben"\n[options]\ntime_limit_s = 300\n---\n'
STROKES = ("N red@NE t=4.5", "N striker t=9", "! placed", "S green t=30.25")


@pytest.fixture
def spare(tmp_path: Path) -> Path:
    """Return the journal of a board at which another match is being played."""
    path = tmp_path / "spare" / "journal.sqlite3"
    path.parent.mkdir()
    with Book(path) as book:
        book.match(names={"N": "Chika"})
        book.fall("NE")
    return path


def bring(path: Path, text: str, *arguments: str) -> Result:
    record = path.parent / "match.carom"
    record.write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["import", str(record), f"--journal={path}", *arguments])


def dialogue_of(path: Path) -> DialogueState:
    """Restore the dialogue as the board does when it starts."""
    config = load(Sources(()))
    restored = restore(read_checked(path, KINDS), dialogue_settings(config), plan(config), 0)
    assert restored.troubles == ()
    return restored.dialogue


def test_the_board_goes_on_where_the_other_stood(spare: Path) -> None:
    done = bring(spare, HALF + "".join(f"{each}\n" for each in STROKES), "--yes")
    assert done.exit_code == 0, done.output
    assert "suspended" in done.stdout
    dialogue = dialogue_of(spare)
    assert dialogue.phase is Phase.PAUSED
    assert dialogue.glance
    assert dialogue.game is not None
    assert [write_entry(step.entry) for step in dialogue.game.match.steps] == list(STROKES)
    assert dialogue.game.clock.used_ns == 30_250_000_000
    assert dialogue.game.match.settings.names
    assert dialogue.waiting == ()
    assert dialogue.previous is not None


@pytest.mark.parametrize("name", ["icf_best_of_three", "four_seats", "japan_three_games"])
def test_half_of_any_match_goes_on_to_the_same_end(tmp_path: Path, name: str) -> None:
    whole = read_record((RECORDS / f"{name}.carom").read_text(encoding="utf-8"))
    entries = [write_entry(step.entry) for step in whole.match.steps]
    head = (RECORDS / f"{name}.carom").read_text(encoding="utf-8").partition("\n---")[0]
    half = len(entries) // 2
    path = tmp_path / "journal.sqlite3"
    done = bring(path, f"{head}\n---\n" + "\n".join(entries[:half]) + "\n", "--yes")
    assert done.exit_code == 0, done.output
    game = dialogue_of(path).game
    assert game is not None
    match = game.match
    for step in whole.match.steps[half:]:
        match = match.enter(step.entry)
    assert match.state == whole.match.state


def test_undo_reaches_strokes_of_the_other_board(spare: Path) -> None:
    bring(spare, HALF + "N red@NE\nN -\n", "--yes")
    game = dialogue_of(spare).game
    assert game is not None
    assert [len(line.entries) for line in game.lines] == [1, 1]


def test_the_history_has_it_without_times_that_nobody_measured(spare: Path) -> None:
    bring(spare, 'rules = "hikone"\n---\nN red@NE\nN -\n', "--yes")
    match = Archive(spare).matches()[-1]
    assert match["strokes"] == 2
    assert [seat["shooting"]["took_s"] for seat in match["seats"]] == [[], []]


def test_a_dry_run_changes_nothing(spare: Path) -> None:
    before = read_checked(spare, KINDS)
    done = bring(spare, HALF + "N red@NE\n", "--dry-run")
    assert "Nothing was done" in done.stdout
    assert "Aiko and Ben, 1 strokes, board 1, N is next" in " ".join(done.stdout.split())
    assert read_checked(spare, KINDS) == before


def test_what_cannot_go_on_is_refused(spare: Path) -> None:
    before = read_checked(spare, KINDS)
    over = bring(spare, (RECORDS / "whole_match.carom").read_text(encoding="utf-8"), "--yes")
    assert over.exit_code == 1
    assert "the match is over" in over.stderr
    wrong = bring(spare, "rules = 1\n---\n", "--yes")
    assert wrong.exit_code == 1
    assert ":1:9:" in wrong.stderr
    assert read_checked(spare, KINDS) == before


def test_a_damaged_journal_that_is_set_aside_is_named(spare: Path) -> None:
    data = bytearray(spare.read_bytes())
    for place in range(1024, len(data), 3):
        data[place] ^= 1
    spare.write_bytes(data)
    done = bring(spare, HALF + "N red@NE\n", "--yes")
    assert done.exit_code == 0, done.output
    aside = spare.with_name(f"{spare.name}.aside-0001")
    assert aside.read_bytes() == data
    assert f"set aside as {aside}" in done.stderr


def test_what_this_version_does_not_understand_is_told(
    spare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = {kind: check for kind, check in KINDS.items() if kind != EntryKind.FALL}
    monkeypatch.setattr(importing, "KINDS", older)
    done = bring(spare, HALF + "N red@NE\n", "--yes")
    assert done.exit_code == 0, done.output
    assert f"{spare}: 1 entries are not understood by this version" in done.stderr


def test_a_good_journal_is_written_to_without_a_word(spare: Path) -> None:
    assert bring(spare, HALF + "N red@NE\n", "--yes").stderr == ""


def test_a_board_that_runs_is_not_written_behind(spare: Path) -> None:
    with Book(spare):
        refused = bring(spare, HALF + "N red@NE\n", "--yes")
    assert refused.exit_code == 1
    assert "a board is running" in refused.stderr


def test_a_match_exported_from_a_running_board_can_be_brought_to_another(
    spare: Path, tmp_path: Path
) -> None:
    first = tmp_path / "first.sqlite3"
    folder = tmp_path / "stick"
    with Book(first) as book:
        book.match(names={"N": "Aiko", "S": "Ben"})
        book.line("N red@NE")
        book.write(EntryKind.UNDO)
        book.line("N green@NE")
        exported = CliRunner().invoke(
            main, ["history", f"--journal={first}", "export", "1", "--carom", str(folder)]
        )
    assert exported.exit_code == 0, exported.output
    [record] = folder.iterdir()
    assert bring(spare, record.read_text(encoding="utf-8"), "--yes").exit_code == 0
    game = dialogue_of(spare).game
    assert game is not None
    assert [write_entry(step.entry) for step in game.match.steps] == ["N green@NE"]


def scanned(text: str) -> list[str]:
    """Return the lines that a phone reads from a record's codes."""
    return list(codes_of(text, *CODE_SIZES[MenuKind.RECORD_LARGE]))


def test_a_match_comes_over_by_codes_scanned_in_any_order(spare: Path) -> None:
    lines = scanned(HALF + "".join(f"{each}\n" for each in STROKES))
    done = bring(spare, "\n".join(["Scanner 1.2", *reversed(lines), lines[0]]), "--yes")
    assert done.exit_code == 0, done.output
    game = dialogue_of(spare).game
    assert game is not None
    assert [write_entry(step.entry) for step in game.match.steps] == list(STROKES)


def test_codes_that_make_no_record_change_nothing(spare: Path) -> None:
    before = read_checked(spare, KINDS)
    refused = bring(spare, "\n".join(scanned(HALF + "N red@NE\n" + "N -\nS -\n" * 9)[1:]), "--yes")
    assert refused.exit_code == 1
    assert "missing: code 1 of" in refused.stderr
    assert read_checked(spare, KINDS) == before


def test_a_match_comes_over_by_standard_input_once_that_is_agreed_to(spare: Path) -> None:
    lines = "\n".join(scanned(HALF + "N red@NE\n"))
    arguments = ["import", "-", f"--journal={spare}"]
    asked = CliRunner().invoke(main, arguments, input=lines)
    assert asked.exit_code == 1
    assert "add --yes" in asked.stderr
    done = CliRunner().invoke(main, [*arguments, "--yes"], input=lines)
    assert done.exit_code == 0, done.output
    game = dialogue_of(spare).game
    assert game is not None
    assert [write_entry(step.entry) for step in game.match.steps] == ["N red@NE"]
