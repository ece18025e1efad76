"""Who was called to a board and has not come, and what the event's rule says about it.

A call is an order, at the instant at which it was given, or at which its board received it; the
announcer calls once more two minutes later. After the further time that the event's file sets, the
desk offers the match to those who are here. A board knows that somebody has sat down, but not who,
so check-in says which side is here; if it does not name exactly one side, the desk asks. Boards
that are away or that others sit at are left out: people may be playing there. A hub that was
restarted, or whose clock was set, counts earlier calls from then.
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
from jackspot_hub.desk.unbegun import is_over_unplayed
from jackspot_hub.event.fixtures import members

LATE_MS = 180_000
"""Time after a call at which the desk is told that nobody has come."""
AGAIN_MS = 120_000
"""Time after a call at which there is a second one."""
BY_RULE = "rule"
"""Who awarded a match to those who are here, when the event's file decided it."""


class LateMatch(Struct, frozen=True):
    """A match to which not all have come, called at ``since_ms``.

    The desk is told from ``late_ms`` on, and offers the match from ``rule_ms`` on; None: never.
    ``here`` are those of its sides, 0 and 1, that have completely checked in.
    """

    order: GivenOrder
    late_ms: int | None
    rule_ms: int | None
    here: tuple[int, ...]


def late_matches(desk: DeskState) -> Iterable[LateMatch]:
    """Yield the matches that were called and have not begun."""
    rule = desk.programme.no_show
    for board, number in desk.open_orders.items():
        order, seen = desk.orders[number], desk.seen.get(board, SeenBoard())
        heard = seen.state if seen.order == number else None
        if not seen.there or heard not in (None, OrderState.OFFERED, OrderState.SEATED):
            continue
        called_ms = order.at_ms if number > desk.started_order else desk.started_ms
        late_ms = None if heard is OrderState.SEATED else called_ms + LATE_MS
        rule_ms = None
        if rule is not None and heard is not None:
            offered_ms = seen.since_ms if heard is OrderState.OFFERED else called_ms
            rule_ms = max(called_ms, offered_ms) + AGAIN_MS + rule.after_ms
        if late_ms is not None or rule_ms is not None:
            yield LateMatch(order, late_ms, rule_ms, _here(desk, order))


def _here(desk: DeskState, order: GivenOrder) -> tuple[int, ...]:
    played = desk.programme.classes[order.contest]
    return tuple(
        at for at, side in enumerate(order.sides) if desk.arrived.issuperset(played.on(side))
    )


def won_by_rule(desk: DeskState, now_ms: int) -> Entries:
    """Award matches to the one side that is here, if the event's file says so.

    Once for each match: a person who takes that back has the last word, however often its people
    are called again.
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
        (past.entry.body["key"], frozenset(past.entry.body["sides"])) for past in desk.past
        if past.entry.kind is DeskKind.CORRECTED and "order" in past.entry.body
    }  # fmt: skip
    return tuple(
        DeskEntry(entry.kind, {**entry.body, "order": each.order.number})
        for each in due
        if (each.order.key, frozenset(each.order.sides)) not in decided
        and not is_over_unplayed(desk, each.order)
        for entry in forfeit(desk, each.order.key, _gone(each), BY_RULE)
    )  # fmt: skip


def _gone(each: LateMatch) -> int:
    """Return an entrant of the side that is not here."""
    return members(each.order.sides[1 - each.here[0]])[0]
