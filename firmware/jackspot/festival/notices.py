"""The hall's notice on its way to the board: the newest, at most twice a second. Pure.

Boards have no correct clock, so a notice ends by the hub's, which a board knows a few seconds after
connecting. Until then a notice that is older than it looks may be shown for too long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from jackspot.core.clock import SECOND_NS
from jackspot.festival.incoming import notice_of
from jackspot.sensing.events import NoticeTold

EACH_NS = SECOND_NS // 2
"""Shortest time between two notices passed on, however often they change."""
MOVED_NS = SECOND_NS
"""Two ends that differ by less than this are the same."""


class NoticeBoard(Struct):
    """The current notice.

    Instants of the board's clock are ``at_ns``, those of the machine ``now_ns``.
    """

    _said: dict[str, Any] | None = None
    _arrived_ns: int = 0
    _handed: NoticeTold = field(default_factory=lambda: NoticeTold(0, None))
    _next_ns: int = 0

    def take(self, said: dict[str, Any] | None, at_ns: int) -> None:
        """Take a notice that was read; None: it is withdrawn. BadMessage: it stays as it was.

        If the same one comes again after the connection was lost, its first arrival counts.
        """
        if said is not None:
            notice_of(said, None, at_ns, at_ns)
        if said != self._said:
            self._said, self._arrived_ns = said, at_ns

    def hand_on(
        self,
        submit: Callable[[NoticeTold], None],
        pair: dict[str, Any] | None,
        at_ns: int,
        now_ns: int,
    ) -> int | None:
        """Submit what is new; return after how many nanoseconds to look again, None: never."""
        told = NoticeTold(at_ns, None)
        if self._said is not None:
            told = notice_of(self._said, pair, self._arrived_ns, at_ns)
        is_known = told.text == self._handed.text
        if is_known and abs(told.until_ns - self._handed.until_ns) < MOVED_NS:
            return None
        if now_ns < self._next_ns:
            return self._next_ns - now_ns
        self._next_ns, self._handed = now_ns + EACH_NS, told
        submit(told)
        return None
