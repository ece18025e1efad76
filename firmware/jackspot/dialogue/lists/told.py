"""What only people can say of a stroke that is entered, each as a question of yes and no.

Was the group touched, while the break is still to be made? Was what is owed put back before the
next turn began (kagw)? Does the opponent waive what is due (icf, grundregeln)? Is the extra
point demanded (icf)? What is asked is what the rules would take now, and nobody lets off himself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from jackspot.core.directives import Say
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.stroke import Flag
from jackspot.dialogue.lists.history import leave_it_out
from jackspot.dialogue.lists.item import Item, open_list, shut
from jackspot.dialogue.proposals.keeping import let_later_wait
from jackspot.dialogue.proposals.permitted import (
    DEMAND,
    FORGOT,
    MISSED,
    WAIVE,
    debtors,
    may_be_demanded,
    may_say,
    question_of_placing,
)
from jackspot.dialogue.proposals.placing import let_go
from jackspot.dialogue.proposals.proposing import read_anew
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Group
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.entering import confirm, directive, miss
from jackspot.dialogue.steps.guards import decided_by
from jackspot.dialogue.steps.settling import end_board, go_on_placing, imply_placed
from jackspot.sensing.events import Button, Place

# --- the break -------------------------------------------------------------------------


def touched_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes: the break is made."""
    return (Item(_("group was touched"), _touched),)


def _touched(talk: Talk) -> None:
    _say_of_the_break(talk, frozenset())


def not_touched(talk: Talk) -> None:
    """Answer that the break was missed."""
    _say_of_the_break(talk, MISSED)


def _say_of_the_break(talk: Talk, flags: frozenset[Flag]) -> None:
    """Enter the stroke with what was said of it: the one that is open, else a miss."""
    talk.change(menu=None)
    shown = talk.desk.proposal
    if shown is None:
        miss(talk, flags)
    else:
        talk.change(proposal=replace(shown, flags=shown.flags | flags))
        confirm(talk, break_said=True)


# --- who may let off -------------------------------------------------------------------


def lets_off_himself(desk: Desk, button: Button | None) -> bool:
    """Whether who pressed is a debtor who would let himself off.

    Where nobody else has the buttons to say it, the debtor's seat speaks for all.
    """
    game = desk.game
    seat = button.place.seat if button is not None else None
    if game is None or seat is None:
        return False
    owing = debtors(game.match)
    sides = game.match.state.position.seat_sides
    return sides.get(seat) in owing and bool(_who_lets_off(desk, game))


def _who_lets_off(desk: Desk, game: Game) -> list[Place]:
    """Give the places that may let a debtor off and have the buttons for it."""
    owing = debtors(game.match)
    sides = game.match.state.position.seat_sides
    others = [Place(each.value) for each in Seat if sides.get(each) not in (None, *owing)]
    whole = whole_places(desk.customs.buttons)
    return [each for each in (*others, Place.REFEREE, Place.PAGE) if each in whole]


def _unless_debtor(act: Callable[[Talk], None], talk: Talk) -> None:
    """Do what lets a debtor off, unless it is the debtor who says it."""
    if lets_off_himself(talk.desk, talk.button):
        assert talk.button is not None, "a seat has pressed"
        talk.refuse(decided_by(_who_lets_off(talk.desk, talk.game), talk.button.place))
    else:
        act(talk)


# --- placing: forgotten, waived --------------------------------------------------------


def ask_of_placing(talk: Talk) -> None:
    """FIX in *placing*: ask whether it was forgotten, or is waived."""
    question = question_of_placing(talk.desk)
    if question is None:
        talk.refuse(_("not now"))
    else:
        _unless_debtor(partial(open_list, kind=question), talk)


def forgotten_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes."""
    return (Item(_("not put back in time"), partial(_unless_debtor, _forget)),)


def waived_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes."""
    return (Item(_("the due is waived"), partial(_unless_debtor, waive)),)


def _forget(talk: Talk) -> None:
    _let_go(FORGOT, talk)


def _let_go(entry: Say, talk: Talk) -> None:
    """Enter beside the stroke that something will not be put back; the rest of it still is."""
    talk.change(menu=None)
    if not may_say(talk.game.match, entry):
        talk.refuse(_("not now"))
        return
    before = talk.game
    talk.join(entry)
    if before.undone:
        let_later_wait(talk, before, replaces=False)
    talk.mark_entry()
    go_on_placing(talk)


def waive(talk: Talk) -> None:
    """Let the opponent's due go: before it is put back, or off the board again after that."""
    talk.change(menu=None)
    if talk.desk.phase is Phase.PLACING:
        _let_go(WAIVE, talk)
        return
    before = talk.game.match.state
    directive(talk, WAIVE)
    after = talk.game.match.state
    if after.result is None:
        take_off(talk, let_go(before, after))


def take_off(talk: Talk, gone: Counter[Piece]) -> None:
    """Ask for pieces to be taken off the board again."""
    if gone and talk.desk.phase is Phase.READY:
        talk.change(take=tuple(gone.elements()))
        talk.go(Phase.PLACING)


def waive_item(desk: Desk) -> tuple[Item, ...]:
    """Give the line of the menu that waives a due, where the rules take it."""
    game = desk.game
    quiet = desk.phase in (Phase.READY, Phase.PLACING)
    if game is None or not quiet or not may_say(game.match, WAIVE):
        return ()
    return (Item(_("waive what is due"), partial(_unless_debtor, waive), held=True),)


def forgot_item(desk: Desk) -> tuple[Item, ...]:
    """Give the line of the menu that says what is owed was not put back in time."""
    game = desk.game
    if game is None or desk.phase is not Phase.PLACING or not may_say(game.match, FORGOT):
        return ()
    return (Item(_("not put back in time"), partial(_unless_debtor, _forget), held=True),)


# --- the next stroke came first --------------------------------------------------------


def in_time_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes: it lay there before they shot on."""
    return (Item(_("it was put back"), _was_in_time),)


def _was_in_time(talk: Talk) -> None:
    imply_placed(talk)
    talk.change(proposal=read_anew(talk.desk, talk.proposal, talk.now_ns))
    shut(talk)


def not_in_time(talk: Talk) -> None:
    """Answer that the next turn began first: what was owed is lost."""
    _unless_debtor(_lost, talk)


def _lost(talk: Talk) -> None:
    """Enter that it was forgotten; the stroke that lies open is read anew after it."""
    shown = talk.proposal
    talk.change(menu=None)
    if not may_say(talk.game.match, FORGOT):
        talk.refuse(_("not now"))
        return
    talk.join(FORGOT)
    if talk.game.match.state.result is not None:
        falls = Group(shown.falls, shown.hands, shown.gap_ns)
        waiting = (falls, *talk.desk.waiting) if shown.falls else talk.desk.waiting
        talk.change(proposal=None, waiting=waiting)
        end_board(talk, talk.game.lines[-1])
        return
    go_on_placing(talk, shown)


# --- the extra point -------------------------------------------------------------------


def ask_for_the_point(talk: Talk) -> None:
    """FIX in *board_over*: ask whether the extra point is demanded."""
    if may_be_demanded(talk.desk):
        open_list(talk, MenuKind.DEMAND)
    else:
        talk.refuse(_("not now"))


def demand_items(_desk: Desk) -> tuple[Item, ...]:
    """Give the one answer that is a yes."""
    return (Item(_("it is demanded"), _demand),)


def _demand(talk: Talk) -> None:
    over_ns = talk.desk.over_ns
    directive(talk, DEMAND)
    talk.change(over_ns=over_ns)


def not_demanded(talk: Talk) -> None:
    """Answer no; a demand that UNDO took back is left out by it."""
    talk.change(menu=None)
    undone = talk.game.undone
    if undone and undone[-1].entries == (DEMAND,):
        leave_it_out(talk)


def demand_item(desk: Desk) -> tuple[Item, ...]:
    """Give the line of the menu that asks for the extra point."""
    if not may_be_demanded(desk):
        return ()
    return (Item(_("extra point?"), partial(open_list, kind=MenuKind.DEMAND)),)
