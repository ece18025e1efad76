"""Allow one writer per journal: a lock file that the kernel releases when its process dies.

The lock is not on the journal itself: closing any second handle of that file would drop the
locks that SQLite holds on it.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from jackspot.files import open_regular
from jackspot.storage.errors import JournalBusy


class WriterLock:
    """Held from construction until :meth:`release`.

    Raises JournalBusy, naming the process that holds it, and OSError if the lock file can be
    neither made nor opened.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        self._fd = _open(path)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise
            raise JournalBusy(
                journal,
                f"another jackspot (process {holder or 'unknown'}) is writing this journal; "
                "stop it first, or give this one a journal of its own",
            ) from error
        self._note_holder()

    def _note_holder(self) -> None:
        """Write who holds the lock, for a process that is refused; a full disk may prevent it."""
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except OSError:
            return

    def release(self) -> None:
        """Let another process write; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _open(path: Path) -> int:
    """Open the lock file, only for reading if the file system takes no writes."""
    try:
        return open_regular(path, os.O_RDWR | os.O_CREAT)
    except OSError as refused:
        try:
            return open_regular(path)
        except FileNotFoundError:
            raise refused from None
