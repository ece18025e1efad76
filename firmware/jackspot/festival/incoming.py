"""What a hall says to a board, as events of the board's queue. Pure."""

from __future__ import annotations

from typing import Any

from jackspot.core.clock import SECOND_NS
from jackspot.core.match import Match
from jackspot.core.order import Begins, MatchOrder, MovedAway
from jackspot.core.phrases import Multilingual, Phrase
from jackspot.core.printable import acts
from jackspot.core.record import RecordError, read_record
from jackspot.dialogue.state.preferences import LANGUAGES
from jackspot.festival.messages import BadMessage
from jackspot.festival.outgoing import MILLISECOND_NS
from jackspot.sensing.events import GongTold, IdentifyTold, NoticeTold, OrderTold

SHOWN_S = 8
"""How long a number or a line is shown if the question does not say."""

ENDS = "\n---\n"
"""How a header ends."""
AHEAD_S, LATE_S = 60, 10
"""A gong is announced some seconds ahead, and may have been on its way for some."""


def order_of(said: dict[str, Any], at_ns: int) -> OrderTold:
    """Return an order from its message; BadMessage if its record is none, or does not fit it."""
    moved = said.get("moved")
    gone = None if moved is None else MovedAway(moved["order"], int(moved["to"][1:]))
    if said["order"] is None:
        return OrderTold(at_ns, None, gone)
    begins = Begins(said.get("begins", Begins.PLAYERS))
    resume = said.get("resume")
    if resume is not None:
        return OrderTold(at_ns, _resumed(said["order"], begins, resume), gone)
    header = said.get("header", "")
    if header.partition(ENDS)[2].strip():  # not parsed: that would keep the game waiting
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
    """Read a record; a refusal gives its first mistake and how many there are: one log line."""
    try:
        return read_record(text).match
    except RecordError as wrong:
        first, *others = str(wrong).splitlines()
        more = f" (and {len(others)} more)" if others else ""
        raise BadMessage(f"order: {where}: {first}{more}") from wrong


def gong_of(
    said: dict[str, Any], board: str, pair: dict[str, Any] | None, at_ns: int
) -> GongTold | None:
    """Return a gong by the board's clock; None if it is for others, or no clock is known.

    BadMessage if it is too far ahead or long past: the hub's clock is not what it says.
    """
    if pair is None or (said["boards"] is not None and board not in said["boards"]):
        return None
    strike_ns = (pair["board_ms"] + said["at_ms"] - pair["hub_ms"]) * MILLISECOND_NS
    ahead_s = (strike_ns - at_ns) // SECOND_NS
    if not -LATE_S <= ahead_s < AHEAD_S:
        expected = f"expected an instant at most {AHEAD_S} s ahead and {LATE_S} s past"
        raise BadMessage(f"gong: at_ms: {expected}, found {ahead_s} s ahead")
    return GongTold(at_ns, strike_ns)


def text_of(said: dict[str, str]) -> Phrase:
    """Return a line from the desk; BadMessage if it has no visible character.

    Characters that would act on a display, such as those that turn the direction of the following
    text, are replaced by blanks.
    """
    texts = {language: _seen(said[language]) for language in LANGUAGES if language in said}
    if not all(texts.values()) or not texts:
        raise BadMessage(f"text: expected a line in one of {', '.join(LANGUAGES)}, found {said!r}")
    return Multilingual("", texts=tuple(texts.items()))


def _seen(text: str) -> str:
    return " ".join("".join(" " if acts(each) else each for each in text).split())


def notice_of(
    said: dict[str, Any], pair: dict[str, Any] | None, arrived_ns: int, at_ns: int
) -> NoticeTold:
    """Return a notice that arrived at ``arrived_ns``, by the board's clock.

    It ends by the hub's clock if that is known, and in any case once it has been here for as long
    as it is to be shown.
    """
    until_ns = arrived_ns + said["seconds"] * SECOND_NS
    if pair is not None:
        sent_ms = pair["board_ms"] + said["sent_ms"] - pair["hub_ms"]
        until_ns = min(until_ns, sent_ms * MILLISECOND_NS + said["seconds"] * SECOND_NS)
    return NoticeTold(at_ns, text_of(said["text"]), until_ns)


def told_by(ask: dict[str, Any], number: int, at_ns: int) -> IdentifyTold | NoticeTold | None:
    """Return what a question shows to people at the board; None: nothing.

    ``number`` is the board's. BadMessage if a line has nothing to show.
    """
    until_ns = at_ns + ask.get("seconds", SHOWN_S) * SECOND_NS
    match ask["what"]:
        case "identify":
            return IdentifyTold(at_ns, number, until_ns)
        case "line":
            if "text" not in ask:
                raise BadMessage("text: expected a line to show, found none")
            return NoticeTold(at_ns, text_of(ask["text"]), until_ns, own=True)
    return None


def is_late(ask: dict[str, Any], pair: dict[str, Any] | None, at_ns: int) -> bool:
    """Whether a question is out of date by the hub's clock, as far as that is known."""
    if pair is None or "until_ms" not in ask:
        return False
    now_ms = at_ns // MILLISECOND_NS - pair["board_ms"] + pair["hub_ms"]
    return bool(now_ms > ask["until_ms"])
