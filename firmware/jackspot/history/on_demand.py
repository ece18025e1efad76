"""The history for the pages, opened on first use so that a board is ready sooner."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jackspot.history.pages import PageHistory


class LaterHistory:
    """Answer like :class:`jackspot.history.pages.PageHistory`, which is opened on first use.

    ``initials`` hides names behind letters.
    """

    def __init__(self, journal: Path, board: str, *, initials: bool) -> None:
        self._journal = journal
        self._board = board
        self._initials = initials

    @cached_property
    def _history(self) -> PageHistory:
        from jackspot.history.pages import PageHistory

        return PageHistory(self._journal, self._board, initials=self._initials)

    def listed(self, player: str, since: str, until: str) -> dict[str, Any]:
        """Return the list and the figures. Raises ValueError for a bad day, OSError."""
        return self._history.listed(player, since, until)

    def one(self, number: int) -> dict[str, Any] | None:
        """Return one match, None if there is none. Raises OSError."""
        return self._history.one(number)

    def file(self, number: int, kind: str) -> tuple[str, str, str] | None:
        """Return a file's name, type and text, None if there is no such match. Raises OSError."""
        return self._history.file(number, kind)
