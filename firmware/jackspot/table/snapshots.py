"""What is open on the desk, as a journal entry and back.

Lines, undo and falls stand in the journal by themselves. What people are in the middle of
(a review, editing, placing, a list, a pause) is written down whole whenever it changes, so
that a board that loses power comes back where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Flag
from jackspot.table.desk import Desk, Menu, MenuKind, Plan, Proposal
from jackspot.table.entries import Json
from jackspot.table.events import Fall, Place
from jackspot.table.proposals import by_hand, propose, reopen
from jackspot.table.view import Phase


def open_work(desk: Desk) -> tuple[object, ...]:
    """Give all that a snapshot holds, as a value that is quick to compare."""
    proposal = desk.proposal and replace(desk.proposal, opened_ns=0, changed_ns=0)
    menu = desk.menu and replace(desk.menu, used_ns=0)
    running = desk.game is not None and desk.game.clock.running
    return (
        desk.phase, proposal, desk.waiting, desk.parked, desk.place, desk.fetch, menu,
        desk.glance, desk.time_due, desk.plan, running, desk.game is None,
    )  # fmt: skip


def snapshot(desk: Desk, now_ns: int) -> dict[str, Json]:
    """Write down what is open."""
    clock = desk.game.clock if desk.game else None
    return {
        "phase": desk.phase.value,
        "used_ns": clock.used_at(now_ns) if clock else 0,
        "running": clock.running if clock else False,
        "proposal": _proposal(desk.proposal),
        "parked": [_proposal(each) for each in desk.parked],
        "waiting": [[fall.number for fall in group] for group in desk.waiting],
        "place": [piece.value for piece in desk.place],
        "fetch": [pocket.value if pocket else None for pocket in desk.fetch],
        "menu": _menu(desk.menu),
        "glance": desk.glance,
        "time_due": desk.time_due,
        "plan": {
            "header": _plain(desk.plan.header),
            "lineup": [seat.value for seat in desk.plan.lineup],
            "first": desk.plan.first.value,
        },
    }


def _plain(value: object) -> Any:
    """Turn nested mappings and sequences into JSON values; dates into their text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _departure(each: Departure) -> list[Json]:
    return [each.piece.value, each.pocket.value if each.pocket else None, each.flew_off]


def _proposal(proposal: Proposal | None) -> dict[str, Json] | None:
    if proposal is None:
        return None
    edited = proposal.edited
    return {
        "seat": proposal.seat.value,
        "falls": [fall.number for fall in proposal.falls],
        "reading": [_departure(each) for each in proposal.reading.departures],
        "stroke": proposal.reading.stroke,
        "flags": sorted(flag.value for flag in proposal.flags),
        "flown": [piece.value for piece in proposal.flown],
        "edited": None if edited is None else [_departure(each) for each in edited],
        "reopened": proposal.reopened is not None,
    }


def _menu(menu: Menu | None) -> dict[str, Json] | None:
    if menu is None:
        return None
    return {
        "kind": menu.kind.value,
        "chosen": menu.chosen,
        "opener": menu.opener.value if menu.opener else None,
        "falls": [fall.number for fall in menu.falls],
    }


class Unfit(ValueError):
    """A snapshot that does not fit the match it stands beside."""


def laid_out(desk: Desk, body: Mapping[str, Any], falls: Mapping[int, Fall], now_ns: int) -> Desk:
    """Lay what a snapshot holds on a desk that has its match already.

    Instants start anew at ``now_ns``; the clock stands. Raises :class:`Unfit` where the
    snapshot names falls or readings that do not exist.
    """
    try:
        laid = replace(
            desk,
            phase=Phase(body["phase"]),
            place=tuple(Piece(each) for each in body["place"]),
            fetch=tuple(Pocket(each) if each else None for each in body["fetch"]),
            glance=bool(body["glance"]),
            time_due=bool(body["time_due"]),
            waiting=tuple(tuple(falls[n] for n in group) for group in body["waiting"]),
            plan=_read_plan(body["plan"]),
            menu=_read_menu(body["menu"], falls, now_ns),
        )
        if laid.game is None:
            return replace(laid, phase=Phase.SETUP, place=(), fetch=(), waiting=(), glance=False)
        parked = tuple(_read_proposal(laid, each, falls, now_ns) for each in body["parked"])
        shown = body["proposal"]
        proposal = _read_proposal(laid, shown, falls, now_ns) if shown else None
    except (KeyError, ValueError, TypeError, IndexError) as wrong:
        raise Unfit(f"{type(wrong).__name__}: {wrong}") from wrong
    return replace(laid, parked=parked, proposal=proposal)


def _read_plan(body: Mapping[str, Any]) -> Plan:
    return Plan(body["header"], tuple(Seat(each) for each in body["lineup"]), Seat(body["first"]))


def _read_menu(
    body: Mapping[str, Any] | None, falls: Mapping[int, Fall], now_ns: int
) -> Menu | None:
    if body is None:
        return None
    opener = Place(body["opener"]) if body["opener"] else None
    of = tuple(falls[n] for n in body["falls"])
    return Menu(MenuKind(body["kind"]), int(body["chosen"]), now_ns, opener, of)


def _read_departure(body: list[Any]) -> Departure:
    piece, pocket, flew_off = body
    return Departure(Piece(piece), Pocket(pocket) if pocket else None, bool(flew_off))


def _read_proposal(
    desk: Desk, body: Mapping[str, Any], falls: Mapping[int, Fall], now_ns: int
) -> Proposal:
    """Make the proposal again from its falls, and choose what was chosen."""
    assert desk.game is not None, "a proposal belongs to a match"
    of = tuple(falls[n] for n in body["falls"])
    if body["reopened"]:
        fresh = reopen(desk, desk.game.undone[-1], now_ns)
    elif of:
        fresh = propose(replace(desk, place=(), fetch=()), of, now_ns)
    else:
        fresh = by_hand(desk, now_ns, frozenset(Flag(each) for each in body["flags"]))
    pick = tuple(_read_departure(each) for each in body["reading"])
    chosen = next(
        (
            index
            for index, reading in enumerate(fresh.readings)
            if (reading.departures, reading.stroke) == (pick, body["stroke"])
        ),
        None,
    )
    edited = body["edited"]
    if chosen is None and edited is None:
        edited = body["reading"]
    return replace(
        fresh,
        seat=Seat(body["seat"]),
        chosen=chosen or 0,
        flags=frozenset(Flag(each) for each in body["flags"]),
        flown=tuple(Piece(each) for each in body["flown"]),
        edited=None if edited is None else tuple(_read_departure(each) for each in edited),
    )
