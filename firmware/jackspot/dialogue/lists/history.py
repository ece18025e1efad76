"""The history: everything that was entered, newest first; any entry can be opened.

Opening an entry takes the match back to it and opens its review, even for a miss, so that it can
be turned into something else. OK without a change, UNDO and closing put everything back. After a
change the board asks whether to keep what was entered later.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import Phrase, _
from jackspot.dialogue.actions.settling import go_on_after_a_change
from jackspot.dialogue.actions.taking_back import redo_all, take_back_to
from jackspot.dialogue.lists.item import Item, MatchItems, closing, open_list
from jackspot.dialogue.proposals.keeping import let_later_wait, note_left_out
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.transition import MatchTransition, left_out
from jackspot.dialogue.words.line_words import line_word, said_word


def history_items(dialogue: InMatch) -> MatchItems:
    """Return what was entered, newest first."""
    game = dialogue.game
    numbers = range(len(game.lines) - 1, -1, -1)
    return (*(Item(line_word(game, n), partial(open_entry, n)) for n in numbers), closing())


def open_entry(number: int, transition: MatchTransition) -> None:
    """Take the match back to an entry and open it; ``number`` counts the match's lines from 0."""
    if not take_back_to(transition, number):
        open_list(transition, MenuKind.WITHOUT)


# --- an entry that is no stroke --------------------------------------------------------


def without_title(dialogue: InMatch) -> Phrase:
    """Ask whether an entry that is no stroke is to be left out."""
    return _("without {said}?", said=said_word(dialogue.game.undone[-1]))


def without_items(_dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("leave it out"), leave_it_out),)


def leave_it_out(transition: MatchTransition) -> None:
    """Leave out the entry that UNDO took back last; those after it may be kept."""
    before = transition.game
    note_left_out(transition, (before.undone[-1],), taken_back=True)
    transition.put(left_out(before))
    let_later_wait(transition, before, replaced=1)
    transition.mark_entry()
    go_on_after_a_change(transition)


def put_back_again(transition: MatchTransition) -> None:
    """Put everything back as it was."""
    transition.change(menu=None)
    redo_all(transition)
