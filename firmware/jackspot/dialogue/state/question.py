"""What is asked, a class a phase: what belongs to one phase alone is in no other.

Nothing is proposed but in *falling* and *review*, and a time-out is nobody's but in *paused*. The
phases that have nothing of their own share a class.
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
    """*falling*: what fell so far, as it reads likeliest."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.FALLING


class Review(Struct, frozen=True):
    """*review*: what lies open until somebody confirms it."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.REVIEW


class Paused(Struct, frozen=True):
    """*paused*: whose time-out it is, where it is one."""

    time_out: Side | None = None
    phase: ClassVar[Phase] = Phase.PAUSED


Question: TypeAlias = AtRest | Falling | Review | Paused

IN_SET_UP = AtRest(Phase.SETUP)
