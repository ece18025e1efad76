"""The history as the board's pages show it: full names, or initials where others may look.

The pages' server calls it from its own threads. One query is answered at a time, and long reads
give way to the game again and again.
"""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jackspot.core.figures import same_name
from jackspot.core.header import read_header, write_header
from jackspot.history.archive import Archive, Wanted, day_of, figures
from jackspot.history.export import CsvTable, as_csv, as_json, file_name
from jackspot.history.index import NoSuchMatch
from jackspot.history.slip import slip, slip_json
from jackspot.history.summary import Json
from jackspot.storage.errors import JournalError
from jackspot.values import changed

GIVE_WAY_S = 0.002
"""How long reading pauses now and then, so that the game's thread never waits for it."""

LISTED = (
    "number", "rules", "event", "round", "place", "began", "over", "put_aside", "winner", "points",
    "boards_won", "games_won", "boards", "running", "strokes", "corrections", "lasted_s",
    "unreadable",
)  # fmt: skip
"""What the list has of each match besides its seats."""


class PageHistory:
    """Answer the pages' queries about one journal. ``initials`` replaces names with letters."""

    def __init__(self, journal: Path, board: str, *, initials: bool) -> None:
        self._archive = Archive(journal, pause=lambda: time.sleep(GIVE_WAY_S))
        self._board = board
        self._initials = initials
        self._lock = threading.Lock()

    def listed(self, player: str, since: str, until: str) -> Json:
        """Return the requested matches, newest first, and the figures of all of them.

        Days are written 2026-05-02; an empty day sets no limit. Raises ValueError for an invalid
        day, OSError if the journal cannot be read.
        """
        days = [datetime.date.fromisoformat(day) if day else None for day in (since, until)]
        with self._lock, _as_os_error():
            everything = self._archive.matches()
        labels = self._labels(everything)
        names = {label: name for name, label in labels.items()}
        wanted = Wanted(names.get(player, player), *days)
        known = not player or player in names or not self._initials
        chosen = [match for match in everything if known and wanted.takes(match)]
        told = figures(chosen, wanted.player)
        for each in told["players"]:
            each["name"] = labels.get(same_name(each["name"]), each["name"])
            each["person"] = same_name(each["name"])
        shown = sorted(set(labels.values())) if self._initials else _names(everything)
        return {
            "board": self._board,
            "initials": self._initials,
            "names": shown,
            "total": len(everything),
            "matches": [_in_list(_labelled(match, labels)) for match in reversed(chosen)],
            **told,
        }

    def one(self, number: int) -> Json | None:
        """Return one match with its lines and its score card; None if there is none."""
        with self._lock, _as_os_error():
            try:
                match = self._archive.match(number)
            except NoSuchMatch:
                return None
            labels = self._labels(self._archive.matches()) if self._initials else {}
        shown = _labelled(match, labels)
        day = day_of(match).isoformat()
        return shown | {"board": self._board, "slip": slip_json(slip(shown)), "day": day}

    def file(self, number: int, kind: str) -> tuple[str, str, str] | None:
        """Return a match as a file to download: its name, type and text; None if there is none."""
        match = self.one(number)
        if match is None:
            return None
        name = file_name(match).removesuffix(".carom")
        if kind == "carom":
            return f"{name}.carom", "text/plain; charset=utf-8", match["record"]
        if kind == "csv":
            return f"{name}.csv", "text/csv; charset=utf-8", as_csv(CsvTable.STROKES, [match])
        plain = {key: value for key, value in match.items() if key not in ("board", "slip", "day")}
        return f"{name}.json", "application/json", as_json(self._board, [plain])

    def _labels(self, matches: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        """Return the label for each name: its first letter, numbered by who came first."""
        if not self._initials:
            return {}
        labels: dict[str, str] = {}
        letters: dict[str, int] = {}
        for name in _names(matches, in_order=True):
            letter = name[0].upper()
            letters[letter] = letters.get(letter, 0) + 1
            labels[same_name(name)] = f"{letter}{letters[letter]}"
        return labels


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Turn a JournalError into an error that the pages' server knows."""
    try:
        yield
    except JournalError as error:
        raise OSError(f"the history cannot be read: {error}") from error


def _names(matches: Iterable[Mapping[str, Any]], *, in_order: bool = False) -> list[str]:
    """Return all players' names, each once; sorted, or in the order in which they first played."""
    found: dict[str, str] = {}
    for match in matches:
        for seat in match.get("seats", ()):
            if key := same_name(seat["name"]):
                found.setdefault(key, seat["name"].strip())
    return list(found.values()) if in_order else sorted(found.values(), key=same_name)


def _in_list(match: Mapping[str, Any]) -> Json:
    seats = [
        {key: seat[key] for key in ("seat", "name", "side")} | {"person": same_name(seat["name"])}
        for seat in match.get("seats", ())
    ]
    return {key: match[key] for key in LISTED if key in match} | {"seats": seats}


def _labelled(match: Mapping[str, Any], labels: Mapping[str, str]) -> Json:
    """Return a match with labels in place of names."""
    if not labels or "unreadable" in match:
        return dict(match)
    seats = [{**seat, "name": labels.get(same_name(seat["name"]), "")} for seat in match["seats"]]
    shown = {**match, "seats": seats}
    if "record" in match:
        shown["record"] = _labelled_record(match["record"], labels)
    return shown


def _labelled_record(record: str, labels: Mapping[str, str]) -> str:
    head, line, rest = record.partition("\n---")
    settings, _, _ = read_header(head + "\n", bounded=False)
    assert settings is not None, "it was written by this program"
    names = {seat: labels.get(same_name(name), "") for seat, name in settings.names.items()}
    shown = changed(settings, names=MappingProxyType({s: n for s, n in names.items() if n}))
    return write_header(shown).rstrip("\n") + line + rest
