"""The menu of set-up: what can be agreed before a match, and the board itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.core.rules import facts_of
from jackspot.core.settings import OptionValue
from jackspot.dialogue.actions.free_play import begin
from jackspot.dialogue.lists.hall import in_menu
from jackspot.dialogue.lists.item import Choice, Item, Items, closing, locked, open_list
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import (
    Plan,
    best_of,
    has_games,
    lineups_of,
    offered_of,
    planned,
    rules_of,
    time_limit_s,
    with_clock_start,
    with_lineup,
    with_next_lineup,
    with_next_option,
    with_option,
)
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.transition import Transition, plan_so
from jackspot.values import changed


def set_up_items(dialogue: DialogueState) -> Items:
    """Return what can be agreed before a match."""
    plan = dialogue.plan
    seats = Item(
        _("seats {seats}", seats=" ".join(plan.lineup)),
        replan(with_next_lineup),
        choices=tuple(
            Choice(
                Phrase(" ".join(lineup)),
                replan(partial(with_lineup, lineup=lineup)),
                set(lineup) == set(plan.lineup),
            )
            for lineup in lineups_of(rules_of(plan))
        ),
    )
    limit = Item(
        _time_word(time_limit_s(plan)),
        replan(partial(with_next_option, name=TIME)),
        choices=option_choices(plan, TIME, lambda value: _time_word(int(value))),
    )
    boards = Item(
        _boards_word(plan),
        replan(partial(with_next_option, name=BEST_OF)),
        choices=option_choices(plan, BEST_OF, lambda value: _("{n}", n=value)),
    )
    start = Item(
        _("clock: by gong") if plan.armed else _("clock: at once"),
        replan(with_clock_start),
        choices=tuple(
            Choice(word, replan(partial(changed, armed=armed)), plan.armed is armed)
            for word, armed in ((_("at once"), False), (_("by gong"), True))
        ),
    )
    names = Item(_("names"), partial(open_list, kind=MenuKind.NAMES))
    return (
        locked(dialogue, Lock.PLAYERS, seats),
        locked(dialogue, Lock.TIME, limit),
        locked(dialogue, Lock.BOARDS, boards),
        locked(dialogue, Lock.TIME, start),
        locked(dialogue, Lock.NAMES, names),
        *_handicaps(plan),
        Item(_("rules and options"), partial(open_list, kind=MenuKind.OPTIONS)),
        *in_menu(dialogue),
        Item(_("free play"), begin),
        Item(_("manual pockets"), partial(open_list, kind=MenuKind.DARK_POCKETS)),
        Item(_("the board itself"), partial(open_list, kind=MenuKind.PREFERENCES)),
        closing(),
    )


TIME, BEST_OF = "time_limit_s", "best_of"
"""The options that the menu itself has."""


def _boards_word(plan: Plan) -> Phrase:
    """Say how long a match is; it is counted in games where a game has several boards."""
    if has_games(plan):
        return _("games: best of {n}", n=best_of(plan))
    return _("boards: best of {n}", n=best_of(plan))


def _handicaps(plan: Plan) -> Items:
    """Return the line that opens the handicaps, if the rules have any."""
    if not facts_of(rules_of(plan)).handicaps:
        return ()
    return (Item(_("handicaps"), partial(open_list, kind=MenuKind.HANDICAPS)),)


def _time_word(limit_s: int) -> Phrase:
    if not limit_s:
        return _("no time limit")
    minutes, seconds = divmod(limit_s, 60)
    if not seconds:
        return _("time {minutes} min", minutes=minutes)
    return _("time {minutes}:{seconds} min", minutes=minutes, seconds=f"{seconds:02d}")


def option_choices(
    plan: Plan, name: str, word: Callable[[OptionValue], Phrase]
) -> tuple[Choice[DialogueState], ...]:
    """Return the values that an option can have, in these words."""
    now = planned(plan, name)
    return tuple(
        Choice(word(value), replan(partial(with_option, name=name, value=value)), value == now)
        for value in offered_of(name)
    )


def replan(change: Callable[[Plan], Plan]) -> Callable[[Transition], None]:
    """Turn a change of the plan into something that an item does."""

    def act(transition: Transition) -> None:
        plan_so(transition, change(transition.dialogue.plan))

    return act
