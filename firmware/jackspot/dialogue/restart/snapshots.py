"""What is open in the dialogue, written as a journal entry and read back.

Lines, undo and falls have journal entries of their own. What people are in the middle of (a
review, editing, placing, a list, a pause) is written in full whenever it changes, so that a
board that loses power comes back where it was.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from jackspot.core.phrases import EMPTY
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.proposals.proposing import read_anew
from jackspot.dialogue.restart.kept_snapshots import kept_json, with_kept
from jackspot.dialogue.state.dialogue_state import (
    Call,
    DialogueState,
    Glance,
    InMatch,
    TimeDue,
)
from jackspot.dialogue.state.entries import Json
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.hall_state import Answer, HallState
from jackspot.dialogue.state.layers import FreeFall, FreePlay
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.preferences import preferences_body, read_preferences
from jackspot.dialogue.state.proposal import FallGroup, Hands, Proposal
from jackspot.dialogue.state.question import AtRest, Falling, Paused, Question, Review
from jackspot.dialogue.state.view import Phase
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall
from jackspot.values import changed


def open_work(dialogue: DialogueState) -> tuple[object, ...]:
    """Return everything that a snapshot holds, as a value that is quick to compare."""
    proposal = dialogue.proposal and changed(dialogue.proposal, opened_ns=0, changed_ns=0)
    menu = dialogue.menu and changed(dialogue.menu, used_ns=0)
    running = dialogue.game is not None and dialogue.game.clock.running
    question = dialogue.question if isinstance(dialogue.question, Paused) else dialogue.phase
    return (
        question, proposal, dialogue.waiting, dialogue.assumed, dialogue.parked,
        dialogue.place, dialogue.fetch, menu,
        dialogue.objections, dialogue.details,
        dialogue.glance, dialogue.time_due, dialogue.plan, running, dialogue.game is None,
        dialogue.free, dialogue.dark, dialogue.unseen,
        _answered(dialogue.hall), _stays(dialogue.hall),
        dialogue.armed, dialogue.called, dialogue.preferences,
        dialogue.kept, dialogue.lying, dialogue.missing, dialogue.take, dialogue.history,
    )  # fmt: skip


NOTHING_OPEN: Mapping[str, Json] = {
    "running": False, "proposal": None, "parked": [], "waiting": [], "details": False,
    "objections": [], "assumed": [], "place": [], "fetch": [], "menu": None, "glance": None,
    "time_due": None, "armed": None, "time_out": None, "called": None, "free": None, "dark": [],
    "unseen": [], "order": None, "stays": None, "kept": None, "lying": [], "missing": [],
    "take": [], "history": None, "history_time_out": None,
}  # fmt: skip
"""A snapshot's values where nothing is open; of these, only what differs is written."""
VERSION = 2
"""Older snapshots held everything that their version knew: a missing value was unknown to it."""


def _differing(body: Mapping[str, Json], usual: Mapping[str, Json]) -> dict[str, Json]:
    return {name: said for name, said in body.items() if name not in usual or said != usual[name]}


def snapshot(dialogue: DialogueState, now_ns: int, line: str = "") -> dict[str, Json]:
    """Return what is open; ``line`` is the name of the marked line of an open list."""
    clock = dialogue.game.clock if dialogue.game else None
    pauses = (each for each in (dialogue.question, dialogue.history) if isinstance(each, Paused))
    time_out = next((each.time_out for each in pauses), None)
    body: dict[str, Json] = {
        "v": VERSION,
        "phase": dialogue.phase.value,
        "used_ns": clock.used_at(now_ns) if clock else 0,
        "running": clock.running if clock else False,
        "proposal": _proposal(dialogue.proposal),
        "parked": [_proposal(each) for each in dialogue.parked],
        "waiting": [_group(group) for group in dialogue.waiting],
        "details": dialogue.details,
        "objections": [seat.value for seat in dialogue.objections],
        "assumed": [_group(group) for group in dialogue.assumed],
        "place": [piece.value for piece in dialogue.place],
        "fetch": [pocket.value if pocket else None for pocket in dialogue.fetch],
        "menu": _menu(dialogue.menu, line),
        "glance": dialogue.glance.value if dialogue.glance else None,
        "time_due": _time_due(dialogue.time_due),
        "plan": {**_plan(dialogue.plan), "origin": dialogue.origin},
        "house": preferences_body(dialogue.preferences, dialogue.settings.preferences),
        "armed": dialogue.armed,
        "time_out": time_out.value if time_out else None,
        "called": _call(dialogue.called),
        "free": _free(dialogue.free),
        "dark": [pocket.value for pocket in dialogue.dark],
        "unseen": [pocket.value if pocket else None for pocket in dialogue.unseen],
        "order": _answered(dialogue.hall),
        "stays": _stays(dialogue.hall),
        **kept_json(dialogue),
    }
    return _differing(body, NOTHING_OPEN)


def _answered(hall: HallState | None) -> tuple[int, str] | None:
    """Return which order people have answered, and how."""
    if hall is None or hall.number is None or hall.answer is None:
        return None
    return hall.number, hall.answer.value


def _stays(hall: HallState | None) -> int | None:
    """Return the order whose match goes on here, as people have said."""
    return None if hall is None else hall.stays


def _read_answers(body: Any, stays: Any) -> HallState | None:
    if body is None and stays is None:
        return None
    number, answer = (None, None) if body is None else (int(body[0]), Answer(body[1]))
    return HallState(number=number, answer=answer, stays=None if stays is None else int(stays))


def _read_glance(body: Any) -> Glance | None:
    """Read why counts are compared; an earlier version wrote only whether they are."""
    if not body:
        return None
    return Glance.POWER if body is True else Glance(body)


def _free(free: FreePlay | None) -> dict[str, Json] | None:
    """Return what was counted in free play, as JSON."""
    if free is None:
        return None
    return {
        "falls": [
            [
                fall.number,
                fall.pocket.value if fall.pocket else None,
                fall.width_ns,
                [piece.value for piece in fall.pieces],
            ]
            for fall in free.falls
        ],
        "earlier": [piece.value for piece in free.earlier],
        "sure": free.sure,
    }


def _plan(plan: Plan) -> dict[str, Json]:
    """Return what people can set; the rest of the plan is the board's configuration."""
    tables: dict[str, Json] = {name: _plain(plan.header.get(name)) for name in SET_BY_PEOPLE}
    return {
        **{name: said for name, said in tables.items() if said is not None},
        "lineup": [seat.value for seat in plan.lineup],
        "first": plan.first.value,
        "armed": plan.armed,
    }


SET_BY_PEOPLE = (
    "rules", "options", "names", "handicap", "colours", "event", "date", "round", "place",
)  # fmt: skip
"""The parts of a plan's header that the lists of set-up or a hall's order can change."""


def _plain(value: object) -> Json:
    """Return settings as plain JSON; what the header does not have is null."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value if isinstance(value, bool | int | float | str) else None


def _call(call: Call | None) -> list[Json] | None:
    return None if call is None else [call.seat.value, call.strokes, call.pocket.value]


def _time_due(due: TimeDue | None) -> list[Json] | None:
    if due is None:
        return None
    return [due.board, due.zero_ns, due.after, *([list(due.began)] if due.began else [])]


def _group(group: FallGroup) -> dict[str, Json]:
    return {
        "falls": [fall.number for fall in group.falls],
        "hands": _hands(group.hands),
        "gap_ns": group.gap_ns,
    }


def _hands(hands: Hands) -> dict[str, Json]:
    return {pocket.value: likely for pocket, likely in hands}


def _departure(each: Departure) -> list[Json]:
    return [each.piece.value, each.pocket.value if each.pocket else None, each.flew_off]


def _reading(reading: Reading) -> dict[str, Json]:
    return {
        "pieces": [_departure(each) for each in reading.departures],
        "stroke": reading.stroke,
        "joins": reading.joins,
        "seat": reading.seat.value if reading.seat else None,
        "missed": [seat.value for seat in reading.missed],
    }


NOTHING_SAID: Mapping[str, Json] = {
    "hands": {}, "dark": [], "gap_ns": None, "late": False, "spoke": None, "misses": [],
    "called": None, "nothing_first": False, "chosen": None, "flags": [], "flown": [],
    "edited": None, "reopened": False,
}  # fmt: skip
"""A proposal's values where nobody has said anything about it; only what differs is written."""


def _proposal(proposal: Proposal | None) -> dict[str, Json] | None:
    if proposal is None:
        return None
    edited = proposal.edited
    body: dict[str, Json] = {
        "seat": proposal.seat.value,
        "hands": _hands(proposal.hands),
        "dark": [pocket.value for pocket in proposal.dark],
        "gap_ns": proposal.gap_ns,
        "late": proposal.late,
        "spoke": proposal.spoke.value if proposal.spoke else None,
        "misses": [seat.value for seat in proposal.misses],
        "called": proposal.called.value if proposal.called else None,
        "nothing_first": proposal.nothing_first,
        "falls": [fall.number for fall in proposal.falls],
        "chosen": _reading(proposal.reading) if proposal.chosen or edited is not None else None,
        "flags": sorted(flag.value for flag in proposal.flags),
        "flown": [piece.value for piece in proposal.flown],
        "edited": None if edited is None else [_departure(each) for each in edited],
        "reopened": proposal.reopened is not None,
    }
    return _differing(body, NOTHING_SAID)


def _menu(menu: Menu | None, line: str) -> dict[str, Json] | None:
    if menu is None:
        return None
    return {
        "kind": menu.kind.value,
        "chosen": menu.chosen,
        "line": line,
        "falls": [fall.number for fall in menu.falls],
        "pocket": menu.pocket.value if menu.pocket else None,
        "about": menu.about,
    }


class UnfitSnapshot(ValueError):
    """A snapshot that does not fit the match it comes with."""


def laid_out(
    dialogue: DialogueState, body: Mapping[str, Any], falls: Mapping[int, Fall], now_ns: int
) -> DialogueState:
    """Lay a snapshot's contents on a dialogue that has its match already.

    Instants start afresh at ``now_ns``; the clock is stopped. Raises :class:`UnfitSnapshot` where
    the snapshot names falls or readings that do not exist.
    """
    try:
        body = _whole(body)
        laid = changed(
            dialogue,
            plan=_read_plan(dialogue, body["plan"]),
            preferences=read_preferences(
                body.get("house"),
                dialogue.settings.preferences,
                dialogue.settings.locked,
            ),
            dark=tuple(Pocket(each) for each in body.get("dark", ())),
            unseen=tuple(Pocket(each) if each else None for each in body.get("unseen", ())),
            hall=_read_answers(body.get("order"), body.get("stays")),
        )
        if not isinstance(laid, InMatch):
            free = _read_free(body.get("free")) if body["phase"] == "setup" else None
            laid = changed(laid, free=free)
            menu = _read_menu(body["menu"], falls, now_ns) if body["phase"] == "setup" else None
            waiting = tuple(_read_group(each, falls) for each in body["waiting"])
            return changed(laid, menu=menu, waiting=waiting)
        laid = changed(
            laid,
            place=tuple(Piece(each) for each in body["place"]),
            fetch=tuple(Pocket(each) if each else None for each in body["fetch"]),
            glance=_read_glance(body["glance"]),
            time_due=_read_time_due(body["time_due"], falls),
            waiting=tuple(_read_group(each, falls) for each in body["waiting"]),
            details=bool(body["details"]),
            objections=tuple(Seat(each) for each in body["objections"]),
            assumed=tuple(_read_group(each, falls) for each in body["assumed"]),
            armed=body.get("armed"),
            called=_read_call(body.get("called")),
            menu=_read_menu(body["menu"], falls, now_ns),
        )
        side = body.get("time_out")
        time_out = Side(side) if side else None
        laid = with_kept(laid, body, falls, time_out)
        parked = tuple(_read_parked(each, falls, now_ns) for each in body["parked"])
        shown = body["proposal"]
        proposal = _read_proposal(laid, shown, falls, now_ns) if shown else None
        laid = changed(laid, parked=parked)
        phase = Phase(body["phase"])
    except (KeyError, ValueError, TypeError, IndexError) as wrong:
        raise UnfitSnapshot(f"{type(wrong).__name__}: {wrong}") from wrong
    return changed(laid, question=_question(phase, proposal, time_out))


def _whole(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a snapshot with the usual values filled in where they were left out."""
    if body.get("v") != VERSION:
        return body
    return {**NOTHING_OPEN, **body, "plan": {**dict.fromkeys(SET_BY_PEOPLE), **body["plan"]}}


def _question(phase: Phase, shown: Proposal | None, time_out: Side | None) -> Question:
    if phase is Phase.FALLING or phase is Phase.REVIEW:
        if shown is not None:
            return Falling(shown) if phase is Phase.FALLING else Review(shown)
    elif shown is None:
        return Paused(time_out) if phase is Phase.PAUSED else AtRest(phase)
    raise UnfitSnapshot(f"phase {phase} and an open proposal do not go together")


def _read_plan(dialogue: DialogueState, body: Mapping[str, Any]) -> Plan:
    """Return what people had set, or what the configuration proposes where that has changed."""
    if body.get("origin", dialogue.origin) != dialogue.origin:
        return dialogue.plan
    header = dict(dialogue.plan.header)
    for name in SET_BY_PEOPLE:
        if name in body:
            header.pop(name, None)
            header |= {} if body[name] is None else {name: body[name]}
    if isinstance(header.get("date"), str):
        header["date"] = datetime.date.fromisoformat(str(header["date"]))
    lineup = tuple(Seat(each) for each in body["lineup"])
    return Plan(header, lineup, Seat(body["first"]), bool(body.get("armed", dialogue.plan.armed)))


def _read_call(body: list[Any] | None) -> Call | None:
    if body is None:
        return None
    seat, strokes, pocket = body
    return Call(Seat(seat), int(strokes), Pocket(pocket))


def _read_time_due(body: list[Any] | None, falls: Mapping[int, Fall]) -> TimeDue | None:
    """Read 0:00; whatever falls from now on comes after it, whatever the clock says."""
    if body is None:
        return None
    board, zero_ns, after, *began = body
    known = tuple(int(each) for numbers in began for each in numbers)
    due = TimeDue(int(board), int(zero_ns), None if after is None else int(after), began=known)
    return changed(due, zero_ns=0, began=tuple(n for n in falls if due.follows(falls[n])))


def _read_free(body: Mapping[str, Any] | None) -> FreePlay | None:
    if body is None:
        return None
    falls = tuple(
        FreeFall(
            int(number),
            Pocket(pocket) if pocket else None,
            int(width_ns),
            tuple(Piece(each) for each in pieces),
        )
        for number, pocket, width_ns, pieces in body["falls"]
    )
    return FreePlay(falls, tuple(Piece(each) for each in body["earlier"]), bool(body["sure"]))


def _read_group(body: Mapping[str, Any], falls: Mapping[int, Fall]) -> FallGroup:
    hands, gap_ns = _read_hands(body["hands"]), body["gap_ns"]
    return FallGroup(tuple(falls[n] for n in body["falls"]), hands, _read_gap(gap_ns))


def _read_gap(gap_ns: Any) -> int | None:
    return None if gap_ns is None else int(gap_ns)


def _read_seat(name: Any) -> Seat | None:
    return Seat(name) if name else None


def _read_hands(body: Mapping[str, Any]) -> Hands:
    return tuple(sorted((Pocket(pocket), float(likely)) for pocket, likely in body.items()))


def _read_menu(
    body: Mapping[str, Any] | None, falls: Mapping[int, Fall], now_ns: int
) -> Menu | None:
    """Open a list again: nobody knows any more who opened it, so anybody can work it."""
    if body is None:
        return None
    of = tuple(falls[n] for n in body["falls"])
    pocket = Pocket(body["pocket"]) if body.get("pocket") else None
    about = str(body.get("about", ""))
    return Menu(MenuKind(body["kind"]), int(body["chosen"]), now_ns, None, of, pocket, about)


def _read_departures(body: list[Any]) -> tuple[Departure, ...]:
    return tuple(
        Departure(Piece(piece), Pocket(pocket) if pocket else None, bool(flew_off))
        for piece, pocket, flew_off in body
    )


def _read_proposal(
    dialogue: InMatch, body: Mapping[str, Any], falls: Mapping[int, Fall], now_ns: int
) -> Proposal:
    """Make the proposal again from its falls, and choose the reading that was chosen."""
    told = _read_parked(body, falls, now_ns)
    reopened = _reopened(dialogue) if body.get("reopened") else None
    return read_anew(dialogue, changed(told, reopened=reopened), now_ns)


def _reopened(dialogue: InMatch) -> Line:
    """Return the line whose review was open: the one taken back last, or the first that waits."""
    if dialogue.game.undone:
        return dialogue.game.undone[-1]
    if dialogue.kept is None:
        raise UnfitSnapshot("the line whose review was open is not there")
    return dialogue.kept.lines[0].line


def _read_parked(body: Mapping[str, Any], falls: Mapping[int, Fall], now_ns: int) -> Proposal:
    """Make a parked proposal again: what was sensed, and what people said about it.

    Its readings depend on the stroke before it, so it is read when it is shown and when it is
    opened; until then it has only a stand-in reading, and the one that was chosen.
    """
    body = {**NOTHING_SAID, **body}
    readings = [Reading((), 1.0, EMPTY) if body["nothing_first"] else SOMETHING]
    if body["chosen"] is not None:
        readings.append(_read_choice(body["chosen"]))
    return Proposal(
        seat=Seat(body["seat"]),
        falls=tuple(falls[n] for n in body["falls"]),
        readings=tuple(readings),
        chosen=len(readings) - 1,
        flags=frozenset(Flag(each) for each in body["flags"]),
        flown=tuple(Piece(each) for each in body["flown"]),
        called=Pocket(body["called"]) if body["called"] else None,
        edited=None if body["edited"] is None else _read_departures(body["edited"]),
        opened_ns=now_ns,
        changed_ns=now_ns,
        hands=_read_hands(body["hands"]),
        dark=tuple(Pocket(each) for each in body.get("dark", ())),
        gap_ns=_read_gap(body["gap_ns"]),
        late=bool(body["late"]),
        spoke=_read_seat(body["spoke"]),
        misses=tuple(Seat(each) for each in body["misses"]),
    )


SOMETHING = Reading((Departure(Piece.STRIKER),), 0.0, EMPTY)
"""Stands for readings that are still to be made, the first of which has pieces."""


def _read_choice(picked: Mapping[str, Any]) -> Reading:
    pieces = _read_departures(picked["pieces"])
    missed = tuple(Seat(each) for each in picked["missed"])
    stroke, joins = bool(picked["stroke"]), bool(picked["joins"])
    return Reading(pieces, 0.0, EMPTY, stroke, joins, _read_seat(picked["seat"]), missed)
