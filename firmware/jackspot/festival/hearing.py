"""What a hall says to a board, as events of the board's queue. Pure."""

from __future__ import annotations

from typing import Any

from jackspot.core.order import Begins, MatchOrder
from jackspot.core.record import RecordError, read_record
from jackspot.festival.messages import BadMessage
from jackspot.festival.telling import MILLISECOND_NS
from jackspot.sensing.events import GongTold, OrderTold


def order_of(said: dict[str, Any], at_ns: int) -> OrderTold:
    """Return an order that was read; BadMessage where its header is none, or has strokes."""
    if said["order"] is None:
        return OrderTold(at_ns, None)
    try:
        record = read_record(said.get("header", ""))
    except RecordError as wrong:
        raise BadMessage(f"order: header: {wrong}") from wrong
    if record.match.steps:
        raise BadMessage("order: header: expected the header of a record, found strokes behind it")
    begins = Begins(said.get("begins", Begins.PLAYERS))
    return OrderTold(at_ns, MatchOrder(said["order"], record.settings, begins))


def gong_of(
    said: dict[str, Any], board: str, pair: dict[str, Any] | None, at_ns: int
) -> GongTold | None:
    """Return a gong by the board's clock; None where it is for others, or no clock is known."""
    if pair is None or (said["boards"] is not None and board not in said["boards"]):
        return None
    strike_ms = pair["board_ms"] + said["at_ms"] - pair["hub_ms"]
    return GongTold(at_ns, strike_ms * MILLISECOND_NS)
