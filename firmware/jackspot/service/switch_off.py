"""Switching the machine off, once a board was shut down from its menu.

What that takes is the owner's to say: ``[board] shutdown = ["systemctl", "poweroff"]``. It is
run as it stands there, without a shell, after the journal is closed.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence


class NotSwitchedOff(RuntimeError):
    """The owner's command is missing or failed; the board is down all the same."""


def switch_off(command: Sequence[str]) -> None:
    """Run the owner's command; :class:`NotSwitchedOff` says what it was and what to do."""
    what = f"[board] shutdown = {list(command)}"
    advice = "the board is down and everything is written; switch the machine off by hand"
    try:
        done = subprocess.run(command, check=False)
    except OSError as failure:
        raise NotSwitchedOff(f"{what}: expected a program, found {failure}; {advice}") from failure
    if done.returncode:
        raise NotSwitchedOff(f"{what}: ended with status {done.returncode}; {advice}")
