"""What is asked in each phase: the headline, what there is to know, what OK and FIX do now."""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.match import MatchState
from jackspot.core.order import MatchOrder
from jackspot.core.phrases import EMPTY, Phrase, _, _c
from jackspot.core.pieces import Side
from jackspot.core.settings import MatchSettings
from jackspot.dialogue.actions.codes import record_of
from jackspot.dialogue.lists.menu import is_question, items
from jackspot.dialogue.proposals.answers import called_now
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.hands import hand_pockets
from jackspot.dialogue.proposals.impossible import excess
from jackspot.dialogue.proposals.permitted import asks_in_time, may_be_demanded, question_of_placing
from jackspot.dialogue.proposals.proposing import asked_of, outcome, stroke_of
from jackspot.dialogue.proposals.spanning import READINGS_BY_FIX
from jackspot.dialogue.state.controls import speak_for_all
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance, InMatch
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import AtRest, Falling, Paused, Review
from jackspot.dialogue.state.view import BoardView, Phase, ReadingView
from jackspot.dialogue.words.hints import (
    break_hint,
    heard_hint,
    owed_hints,
    queen_hint,
    shot_hints,
    time_hint,
    trust_hint,
)
from jackspot.dialogue.words.line_words import said_word
from jackspot.dialogue.words.placers import placing_words
from jackspot.dialogue.words.sides import (
    colour_of,
    colours_change,
    moved_word,
    named_of,
    ordered_word,
    seated,
)
from jackspot.dialogue.words.wording import (
    counted,
    follows_word,
    hand_word,
    how_word,
    listed,
    piece_word,
    proposal_word,
    result_word,
    side_word,
)
from jackspot.readings.reading import DOUBTFUL_BELOW, Reading
from jackspot.values import changed

READINGS_SHOWN = READINGS_BY_FIX
"""Pages show as many readings as FIX steps through."""


def with_list_words(dialogue: DialogueState, menu: Menu, view: BoardView) -> BoardView:
    """Say what OK and FIX do in the open list."""
    if is_question(dialogue, menu):
        return changed(view, ok=_("yes"), fix=_("no"))
    listed_items = items(dialogue)
    item = listed_items[min(menu.chosen, len(listed_items) - 1)]
    plain = _("hold: confirm") if item.held else _("select")
    return changed(view, ok=item.says or plain, fix=_("next") if len(listed_items) > 1 else EMPTY)


def with_question(dialogue: DialogueState, view: BoardView) -> BoardView:
    """Say what there is to know, and what OK and FIX do now."""
    if not isinstance(dialogue, InMatch):
        return (
            _setup(dialogue, view) if dialogue.offered is None else _offered(dialogue.offered, view)
        )
    match dialogue.question:
        case Falling(shown) | Review(shown):
            return _proposed(dialogue, shown, view)
        case Paused(side):
            return _paused(dialogue, side, view)
        case AtRest(Phase.READY):
            return _ready(dialogue, view)
        case AtRest(Phase.PLACING):
            return _placing(dialogue, view)
        case AtRest():
            return _over(dialogue, view)


def _offered(order: MatchOrder, view: BoardView) -> BoardView:
    """Ask whether the players of the hall's order are here."""
    seats = " ".join(seat.value for seat in order.settings.seats)
    return changed(
        view,
        headline=ordered_word(order),
        detail=listed([*_round(order.settings), _("at {seats}", seats=seats)]),
        ok=_("we are here"),
        fix=_("not us"),
    )


def _round(settings: MatchSettings) -> list[Phrase]:
    return [] if settings.round is None else [_("{name}", name=settings.round)]


def _setup(dialogue: DialogueState, view: BoardView) -> BoardView:
    plan, place = dialogue.plan, dialogue.hall_place
    for_all = speak_for_all(dialogue.settings.buttons, plan.lineup)
    detail = _("FIX: other seat first") if for_all else _("won the toss? your OK")
    if place is not None and place.is_in and place.number is None:
        detail = _("set the board number")
    return changed(
        view,
        headline=_("{seat} shoots first", seat=plan.first.value),
        detail=detail,
        ok=_("start"),
        fix=_("next"),
    )


def _ready(dialogue: InMatch, view: BoardView) -> BoardView:
    state = dialogue.game.match.state
    seat = view.shooter
    side = side_word(state.position.seat_sides[seat]) if seat else EMPTY
    lines = dialogue.game.lines
    kept = state.ruling is not None and state.ruling.keeps_turn
    again = kept and bool(lines) and lines[-1].stroke is not None
    name = seat.value if seat else ""
    headline = (
        _("{side} {seat}: shoot again", side=side, seat=name)
        if again
        else _("{side} {seat} to shoot", side=side, seat=name)
    )
    if dialogue.game.undone:
        n = len(dialogue.game.undone)
        return changed(
            view, headline=_("taken back: {n}", n=n), detail=headline,
            ok=_c("what was taken back", "put back"), fix=_fix_in_ready(dialogue),
        )  # fmt: skip
    if dialogue.by_itself is not None:
        said = said_word(dialogue.by_itself)
        return changed(
            view, headline=headline, detail=_("{said}, by itself", said=said),
            ok=_("yes"), fix=_("no"),
        )  # fmt: skip
    if dialogue.waits_for_gong:
        return changed(
            view, headline=_("waiting for the gong"), detail=headline,
            ok=_("gong!"), fix=_fix_in_ready(dialogue),
        )  # fmt: skip
    return changed(
        view, headline=headline, detail=_remarks(dialogue, state),
        ok=_("missed"), fix=_fix_in_ready(dialogue),
    )  # fmt: skip


def _fix_in_ready(dialogue: DialogueState) -> Phrase:
    return _("no hand") if dialogue.assumed else _("enter it")


def _remarks(dialogue: InMatch, state: MatchState) -> Phrase:
    """Say the next thing to know: the last stroke, a striker to fetch, the jack, debts."""
    if dialogue.assumed:
        return hand_word(hand_pockets(dialogue))
    for pocket in dialogue.fetch:
        striker = _("striker in {pocket}", pocket=pocket.value) if pocket else _FETCH
        return listed([striker, *queen_hint(state), *break_hint(dialogue.game.match)])
    call = called_now(dialogue, state.position.seat)
    if call is not None:
        return _("called {pocket}", pocket=call.value)
    if state.time_up is not None:
        return listed(time_hint(state))
    parts = [*heard_hint(dialogue), *trust_hint(dialogue)]
    parts += [*shot_hints(dialogue, dialogue.game), *owed_hints(state)]
    parts += [moved_word(dialogue.moved_to)] if dialogue.moved_to is not None else []
    parts += [_("{pocket} manual", pocket=pocket.value) for pocket in dark_pockets(dialogue)]
    return listed(parts)


_FETCH: Phrase = _("pick up the striker")


def _proposed(dialogue: InMatch, proposal: Proposal, view: BoardView) -> BoardView:
    readings = tuple(
        _reading(dialogue, changed(proposal, chosen=index, edited=None), index)
        for index in range(min(len(proposal.readings), READINGS_SHOWN))
    )
    edited = proposal.edited is not None or proposal.chosen >= len(readings)
    shown = _reading(dialogue, proposal, proposal.chosen) if edited else readings[proposal.chosen]
    found = excess(dialogue)
    if found is not None and found.piece is not None:
        piece = piece_word(found.piece)
        shown = changed(shown, follows=_("{piece}: {n} too many", piece=piece, n=found.count))
    question = asked_of(dialogue, proposal)
    if question is not None:
        shown = changed(shown, follows=_ASKED[question], ends_board=False)
    return changed(
        view,
        headline=shown.what,
        detail=shown.follows,
        ok=_("answer") if question else _("hold: yes") if shown.ends_board else _("yes"),
        fix=_("next"),
        proposal=shown,
        readings=readings,
    )


_ASKED: Mapping[MenuKind, Phrase] = {
    MenuKind.NAME_POCKET: _("OK: which pocket?"),
    MenuKind.CALL: _("OK: pocket called?"),
    MenuKind.BANKED: _("OK: by the cushion?"),
    MenuKind.IN_TIME: _("OK: put back in time?"),
    MenuKind.TOUCHED: _("OK: group touched?"),
}
"""What OK asks first, where the rules must know more about a stroke."""


def _reading(dialogue: InMatch, proposal: Proposal, index: int) -> ReadingView:
    match = dialogue.game.match
    after = outcome(dialogue, proposal)
    reading: Reading = proposal.readings[index]
    stroke = stroke_of(dialogue.game, proposal)
    by_people = proposal.edited is not None or not proposal.falls or proposal.reopened is not None
    return ReadingView(
        what=proposal_word(stroke, proposal),
        follows=follows_word(match.state.next, proposal, after),
        why=reading.why,
        departures=proposal.departures,
        probability=1.0 if proposal.edited is not None else reading.probability,
        doubtful=(proposal.by_head or reading.probability < DOUBTFUL_BELOW) and not by_people,
        ends_board=after is not None and (after.result is not None or after.over),
        flags=stroke.flags,
        stroke=proposal.is_stroke,
        seat=stroke.seat,
        missed=proposal.missed,
        before=proposal.joining is not None,
    )


def _placing(dialogue: InMatch, view: BoardView) -> BoardView:
    """Say what goes back on the board, and what comes off it after a correction."""
    off = counted(dialogue.take)
    if not dialogue.place:
        return changed(view, headline=_("take off"), detail=off, ok=_("done"))
    headline, back = placing_words(view.placing)
    detail = _("{back}; take off {off}", back=back, off=off) if dialogue.take else back
    question = question_of_placing(dialogue)
    return changed(
        view, headline=headline, detail=detail,
        ok=_("what fell?") if asks_in_time(dialogue) else _("placed"),
        fix=_UNPLACED[question] if question else EMPTY,
    )  # fmt: skip


_UNPLACED: Mapping[MenuKind, Phrase] = {
    MenuKind.FORGOTTEN: _("forgotten?"),
    MenuKind.WAIVED: _("waived?"),
}
"""What FIX asks while pieces are to be put back."""


GLANCES: Mapping[Glance, Phrase] = {
    Glance.POWER: _("power was off"),
    Glance.MOVED: _("goes on here"),
}
"""Why people compare table and counts."""


def _paused(dialogue: InMatch, time_out: Side | None, view: BoardView) -> BoardView:
    first, second = view.sides
    counts = _(
        "{side} {n}, {other} {m}?", side=side_word(first.side), n=first.pocketed,
        other=side_word(second.side), m=second.pocketed,
    )  # fmt: skip
    if dialogue.moved_to is not None:
        return changed(
            view, headline=moved_word(dialogue.moved_to), detail=_("put it aside here?"),
            ok=_("yes"), fix=_("no"),
        )  # fmt: skip
    if dialogue.glance is not None:
        return changed(
            view, headline=GLANCES[dialogue.glance], detail=_("in: {counts}", counts=counts),
            ok=_("right"), fix=_("correct"),
        )  # fmt: skip
    headline = _("time-out of {side}", side=side_word(time_out)) if time_out else _("paused")
    return changed(view, headline=headline, detail=EMPTY, ok=_("go on"), fix=_("menu"))


def _over(dialogue: InMatch, view: BoardView) -> BoardView:
    game, state = dialogue.game, dialogue.game.match.state
    if dialogue.phase is Phase.MATCH_OVER:
        winner = colour_of(state, state.winner) if state.winner else None
        over = changed(
            view, headline=_match_winner(state), detail=_how_and_sent(dialogue, state),
            winner=winner,
            result_points=(view.sides[0].points, view.sides[1].points),
            ok=_("hold: new"), fix=_("menu"),
            record=record_of(game),
        )  # fmt: skip
        if dialogue.offered is None:
            return over
        return changed(
            over, detail=ordered_word(dialogue.offered), ok=_("we are here"),
            fix=_("not us"),
        )  # fmt: skip
    result = state.result
    if result is None:
        return view
    first, second = (result.points.get(side.side, 0) for side in view.sides)
    return changed(
        view, headline=_winner(result.winner),
        detail=listed([_how_and_who_opens(state), *view.hints]),
        winner=result.winner, result_points=(first, second),
        ok=_c("what was taken back", "put back") if game.undone else _("next board"),
        fix=_("extra point?") if may_be_demanded(dialogue) else EMPTY,
    )  # fmt: skip


def _winner(winner: Side | None) -> Phrase:
    return _("{side} wins", side=side_word(winner)) if winner else _("tied")


def _match_winner(state: MatchState) -> Phrase:
    """Say who won a match: by colour, or by name where colours have changed."""
    if state.winner is None or not colours_change(state):
        return _winner(state.winner)
    return _("{side} wins", side=seated(state.settings, state.winner))


def _how_and_who_opens(state: MatchState) -> Phrase:
    """Say how a board ended and who opens the next one."""
    if state.next is None:
        return _how(state)
    return _("{how}, {seat} opens", how=_how(state), seat=state.next.value)


def _how_and_sent(dialogue: InMatch, state: MatchState) -> Phrase:
    """Say how a match ended, and in a hall whether its desk has the result."""
    hall, how = dialogue.hall, _how(state)
    if hall is None or hall.unsent is None or (hall.away and not hall.unsent):
        return how
    sent = _("kept, {n} to send", n=hall.unsent) if hall.unsent else _("sent")
    return listed([each for each in (how, sent) if each != EMPTY])


def _how(state: MatchState) -> Phrase:
    """Say how it ended, and who won the board where the match went to the other side."""
    result = state.result
    if result is None:
        return EMPTY
    won = result.winner and named_of(state.settings, state.position.seat_sides, result.winner)
    if state.over and won is not state.winner:
        return result_word(result)
    return how_word(result.how)
