"""The questions about later strokes, after something before them was changed.

"Keep 3 later strokes?": OK enters them again, FIX leaves them out, UNDO goes back to the review
of the change. Silence is no answer: the question stays until somebody answers it. If a line no
longer fits, the board asks what to do with it; afterwards it shows what came out differently.
"""

from __future__ import annotations

from functools import partial

from jackspot.core.phrases import Phrase, _, _n
from jackspot.dialogue.actions.settling import keep_on
from jackspot.dialogue.actions.taking_back import take_back
from jackspot.dialogue.lists.item import Item, MatchItems, shut
from jackspot.dialogue.proposals.keeping import (
    Hindrance,
    enter_next,
    hindrance,
    leave_out,
    until_next_board,
)
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.game import Keeping
from jackspot.dialogue.state.transition import NEXT_BOARD, MatchTransition
from jackspot.dialogue.words.line_words import counts_word, line_word, said_word
from jackspot.values import changed

# --- keep them? ------------------------------------------------------------------------


def keep_title(kept: Keeping, _dialogue: InMatch) -> Phrase:
    """Ask whether to keep what was entered since."""
    return _n("keep 1 later stroke?", "keep {n} later strokes?", n=len(kept.lines))


def keep_items(kept: Keeping, _dialogue: InMatch) -> MatchItems:
    """Show what would be kept; OK says yes to all of it."""
    return tuple(Item(said_word(each.line), partial(_keep, kept)) for each in kept.lines)


def _keep(kept: Keeping, transition: MatchTransition) -> None:
    agreed = changed(kept, agreed=True)
    transition.change(kept=agreed, menu=None)
    transition.mark_entry()
    keep_on(transition, agreed)


def leave_all_out(kept: Keeping, transition: MatchTransition) -> None:
    """Enter none of them again; their falls stay in the journal."""
    _leave_out(kept, len(kept.lines), transition)


def _leave_out(kept: Keeping, n: int, transition: MatchTransition) -> None:
    _keep(leave_out(transition, kept, n), transition)
    settled = transition.dialogue.menu is None and transition.dialogue.proposal is None
    if settled and not kept.entered:
        transition.change(note=_("left out: {n}", n=n))


# --- a line that has no place ----------------------------------------------------------


def stopped_title(kept: Keeping, dialogue: InMatch) -> Phrase:
    """Say why the next line cannot simply be entered."""
    board = dialogue.game.match.state.board
    match hindrance(dialogue.game.match, kept.lines[0]):
        case Hindrance.BOARD_OVER:
            return _("board {n} is over", n=board)
        case Hindrance.BOARD_RUNS:
            return _("board {n} is not over", n=board)
        case _:
            return _("not possible here")


def stopped_items(kept: Keeping, dialogue: InMatch) -> MatchItems:
    """Return what can be done with the lines that wait."""
    why = hindrance(dialogue.game.match, kept.lines[0])
    listed: list[Item[InMatch]] = []
    every = len(kept.lines)
    some = until_next_board(kept) if why is Hindrance.BOARD_OVER else 1
    if why is Hindrance.BOARD_RUNS and NEXT_BOARD in kept.lines[0].line.entries:
        board = dialogue.game.match.state.board
        listed.append(Item(_("board {n} is void", n=board), partial(_void, kept), held=True))
    elif 0 < some < every:
        listed.append(Item(_("leave out {n}", n=some), partial(_leave_out, kept, some)))
    return (
        *listed,
        Item(_("leave out all {n}", n=every), partial(_leave_out, kept, every)),
        Item(_("change the one before"), take_back),
    )


def _void(kept: Keeping, transition: MatchTransition) -> None:
    """Begin the next board anyway: the running one is void."""
    transition.change(menu=None)
    keep_on(transition, enter_next(transition, kept))


# --- how it came out -------------------------------------------------------------------


def kept_items(kept: Keeping, dialogue: InMatch) -> MatchItems:
    """Show the strokes that were ruled differently than before."""
    lines = dialogue.game.lines
    numbers = [number for number in kept.differing if number < len(lines)]
    differing = [Item(_("now {line}", line=line_word(dialogue.game, n)), seen) for n in numbers]
    return (*differing, Item(counts_word(dialogue), seen))


def seen(transition: MatchTransition) -> None:
    """Put the list away; play goes on."""
    transition.change(kept=None)
    shut(transition)
