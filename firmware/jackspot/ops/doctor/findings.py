"""What a check found: well, doubtful or broken, in one line, with its remedy."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How serious a finding is."""

    WELL = "well"
    DOUBTFUL = "warning"
    """The board plays, but something is worth a look."""
    BROKEN = "broken"
    """The board does not play, or plays without this part."""


class Finding(Struct, frozen=True):
    """One line of the doctor: what was checked, what was found, what to do."""

    mark: Severity
    what: str
    found: str
    remedy: str = ""


def well(what: str, found: str) -> Finding:
    """Report that something is as it should be."""
    return Finding(Severity.WELL, what, found)


def doubtful(what: str, found: str, remedy: str) -> Finding:
    """Report that something is worth a look, and what to do."""
    return Finding(Severity.DOUBTFUL, what, found, remedy)


def broken(what: str, found: str, remedy: str) -> Finding:
    """Report that something does not work, and what to do."""
    return Finding(Severity.BROKEN, what, found, remedy)
