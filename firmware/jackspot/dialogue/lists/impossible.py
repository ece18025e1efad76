"""The list that opens when counts have become impossible: the corrections on offer.

The likeliest mistake among the earlier entries comes first; opening one shows what else it may
have been. Otherwise people can correct the count or change the stroke that is open. Whatever they
choose, that stroke waits and comes back.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.directives import SetPocketed
from jackspot.core.phrases import Phrase, _, _n
from jackspot.dialogue.actions.entering import directive
from jackspot.dialogue.actions.taking_back import take_back_to
from jackspot.dialogue.lists.item import Item, MatchItems, open_list
from jackspot.dialogue.proposals.impossible import (
    Excess,
    counts_that_mend,
    doubtful_lines,
    excess,
    other_reading,
    too_many_falls,
)
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.words.line_words import said_word
from jackspot.dialogue.words.wording import piece_word, side_word
from jackspot.values import changed


def offer_corrections(transition: MatchTransition, *, falls: bool = False) -> bool:
    """If counts have become impossible, say so and offer corrections; return whether they have.

    ``falls``: also where only more falls came than there are pieces, whatever they are taken for.
    """
    found = excess(transition.dialogue) or (too_many_falls(transition.dialogue) if falls else None)
    if found is None or transition.dialogue.menu is not None:
        return False
    opener = transition.button.place if transition.button else None
    lines = " ".join(str(number) for number in doubtful_lines(transition.dialogue, found.piece))
    menu = Menu(MenuKind.IMPOSSIBLE, 0, transition.now_ns, opener, about=lines)
    transition.change(menu=menu)
    return True


def impossible_title(dialogue: InMatch) -> Phrase:
    """Say what is too many: ``RED: 1 too many``."""
    found = _found(dialogue)
    if found.piece is None:
        return _n("1 piece too many", "{n} pieces too many", n=found.count)
    return _("{piece}: {n} too many", piece=piece_word(found.piece), n=found.count)


def _found(dialogue: InMatch) -> Excess:
    return excess(dialogue) or too_many_falls(dialogue) or Excess(None, 1)


def impossible_items(menu: Menu, dialogue: InMatch) -> MatchItems:
    """Return the corrections, the likeliest first."""
    found = _found(dialogue)
    numbers = [int(each) for each in menu.about.split()]
    listed = [
        Item(_("{n} {said}?", n=number + 1, said=said_word(line)), partial(_open, number, found))
        for number, line in (
            (each, dialogue.game.lines[each]) for each in numbers if each < len(dialogue.game.lines)
        )
    ]
    listed += [
        Item(_("set {side} in: {n}", side=side_word(each.side), n=each.count), partial(_set, each))
        for each in counts_that_mend(dialogue.game.match, found)
    ]
    return (*listed, Item(_("change this stroke"), _edit))


def _open(number: int, found: Excess, transition: MatchTransition) -> None:
    """Open an earlier entry, first showing what it most likely was instead."""
    transition.change(menu=None)
    take_back_to(transition, number)
    shown = transition.dialogue.proposal
    if shown is not None:
        at = other_reading(shown, found.piece)
        transition.propose(changed(shown, chosen=at, edited=None))


def _set(entry: SetPocketed, transition: MatchTransition) -> None:
    directive(transition, entry)


def _edit(transition: MatchTransition) -> None:
    open_list(transition, MenuKind.EDIT)
