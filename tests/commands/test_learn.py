"""``jackspot learn`` on the terminal, on the journals of matches that were played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jackspot.calibration.learning import learn as count
from jackspot.calibration.learnt import parse
from jackspot.commands import main
from jackspot.config.load import Sources, load
from jackspot.core.record import read_record
from jackspot.dialogue.proposals.learnt import Learnt
from jackspot.dialogue.state.entries import EntryKind
from jackspot.ops.import_match import bring_in
from jackspot.readings.usual import Aim
from tests.history.journals import Book, StillWall

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


MISS: dict[str, Any] = {"entries": ["N -"], "falls": [], "rows": []}


@pytest.mark.parametrize(
    ("line", "agreed", "counts"),
    [
        (MISS | {"by": "referee_ok", "probability": None}, False, True),
        (MISS | {"by": "referee_ok", "probability": 0.9}, False, True),
        (MISS | {"probability": 0.9}, False, True),
        (MISS | {"by": None, "probability": 0.9}, False, False),
        (MISS | {"by": None, "probability": 0.9}, True, True),
        (MISS | {"by": None, "probability": None}, False, False),
        (
            MISS | {"entries": ["N red@NE"], "falls": [1], "by": None, "probability": 0.9},
            False,
            False,
        ),
        (
            MISS | {"entries": ["N red@NE"], "falls": [1], "by": None, "probability": 0.9},
            True,
            True,
        ),
        (
            MISS | {"entries": ["N red@NE"], "falls": [1], "by": None, "probability": None},
            False,
            True,
        ),
    ],
)
def test_only_strokes_that_people_confirmed_here_are_counted(
    line: dict[str, Any], agreed: bool, counts: bool, tmp_path: Path
) -> None:
    """Not those that entered themselves, nor those of another board; but all are played."""
    journal = tmp_path / "journal.sqlite3"
    with Book(journal) as book:
        book.match()
        book.fall("NE")
        book.write(EntryKind.LINE, **line)
        if agreed:
            book.write(EntryKind.UNDO)
            book.write(EntryKind.REDO)
            book.write(EntryKind.AGREED, wire="referee_ok")
        book.line("N striker@NE" if line["falls"] else "S striker@NE")
    found = count(journal, 9)
    assert (found.matches, found.strokes) == (1, 1 + counts)
    assert found.seen[Aim.PIECES, (0, 0, 1, 0)] == 1
    assert sum(found.seen.values()) == 1 + (counts and bool(line["falls"]))


def test_a_line_that_was_kept_is_confirmed_unless_its_match_came_from_another_board(
    tmp_path: Path,
) -> None:
    alone = MISS | {"by": None, "probability": 0.9}
    journal = tmp_path / "journal.sqlite3"
    with Book(journal) as book:
        book.match()
        book.line("N -")
        book.write(EntryKind.LINE, **alone | {"entries": ["S -"]})
        book.write(EntryKind.UNDO)
        book.write(EntryKind.UNDO)
        book.line("N red@NE")
        book.write(EntryKind.LINE, **alone, kept=True)
        book.shelve()
        book.match()
        book.line("N -", kept=True)
        book.line("S -", kept=True)
        book.line("N -")
    assert count(journal, 9).strokes == 2 + 1


def test_a_match_that_is_imported_is_played_but_not_counted(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    record = read_record('rules = "hikone"\n---\nN red@NE\nN -\nS -\n')
    bring_in(journal, record, load(Sources(())), StillWall(), 1)
    assert count(journal, 9).strokes == 0


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
