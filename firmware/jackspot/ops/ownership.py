"""Working on files as the user whose they are.

Root that writes into the board's folder would leave files there that the board cannot change.
So root becomes, for as long as it takes, who owns the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = 0


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Act as the owner and group of a folder; whoever is not root stays who they are."""
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
    """Return a file that root made to the person who called sudo; others' files stay theirs."""
    user, group = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() == ROOT and user.isdigit() and group.isdigit():
        os.chown(file, int(user), int(group))
