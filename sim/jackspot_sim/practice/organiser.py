"""What an organiser would do at the desk, where the hub does nothing on its own.

The organiser draws the classes that were left for later and have people, calls the first round of
an event by the gong and strikes it, and moves the match of a board that stays dead. Where a match
of a knockout ended tied, the organiser says who has won: somebody must, and the hub never picks.
"""

from __future__ import annotations

import random
from contextlib import suppress

from jackspot.dialogue.state.view import OrderState
from jackspot.values import changed
from jackspot_hub.desk.entering import draw_class
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskEntry, DeskState, SeenBoard
from jackspot_hub.desk.step import (
    call_round,
    ended_unsaid,
    move,
    record_on,
    strike,
    waiting_for_gong,
)
from jackspot_hub.event.contest import OpenPlay
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import PlayedMatch

MINUTE_MS = 60_000
MOVES_AFTER_MS = 3 * MINUTE_MS
"""How long an organiser waits for a board that is lost."""
DECIDES_AFTER_MS = 2 * MINUTE_MS
"""How long a sudden death takes."""


class Organiser:
    """Looks at the desk, and occasionally acts. ``seed`` decides who wins a tie."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(f"{seed} organiser")
        self._seed = seed
        self._lost_ms: dict[int, int] = {}
        self._tied_ms: dict[str, int] = {}
        self.begun_ms: dict[int, int] = {}
        """When the first stroke of each order was heard."""

    def look(self, desk: DeskState, now_ms: int) -> tuple[DeskEntry, ...]:
        """Return what is to be written down now, if anything."""
        self._see_first_strokes(desk, now_ms)
        return (
            self._drawn(desk) or _by_gong(desk) or self._moved(desk, now_ms)
            or self._decided(desk, now_ms)
        )  # fmt: skip

    def is_over(self, desk: DeskState) -> bool:
        """Whether everything that can be played is: what nobody draws or calls does not count."""
        left = left_out(desk)
        played = [name for name in desk.programme.classes if name not in left]
        return all(map(desk.is_over, played)) and not self.has_to_decide(desk)

    def has_to_decide(self, desk: DeskState) -> bool:
        """Whether a match that has to be won is tied."""
        return bool(_tied(desk))

    def _drawn(self, desk: DeskState) -> tuple[DeskEntry, ...]:
        left = left_out(desk)
        for name, each in desk.programme.classes.items():
            if not each.is_drawn and name not in left:
                return draw_class(desk, name, self._seed, "the organiser")
        return ()

    def _see_first_strokes(self, desk: DeskState, now_ms: int) -> None:
        for board, number in desk.open_orders.items():
            seen = desk.seen.get(board)
            if number not in self.begun_ms and seen is not None and seen.order == number:
                order, plays = desk.orders[number], seen.state is OrderState.PLAYING
                lines = record_on(desk, board, order).partition("---\n")[2]
                if plays and lines.strip():
                    self.begun_ms[number] = now_ms

    def _moved(self, desk: DeskState, now_ms: int) -> tuple[DeskEntry, ...]:
        lost = {
            board for board in desk.open_orders
            if (seen := desk.seen.get(board)) is not None and not seen.there
        }  # fmt: skip
        self._lost_ms = {board: self._lost_ms.get(board, now_ms) for board in lost}
        free = [
            board.number
            for board in desk.programme.boards
            if board.number not in desk.open_orders
            and (seen := desk.seen.get(board.number)) is not None
            and seen.there
            and seen.state in (OrderState.NONE, OrderState.OVER)
        ]
        due = [at for at, since_ms in self._lost_ms.items() if now_ms >= since_ms + MOVES_AFTER_MS]
        for board in due:
            if (ended := ended_unsaid(desk, board)) is not None:
                return correct(desk, *ended, "as its record says")
            if free:
                with suppress(CannotBe):
                    return move(desk, board, free[0])
        return ()

    def _decided(self, desk: DeskState, now_ms: int) -> tuple[DeskEntry, ...]:
        tied = _tied(desk)
        self._tied_ms = {key: self._tied_ms.get(key, now_ms) for key in tied}
        for key, since_ms in self._tied_ms.items():
            outcome = tied[key].outcome
            if now_ms >= since_ms + DECIDES_AFTER_MS and outcome is not None:
                won = changed(outcome, winner=self._random.randrange(2))
                return correct(desk, key, won, "a sudden death")
        return ()


def left_out(desk: DeskState) -> dict[str, str]:
    """Return the classes from which nobody is called, and why."""
    left = {}
    for name, each in desk.programme.classes.items():
        if isinstance(each.contest.format, OpenPlay):
            left[name] = "free play calls nobody"
        elif not each.is_drawn:
            try:
                draw_class(desk, name, "", "the organiser")
            except CannotBe as wrong:
                left[name] = str(wrong).removeprefix(f"{name}: ")
    return left


def _by_gong(desk: DeskState) -> tuple[DeskEntry, ...]:
    """Call the first round, and strike the gong once all who are called and here wait for it."""
    if not desk.programme.by_gong:
        return ()
    with suppress(CannotBe):
        if desk.gong is None and not desk.open_orders:
            boards = (desk.seen.get(each.number, SeenBoard()) for each in desk.programme.boards)
            return call_round(desk) if all(each.state is not None for each in boards) else ()
        here = {
            board for board in desk.open_orders
            if (seen := desk.seen.get(board)) is not None and seen.there
        }  # fmt: skip
        if here and here.issubset(waiting_for_gong(desk)):
            return strike(desk, "the organiser")
    return ()


def _tied(desk: DeskState) -> dict[str, PlayedMatch]:
    """Return the matches that have to be won and ended tied, by their keys."""
    return {
        key: desk.played(name)[key] for name in desk.programme.classes for key in desk.unwon(name)
    }
