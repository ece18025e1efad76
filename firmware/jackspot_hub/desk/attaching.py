"""Results that belong to no order: of free play by the names on them, else as the desk says.

A board that nobody has called plays what its people like. Where both sides of it are known by name
in a class of free play that is played by the same rules, it counts there. Whatever else comes
without an order, or after the desk has said how that match ended, waits for the organiser.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jackspot.core.match import MatchState
from jackspot.core.pieces import Side
from jackspot.core.record import RecordError, read_record
from jackspot.core.ruling import How
from jackspot.festival.messages import crc32
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    Entries,
    contest_of,
    loose,
    outcome_body,
    sides_of,
)
from jackspot_hub.event.contest import OpenPlay
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import PlayedClass, Programme

REMEMBERED = 64
"""So many records of loose results are not read again."""
BY_NAMES = "names"
"""By whom a result is attached that names those who are entered."""


def outcome_for(state: MatchState, own: Side) -> Outcome | None:
    """Return how a match ended, for this side first; None: it is not over."""
    if not state.over:
        return None
    other = next(side for side in state.settings.sides.values() if side is not own)
    return Outcome(
        None if state.winner is None else 0 if state.winner is own else 1,
        (state.points.get(own, 0), state.points.get(other, 0)),
        (state.boards_won.get(own, 0), state.boards_won.get(other, 0)),
        by_jack=state.result is not None and state.result.how is How.JACK,
    )


def of_free_play(desk: DeskState, board: int, said: Mapping[str, Any], seq: int) -> Entries:
    """Attach a result that came without an order to the free play whose people it names.

    ``seq`` is the number that its entry has in the journal. Nothing where it names nobody, names
    somebody of whom there are two, or is not over.
    """
    try:
        state = read_record(said["record"]).match.state
    except RecordError:
        return ()
    if said["crc32"] != crc32(said["record"]):
        return ()
    for name, played in desk.programme.classes.items():
        found = _named(desk.programme, played, state)
        if found is None or not isinstance(played.contest.format, OpenPlay):
            continue
        sides, own = found
        if (outcome := outcome_for(state, own)) is None:
            continue
        key = _before(desk, board, said) or f"{name}-1-{seq}"
        return (_entry(said["id"], name, key, sides, outcome, BY_NAMES),)
    return ()


@lru_cache(maxsize=REMEMBERED)
def sides_played(record: str) -> list[dict[str, Any]]:
    """Say who sat on which side by a record, and with how many points; nothing where it is none."""
    try:
        state = read_record(record).match.state
    except RecordError:
        return []
    settings = state.settings
    return [
        {"side": side.value, "points": state.points.get(side, 0), "won": side is state.winner,
         "names": [settings.names.get(seat) or seat.value for seat in settings.seats
                   if settings.sides[seat] is side]}
        for side in dict.fromkeys(settings.sides[seat] for seat in settings.seats)
    ]  # fmt: skip


def attach(desk: DeskState, result: str, key: str, first: str, by: str) -> Entries:
    """Say of which match a loose result is; ``first`` is the side of its record that is first."""
    said, sides = loose(desk, result), sides_of(desk, key)
    try:
        state = read_record(said["record"]).match.state
    except RecordError as wrong:
        raise CannotBe(f"{result}: its record is none: {wrong}; say how {key} ended") from wrong
    own = next((side for side in state.settings.sides.values() if side.value == first), None)
    outcome = None if own is None else outcome_for(state, own)
    if outcome is None:
        raise CannotBe(f"{result}: {first!r} has not played it to its end; say how {key} ended")
    return (_entry(result, contest_of(desk, key), key, sides, outcome, by),)


def put_aside(desk: DeskState, result: str, by: str) -> Entries:
    """Say that a loose result is of no match."""
    loose(desk, result)
    body = {
        "result": result, "contest": None, "key": None, "sides": None, "outcome": None, "by": by,
    }  # fmt: skip
    return (DeskEntry(DeskKind.ATTACHED, body),)


def _entry(
    result: str, contest: str, key: str, sides: tuple[int, int], outcome: Outcome, by: str
) -> DeskEntry:
    body = {
        "result": result, "contest": contest, "key": key, "sides": list(sides),
        "outcome": outcome_body(outcome), "by": by,
    }  # fmt: skip
    return DeskEntry(DeskKind.ATTACHED, body)


def _named(
    programme: Programme, played: PlayedClass, state: MatchState
) -> tuple[tuple[int, int], Side] | None:
    """Return the entrants whom a match names, and the side of the first of them."""
    settings = state.settings
    if not played.is_drawn or settings.rules.value != played.header.get("rules"):
        return None
    entrants: dict[frozenset[str], list[int]] = {}
    for entrant in played.people:
        names = frozenset(map(_plain, programme.names(played.contest.name, entrant)))
        entrants.setdefault(names, []).append(entrant)
    sides = list(dict.fromkeys(settings.sides[seat] for seat in settings.seats))
    found = []
    for side in sides:
        seats = [seat for seat in settings.seats if settings.sides[seat] is side]
        known = entrants.get(frozenset(_plain(settings.names.get(seat, "")) for seat in seats), [])
        if len(known) != 1 or len(seats) != played.size:
            return None
        found += known
    one, two = found
    return None if one == two else ((one, two), sides[0])


def _plain(name: str) -> str:
    """Return a name without what people write otherwise: capitals, blanks."""
    return " ".join(name.split()).casefold()


def _before(desk: DeskState, board: int, said: Mapping[str, Any]) -> str | None:
    """Return the match that an earlier revision of a result was attached to."""
    if said["revision"] == 1:
        return None
    same = {
        past.entry.body["message"]["id"] for past in desk.past
        if past.entry.kind is DeskKind.RESULT and past.entry.body["board"] == board
        and past.entry.body["message"]["journal"] == said["journal"]
        and past.entry.body["message"]["match"] == said["match"]
    }  # fmt: skip
    keys = [
        past.entry.body["key"] for past in desk.past
        if past.entry.kind is DeskKind.ATTACHED and past.entry.body["result"] in same
    ]  # fmt: skip
    return keys[-1] if keys else None
