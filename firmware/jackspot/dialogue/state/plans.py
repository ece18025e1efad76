"""What set-up proposes, and how people change it press by press.

A plan is a record's header as data, plus who plays and who shoots first. It becomes a match's
settings when people agree to it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from jackspot.core.agreement import HANDICAPS, Disagreement, agree
from jackspot.core.header import write_header
from jackspot.core.options import OPTIONS
from jackspot.core.order import Begins, MatchOrder
from jackspot.core.pieces import Seat
from jackspot.core.rules import RULES, facts_of, rules_for
from jackspot.core.rules.common import single_player
from jackspot.core.settings import USUAL_RULES, MatchSettings, OptionValue, RuleSystem
from jackspot.dialogue.state.preferences import Lock
from jackspot.values import changed


class Plan(Struct, frozen=True):
    """What set-up proposes: a record's header as data, who plays, who shoots first.

    ``armed``: the clock of each board waits for a common gong.
    """

    header: Mapping[str, object] = field(
        default_factory=lambda: MappingProxyType({"rules": USUAL_RULES.value})
    )
    lineup: tuple[Seat, ...] = (Seat.N, Seat.S)
    first: Seat = Seat.N
    armed: bool = False


LINEUPS: tuple[tuple[Seat, ...], ...] = (
    (Seat.N, Seat.S),
    (Seat.E, Seat.W),
    (Seat.N, Seat.E, Seat.S, Seat.W),
    (Seat.N, Seat.E, Seat.S),
    (Seat.E, Seat.S, Seat.W),
    (Seat.S, Seat.W, Seat.N),
    (Seat.W, Seat.N, Seat.E),
)
"""Who can play: two who face each other, two pairs, or a pair and one alone; clockwise."""

TIME_LIMITS_S = (0, 180, 300, 600)
"""Time limits that the menu offers, in seconds."""

MOST_BOARDS = 5
"""The longest match that the menu offers; the configuration may ask for a longer one."""

STEPS: Mapping[str, Sequence[OptionValue]] = {
    "time_limit_s": TIME_LIMITS_S,
    "best_of": range(1, MOST_BOARDS + 1, 2),
    "shot_clock_s": (0, 10, 15, 20, 30, 45, 60, 90, 120),
    "target": (5, 10, 15, 20, 25, 29, 50),
    "queen_points": (0, 1, 3, 5, 10, 25, 50),
    "queen_cap": (0, 20, 21, 22, 23, 24, 25),
    "max_boards": (0, 4, 6, 8, 10),
}
"""The values that the menu offers for an option that has too many to step through."""


def agreed(plan: Plan, first: Seat) -> MatchSettings:
    """Return the settings of the match that a plan proposes, with ``first`` to shoot first.

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


def ordered(order: MatchOrder) -> Plan:
    """Return the plan of a match that a hall has ordered."""
    return _planned_as(order.settings, order.begins is Begins.GONG)


def _planned_as(settings: MatchSettings, armed: bool) -> Plan:
    header = tomllib.loads(write_header(settings))
    del header["seats"]
    return Plan(header, settings.seats, settings.seats[0], armed)


def planned_again(plan: Plan, settings: MatchSettings, armed: bool) -> Plan:
    """Return a plan that leads to the match with these settings: this one, if it still does."""
    try:
        leads_there = agreed(plan, settings.seats[0]) == settings
    except ValueError:  # another match has been planned since
        leads_there = False
    return changed(plan, armed=armed) if leads_there else _planned_as(settings, armed)


def of_nobody(plan: Plan, configured: Plan, locked: Collection[Lock]) -> Plan:
    """Return a plan without the people called to play it, and without their event and gong.

    All that belongs to one match is as configured, and so is what is ``locked``. If the rest does
    not go with that, everything is.
    """
    header = {name: each for name, each in plan.header.items() if name not in OF_ONE_MATCH}
    header |= {name: each for name, each in configured.header.items() if name in OF_ONE_MATCH}
    rules = rules_of(configured if Lock.RULES in locked else plan)
    header |= {"rules": rules.value, "options": _options_of_nobody(plan, configured, locked, rules)}
    seated = configured if Lock.PLAYERS in locked else plan
    plain = _turned(Plan(header, seated.lineup, seated.first, configured.armed))
    return configured if disagreed(plain) else plain


def _options_of_nobody(
    plan: Plan, configured: Plan, locked: Collection[Lock], rules: RuleSystem
) -> Mapping[str, object]:
    """Return the options as planned, and as configured where they are locked."""
    sources = {
        name: table_of(configured if lock_of(name) in locked else plan, "options")
        for name, each in OPTIONS.items()
        if rules in each.systems
    }
    return {name: source[name] for name, source in sources.items() if name in source}


OF_ONE_MATCH = ("names", "handicap", "colours", "event", "date", "round", "place")
"""The parts of a header that belong to the people who were called, and to their match."""


def lock_of(option: str) -> Lock:
    """Return what locks an option."""
    if option == "best_of":
        return Lock.BOARDS
    return Lock.TIME if option in TIMING else Lock.RULES


TIMING = frozenset({"time_limit_s", "time_end", "timeout_tie", "shot_clock_s"})
"""The options that are locked with the time limit."""


def fingerprint(plan: Plan, locked: Iterable[Lock] = ()) -> int:
    """Return a number that differs between plans almost always, to notice a changed config."""
    said = [plan.header, plan.lineup, plan.armed, sorted(locked)]
    text = json.dumps(said, default=str, sort_keys=True)
    number = 0
    for letter in text:
        number = (number * 131 + ord(letter)) % ((1 << 53) - 111)
    return number


def rules_of(plan: Plan) -> RuleSystem:
    """Return the planned rules."""
    return RuleSystem(str(plan.header.get("rules", USUAL_RULES)))


def table_of(plan: Plan, name: str) -> Mapping[str, Any]:
    """Return a table of the planned header: options, names, handicap."""
    table = plan.header.get(name, {})
    return table if isinstance(table, Mapping) else {}


def with_table(plan: Plan, name: str, table: Mapping[str, Any]) -> Plan:
    """Return the plan with another table in its header."""
    return changed(plan, header={**plan.header, name: dict(table)})


# --- rules and options -----------------------------------------------------------------


def planned(plan: Plan, name: str) -> OptionValue:
    """Return an option as planned, else the default of the plan's rules."""
    value = table_of(plan, "options").get(name, OPTIONS[name].defaults[rules_of(plan)])
    return value if isinstance(value, bool | int | str) else 0


def _number(plan: Plan, name: str) -> int:
    value = planned(plan, name)
    return value if isinstance(value, int) else 0


def time_limit_s(plan: Plan) -> int:
    """Return the planned time limit of a board in seconds; 0: none."""
    return _number(plan, "time_limit_s")


def has_games(plan: Plan) -> bool:
    """Return whether a match consists of games of several boards each."""
    return rules_of(plan) in OPTIONS["max_boards"].systems


def best_of(plan: Plan) -> int:
    """Return how many boards the planned match has at most."""
    return _number(plan, "best_of")


def with_next_option(plan: Plan, name: str) -> Plan:
    """Choose the next value of an option; after the last, the first."""
    return with_option(plan, name, _after(planned(plan, name), offered_of(name)))


def offered_of(name: str) -> Sequence[OptionValue]:
    """Return the values that the menu offers for an option."""
    return tuple(STEPS.get(name, OPTIONS[name].allowed))


def with_option(plan: Plan, name: str, value: OptionValue) -> Plan:
    """Plan this value of an option."""
    so = with_table(plan, "options", {**table_of(plan, "options"), name: value})
    return _turned(so) if name == "direction" else so


def _after(value: OptionValue, offered: Sequence[OptionValue]) -> OptionValue:
    """Return the value offered after this one; one that is not offered goes to the next greater."""
    if value in offered:
        return offered[(offered.index(value) + 1) % len(offered)]
    greater = (
        each
        for each in offered
        if isinstance(each, int) and isinstance(value, int) and each > value
    )
    return next(greater, offered[0])


def with_next_rules(plan: Plan) -> Plan:
    """Plan the next rules that this version knows, and drop what they do not have."""
    known = list(RULES)
    now = rules_of(plan)
    at = known.index(now) if now in known else -1
    return with_rules(plan, known[(at + 1) % len(known)])


def with_rules(plan: Plan, rules: RuleSystem) -> Plan:
    """Plan these rules; options, handicaps, colours and seats that they do not have are dropped."""
    header = {name: each for name, each in plan.header.items() if name not in dropped(plan, rules)}
    options = {
        name: value
        for name, value in table_of(plan, "options").items()
        if name not in dropped(plan, rules)
    }
    planned_so = changed(plan, header={**header, "rules": rules.value})
    if "options" in header:
        planned_so = with_table(planned_so, "options", options)
    if len(plan.lineup) not in facts_of(rules).seats:
        return with_next_lineup(planned_so)
    return _turned(planned_so)


def dropped(plan: Plan, rules: RuleSystem) -> tuple[str, ...]:
    """Name what is planned but unknown to other rules.

    Options go by their names; the rest are ``handicap`` and ``colours``.
    """
    known = {name for name, each in OPTIONS.items() if rules in each.systems}
    gone = [name for name in table_of(plan, "options") if name not in known]
    if table_of(plan, "handicap") and not facts_of(rules).handicaps:
        gone.append("handicap")
    if table_of(plan, "colours") and rules_for(rules).sides != rules_for(rules_of(plan)).sides:
        gone.append("colours")
    return tuple(gone)


# --- who plays -------------------------------------------------------------------------


def lineups_of(rules: RuleSystem) -> tuple[tuple[Seat, ...], ...]:
    """Return the line-ups that these rules allow."""
    return tuple(each for each in LINEUPS if len(each) in facts_of(rules).seats)


def with_next_lineup(plan: Plan) -> Plan:
    """Plan the next line-up."""
    known = lineups_of(rules_of(plan))
    at = next((i for i, each in enumerate(known) if set(each) == set(plan.lineup)), -1)
    return with_lineup(plan, known[(at + 1) % len(known)])


def with_lineup(plan: Plan, lineup: tuple[Seat, ...]) -> Plan:
    """Plan this line-up, in the planned direction of play.

    Of three players the one who plays alone is proposed to shoot first: the starting point (起点)
    of the Japanese rules. Colours that were agreed for others and do not fit are dropped.
    """
    first = single_player(lineup) or (plan.first if plan.first in lineup else lineup[0])
    turned = _turned(changed(plan, lineup=lineup, first=first))
    if "colours" in disagreed(turned):
        header = {name: each for name, each in turned.header.items() if name != "colours"}
        return changed(turned, header=header)
    return turned


def disagreed(plan: Plan) -> frozenset[str]:
    """Name the tables and keys of a planned header that cannot be played as they are."""
    try:
        agreed(plan, plan.first)
    except Disagreement as wrong:
        return frozenset(mistake.path[0] for mistake in wrong.mistakes if mistake.path)
    return frozenset()


def _turned(plan: Plan) -> Plan:
    """Order a line-up of more than two round the table as planned, keeping its first seat."""
    clockwise = sorted(plan.lineup, key=list(Seat).index)
    if len(clockwise) < 3:
        return plan
    at = clockwise.index(plan.lineup[0])
    lineup = (*clockwise[at:], *clockwise[:at])
    if planned(plan, "direction") == "ccw":
        lineup = (lineup[0], *reversed(lineup[1:]))
    return changed(plan, lineup=lineup)


def with_next_first(plan: Plan) -> Plan:
    """Let the next seat of the line-up shoot first."""
    at = plan.lineup.index(plan.first) if plan.first in plan.lineup else -1
    return changed(plan, first=plan.lineup[(at + 1) % len(plan.lineup)])


def with_name(plan: Plan, seat: Seat, name: str) -> Plan:
    """Seat somebody; an empty name is an unknown player.

    Anybody of that name who sat elsewhere leaves that seat.
    """
    names = {at: each for at, each in table_of(plan, "names").items() if each != name}
    names.pop(seat.value, None)
    if name:
        names[seat.value] = name
    return with_table(plan, "names", names)


# --- handicaps -------------------------------------------------------------------------


def sides_of(plan: Plan) -> tuple[tuple[Seat, ...], ...]:
    """Return each side's seats: players opposite each other are partners, unless only two play."""
    if len(plan.lineup) == 2:
        return tuple((seat,) for seat in plan.lineup)
    seen: list[tuple[Seat, ...]] = []
    for seat in plan.lineup:
        if not any(seat in side for side in seen):
            seen.append(tuple(each for each in plan.lineup if each in (seat, seat.opposite)))
    return tuple(seen)


def handicap_of(plan: Plan, side: tuple[Seat, ...]) -> Mapping[str, OptionValue]:
    """Return what a side is given or asked for beyond the rules, as planned."""
    tables = table_of(plan, "handicap")
    merged: dict[str, OptionValue] = {}
    for seat in side:
        table = tables.get(seat.value)
        if isinstance(table, Mapping):
            merged.update(table)
    return merged


def usual_handicap(name: str) -> OptionValue:
    """Return the value of a handicap that changes nothing."""
    return 12 if name == "pucks_needed" else HANDICAPS[name][0]


def with_next_handicap(plan: Plan, side: tuple[Seat, ...], name: str) -> Plan:
    """Choose the next value of a side's handicap; a handicap that cannot go with it is dropped."""
    allowed: Sequence[OptionValue] = HANDICAPS[name]
    offered = tuple(reversed(allowed)) if name == "pucks_needed" else tuple(allowed)
    given = dict(handicap_of(plan, side))
    given[name] = _after(given.get(name, usual_handicap(name)), offered)
    if name == "head_start":
        given.pop("pucks_needed", None)
    elif name == "pucks_needed":
        given.pop("head_start", None)
    elif name == "second_chance" and not given[name]:
        given.pop("second_chance_on_jack", None)
    elif name == "second_chance_on_jack" and given[name]:
        given["second_chance"] = True
    kept = {each: value for each, value in given.items() if value != usual_handicap(each)}
    tables = {seat: each for seat, each in table_of(plan, "handicap").items() if seat not in side}
    if kept:
        tables[side[0].value] = kept
    return with_table(plan, "handicap", tables)


# --- the clock -------------------------------------------------------------------------


def with_clock_start(plan: Plan) -> Plan:
    """Switch how the clock starts: at once, or armed until a common gong."""
    return changed(plan, armed=not plan.armed)
