"""A copy of a running event in another folder, on a stick: what another machine goes on with.

The copy is the event's file and its journal beside it, each whole or as it was before, so that
`jackspot hub run` on the copy goes on where it was. It is made by a thread of its own: a stick
takes long, and is pulled out.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from jackspot.storage.errors import JournalError
from jackspot.storage.journal import copy_journal

_logger = logging.getLogger(__name__)

EACH_S = 5.0
"""A copy is made at most so often; one that fails is tried again so soon."""


class EventCopy:
    """Copies an event into ``folder`` whenever something new stands in its journal."""

    def __init__(self, folder: Path, event: Path, journal: Path, each_s: float = EACH_S) -> None:
        self._folder, self._event, self._journal = folder, event, journal
        self._each_s = each_s
        self._due = threading.Event()
        self._ended = threading.Event()
        self._due.set()
        self._thread = threading.Thread(target=self._run, name="copy", daemon=True)
        self._trouble = ""
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Why the last copy failed; empty: it did not."""
        return self._trouble

    def wrote(self) -> None:
        """Say that something new stands in the journal; from any thread, at once."""
        self._due.set()

    def close(self) -> None:
        """Make the last copy, and end."""
        self._ended.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._due.wait()
            self._due.clear()
            ends = self._ended.is_set()
            if not self._copied():
                self._due.set()
            if ends:
                return
            self._ended.wait(self._each_s)

    def _copied(self) -> bool:
        try:
            copy_journal(self._journal, self._folder / self._journal.name)
            self._copy_event()
        except (JournalError, OSError) as error:
            if not self._trouble:
                _logger.warning("the copy of the event: %s", error)
            self._trouble = str(error)
            return False
        if self._trouble:
            _logger.warning("the copy of the event is made again: %s", self._folder)
        self._trouble = ""
        return True

    def _copy_event(self) -> None:
        target = self._folder / self._event.name
        content = self._event.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            draft = target.with_name(target.name + ".tmp")
            draft.write_bytes(content)
            draft.replace(target)
