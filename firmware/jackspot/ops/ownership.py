"""Working on files as the user who owns them.

If root wrote into the board's folder, it would leave files there that the board cannot change. So
root becomes the folder's owner for as long as it takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jackspot.files import is_there

ROOT = 0
RUN_AS = "run this as root or as the board's user"


def refused(path: Path) -> str:
    """Return in words that this user may not read what is at a path; empty if they may."""
    if not is_there(path) or os.access(path, os.R_OK, effective_ids=True):
        return ""
    return f"{path}: may not be read"


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Act as the owner and group of a folder; a user who is not root stays the same."""
    try:
        there = folder.stat()
    except OSError:
        yield
        return
    if os.geteuid() != ROOT or there.st_uid == ROOT:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([])
    os.setegid(there.st_gid)
    os.seteuid(there.st_uid)
    try:
        yield
    finally:
        os.seteuid(ROOT)
        os.setegid(group)
        os.setgroups(groups)


def give_to_caller(file: Path) -> None:
    """Give a file that root made to the person who called sudo; others' files keep their owners.

    On a FAT stick all files have one owner, which stays.
    """
    user, group = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() == ROOT and user.isdigit() and group.isdigit():
        with suppress(OSError):
            os.chown(file, int(user), int(group))
