"""Who puts pieces back, and where: each rule system's way, in words.

Hikone and the championship stack them on the jack spot. In the carrom systems the opponent has
the right to place what a side gives back, and the queen goes to the centre.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import takewhile

from jackspot.core.match import Match, MatchState
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Piece, Side
from jackspot.core.rules import facts_of
from jackspot.core.ruling import Ruling
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import PlaceView
from jackspot.dialogue.words.wording import counted, listed, side_word


def placing_of(match: Match, place: tuple[Piece, ...]) -> tuple[PlaceView, ...]:
    """Say who puts these pieces back, and where; bottom to top."""
    state = match.state
    facts = facts_of(state.settings.rules)
    if not place:
        return ()
    if facts.due_spot is None:
        return (PlaceView(place, EMPTY, facts.spot),)
    payers = _payers(match)
    groups: dict[tuple[Side | None, Phrase], list[Piece]] = {}
    for piece in place:
        payer = payers[piece].pop(0) if payers[piece] else None
        where = facts.due_spot if payer else facts.spot
        placer = state.position.other(payer) if payer else None
        groups.setdefault((placer, where), []).append(piece)
    return tuple(
        PlaceView(tuple(pieces), side_word(placer) if placer else facts.rest_by, where)
        for (placer, where), pieces in groups.items()
    )


def _payers(match: Match) -> defaultdict[Piece, list[Side | None]]:
    """Return, piece by piece, whose opponent places what this board sent back, newest first.

    None: nobody's, as no side pays it.
    """
    payers: defaultdict[Piece, list[Side | None]] = defaultdict(list)
    for step in takewhile(lambda each: each.state.board == match.state.board, match.steps[::-1]):
        state = step.state
        opponent_places_all = facts_of(state.settings.rules).opponent_places_all
        shooter = _shooters(state) if opponent_places_all else None
        stroke = state.ruling if isinstance(step.entry, Stroke) else None
        due = Counter(_dues(stroke)) if stroke else Counter(state.place)
        for piece in state.place:
            owner = next((side for side in state.position.sides if side.piece is piece), None)
            payers[piece].append(owner if owner and due[piece] > 0 else shooter)
            due[piece] -= 1
    return payers


def _shooters(state: MatchState) -> Side | None:
    """Return the side that made the last stroke of this board."""
    ruling = state.ruling
    if ruling is None:
        return None
    keeps = ruling.keeps_turn or ruling.result is not None
    shot = ruling.after.turn - (0 if keeps else 1)
    return ruling.after.seat_sides[ruling.after.order[shot]]


def _dues(ruling: Ruling) -> list[Piece]:
    """Return the pieces that a stroke made the sides pay."""
    paid = zip(ruling.after.sides, ruling.paid, strict=True)
    return [side.piece for side, n in paid for _each in range(n)]


def placing_words(groups: tuple[PlaceView, ...]) -> tuple[Phrase, Phrase]:
    """Say in one line who puts pieces back, and in another what and where."""
    everything = tuple(piece for group in groups for piece in group.pieces)
    if len(groups) == 1 and groups[0].by == EMPTY:
        return _("put back"), counted(everything)
    if len({group.by for group in groups}) == 1:
        each = [_what_where(group) for group in groups]
        return _("{who} puts back", who=groups[0].by), listed(each)
    return _("put back"), listed([_who_what_where(group) for group in groups])


def _what_where(group: PlaceView) -> Phrase:
    return _("{pieces} {where}", pieces=counted(group.pieces), where=group.where)


def _who_what_where(group: PlaceView) -> Phrase:
    if group.by == EMPTY:
        return _what_where(group)
    return _("{who}: {what}", who=group.by, what=_what_where(group))
