"""What set-up proposes, and how people change it press by press.

A plan is a record's header as data, with who plays and who shoots first. It becomes a match's
settings by being agreed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jackspot.core.agreement import agree
from jackspot.core.options import OPTIONS
from jackspot.core.pieces import Seat
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.table.desk import Plan

LINEUPS: tuple[tuple[Seat, ...], ...] = (
    (Seat.N, Seat.S),
    (Seat.E, Seat.W),
    (Seat.N, Seat.E, Seat.S, Seat.W),
)
"""Who can play: two who face each other, or two pairs, clockwise."""

TIME_LIMITS_S = (0, 180, 300, 600)
"""Time limits that the menu offers, in seconds."""

MOST_BOARDS = 5
"""The longest match that the menu offers; the configuration may ask for a longer one."""


def agreed(plan: Plan, first: Seat) -> MatchSettings:
    """Agree the match that a plan proposes, with ``first`` to shoot first.

    Raises :class:`jackspot.core.agreement.Disagreement` where it cannot be played.
    """
    at = plan.lineup.index(first)
    seats = (*plan.lineup[at:], *plan.lineup[:at])
    header = {**plan.header, "seats": [seat.value for seat in seats]}
    for table in ("names", "handicap", "colours"):
        given = plan.header.get(table)
        if isinstance(given, Mapping):
            header[table] = {seat: each for seat, each in given.items() if seat in seats}
    return agree(header)


def _options(plan: Plan) -> Mapping[str, object]:
    options = plan.header.get("options", {})
    return options if isinstance(options, Mapping) else {}


def _number(plan: Plan, name: str) -> int:
    """Give an option as planned, else the default of the plan's rules."""
    rules = RuleSystem(str(plan.header.get("rules", RuleSystem.HIKONE.value)))
    value = _options(plan).get(name, OPTIONS[name].defaults[rules])
    return value if isinstance(value, int) else 0


def time_limit_s(plan: Plan) -> int:
    """Give the planned time limit of a board in seconds; 0: none."""
    return _number(plan, "time_limit_s")


def best_of(plan: Plan) -> int:
    """Give how many boards the planned match has at most."""
    return _number(plan, "best_of")


def _with_option(plan: Plan, name: str, value: int) -> Plan:
    return replace(plan, header={**plan.header, "options": {**_options(plan), name: value}})


def with_next_limit(plan: Plan) -> Plan:
    """Offer the next longer time limit; after the longest, none."""
    longer = (limit for limit in TIME_LIMITS_S if limit > time_limit_s(plan))
    return _with_option(plan, "time_limit_s", next(longer, TIME_LIMITS_S[0]))


def with_next_best_of(plan: Plan) -> Plan:
    """Offer the next longer match; after the longest, one board."""
    now = best_of(plan)
    return _with_option(plan, "best_of", 1 if now >= MOST_BOARDS else now + 2)


def with_next_lineup(plan: Plan) -> Plan:
    """Let the next line-up play, in the direction that is planned."""
    counter = _options(plan).get("direction") == "ccw"
    at = next((i for i, each in enumerate(LINEUPS) if set(each) == set(plan.lineup)), -1)
    lineup = LINEUPS[(at + 1) % len(LINEUPS)]
    if counter and len(lineup) > 2:
        lineup = (lineup[0], *reversed(lineup[1:]))
    first = plan.first if plan.first in lineup else lineup[0]
    return replace(plan, lineup=lineup, first=first)


def with_next_first(plan: Plan) -> Plan:
    """Let the next seat of the line-up shoot first."""
    at = plan.lineup.index(plan.first) if plan.first in plan.lineup else -1
    return replace(plan, first=plan.lineup[(at + 1) % len(plan.lineup)])
