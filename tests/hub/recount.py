"""A recount: an event's results worked out from the records alone, without the hub.

It reads the journal's entries and the lists of entrants, and goes by names: the player whom a
record's header seats at N plays for the first side. Tables, knockout paths, byes and places are
worked out again in a simple way and compared with what the hub has drawn. No code of
``jackspot_hub.event`` takes part in this; its values are only read.

Some things are chosen and cannot be counted, such as which of two equally good places a group's
second gets. Those are checked for what must hold: everybody once, row after row, and no group
against itself in the first round.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Any

from jackspot.core.record import read_record
from jackspot.core.ruling import How

Name = tuple[str, ...]
"""An entrant: one name, or both of a pair."""
Entry = tuple[str, Mapping[str, Any], int]


def is_under(key: str, prefix: str) -> bool:
    """Return whether a match's key is this prefix, a round and a number."""
    before, *numbers = key.rsplit("-", 2)
    return before == prefix and all(map(str.isdigit, numbers))


@dataclass(frozen=True)
class Entered:
    """What the organiser's list says of a contest; ``entrants`` are in the order of their seeds.

    ``numbers`` are the entrants' numbers; without them they are numbered from 0.
    """

    name: str
    entrants: Sequence[Name]
    format: str
    groups: int = 0
    upper: int = 0
    seed: str = ""
    numbers: Sequence[int] = ()
    meetings: int = 0
    """In free play: how many matches of the same two count."""

    def number(self, at: int) -> int:
        """Return the number of an entrant by their seed, counted from 0."""
        return self.numbers[at] if self.numbers else at

    def named(self, number: int) -> Name:
        """Return the entrant with a number, or both of two drawn partners."""
        if number >= 1_000_000:
            first, second = number // 1_000_000 - 1, number % 1_000_000
            return (*self.named(first), *self.named(second))
        return self.entrants[self.numbers.index(number) if self.numbers else number]


@dataclass(frozen=True)
class Counted:
    """A match as it was counted: who played, who won (None: tied), the points of both."""

    key: str
    sides: tuple[Name, Name]
    over: bool = False
    winner: Name | None = None
    points: tuple[int, int] = (0, 0)
    by_jack: bool = False
    forfeit: bool = False
    at_ms: int = 0
    """When free play ended, by a clock that is right; 0: not known."""

    @property
    def level(self) -> bool:
        return self.winner is None and not self.forfeit

    @property
    def loser(self) -> Name | None:
        if self.winner is None:
            return None
        return self.sides[1] if self.winner == self.sides[0] else self.sides[0]


# --- the journal -------------------------------------------------------------------------------


def played_in(entries: Iterable[Entry], entered: Mapping[str, Entered]) -> dict[str, Counted]:
    """Count every match that was called or corrected, by the last word on each.

    What the desk has said about a match holds until the match is called again.
    """
    found: dict[str, Counted] = {}
    newest: dict[str, int] = {}
    called: dict[int, tuple[str, int]] = {}
    loose: dict[str, str] = {}
    ends: dict[str, int] = {}
    times: dict[str, int] = {}
    stands: set[str] = set()
    ended: dict[int, set[str]] = {}
    for kind, body, _at in entries:
        if kind == "ordered":
            key, number = body["key"], body["order"]
            newest[key], called[number] = number, (key, body["board"])
            stands.discard(key)
            found[key] = Counted(key, sides_of(entered[body["contest"]], body["sides"]))
        elif kind == "result":
            said = body["message"]
            key, board = called.get(said["order"], ("", 0))
            is_newest = key and newest[key] == said["order"] and board == body["board"]
            names = {said["journal"], said.get("match_journal", said["journal"])}
            if is_newest and key not in stands and ended.get(said["order"], names) & names:
                ended[said["order"]] = names
                found[key] = scored(key, said["record"])
            else:
                loose[said["id"]] = said["record"]
                ends[said["id"]] = said["wall_ms"] * said["synchronised"]
        elif kind == "attached" and body["key"] is not None:
            whole, record = entered[body["contest"]], loose[body["result"]]
            key, sides = body["key"], sides_of(whole, body["sides"])
            times[key] = times.get(key) or ends[body["result"]]
            found[key] = replace(played_by(key, record, sides), at_ms=times[key])
            stands.add(key)
            if body["by"] == "names" and len(set(typed := typed_in(whole, record))) == 2:
                same(f"{key}: who is named", typed, list(sides))
        elif kind == "withdrawn":
            gone = entered[body["contest"]].named(body["entrant"])
            found |= {
                key: without(each, gone) for key, each in found.items()
                if key.split("-")[0] == body["contest"] and not each.over
            }  # fmt: skip
        elif kind == "corrected":
            key, outcome = body["key"], body["outcome"]
            stands.add(key)
            if outcome is None:
                found.pop(key, None)
                times.pop(key, None)
            else:
                sides = sides_of(entered[body["contest"]], body["sides"])
                won = None if outcome["winner"] is None else sides[outcome["winner"]]
                one, two = outcome["points"]
                found[key] = Counted(
                    key, sides, True, won, (one, two), outcome["by_jack"], outcome["forfeit"],
                    times.get(key, 0),
                )  # fmt: skip
    return found


def sides_of(entered: Entered, sides: Sequence[int]) -> tuple[Name, Name]:
    one, two = sides
    return entered.named(one), entered.named(two)


def without(match: Counted, gone: Name) -> Counted:
    """Let the side of somebody who has gone lose the match."""
    for own, other in (match.sides, match.sides[::-1]):
        if set(gone) <= set(own):
            return Counted(match.key, match.sides, True, other)
    return match


def typed_in(entered: Entered, record: str) -> list[Name]:
    """Return the entrants whom a record names, by name or number, in its own order."""
    words = [name.casefold() for name in read_record(record).match.settings.names.values()]
    known = {
        word: name for at, name in enumerate(entered.entrants)
        for word in (name[0].casefold(), str(entered.number(at)))
    }  # fmt: skip
    return [known[word] for word in words if word in known]


def played_by(key: str, record: str, sides: tuple[Name, Name]) -> Counted:
    """Score a record of a match between these sides, in the order in which it lists them."""
    state = read_record(record).match.state
    first, *_ = colours = list(state.settings.sides.values())
    second = next(each for each in colours if each != first)
    points = state.points[first], state.points[second]
    winner = {None: None, first: sides[0], second: sides[1]}[state.winner]
    jack = state.result is not None and state.result.how is How.JACK
    return Counted(key, sides, True, winner, points, jack)


@lru_cache(maxsize=4_096)
def scored(key: str, record: str) -> Counted:
    """Score a record; its header says who played and which match it was."""
    state = read_record(record).match.state
    settings = state.settings
    assert settings.round is not None
    said, wanted = settings.round.split()[-1], re.findall(r"\d+-\d+$|[a-z]+$", key)
    assert [said] == wanted or key.endswith("-third"), (settings.round, key)
    assert state.over
    seats = {2: ("N", "S"), 3: ("E", "NS"), 4: ("NS", "EW")}[len(settings.seats)]
    names = {seat.value: name for seat, name in settings.names.items()}
    first, second = (tuple(names[at] for at in part) for part in seats)
    own = {seat.value: side for seat, side in settings.sides.items()}
    one, two = (own[part[0]] for part in seats)
    points = state.points.get(one, 0), state.points.get(two, 0)
    winner = None
    if state.winner is not None:
        winner = first if state.winner == one else second
    jack = state.result is not None and state.result.how is How.JACK
    return Counted(key, (first, second), True, winner, points, jack)


# --- tables ------------------------------------------------------------------------------------


@dataclass
class Row:
    """One line of a table."""

    name: Name
    played: int = 0
    won: int = 0
    level: int = 0
    points: int = 0
    against: int = 0
    jack: int = 0
    met: set[Name] = field(default_factory=set)

    @property
    def wins(self) -> int:
        return 2 * self.won + self.level


def table(
    members: Sequence[Name], matches: Iterable[Counted], entered: Entered,
    byes: Iterable[Name] = (),
) -> list[Row]:  # fmt: skip
    """Rank in the default order: wins, meeting, difference, points, jack, lot."""
    rows = {each: Row(each) for each in members}
    inside = [
        each for each in matches
        if each.over and all(set(entrants_of(side, rows)) <= rows.keys() for side in each.sides)
    ]  # fmt: skip
    for each in inside:
        for own, other in ((0, 1), (1, 0)):
            name = each.sides[own]
            for row in (rows[entrant] for entrant in entrants_of(name, rows)):
                row.played += 1
                row.won += each.winner == name
                row.level += each.level
                row.points += each.points[own]
                row.against += each.points[other]
                row.jack += each.winner == name and each.by_jack
    for name in byes:
        rows[name].won += 1
    lots = {
        name: hashlib.sha256(f"{entered.seed} {entered.number(at)}".encode()).hexdigest()
        for at, name in enumerate(entered.entrants)
    }
    ranked: list[Row] = []
    for _wins, level in shared(rows.values(), lambda row: row.wins):
        mini = meeting(level, inside)
        for _meeting, still in shared(level, lambda row, mini=mini: mini[row.name]):
            ranked += sorted(
                still,
                key=lambda row: (
                    -(row.points - row.against), -row.points, -row.jack, lots[row.name],
                ),
            )  # fmt: skip
    return ranked


def entrants_of(side: Name, rows: Mapping[Name, Row]) -> list[Name]:
    """Return a side as it is entered: itself, or each person drawn into it."""
    return [side] if side in rows else alone(side)


def alone(side: Place) -> list[Name]:
    """Return each member of a side on their own."""
    return [(name,) for name in side or ()]


def shared(rows: Iterable[Row], value: Any) -> list[tuple[int, list[Row]]]:
    """Group rows by a value, the largest first."""
    parts: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        parts[value(row)].append(row)
    return sorted(parts.items(), reverse=True)


def meeting(level: Sequence[Row], matches: Iterable[Counted]) -> dict[Name, int]:
    """Count wins among those who are tied, once all of them have met each other."""
    names = {row.name for row in level}
    wins: Counter[Name] = Counter()
    met = set()
    for each in matches:
        if names.issuperset(each.sides):
            met.add(frozenset(each.sides))
            for name in each.sides:
                wins[name] += 2 * (each.winner == name) + each.level
    whole = all(frozenset(pair) in met for pair in combinations(names, 2))
    return {name: wins[name] if whole else 0 for name in names}


# --- groups ------------------------------------------------------------------------------------


def group_names(count: int) -> list[str]:
    """Return A to Z, AA, AB and so on."""
    letters = [chr(65 + at) for at in range(26)]
    return [*letters, *(one + two for one in letters for two in letters)][:count]


def dealt_to_and_fro(entered: Entered) -> dict[str, list[Name]]:
    """Deal the list to groups back and forth."""
    found: dict[str, list[Name]] = {each: [] for each in group_names(entered.groups)}
    order = list(found)
    for at, name in enumerate(entered.entrants):
        row, place = divmod(at, len(order))
        found[order[place] if row % 2 == 0 else order[-1 - place]].append(name)
    return found


# --- comparing ---------------------------------------------------------------------------------


class Differs(AssertionError):
    """The hub and the recount disagree."""


def same(what: str, own: object, hubs: object) -> None:
    """Raise :class:`Differs` where the two differ."""
    if own != hubs:
        raise Differs(f"{what}:\nrecounted {own}\nthe hub   {hubs}")


BYE = ("nobody",)
"""The opponent of somebody who goes on without a match."""
Place = Name | None
"""Who has a place in a bracket; None: not known yet."""


def in_order(size: int) -> list[int]:
    """Return the seeds, from 0, down a bracket; the two of each match add up to its last seed."""
    seeds = [0]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) - 1 - seed)]
    return seeds


@dataclass
class Recount:
    """A contest, recounted, next to what the hub has ``drawn``.

    ``bare`` is what the hub draws from the groups' matches alone: who goes where before any match
    of the knockout was called.
    """

    entered: Entered
    played: Mapping[str, Counted]
    drawn: Any
    bare: Any = None
    conflicts: dict[str, frozenset[Place] | None] = field(default_factory=dict)
    places: dict[int, Name] = field(default_factory=dict)
    """Who has which place, as far as that is decided."""

    def __post_init__(self) -> None:
        self.fixtures = {each.key: each for each in self.drawn.fixtures}

    def check(self) -> Recount:
        """Check everything against the hub; raise :class:`Differs` where it disagrees."""
        name, own = self.entered.name, set(self.played)
        same("each match once", len(self.fixtures), len(self.drawn.fixtures))
        same("matches that were called and are not drawn", own - set(self.fixtures), set())
        for key in own:
            same(f"{key}: who was called", self.played[key].sides, self.names(self.fixtures[key]))
        match self.entered.format:
            case "groups":
                self.check_groups()
            case "knockout":
                entrants = self.entered.entrants
                size = 1 << (len(entrants) - 1).bit_length()
                self.check_bracket(
                    name, [entrants[at] if at < len(entrants) else BYE for at in in_order(size)]
                )
            case "all":
                if self.check_meetings(name, self.entered.entrants):
                    rows = table(self.entered.entrants, self.matches(name), self.entered)
                    self.places = {at: row.name for at, row in enumerate(rows, 1)}
            case "swiss" | "swiss and final" | "partners" | "threes" | "free" as form:
                checks = {"free": self.check_free, "partners": self.check_partners,
                          "threes": self.check_partners}  # fmt: skip
                checks.get(form, self.check_swiss)()
            case "double":
                self.check_losses()
                return self
        for key in own:
            if self.fixtures[key].round == 0:
                self.conflicts[key] = None
        hubs = {
            each.key: each.derived and frozenset(map(self.name_of, each.derived))
            for each in self.drawn.conflicts
        }
        same("conflicts", self.conflicts, hubs)
        return self

    def name_of(self, side: object) -> Place:
        """Return who one of the hub's sides is."""
        return self.entered.named(side) if isinstance(side, int) else None

    def names(self, fixture: Any) -> tuple[Place, Place]:
        """Return who meets in one of the hub's matches."""
        one, two = map(self.name_of, fixture.sides)
        return one, two

    def matches(self, prefix: str) -> list[Counted]:
        """Return the played matches whose key is this prefix, a round and a number."""
        return [each for key, each in self.played.items() if is_under(key, prefix)]

    def same_table(self, name: str, rows: Sequence[Row]) -> None:
        """Raise :class:`Differs` for a table that differs in a place, name or number."""
        own = [
            (at, row.name, row.played, row.won, row.level, row.points, row.against, row.jack)
            for at, row in enumerate(rows, 1)
        ]
        hubs = [
            (each.place, self.name_of(each.entrant), each.tally.played, each.tally.won,
             each.tally.level, each.tally.points, each.tally.against, each.tally.by_jack)
            for each in self.drawn.tables[name]
        ]  # fmt: skip
        same(f"table {name}", own, hubs)

    def check_meetings(self, prefix: str, members: Sequence[Name]) -> bool:
        """Check the table, and that each meets each once; return whether all matches are over."""
        drawn = [at for key, at in self.fixtures.items() if is_under(key, prefix)]
        pairs = Counter(frozenset(self.names(each)) for each in drawn)
        same(f"{prefix}: each meets each", Counter(map(frozenset, combinations(members, 2))), pairs)
        self.same_table(prefix, table(members, self.matches(prefix), self.entered))
        return all(each.key in self.played and self.played[each.key].over for each in drawn)

    # --- groups and brackets ----------------------------------------------------------------

    def check_groups(self) -> None:
        """Check each group, where those who come out of it go, and the bracket."""
        name = self.entered.name
        groups = dealt_to_and_fro(self.entered)
        rows: list[list[Place]] = [[] for _ in range(self.entered.upper)]
        for letter, members in groups.items():
            over = self.check_meetings(f"{name}-{letter}", members)
            ranked = table(members, self.matches(f"{name}-{letter}"), self.entered)
            for nth, row in zip(range(self.entered.upper), ranked, strict=False):
                rows[nth].append(row.name if over else None)
        count = sum(map(len, rows))
        if count >= 2:
            slots = self.led_to(f"{name}-ko", count)
            self.check_crossed(slots, rows, groups)
            self.check_bracket(f"{name}-ko", slots)

    def led_to(self, prefix: str, count: int) -> list[Place]:
        """Return whom the hub puts into each place of the first round."""
        bare = {each.key: each for each in self.bare.fixtures}
        size = 1 << (count - 1).bit_length()
        seeds, slots = in_order(size), list[Place]()
        for at in range(0, size, 2):
            key, after = f"{prefix}-1-{at // 2 + 1}", f"{prefix}-2-{at // 4 + 1}"
            if max(seeds[at : at + 2]) < count:
                slots += self.names(bare[key])
            else:
                same(f"{key} is a bye", key in bare, False)
                alone = self.names(bare[after])[at // 2 % 2]
                slots += [alone, BYE] if seeds[at] < count else [BYE, alone]
        return slots

    def check_crossed(
        self, slots: Sequence[Place], rows: Sequence[Sequence[Place]],
        groups: Mapping[str, Sequence[Name]],
    ) -> None:  # fmt: skip
        """Check row by row: the first of each group, then the seconds; none meets its own group."""
        seeds = in_order(len(slots))
        by_seed = [slots[seeds.index(seed)] for seed in range(len(slots))]
        at = 0
        for row in rows:
            same("a row of the groups", Counter(row), Counter(by_seed[at : at + len(row)]))
            at += len(row)
        same("the first of each group", list(rows[0]), by_seed[: len(rows[0])])
        group_of = {each: letter for letter, members in groups.items() for each in members}
        for one, two in zip(slots[::2], slots[1::2], strict=True):
            if one in group_of and two in group_of and len(groups) > 1:
                same(f"{one} meets {two} of their own group at once",
                     False, group_of[one] == group_of[two])  # fmt: skip

    def check_bracket(self, prefix: str, slots: Sequence[Place]) -> None:
        """Follow every path to the last match, and give the first four their places."""
        there, gone = list(slots), list[Place]()
        number = 1
        while len(there) > 1:
            semis = gone
            ways = [
                self.met(f"{prefix}-{number}-{at // 2 + 1}", there[at], there[at + 1])
                for at in range(0, len(there), 2)
            ]
            there, gone = [on for on, _out in ways], [out for _on, out in ways]
            number += 1
        final = self.drawn.final
        same("who wins and who loses the final", (there[0], gone[0]),
             (self.name_of(final.winner), self.name_of(final.loser)))  # fmt: skip
        last = [there[0], gone[0]]
        if len(slots) > 2:
            last += self.met(f"{prefix}-third", *semis)
        self.places = {at: each for at, each in enumerate(last, 1) if each not in {None, BYE}}

    def met(self, key: str, one: Place, two: Place) -> tuple[Place, Place]:
        """Check who meets; return who goes on, and who is out."""
        if BYE in {one, two}:
            return (two if one == BYE else one), BYE
        played = self.played.get(key)
        if played is None:
            same(f"{key}: who meets", (one, two), self.names(self.fixtures[key]))
            return None, None
        if set(played.sides) != {one, two}:
            self.conflicts[key] = frozenset((one, two))
        return (played.winner, played.loser) if played.over else (None, None)

    # --- Swiss, double elimination ----------------------------------------------------------

    def check_swiss(self) -> None:
        """Check the table; nobody may play twice in a round, or wait twice before others have."""
        name, entrants = self.entered.name, set(self.entered.entrants)
        rounds: defaultdict[int, list[Name]] = defaultdict(list)
        for key, each in self.fixtures.items():
            for side in () if "-ko-" in key else self.names(each):
                assert side is not None
                rounds[int(key.split("-")[1])].append(side)
        byes: list[Name] = []
        for each in sorted(self.drawn.waits, key=lambda each: each.round):
            alone = self.name_of(each.entrant)
            assert alone is not None
            byes.append(alone)
            rounds[each.round].append(alone)
        for number, busy in rounds.items():
            same(f"nobody twice in round {number}", len(busy), len(set(busy)))
            same(f"nobody left out in round {number}", entrants, set(busy))
        same("nobody waits twice before others have", len(byes), len(set(byes)))
        rows = table(self.entered.entrants, self.matches(name), self.entered, byes)
        self.same_table(name, rows)
        if self.entered.upper:
            self.check_the_first(rows)

    def check_the_first(self, rows: Sequence[Row]) -> None:
        """Check the knockout of the top of the table: open places until all rounds are over."""
        upper = min(self.entered.upper, len(rows))
        over = all(each.over for key, each in self.played.items() if "-ko-" not in key)
        size = 1 << (upper - 1).bit_length()
        slots = [
            BYE if seed >= upper else rows[seed].name if over else None for seed in in_order(size)
        ]
        self.check_bracket(f"{self.entered.name}-ko", slots)

    def check_partners(self) -> None:
        """Check the table, how many sit at a board, and that nobody plays twice in a round."""
        most = 4 if self.entered.format == "partners" else 3
        rounds: defaultdict[int, list[Name]] = defaultdict(list)
        for key, each in self.fixtures.items():
            seated = [person for side in self.names(each) for person in alone(side)]
            rounds[int(key.split("-")[1])] += seated
            same(f"{key}: how many sit there", True, len(seated) in {4: {4}, 3: {2, 3}}[most])
        for each in self.drawn.waits:
            rounds[each.round].append(self.entered.named(each.entrant))
        for number, busy in rounds.items():
            same(f"nobody twice in round {number}", len(busy), len(set(busy)))
        name, entrants = self.entered.name, self.entered.entrants
        self.same_table(name, table(entrants, self.matches(name), self.entered))

    def check_free(self) -> None:
        """Check the day's table, in which only the first matches of the same two count."""
        met: dict[frozenset[Name], list[Counted]] = {}
        for key in sorted(self.played, key=lambda key: int(key.rpartition("-")[2])):
            met.setdefault(frozenset(self.played[key].sides), []).append(self.played[key])
        counts = []
        for own in met.values():
            timed = sorted(filter(attrgetter("at_ms"), own), key=attrgetter("at_ms"))
            as_played = [timed.pop(0) if each.at_ms else each for each in own]
            counts += as_played[: self.entered.meetings]
        same("every match that was played freely", set(self.fixtures), set(self.played))
        self.same_table(self.entered.name, table(self.entered.entrants, counts, self.entered))

    def check_losses(self) -> None:
        """Check that nobody who has lost twice meets anybody, unless the draw has conflicts."""
        if self.drawn.conflicts:
            return
        lost = Counter(each.loser for each in self.played.values() if each.loser is not None)
        same("nobody loses three times", True, max(lost.values(), default=0) <= 2)
        for key, each in self.fixtures.items():
            if key not in self.played:
                for name in filter(None, self.names(each)):
                    same(f"{key}: {name} is still in", True, lost[name] < 2)
        final = self.drawn.final
        champion, other = self.name_of(final.winner), self.name_of(final.loser)
        if champion is not None:
            rest = set(self.entered.entrants) - {champion}
            same("who has lost twice once it is over", dict.fromkeys(rest, 2),
                 {each: lost[each] for each in rest})  # fmt: skip
            self.places = {1: champion, 2: other} if other else {}
