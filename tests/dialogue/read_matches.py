"""Matches of every system, falls on their boards, and how these are read."""

from __future__ import annotations

from jackspot.core.agreement import agree
from jackspot.core.directives import Entry
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import RULES, rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.scenes import ranked, scene_in
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall, Pulse
from jackspot.sensing.limits import MS

QUEENS = [system for system in RULES if rules_for(system).red is Piece.QUEEN]


TWO_SIDES = [system for system in QUEENS if system is not RuleSystem.POINTS]


def begin(rules: str, *entries: Entry, **options: object) -> Match:
    """A match of two, after some entries."""
    match = Match.begin(agree({"rules": rules, "options": options}))
    for entry in entries:
        match = match.enter(entry)
    return match


def shot(seat: Seat, *pieces: Piece) -> Stroke:
    return Stroke(seat, tuple(Departure(piece, Pocket.SE) for piece in pieces))


def fall(*widths_ms: float, pocket: Pocket = Pocket.NE, number: int = 1, at_ms: float = 0) -> Fall:
    """Return a fall of pulses this wide, 5 ms apart."""
    pulses, start_ms = [], at_ms
    for width_ms in widths_ms:
        pulses.append(Pulse(pocket, round(start_ms * MS), round((start_ms + width_ms) * MS)))
        start_ms += width_ms + 5
    return Fall(number, pocket, tuple(pulses))


def read(match: Match, *falls: Fall, seat: Seat | None = None) -> tuple[Reading, ...]:
    """Rank the readings of some falls for the seat that is to shoot."""
    return ranked(scene_in(match, seat or match.state.position.seat), falls)


def pieces(reading: Reading) -> tuple[Piece, ...]:
    return tuple(each.piece for each in reading.departures)
