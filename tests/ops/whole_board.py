"""Shared by the tests of backup and restore: a board's files, and the commands on them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from jackspot.assembly import KINDS
from jackspot.commands import main
from jackspot.dialogue.state.entries import EntryKind
from jackspot.storage.journal import read_checked

NOBODY = 65534
RECORD = Path(__file__).parents[1] / "records" / "debts_and_jack.carom"


class Here:
    """A board's files in a folder, and the commands on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "state" / "journal.sqlite3"
        self.shared, self.own = folder / "jackspot.toml", folder / "state" / "board.toml"
        self.calibration = folder / "state" / "calibration.toml"
        self.journal.parent.mkdir(parents=True)

    def set_up(self, name: str) -> None:
        """Give it settings."""
        path = json.dumps(str(self.calibration))
        self.shared.write_text(f"[calibration]\npath = {path}\n", encoding="utf-8")
        self.own.write_text(f'[board]\nname = "{name}"\n', encoding="utf-8")

    def run(self, command: str, *arguments: str | Path) -> Result:
        """Run a command on this board."""
        places = (
            f"--journal={self.journal}",
            f"--config={self.shared}",
            f"--board-file={self.own}",
        )
        return CliRunner().invoke(main, [command, *map(str, arguments), *places])

    def dump(self) -> list[str]:
        return [entry.canonical() for entry in read_checked(self.journal, KINDS)]

    def put_back(self) -> list[str]:
        """Return the journal's entries before the one that says it was restored."""
        *before, last = read_checked(self.journal, KINDS)
        assert (last.kind, last.body) == (EntryKind.RESTORED, {})
        return [entry.canonical() for entry in before]

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in sorted(files)}


def backed_up(board: Here) -> Path:
    file = board.folder / "board.zip"
    result = board.run("backup", file)
    assert result.exit_code == 0, result.output
    return file
