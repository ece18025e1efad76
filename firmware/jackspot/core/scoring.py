"""What ``jackspot score --json`` prints, as plain data.

It is a public format: keys and meanings do not change within one record version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.header import VERSION
from jackspot.core.match import MatchState, Step, deal_points
from jackspot.core.pieces import Side
from jackspot.core.position import Position
from jackspot.core.record import Record
from jackspot.core.rules import rules_for
from jackspot.core.ruling import BoardResult
from jackspot.core.stroke import Stroke

_SILENT = (Say(Saying.PLACED), Say(Saying.FORGOT))
"""Directives that have no entry of their own."""


def score(record: Record) -> dict[str, Any]:
    """Score a record: every stroke's ruling, the boards and the match."""
    state = record.match.state
    return {
        "record": VERSION,
        "rules": str(record.settings.rules),
        "entries": [
            {"line": number, **entry_json(step)}
            for number, step in zip(record.numbers, record.match.steps, strict=True)
            if step.entry not in _SILENT
        ],
        "boards": _boards(state),
        "match": _match(state),
    }


def directive_name(directive: Directive) -> str:
    """Return the directive's word: ``set``, ``turn``, ``time``."""
    match directive:
        case Say(what):
            return str(what)
        case GiveTurn():
            return "turn"
        case Resign():
            return "resign"
        case SetPocketed() | SetOwed() | SetRed():
            return "set"


def entry_json(step: Step) -> dict[str, Any]:
    """Return the object of one entry: what was said, the ruling, the state after it."""
    state, entry, ruling = step.state, step.entry, step.ruling
    position = state.position
    said: dict[str, Any]
    if isinstance(entry, Stroke):
        side = position.seat_sides[entry.seat]
        said = {"seat": str(entry.seat), "side": str(side), "board": state.board}
    else:
        seat = entry.seat if isinstance(entry, GiveTurn | Resign) else None
        named = entry.side if isinstance(entry, SetPocketed | SetOwed | SetRed) else None
        said = {
            "seat": str(seat) if seat else None,
            "side": str(named) if named else None,
            "board": state.board,
            "directive": directive_name(entry),
        }
    red = rules_for(state.settings.rules).red
    return said | {
        "rulings": list(ruling.rows) if ruling else [],
        "foul": bool(ruling and ruling.foul),
        "keeps_turn": bool(ruling and ruling.keeps_turn and state.result is None),
        "next": str(state.next) if state.next else None,
        "place": [str(piece) for piece in state.place],
        "pocketed": {str(side): position.count(side).pocketed for side in position.sides},
        "owed": {str(side): position.count(side).owed for side in position.sides},
        str(red): _red(position),
        "points": _plain(deal_points(state)),
        "board_over": _result(state.result) if state.result else None,
    }


def _red(position: Position) -> str:
    """Return where the jack or queen is: ``board``, ``pocketed``, ``covered:white``."""
    if position.red in (RedPlace.PENDING, RedPlace.COVERED):
        return f"{position.red}:{position.red_side}"
    return str(position.red)


def _result(result: BoardResult) -> dict[str, Any]:
    return {
        "winner": str(result.winner) if result.winner else None,
        "how": str(result.how),
        "points": _plain(result.points),
    }


def _boards(state: MatchState) -> list[dict[str, Any]]:
    """List the finished boards; systems with games say which game each belongs to."""
    boards = [_result(board.result) for board in state.boards]
    if state.standing.games:
        for board, game in zip(boards, state.standing.games, strict=True):
            board["game"] = game
    return boards


def _match(state: MatchState) -> dict[str, Any]:
    match = {
        "over": state.over,
        "winner": str(state.winner) if state.winner else None,
        "points": _plain(state.points),
        "boards_won": _plain(state.boards_won),
    }
    if state.standing.games_won is not None:
        match["games_won"] = _plain(state.standing.games_won)
    return match


def _plain(numbers: Mapping[Side, int]) -> dict[str, int]:
    return {str(side): number for side, number in numbers.items()}
