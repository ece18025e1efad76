"""Turn a match into plain data: its summary for the list, and all that happened in it.

The results are kept in the index of the journal, sent to the page and written to JSON, so keys and
meanings must stay as documented in FORMATS.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from jackspot.core.figures import (
    PlayerFigures,
    PocketFigures,
    SeatFigures,
    Shooting,
    pocket_figures,
    seat_figures,
)
from jackspot.core.match import Match, MatchState, deal_points
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.record import write_entry, write_record
from jackspot.core.rules import FinishedBoard
from jackspot.core.scoring import entry_json
from jackspot.core.stroke import Stroke
from jackspot.history.chronicle import Chronicle, NoMatch, ToldLine, When, chronicle, sensed
from jackspot.storage.entries import Sealed

Json = dict[str, Any]


def summarise(entries: Sealed) -> Json:
    """Return the summary of a match from its entries in the journal."""
    try:
        told = chronicle(entries)
    except NoMatch as wrong:
        return {"unreadable": str(wrong)}
    return summary(told)


def summary(told: Chronicle) -> Json:
    """Return the summary of a match: who, when, how it ended, and its figures."""
    match, state = told.match, told.match.state
    settings = match.settings
    return {
        "rules": str(settings.rules),
        "event": settings.event,
        "round": settings.round,
        "place": settings.place,
        "date": settings.date.isoformat() if settings.date else None,
        "began": _when(told.began),
        "ended": _when(told.ended),
        "lasted_s": _seconds(told.ended.since(told.began)),
        "over": state.over,
        "put_aside": told.put_aside and not state.over,
        "winner": str(state.winner) if state.winner else None,
        "points": _by_side(state.points),
        "running": None if state.over else _running(state),
        "boards_won": _by_side(state.boards_won),
        "games_won": _by_side(games) if (games := state.standing.games_won) else None,
        "boards": [board(match, each) for each in state.boards],
        "seats": [seat_json(match, each) for each in seat_figures(match, told.took_ns)],
        "pockets": pockets_json(_pockets(told)),
        "strokes": sum(isinstance(step.entry, Stroke) for step in match.steps),
        "corrections": told.corrections,
        "troubles": list(told.troubles),
    }


def details(told: Chronicle) -> Json:
    """Return every line of a match in the order of entry, and its record."""
    record = write_record(told.match.settings, [step.entry for step in told.match.steps])
    return {"lines": [_line(told, at) for at in range(len(told.lines))], "record": record}


def _when(when: When) -> Json:
    return {"wall_ns": when.wall_ns, "synchronised": when.synchronised}


def _seconds(ns: int | None) -> float | None:
    return None if ns is None or ns < 0 else round(ns / 1e9, 3)


def _by_side(numbers: Mapping[Side, int]) -> dict[str, int]:
    return {str(side): number for side, number in numbers.items()}


def _running(state: MatchState) -> Json:
    """Return the state of the board being played, by side as on this board."""
    position = state.position
    return {
        "board": state.board,
        "next": str(state.next) if state.next else None,
        "points": _by_side(deal_points(state)),
        "pocketed": {str(side): position.count(side).pocketed for side in position.sides},
    }


def board(match: Match, finished: FinishedBoard) -> Json:
    """Return one finished board, its sides named as on board 1."""
    names = {finished.seat_sides[seat]: match.settings.sides[seat] for seat in match.settings.seats}
    result = finished.result
    return {
        "number": finished.number,
        "opener": str(finished.opener),
        "winner": str(names[result.winner]) if result.winner else None,
        "how": str(result.how),
        "points": {str(names[side]): points for side, points in result.points.items()},
    }


def seat_json(match: Match, figures: SeatFigures) -> Json:
    """Return one seat: who sat there, for which side, and their shooting."""
    return {
        "seat": str(figures.seat),
        "name": figures.name,
        "side": str(match.settings.sides[figures.seat]),
        "over": figures.over,
        "won": figures.won,
        "shooting": shooting_json(figures.shooting),
    }


SHOOTING = (
    "strokes", "scoring", "own", "others", "red", "strikers", "flown", "fouls", "paid",
)  # fmt: skip
"""The counts of :class:`jackspot.core.figures.Shooting`, in the order in which they are shown."""


def shooting_json(shooting: Shooting) -> Json:
    """Return somebody's shooting; durations in seconds, shortest first."""
    counts: Json = {name: getattr(shooting, name) for name in SHOOTING}
    return counts | {"took_s": [round(ns / 1e9, 1) for ns in shooting.took_ns]}


def read_seat(said: Mapping[str, Any]) -> SeatFigures:
    """Read a seat of a summary back."""
    shot = said["shooting"]
    counts = {name: int(shot[name]) for name in SHOOTING}
    took = tuple(round(seconds * 1e9) for seconds in shot["took_s"])
    return SeatFigures(
        Seat(said["seat"]),
        said["name"],
        said["over"],
        said["won"],
        Shooting(**counts, took_ns=took),
    )


def player_json(player: PlayerFigures) -> Json:
    """Return the figures of one player."""
    usual = player.shooting.usual_ns
    return {
        "name": player.name,
        "matches": player.matches,
        "finished": player.finished,
        "won": player.won,
        "own_a_stroke": round(player.shooting.own_a_stroke, 3),
        "usual_s": round(usual / 1e9, 1) if usual is not None else None,
        "shooting": shooting_json(player.shooting),
    }


def _pockets(told: Chronicle) -> Mapping[Pocket, PocketFigures]:
    """Return what was confirmed for each pocket and what its beam saw."""
    falls = tuple(told.falls.values())
    return {
        pocket: figures + PocketFigures(*sensed(falls, pocket))
        for pocket, figures in pocket_figures(told.match).items()
    }


def pockets_json(pockets: Mapping[Pocket, PocketFigures]) -> Json:
    """Return figures by pocket."""
    return {
        str(pocket): {
            "falls": each.falls,
            "hands": each.hands,
            "late": each.late,
            "kinds": {str(piece): count for piece, count in each.kinds.items()},
        }
        for pocket, each in pockets.items()
    }


def read_pockets(said: Mapping[str, Any]) -> Mapping[Pocket, PocketFigures]:
    """Read the pockets of a summary back."""
    return {
        Pocket(name): PocketFigures(
            each["falls"],
            each["hands"],
            each["late"],
            MappingProxyType({Piece(piece): count for piece, count in each["kinds"].items()}),
        )
        for name, each in said.items()
    }


def _line(told: Chronicle, at: int) -> Json:
    """Return one line: when, what was entered, what was ruled, and whether it stands."""
    line = told.lines[at]
    said: Json = {
        "number": at + 1,
        "at_s": _seconds(line.when.since(told.began)),
        "wall_ns": line.when.wall_ns,
        "synchronised": line.when.synchronised,
        "entries": list(line.entries),
        "by": line.by,
        "probability": line.probability,
        "kept": line.kept,
        "stands": line.taken_back is None,
        "pockets": [str(told.falls[fall].pocket) for fall in line.falls if fall in told.falls],
    }
    if line.taken_back is not None:
        return said | _as_ruled(told, line)
    steps = [number for number, each in enumerate(told.steps) if each == at]
    return said | {"steps": [_step(told, number) for number in steps]}


def _as_ruled(told: Chronicle, line: ToldLine) -> Json:
    """Return what was ruled for a line that was taken back, and when it was taken back."""
    assert line.taken_back is not None, "asked only of lines that were taken back"
    after_s = _seconds(line.taken_back.since(told.began))
    return {"rulings": list(line.rows), "taken_back_at_s": after_s, "steps": []}


def _step(told: Chronicle, number: int) -> Json:
    """Return one entry that counts, with its ruling and the board after it."""
    step = told.match.steps[number]
    took_s = _seconds(told.took_ns[number])
    return {"entry": write_entry(step.entry), **entry_json(step), "took_s": took_s}


def figures_of(
    summaries: Iterable[Mapping[str, Any]],
) -> tuple[list[SeatFigures], list[Mapping[Pocket, PocketFigures]]]:
    """Read the figures of matches back from their summaries."""
    readable = [each for each in summaries if "unreadable" not in each]
    seats = [read_seat(seat) for each in readable for seat in each["seats"]]
    return seats, [read_pockets(each["pockets"]) for each in readable]
