"""The desk's state: the fold of its journal, and what boards have said since it runs.

Everything that counts is an entry of the journal. What boards say of themselves is not kept: they
say it anew at every connect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, cast

from jackspot.core.values import IdentityKey
from jackspot.dialogue.state.view import OrderState
from jackspot_hub.event.contest import Contest, DrawnContest, draw
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.programme import Programme


class DeskKind(StrEnum):
    """The kinds of entries in the desk's journal."""

    ORDERED = "ordered"
    """A match was given to a board: ``order``, ``board``, ``contest``, ``key``, ``sides``,
    ``header``; and, where it goes on there, ``resume`` and ``from``."""
    RESULT = "result"
    """A board's result came: ``board``, ``message`` as it came, ``outcome`` as it scores here,
    null where it belongs to no order, and how the board ``differs``."""
    CORRECTED = "corrected"
    """Somebody said how a match ended: ``contest``, ``key``, ``sides``, ``outcome``, ``by``;
    ``outcome`` null: it is to be played again."""


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """A match that was given to a board; ``resume`` is the record with which it goes on there."""

    number: int
    board: int
    contest: str
    key: str
    sides: tuple[int, int]
    header: str
    resume: str | None = None
    moved_from: int | None = None
    at_ms: int = 0
    """When it was given."""


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """What a board has said since the desk runs."""

    there: bool = False
    order: int | None = None
    state: OrderState | None = None
    record: str = ""
    since_ms: int = 0
    """Since when its order is in this state."""
    gone_ms: int = 0
    """Since when it is not there; 0: it is, or never was."""
    score: Mapping[str, Any] | None = None
    """Its small score, which came at ``score_ms``."""
    score_ms: int = 0
    calls_ms: int | None = None
    """Since when its people ask the desk to come; None: they do not."""
    pages: tuple[str, ...] = ()
    """Addresses of its own pages."""


Results = Mapping[str, PlayedMatch]


@dataclass(frozen=True, slots=True)
class DeskState:
    """The desk."""

    programme: Programme
    orders: Mapping[int, GivenOrder] = field(default_factory=lambda: MappingProxyType({}))
    open_orders: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of the order that each board is to play; none where it is to play nothing."""
    results: Mapping[str, Results] = field(default_factory=lambda: MappingProxyType({}))
    """By contest, what was called and played."""
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The record of each match that was played at a board, by the key of its fixture."""
    unattached: tuple[Mapping[str, Any], ...] = ()
    """Results that belong to no order; an organiser says where they do."""
    on_disk: Mapping[int, Mapping[str, int]] = field(default_factory=lambda: MappingProxyType({}))
    """By board, of each of its journals the newest result that is on the disk."""
    ended_ms: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """When each person's last match ended."""
    latest: tuple[str, ...] = ()
    """The matches whose results came last, the newest first."""
    seen: Mapping[int, SeenBoard] = field(default_factory=lambda: MappingProxyType({}))

    def drawn(self, contest: str) -> DrawnContest:
        """Draw a contest as far as results reach."""
        whole = self.programme.classes[contest].contest
        return _drawn(IdentityKey((whole, self.results.get(contest, NOTHING))))

    def newest(self, key: str) -> GivenOrder:
        """Return the order that counts of a match that was given to boards more than once."""
        return max((each for each in self.orders.values() if each.key == key),
                   key=lambda each: each.number)  # fmt: skip

    def order_of(self, board: int) -> GivenOrder | None:
        """Return what a board is to play now."""
        number = self.open_orders.get(board)
        return None if number is None else self.orders[number]


LATEST = 8
NOTHING: Results = MappingProxyType({})
REMEMBERED = 16
"""So many contests are not drawn anew while nothing comes of them."""


@lru_cache(maxsize=REMEMBERED)
def _drawn(key: IdentityKey) -> DrawnContest:
    contest, results = key.parts
    assert isinstance(contest, Contest)
    return draw(contest, cast(Results, results))


def fold(desk: DeskState, kind: str, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    """Take an entry of the journal."""
    return _FOLDS[DeskKind(kind)](desk, body, wall_ms)


def _ordered(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    one, two = body["sides"]
    order = GivenOrder(
        body["order"], body["board"], body["contest"], body["key"], (one, two), body["header"],
        body.get("resume"), body.get("from"), wall_ms,
    )  # fmt: skip
    still = {at: number for at, number in desk.open_orders.items() if at != body.get("from")}
    played = PlayedMatch(order.sides)
    return replace(
        _with_match(desk, order.contest, order.key, played),
        orders={**desk.orders, order.number: order},
        open_orders={**still, order.board: order.number},
    )


def _result(desk: DeskState, body: Mapping[str, Any], wall_ms: int) -> DeskState:
    board, said = body["board"], body["message"]
    journals = {**desk.on_disk.get(board, {}), said["journal"]: said["seq"]}
    desk = replace(desk, on_disk={**desk.on_disk, board: journals})
    order = desk.orders.get(said["order"]) if said["order"] is not None else None
    if order is None or body["outcome"] is None:
        return replace(desk, unattached=(*desk.unattached, said))
    played = PlayedMatch(order.sides, outcome_of(body["outcome"]))
    people = [
        each for entrant in order.sides
        for each in desk.programme.classes[order.contest].names[entrant]
    ]  # fmt: skip
    still = {at: number for at, number in desk.open_orders.items() if number != order.number}
    return replace(
        _with_match(desk, order.contest, order.key, played),
        open_orders=still,
        records={**desk.records, order.key: said["record"]},
        latest=(order.key, *(key for key in desk.latest if key != order.key))[:LATEST],
        ended_ms={**desk.ended_ms, **dict.fromkeys(people, wall_ms)},
    )


def _corrected(desk: DeskState, body: Mapping[str, Any], _wall_ms: int) -> DeskState:
    contest, key = body["contest"], body["key"]
    still = {
        at: number for at, number in desk.open_orders.items() if desk.orders[number].key != key
    }
    desk = replace(desk, open_orders=still)
    if body["outcome"] is None:
        known = {at: each for at, each in desk.results.get(contest, {}).items() if at != key}
        return replace(desk, results={**desk.results, contest: known})
    one, two = body["sides"]
    return _with_match(desk, contest, key, PlayedMatch((one, two), outcome_of(body["outcome"])))


def _with_match(desk: DeskState, contest: str, key: str, played: PlayedMatch) -> DeskState:
    known = desk.results.get(contest, {})
    return replace(desk, results={**desk.results, contest: {**known, key: played}})


def outcome_of(body: Mapping[str, Any]) -> Outcome:
    """Read how a match ended."""
    (one, two), (first, second) = body["points"], body["boards"]
    return Outcome(body["winner"], (one, two), (first, second), body["by_jack"], body["forfeit"])


def outcome_body(outcome: Outcome) -> dict[str, Any]:
    """Write how a match ended."""
    return {
        "winner": outcome.winner,
        "points": list(outcome.points),
        "boards": list(outcome.boards),
        "by_jack": outcome.by_jack,
        "forfeit": outcome.forfeit,
    }


_FOLDS: Mapping[DeskKind, Callable[[DeskState, Mapping[str, Any], int], DeskState]] = {
    DeskKind.ORDERED: _ordered,
    DeskKind.RESULT: _result,
    DeskKind.CORRECTED: _corrected,
}
