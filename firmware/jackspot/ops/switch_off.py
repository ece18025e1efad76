"""Switching the machine off after a board was shut down from its menu.

The board's user may not do that. So the program ends with an exit status of its own, which tells
the service (``systemd/jackspot.service``) that people shut it down: the service stays down, and the
machine is switched off. An owner can choose something else: ``[board] shutdown = ["some",
"program"]`` is run as written, without a shell, after the journal is closed, and then the service
leaves the machine on.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

SHUT_DOWN = 3
"""Exit status: people shut the board down; the machine is to be switched off."""
COMMAND_RUN = 4
"""Exit status: people shut the board down, and the owner's command for it was run."""
COMMAND_FAILED = 5
"""Exit status: people shut the board down, and the owner's command for it failed."""


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
