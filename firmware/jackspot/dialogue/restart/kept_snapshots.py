"""Later lines that wait, written into a snapshot and read back.

They are written in full, as lines of the match record: until they are entered again, they are
nowhere else in the journal as lines that count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.record import RecordError, read_entry_line, write_entry
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.entries import Json
from jackspot.dialogue.state.game import Game, Keeping, Later, Line
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall
from jackspot.values import changed


def kept_json(dialogue: DialogueState) -> dict[str, Json]:
    """Return what waits to be entered again, and the pieces on the board for it."""
    return {
        "kept": _kept(dialogue.kept),
        "lying": [piece.value for piece in dialogue.lying],
        "missing": [piece.value for piece in dialogue.missing],
        "take": [piece.value for piece in dialogue.take],
        "history": None if dialogue.history is None else _phase_of(dialogue.history).value,
        "history_time_out": _hidden_time_out(dialogue),
    }


def _phase_of(history: Phase | Paused) -> Phase:
    return history.phase if isinstance(history, Paused) else history


def _hidden_time_out(dialogue: DialogueState) -> str | None:
    """Return whose time-out the history leads back to from a pause of another kind; "": nobody's.

    None: it leads to no pause, or to the only one there is.
    """
    now, then = dialogue.question, dialogue.history
    if not isinstance(now, Paused) or not isinstance(then, Paused) or now == then:
        return None
    return then.time_out.value if then.time_out else ""


def _kept(kept: Keeping | None) -> dict[str, Json] | None:
    if kept is None:
        return None
    return {
        "lines": [_later(each) for each in kept.lines],
        "agreed": kept.agreed,
        "entered": kept.entered,
        "differing": list(kept.differing),
    }


def _later(later: Later) -> dict[str, Json]:
    return {
        "entries": [write_entry(entry) for entry in later.line.entries],
        "falls": [fall.number for fall in later.line.falls],
        "probability": later.line.probability,
        "board": later.board,
        "began": later.began,
        "ended": later.ended,
        "rows": list(later.rows),
        "next": later.next.value if later.next else None,
        "placed": [piece.value for piece in later.placed],
    }


def with_kept(
    dialogue: InMatch, body: Mapping[str, Any], falls: Mapping[int, Fall], time_out: Side | None
) -> InMatch:
    """Restore what waited; older snapshots had nothing. Raises ValueError or KeyError.

    ``time_out`` is the side whose time-out it is, or was when the history opened an entry.
    """
    history = Phase(body["history"]) if body.get("history") else None
    hidden = body.get("history_time_out")
    if hidden is not None:
        time_out = Side(hidden) if hidden else None
    return changed(
        dialogue,
        kept=_read_kept(dialogue.game, body.get("kept"), falls),
        lying=_pieces(body.get("lying", ())),
        missing=_pieces(body.get("missing", ())),
        take=_pieces(body.get("take", ())),
        history=Paused(time_out) if history is Phase.PAUSED else history,
    )


def _pieces(body: Any) -> tuple[Piece, ...]:
    return tuple(Piece(each) for each in body)


def _read_kept(
    game: Game | None, body: Mapping[str, Any] | None, falls: Mapping[int, Fall]
) -> Keeping | None:
    if body is None or game is None:
        return None
    lines = tuple(_read_later(game, each, falls) for each in body["lines"])
    differing = tuple(int(number) for number in body["differing"])
    return Keeping(lines, bool(body["agreed"]), int(body["entered"]), differing)


def _read_later(game: Game, body: Mapping[str, Any], falls: Mapping[int, Fall]) -> Later:
    rules = game.match.settings.rules
    try:
        entries = tuple(read_entry_line(str(text), rules) for text in body["entries"])
    except RecordError as wrong:
        raise ValueError(str(wrong)) from wrong
    line = Line(entries, tuple(falls[n] for n in body["falls"]), body["probability"])
    return Later(
        line, int(body["board"]), bool(body["began"]), bool(body["ended"]),
        tuple(str(row) for row in body["rows"]), Seat(body["next"]) if body["next"] else None,
        _pieces(body["placed"]),
    )  # fmt: skip
