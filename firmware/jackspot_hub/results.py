"""What remains of an event: results as tables and for programs, text for a newspaper, records.

Names are those that the desk knows, so these files are for the organiser. Values to text; pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, cast

from msgspec import Struct
from pydantic import with_config
from typing_extensions import TypedDict

from jackspot.core.phrases import LANGUAGE, Phrase, Translate, _, _n
from jackspot.core.printable import in_json, visible
from jackspot.festival.messages import OPEN, Count
from jackspot.festival.public import At, Entrants, NumberFromOne, People, TieBreakName, Two
from jackspot.history.export import csv_text
from jackspot_hub.desk.final_places import ALONE, Brackets, brackets_of, places_of
from jackspot_hub.desk.page_parts import table_row
from jackspot_hub.desk.state import DeskKind, DeskState, outcome_of, taken_back
from jackspot_hub.event.contest import Contest, Knockout, matches_in_all, uncounted
from jackspot_hub.event.fixtures import Fixture, Outcome, section_of
from jackspot_hub.event.standings import IN_HALVES, RankedEntrant

MARK = "\ufeff"
"""At the beginning of a CSV file it makes a spreadsheet read UTF-8."""
RECORDS = "records"
"""The folder of the match records."""
TEXT = "standings.txt"


@with_config(OPEN)
class EventPersonJson(TypedDict):
    """A person, by number."""

    number: int
    name: str
    kana: str
    club: str


@with_config(OPEN)
class ContestEntrantJson(TypedDict):
    """One person or a pair: ``entrant`` is the number of the first of its ``people``."""

    entrant: int
    people: list[int]
    names: list[str]


@with_config(OPEN)
class FinalPlaceJson(TypedDict):
    """A place of a contest that is over, from 1; entrants who share a place are listed together."""

    first: NumberFromOne
    last: NumberFromOne
    entrants: list[int]


@with_config(OPEN)
class RankDecidedJson(TypedDict):
    """Why somebody is behind the one before: a tie-break, and both their values in it.

    A win counts one, a tied match a half.
    """

    by: TieBreakName
    before: float
    own: float


@with_config(OPEN)
class ResultRowJson(TypedDict):
    """A line of a table."""

    place: NumberFromOne
    entrant: Count
    names: People
    played: Count
    won: Count
    tied: Count
    points: int
    against: int
    waited: NotRequired[Count]
    """This many of the wins are rounds in which it waited and did not play."""
    decided: NotRequired[RankDecidedJson]


@with_config(OPEN)
class ResultTableJson(TypedDict):
    """A table of standings."""

    name: str
    rows: list[ResultRowJson]


@with_config(OPEN)
class EndedMatchJson(TypedDict):
    """A match that is over. Fields with two values give the first side's value first."""

    key: str
    section: str
    """The table or the bracket that it belongs to."""
    round: int
    entrants: Entrants
    names: list[list[str]]
    winner: At | None
    """Null if it ended tied."""
    points: Two
    boards: Two
    """Boards, or games, that each side has won."""
    jack: bool
    forfeit: bool
    board: int | None
    """Where it was played; null if at no board of the hall."""
    ended_ms: int | None
    """When its result arrived, in milliseconds since 1970; null if the desk entered it."""
    record: str | None
    """The file of its match record."""
    differs: bool
    """The desk has entered a result other than its record's."""
    counts: bool
    """False in free play for matches of the same two beyond those that count in its table."""


@with_config(OPEN)
class ContestResultsJson(TypedDict):
    """A contest."""

    name: str
    title: str
    format: str
    rules: str
    over: bool
    entrants: list[ContestEntrantJson]
    places: list[FinalPlaceJson]
    """Empty until the contest is over."""
    tables: list[ResultTableJson]
    matches: list[EndedMatchJson]


@with_config(OPEN)
class EventResultsJson(TypedDict):
    """All results of an event."""

    results: Literal[1]
    """The version."""
    event: str
    hall: str
    people: list[EventPersonJson]
    contests: list[ContestResultsJson]


def files_of(desk: DeskState, translate: Translate) -> Mapping[str, str]:
    """Return all files by their names, with the text for a newspaper in the given language."""
    said = results_of(desk)
    text = in_json(json.dumps(said, ensure_ascii=False, indent=1)) + "\n"
    return {
        "matches.csv": MARK + csv_text(MATCH_COLUMNS, _match_rows(said)),
        "standings.csv": MARK + csv_text(STANDING_COLUMNS, _standing_rows(said)),
        "places.csv": MARK + csv_text(PLACE_COLUMNS, _place_rows(said)),
        "results.json": text,
        TEXT: newspaper(desk, translate),
        **{
            match["record"]: desk.records[match["key"]]
            for contest in said["contests"] for match in contest["matches"] if match["record"]
        },
    }  # fmt: skip


# --- for programs ------------------------------------------------------------------------


def results_of(desk: DeskState) -> EventResultsJson:
    """Return all results as values."""
    programme = desk.programme
    came = _came(desk)
    return {
        "results": 1,
        "event": programme.name,
        "hall": programme.hall,
        "people": [
            {"number": each.number, "name": each.name, "kana": each.kana, "club": each.club}
            for each in programme.people.values()
        ],
        "contests": [_contest(desk, name, came) for name in programme.classes],
    }


class _Came(Struct, frozen=True):
    """The last result of a match that a board sent, of its own or as attached by the desk."""

    board: int
    wall_ms: int
    outcome: Outcome


def _came(desk: DeskState) -> Mapping[str, _Came]:
    """Return what boards sent, by match; for a match to be replayed, only what came since."""
    found: dict[str, _Came] = {}
    boards: dict[str, tuple[int, int]] = {}
    skipped = taken_back(desk.past)
    for past in desk.past:
        body = past.entry.body
        match past.entry.kind:
            case DeskKind.RESULT:
                said = body["message"]
                boards[said["id"]] = (body["board"], past.wall_ms)
                if body["outcome"] is not None:
                    key = desk.orders[said["order"]].key
                    found[key] = _Came(*boards[said["id"]], outcome_of(body["outcome"]))
            case DeskKind.CORRECTED if body["outcome"] is None and past.seq not in skipped:
                found.pop(body["key"], None)  # it is played again, perhaps by others
            case DeskKind.ATTACHED if body["contest"] is not None and past.seq not in skipped:
                outcome = outcome_of(body["outcome"])
                found[body["key"]] = _Came(*boards[body["result"]], outcome)
    return found


def _contest(desk: DeskState, name: str, came: Mapping[str, _Came]) -> ContestResultsJson:
    played, drawn = desk.programme.classes[name], desk.drawn(name)
    names = {each: list(desk.programme.names(name, each)) for each in played.people}
    return {
        "name": name,
        "title": played.title or name,
        "format": type(played.contest.format).__name__,
        "rules": str(played.header.get("rules", "")),
        "over": desk.is_over(name),
        "entrants": [
            {"entrant": entrant, "people": list(own), "names": names[entrant]}
            for entrant, own in played.people.items()
        ],
        "places": [
            {"first": each.first, "last": each.last, "entrants": list(each.entrants)}
            for each in (places_of(desk, name) if desk.is_over(name) else ())
        ],
        "tables": [
            {
                "name": table,
                "rows": [_row(each, names) for each in ranks],
            }
            for table, ranks in drawn.tables.items()
        ],
        "matches": [
            _match(desk, name, each, outcome, came.get(each.key))
            for each, outcome in ended_in(desk, name)
        ],
    }


def _row(ranked: RankedEntrant, names: Mapping[int, list[str]]) -> ResultRowJson:
    """Return a row of a table, with wins counted as people count them."""
    row = table_row(ranked, names.__getitem__)
    decided = ranked.decided
    if decided is not None and decided.by in IN_HALVES:
        row["decided"] |= {"before": _halved(decided.before), "own": _halved(decided.own)}
    return cast(ResultRowJson, row)


def _halved(counted: int) -> float:
    return counted / 2 if counted % 2 else counted // 2


def ended_in(desk: DeskState, contest: str) -> list[tuple[Fixture, Outcome]]:
    """Return the matches of a contest that are over, in the order of its draw."""
    known = desk.played(contest)
    return [
        (each, outcome) for each in desk.drawn(contest).fixtures
        if each.key in known and (outcome := known[each.key].outcome) is not None
    ]  # fmt: skip


def _match(
    desk: DeskState, contest: str, fixture: Fixture, outcome: Outcome, came: _Came | None
) -> EndedMatchJson:
    sides = desk.played(contest)[fixture.key].sides
    file = f"{RECORDS}/{fixture.key}.carom" if came is not None else None
    stands = came is not None and came.outcome == outcome
    return {
        "key": fixture.key,
        "section": section_of(fixture.key),
        "round": fixture.round,
        "entrants": list(sides),
        "names": [list(desk.programme.names(contest, each)) for each in sides],
        "winner": outcome.winner,  # type: ignore[typeddict-item]
        "points": list(outcome.points),
        "boards": list(outcome.boards),
        "jack": outcome.by_jack,
        "forfeit": outcome.forfeit,
        "board": None if came is None else came.board,
        "ended_ms": came.wall_ms if came is not None and stands else None,
        "record": file,
        "differs": came is not None and not stands,
        "counts": fixture.key
        not in uncounted(desk.programme.classes[contest].contest, desk.drawn(contest)),
    }


# --- as tables ---------------------------------------------------------------------------

MATCH_COLUMNS = (
    "contest", "title", "section", "round", "match", "first", "second", "winner", "points_first",
    "points_second", "boards_first", "boards_second", "jack", "forfeit", "board", "ended", "record",
    "differs", "counts",
)  # fmt: skip
STANDING_COLUMNS = (
    "contest", "title", "table", "place", "entrant", "names", "clubs", "played", "won", "tied",
    "points", "against", "decided_by", "value_before", "own_value",
)  # fmt: skip
PLACE_COLUMNS = ("contest", "title", "first", "last", "entrant", "names", "clubs")
_Rows = Iterator[Mapping[str, Any]]


def _match_rows(said: EventResultsJson) -> _Rows:
    for contest in said["contests"]:
        for match in contest["matches"]:
            first, second = sides = [", ".join(each) for each in match["names"]]
            ended = match["ended_ms"]
            yield {
                **match,
                "contest": contest["name"],
                "title": contest["title"],
                "match": match["key"],
                "first": first,
                "second": second,
                "winner": None if match["winner"] is None else sides[match["winner"]],
                "points_first": match["points"][0],
                "points_second": match["points"][1],
                "boards_first": match["boards"][0],
                "boards_second": match["boards"][1],
                "ended": None if ended is None else _moment(ended).isoformat(timespec="seconds"),
            }


def _standing_rows(said: EventResultsJson) -> _Rows:
    for contest in said["contests"]:
        for table in contest["tables"]:
            for row in table["rows"]:
                decided = row.get("decided")
                yield {
                    **row,
                    **_named(said, contest, row["entrant"]),
                    "table": table["name"],
                    "decided_by": decided and decided["by"],
                    "value_before": decided and decided["before"],
                    "own_value": decided and decided["own"],
                }


def _place_rows(said: EventResultsJson) -> _Rows:
    for contest in said["contests"]:
        for place in contest["places"]:
            for entrant in place["entrants"]:
                yield {"first": place["first"], "last": place["last"],
                       **_named(said, contest, entrant)}  # fmt: skip


def _named(said: EventResultsJson, contest: ContestResultsJson, entrant: int) -> dict[str, Any]:
    (own,) = [each for each in contest["entrants"] if each["entrant"] == entrant]
    clubs = {each["number"]: each["club"] for each in said["people"]}
    return {
        "contest": contest["name"],
        "title": contest["title"],
        "entrant": entrant,
        "names": ", ".join(own["names"]),
        "clubs": ", ".join(dict.fromkeys(filter(None, map(clubs.__getitem__, own["people"])))),
    }


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1_000).astimezone()


# --- as text -----------------------------------------------------------------------------


def newspaper(desk: DeskState, translate: Translate) -> str:
    """Return ranks and results as plain text, class by class."""
    days = sorted({
        _moment(past.wall_ms).date().isoformat() for past in desk.past
        if past.entry.kind in (DeskKind.RESULT, DeskKind.CORRECTED)
    })  # fmt: skip
    lines = [desk.programme.name, " - ".join(dict.fromkeys([*days[:1], *days[-1:]])), ""]
    for name in desk.programme.classes:
        lines += _Told(desk, name, translate).lines()
    return "\n".join(map(visible, lines)).rstrip("\n") + "\n"


class _Told(Struct, frozen=True):
    """A contest to be described in words."""

    desk: DeskState
    contest: str
    translate: Translate

    def lines(self) -> Iterator[str]:
        drawn, brackets = self.desk.drawn(self.contest), brackets_of(self.desk, self.contest)
        over, whole = ended_in(self.desk, self.contest), self._whole()
        n, count = matches_in_all(whole, drawn), len(over) - len(uncounted(whole, drawn))
        yield self._title().upper()
        yield _n("{over} of {n} match", "{over} of {n} matches", n=n, over=count).render(
            self.translate
        )
        yield ""
        places = places_of(self.desk, self.contest) if brackets else ()
        yield from (f"{place}. {self._named(each)}" for place in places for each in place.entrants)
        if places:
            yield ""
        for table, ranks in drawn.tables.items():
            if len(drawn.tables) > 1 or places:
                yield self._section(table)
            for each in ranks:
                yield f"{each.place}. {self._named(each.entrant)}  {_tally(each)}"
            yield from self._columns(ranks)
            yield ""
        for section, number in _last_first(brackets):
            own = [each for each in over if each[0] in brackets[section][number]]
            if own:
                yield self._round(section, number, max(brackets[section]))
                yield from (self._match(*each) for each in own)
                yield ""

    def _whole(self) -> Contest:
        return self.desk.programme.classes[self.contest].contest

    def _columns(self, ranks: Iterable[RankedEntrant]) -> Iterator[str]:
        """Yield what follows the names, if somebody has waited."""
        tallies = [each.tally for each in ranks]
        if any(each.waited for each in tallies):
            told = _("won / played + waited: a round waited counts as a win")
            if any(each.level for each in tallies):
                told = _("won + tied / played + waited: a round waited counts as a win")
            yield told.render(self.translate)

    def _title(self) -> str:
        return self.desk.programme.classes[self.contest].title or self.contest

    def _named(self, entrant: int) -> str:
        return self._listed(self.desk.programme.told_apart(self.contest, entrant))

    def _listed(self, said: Iterable[str]) -> str:
        return ("、" if LANGUAGE.render(self.translate) == "ja" else ", ").join(said)

    def _match(self, fixture: Fixture, outcome: Outcome) -> str:
        one, two = map(self._named, self.desk.played(self.contest)[fixture.key].sides)
        score = [" : ".join(map(str, outcome.points))]
        if outcome.forfeit:
            score = [_("forfeit").render(self.translate)]
        if outcome.winner is not None and not _shows_who_won(outcome):
            won = _("{names} won", names=(one, two)[outcome.winner])
            score.append(won.render(self.translate))
        elif outcome.forfeit and outcome.winner is None:
            score.append(_("nobody wins").render(self.translate))
        return f"{one} – {two}  {self._listed(score)}"

    def _section(self, section: str) -> str:
        rest = section.removeprefix(self.contest).removeprefix("-")
        form = self._whole().format
        if not rest and not isinstance(form, Knockout):
            return _("Rounds").render(self.translate)
        title = _SECTIONS.get(rest) or _("Group {name}", name=rest)
        return title.render(self.translate)

    def _round(self, section: str, number: int, last: int) -> str:
        if section.endswith(ALONE):
            return self._section(section)
        known = (_("Final"), _("Semi-finals"), _("Quarter-finals"))
        left = last - number
        title = known[left] if left < len(known) else _("Last {n}", n=2 ** (left + 1))
        if section.endswith("-upper"):
            title = _("Upper bracket, round {n}", n=number)
        if section.endswith("-lower"):
            title = _("Lower bracket, round {n}", n=number)
        return title.render(self.translate)


def _last_first(brackets: Brackets) -> list[tuple[str, int]]:
    """Order rounds as people read them: the final, the match for the third place, and back."""
    order = [
        (section, number) for section in reversed(tuple(brackets))
        for number in sorted(brackets[section], reverse=True)
    ]  # fmt: skip
    if order and order[0][0].endswith("-third"):
        order[:2] = order[1::-1]
    return order


def _shows_who_won(outcome: Outcome) -> bool:
    """Whether the points alone show who won: a jack, boards or a forfeit may have decided."""
    assert outcome.winner is not None
    return outcome.points[outcome.winner] > outcome.points[1 - outcome.winner]


def _tally(ranked: RankedEntrant) -> str:
    tally = ranked.tally
    tied = f"+{tally.level}" if tally.level else ""
    waited = f" +{tally.waited}" if tally.waited else ""
    won = tally.won - tally.waited
    return f"{won}{tied}/{tally.played}{waited}, {tally.points}:{tally.against}"


_SECTIONS: Mapping[str, Phrase] = {
    "": _("Knockout"),
    "ko": _("Knockout"),
    "ko-third": _("Third place"),
    "third": _("Third place"),
    "upper": _("Upper bracket"),
    "lower": _("Lower bracket"),
    "final": _("Final"),
    "second-final": _("Second final"),
}
