"""The live state: a board view as the JSON object that pages and other programs read.

Pure: a view in, plain dictionaries, lists, numbers and strings out. The object's shape is
promised in ``state.schema.json`` beside this file; a change that breaks a reader is a new
``schema`` number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from jackspot.core.phrases import Translate
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    LineView,
    QueuedView,
    ReadingView,
    SideView,
)
from jackspot.dialogue.words.tally import match_score, score
from jackspot.dialogue.words.wording import side_name
from jackspot.sensing.events import Button

SCHEMA_VERSION = 1
"""Grows when a reader of the object before it could no longer read it."""

Json = dict[str, Any]
"""A JSON object."""


class PartKind(StrEnum):
    """What sort of part the board watches."""

    BEAM = "beam"
    BUTTON = "button"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Part:
    """A sensor, button or display of this board, under the name that faults give it."""

    name: str
    kind: PartKind
    stamps: str | None = None
    """Who says when something happened there: ``kernel`` or ``arrival``; None: a display."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What the state says of the board itself: its name and the parts it is made of.

    ``hold_ms``: how long a button is down before it is held, its pages' buttons too.
    """

    board: str = "Jackspot"
    parts: tuple[Part, ...] = ()
    hold_ms: int = 1_000


def ask_token(run: str, ask: int) -> str:
    """Write the token of a question.

    ``run`` names this start of the board, so that a page left open over a restart cannot
    answer a new question that happens to carry an old number.
    """
    return f"{run}-{ask}"


def live_state(
    view: BoardView, identity: Identity, translate: Translate, *, run: str, now_ns: int
) -> Json:
    """Return the live state of a view, its sentences in the language of ``translate``.

    ``now_ns`` is the board's monotonic clock now: with the clock's ``as_of_ns`` it tells a
    reader how old ``remaining_ns`` is.
    """
    return {
        "schema": SCHEMA_VERSION,
        "sequence": view.sequence,
        "ask": ask_token(run, view.ask),
        "now_ns": now_ns,
        "board": identity.board,
        "hold_ms": identity.hold_ms,
        "board_number": view.board,
        "best_of": view.best_of,
        "rules": view.rules.value,
        "phase": view.phase.value,
        "sides": [
            {**_side(side, translate), "score": score(view, index)}
            for index, side in enumerate(view.sides)
        ],
        "turn": view.shooter.value if view.shooter else None,
        "centre_piece": {
            "piece": _centre_piece(view.rules).value,
            "place": view.red.value,
            "side": view.red_side.value if view.red_side else None,
            "words": view.red_words.render(translate),
        },
        "on_board": {piece.value: n for piece, n in view.on_board},
        "game": {"number": view.game, "board": view.game_board} if view.game else None,
        "standing": [{"tally": tally.value, "counts": [n, m]} for tally, n, m in match_score(view)],
        "prompts": {
            "headline": view.headline.render(translate),
            "detail": view.detail.render(translate),
            "ok": view.ok.render(translate),
            "fix": view.fix.render(translate),
            "fix_held": view.fix_held.render(translate),
            "can": sorted(view.can),
        },
        "hints": [hint.render(translate) for hint in view.hints],
        "proposal": _reading(view.proposal, translate) if view.proposal else None,
        "readings": [_reading(reading, translate) for reading in view.readings],
        "waiting": view.waiting,
        "queue": [_queued(queued, translate) for queued in view.queue],
        "place": [piece.value for piece in view.place],
        "placing": [
            {
                "pieces": [piece.value for piece in group.pieces],
                "by": group.by.render(translate),
                "where": group.where.render(translate),
            }
            for group in view.placing
        ],
        "fetch": [pocket.value if pocket else None for pocket in view.fetch],
        "lit": [pocket.value for pocket in view.lit],
        "by_hand": [pocket.value for pocket in view.by_hand],
        "clock": _clock(view.clock),
        "shot": _clock(view.shot) if view.shot else None,
        "last": {
            "rows": list(view.last.rows),
            "words": view.last.words.render(translate),
            "foul": view.last.foul,
        }
        if view.last
        else None,
        "hold": {
            "button": _button(view.hold.button),
            "down_ns": view.hold.down_ns,
            "progress": view.hold.progress,
        }
        if view.hold
        else None,
        "menu": {
            "title": view.menu.title.render(translate),
            "items": [item.render(translate) for item in view.menu.items],
            "chosen": view.menu.chosen,
            "question": view.menu.question,
            "kind": view.menu.kind,
            "note": view.menu.note.render(translate),
            "lines": [_line(line, translate) for line in view.menu.lines],
        }
        if view.menu
        else None,
        "winner": view.winner.value if view.winner else None,
        "result_points": {
            side.side.value: points
            for side, points in zip(view.sides, view.result_points, strict=True)
        }
        if view.result_points
        else None,
        "lamps": sorted(seat.value for seat in view.lamps),
        "free": _free(view.free, translate) if view.free else None,
        "attract": view.attract,
        "faults": [_fault(fault, translate) for fault in view.faults],
        "health": _health(identity.parts, view.faults),
        "house": {
            "language": view.house.language,
            "brightness": view.house.brightness,
            "volume": view.house.volume,
        },
        "record": view.record,
    }


@cache
def published_schema() -> Json:
    """Read the JSON Schema that every live state keeps to."""
    text = resources.files(__package__).joinpath("state.schema.json").read_text("utf-8")
    schema: Json = json.loads(text)
    return schema


def _side(side: SideView, translate: Translate) -> Json:
    return {
        "side": side.side.value,
        "name": side_name(side.side).render(translate),
        "letter": side.letter,
        "seats": [seat.value for seat in side.seats],
        "names": list(side.names),
        "pocketed": side.pocketed,
        "left": side.left,
        "owed": side.owed,
        "points": side.points,
        "boards_won": side.boards_won,
        "pieces": [piece.value for piece in side.pieces],
        "board_points": side.board_points,
        "game_points": side.game_points,
        "games_won": side.games_won,
        "shoots": side.shoots,
        "all_in": side.all_in,
    }


def _reading(reading: ReadingView, translate: Translate) -> Json:
    return {
        "what": reading.what.render(translate),
        "follows": reading.follows.render(translate),
        "why": reading.why.render(translate),
        "departures": [
            {
                "piece": departure.piece.value,
                "pocket": departure.pocket.value if departure.pocket else None,
                "flew_off": departure.flew_off,
            }
            for departure in reading.departures
        ],
        "probability": reading.probability,
        "doubtful": reading.doubtful,
        "ends_board": reading.ends_board,
        "flags": sorted(flag.value for flag in reading.flags),
        "stroke": reading.stroke,
        "seat": reading.seat.value if reading.seat else None,
        "missed": [seat.value for seat in reading.missed],
        "before": reading.before,
    }


def _line(line: LineView, translate: Translate) -> Json:
    return {
        "does": line.does.render(translate),
        "held": line.held,
        "does_held": line.does_held.render(translate),
        "locked": line.locked,
        "typed": line.typed,
        "choices": [choice.render(translate) for choice in line.choices],
        "chosen": line.chosen,
    }


def _queued(queued: QueuedView, translate: Translate) -> Json:
    return {
        "kind": queued.kind.value,
        "what": queued.what.render(translate),
        "why": queued.why.render(translate),
        "probability": queued.probability,
        "pockets": [pocket.value for pocket in queued.pockets],
    }


def _free(free: FreeView, translate: Translate) -> Json:
    return {
        "counts": [{"piece": piece.value, "count": count} for piece, count in free.counts],
        "last": free.last.render(translate),
        "sure": free.sure,
    }


def _clock(clock: ClockView) -> Json:
    return {
        "limit_ns": clock.limit_ns,
        "remaining_ns": clock.remaining_ns,
        "running": clock.running,
        "armed": clock.armed,
        "as_of_ns": clock.as_of_ns,
    }


def _button(button: Button) -> Json:
    return {"place": button.place.value, "key": button.key.value}


def _fault(fault: FaultView, translate: Translate) -> Json:
    return {
        "part": fault.part,
        "trouble": fault.trouble.value,
        "what": fault.what.render(translate),
        "remedy": fault.remedy.render(translate),
        "detail": fault.detail,
    }


def _health(parts: Sequence[Part], faults: Sequence[FaultView]) -> list[Json]:
    """Say of each part whether it is well; what is wrong with it is in ``faults`` in words."""
    troubles = {fault.part: fault.trouble.value for fault in faults}
    return [
        {
            "part": part.name,
            "kind": part.kind.value,
            "trouble": troubles.get(part.name),
            "stamps": part.stamps,
        }
        for part in parts
    ]


def _centre_piece(rules: RuleSystem) -> Piece:
    return rules_for(rules).red
