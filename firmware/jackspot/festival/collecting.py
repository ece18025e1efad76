"""Results on their way out of the journal: read when matches end, kept until the hub has them."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from jackspot.festival.asks import NotDone
from jackspot.festival.messages import MOST_BYTES, ResultMessage, crc32, write
from jackspot.festival.results import MOST_ASKED, Outbox, lives_of, result_of
from jackspot.history.index import History
from jackspot.history.summary import summarise
from jackspot.storage.errors import JournalError

_logger = logging.getLogger(__name__)


class ResultCollector:
    """Reads results from a board's journal into an outbox.

    ``entries`` is how many the journal had at the board's start.
    """

    def __init__(self, journal: Path, board: str, entries: int) -> None:
        self.outbox = Outbox()
        self.is_unread = True
        """Whether the journal may have results that were not read yet."""
        self._board = board
        self._entries = entries
        self._history = History(journal, summarise)
        self._read_to = 0
        self._doubted = 0

    def collect(self) -> bool:
        """Put the results of matches that have ended into the outbox.

        Return False if the journal could not be read, so that this is to be done again.
        """
        self.is_unread = True
        try:
            self.learn_lives()
            if not self.outbox.journal:
                return True
            for number in self._history.after(max(self._read_to, self.outbox.seq)):
                result = self._result(number)
                if result is not None:
                    self.outbox.add((result,))
                    self._read_to = max(self._read_to, result["seq"])
            self.is_unread = False
        except JournalError as error:
            _logger.warning("hall: results are not read: %s", error)
        return not self.is_unread

    def _result(self, number: int) -> ResultMessage | None:
        """Return a match's result; without its record, if no message has room for it."""
        result = result_of(self._history.entries(number), self._board, self.outbox.lives)
        if result is None or (size := len(write(result))) <= MOST_BYTES:
            return result
        _logger.warning("hall: result %s goes without its record: %d bytes, at most %d",
                        result["id"], size, MOST_BYTES)  # fmt: skip
        return {**result, "record": "", "crc32": crc32("")}

    def name_the_journal(self) -> None:
        """Learn the journal's names as soon as it has an entry."""
        if not self.outbox.journal:
            with contextlib.suppress(JournalError):
                self.learn_lives()

    def learn_lives(self) -> None:
        """Learn the journal's names: if a card fails in play, it continues under another one.

        Raises JournalError.
        """
        lives = lives_of(self._history.beginnings())
        if lives and lives != self.outbox.lives:
            self.outbox.live(lives)
            self._read_to = min(self._read_to, lives[-1].begins - 1)

    def acknowledged(self, journals: Mapping[str, int], written: int) -> None:
        """Drop what the hub has; an acknowledgement beyond the journal's entries is not believed.

        ``written`` is how many entries are known to be in the journal.
        """
        self.name_the_journal()
        name = self.outbox.journal
        said = journals.get(name, 0)
        if said > written and not self._has(said):
            journals = {each: seq for each, seq in journals.items() if each != name}
            if said != self._doubted:
                self._doubted = said
                _logger.warning(
                    "hall: ack: journals.%s: expected one of its entries, found %d", name, said
                )
        self.outbox.acknowledged(journals, time.monotonic_ns())

    def _has(self, seq: int) -> bool:
        """Whether the journal has an entry, by the journal itself.

        A journal that could not be read when the board started has more entries than were counted.
        """
        try:
            return bool(self._history.after(seq - 1))
        except JournalError:
            return False

    def send_again(self, journal: str | None, since: int) -> int:
        """Send results once more, oldest first; return how many. Raises NotDone.

        Of an earlier life ``since`` says nothing of what was written after it.
        """
        self.name_the_journal()
        if journal not in (None, *(life.name for life in self.outbox.lives)):
            raise NotDone(f"journal: expected {self.outbox.journal!r}, found {journal!r}")
        if not self.outbox.lives:
            raise NotDone("results: the journal has no entry yet that can be read")
        ends = {life.name: later.begins - 1 for life, later in pairwise(self.outbox.lives)}
        since = min(since, ends.get(journal or "", since))
        found = []
        for number in self._history.after(since):
            result = self._result(number)
            if result is not None and result["seq"] > since:
                found.append(result)
            if len(found) == MOST_ASKED:
                break
        self.outbox.ask(found, time.monotonic_ns())
        return len(found)

    @property
    def behind(self) -> int:
        """How many results are waiting that the hub has not received since the board's start."""
        return self.outbox.behind(self.outbox.seq or self._entries)
