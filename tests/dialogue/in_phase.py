"""A table in each phase, and the actions that can be taken there."""

from __future__ import annotations

from collections.abc import Callable

from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table

JUST_ONE = {"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}}
"""One puck in, and the jack may be played: boards that end soon."""


def in_setup() -> Table:
    return Table().wait(1.0)


def in_ready() -> Table:
    return Table().started("N")


def in_falling() -> Table:
    table = in_ready()
    table.fall("NE").wait(0.6)
    return table.must_be(Phase.FALLING)


def in_review() -> Table:
    return in_ready().review("NE").wait(0.5)


def in_placing() -> Table:
    """N has pocketed one and then the striker: the puck goes back."""
    table = in_ready().shot("RED NE", "NE")
    table.review("SW").choose("STRIKER SW").wait(0.5).ok("referee").calm()
    return table.must_be(Phase.PLACING)


def in_pause() -> Table:
    table = in_ready().hold("referee", "fix")
    return table.pick("pause").calm().must_be(Phase.PAUSED)


def board_won(best_of: int) -> Table:
    table = Table(options={"best_of": best_of}, handicap=JUST_ONE).started("N")
    return table.shot("RED NE", "NE").shot("JACK SE", "SE")


def at_board_over() -> Table:
    return board_won(3).wait(6.0).must_be(Phase.BOARD_OVER)


def at_match_over() -> Table:
    return board_won(1).wait(6.0).must_be(Phase.MATCH_OVER)


IN_PHASE: dict[Phase, Callable[[], Table]] = {
    Phase.SETUP: in_setup,
    Phase.READY: in_ready,
    Phase.FALLING: in_falling,
    Phase.REVIEW: in_review,
    Phase.PLACING: in_placing,
    Phase.PAUSED: in_pause,
    Phase.BOARD_OVER: at_board_over,
    Phase.MATCH_OVER: at_match_over,
}


SAY: dict[Action, Callable[[Table], Table]] = {
    Action.OK: lambda table: table.ok("referee"),
    Action.OK_HELD: lambda table: table.hold("referee", "ok"),
    Action.FIX: lambda table: table.fix("referee"),
    Action.FIX_HELD: lambda table: table.hold("referee", "fix"),
    Action.FOUL: lambda table: table.foul(),
    Action.OFF: lambda table: table.off(),
    Action.UNDO: lambda table: table.undo(),
}
