"""A newer version for the boards of a hall: to which of them it is offered now. Pure.

An organiser offers it to boards, which is an entry of the journal. At most three boards have a
place at a time: they are told of it, and nobody is called to them. Only a free board is given one.
A board loses it if it is called or played on, unless the update is in hand already, or if it
reports nothing new for ten minutes. The board that was given one the fewest times is next, so a
board that never answers does not keep the others waiting for long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jackspot.core.phrases import _
from jackspot.dialogue.state.view import OrderState
from jackspot.festival.messages import ENDED, IN_HAND, UpdateStep
from jackspot.values import changed
from jackspot_hub.desk.state import DeskEntry, DeskKind, DeskState, Entries, SeenBoard
from jackspot_hub.event.entries import CannotBe

PLACES = 3
"""How many boards take it at a time: a hall goes on with the others."""
QUIET_MS = 600_000
"""A board that reports nothing new for this long leaves its place: a trial takes a minute."""


def offer_update(desk: DeskState, boards: Iterable[int] | None, by: str) -> Entries:
    """Offer the hub's release to boards; None: to all that have not ended well with it.

    A board that is busy with it goes on as it is. CannotBe if there is nothing to offer.
    """
    if desk.carried is None:
        raise CannotBe(_("the hub has no release to hand out: start it with --update FOLDER"))
    known = {each.number for each in desk.programme.boards}
    if boards is None:
        wanted = {each for each in known if ended(desk, each) is not UpdateStep.DONE}
    else:
        wanted = set(boards)
    if strangers := wanted - known:
        raise CannotBe(_("there is no board {n}", n=min(strangers)))
    wanted -= desk.places.keys()
    if not wanted:
        raise CannotBe(_("all of these boards have {release}, or are at it",
                         release=desk.carried.release))  # fmt: skip
    return _entry(desk.carried.release, sorted(wanted), by)


def take_offer_back(desk: DeskState, by: str) -> Entries:
    """Offer nothing any more; boards finish what is in hand."""
    if not desk.offers:
        raise CannotBe(_("nothing is offered to any board"))
    return _entry("", [], by)


def _entry(release: str, boards: list[int], by: str) -> Entries:
    body = {"release": release, "boards": boards, "by": by}
    return (DeskEntry(DeskKind.UPDATE, body),)


def heard_update(
    desk: DeskState, board: int, said: Mapping[str, Any] | None, now_ms: int
) -> DeskState:
    """Take a board's progress; one busy with it has its place, even after the hub's restart."""
    if said == desk.updates.get(board):
        return desk
    updates = {at: each for at, each in desk.updates.items() if at != board}
    if said is not None:
        updates[board] = said
    desk = changed(desk, updates=updates)
    if board in desk.places or _in_hand(desk, board):
        desk = changed(desk, places={**desk.places, board: now_ms})
    return desk


def give_places(desk: DeskState, now_ms: int) -> DeskState:
    """Return the desk with the places that boards have now."""
    offers = offers_now(desk)
    kept = {
        board: since for board, since in desk.places.items()
        if now_ms < since + QUIET_MS and (_in_hand(desk, board) or (
            board in offers and ended(desk, board) is None and not _is_busy(desk, board)
        ))
    }  # fmt: skip
    given = dict(desk.given)
    for board in sorted(offers, key=lambda each: (given.get(each, 0), each)):
        if len(kept) >= PLACES:
            break
        if board not in kept and ended(desk, board) is None and _can_begin(desk, board):
            kept[board], given[board] = now_ms, given.get(board, 0) + 1
    if kept == desk.places:
        return desk
    return changed(desk, places=kept, given=given)


def offer_told(desk: DeskState, board: int) -> dict[str, Any]:
    """Return what to tell a board of the release; empty: nothing is offered to it now."""
    offer, carried = offers_now(desk).get(board), desk.carried
    if board not in desk.places or offer is None or carried is None:
        return {}
    return {
        "v": 1, "offer": offer, "release": carried.release, "file": carried.file,
        "port": carried.port, "size": carried.size, "sha256": carried.sha256,
    }  # fmt: skip


def offers_now(desk: DeskState) -> Mapping[int, int]:
    """Return the offers of the release that this run of the hub has."""
    here = desk.carried is not None and desk.carried.release == desk.offered
    return desk.offers if here else {}


def ended(desk: DeskState, board: int) -> UpdateStep | None:
    """Return how the offer to a board has ended there; None: it has not yet."""
    said = desk.updates.get(board)
    if said is None or said["offer"] != desk.offers.get(board):
        return None
    step = UpdateStep(said["step"])
    return step if step in ENDED else None


def _in_hand(desk: DeskState, board: int) -> bool:
    """Whether a board is installing or trying something, whatever is offered to it by now."""
    said = desk.updates.get(board)
    return said is not None and said["step"] in IN_HAND


def _is_busy(desk: DeskState, board: int) -> bool:
    seen = desk.seen.get(board, SeenBoard())
    played = seen.state not in (None, OrderState.NONE, OrderState.OVER)
    return board in desk.open_orders or played


def _can_begin(desk: DeskState, board: int) -> bool:
    seen = desk.seen.get(board, SeenBoard())
    return seen.there and seen.state is not None and not _is_busy(desk, board)
