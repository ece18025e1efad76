"""The menu of set-up: what can be agreed before a match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from jackspot.table.desk import Desk, MenuKind, Plan
from jackspot.table.free_play import begin
from jackspot.table.lists.item import Item, closing, open_list
from jackspot.table.phrases import _
from jackspot.table.plans import (
    best_of,
    time_limit_s,
    with_next_best_of,
    with_next_limit,
    with_next_lineup,
)
from jackspot.table.talk import Talk


def set_up_items(desk: Desk) -> tuple[Item, ...]:
    """Give what can be agreed before a match."""
    plan = desk.plan
    seats = " ".join(plan.lineup)
    minutes = time_limit_s(plan) // 60
    return (
        Item(_("seats {seats}", seats=seats), partial(_replan, with_next_lineup)),
        Item(
            _("time {minutes} min", minutes=minutes) if minutes else _("no time limit"),
            partial(_replan, with_next_limit),
        ),
        Item(_("boards: best of {n}", n=best_of(plan)), partial(_replan, with_next_best_of)),
        Item(_("free play"), begin),
        Item(_("pockets by hand"), partial(open_list, kind=MenuKind.DARK_POCKETS)),
        closing(),
    )


def _replan(change: Callable[[Plan], Plan], talk: Talk) -> None:
    talk.change(plan=change(talk.desk.plan))
