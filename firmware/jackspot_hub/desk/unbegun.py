"""Called matches that nobody has begun, and to which the results now lead others. Pure.

After a correction they are called anew with the right people: nothing was played that could count.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.dialogue.state.view import OrderState
from jackspot_hub.desk.state import DeskState, GivenOrder, SeenBoard


class WronglyCalled(Struct, frozen=True):
    """A match at a board, and who is to meet in it; None: not settled, or no such match."""

    order: GivenOrder
    sides: tuple[int, int] | None


def wrongly_called(desk: DeskState) -> tuple[WronglyCalled, ...]:
    """Return the matches that are to be called anew, as far as their boards report their state."""
    derived = {
        each.key: each.derived
        for contest in {desk.orders[number].contest for number in desk.open_orders.values()}
        for each in desk.drawn(contest).conflicts
    }
    found = []
    for order in map(desk.orders.__getitem__, desk.open_orders.values()):
        if is_over_unplayed(desk, order) and not _may_have_begun(desk, order):
            found.append(WronglyCalled(order, None))
        elif order.key in derived and not _may_have_begun(desk, order):
            match derived[order.key]:
                case int() as one, int() as two if one != two:
                    found.append(WronglyCalled(order, (one, two)))
                case _:
                    found.append(WronglyCalled(order, None))
    return tuple(found)


def is_over_unplayed(desk: DeskState, order: GivenOrder) -> bool:
    """Whether a match that is called counts as over, since somebody has left for good."""
    played = desk.played(order.contest).get(order.key)
    return played is not None and played.outcome is not None


def _may_have_begun(desk: DeskState, order: GivenOrder) -> bool:
    """Whether strokes may have been played in a match: while a board is away nobody knows."""
    seen = desk.seen.get(order.board, SeenBoard())
    if not seen.there or seen.state is None:
        return True
    if order.moved_from is not None and order.resume is not None:
        return True
    return seen.order == order.number and seen.state in (OrderState.PLAYING, OrderState.OVER)
