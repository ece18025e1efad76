"""A board's last piece that hung at a pocket's edge and fell long after its stroke was entered.

That piece may have ended the board for whoever shot last, and nobody could shoot on. That is too
costly to overlook, however rare it is. Other pieces that hang this long are corrected by UNDO.
"""

from __future__ import annotations

from collections.abc import Iterable

from jackspot.core.match import Match
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.legal import CHECKED, entered
from jackspot.readings.reading import Reading
from jackspot.sensing.events import Fall


def may_have_been_last(match: Match, stroke: Stroke, falls: tuple[Fall, ...]) -> bool:
    """Whether a stroke still to be entered ends the board with one more piece that fell."""
    lies = rules_for(match.settings.rules).on_board(match.state.position)
    return any(
        _ends(match, stroke, (*stroke.departures, Departure(piece, pocket)))
        for piece, count in lies.items()
        if count
        for pocket in {fall.pocket for fall in falls}
    )


def that_end_it(match: Match, stroke: Stroke, longer: Iterable[Reading]) -> tuple[Reading, ...]:
    """Return the readings in which a stroke grew by a piece that ends the board.

    No striker hangs that long: the next seat picks it up to shoot.
    """
    strikers = _strikers(stroke.departures)
    grown = [each for each in longer if _strikers(each.departures) == strikers]
    return tuple(each for each in grown[:CHECKED] if _ends(match, stroke, each.departures))


def _ends(match: Match, stroke: Stroke, departures: tuple[Departure, ...]) -> bool:
    longer = Stroke(stroke.seat, departures, stroke.flags, stroke.called)
    after = entered(match, longer)
    return after is not None and after.state.result is not None


def _strikers(departures: tuple[Departure, ...]) -> int:
    return sum(each.piece is Piece.STRIKER for each in departures)
