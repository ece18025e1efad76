"""What the rules must know about a stroke that no beam can see, and when to ask for it.

A side that has to name its pocket, or to play the jack off a cushion, is asked when the jack
falls. If it matters which pocket a piece fell into and nobody knows, that is asked too. Until the
answer comes a proposal is judged as if the answer were a helpful one, so that it can be shown at
all; nothing is entered before then.
"""

from __future__ import annotations

from jackspot.core.match import Match
from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.rules import rules_for
from jackspot.core.settings import Handicap
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.proposals.permitted import (
    MISSED,
    area_can_be_hit,
    break_is_due,
    mass_break_is_due,
    only_the_striker_left,
)
from jackspot.dialogue.state.dialogue_state import Call, DialogueState
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.values import changed

ANSWERS = frozenset({Flag.BANKED, Flag.UNBANKED})
"""What a referee says about the cushion."""
VOID = frozenset({Flag.FOUL, Flag.AREA})
"""With these nothing counts that fell."""


def handicap_of(match: Match, seat: Seat) -> Handicap:
    """Return the handicap of a seat's side."""
    side = match.state.position.seat_sides.get(seat)
    return match.settings.handicaps.get(side, Handicap()) if side else Handicap()


def may_play_the_jack(match: Match, side: Side) -> bool:
    """Whether a side has all it needs in and owes nothing: the jack wins it the board."""
    if Piece.JACK not in rules_for(match.settings.rules).pieces:
        return False
    count = match.state.position.count(side)
    return count.pocketed >= _needed(match, side) and count.owed == 0


def _needed(match: Match, side: Side) -> int:
    handicap = match.settings.handicaps.get(side)
    return handicap.pucks_needed if handicap else match.state.position.pieces_each


def missing(match: Match, stroke: Stroke) -> MenuKind | None:
    """Return what must be asked before a stroke can be entered; None: nothing."""
    if unnamed_in(match, stroke) is not None:
        return MenuKind.NAME_POCKET
    if not _wins_by_the_jack(match, stroke):
        return None
    handicap = handicap_of(match, stroke.seat)
    if handicap.called_pocket and stroke.called is None:
        return MenuKind.CALL
    if handicap.must_bank and not stroke.flags & ANSWERS:
        return MenuKind.BANKED
    return None


def _unknown(each: Departure) -> bool:
    return each.pocket is None and not each.flew_off


def _wins_by_the_jack(match: Match, stroke: Stroke) -> bool:
    """Whether a side has pocketed the jack that may play it, or does with its last puck (LR-15)."""
    side = match.state.position.seat_sides.get(stroke.seat)
    if side is None or not stroke.pocketed(Piece.JACK):
        return False
    if may_play_the_jack(match, side):
        return True
    if not is_agreed(match.settings, "last_puck_with_jack", value="win"):
        return False
    own_in = match.state.position.count(side).pocketed + stroke.pocketed(side.piece)
    return not stroke.flags & VOID and own_in >= _needed(match, side)


def _pockets_that_count(match: Match, stroke: Stroke) -> frozenset[Piece]:
    """Return the kinds whose pocket the rules need to know."""
    kinds: set[Piece] = set()
    settings = match.settings
    named = is_agreed(settings, "own_side_pockets", value=False)
    if named and not mass_break_is_due(match):
        kinds |= {side.piece for side in match.state.position.sides}
    if handicap_of(match, stroke.seat).called_pocket and _wins_by_the_jack(match, stroke):
        kinds.add(Piece.JACK)
    return frozenset(kinds)


def assumed(match: Match, stroke: Stroke) -> Stroke:
    """Fill in what is still to be asked, with the answers that let the stroke count."""
    filled = stroke
    if any(map(_unknown, stroke.departures)):
        pockets = _pockets_that_count(match, stroke)
        departures = tuple(
            changed(each, pocket=Pocket.NE) if _unknown(each) and each.piece in pockets else each
            for each in stroke.departures
        )
        filled = changed(stroke, departures=departures)
    if not _wins_by_the_jack(match, filled):
        return filled
    handicap = handicap_of(match, stroke.seat)
    if handicap.called_pocket and filled.called is None:
        jack = next(
            each for each in filled.departures if each.piece is Piece.JACK and not each.flew_off
        )
        filled = changed(filled, called=jack.pocket)
    if handicap.must_bank and not filled.flags & ANSWERS:
        filled = changed(filled, flags=filled.flags | {Flag.BANKED})
    return filled


def unnamed_in(match: Match, stroke: Stroke) -> int | None:
    """Return the index of the first piece whose pocket the rules need to know; None: no piece."""
    kinds = _pockets_that_count(match, stroke)
    needed = (i for i, e in enumerate(stroke.departures) if _unknown(e) and e.piece in kinds)
    return next(needed, None)


# --- the pocket named beforehand -------------------------------------------------------


def called_now(dialogue: DialogueState, seat: Seat) -> Pocket | None:
    """Return the pocket that a seat named for the stroke that comes next; None: none."""
    call, game = dialogue.called, dialogue.game
    if call is None or game is None or call.seat is not seat or call.strokes != strokes_in(game):
        return None
    return call.pocket


def call_for(game: Game, seat: Seat, pocket: Pocket) -> Call:
    """Note the pocket that a seat names for its next stroke."""
    return Call(seat, strokes_in(game), pocket)


def strokes_in(game: Game) -> int:
    """Count the strokes entered so far."""
    return sum(line.stroke is not None for line in game.lines)


def fit_to(match: Match, stroke: Stroke) -> Stroke:
    """Drop what cannot be said of this seat's stroke: another seat shot after all.

    That is:

    - an answer that its side is not asked for;
    - an area hit where its side has no forbidden piece;
    - a missed break where none is due or more than a striker left the board;
    - anything said of a mass break.
    """
    if not stroke.flags and stroke.called is None:
        return stroke
    if mass_break_is_due(match):
        return changed(stroke, flags=frozenset(), called=None)
    handicap = handicap_of(match, stroke.seat)
    flags = stroke.flags if handicap.must_bank else stroke.flags - ANSWERS
    missed = only_the_striker_left(stroke) and break_is_due(match, stroke.seat)
    if flags & MISSED and not missed:
        flags -= MISSED
    if Flag.AREA in flags and not area_can_be_hit(match.settings, stroke.seat):
        flags -= {Flag.AREA}
    called = stroke.called if handicap.called_pocket else None
    if flags == stroke.flags and called is stroke.called:
        return stroke
    return changed(stroke, flags=flags, called=called)
