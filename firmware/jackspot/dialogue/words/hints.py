"""What there is to say beside the question: breaks missed, debts, the jack, changes of sides.

Each hint is a short sentence. A view has all of them that apply; a display shows as many as it
has room for. Nothing here is judged or entered.
"""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.directives import RedPlace
from jackspot.core.match import Match, MatchState, TimeUp
from jackspot.core.options import is_agreed
from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.rules import facts_of, rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke
from jackspot.dialogue.proposals.answers import called_now, handicap_of, may_play_the_jack
from jackspot.dialogue.proposals.heard_misses import who_shot
from jackspot.dialogue.proposals.permitted import breaks_missed, mass_break_is_due, sure_from
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.sides import red_words
from jackspot.dialogue.words.wording import side_word

VOID_TURNS = frozenset({"PT-06", "PT-09", "PT-10"})
"""Rows of points carrom in which a queen that goes back voids the points of a turn."""


def hints(dialogue: InMatch) -> tuple[Phrase, ...]:
    """Return everything there is to say now, the most urgent first."""
    game, state = dialogue.game, dialogue.game.match.state
    match dialogue.phase:
        case Phase.READY | Phase.FALLING | Phase.REVIEW:
            return (*time_hint(state), *trust_hint(dialogue), *heard_hint(dialogue),
                    *last_seat_hint(state), *shot_hints(dialogue, game),
                    *_paid_hints(state), *owed_hints(state), *_first_shot_hints(game))  # fmt: skip
        case Phase.PLACING:
            return (*_paid_hints(state), *_placing_hints(dialogue, state))
        case Phase.BOARD_OVER | Phase.MATCH_OVER:
            return _over_hints(state)
        case _:
            return owed_hints(state)


def desk_hint(dialogue: DialogueState) -> tuple[Phrase, ...]:
    """Say that the hall's desk is called or not reached, or that the board has no number yet."""
    hall, place = dialogue.hall, dialogue.hall_place
    told: list[Phrase] = []
    if place is not None and place.is_in and place.number is None:
        told.append(_("set the board number"))
    if hall is not None and hall.call is not None:
        told.append(_("desk called"))
    if hall is not None and hall.away:
        told.append(_("the desk is away"))
    return tuple(told)


# --- before a stroke -------------------------------------------------------------------


def time_hint(state: MatchState) -> tuple[Phrase, ...]:
    """Say what is still played after 0:00."""
    if state.time_up is None or state.result is not None:
        return ()
    return (_TIME_IS_UP[state.time_up],)


def heard_hint(dialogue: DialogueState) -> tuple[Phrase, ...]:
    """Say who has been heard to shoot, if nothing fell and nobody has pressed for it."""
    shot = who_shot(dialogue) if isinstance(dialogue, InMatch) else ()
    if not shot:
        return ()
    return (_("{seats} shot, nothing fell", seats=" ".join(seat.value for seat in shot)),)


def trust_hint(dialogue: InMatch) -> tuple[Phrase, ...]:
    """Say that nothing enters itself any more, because people have objected too often."""
    lost = sure_from(dialogue.settings) > 0 and dialogue.game.trust.is_lost
    return (_("each stroke is asked again"),) if lost else ()


def last_seat_hint(state: MatchState) -> tuple[Phrase, ...]:
    """Say who shoots last, in the last round."""
    if state.time_up is not TimeUp.ROUND or state.result is not None:
        return ()
    order = state.position.order
    last = order[order.index(state.opener) - 1]
    return (_("{seat} is last", seat=last.value),)


_TIME_IS_UP: Mapping[TimeUp, Phrase] = {
    TimeUp.STROKE: _("time is up: last stroke"),
    TimeUp.TURN: _("time is up: last turn"),
    TimeUp.ROUND: _("time is up: last round"),
    TimeUp.DECIDER: _("tied: next puck wins"),
}
"""What is still played after 0:00."""


def shot_hints(dialogue: DialogueState, game: Game) -> tuple[Phrase, ...]:
    """Say what the next stroke is about: the queen, the break, the jack; and what is new."""
    match = game.match
    return (*queen_hint(match.state), *break_hint(match), *jack_hints(dialogue, match),
            *_covered_hint(game), *_restore_hint(game), *_void_hint(game),
            *_mass_break_hint(match))  # fmt: skip


def queen_hint(state: MatchState) -> tuple[Phrase, ...]:
    """Say that the queen must be covered by this stroke, or goes back when the turn ends."""
    told = state.position.red in (RedPlace.PENDING, RedPlace.POCKETED) and state.result is None
    return (red_words(state),) if told else ()


def break_hint(match: Match) -> tuple[Phrase, ...]:
    """Say how often the break was missed in this turn."""
    missed = breaks_missed(match)
    if missed is None or not missed[0]:
        return ()
    return (_("break missed {n} of {m}", n=missed[0], m=missed[1]),)


def jack_hints(dialogue: DialogueState, match: Match) -> tuple[Phrase, ...]:
    """Say that the jack wins now, and how it must be played."""
    position = match.state.position
    if not may_play_the_jack(match, position.side):
        return ()
    handicap = handicap_of(match, position.seat)
    told = [_("jack may be played")]
    if handicap.called_pocket:
        call = called_now(dialogue, position.seat)
        told.append(_("called {pocket}", pocket=call.value) if call else _("call a pocket"))
    if handicap.must_bank:
        told.append(_("must cushion"))
    if _is_a_miss_a_fault(match):
        told.append(_("one shot only"))
    return tuple(told)


def _is_a_miss_a_fault(match: Match) -> bool:
    """Whether a stroke with which nothing falls would cost something now."""
    if match.state.result is not None:
        return False
    missed = match.enter(Stroke(match.state.position.seat)).steps[-1].ruling
    return missed is not None and missed.foul


def owed_hints(state: MatchState) -> tuple[Phrase, ...]:
    """Say who owes how many pieces."""
    owing = [(side, state.position.count(side).owed) for side in state.position.sides]
    return tuple(_("{side} owes {n}", side=side_word(side), n=n) for side, n in owing if n)


def _paid_hints(state: MatchState) -> tuple[Phrase, ...]:
    """Say who pays only some of what is owed: ``RED pays 1 of 2 now``."""
    ruling = state.ruling
    if ruling is None or not state.place:
        return ()
    position = ruling.after
    told = []
    for side, paid in zip(position.sides, ruling.paid, strict=True):
        owed = position.count(side).owed
        if paid and owed:
            told.append(_("{side} pays {n} of {m} now", side=side_word(side), n=paid,
                          m=paid + owed))  # fmt: skip
    return tuple(told)


def _last_stroke(game: Game) -> Stroke | None:
    """Return the stroke that was entered last, if nothing was entered since."""
    return game.lines[-1].stroke if game.lines else None


def _covered_hint(game: Game) -> tuple[Phrase, ...]:
    """Say that the queen has just been covered, and by whom."""
    if not game.lines or not game.lines[-1].entries or game.match.state.result is not None:
        return ()
    first = len(game.match.steps) - len(game.lines[-1].entries)
    before = game.match.steps[first - 1].state if first else game.match.opened
    now = game.match.state.position
    news = now.red is RedPlace.COVERED and before.position.red is not RedPlace.COVERED
    if not news or now.red_side is None:
        return ()
    return (_("queen covered by {side}", side=side_word(now.red_side)),)


def _restore_hint(game: Game) -> tuple[Phrase, ...]:
    """Say that after an area hit the opponents put everything back where it was."""
    stroke, settings = _last_stroke(game), game.match.settings
    if stroke is None or Flag.AREA not in stroke.flags or Flag.FOUL in stroke.flags:
        return ()
    return (_("opponents restore"),) if is_agreed(settings, "area_hit", "restore") else ()


def _void_hint(game: Game) -> tuple[Phrase, ...]:
    """Say that the points of the turn that has just passed do not count."""
    ruling = game.match.state.ruling
    void = ruling is not None and _last_stroke(game) is not None
    if not void or ruling is None or not VOID_TURNS & set(ruling.rows):
        return ()
    if Piece.QUEEN not in ruling.place:
        return ()  # a counter beside the striker covered her
    return (_("points of turn are void"),)


def _first_shot_hints(game: Game) -> tuple[Phrase, ...]:
    """Say how a player plays the first stroke of a board, and what the referee watches."""
    match = game.match
    state, settings = match.state, match.settings
    if not facts_of(settings.rules).tee_spot or state.result is not None:
        return ()
    if mass_break_is_due(match):
        return ()
    told = [] if state.position.seat in _seats_that_shot(match) else [_("from the tee spot")]
    if handicap_of(match, state.position.seat).weak_hand:
        told.append(_("with the weak hand"))
    return tuple(told)


def _mass_break_hint(match: Match) -> tuple[Phrase, ...]:
    """Say that all seats break at once, before the first stroke of a board."""
    return (_("mass break: all at once"),) if mass_break_is_due(match) else ()


def _seats_that_shot(match: Match) -> frozenset[Seat]:
    """Return the seats that have shot on the running board; a mass break is everybody's."""
    if is_agreed(match.settings, "opening", "mass_break"):
        return frozenset(match.settings.seats)
    seats: set[Seat] = set()
    for step in reversed(match.steps):
        if step.state.board != match.state.board or len(seats) == len(match.settings.seats):
            break
        if isinstance(step.entry, Stroke):
            seats.add(step.entry.seat)
    return frozenset(seats)


# --- placing ---------------------------------------------------------------------------


def _placing_hints(dialogue: DialogueState, state: MatchState) -> tuple[Phrase, ...]:
    """Say how long the opponent has."""
    within = facts_of(state.settings.rules).place_within
    return (within,) if dialogue.place and within is not None else ()


# --- between boards --------------------------------------------------------------------


def _over_hints(state: MatchState) -> tuple[Phrase, ...]:
    """Say that a game is over, and whether players change sides."""
    if state.standing.games_won is None or not state.standing.games or state.over:
        return ()
    told = []
    winner = game_winner(state)
    if winner is not None:
        told.append(_("game to {seats}", seats=_seats_of(state.settings, winner)))
    if changes_sides(state):
        told.append(_("change sides"))
    return tuple(told)


def _seats_of(settings: MatchSettings, side: Side) -> str:
    return " ".join(seat.value for seat in settings.seats if settings.sides[seat] is side)


def game_winner(state: MatchState) -> Side | None:
    """Return the side, as named on board 1, that has just won a game; None: it goes on."""
    now, before = state.standing.games_won, _games_before(state)
    if now is None:
        return None
    return next((side for side, n in now.items() if n > before.get(side, 0)), None)


def _games_before(state: MatchState) -> Mapping[Side, int]:
    """Return the games won before the board that is over."""
    rules = rules_for(state.settings.rules)
    return rules.standing(state.settings, state.boards[:-1]).games_won or {}


THIRD_GAME_BOARDS, THIRD_GAME_POINTS = 4, 13
"""Law 33: in the third game sides change after this many boards, or at this many points."""


def changes_sides(state: MatchState) -> bool:
    """Whether players change sides after the board that is over (ICF law 33)."""
    changes = facts_of(state.settings.rules).changes_sides
    if not changes or state.result is None or state.over:
        return False
    if game_winner(state) is not None:
        return True
    return _third_is_half(state, len(state.boards)) and not _third_is_half(
        state, len(state.boards) - 1
    )


def _third_is_half(state: MatchState, boards: int) -> bool:
    """Whether the third game was half played after this many boards of the match."""
    of_third = [
        board
        for board, game in zip(state.boards[:boards], state.standing.games, strict=False)
        if game == 3
    ]
    return len(of_third) >= THIRD_GAME_BOARDS or any(
        sum(board.result.points[board.seat_sides[seat]] for board in of_third) >= THIRD_GAME_POINTS
        for seat in state.settings.seats
    )
