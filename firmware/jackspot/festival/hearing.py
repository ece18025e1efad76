"""What a hall says to a board, as events of the board's queue. Pure."""

from __future__ import annotations

from typing import Any

from jackspot.core.match import Match
from jackspot.core.order import Begins, MatchOrder, MovedAway
from jackspot.core.record import RecordError, read_record
from jackspot.festival.messages import BadMessage
from jackspot.festival.telling import MILLISECOND_NS
from jackspot.sensing.events import GongTold, OrderTold

ENDS = "\n---\n"
"""How a header ends."""


def order_of(said: dict[str, Any], at_ns: int) -> OrderTold:
    """Return an order that was read; BadMessage where its record is none, or does not fit it."""
    moved = said.get("moved")
    gone = None if moved is None else MovedAway(moved["order"], int(moved["to"][1:]))
    if said["order"] is None:
        return OrderTold(at_ns, None, gone)
    begins = Begins(said.get("begins", Begins.PLAYERS))
    resume = said.get("resume")
    if resume is not None:
        return OrderTold(at_ns, _resumed(said["order"], begins, resume), gone)
    header = said.get("header", "")
    if header.partition(ENDS)[2].strip():  # unread: reading them would keep the game waiting
        raise BadMessage("order: header: expected the header of a record, found strokes behind it")
    match = _match_of("header", header)
    return OrderTold(at_ns, MatchOrder(said["order"], match.settings, begins), gone)


def _resumed(number: int, begins: Begins, resume: dict[str, Any]) -> MatchOrder:
    """Return the order of a match that another board began."""
    match = _match_of("resume.record", resume["record"])
    if match.state.over:
        raise BadMessage(
            "order: resume.record: expected a match that goes on, found one that is over"
        )
    used_ms = resume.get("used_ms")
    used_ns = None if used_ms is None else used_ms * MILLISECOND_NS
    entries = tuple(step.entry for step in match.steps)
    return MatchOrder(number, match.settings, begins, entries, used_ns)


def _match_of(where: str, text: str) -> Match:
    """Read a record; a refusal has its first mistake and how many there are: a line of a log."""
    try:
        return read_record(text).match
    except RecordError as wrong:
        first, *others = str(wrong).splitlines()
        more = f" (and {len(others)} more)" if others else ""
        raise BadMessage(f"order: {where}: {first}{more}") from wrong


def gong_of(
    said: dict[str, Any], board: str, pair: dict[str, Any] | None, at_ns: int
) -> GongTold | None:
    """Return a gong by the board's clock; None where it is for others, or no clock is known."""
    if pair is None or (said["boards"] is not None and board not in said["boards"]):
        return None
    strike_ms = pair["board_ms"] + said["at_ms"] - pair["hub_ms"]
    return GongTold(at_ns, strike_ms * MILLISECOND_NS)
