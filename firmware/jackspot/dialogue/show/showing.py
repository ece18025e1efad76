"""The desk in words and numbers: what every display shows.

Pure: a view is made from a desk, an instant and the words of
:mod:`jackspot.dialogue.words.wording`. Who plays and how it stands is said here, and what lies over
any phase; what is asked in each phase is said in :mod:`jackspot.dialogue.show.asking`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from jackspot.core.agreement import option
from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.core.rules import rules_for
from jackspot.core.values import changed
from jackspot.dialogue.lists.item import Item
from jackspot.dialogue.lists.menu import is_question, items, title
from jackspot.dialogue.phases.deadlines import HOLD_BAR_FROM_NS, HOLD_BAR_STEP_NS
from jackspot.dialogue.phases.presses import can_do
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.hands import hand_pockets
from jackspot.dialogue.proposals.keeping import behind
from jackspot.dialogue.proposals.proposing import asked_of, implies_placed
from jackspot.dialogue.show.asking import with_list_words, with_question
from jackspot.dialogue.show.queue_view import queued
from jackspot.dialogue.state.desk import AT_NO_INSTANT, Desk, Still
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import best_of, has_games, rules_of, time_limit_s
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    HoldView,
    LastRuling,
    LineView,
    MenuView,
    Phase,
    Written,
)
from jackspot.dialogue.steps import attract, free_play
from jackspot.dialogue.steps.absent import remarks
from jackspot.dialogue.steps.codes import code_shown, codes
from jackspot.dialogue.steps.shot_clock import shot_view
from jackspot.dialogue.words.fault_words import fault_view
from jackspot.dialogue.words.hints import hints
from jackspot.dialogue.words.placers import placing_of
from jackspot.dialogue.words.sides import game_now, red_words, sides_before, sides_in
from jackspot.dialogue.words.wording import counted, listed, outcome_word, proposal_word, what_word
from jackspot.sensing.events import Key


def show(desk: Desk, now_ns: int) -> BoardView:
    """Make the view of a desk at an instant.

    All but what time itself changes is remembered while nothing else does.
    """
    still, implied = _still(Still(desk))
    return changed(
        still,
        sequence=desk.sequence,
        ask=desk.asked.token,
        asked_by=desk.asked.by,
        detail=_with_remarks(desk, still.detail, implied, now_ns),
        clock=still.clock if desk.game is None else _clock(desk, desk.game, now_ns),
        shot=None if desk.game is None else shot_view(desk, now_ns),
        hold=_hold(desk, now_ns),
        menu=_turned(desk, still, now_ns),
        code=code_shown(desk, now_ns),
    )


def timed_parts(desk: Desk, now_ns: int) -> tuple[object, ...]:
    """Return what time itself makes of a view, as far as people see it: clocks in whole seconds.

    Everything that :func:`show` takes from its instant stands here too.
    """
    clock = desk.game.clock if desk.game is not None else None
    left_s = -(-clock.remaining_at(now_ns) // SECOND_NS) if clock is not None else 0
    shot = shot_view(desk, now_ns)
    shot_s = -(-shot.remaining_ns // SECOND_NS) if shot is not None else None
    hold = _hold(desk, now_ns)
    bar = (hold.button, (now_ns - hold.down_ns) // HOLD_BAR_STEP_NS) if hold is not None else None
    return (left_s, shot_s, bar, code_shown(desk, now_ns), remarks(desk, now_ns))


REMEMBERED = 4
"""Desks whose views are remembered: the one on the board, and those of a few boards beside it."""


@lru_cache(maxsize=REMEMBERED)
def _still(key: Still) -> tuple[BoardView, Phrase | None]:
    """Show a desk but for what time changes; and what an OK implies besides what is asked."""
    desk = changed(key.desk, **AT_NO_INSTANT)
    view = _before_match(desk) if desk.game is None else _in_match(desk, desk.game)
    view = with_question(desk, view) if desk.free is None else free_play.shown(desk, view)
    if desk.glance and desk.phase is not Phase.PAUSED:
        view = replace(view, detail=_power_was_off(view.detail))
    if desk.note != EMPTY:
        view = replace(view, detail=desk.note)
    if desk.menu is not None:
        view = with_list_words(desk, view)
    view = attract.shown(desk, view)
    view = replace(
        view,
        by_hand=dark_pockets(desk),
        faults=tuple(fault_view(fault) for fault in desk.faults),
        menu=_menu(desk),
        codes=codes(desk),
        lit=_lit(desk),
        house=desk.house,
        can=can_do(desk),
        fix_held=_fix_held(desk),
    )
    return view, _implied(desk)


def _turned(desk: Desk, still: BoardView, now_ns: int) -> MenuView | None:
    """Mark in a list of codes the one that is shown now."""
    if still.menu is None or not still.codes:
        return still.menu
    return replace(still.menu, chosen=code_shown(desk, now_ns))


def _implied(desk: Desk) -> Phrase | None:
    """Say what an OK implies: that what was to be put back lies there."""
    shown = desk.proposal
    if shown is None or not desk.place or not implies_placed(desk, shown):
        return None
    if asked_of(desk, shown) is MenuKind.IN_TIME:
        return None
    return _("{pieces} placed", pieces=counted(desk.place))


def _with_remarks(desk: Desk, detail: Phrase, implied: Phrase | None, now_ns: int) -> Phrase:
    """Say beside the question what an OK implies, who objects, that any seat may answer."""
    said = [] if detail == EMPTY else [detail]
    if implied is not None:
        said.append(implied)
    return listed([*said, *(each for each in remarks(desk, now_ns) if each != detail)])


def _power_was_off(detail: Phrase) -> Phrase:
    return _("power was off") if detail == EMPTY else _("power was off, {then}", then=detail)


# --- who and how it stands -------------------------------------------------------------


def _before_match(desk: Desk) -> BoardView:
    """Show what set-up proposes."""
    plan = desk.plan
    rules = rules_of(plan)
    limit_ns = time_limit_s(plan) * SECOND_NS
    game = int(has_games(plan))
    return BoardView(
        sequence=0, ask=0, phase=desk.phase, rules=rules, board=1,
        best_of=best_of(plan), sides=sides_before(plan, rules), shooter=plan.first,
        red=RedPlace.BOARD, game=game, game_board=game,
        clock=ClockView(limit_ns, limit_ns, running=False, armed=plan.armed and limit_ns > 0),
    )  # fmt: skip


def _in_match(desk: Desk, game: Game) -> BoardView:
    state = game.match.state
    position = state.position
    settings = game.match.settings
    over = desk.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    shooter = desk.proposal.shooter if desk.proposal else (None if over else state.next)
    best_of = option(settings, "best_of")
    lamps = frozenset() if shooter is None or desk.phase is Phase.PAUSED else {shooter}
    number, its_board = game_now(state)
    return BoardView(
        sequence=0, ask=0, phase=desk.phase, rules=settings.rules,
        board=state.board, best_of=best_of if isinstance(best_of, int) else 1,
        sides=sides_in(game.match, shooter), shooter=shooter, red=position.red,
        place=desk.place,
        fetch=tuple(pocket for pocket in desk.fetch if pocket not in hand_pockets(desk)),
        waiting=len(desk.waiting) + len(desk.parked) + behind(desk), queue=queued(desk),
        placing=placing_of(state, desk.place), hints=hints(desk),
        last=_last(game), lamps=frozenset(lamps),
        red_side=position.red_side, red_words=red_words(state),
        on_board=tuple(rules_for(settings.rules).on_board(position).items()),
        game=number, game_board=its_board,
        written=Written(settings, tuple(e for line in game.lines for e in line.entries)),
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


# --- over any phase --------------------------------------------------------------------


def _hold(desk: Desk, now_ns: int) -> HoldView | None:
    whole_ns = desk.customs.hold_ns
    for down in desk.downs:
        held_ns = now_ns - down.down_ns
        growing = down.held and not down.woke and HOLD_BAR_FROM_NS <= held_ns <= whole_ns
        if growing and down.button.key in (Key.OK, Key.FIX, Key.UNDO):
            return HoldView(down.button, down.down_ns, held_ns / whole_ns)
    return None


def _fix_held(desk: Desk) -> Phrase:
    if desk.menu is not None:
        return _("close")
    if desk.free is None and desk.phase in (Phase.FALLING, Phase.REVIEW):
        return _("edit")
    return _("menu")


def _menu(desk: Desk) -> MenuView | None:
    if desk.menu is None:
        return None
    listed_items = items(desk)
    chosen = min(desk.menu.chosen, len(listed_items) - 1)
    head = title(desk)
    if desk.menu.kind is MenuKind.EDIT and desk.proposal and desk.game:
        head = proposal_word(desk.game.match, desk.proposal)
    labels = tuple(item.label for item in listed_items)
    lines = tuple(_line(item) for item in listed_items)
    kind = desk.menu.kind.value
    return MenuView(head, labels, chosen, is_question(desk), desk.note, kind, lines)


def _line(item: Item) -> LineView:
    chosen = (index for index, choice in enumerate(item.choices) if choice.chosen)
    return LineView(
        does=item.pages[0] if item.pages else item.says or EMPTY,
        held=item.held,
        does_held=item.pages[1] if item.pages else EMPTY,
        locked=item.locked,
        typed=item.typed is not None,
        choices=tuple(choice.label for choice in item.choices),
        chosen=next(chosen, None),
    )


def _lit(desk: Desk) -> tuple[Pocket, ...]:
    """Give the pockets where something is falling or has just fallen."""
    falling = desk.proposal.falls if desk.phase is Phase.FALLING and desk.proposal else ()
    pockets = (*desk.broken, *(fall.pocket for fall in falling))
    return tuple(dict.fromkeys(pockets))
