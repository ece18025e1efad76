"""What is asked, a class a phase: what belongs to one phase alone is in no other.

Nothing is proposed but in *falling* and *review*, and a time-out is nobody's but in *paused*. The
phases that have nothing of their own share a class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from jackspot.core.pieces import Side
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import Phase

RestingPhase: TypeAlias = Literal[
    Phase.SETUP, Phase.READY, Phase.PLACING, Phase.BOARD_OVER, Phase.MATCH_OVER
]


@dataclass(frozen=True, slots=True)
class AtRest:
    """A phase that has nothing of its own."""

    phase: RestingPhase


@dataclass(frozen=True, slots=True)
class Falling:
    """*falling*: what fell so far, as it reads likeliest."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.FALLING


@dataclass(frozen=True, slots=True)
class Review:
    """*review*: what lies open until somebody confirms it."""

    proposal: Proposal
    phase: ClassVar[Phase] = Phase.REVIEW


@dataclass(frozen=True, slots=True)
class Paused:
    """*paused*: whose time-out it is, where it is one."""

    time_out: Side | None = None
    phase: ClassVar[Phase] = Phase.PAUSED


Question: TypeAlias = AtRest | Falling | Review | Paused

IN_SET_UP = AtRest(Phase.SETUP)
