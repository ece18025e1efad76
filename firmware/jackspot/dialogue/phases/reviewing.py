"""What presses do to what fell, and to what no beam saw.

In *ready* they open a review: of an entry by hand, of a foul, or of a piece that flew off. In
*falling* and *review* they step through the readings, mark, edit and confirm.
"""

from __future__ import annotations

from jackspot.core.phrases import _
from jackspot.core.stroke import Flag
from jackspot.dialogue.actions.by_itself import enter_by_itself
from jackspot.dialogue.actions.entering import confirm
from jackspot.dialogue.actions.settling import to_ready
from jackspot.dialogue.actions.taking_back import take_back
from jackspot.dialogue.lists.editing import kinds_off
from jackspot.dialogue.lists.impossible import offer_corrections
from jackspot.dialogue.lists.item import open_list
from jackspot.dialogue.proposals.choosing import next_reading
from jackspot.dialogue.proposals.hands import assume, offer
from jackspot.dialogue.proposals.permitted import mass_break_is_due
from jackspot.dialogue.proposals.proposing import (
    also_before,
    asked_of,
    by_hand,
    ends_board,
)
from jackspot.dialogue.proposals.queueing import is_hand
from jackspot.dialogue.proposals.spanning import late_now
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import FallGroup, Proposal
from jackspot.dialogue.state.transition import MatchTransition
from jackspot.dialogue.state.view import Phase


def enter_by_hand(transition: MatchTransition) -> None:
    """Take back what entered itself; else open what was taken for a hand; else enter by hand."""
    if transition.dialogue.by_itself is not None:
        take_back(transition)
        return
    if transition.dialogue.assumed:
        offer(transition)
        return
    transition.review(by_hand(transition.dialogue, transition.now_ns))


def review_foul(transition: MatchTransition) -> None:
    """Review a foul; soon after an entry, the stroke before comes first, unless it has one."""
    flags = frozenset({Flag.FOUL})
    stroke = transition.game.lines[-1].stroke if transition.game.lines else None
    late = (
        late_now(transition.dialogue, transition.now_ns)
        and stroke is not None
        and not flags <= stroke.flags
    )
    if not late and mass_break_is_due(transition.game.match):
        transition.refuse(_("mass break: no fouls"))
        return
    fresh = by_hand(transition.dialogue, transition.now_ns, flags=flags)
    transition.review(also_before(transition.dialogue, fresh) if late else fresh)


def review_piece_off(transition: MatchTransition) -> None:
    """Review the likeliest flown piece; soon after an entry, one that the stroke before allows."""
    marked = (
        by_hand(transition.dialogue, transition.now_ns, flown=(kind,))
        for kind in kinds_off(transition)
    )
    if not late_now(transition.dialogue, transition.now_ns):
        transition.review(next(marked))
        return
    spanning = [also_before(transition.dialogue, fresh) for fresh in marked]
    allowed = (each for each in spanning if any(one.joins for one in each.readings))
    transition.review(next(allowed, spanning[0]))


def ok_falling(transition: MatchTransition, proposal: Proposal) -> None:
    """Confirm a reading that has been shown for a while; otherwise settle now."""
    stood = transition.down_ns - proposal.changed_ns >= transition.dialogue.settings.stand_ns
    if stood and not transition.dialogue.broken and not ends_board(transition.dialogue, proposal):
        confirm(transition, proposal)
    else:
        transition.review(proposal)


def ok_review(transition: MatchTransition, proposal: Proposal) -> None:
    """Confirm, or first ask what the rules must know; what ends the board needs a held OK."""
    if offer_corrections(transition):
        return
    asked = asked_of(transition.dialogue, proposal)
    if asked is None and ends_board(transition.dialogue, proposal):
        transition.refuse(_("hold OK: it ends the board"))
    else:
        confirm(transition, proposal)


def ok_held_review(transition: MatchTransition, proposal: Proposal) -> None:
    """Confirm, even if that ends the board."""
    if not offer_corrections(transition):
        confirm(transition, proposal)


def show_next_reading(transition: MatchTransition, proposal: Proposal) -> None:
    """Show the next reading; if there is none, FIX still ends *falling*."""
    by = transition.button.place.seat if transition.button is not None else None
    turned = next_reading(transition.dialogue, proposal, by, transition.now_ns)
    if turned is None and transition.dialogue.phase is Phase.REVIEW:
        transition.refuse(_("no other reading"))
    transition.review(turned or proposal)


def undo_falling(transition: MatchTransition, proposal: Proposal) -> None:
    """Settle what is falling now and take the last entry back."""
    transition.review(proposal)
    take_back(transition)


def edit(transition: MatchTransition, proposal: Proposal) -> None:
    """Settle what is falling now and open it piece by piece."""
    transition.review(proposal)
    open_list(transition, MenuKind.EDIT)


# --- quiet --------------------------------------------------------------------------------


def settle(transition: MatchTransition, proposal: Proposal) -> None:
    """End *falling*: show a hand, enter what is sure enough, review everything else."""
    if is_hand(proposal):
        assume(transition, FallGroup(proposal.falls, proposal.hands, proposal.gap_ns))
        to_ready(transition)
        return
    transition.review(proposal)
    if offer_corrections(transition, falls=True):
        return
    enter_by_itself(transition, proposal)
