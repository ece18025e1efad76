"""``jackspot learn`` on the terminal, on the journals of matches that were played."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.calibration.learnt import parse
from jackspot.commands import main
from jackspot.dialogue.proposals.learnt import Learnt
from jackspot.dialogue.state.entries import EntryKind
from jackspot.readings.usual import Aim
from tests.history.journals import Book

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """Return the config of a board whose journal has two matches, with one line taken back."""
    journal = tmp_path / "journal.sqlite3"
    with Book(journal) as book:
        book.play((RECORDS / "whole_match.carom").read_text(encoding="utf-8"))
        book.shelve()
        book.match(names={"N": "Chika", "S": "aiko"})
        fall = book.fall("NE")
        book.line("N striker@NE", falls=(fall,))
        book.write(EntryKind.UNDO)
        book.line("N red@NE", falls=(fall,))
    config = tmp_path / "jackspot.toml"
    config.write_text(
        f'[journal]\npath = "{journal}"\n[learnt]\nuse = true\npath = "{tmp_path}/learnt.toml"\n'
    )
    return config


def learn(config: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["learn", f"--config={config}", *arguments])


def test_confirmed_strokes_are_counted_and_written_without_names(board: Path) -> None:
    shown = learn(board)
    assert shown.exit_code == 0, shown.output
    text = (board.parent / "learnt.toml").read_text(encoding="utf-8")
    found = parse(text)
    assert found.matches == 2
    assert f"2 matches, {found.strokes} strokes" in shown.stdout
    assert "Chika" not in text
    assert "aiko" not in text
    alone = parse_of(board, "--matches", "1")
    assert (alone.matches, alone.strokes) == (1, 1)
    assert alone.seen[Aim.PIECES, (1, 0, 0, 0)] == 1
    assert not alone.seen[Aim.PIECES, (0, 0, 1, 0)], "it was taken back"


def parse_of(config: Path, *arguments: str) -> Learnt:
    target = config.parent / "other.toml"
    assert learn(config, f"--out={target}", *arguments).exit_code == 0
    return parse(target.read_text(encoding="utf-8"))


def test_a_dry_run_writes_nothing(board: Path) -> None:
    shown = learn(board, "--dry-run")
    assert shown.exit_code == 0
    assert "own" in shown.stdout
    assert not (board.parent / "learnt.toml").exists()


def test_it_says_that_the_board_does_not_use_it(board: Path) -> None:
    board.write_text(board.read_text().replace("use = true", "use = false"))
    assert "not used yet" in learn(board).stdout


def test_without_a_journal_or_a_stroke_it_says_what_to_do(board: Path, tmp_path: Path) -> None:
    missing = learn(board, f"--journal={tmp_path / 'none.sqlite3'}")
    assert missing.exit_code == 1
    assert "name one with --journal" in missing.output
    empty = tmp_path / "empty" / "journal.sqlite3"
    empty.parent.mkdir()
    with Book(empty) as book:
        book.match(names={})
    none = learn(board, f"--journal={empty}")
    assert none.exit_code == 1
    assert "play a match first" in none.output
