"""Journals written entry by entry, as a board writes them, without playing at a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jackspot.assembly import KINDS
from jackspot.core.entry_text import Rewind, write_entry
from jackspot.core.header import write_header
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage.keeper import Keeper

SECOND = 1_000_000_000
NOON = 1_777_723_200 * SECOND
"""2 May 2026, 12:00 UTC."""
DAY = 86_400 * SECOND


@dataclass
class StillWall:
    """A wall clock that runs with the board's own; ``known`` says that it is right."""

    wall_ns: int = NOON
    known: bool = True
    name: str = "boot-1"

    def now_ns(self) -> int:
        return self.wall_ns

    def synchronised(self) -> bool:
        return self.known

    def boot(self) -> str:
        return self.name


@dataclass
class Book:
    """A journal written as if a match were played, each entry a second after the last."""

    path: Path
    wall: StillWall = field(default_factory=StillWall)
    at_ns: int = 0
    falls: int = 0

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.path, KINDS, self.wall)

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.keeper.close() == 0

    def write(self, kind: EntryKind, after_s: float = 1.0, **body: Any) -> None:
        self.at_ns += round(after_s * SECOND)
        self.wall.wall_ns += round(after_s * SECOND)
        self.keeper.append([JournalEntry(kind, self.at_ns, body)])

    def match(
        self, rules: str = "hikone", names: dict[str, str] | None = None, event: str = ""
    ) -> None:
        """Start a match of N and S with these names."""
        listed = "\n".join(f'{seat} = "{name}"' for seat, name in (names or {}).items())
        given = read_record(
            f'rules = "{rules}"\nevent = "{event}"\n[names]\n{listed}\n---\n'
        ).settings
        self.write(EntryKind.MATCH, header=f"{write_header(given)}---\n")
        self.dialogue(names or {})

    def dialogue(self, names: dict[str, str]) -> None:
        """Write an entry of what is open, with the names of set-up in it."""
        self.write(
            EntryKind.DESK, 0, phase="ready", used_ns=0, plan={"rules": "hikone", "names": names}
        )

    def fall(self, pocket: str) -> int:
        self.falls += 1
        pulse = [self.at_ns, self.at_ns + 9_000_000]
        self.write(EntryKind.FALL, number=self.falls, pocket=pocket, pulses=[pulse])
        return self.falls

    def line(self, *entries: str, falls: tuple[int, ...] = (), **more: Any) -> None:
        self.write(
            EntryKind.LINE, entries=list(entries), falls=list(falls), rows=[], probability=None,
            by="referee_ok", **more,
        )  # fmt: skip

    def play(self, record: str) -> None:
        """Write a whole match from its record, one line for each entry."""
        read = read_record(record)
        self.write(EntryKind.MATCH, header=f"{write_header(read.settings)}---\n")
        for line in read.lines:
            if isinstance(line.said, Rewind):
                self.write(EntryKind.UNDO if line.said is Rewind.UNDO else EntryKind.REDO)
            else:
                self.line(write_entry(line.said))
        if read.match.state.over:
            self.write(EntryKind.MATCH_END, winner=None)

    def shelve(self) -> None:
        self.write(EntryKind.SHELVE, why="new match")
