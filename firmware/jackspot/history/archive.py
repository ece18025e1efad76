"""Query a board's history: the list, one match, figures; by player and by date."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.core.figures import by_player, by_pocket, same_name
from jackspot.history.chronicle import Chronicle, NoMatch, chronicle
from jackspot.history.index import History, NoSuchMatch
from jackspot.history.summary import (
    Json,
    details,
    figures_of,
    player_json,
    pockets_json,
    summarise,
    summary,
)


class Wanted(Struct, frozen=True):
    """Which matches: one player's (in any spelling of the name), from a day to a day, inclusive.

    Days are local, by the noted wall clock; a match that began while the time was unknown counts by
    what the clock said.
    """

    player: str = ""
    since: datetime.date | None = None
    until: datetime.date | None = None

    def takes(self, match: Mapping[str, Any]) -> bool:
        """Return whether a match is wanted; an unreadable one is, if there is no restriction."""
        if self == Wanted():
            return True
        if "unreadable" in match:
            return False
        day = day_of(match)
        names = {same_name(seat["name"]) for seat in match["seats"]}
        return (
            (not self.player or same_name(self.player) in names)
            and (self.since is None or day >= self.since)
            and (self.until is None or day <= self.until)
        )


def moment(wall_ns: int) -> datetime.datetime:
    """Return a noted wall clock time as local time."""
    return datetime.datetime.fromtimestamp(wall_ns / 1e9, datetime.UTC).astimezone()


def day_of(match: Mapping[str, Any]) -> datetime.date:
    """Return the day a match began; the one in its settings, if they have one."""
    if match["date"]:
        return datetime.date.fromisoformat(match["date"])
    return moment(match["began"]["wall_ns"]).date()


class Archive:
    """The matches of one journal. Raises JournalError if it cannot be read."""

    def __init__(self, journal: Path, pause: Callable[[], None] = lambda: None) -> None:
        self.journal = journal
        self._history = History(journal, summarise, pause=pause)

    def matches(self, wanted: Wanted | None = None) -> list[Mapping[str, Any]]:
        """Return the summaries of the matches that are wanted, oldest first."""
        if not self.journal.exists():
            return []
        wanted = wanted or Wanted()
        return [each for each in self._history.summaries() if wanted.takes(each)]

    def chronicle(self, number: int) -> Chronicle:
        """Return the chronicle of one match. Raises NoSuchMatch."""
        if not self.journal.exists():
            raise NoSuchMatch(f"there is no match {number}")
        try:
            return chronicle(self._history.entries(number))
        except NoMatch as wrong:
            raise NoSuchMatch(f"match {number}: {wrong}") from wrong

    def match(self, number: int) -> Json:
        """Return one match with every line of it. Raises NoSuchMatch."""
        told = self.chronicle(number)
        return {"number": number, **summary(told), **details(told)}


def figures(matches: Iterable[Mapping[str, Any]], player: str = "") -> Json:
    """Sum matches up, by player and by pocket; of players only ``player`` if one is named."""
    seats, pockets = figures_of(matches)
    players = [
        player_json(each)
        for each in by_player(seats)
        if not player or same_name(each.name) == same_name(player)
    ]
    return {"players": players, "pockets": pockets_json(by_pocket(pockets))}
