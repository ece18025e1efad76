"""The list of rules and options: every option that the planned rules know, with its value."""

from __future__ import annotations

from functools import partial

from jackspot.core.options import OPTIONS
from jackspot.table.desk import Desk, MenuKind
from jackspot.table.house import Lock
from jackspot.table.lists.item import Item, going_back, locked
from jackspot.table.lists.option_words import option_word, value_word
from jackspot.table.lists.set_up import BEST_OF, TIME, replan
from jackspot.table.phrases import _
from jackspot.table.plans import planned, rules_of, with_next_option, with_next_rules

TIMING = frozenset({"time_end", "timeout_tie", "shot_clock_s"})
"""Options that are locked with the time limit."""


def option_items(desk: Desk) -> tuple[Item, ...]:
    """Give the rules, then each of their options but those that the menu itself has."""
    rules = rules_of(desk.plan)
    listed = [locked(desk, Lock.RULES, Item(_("rules {rules}", rules=rules.value),
                                            replan(with_next_rules)))]  # fmt: skip
    for name, each in OPTIONS.items():
        if rules not in each.systems or name in (TIME, BEST_OF):
            continue
        label = _(
            "{option}: {value}",
            option=option_word(name),
            value=value_word(planned(desk.plan, name)),
        )
        item = Item(label, replan(partial(with_next_option, name=name)))
        listed.append(locked(desk, Lock.TIME if name in TIMING else Lock.RULES, item))
    return (*listed, going_back(MenuKind.MENU))
