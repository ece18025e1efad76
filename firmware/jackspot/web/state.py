"""The live state: a board view as the JSON object that pages and other programs read.

Pure: a view in, plain dictionaries, lists, numbers and strings out. ``state_types.py`` defines the
object's shape, from which its JSON Schema is made; a change that breaks readers needs a new
``schema`` number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jackspot.core.phrases import Translate
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    LineView,
    QueuedView,
    ReadingView,
)
from jackspot.dialogue.words.tally import match_score, score
from jackspot.dialogue.words.wording import side_letter, side_name
from jackspot.sensing.events import Button
from jackspot.web.identity import Identity, Part

if TYPE_CHECKING:
    from jackspot.web.state_types import (
        ButtonJson,
        ClockJson,
        DepartureJson,
        FaultJson,
        FreePlayJson,
        MenuLineJson,
        PartHealthJson,
        QueuedJson,
        ReadingJson,
        SideStateJson,
        StateJson,
    )


def ask_token(run: str, ask: int) -> str:
    """Return the token of a question.

    ``run`` names this start of the board, so that a page left open over a restart cannot answer a
    new question that happens to have an old number.
    """
    return f"{run}-{ask}"


def live_state(
    view: BoardView, identity: Identity, translate: Translate, *, run: str, now_ns: int
) -> StateJson:
    """Return the live state of a view, its sentences in the language of ``translate``.

    ``now_ns`` is the board's current monotonic time: with the clock's ``as_of_ns`` it shows a
    reader how old ``remaining_ns`` is.
    """
    return {
        "schema": 1,
        "sequence": view.sequence,
        "ask": ask_token(run, view.ask),
        "now_ns": now_ns,
        "board": identity.board,
        "hold_ms": identity.hold_ms,
        "board_number": view.board,
        "best_of": view.best_of,
        "rules": view.rules,
        "phase": view.phase,
        "sides": [_side(view, index, translate) for index in range(len(view.sides))],
        "turn": view.shooter,
        "centre_piece": {
            "piece": rules_for(view.rules).red,
            "place": view.red,
            "side": view.red_side,
            "words": view.red_words.render(translate),
        },
        "on_board": dict(view.on_board),
        "game": {"number": view.game, "board": view.game_board} if view.game else None,
        "standing": [{"tally": tally, "counts": [n, m]} for tally, n, m in match_score(view)],
        "prompts": {
            "headline": view.headline.render(translate),
            "detail": view.detail.render(translate),
            "ok": view.ok.render(translate),
            "fix": view.fix.render(translate),
            "fix_held": view.fix_held.render(translate),
            "can": sorted(view.can),
        },
        "hints": [hint.render(translate) for hint in view.hints],
        "notice": view.notice.what.render(translate)
        if view.notice is not None and view.notice.everywhere
        else "",
        "proposal": _reading(view.proposal, translate) if view.proposal else None,
        "readings": [_reading(reading, translate) for reading in view.readings],
        "waiting": view.waiting,
        "queue": [_queued(queued, translate) for queued in view.queue],
        "place": list(view.place),
        "placing": [
            {
                "pieces": list(group.pieces),
                "by": group.by.render(translate),
                "where": group.where.render(translate),
            }
            for group in view.placing
        ],
        "fetch": list(view.fetch),
        "lit": list(view.lit),
        "by_hand": list(view.by_hand),
        "clock": _clock(view.clock),
        "shot": _clock(view.shot) if view.shot else None,
        "entries": len(view.written.entries) if view.written else 0,
        "last": {
            "rows": list(view.last.rows),
            "words": view.last.words.render(translate),
            "seat": view.last.seat,
            "departures": _departures(view.last.departures),
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
        "winner": view.winner,
        "result_points": {
            side.side: points for side, points in zip(view.sides, view.result_points, strict=True)
        }
        if view.result_points
        else None,
        "lamps": sorted(view.lamps),
        "free": _free(view.free, translate) if view.free else None,
        "attract": view.attract,
        "faults": [_fault(fault, translate) for fault in view.faults],
        "health": _health(identity.parts, view.faults),
        "house": {
            "language": view.preferences.language,
            "brightness": view.preferences.brightness,
            "volume": view.preferences.volume,
        },
        "record": view.record,
    }


def _side(view: BoardView, index: int, translate: Translate) -> SideStateJson:
    side = view.sides[index]
    return {
        "side": side.side,
        "name": side_name(side.side).render(translate),
        "letter": side_letter(side.side).render(translate),
        "seats": list(side.seats),
        "names": list(side.names),
        "pocketed": side.pocketed,
        "left": side.left,
        "owed": side.owed,
        "points": side.points,
        "boards_won": side.boards_won,
        "pieces": list(side.pieces),
        "board_points": side.board_points,
        "game_points": side.game_points,
        "games_won": side.games_won,
        "shoots": side.shoots,
        "all_in": side.all_in,
        "score": score(view, index),
    }


def _reading(reading: ReadingView, translate: Translate) -> ReadingJson:
    return {
        "what": reading.what.render(translate),
        "follows": reading.follows.render(translate),
        "why": reading.why.render(translate),
        "departures": _departures(reading.departures),
        "probability": reading.probability,
        "doubtful": reading.doubtful,
        "ends_board": reading.ends_board,
        "flags": sorted(reading.flags),
        "stroke": reading.stroke,
        "seat": reading.seat,
        "missed": list(reading.missed),
        "before": reading.before,
    }


def _departures(departures: Sequence[Departure]) -> list[DepartureJson]:
    return [
        {"piece": each.piece, "pocket": each.pocket, "flew_off": each.flew_off}
        for each in departures
    ]


def _line(line: LineView, translate: Translate) -> MenuLineJson:
    return {
        "does": line.does.render(translate),
        "held": line.held,
        "does_held": line.does_held.render(translate),
        "locked": line.locked,
        "typed": line.typed,
        "choices": [choice.render(translate) for choice in line.choices],
        "chosen": line.chosen,
    }


def _queued(queued: QueuedView, translate: Translate) -> QueuedJson:
    return {
        "kind": queued.kind,
        "what": queued.what.render(translate),
        "why": queued.why.render(translate),
        "probability": queued.probability,
        "pockets": list(queued.pockets),
    }


def _free(free: FreeView, translate: Translate) -> FreePlayJson:
    return {
        "counts": [{"piece": piece, "count": count} for piece, count in free.counts],
        "last": free.last.render(translate),
        "sure": free.sure,
    }


def _clock(clock: ClockView) -> ClockJson:
    return {
        "limit_ns": clock.limit_ns,
        "remaining_ns": clock.remaining_ns,
        "running": clock.running,
        "armed": clock.armed,
        "as_of_ns": clock.as_of_ns,
    }


def _button(button: Button) -> ButtonJson:
    return {"place": button.place, "key": button.key}


def _fault(fault: FaultView, translate: Translate) -> FaultJson:
    return {
        "part": fault.part,
        "trouble": fault.trouble,
        "what": fault.what.render(translate),
        "remedy": fault.remedy.render(translate),
        "detail": fault.detail,
    }


def _health(parts: Sequence[Part], faults: Sequence[FaultView]) -> list[PartHealthJson]:
    """Return for each part whether it is well; ``faults`` says in words what is wrong."""
    troubles = {fault.part: fault.trouble for fault in faults}
    return [
        {
            "part": part.name,
            "kind": part.kind,
            "trouble": troubles.get(part.name),
            "stamps": part.stamps,
        }
        for part in parts
    ]
