"""The list of rules and options: every option that the planned rules know, with its value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from jackspot.core.options import OPTIONS
from jackspot.core.phrases import Phrase, _
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.lists.item import Choice, Item, Items, going_back, locked
from jackspot.dialogue.lists.set_up import BEST_OF, TIME, option_choices, replan
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import (
    dropped,
    lock_of,
    planned,
    rules_of,
    with_next_option,
    with_next_rules,
    with_rules,
)
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.transition import Transition, plan_so
from jackspot.dialogue.words.option_words import option_value, option_word
from jackspot.dialogue.words.wording import listed as listed_words


def option_items(dialogue: DialogueState) -> Items:
    """Return the rules, then each of their options except those that the menu itself has."""
    rules = rules_of(dialogue.plan)
    systems = tuple(
        Choice(_("{rules}", rules=each.value), partial(_play_by, each), each is rules)
        for each in RULES
    )
    word = _("rules {rules}", rules=rules.value)
    listed = [locked(dialogue, Lock.RULES, Item(word, _next_rules, choices=systems))]
    for name, each in OPTIONS.items():
        if rules not in each.systems or name in (TIME, BEST_OF):
            continue
        label = _(
            "{option}: {value}",
            option=option_word(name),
            value=option_value(name, planned(dialogue.plan, name)),
        )
        item = Item(
            label,
            replan(partial(with_next_option, name=name)),
            choices=option_choices(dialogue.plan, name, partial(option_value, name)),
        )
        listed.append(locked(dialogue, lock_of(name), item))
    return (*listed, going_back(MenuKind.MENU))


def _next_rules(transition: Transition) -> None:
    """Offer the next rules, and say which settings they do not know."""
    _play_by(rules_of(with_next_rules(transition.dialogue.plan)), transition)


def _play_by(rules: RuleSystem, transition: Transition) -> None:
    plan = transition.dialogue.plan
    if rules is rules_of(plan):
        return
    after = with_rules(plan, rules)
    gone = [_DROPPED.get(name) or option_word(name) for name in dropped(plan, rules_of(after))]
    if plan.lineup != after.lineup and len(plan.lineup) == 3:
        gone.append(_("three players"))
    plan_so(transition, after)
    if gone:
        transition.change(note=_("dropped: {what}", what=listed_words(gone)))


_DROPPED: Mapping[str, Phrase] = {"handicap": _("handicaps"), "colours": _("colours")}
"""What can be dropped besides options."""
