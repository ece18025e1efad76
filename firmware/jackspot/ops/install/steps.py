"""A step of an installation: what it would do, or that it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class StepFailed(Exception):
    """A step that cannot be taken; says what, why, and what to do."""


@dataclass(frozen=True, slots=True)
class InstallStep:
    """One thing to bring about. ``act`` brings it about; None if it is so already.

    ``words`` say what will be done, or what was found. ``changes`` says whether a running board
    must be restarted for it. ``afterwards`` is what people have to do then.
    """

    what: str
    words: str
    act: Callable[[], None] | None = None
    changes: bool = True
    afterwards: str = ""


def done(what: str, words: str) -> InstallStep:
    """Report that something is as it should be, or is left as it is."""
    return InstallStep(what, words)
