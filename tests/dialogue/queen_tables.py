"""Tables of the systems with a queen, at the points where their rules ask something."""

from __future__ import annotations

from typing import Any

from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import watch_the_evidence, watch_the_presses, watch_the_question
from tests.dialogue.playing import Table

QUEEN_SYSTEMS = ("kagw", "grundregeln", "icf")


def playing(rules: str, **given: Any) -> Table:
    """A match of these rules, N to shoot, watched at every step."""
    table = Table(rules=rules, **given)
    table.watchers += [
        watch_the_question, watch_the_evidence(table), watch_the_presses(table),
    ]  # fmt: skip
    return table.started("N")


def kind(table: Table) -> MenuKind | None:
    """Return which list is open."""
    return table.dialogue.menu.kind if table.dialogue.menu else None


def broken(table: Table) -> Table:
    """N has made the break with a white piece, and shoots again."""
    return table.shot("WHITE NE", "NE")


def striker(table: Table, by: str = "referee") -> Table:
    """The seat to shoot pockets the striker alone."""
    return table.review("SW").choose("STRIKER SW", by).wait(0.5).ok(by).calm()


def owing(rules: str = "kagw", **given: Any) -> Table:
    """N owes one, has one in, and has just missed: S has to put it back."""
    table = playing(rules, **given)
    table.shot("STRIKER NE", "NE").miss("S").shot("WHITE SW", "SW")
    return table.ok("N").calm().must_be(Phase.PLACING)


def lost_improperly(**given: Any) -> Table:
    """N has pocketed black's last piece improperly, the queen on the board: S wins."""
    table = playing("icf", **given).hold("referee", "fix").wait(1.0).pick("correct the counts")
    for _ in range(8):
        table.pick("BLACK in: ")
    for _ in range(3):
        table.pick("WHITE in: ")
    table.pick("the table is right").calm()
    table.review("NE").choose("BLACK NE").foul().wait(1.0).hold("referee", "ok").calm()
    return table
