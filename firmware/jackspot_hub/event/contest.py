"""A contest: one class of an event, as a function of its entries and of what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType

from msgspec import Struct, field

from jackspot_hub.event.fixtures import (
    Awaited,
    Conflict,
    Drawing,
    Fixture,
    Outcome,
    PlayedMatch,
    Results,
    Slot,
    Waits,
    Ways,
    entrants_of,
    members,
    pinned_in,
    section_of,
)
from jackspot_hub.event.knockout import double_elimination, knockout, seeded
from jackspot_hub.event.lots import dealt
from jackspot_hub.event.partners import partners
from jackspot_hub.event.round_robin import all_against_all, groups
from jackspot_hub.event.standings import USUAL, RankedEntrant, TieBreak, standings
from jackspot_hub.event.swiss import swiss

LAST = 1 << 30
"""A round that is never played."""


class Absence(Struct, frozen=True):
    """An entrant has left, and the round ``first`` is the first one without them.

    ``until`` is the first one with them again. If nothing is played in rounds, ``first`` is 0.
    """

    entrant: int
    first: int
    until: int = LAST

    def covers(self, number: int) -> bool:
        """Return whether they are absent in this round."""
        return self.first <= number < self.until


class AllAgainstAll(Struct, frozen=True):
    """Each meets each, ``cycles`` times."""

    cycles: int = 1


class Groups(Struct, frozen=True):
    """All against all in ``count`` groups; the first ``upper`` of each go on to a knockout."""

    count: int
    upper: int
    third_place: bool = True


class Knockout(Struct, frozen=True):
    """An entrant who loses is out."""

    third_place: bool = True


class DoubleElimination(Struct, frozen=True):
    """An entrant who loses twice is out."""

    second_final: bool = True


class Swiss(Struct, frozen=True):
    """Rounds in which each meets somebody of similar strength.

    The first ``upper`` of its table go on to a knockout, none if it is 0. ``earlier``: if the two
    of its final have met in the rounds, that match counts as the first game of the final.
    """

    rounds: int
    upper: int = 0
    earlier: bool = False


class Partners(Struct, frozen=True):
    """Rounds with partners who are drawn anew each round; ``at_a_board``: 4, or 3.

    With three, one plays alone against two. Each entrant counts on their own.
    """

    rounds: int
    at_a_board: int = 4


class OpenPlay(Struct, frozen=True):
    """Anybody plays anybody they like; of the same two the first ``meetings`` count."""

    meetings: int = 1


REMEMBERED = 16
REMEMBERED_GROUPS = 1_024
"""The divisions and crossings of this many contests' groups are remembered."""

Format = AllAgainstAll | Groups | Knockout | DoubleElimination | Swiss | Partners | OpenPlay
IN_ROUNDS = (Swiss, Partners)
"""Formats in which a round is drawn once the one before is over."""
AT_ANY_TIME = (*IN_ROUNDS, OpenPlay)
"""Formats into which people may come late."""


class Contest(Struct, frozen=True):
    """One class: its entrants by number, in the order of their seeds.

    ``kept_apart`` is a club or a family by entrant. ``seed`` is published, and draws the lots.
    ``came`` gives the first round of those who came late, if it is played in rounds. Those who are
    ``away`` forfeit what they were called to then, by the organiser's word, in the order in which
    they left.
    """

    name: str
    entrants: tuple[int, ...]
    format: Format
    tie_breaks: tuple[TieBreak, ...] = USUAL
    seed: str = ""
    kept_apart: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    came: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    away: tuple[Absence, ...] = ()

    @property
    def order(self) -> tuple[TieBreak, ...]:
        """Return the tie-breaks, ending with a lot if some go on to a knockout."""
        form = self.format
        goes_on = isinstance(form, Groups | Swiss) and form.upper > 0
        return (*self.tie_breaks, TieBreak.LOT) if goes_on else self.tie_breaks

    @property
    def left(self) -> frozenset[int]:
        """Return who has left and has not come again."""
        return frozenset(each.entrant for each in self.away if each.until == LAST)

    def there(self, number: int) -> list[int]:
        """Return who is there in a round, in the order of their seeds."""
        away = {each.entrant for each in self.away if each.covers(number)}
        return [each for each in self.entrants
                if self.came.get(each, 1) <= number and each not in away]  # fmt: skip


class DrawnContest(Struct, frozen=True):
    """The computed state of a contest. ``tables`` are standings by the name of their group.

    ``waits`` says who waits in which round, if it is played in rounds. ``final`` is who wins and
    who loses it, if there is one.
    """

    fixtures: tuple[Fixture, ...]
    conflicts: tuple[Conflict, ...] = ()
    waits: tuple[Waits, ...] = ()
    tables: Mapping[str, tuple[RankedEntrant, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    final: Ways | None = None

    @property
    def open_final(self) -> str | None:
        """Return the key of the match that decides who is first, until it is over."""
        winner = None if self.final is None else self.final.winner
        return winner.out_of if isinstance(winner, Awaited) else None


def draw(contest: Contest, results: Results) -> DrawnContest:
    """Draw a contest as far as results reach. ValueError if its format does not fit it."""
    drawing = Drawing(results)
    waits: tuple[Waits, ...] = ()
    tables: dict[str, tuple[RankedEntrant, ...]] = {}
    final: Ways | None = None
    name = contest.name
    match contest.format:
        case AllAgainstAll(cycles):
            all_against_all(drawing, name, contest.entrants, cycles=cycles)
            tables[name] = _table(contest, drawing, name, contest.entrants)
        case Groups() as form:
            final = _groups(contest, form, drawing, tables)
        case Knockout(third_place):
            final = knockout(drawing, name, contest.entrants, third_place=third_place)
        case DoubleElimination(second_final):
            final = double_elimination(drawing, name, contest.entrants, second_final=second_final)
        case Swiss() as form:
            waits, over = swiss(drawing, name, form.rounds, contest.there, contest.kept_apart)
            tables[name] = _table(contest, drawing, name, contest.entrants, waits)
            final = _after_swiss(contest, form, drawing, tables[name], over=over)
        case Partners(rounds, at_a_board):
            waits = partners(drawing, name, rounds, contest.there, at_a_board=at_a_board,
                             seed=contest.seed, clubs=contest.kept_apart)  # fmt: skip
            tables[name] = _table(contest, drawing, name, contest.entrants)
        case OpenPlay(meetings):
            counts = _free(drawing, name, meetings)
            tables[name] = standings(
                contest.entrants, counts, contest.tie_breaks, seed=contest.seed
            )
    drawing.name_the_lost()
    return DrawnContest(tuple(drawing.fixtures), tuple(drawing.conflicts), waits, tables, final)


def _table(
    contest: Contest, drawing: Drawing, name: str, entrants: Sequence[int],
    waits: Sequence[Waits] = (),
) -> tuple[RankedEntrant, ...]:  # fmt: skip
    played = drawing.played.get(name, {}).values()
    byes = [each.entrant for each in waits]
    return standings(entrants, played, contest.order, seed=contest.seed, byes=byes)


def _free(drawing: Drawing, name: str, meetings: int) -> list[PlayedMatch]:
    """Take everything that was played as matches; return those that count.

    Those of the same two are in the order of play.
    """
    found = pinned_in(drawing, f"{name}-1-")
    met: dict[frozenset[int], list[str]] = {}
    for key, played in found.items():
        met.setdefault(frozenset(played.sides), []).append(key)
    met = {two: _as_played(keys, found) for two, keys in met.items()}
    left = {two: iter(keys) for two, keys in met.items()}
    for played in found.values():
        key = next(left[frozenset(played.sides)])
        drawing.fixtures.append(Fixture(key, 1, found[key].sides))
    return [found[key] for keys in met.values() for key in keys[:meetings]]


def _as_played(keys: Sequence[str], found: Results) -> list[str]:
    """Order matches by when they were played; one of which that is not known keeps its place."""
    at_ms = {key: at for key in keys if (at := found[key].at_ms) is not None}
    known = iter(sorted(at_ms, key=at_ms.__getitem__))
    return [next(known) if key in at_ms else key for key in keys]


def _after_swiss(
    contest: Contest, form: Swiss, drawing: Drawing, table: Sequence[RankedEntrant], *, over: bool
) -> Ways | None:
    """Draw the knockout of the first of a Swiss: of those who were there in its last round."""
    there = set(contest.there(form.rounds))
    stayed = [each for each in table if each.entrant in there]
    upper = min(form.upper, len(stayed))
    if upper < 2:
        return None
    places: list[Slot] = [
        stayed[nth].entrant if over else Awaited(contest.name, nth + 1) for nth in range(upper)
    ]
    return knockout(drawing, knockout_of(contest), places, third_place=True)


def matches_in_all(contest: Contest, drawn: DrawnContest) -> int:
    """Count the matches of a contest: for rounds still to be drawn, as many as fit.

    Of free play, those that count in its table.
    """
    form, known = contest.format, len(drawn.fixtures)
    if isinstance(form, OpenPlay):
        return known - len(uncounted(contest, drawn))
    if not known or not isinstance(form, IN_ROUNDS):
        return known
    begun = {each.round for each in drawn.fixtures if section_of(each.key) == contest.name}
    later = (number for number in range(1, form.rounds + 1) if number not in begun)
    return known + sum(_in_a_round(form, len(contest.there(number))) for number in later)


def _in_a_round(form: Swiss | Partners, there: int) -> int:
    """Count the matches of a round with this many people there."""
    match form:
        case Swiss():
            return there // 2
        case Partners(at_a_board=3):  # boards of two take the remainder
            return 0 if there < 2 else (there + 2) // 3
    return there // form.at_a_board


def uncounted(contest: Contest, drawn: DrawnContest) -> frozenset[str]:
    """Return the matches of free play beyond those of the same two that count."""
    if not isinstance(contest.format, OpenPlay):
        return frozenset()
    met: Counter[tuple[Slot, ...]] = Counter()
    found = []
    for each in drawn.fixtures:
        two = tuple(sorted(each.sides, key=str))
        met[two] += 1
        if met[two] > contest.format.meetings:
            found.append(each.key)
    return frozenset(found)


def knockout_of(contest: Contest) -> str:
    """Name the knockout that follows groups, or the rounds of a Swiss."""
    return f"{contest.name}-ko"


def final_of(contest: Contest, drawn: DrawnContest) -> str | None:
    """Return the key of the last match of that knockout, once it is drawn."""
    after = f"{knockout_of(contest)}-"
    rounds = [
        each for each in drawn.fixtures
        if each.key.startswith(after) and each.key != f"{after}third"
    ]  # fmt: skip
    return max(rounds, key=lambda each: each.round).key if rounds else None


def _groups(
    contest: Contest, form: Groups, drawing: Drawing, tables: dict[str, tuple[RankedEntrant, ...]]
) -> Ways | None:
    """Draw the groups, and the knockout of the first of each."""
    if not 1 <= form.count <= len(contest.entrants) // 2:
        most = len(contest.entrants) // 2
        raise ValueError(f"groups: expected 1 to {most}, of 2 or more each, found {form.count}")
    ranks: list[list[Slot]] = []
    divided = _divided(contest.entrants, form.count, tuple(contest.kept_apart.items()))
    for at, group in enumerate(divided):
        name = f"{contest.name}-{letters(at)}"
        played = tuple(drawing.played.get(name, {}).items())
        fixtures, conflicts, table = _group(name, tuple(group), played, contest.order, contest.seed)
        drawing.fixtures += fixtures
        drawing.conflicts += conflicts
        tables[name] = table
        over = all(_is_over(drawing.results, each) for each in fixtures)
        places = range(min(form.upper, len(group)))
        ranks.append([table[nth].entrant if over else Awaited(name, nth + 1) for nth in places])
    if form.upper == 0 or sum(map(len, ranks)) < 2:
        return None
    return knockout(drawing, knockout_of(contest), crossed(ranks), third_place=form.third_place)


@lru_cache(maxsize=REMEMBERED_GROUPS)
def _group(
    name: str, entrants: tuple[int, ...], played: tuple[tuple[str, PlayedMatch], ...],
    order: tuple[TieBreak, ...], seed: str,
) -> tuple[tuple[Fixture, ...], tuple[Conflict, ...], tuple[RankedEntrant, ...]]:  # fmt: skip
    """Draw a group: a result changes only one of many, so the others are cached."""
    drawing = Drawing(dict(played))
    all_against_all(drawing, name, entrants)
    table = standings(entrants, (each for _key, each in played), order, seed=seed)
    return tuple(drawing.fixtures), tuple(drawing.conflicts), table


@lru_cache(maxsize=REMEMBERED)
def _divided(
    entrants: tuple[int, ...], count: int, kept_apart: tuple[tuple[int, str], ...]
) -> list[list[int]]:
    return groups(entrants, count, dict(kept_apart))


def _is_over(results: Results, fixture: Fixture) -> bool:
    played = results.get(fixture.key)
    return played is not None and played.outcome is not None


def letters(at: int) -> str:
    """Name a group by its number from 0: A to Z, then AA, AB and so on."""
    name = ""
    at += 1
    while at:
        at, letter = divmod(at - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def crossed(ranks: Sequence[Sequence[Slot]]) -> list[Slot]:
    """Seed a knockout from groups: first all winners, then all seconds, and so on.

    Within each row, those of one group meet as late as possible.
    """
    return [ranks[group][nth] for group, nth in _crossing(tuple(map(len, ranks)))]


@lru_cache(maxsize=REMEMBERED)
def _crossing(sizes: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Cross groups from which these numbers go on; return each seed's group and rank from 0.

    Winners are in the order of their groups, except where a group would meet itself at once.
    """
    crossing = _dealt_in_rows(sizes, winners_first=True)
    places = seeded(1 << (len(crossing) - 1).bit_length())
    for one, two in zip(places[::2], places[1::2], strict=False):  # one alone has no pair
        if max(one, two) < len(crossing) and crossing[one][0] == crossing[two][0]:
            return _dealt_in_rows(sizes, winners_first=False)
    return crossing


def _dealt_in_rows(sizes: tuple[int, ...], *, winners_first: bool) -> tuple[tuple[int, int], ...]:
    """Deal one row of ranks after another; one that some groups lack leaves the least choice."""
    count = sum(sizes)
    size = 1 << (count - 1).bit_length()
    top = {seed: place for place, seed in enumerate(seeded(size))}
    taken: dict[int, list[int]] = {group: [] for group in range(len(sizes))}
    order: dict[int, tuple[int, int]] = {}
    rows = [
        [group for group, members in enumerate(sizes) if members > nth] for nth in range(max(sizes))
    ]
    first = [0, *accumulate(map(len, rows))]

    def turn(nth: int) -> tuple[bool, bool]:
        return nth > 0 and winners_first, len(rows[nth]) == len(sizes)

    for nth in sorted(range(len(rows)), key=turn):
        seeds = range(first[nth], first[nth + 1])

        def early(group: int, seed: int) -> int:
            """Weigh how early a group's own would meet there: twice as much per earlier round."""
            return sum(size >> (top[seed] ^ top[own]).bit_length() for own in taken[group])

        for group, seed in dealt(rows[nth], seeds, early).items():
            order[seed] = group, nth
            taken[group].append(seed)
    return tuple(order[seed] for seed in range(count))


def forfeits(contest: Contest, results: Results, away: Collection[Absence]) -> Results:
    """Return results in which those who are away forfeit everything left and known.

    In a contest in rounds, that is what they were called to: other rounds are not drawn with them.
    Those who have come back forfeit what they were called to while they were away.
    """
    found = dict(results)
    after = f"{knockout_of(contest)}-"
    while away:
        left = [
            (each, one, two) for each in draw(contest, found).fixtures
            if each.is_ready and not _is_over(found, each)
            and isinstance(one := each.sides[0], int) and isinstance(two := each.sides[1], int)
        ]  # fmt: skip
        lost = [
            (each.key, (one, two), 1 if absence.entrant in members(one) else 0)
            for absence in away for each, one, two in left
            if absence.entrant in entrants_of((one, two))
            and (absence.until == LAST
                 or (absence.covers(each.round) and not each.key.startswith(after)))
        ]  # fmt: skip
        if not lost:
            break
        for key, sides, winner in reversed(lost):  # of two who are gone the first loses
            found[key] = PlayedMatch(sides, Outcome(winner, forfeit=True))
    return found
