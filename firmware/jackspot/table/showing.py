"""The desk in words and numbers: what every display shows.

Pure: a view is made from a desk, an instant and the words of :mod:`jackspot.table.wording`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jackspot.core.agreement import option
from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import RedPlace
from jackspot.core.match import MatchState
from jackspot.core.pieces import Pocket, Side
from jackspot.core.record import write_record
from jackspot.core.rules import rules_for
from jackspot.table import attract, free_play
from jackspot.table.absent import remarks
from jackspot.table.answers import called_now, fit_to
from jackspot.table.controls import speak_for_all
from jackspot.table.dark import dark_pockets
from jackspot.table.deadlines import HOLD_BAR_FROM_NS
from jackspot.table.desk import Desk
from jackspot.table.events import FaultRaised, Key, Trouble
from jackspot.table.game import Game
from jackspot.table.hands import hand_pockets
from jackspot.table.hints import (
    break_hint,
    hints,
    owed_hints,
    queen_hint,
    shot_hints,
    time_hint,
)
from jackspot.table.impossible import excess
from jackspot.table.keeping import behind
from jackspot.table.menu import is_question, items, title
from jackspot.table.menu_kinds import MenuKind
from jackspot.table.permitted import asks_in_time, may_be_demanded, question_of_placing
from jackspot.table.phrases import EMPTY, Phrase, _
from jackspot.table.placers import placing_of, placing_words
from jackspot.table.plans import best_of, rules_of, time_limit_s
from jackspot.table.proposal import Proposal
from jackspot.table.proposing import asked_of, implies_placed, outcome
from jackspot.table.queue_view import queued
from jackspot.table.reading import DOUBTFUL_BELOW, Reading
from jackspot.table.shot_clock import shot_view
from jackspot.table.sides import (
    colour_of,
    colours_change,
    game_now,
    named_of,
    red_words,
    seated,
    sides_before,
    sides_in,
)
from jackspot.table.spanning import READINGS_BY_FIX
from jackspot.table.view import (
    BoardView,
    ClockView,
    FaultView,
    HoldView,
    LastRuling,
    MenuView,
    Phase,
    ReadingView,
)
from jackspot.table.wording import (
    counted,
    follows_word,
    hand_word,
    how_word,
    listed,
    outcome_word,
    piece_word,
    proposal_word,
    result_word,
    side_word,
    what_word,
)

READINGS_SHOWN = READINGS_BY_FIX
"""As many readings as FIX goes through are shown on pages."""


def show(desk: Desk, now_ns: int) -> BoardView:
    """Make the view of a desk at an instant."""
    view = _before_match(desk) if desk.game is None else _in_match(desk, desk.game, now_ns)
    view = _words(desk, view) if desk.free is None else free_play.shown(desk, view)
    if desk.glance and desk.phase is not Phase.PAUSED:
        view = replace(view, detail=_power_was_off(view.detail))
    if desk.note != EMPTY:
        view = replace(view, detail=desk.note)
    view = replace(view, detail=_with_remarks(desk, view.detail, now_ns))
    if desk.menu is not None:
        view = _list_words(desk, view)
    view = attract.shown(desk, view)
    return replace(
        view,
        by_hand=dark_pockets(desk),
        faults=tuple(_fault(fault) for fault in desk.faults),
        hold=_hold(desk, now_ns),
        menu=_menu(desk),
        lit=_lit(desk),
        house=desk.house,
    )


def _with_remarks(desk: Desk, detail: Phrase, now_ns: int) -> Phrase:
    """Say beside the question what an OK implies, who objects, that any seat may answer."""
    said = [] if detail == EMPTY else [detail]
    shown = desk.proposal
    implied = shown is not None and implies_placed(desk, shown) and bool(desk.place)
    if implied and shown is not None and asked_of(desk, shown) is not MenuKind.IN_TIME:
        said.append(_("{pieces} placed", pieces=counted(desk.place)))
    return listed([*said, *(each for each in remarks(desk, now_ns) if each != detail)])


def _power_was_off(detail: Phrase) -> Phrase:
    return _("power was off") if detail == EMPTY else _("power was off, {then}", then=detail)


def _list_words(desk: Desk, view: BoardView) -> BoardView:
    """Say what OK and FIX do in the list that is open."""
    assert desk.menu is not None, "no list is open"
    if is_question(desk):
        return replace(view, ok=_("yes"), fix=_("no"))
    listed_items = items(desk)
    item = listed_items[min(desk.menu.chosen, len(listed_items) - 1)]
    plain = _("hold: do it") if item.held else _("do it")
    return replace(view, ok=item.says or plain, fix=_("next"))


# --- who and how it stands -------------------------------------------------------------


def _before_match(desk: Desk) -> BoardView:
    """Show what set-up proposes."""
    plan = desk.plan
    rules = rules_of(plan)
    limit_ns = time_limit_s(plan) * SECOND_NS
    return BoardView(
        sequence=desk.sequence, ask=desk.asked.token, phase=desk.phase, rules=rules, board=1,
        best_of=best_of(plan), sides=sides_before(plan, rules), shooter=plan.first,
        red=RedPlace.BOARD,
        clock=ClockView(limit_ns, limit_ns, running=False, armed=plan.armed and limit_ns > 0),
    )  # fmt: skip


def _in_match(desk: Desk, game: Game, now_ns: int) -> BoardView:
    state = game.match.state
    position = state.position
    settings = game.match.settings
    over = desk.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    shooter = desk.proposal.shooter if desk.proposal else (None if over else state.next)
    best_of = option(settings, "best_of")
    lamps = frozenset() if shooter is None or desk.phase is Phase.PAUSED else {shooter}
    number, its_board = game_now(state)
    return BoardView(
        sequence=desk.sequence, ask=desk.asked.token, phase=desk.phase, rules=settings.rules,
        board=state.board, best_of=best_of if isinstance(best_of, int) else 1,
        sides=sides_in(game.match, shooter), shooter=shooter, red=position.red,
        place=desk.place,
        fetch=tuple(pocket for pocket in desk.fetch if pocket not in hand_pockets(desk)),
        waiting=len(desk.waiting) + len(desk.parked) + behind(desk), queue=queued(desk),
        placing=placing_of(state, desk.place), hints=hints(desk),
        clock=_clock(desk, game, now_ns), shot=shot_view(desk, now_ns),
        last=_last(game), lamps=frozenset(lamps),
        red_side=position.red_side, red_words=red_words(state),
        on_board=tuple(rules_for(settings.rules).on_board(position).items()),
        game=number, game_board=its_board,
    )  # fmt: skip


def _clock(desk: Desk, game: Game, now_ns: int) -> ClockView:
    clock = game.clock
    left_ns, armed = clock.remaining_at(now_ns), desk.waits_for_gong
    return ClockView(clock.limit_ns, left_ns, clock.running, now_ns, armed)


def _last(game: Game) -> LastRuling | None:
    """Say in words what the last stroke's ruling was."""
    if not game.lines or game.lines[-1].stroke is None:
        return None
    stroke = game.lines[-1].stroke
    state = game.match.state
    rows = state.ruling.rows if state.ruling else ()
    what = what_word(stroke.departures, stroke.flags, stroke=True, called=stroke.called)
    outcome = outcome_word(state, stroke.seat)
    words = _("{seat} {what}: {outcome}", seat=stroke.seat.value, what=what, outcome=outcome)
    return LastRuling(rows, words)


# --- what is asked ---------------------------------------------------------------------


def _words(desk: Desk, view: BoardView) -> BoardView:
    """Say what there is to know, and what OK and FIX do now."""
    match desk.phase:
        case Phase.SETUP:
            return _setup(desk, view)
        case Phase.READY:
            return _ready(desk, view)
        case Phase.FALLING | Phase.REVIEW:
            return _proposed(desk, view)
        case Phase.PLACING:
            return _placing(desk, view)
        case Phase.PAUSED:
            return _paused(desk, view)
        case Phase.BOARD_OVER | Phase.MATCH_OVER:
            return _over(desk, view)


def _setup(desk: Desk, view: BoardView) -> BoardView:
    plan = desk.plan
    for_all = speak_for_all(desk.customs.buttons, plan.lineup)
    return replace(
        view,
        headline=_("{seat} shoots first", seat=plan.first.value),
        detail=_("FIX: another is first") if for_all else _("winner: press your OK"),
        ok=_("start"),
        fix=_("next"),
    )


def _ready(desk: Desk, view: BoardView) -> BoardView:
    assert desk.game is not None, "ready is a phase of a match"
    state = desk.game.match.state
    seat = view.shooter
    side = side_word(state.position.seat_sides[seat]) if seat else EMPTY
    lines = desk.game.lines
    kept = state.ruling is not None and state.ruling.keeps_turn
    again = kept and bool(lines) and lines[-1].stroke is not None
    name = seat.value if seat else ""
    headline = (
        _("{side} {seat}: shoot again", side=side, seat=name)
        if again
        else _("{side} {seat} to shoot", side=side, seat=name)
    )
    if desk.game.undone:
        n = len(desk.game.undone)
        return replace(
            view, headline=_("taken back: {n}", n=n), detail=headline,
            ok=_("put back"), fix=_fix_in_ready(desk),
        )  # fmt: skip
    if desk.waits_for_gong:
        return replace(
            view, headline=_("waiting for the gong"), detail=headline,
            ok=_("gong!"), fix=_fix_in_ready(desk),
        )  # fmt: skip
    return replace(
        view, headline=headline, detail=_remarks(desk, state),
        ok=_("nothing in"), fix=_fix_in_ready(desk),
    )  # fmt: skip


def _fix_in_ready(desk: Desk) -> Phrase:
    return _("no hand") if desk.assumed else _("by hand")


def _remarks(desk: Desk, state: MatchState) -> Phrase:
    """Say the next thing to know: the last stroke, a striker to fetch, the jack, debts."""
    if desk.assumed:
        return hand_word(hand_pockets(desk))
    assert desk.game is not None, "remarks belong to a match"
    for pocket in desk.fetch:
        striker = _("striker in {pocket}", pocket=pocket.value) if pocket else _FETCH
        return listed([striker, *queen_hint(state), *break_hint(desk.game.match)])
    call = called_now(desk, state.position.seat)
    if call is not None:
        return _("called {pocket}", pocket=call.value)
    if state.time_up is not None:
        return listed(time_hint(state))
    parts = [*shot_hints(desk, desk.game), *owed_hints(state)]
    parts += [_("{pocket} by hand", pocket=pocket.value) for pocket in dark_pockets(desk)]
    return listed(parts)


_FETCH: Phrase = _("fetch the striker")


def _proposed(desk: Desk, view: BoardView) -> BoardView:
    proposal = desk.proposal
    if proposal is None:
        return view
    readings = tuple(
        _reading(desk, replace(proposal, chosen=index, edited=None), index)
        for index in range(min(len(proposal.readings), READINGS_SHOWN))
    )
    shown = _reading(desk, proposal, proposal.chosen)
    found = excess(desk)
    if found is not None and found.piece is not None:
        piece = piece_word(found.piece)
        shown = replace(shown, follows=_("{piece}: {n} too many", piece=piece, n=found.count))
    question = asked_of(desk, proposal)
    if question is not None:
        shown = replace(shown, follows=_ASKED[question], ends_board=False)
    return replace(
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
}
"""What OK asks first, where the rules must know more of a stroke."""


def _reading(desk: Desk, proposal: Proposal, index: int) -> ReadingView:
    assert desk.game is not None, "a reading belongs to a match"
    match = desk.game.match
    after = outcome(desk, proposal)
    reading: Reading = proposal.readings[index]
    stroke = fit_to(match, proposal.as_stroke(None))
    by_people = proposal.edited is not None or not proposal.falls or proposal.reopened is not None
    return ReadingView(
        what=proposal_word(match, proposal),
        follows=follows_word(match.state.next, proposal, after),
        why=reading.why,
        departures=proposal.departures,
        probability=1.0 if proposal.edited is not None else reading.probability,
        doubtful=reading.probability < DOUBTFUL_BELOW and not by_people,
        ends_board=after is not None and (after.result is not None or after.over),
        flags=stroke.flags,
        stroke=proposal.is_stroke,
        seat=stroke.seat,
        missed=proposal.missed,
        before=proposal.joining is not None,
    )


def _placing(desk: Desk, view: BoardView) -> BoardView:
    """Say what goes back on the board, and what comes off it after a correction."""
    off = counted(desk.take)
    if not desk.place:
        return replace(view, headline=_("take off"), detail=off, ok=_("done"))
    headline, back = placing_words(view.placing)
    detail = _("{back}; take off {off}", back=back, off=off) if desk.take else back
    question = question_of_placing(desk)
    return replace(
        view, headline=headline, detail=detail,
        ok=_("what fell?") if asks_in_time(desk) else _("placed"),
        fix=_UNPLACED[question] if question else EMPTY,
    )  # fmt: skip


_UNPLACED: Mapping[MenuKind, Phrase] = {
    MenuKind.FORGOTTEN: _("forgotten?"),
    MenuKind.WAIVED: _("waived?"),
}
"""What FIX asks while pieces are to be put back."""


def _paused(desk: Desk, view: BoardView) -> BoardView:
    first, second = view.sides
    counts = _(
        "{side} {n}, {other} {m}?", side=side_word(first.side), n=first.pocketed,
        other=side_word(second.side), m=second.pocketed,
    )  # fmt: skip
    if desk.glance:
        return replace(
            view, headline=_("power was off"), detail=_("in: {counts}", counts=counts),
            ok=_("right"), fix=_("correct"),
        )  # fmt: skip
    headline = _("paused")
    if desk.time_out is not None:
        headline = _("time-out of {side}", side=side_word(desk.time_out))
    return replace(view, headline=headline, detail=EMPTY, ok=_("go on"), fix=_("menu"))


def _over(desk: Desk, view: BoardView) -> BoardView:
    assert desk.game is not None, "only a match has results"
    game = desk.game
    state = game.match.state
    if desk.phase is Phase.MATCH_OVER:
        entries = tuple(entry for line in game.lines for entry in line.entries)
        winner = colour_of(state, state.winner) if state.winner else None
        return replace(
            view, headline=_match_winner(state), detail=_how(state), winner=winner,
            result_points=(view.sides[0].points, view.sides[1].points),
            ok=_("hold: new"), fix=_("menu"),
            record=write_record(game.match.settings, entries),
        )  # fmt: skip
    result = state.result
    if result is None:
        return view
    first, second = (result.points.get(side.side, 0) for side in view.sides)
    return replace(
        view, headline=_winner(result.winner),
        detail=listed([_how_and_who_opens(state), *view.hints]),
        winner=result.winner, result_points=(first, second),
        ok=_("put back") if game.undone else _("next board"),
        fix=_("extra point?") if may_be_demanded(desk) else EMPTY,
    )  # fmt: skip


def _winner(winner: Side | None) -> Phrase:
    return _("{side} wins", side=side_word(winner)) if winner else _("level")


def _match_winner(state: MatchState) -> Phrase:
    """Say who won a match: by colour, or by name where colours have changed."""
    if state.winner is None or not colours_change(state):
        return _winner(state.winner)
    return _("{side} wins", side=seated(state, state.winner))


def _how_and_who_opens(state: MatchState) -> Phrase:
    """Say how a board ended and who opens the next one."""
    if state.next is None:
        return _how(state)
    return _("{how}, {seat} opens", how=_how(state), seat=state.next.value)


def _how(state: MatchState) -> Phrase:
    """Say how it ended; the board's winner too, where the match went to the other side."""
    result = state.result
    if result is None:
        return EMPTY
    won = result.winner and named_of(state.settings, state.position.seat_sides, result.winner)
    if state.over and won is not state.winner:
        return result_word(result)
    return how_word(result.how)


# --- over any phase --------------------------------------------------------------------


def _fault(fault: FaultRaised) -> FaultView:
    what, remedy = _FAULTS[fault.trouble]
    part = fault.part.replace("_", " ")
    return FaultView(fault.part, fault.trouble, Phrase(what.msgid, (("part", part),)), remedy)


_FAULTS: Mapping[Trouble, tuple[Phrase, Phrase]] = {
    Trouble.BLOCKED: (_("{part} blocked"), _("clear it, FIX enters")),
    Trouble.CHATTER: (_("{part} flickers"), _("shade it, FIX enters")),
    Trouble.STUCK: (_("{part} is stuck"), _("use another button")),
    Trouble.GONE: (_("{part} is gone"), _("check its cable")),
    Trouble.DISK: (_("disk: not saved"), _("free space on disk")),
    Trouble.SET_ASIDE: (_("{part} set aside"), _("see log, check score")),
    Trouble.OVERFLOW: (_("too fast: check"), _("compare the counts")),
}


def _hold(desk: Desk, now_ns: int) -> HoldView | None:
    whole_ns = desk.customs.hold_ns
    for down in desk.downs:
        held_ns = now_ns - down.down_ns
        growing = down.held and not down.woke and HOLD_BAR_FROM_NS <= held_ns <= whole_ns
        if growing and down.button.key in (Key.OK, Key.FIX, Key.UNDO):
            return HoldView(down.button, down.down_ns, held_ns / whole_ns)
    return None


def _menu(desk: Desk) -> MenuView | None:
    if desk.menu is None:
        return None
    listed_items = items(desk)
    chosen = min(desk.menu.chosen, len(listed_items) - 1)
    head = title(desk)
    if desk.menu.kind is MenuKind.EDIT and desk.proposal and desk.game:
        head = proposal_word(desk.game.match, desk.proposal)
    labels = tuple(item.label for item in listed_items)
    return MenuView(head, labels, chosen, is_question(desk), desk.note, desk.menu.kind.value)


def _lit(desk: Desk) -> tuple[Pocket, ...]:
    """Give the pockets where something is falling or has just fallen."""
    falling = desk.proposal.falls if desk.phase is Phase.FALLING and desk.proposal else ()
    pockets = (*desk.broken, *(fall.pocket for fall in falling))
    return tuple(dict.fromkeys(pockets))
