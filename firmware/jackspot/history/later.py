"""The history for the pages, opened when somebody asks for it: a board is ready before."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jackspot.history.pages import PageHistory


class LaterHistory:
    """Answers as :class:`jackspot.history.pages.PageHistory` does.

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
        """Return the list and the figures; ValueError for a day that is none, OSError."""
        return self._history.listed(player, since, until)

    def one(self, number: int) -> dict[str, Any] | None:
        """Return one match, None where there is none; OSError."""
        return self._history.one(number)

    def file(self, number: int, kind: str) -> tuple[str, str, str] | None:
        """Return a file's name, type and text, None where there is no such match; OSError."""
        return self._history.file(number, kind)
