"""Shared by the tests of forgetting: matches with names in them, and where a name is left."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from jackspot.commands import main
from jackspot.dialogue.state.entries import EntryKind
from jackspot.storage.entries import Sealed
from tests.history.journals import DAY, Book, StillWall

NAME = "Aiko"


def make_folder(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    return path


def write_matches(path: Path, days: int = 0, *, known: bool = True) -> None:
    """Write two matches, the second one ``days`` later and still on the board."""
    with Book(make_folder(path), StillWall(known=known)) as book:
        book.match(names={"N": "Aiko", "S": "Benno"})
        book.line("N red@NE")
        book.write(EntryKind.MATCH_END, winner=None)
        assert book.keeper.back_up() is not None
        book.shelve()
        book.wall.wall_ns += days * DAY
        book.match(names={"N": "Chika", "S": " aiko"})
        book.line("N -")


def run(path: Path, *arguments: str) -> Result:
    board_file = path.parent / "board.toml"
    given = [f"--journal={path}", f"--config={path.parent / 'none.toml'}"]
    if not board_file.exists():
        board_file.write_text("")
    (path.parent / "none.toml").touch()
    return CliRunner().invoke(main, ["forget", *arguments, *given, f"--board-file={board_file}"])


def holding(folder: Path, name: str = NAME) -> list[str]:
    """Return the files in a folder that contain a name, in upper or lower case."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and name.encode().lower() in path.read_bytes().lower()
    ]


def said(entries: Sealed) -> list[tuple[object, ...]]:
    return [(e.seq, e.boot, e.at_ns, e.wall_ns, e.synchronised, e.kind) for e in entries]


def write_failure(path: Path) -> None:
    """Write a failure whose event and traceback quote names, one of them as a match's player."""
    with Book(make_folder(path)) as book:
        book.match(names={"N": NAME, "S": "Benno"})
        book.write(EntryKind.MATCH_END, winner=None)
        book.write(EntryKind.FAULT, part="oled", trouble="gone", detail=f"{NAME} is unknown")
        book.write(
            EntryKind.FAILED,
            event=f"OrderTold(names={{N: '{NAME}', S: 'Chika'}})", phase="setup",
            trace=f"KeyError: '{NAME}'",
        )  # fmt: skip
        book.shelve()
