"""The rule systems: each has a file, and an item in :data:`RULES`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from jackspot.core.pieces import Piece
from jackspot.core.rules.jack.hikone import HIKONE
from jackspot.core.rules.jack.japan import JAPAN
from jackspot.core.rules.points.points import POINTS
from jackspot.core.rules.queen.grundregeln import GRUNDREGELN
from jackspot.core.rules.queen.icf import ICF
from jackspot.core.rules.queen.kagw import KAGW
from jackspot.core.rules.system import (
    Effect,
    Facts,
    FinishedBoard,
    IllegalDirective,
    Rules,
    Standing,
)
from jackspot.core.settings import RuleSystem

__all__ = [
    "RULES",
    "Effect",
    "Facts",
    "FinishedBoard",
    "IllegalDirective",
    "NotPlayed",
    "Rules",
    "Standing",
    "facts_of",
    "has_jack",
    "rules_for",
]

RULES: Mapping[RuleSystem, Rules] = MappingProxyType(
    {rules.id: rules for rules in (HIKONE, JAPAN, KAGW, GRUNDREGELN, POINTS, ICF)}
)


class NotPlayed(LookupError):
    """A rule system that exists but that this version does not play."""


def rules_for(system: RuleSystem) -> Rules:
    """Return a rule system; raise :class:`NotPlayed`, which names the existing ones."""
    rules = RULES.get(system)
    if rules is None:
        raise NotPlayed(
            f"rules '{system}' are not played by this version; it plays: {', '.join(RULES)}"
        )
    return rules


def has_jack(system: RuleSystem) -> bool:
    """Return whether a system is carom, with a jack in the middle; the others have a queen."""
    return rules_for(system).red is Piece.JACK


def facts_of(system: RuleSystem) -> Facts:
    """Return what the rest of the program must know about a system."""
    return rules_for(system).facts
