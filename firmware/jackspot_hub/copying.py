"""A copy of a running event in another folder, such as a stick, to continue it on another machine.

The copy is the event's file with its journal beside it, each complete or as it was before, so that
`jackspot hub run` on the copy continues where the event was. A thread of its own makes it: a stick
is slow, and may be pulled out. The folder on which a stick was mounted may remain, but on the
machine's own disk; a copy there would be no copy.
"""

from __future__ import annotations

import logging
import stat
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from jackspot.storage.errors import JournalError
from jackspot.storage.journal import copy_journal
from jackspot_hub.desk.state import Journals

_logger = logging.getLogger(__name__)

EACH_S = 5.0
"""Shortest time between two copies; a failed copy is retried after it."""


def disk_of(path: Path) -> int | None:
    """Return the number of the disk that a path is on; None: there is no such path."""
    try:
        return path.stat().st_dev
    except OSError:
        return None


class EventCopy:
    """Copies an event into ``folder`` whenever its journal has something new.

    ``beside`` are further files that belong to it, if they exist. ``results`` returns those that
    the journal has now.
    """

    def __init__(
        self, folder: Path, event: Path, journal: Path, each_s: float = EACH_S,
        beside: Sequence[Path] = (), results: Callable[[], Journals] = dict,
    ) -> None:  # fmt: skip
        self._folder, self._event, self._journal = folder, event, journal
        self._each_s = each_s
        self._results = results
        self._has: Journals | None = None
        self._files = [event, *beside]
        own = disk_of(journal)
        self._is_stick = disk_of(folder) not in (None, own)
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

    def kept(self) -> Journals | None:
        """Return the results that boards need not keep, since the copy has them too.

        None before the first copy. While copies fail it is what the journal alone has: a stick that
        nobody plugs in again must not hold up a hall.
        """
        return self._results() if self._trouble else self._has

    def wrote(self) -> None:
        """Report that the journal has something new; from any thread, returns at once."""
        self._due.set()

    def close(self) -> None:
        """Make the last copy, and end."""
        self._ended.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            is_due = self._due.wait(self._each_s)
            self._due.clear()
            ends = self._ended.is_set()
            if (is_due or not self._is_there()) and not self._copied():
                self._due.set()
            if ends:
                return
            self._ended.wait(self._each_s)

    def _is_there(self) -> bool:
        """Return whether the copy is still where it was made; False if it cannot be read."""
        copies = (self._folder / each.name for each in (self._journal, self._event))
        try:
            return not self._is_pulled_out() and all(each.exists() for each in copies)
        except OSError:
            return False

    def _is_pulled_out(self) -> bool:
        return self._is_stick and disk_of(self._folder) == disk_of(self._journal)

    def _require_stick(self) -> None:
        if self._is_pulled_out():
            raise OSError(f"{self._folder}: no stick is there; put it in again")

    def _copied(self) -> bool:
        try:
            self._require_stick()
            results = self._results()
            copy_journal(self._journal, self._folder / self._journal.name)
            for each in self._files:
                self._copy_file(each)
        except (JournalError, OSError) as error:
            if not self._trouble:
                _logger.warning("the copy of the event: %s", error)
            self._trouble = str(error)
            return False
        if self._trouble:
            _logger.warning("the copy of the event is made again: %s", self._folder)
        self._trouble, self._has = "", results
        return True

    def _copy_file(self, file: Path) -> None:
        if file != self._event and not file.exists():
            return
        target = self._folder / file.name
        content = file.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            draft = target.with_name(target.name + ".tmp")
            draft.unlink(missing_ok=True)
            draft.touch(stat.S_IMODE(file.stat().st_mode))  # only those who may read the PIN
            draft.write_bytes(content)
            draft.replace(target)
