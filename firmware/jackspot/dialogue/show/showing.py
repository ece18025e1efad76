"""The dialogue in words and numbers: what every display shows.

Pure: a view is made from a dialogue, an instant and the words of
:mod:`jackspot.dialogue.words.wording`. This module says who plays, how the match stands, and what
is shown over any phase; :mod:`jackspot.dialogue.show.asking` says what is asked in each phase.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter

from jackspot.core.agreement import option
from jackspot.core.clock import SECOND_NS
from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.core.rules import rules_for
from jackspot.dialogue.actions import attract, desk_words, free_play, gong
from jackspot.dialogue.actions.absent import remarks
from jackspot.dialogue.actions.codes import code_shown, codes
from jackspot.dialogue.actions.shot_clock import shot_view
from jackspot.dialogue.lists.item import Item
from jackspot.dialogue.lists.menu import is_question, items, title
from jackspot.dialogue.phases.deadlines import HOLD_BAR_FROM_NS, HOLD_BAR_STEP_NS
from jackspot.dialogue.phases.table import can_do
from jackspot.dialogue.proposals.dark import dark_pockets
from jackspot.dialogue.proposals.hands import hand_pockets
from jackspot.dialogue.proposals.keeping import behind
from jackspot.dialogue.proposals.proposing import asked_of, implies_placed, stroke_of
from jackspot.dialogue.show.asking import GLANCES, with_list_words, with_question
from jackspot.dialogue.show.queue_view import queued
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance, InMatch, StateKey
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import best_of, has_games, ordered, rules_of, time_limit_s
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    HallView,
    HoldView,
    LastRuling,
    LineView,
    MenuView,
    OrderState,
    Phase,
    Written,
)
from jackspot.dialogue.words.fault_words import fault_view
from jackspot.dialogue.words.hints import desk_hint, hints
from jackspot.dialogue.words.placers import placing_of
from jackspot.dialogue.words.sides import game_now, red_words, sides_before, sides_in
from jackspot.dialogue.words.wording import counted, listed, outcome_word, proposal_word, what_word
from jackspot.sensing.events import Key
from jackspot.values import IdentityKey, changed


def show(dialogue: DialogueState, now_ns: int) -> BoardView:
    """Make the view of a dialogue at an instant.

    Everything that time itself does not change is remembered while nothing else changes.
    """
    still, implied = _still(StateKey(dialogue))
    return changed(
        still,
        sequence=dialogue.timing.sequence,
        headline=gong.counted(dialogue, now_ns) or still.headline,
        ask=dialogue.timing.asked.token,
        asked_by=dialogue.timing.asked.by,
        detail=_with_remarks(dialogue, still.detail, implied, now_ns),
        clock=still.clock if dialogue.game is None else _clock(dialogue, dialogue.game, now_ns),
        shot=None if dialogue.game is None else shot_view(dialogue, now_ns),
        hold=_hold(dialogue, now_ns),
        menu=_turned(dialogue, still, now_ns),
        code=code_shown(dialogue, now_ns),
        notice=desk_words.notice_shown(dialogue, now_ns),
        lamps=desk_words.lamps_shown(dialogue, still.lamps, now_ns),
    )


def timed_parts(dialogue: DialogueState, now_ns: int) -> tuple[object, ...]:
    """Return what time itself changes in a view, as people see it, except for running clocks.

    Everything else that :func:`show` takes from its instant must be here too.
    """
    view = shot_view(dialogue, now_ns)
    shot = None if view is None else view.shown
    hold = _hold(dialogue, now_ns)
    bar = (hold.button, (now_ns - hold.down_ns) // HOLD_BAR_STEP_NS) if hold is not None else None
    counted = gong.count(dialogue, now_ns)
    lamps = desk_words.lamps_shown(dialogue, frozenset(), now_ns)
    return (
        shot, bar, code_shown(dialogue, now_ns), remarks(dialogue, now_ns), counted, lamps
    )  # fmt: skip


def visible_part(dialogue: DialogueState) -> tuple[object, ...]:
    """Return everything in a dialogue that a view depends on, as a value quick to compare."""
    timing = dialogue.timing
    return (StateKey(dialogue), timing.asked, timed_parts(dialogue, timing.now_ns))


def looks_alike(before: BoardView, after: BoardView) -> bool:
    """Whether two views show the same, whenever people look at them."""

    def clocks(view: BoardView) -> tuple[object, object]:
        return view.clock.shown, view.shot and view.shot.shown

    return _all_else(before) == _all_else(after) and clocks(before) == clocks(after)


_all_else: Callable[[BoardView], tuple[object, ...]] = attrgetter(
    *(each for each in BoardView.__struct_fields__ if each not in ("sequence", "clock", "shot"))
)


REMEMBERED = 4
"""States whose views are remembered: the one on the board, and those of a few boards beside it."""


@lru_cache(maxsize=REMEMBERED)
def _still(key: StateKey) -> tuple[BoardView, Phrase | None]:
    """Return the view without what time changes, and what an OK implies beyond the question."""
    dialogue = changed(key.dialogue, timing=Timing())
    view = _asked(_AskedKey(dialogue))
    if dialogue.glance and dialogue.phase is not Phase.PAUSED:
        view = changed(view, detail=_with_glance(dialogue.glance, view.detail))
    if dialogue.note != EMPTY and dialogue.by_itself is None:
        view = changed(view, detail=dialogue.note)
    if dialogue.menu is not None:
        view = with_list_words(dialogue, dialogue.menu, view)
    view = attract.shown(dialogue, view)
    view = changed(
        view,
        phase=dialogue.phase,
        by_hand=dark_pockets(dialogue),
        faults=tuple(fault_view(fault) for fault in dialogue.faults),
        menu=_menu(dialogue),
        codes=codes(dialogue),
        lit=_lit(dialogue),
        preferences=dialogue.preferences,
        hall=desk_words.identified(dialogue, _in_hall(dialogue)),
        hints=(*view.hints, *desk_hint(dialogue)),
        can=can_do(dialogue),
        fix_held=_fix_held(dialogue),
    )
    return view, _implied(dialogue)


class _AskedKey(IdentityKey):
    """What is asked in a state, as a key: the same while a beam breaks, and when all has fallen."""

    __slots__ = ("dialogue",)

    def __init__(self, dialogue: DialogueState) -> None:
        super().__init__((*_other_parts(dialogue), dialogue.proposal or dialogue.question))
        self.dialogue = changed(dialogue, broken=())


_other_parts: Callable[[DialogueState], tuple[object, ...]] = attrgetter(
    *(each for each in InMatch.__struct_fields__ if each not in ("timing", "broken", "question"))
)


@lru_cache(maxsize=REMEMBERED)
def _asked(key: _AskedKey) -> BoardView:
    """Show how the match stands and what is asked, without the phase."""
    dialogue = key.dialogue
    view = _in_match(dialogue) if isinstance(dialogue, InMatch) else _before_match(dialogue)
    free = dialogue.free
    return free_play.shown(dialogue, free, view) if free else with_question(dialogue, view)


def _in_hall(dialogue: DialogueState) -> HallView | None:
    """Return where the board is, and what its hall has made of it; None: it is in no hall."""
    seen, hall, place = _hall(dialogue), dialogue.hall, dialogue.hall_place
    if place is None or not place.is_in:
        return seen
    call = None if hall is None else hall.call
    return changed(seen or HallView(), place=place, call=call)


def _hall(dialogue: DialogueState) -> HallView | None:
    """Return what has become of the hall's order: the one being played, else the next one."""
    hall, game = dialogue.hall, dialogue.game
    if hall is None:
        return None
    number: int | None
    over = dialogue.phase is Phase.MATCH_OVER
    if dialogue.offered is not None:
        number, state = dialogue.offered.number, OrderState.OFFERED
    elif hall.declined is not None and (game is None or over):
        number, state = hall.declined, OrderState.DECLINED
    elif game is not None:
        number, state = game.order, OrderState.OVER if over else OrderState.PLAYING
    elif dialogue.seated:
        number, state = hall.number, OrderState.SEATED
    else:
        number, state = None, OrderState.NONE
    return HallView(number, state, bool(hall.away), hall.unsent or 0)


def _turned(dialogue: DialogueState, still: BoardView, now_ns: int) -> MenuView | None:
    """Mark the code that is shown now in a list of codes."""
    if still.menu is None or not still.codes:
        return still.menu
    return changed(still.menu, chosen=code_shown(dialogue, now_ns))


def _implied(dialogue: DialogueState) -> Phrase | None:
    """Say what an OK implies: that the pieces were put back."""
    shown = dialogue.proposal
    if shown is None or not dialogue.place or not isinstance(dialogue, InMatch):
        return None
    if not implies_placed(dialogue, shown) or asked_of(dialogue, shown) is MenuKind.IN_TIME:
        return None
    return _("{pieces} placed", pieces=counted(dialogue.place))


def _with_remarks(
    dialogue: DialogueState, detail: Phrase, implied: Phrase | None, now_ns: int
) -> Phrase:
    """Say beside the question what an OK implies, who objects, and that any seat may answer."""
    whole = listed([each for each in (detail, implied) if each not in (EMPTY, None)])
    for each in remarks(dialogue, now_ns):
        if each != detail:
            whole = each if whole == EMPTY else _("{first} - {then}", first=whole, then=each)
    return whole


def _with_glance(glance: Glance, detail: Phrase) -> Phrase:
    why = GLANCES[glance]
    return why if detail == EMPTY else _("{first} - {then}", first=why, then=detail)


# --- who and how it stands -------------------------------------------------------------


def _before_match(dialogue: DialogueState) -> BoardView:
    """Show what set-up proposes, or the hall's order."""
    plan = dialogue.plan if dialogue.offered is None else ordered(dialogue.offered)
    rules = rules_of(plan)
    limit_ns = time_limit_s(plan) * SECOND_NS
    game = int(has_games(plan))
    return BoardView(
        sequence=0, ask=0, phase=dialogue.phase, rules=rules, board=1,
        best_of=best_of(plan), sides=sides_before(plan, rules), shooter=plan.first,
        red=RedPlace.BOARD, game=game, game_board=game, name=dialogue.settings.name,
        clock=ClockView(limit_ns, limit_ns, running=False, armed=plan.armed and limit_ns > 0),
    )  # fmt: skip


def _in_match(dialogue: InMatch) -> BoardView:
    game, state = dialogue.game, dialogue.game.match.state
    position = state.position
    settings = game.match.settings
    over = dialogue.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    shooter = dialogue.proposal.shooter if dialogue.proposal else (None if over else state.next)
    best_of = option(settings, "best_of")
    lamps = frozenset() if shooter is None or dialogue.phase is Phase.PAUSED else {shooter}
    number, its_board = game_now(state)
    return BoardView(
        sequence=0, ask=0, phase=dialogue.phase, rules=settings.rules,
        board=state.board, best_of=best_of if isinstance(best_of, int) else 1,
        sides=sides_in(game.match, shooter), shooter=shooter, red=position.red,
        place=dialogue.place,
        fetch=tuple(pocket for pocket in dialogue.fetch if pocket not in hand_pockets(dialogue)),
        waiting=len(dialogue.waiting) + len(dialogue.parked) + behind(dialogue),
        queue=queued(dialogue),
        placing=placing_of(game.match, dialogue.place), hints=hints(dialogue),
        last=_last(game), lamps=frozenset(lamps),
        red_side=position.red_side, red_words=red_words(state),
        on_board=tuple(rules_for(settings.rules).on_board(position).items()),
        game=number, game_board=its_board,
        written=Written(settings, tuple(e for line in game.lines for e in line.entries)),
    )  # fmt: skip


def _clock(dialogue: DialogueState, game: Game, now_ns: int) -> ClockView:
    clock = game.clock
    left_ns, armed = clock.remaining_at(now_ns), dialogue.waits_for_gong
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
    foul = state.ruling is not None and state.ruling.foul
    return LastRuling(rows, words, stroke.seat, stroke.departures, foul)


# --- over any phase --------------------------------------------------------------------


def _hold(dialogue: DialogueState, now_ns: int) -> HoldView | None:
    whole_ns = dialogue.settings.hold_ns
    for down in dialogue.timing.downs:
        held_ns = now_ns - down.down_ns
        growing = down.held and not down.woke and HOLD_BAR_FROM_NS <= held_ns <= whole_ns
        if growing and down.button.key in (Key.OK, Key.FIX, Key.UNDO):
            return HoldView(down.button, down.down_ns, held_ns / whole_ns)
    return None


def _fix_held(dialogue: DialogueState) -> Phrase:
    if dialogue.menu is not None:
        return _("close")
    if dialogue.free is None and dialogue.phase in (Phase.FALLING, Phase.REVIEW):
        return _("edit")
    return _("menu")


def _menu(dialogue: DialogueState) -> MenuView | None:
    menu = dialogue.menu
    if menu is None:
        return None
    listed_items = items(dialogue)
    chosen = min(menu.chosen, len(listed_items) - 1)
    head = title(dialogue, menu)
    if menu.kind is MenuKind.EDIT and dialogue.proposal and dialogue.game:
        head = proposal_word(stroke_of(dialogue.game, dialogue.proposal), dialogue.proposal)
    labels = tuple(item.label for item in listed_items)
    lines = tuple(_line(item) for item in listed_items)
    asks = is_question(dialogue, menu)
    return MenuView(head, labels, chosen, asks, dialogue.note, menu.kind.value, lines)


def _line(item: Item[InMatch]) -> LineView:
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


def _lit(dialogue: DialogueState) -> tuple[Pocket, ...]:
    """Return the pockets where something is falling or has just fallen."""
    falling = (
        dialogue.proposal.falls if dialogue.phase is Phase.FALLING and dialogue.proposal else ()
    )
    pockets = (*dialogue.broken, *(fall.pocket for fall in falling))
    return tuple(dict.fromkeys(pockets))
