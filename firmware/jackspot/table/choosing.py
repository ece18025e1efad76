"""Choosing among readings: what FIX shows next, and finding a reading again."""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.pieces import Seat
from jackspot.table.customs import Confirm
from jackspot.table.desk import Desk
from jackspot.table.proposal import Proposal
from jackspot.table.proposing import read_anew
from jackspot.table.spanning import READINGS_BY_FIX, same


def next_reading(desk: Desk, shown: Proposal, by: Seat | None, now_ns: int) -> Proposal | None:
    """Give the proposal with its next reading shown; None: there is no other.

    FIX at a seat says that this seat shot: its readings come first from now on. Where the
    opponent confirms, FIX says nothing about who shot.
    """
    turned, at = shown, (shown.chosen + 1) % min(len(shown.readings), READINGS_BY_FIX)
    if by is not None and shown.falls and shown.spoke is None and _may_have_shot(desk, by):
        turned = read_anew(desk, replace(shown, spoke=by, chosen=0, edited=None), now_ns)
        others = (i for i, each in enumerate(turned.readings) if not same(each, shown.reading))
        at = next(others, 0)
    if same(turned.readings[at], shown.reading) and shown.edited is None:
        return None
    return replace(turned, chosen=at, edited=None, opened_ns=shown.opened_ns, changed_ns=now_ns)


def _may_have_shot(desk: Desk, seat: Seat) -> bool:
    """Whether a FIX at this seat says that the seat shot."""
    game = desk.game
    playing = game is not None and seat in game.match.state.position.order
    return playing and desk.customs.confirm is not Confirm.OPPONENT
