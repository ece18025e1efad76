"""Counts that cannot be: a thirteenth puck, the jack twice, more falls than pieces.

If somebody sees a red fall when twelve are in, the person is right and the count is wrong:
something was entered wrongly before. This module detects that, and finds the entry that is most
likely the mistake: the one whose falls are most likely to have been something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from jackspot.core.directives import SetPocketed
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure
from jackspot.dialogue.proposals.proposing import reopen
from jackspot.dialogue.proposals.scenes import strikers_in_play
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Game, Line
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import AtRest
from jackspot.dialogue.state.view import Phase
from jackspot.values import changed

OFFERED = 3
"""How many earlier entries are offered at most."""

READ_AGAIN = 12
"""How many entries, the least certain ones, are read again to find the likeliest mistake."""

BY_HAND = 0.03
"""How likely it is that an entry people made by hand is the mistake."""

LONGEST_PIECE_NS = 120_000_000
"""A fall that takes longer than this may be a hand, and is not counted as a piece."""


class Excess(Struct, frozen=True):
    """How many more pieces left the board than were there; ``piece`` None: all kinds together."""

    piece: Piece | None
    count: int


def excess(dialogue: InMatch) -> Excess | None:
    """Return by how much a proposal has more of a piece than the board does; None: it has not."""
    game, shown = dialogue.game, dialogue.proposal
    if shown is None or not shown.is_stroke or shown.joining is not None:
        return None
    if game.match.state.result is not None:
        return None
    left = _left(game.match)
    for piece, count in Counter(each.piece for each in shown.departures).items():
        if piece in left and count > left[piece]:
            return Excess(piece, count - left[piece])
    return None


def too_many_falls(dialogue: InMatch) -> Excess | None:
    """Return how many more pieces fell together than are on the board; None: not more."""
    game, shown = dialogue.game, dialogue.proposal
    if shown is None or game.match.state.result is not None:
        return None
    pieces = sum(_left(game.match).values()) + strikers_in_play(game.match)
    fell = sum(max(fall.widths_ns) < LONGEST_PIECE_NS for fall in shown.falls)
    return Excess(None, fell - pieces) if fell > pieces else None


def _left(match: Match) -> Mapping[Piece, int]:
    """Count the pieces on the board, without strikers."""
    return rules_for(match.settings.rules).on_board(match.state.position)


def counts_that_mend(match: Match, found: Excess) -> tuple[SetPocketed, ...]:
    """Return the corrections of one side's count that bring that many pieces back on the board."""
    position, left = match.state.position, _left(match)
    mending: list[SetPocketed] = []
    for side in position.sides:
        entry = SetPocketed(side, position.count(side).pocketed - found.count)
        after = _entered(match, entry) if entry.count >= 0 else None
        if after is None:
            continue
        there = _left(after)
        kinds = there if found.piece is None else (found.piece,)
        if sum(there[kind] - left[kind] for kind in kinds) >= found.count:
            mending.append(entry)
    return tuple(mending)


def _entered(match: Match, entry: SetPocketed) -> Match | None:
    try:
        return match.enter(entry)
    except IllegalEntry:
        return None


def doubtful_lines(dialogue: InMatch, piece: Piece | None) -> tuple[int, ...]:
    """Return the entries of this board that could explain it, the likeliest mistake first.

    They are those that counted such a piece; the numbers count the match's lines from 0.
    """
    game = dialogue.game
    found = [
        (line.probability if line.probability is not None else 1.0, number)
        for number, line in enumerate(game.lines)
        if _pocketed(line, piece) and _on_this_board(game, number)
    ]
    least = sorted(found)[:READ_AGAIN]
    ranked = sorted(((-_mistaken(dialogue, number, piece), -number) for _p, number in least))
    return tuple(-number for chance, number in ranked[:OFFERED] if chance < 0)


def _pocketed(line: Line, piece: Piece | None) -> int:
    """Count the pieces of a kind that a line says left the board; None: all but strikers."""
    if line.stroke is None:
        return 0
    return _count(line.stroke.departures, piece)


def _count(departures: tuple[Departure, ...], piece: Piece | None) -> int:
    pieces = [each.piece for each in departures]
    return sum(each is not Piece.STRIKER if piece is None else each is piece for each in pieces)


def _steps_before(game: Game, number: int) -> int:
    return sum(len(line.entries) for line in game.lines[:number])


def _on_this_board(game: Game, number: int) -> bool:
    """Whether a line belongs to the board that is played now."""
    after = _steps_before(game, number + 1)
    return after > 0 and game.match.steps[after - 1].state.board == game.match.state.board


def _mistaken(dialogue: InMatch, number: int, piece: Piece | None) -> float:
    """Return how likely a line's falls were fewer pieces of this kind than it says."""
    game = dialogue.game
    line = game.lines[number]
    if not line.falls or line.probability is None:
        return BY_HAND
    match = game.match
    before = Match(match.settings, match.opened, match.steps[: _steps_before(game, number)])
    then = changed(game, match=before, lines=game.lines[:number], undone=())
    dialogue_then = changed(dialogue, game=then, question=AtRest(Phase.READY), kept=None)
    told = reopen(dialogue_then, line, dialogue.timing.now_ns)
    said = _pocketed(line, piece)
    others = (each for each in told.readings if _count(each.departures, piece) < said)
    return sum(each.probability for each in others)


def other_reading(shown: Proposal, piece: Piece | None) -> int:
    """Return the likeliest reading of a reopened entry with fewer pieces of this kind."""
    said = _count(shown.departures, piece)
    likelier = sorted(
        range(len(shown.readings)), key=lambda index: -shown.readings[index].probability
    )
    fewer = (n for n in likelier if _count(shown.readings[n].departures, piece) < said)
    return next(fewer, shown.chosen)
