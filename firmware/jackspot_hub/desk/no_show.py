"""Who was called to a board and has not come, and what the event's rule makes of that.

A call is an order, at the instant at which it was given, or at which its board has heard of it;
the announcer calls once more two minutes later. So long after that as the event's file says, the
desk offers the match to those who are here. A board knows that somebody has sat down, not who, so
check-in says which side is here; where it does not name one side alone the desk asks. Of a board
that is away, and of one that others sit at, nothing is said here: people may be playing there.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from jackspot.dialogue.state.view import OrderState
from jackspot_hub.desk.revising import forfeit
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    Entries,
    GivenOrder,
    SeenBoard,
)
from jackspot_hub.event.fixtures import members

LATE_MS = 180_000
"""So long after a call the desk is told that nobody has come."""
AGAIN_MS = 120_000
"""So long after a call there is a second one."""
BY_RULE = "rule"
"""Who has let a match be won by those who are here, where the event's file says so."""


class LateMatch(Struct, frozen=True):
    """A match to which not all have come, called at ``since_ms``.

    The desk is told from ``late_ms`` on, and offers the match from ``rule_ms`` on; None: never.
    ``here`` are its sides, 0 and 1, of which everybody has checked in.
    """

    order: GivenOrder
    late_ms: int | None
    rule_ms: int | None
    here: tuple[int, ...]


def late_matches(desk: DeskState) -> Iterable[LateMatch]:
    """Yield the matches to which people were called who have not begun."""
    rule = desk.programme.no_show
    for board, number in desk.open_orders.items():
        order, seen = desk.orders[number], desk.seen.get(board, SeenBoard())
        heard = seen.state if seen.order == number else None
        if not seen.there or heard not in (None, OrderState.OFFERED, OrderState.SEATED):
            continue
        late_ms = None if heard is OrderState.SEATED else order.at_ms + LATE_MS
        rule_ms = None
        if rule is not None and heard is not None:
            offered = heard is OrderState.OFFERED
            called_ms = max(order.at_ms, seen.since_ms) if offered else order.at_ms
            rule_ms = called_ms + AGAIN_MS + rule.after_ms
        if late_ms is not None or rule_ms is not None:
            yield LateMatch(order, late_ms, rule_ms, _here(desk, order))


def _here(desk: DeskState, order: GivenOrder) -> tuple[int, ...]:
    played = desk.programme.classes[order.contest]
    return tuple(
        at for at, side in enumerate(order.sides) if desk.arrived.issuperset(played.on(side))
    )


def won_by_rule(desk: DeskState, now_ms: int) -> Entries:
    """Let matches be won by the one side that is here, where the event's file decides so.

    Of each call once: whoever takes that back has the last word.
    """
    rule = desk.programme.no_show
    if rule is None or not rule.decides:
        return ()
    due = [
        each for each in late_matches(desk)
        if each.rule_ms is not None and now_ms >= each.rule_ms and len(each.here) == 1
    ]  # fmt: skip
    if not due:
        return ()
    decided = {
        past.entry.body.get("order") for past in desk.past
        if past.entry.kind is DeskKind.CORRECTED
    }  # fmt: skip
    return tuple(
        DeskEntry(entry.kind, {**entry.body, "order": each.order.number})
        for each in due if each.order.number not in decided
        for entry in forfeit(desk, each.order.key, _gone(each), BY_RULE)
    )  # fmt: skip


def _gone(each: LateMatch) -> int:
    """Return an entrant of the side that is not here."""
    return members(each.order.sides[1 - each.here[0]])[0]
