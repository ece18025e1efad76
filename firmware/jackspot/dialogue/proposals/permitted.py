"""What the rules of the match on the board let people say now.

This module knows no rule system: it tries an entry on the match and sees whether the rules accept
it. A break is still to be made if it can be missed; dues can be waived where the rules accept
``! waive``; and so on. So a prompt never offers what the record would refuse.
"""

from __future__ import annotations

from jackspot.core.directives import Entry, GiveTurn, Say, Saying
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.options import OPTIONS, is_agreed, number_option
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.rules import rules_for
from jackspot.core.rules.jack.carom import area_may_be_called
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.dialogue_settings import Assistance, DialogueSettings
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase

FORGOT = Say(Saying.FORGOT)
WAIVE = Say(Saying.WAIVE)
DEMAND = Say(Saying.DEMAND)

MISSED = frozenset({Flag.NOBREAK})
"""What is said about a break that did not touch the group."""


SURE = 0.9
"""How likely a reading, or a miss, must be to enter itself where nothing else is set."""


def sure_from(settings: DialogueSettings) -> float:
    """Return how likely a reading must be to enter itself; 0: none does."""
    helps = settings.hands is not Assistance.CONFIRM
    return settings.auto_confirm or (SURE if helps else 0.0)


def missed_from(settings: DialogueSettings) -> float:
    """Return how likely a miss must be to enter itself; 0: none does."""
    return sure_from(settings) if settings.hands is Assistance.FREE else 0.0


def may_say(match: Match, entry: Entry) -> bool:
    """Whether the rules accept an entry now."""
    try:
        match.enter(entry)
    except IllegalEntry:
        return False
    return True


def break_is_due(match: Match, seat: Seat | None = None) -> bool:
    """Whether a seat (None: the one that is to shoot) still has the break to make.

    A seat other than the one that is to shoot would be given the turn first.
    """
    state = match.state
    if state.result is not None or Flag.NOBREAK not in rules_for(state.settings.rules).flags:
        return False
    shooter = seat or state.position.seat
    try:
        if shooter is not state.position.seat:
            match = match.enter(GiveTurn(shooter))
        match.enter(Stroke(shooter, flags=MISSED))
    except IllegalEntry:
        return False
    return True


def may_have_missed_the_break(match: Match, stroke: Stroke) -> bool:
    """Whether a stroke may have missed a break that is due, where nobody has said so.

    At most the striker left the board in it.
    """
    return only_the_striker_left(stroke) and not stroke.flags and break_is_due(match, stroke.seat)


def only_the_striker_left(stroke: Stroke) -> bool:
    """Whether nothing but a striker, or nothing at all, left the board in a stroke."""
    return all(each.piece is Piece.STRIKER for each in stroke.departures)


def area_can_be_hit(settings: MatchSettings, seat: Seat) -> bool:
    """Whether there is a piece that a seat's side must not hit, so that a hit can be called."""
    side = settings.sides.get(seat, settings.sides[settings.seats[0]])
    return settings.rules in OPTIONS["area_rule"].systems and area_may_be_called(settings, side)


def mass_break_is_due(match: Match) -> bool:
    """Whether all seats play the next stroke at once, with a striker each."""
    settings, state = match.settings, match.state
    if state.result is not None or not is_agreed(settings, "opening", "mass_break"):
        return False
    seat, order = state.position.seat, state.position.order
    strikers = (Departure(Piece.STRIKER),) * len(set(order))
    return may_say(match, Stroke(seat, strikers))


def breaks_missed(match: Match) -> tuple[int, int] | None:
    """Return how often the shooter missed the break, and of how many tries; None: none is due."""
    if not break_is_due(match):
        return None
    return match.state.position.strokes_in_turn, number_option(match.settings, "break_attempts")


def debtors(match: Match) -> frozenset[Side]:
    """Return the sides that had to give pieces back for the last stroke, or that owe some."""
    state = match.state
    position, ruling = state.position, state.ruling
    owing = {side for side in position.sides if position.count(side).owed}
    if ruling is not None:
        owing |= {side for side, n in zip(ruling.after.sides, ruling.paid, strict=True) if n}
    return frozenset(owing)


# --- what FIX and OK ask ---------------------------------------------------------------


def question_of_placing(dialogue: InMatch) -> MenuKind | None:
    """Return what FIX asks while pieces are to be put back; None: the record allows nothing."""
    if dialogue.phase is not Phase.PLACING:
        return None
    if may_say(dialogue.game.match, FORGOT):
        return MenuKind.FORGOTTEN
    return MenuKind.WAIVED if may_say(dialogue.game.match, WAIVE) else None


def asks_in_time(dialogue: InMatch) -> bool:
    """Whether people shot on before anybody said placed, and it matters which came first."""
    went_on = bool(dialogue.waiting or dialogue.parked) and not dialogue.game.undone
    return went_on and bool(dialogue.place) and question_of_placing(dialogue) is MenuKind.FORGOTTEN


def may_be_demanded(dialogue: InMatch) -> bool:
    """Whether the winner of the board that is over can ask for the extra point."""
    over = dialogue.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    return over and may_say(dialogue.game.match, DEMAND)


def break_is_asked(dialogue: InMatch) -> bool:
    """Whether OK for a miss first asks if the group was touched."""
    ready = dialogue.phase is Phase.READY and not dialogue.game.undone
    return ready and break_is_due(dialogue.game.match)
