"""The questions about later strokes, when something before them was changed.

"Keep 3 later strokes?": OK enters them again, FIX leaves them out, UNDO goes back to the review
of the change. Nobody's silence answers it: the question stays until somebody does. Where a
line has no place any more it is asked what to do; afterwards is shown what came out otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jackspot.core.phrases import Phrase, _, _n
from jackspot.dialogue.lists.item import Item, shut
from jackspot.dialogue.proposals.keeping import (
    Hindrance,
    enter_next,
    hindrance,
    leave_out,
    until_next_board,
)
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.game import Keeping
from jackspot.dialogue.state.talk import NEXT_BOARD, Talk
from jackspot.dialogue.steps.settling import keep_on
from jackspot.dialogue.steps.taking_back import take_back
from jackspot.dialogue.words.line_words import counts_word, kept_word, line_word, said_word


def _kept(desk: Desk) -> Keeping:
    assert desk.kept is not None, "later lines are asked about"
    return desk.kept


# --- keep them? ------------------------------------------------------------------------


def keep_title(desk: Desk) -> Phrase:
    """Ask whether to keep what was entered since."""
    return _n("keep 1 later stroke?", "keep {n} later strokes?", n=len(_kept(desk).lines))


def keep_items(desk: Desk) -> tuple[Item, ...]:
    """Show what would be kept; OK says yes to all of it."""
    return tuple(Item(said_word(each.line), _keep) for each in _kept(desk).lines)


def _keep(talk: Talk) -> None:
    talk.change(kept=replace(_kept(talk.desk), agreed=True), menu=None)
    talk.mark_entry()
    keep_on(talk)


def leave_all_out(talk: Talk) -> None:
    """Enter none of them again; their falls stay in the journal."""
    n = len(_kept(talk.desk).lines)
    leave_out(talk)
    _go_on_without(talk, n)


def _go_on_without(talk: Talk, n: int) -> None:
    talk.change(menu=None, kept=replace(_kept(talk.desk), agreed=True))
    talk.mark_entry()
    entered = _kept(talk.desk).entered
    keep_on(talk)
    if talk.desk.menu is None and talk.desk.proposal is None and not entered:
        talk.change(note=_("left out: {n}", n=n))


# --- a line that has no place ----------------------------------------------------------


def stopped_title(desk: Desk) -> Phrase:
    """Say why the next line cannot simply be entered."""
    assert desk.game is not None, "lines belong to a match"
    board = desk.game.match.state.board
    match hindrance(desk):
        case Hindrance.BOARD_OVER:
            return _("board {n} is over", n=board)
        case Hindrance.BOARD_RUNS:
            return _("board {n} is not over", n=board)
        case _:
            return _("not possible here")


def stopped_items(desk: Desk) -> tuple[Item, ...]:
    """Give what can be done with the lines that wait."""
    kept, why = _kept(desk), hindrance(desk)
    listed: list[Item] = []
    every = len(kept.lines)
    some = until_next_board(kept) if why is Hindrance.BOARD_OVER else 1
    if why is Hindrance.BOARD_RUNS and NEXT_BOARD in kept.lines[0].line.entries:
        assert desk.game is not None, "lines belong to a match"
        board = desk.game.match.state.board
        listed.append(Item(_("board {n} is void", n=board), _void, held=True))
    elif 0 < some < every:
        listed.append(Item(_("leave out {n}", n=some), partial(_leave_out, some)))
    return (
        *listed,
        Item(_("leave out all {n}", n=every), partial(_leave_out, every)),
        Item(_("change the one before"), take_back),
    )


def _void(talk: Talk) -> None:
    """Begin the next board all the same: the one that runs is void."""
    talk.change(menu=None)
    enter_next(talk)
    keep_on(talk)


def _leave_out(count: int, talk: Talk) -> None:
    leave_out(talk, count)
    _go_on_without(talk, count)


# --- how it came out -------------------------------------------------------------------


def kept_title(desk: Desk) -> Phrase:
    """Say how many were kept, and how it stands."""
    return kept_word(desk, _kept(desk))


def kept_items(desk: Desk) -> tuple[Item, ...]:
    """Show the strokes that were ruled otherwise than before."""
    assert desk.game is not None, "lines belong to a match"
    lines = desk.game.lines
    numbers = [number for number in _kept(desk).differing if number < len(lines)]
    differing = [Item(_("now {line}", line=line_word(desk.game, n)), seen) for n in numbers]
    return (*differing, Item(counts_word(desk), seen))


def seen(talk: Talk) -> None:
    """Put the list away; play goes on."""
    talk.change(kept=None)
    shut(talk)
