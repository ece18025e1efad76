"""What a board publishes of a view, as messages. Pure."""

from __future__ import annotations

from jackspot.core.entry_text import write_entry
from jackspot.core.record import write_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    HallView,
    OrderState,
    Phase,
    ReadingView,
)
from jackspot.dialogue.words.tally import score
from jackspot.festival.messages import (
    CallMessage,
    ClockAtJson,
    MatchMessage,
    ProposedJson,
    RecordMessage,
    SideJson,
    StateMessage,
    crc32,
)

MILLISECOND_NS = 1_000_000
MOST_FAULTS = 8
"""At most this many faults are sent; a person who fixes them looks at the board."""


def state_of(view: BoardView) -> StateMessage:
    """Return the small score of a view."""
    return {
        "v": 1,
        "rules": view.rules,
        "phase": view.phase,
        "board": view.game or view.board,
        "best_of": view.best_of,
        "sides": [_side(view, index) for index in range(len(view.sides))],
        "turn": view.shooter,
        "clock": _clock(view.clock),
        "proposed": None if view.proposal is None else _proposed(view.proposal, view),
        "winner": view.winner,
        "points": None if view.result_points is None else list(view.result_points),
        "faults": [f"{each.part} {each.trouble}" for each in view.faults[:MOST_FAULTS]],
    }


def _side(view: BoardView, index: int) -> SideJson:
    side = view.sides[index]
    return {
        "side": side.side,
        "seats": list(side.seats),
        "names": list(side.names),
        "score": score(view, index),
        "owed": side.owed,
        "boards": side.games_won if view.game else side.boards_won,
    }


def _clock(clock: ClockView) -> ClockAtJson | None:
    if not clock.limit_ns:
        return None
    return {
        "limit_ms": clock.limit_ns // MILLISECOND_NS,
        "remaining_ms": clock.remaining_ns // MILLISECOND_NS,
        "running": clock.running,
        "at_ms": clock.as_of_ns // MILLISECOND_NS,
    }


def _proposed(reading: ReadingView, view: BoardView) -> ProposedJson:
    seat = reading.seat or view.shooter
    stroke = ""
    if reading.stroke and seat is not None:
        stroke = write_entry(Stroke(seat, reading.departures, reading.flags))
    return {"stroke": stroke, "probability": round(reading.probability, 3)}


def match_of(view: BoardView, since_ns: int) -> MatchMessage:
    """Return the state of the match, which it has had since ``since_ns``."""
    hall, since_ms = view.hall or HallView(), since_ns // MILLISECOND_NS
    state = hall.state
    if state is OrderState.NONE and view.written is not None:
        state = OrderState.OVER if view.phase is Phase.MATCH_OVER else OrderState.PLAYING
    return {"v": 1, "order": hall.order, "state": state, "since_ms": since_ms}


def call_of(view: BoardView) -> CallMessage | None:
    """Return that people call the desk, and who does; None: nobody does."""
    call = (view.hall or HallView()).call
    if call is None:
        return None
    return {"v": 1, "by": call.by.value, "since_ms": call.at_ns // MILLISECOND_NS}


def record_of(view: BoardView, journal: str, seq: int) -> RecordMessage:
    """Return the match on the board as far as it is confirmed."""
    text = ""
    if view.written is not None:
        text = write_record(view.written.settings, view.written.entries)
    return {"v": 1, "journal": journal, "seq": seq, "record": text, "crc32": crc32(text)}
