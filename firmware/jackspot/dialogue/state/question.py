"""What is asked, one class for each phase: what belongs to one phase alone is in no other.

Only *falling* and *review* propose anything, and only *paused* has a time-out. Phases that have
nothing of their own share a class.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from jackspot.core.pieces import Side
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import Phase

RestingPhase: TypeAlias = Literal[
    Phase.SETUP, Phase.READY, Phase.PLACING, Phase.BOARD_OVER, Phase.MATCH_OVER
]


class AtRest(Struct, frozen=True):
    """A phase that has nothing of its own."""

    phase: RestingPhase


class Falling(Struct, frozen=True):
    """*falling*: what has fallen so far, as its likeliest reading."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.FALLING


class Review(Struct, frozen=True):
    """*review*: the proposal that is open until somebody confirms it."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.REVIEW


class Paused(Struct, frozen=True):
    """*paused*: the side whose time-out it is, if it is one."""

    time_out: Side | None = None
    phase: ClassVar[Phase] = Phase.PAUSED


Question: TypeAlias = AtRest | Falling | Review | Paused

IN_SET_UP = AtRest(Phase.SETUP)
