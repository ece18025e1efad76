"""What only people can say about an entered stroke, each as a yes-or-no question.

- Was the group touched, while the break is still to be made?
- Was what is owed put back before the next turn began (kagw)?
- Does the opponent waive what is due (icf, grundregeln)?
- Is the extra point demanded (icf)?

The board asks only what the rules would accept now, and nobody may let himself off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from jackspot.core.directives import Say
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.stroke import Flag
from jackspot.dialogue.actions.entering import confirm, directive, miss
from jackspot.dialogue.actions.guards import decided_by
from jackspot.dialogue.actions.settling import go_on_placing, imply_placed
from jackspot.dialogue.lists.history import leave_it_out
from jackspot.dialogue.lists.item import Item, MatchItems, open_list, shut
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
from jackspot.dialogue.proposals.placing import let_go, let_go_by
from jackspot.dialogue.proposals.proposing import read_anew
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.transition import PLACED, MatchTransition
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Place
from jackspot.values import changed

# --- the break -------------------------------------------------------------------------


def touched_items(_dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes: the break is made."""
    return (Item(_("group was touched"), _touched),)


def _touched(transition: MatchTransition) -> None:
    _say_of_the_break(transition, frozenset())


def not_touched(transition: MatchTransition) -> None:
    """Answer that the break was missed."""
    _say_of_the_break(transition, MISSED)


def _say_of_the_break(transition: MatchTransition, flags: frozenset[Flag]) -> None:
    """Enter what was said about the break with the open stroke, or else with a miss."""
    transition.change(menu=None)
    shown = transition.dialogue.proposal
    if shown is None:
        miss(transition, flags)
    else:
        said = changed(shown, flags=shown.flags | flags)
        transition.propose(said)
        confirm(transition, said, break_said=True)


# --- who may let off -------------------------------------------------------------------


def lets_off_himself(dialogue: InMatch, place: Place) -> bool:
    """Whether whoever presses there is a debtor who would let himself off.

    Where nobody else has the buttons to say it, the debtor's seat speaks for all.
    """
    if place.seat is None:
        return False
    match = dialogue.game.match
    side = match.state.position.seat_sides.get(place.seat)
    return side in debtors(match) and bool(_who_lets_off(dialogue))


def _who_lets_off(dialogue: InMatch) -> list[Place]:
    """Return the places that may let a debtor off and have the buttons for it."""
    owing = debtors(dialogue.game.match)
    sides = dialogue.game.match.state.position.seat_sides
    others = [Place(each.value) for each in Seat if sides.get(each) not in (None, *owing)]
    whole = whole_places(dialogue.settings.buttons)
    return [each for each in (*others, Place.REFEREE, Place.PAGE) if each in whole]


def _unless_debtor(act: Callable[[MatchTransition], None], transition: MatchTransition) -> None:
    """Do something that lets a debtor off, unless it is the debtor who says it."""
    by = transition.button
    if by is not None and lets_off_himself(transition.dialogue, by.place):
        transition.refuse(decided_by(_who_lets_off(transition.dialogue), by.place))
    else:
        act(transition)


# --- placing: forgotten, waived --------------------------------------------------------


def ask_of_placing(transition: MatchTransition) -> None:
    """FIX in *placing*: ask whether it was forgotten, or is waived."""
    question = question_of_placing(transition.dialogue)
    if question is None:
        transition.refuse(_("not now"))
    else:
        _unless_debtor(partial(open_list, kind=question), transition)


def forgotten_items(_dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("not put back in time"), partial(_unless_debtor, _forget)),)


def waived_items(_dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("the due is waived"), partial(_unless_debtor, waive)),)


def _forget(transition: MatchTransition) -> None:
    _let_go(FORGOT, transition)


def _let_go(entry: Say, transition: MatchTransition) -> None:
    """Enter beside the stroke that something will not be put back; the rest still is."""
    transition.change(menu=None)
    if not may_say(transition.game.match, entry):
        transition.refuse(_("not now"))
        return
    before, lying = transition.game, transition.dialogue.lying
    transition.join(entry)
    if PLACED in before.lines[-1].entries:  # a correction asks for it, not its own stroke
        transition.change(lying=(*lying, *let_go_by(transition.game.match, 1)))
    if before.undone:
        let_later_wait(transition, before, replaced=0)
    transition.mark_entry()
    go_on_placing(transition)


def waive(transition: MatchTransition) -> None:
    """Waive the opponent's due: before it is put back, or off the board again after that."""
    transition.change(menu=None)
    if transition.dialogue.phase is Phase.PLACING:
        _let_go(WAIVE, transition)
        return
    before = transition.game.match.state
    directive(transition, WAIVE)
    after = transition.game.match.state
    if after.result is None:
        take_off(transition, let_go(before, after))


def take_off(transition: MatchTransition, gone: Counter[Piece]) -> None:
    """Ask for pieces to be taken off the board again, now and after any question before that."""
    if gone and transition.dialogue.phase is Phase.READY:
        take = tuple(gone.elements())
        transition.change(take=take, lying=(*transition.dialogue.lying, *take))
        transition.go(Phase.PLACING)


def waive_item(dialogue: InMatch) -> MatchItems:
    """Return the menu's line that waives a due, where the rules accept it."""
    quiet = dialogue.phase in (Phase.READY, Phase.PLACING)
    if not quiet or not may_say(dialogue.game.match, WAIVE):
        return ()
    return (Item(_("waive what is due"), partial(_unless_debtor, waive), held=True),)


def forgot_item(dialogue: InMatch) -> MatchItems:
    """Return the menu's line that says what is owed was not put back in time."""
    if dialogue.phase is not Phase.PLACING or not may_say(dialogue.game.match, FORGOT):
        return ()
    return (Item(_("not put back in time"), partial(_unless_debtor, _forget), held=True),)


# --- the next stroke came first --------------------------------------------------------


def in_time_items(shown: Proposal, _dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes: it was put back before they shot on."""
    return (Item(_("it was put back"), partial(_was_in_time, shown)),)


def _was_in_time(shown: Proposal, transition: MatchTransition) -> None:
    imply_placed(transition, shown)
    transition.propose(read_anew(transition.dialogue, shown, transition.now_ns))
    shut(transition)


def not_in_time(shown: Proposal, transition: MatchTransition) -> None:
    """Answer that the next turn began first: what was owed is lost."""
    _unless_debtor(partial(_lost, shown), transition)


def _lost(shown: Proposal, transition: MatchTransition) -> None:
    """Enter that it was forgotten; the stroke that is open is read again after it."""
    transition.change(menu=None)
    if not may_say(transition.game.match, FORGOT):
        transition.refuse(_("not now"))
        return
    transition.join(FORGOT)
    over = transition.game.match.state.result is not None
    if over and shown.falls:
        falls = FallGroup(shown.falls, shown.hands, shown.gap_ns)
        transition.change(waiting=(falls, *transition.dialogue.waiting))
    go_on_placing(transition, None if over else shown)


# --- the extra point -------------------------------------------------------------------


def ask_for_the_point(transition: MatchTransition) -> None:
    """FIX in *board_over*: ask whether the extra point is demanded."""
    if may_be_demanded(transition.dialogue):
        open_list(transition, MenuKind.DEMAND)
    else:
        transition.refuse(_("not now"))


def demand_items(_dialogue: InMatch) -> MatchItems:
    """Return the one line, which means yes."""
    return (Item(_("it is demanded"), _demand),)


def _demand(transition: MatchTransition) -> None:
    over_ns = transition.dialogue.over_ns
    directive(transition, DEMAND)
    transition.change(over_ns=over_ns)


def not_demanded(transition: MatchTransition) -> None:
    """Answer no; a demand that UNDO took back is then left out."""
    transition.change(menu=None)
    undone = transition.game.undone
    if undone and undone[-1].entries == (DEMAND,):
        leave_it_out(transition)


def demand_item(dialogue: InMatch) -> MatchItems:
    """Return the menu's line that asks for the extra point."""
    if not may_be_demanded(dialogue):
        return ()
    return (Item(_("extra point?"), partial(open_list, kind=MenuKind.DEMAND)),)
