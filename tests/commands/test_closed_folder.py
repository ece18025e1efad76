"""Commands by a user who may not enter the board's folder: one line, and no traceback."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS
from jackspot.commands import main, update
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall

NOBODY = 65534
ADVICE = "run this as root or as the board's user"


class Installed:
    """A board whose journal and calibration are in a folder for its own user alone."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self.state.mkdir()
        self.journal = self.state / "journal.sqlite3"
        self.config, self.own = folder / "jackspot.toml", folder / "board.toml"
        self.own.touch()
        self.open = folder / "open"
        self.config.write_text(
            f'[calibration]\npath = "{self.state / "calibration.toml"}"\n[web]\nport = 0\n'
            '[gpio]\nfactory = "mock"\n[oled]\ndriver = "none"\n',
            encoding="utf-8",
        )
        self.open.mkdir()
        self.open.chmod(0o777)
        self.backup = self.open / "board.zip"
        keeper = Keeper(self.journal, KINDS, SystemWall())
        keeper.append([JournalEntry(EntryKind.GONG, 5, {})])
        keeper.close()
        assert self.run("backup", str(self.backup)).exit_code == 0
        self.backup.chmod(0o644)
        assert self.run("restore", str(self.backup), "--dry-run").exit_code == 0

    def run(self, *words: str) -> Result:
        places = (
            f"--journal={self.journal}",
            f"--config={self.config}",
            f"--board-file={self.own}",
        )
        return CliRunner().invoke(main, [*words, *places])

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Act as somebody who may not enter the folder.

        Run the same command before: what it imports may be in a folder that is closed too.
        """
        user = os.geteuid()
        self.state.chmod(0)
        if user == 0:
            os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(user)
            self.state.chmod(0o700)


@pytest.fixture
def board() -> Iterator[Installed]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "board").mkdir()
        yield Installed(folder / "board")


@pytest.mark.parametrize(
    "words",
    [
        ("backup", "{open}/made.zip"),
        ("dump",),
        ("forget", "Aiko", "--yes"),
        ("history",),
        ("learn",),
        ("restore", "{open}/board.zip", "--yes"),
        ("restore", "{open}/board.zip", "--dry-run"),
    ],
    ids=" ".join,
)
def test_a_command_on_a_closed_folder_says_who_may_use_it(
    words: tuple[str, ...], board: Installed
) -> None:
    typed = [each.format(open=board.open) for each in words]
    assert board.run(*typed, "--help").exit_code == 0
    with board.closed():
        result = board.run(*typed)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.endswith(ADVICE)
    assert str(board.state) in line


@pytest.mark.parametrize("words", [("--dry-run", "any.update"), ("--match",)], ids=" ".join)
def test_an_update_says_who_may_read_the_journal(
    words: tuple[str, ...], board: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "_checked", lambda *_, **__: (None, ()))
    monkeypatch.setattr(update, "_steps", lambda *_, **__: [])
    assert board.run("update", *words).exit_code == 0
    with board.closed():
        result = board.run("update", *words)
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stderr) == (1, f"{board.journal}: may not be read; {ADVICE}\n")


def test_the_doctor_says_who_may_read_a_journal_in_a_closed_folder(board: Installed) -> None:
    assert board.run("doctor", "--seconds=0").exit_code == 0
    with board.closed():
        result = board.run("doctor", "--seconds=0")
    assert isinstance(result.exception, SystemExit), result.exception
    assert "no permission" in result.stdout


def test_a_bundle_from_a_closed_folder_says_what_it_could_not_read(board: Installed) -> None:
    file = board.open / "bundle.zip"
    made = board.run("support-bundle", str(board.open / "before.zip"), "--seconds=0")
    assert made.exit_code == 0
    with board.closed():
        result = board.run("support-bundle", str(file), "--seconds=0")
    assert result.exception is None, result.exc_info
    assert f"not in it: journal: {board.journal}: " in result.stderr


def test_nothing_is_written_into_a_closed_folder(board: Installed) -> None:
    file = board.state / "made.zip"
    with board.closed():
        for command in ("backup", "support-bundle"):
            result = board.run(command, str(file))
            assert isinstance(result.exception, SystemExit), result.exception
            assert result.exit_code == 1
