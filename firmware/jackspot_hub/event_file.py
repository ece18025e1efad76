"""An event as a file: TOML, checked whole before anything of it is played."""

from __future__ import annotations

import hashlib
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from unicodedata import normalize

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from jackspot.core.agreement import Disagreement, number_option
from jackspot.core.printable import in_a_sentence
from jackspot.core.settings import USUAL_RULES
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.names import HALL, MOST_BOARDS
from jackspot.files import from_json, read_text
from jackspot_hub.event.contest import (
    AllAgainstAll,
    Contest,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    OpenPlay,
    Partners,
    Swiss,
    knockout_of,
)
from jackspot_hub.event.entries import NOT_UTF_8, wrong_with_name
from jackspot_hub.event.programme import (
    NoShowRule,
    Person,
    PlayedClass,
    Programme,
    Shown,
    agreed,
)
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.event.standings import USUAL, TieBreak

LONGEST_FOUND = 60
BEGUN = ".begun.json"
"""Name of the file, beside the journal, of what the event's file said when the event began."""
BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key that TOML takes without quotes."""


class BadEvent(ValueError):
    """A file that is no event; the text says where, what was expected and what was found."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _as_it_is_shown(name: str) -> str:
    wrong = wrong_with_name(name)
    if wrong and wrong != NOT_UTF_8:  # the file is UTF-8, and an event may have begun with it
        raise ValueError(str(wrong).partition(", found")[0])
    return name


Name = Annotated[str, Field(min_length=1), AfterValidator(_as_it_is_shown)]


Year = Annotated[int, Field(ge=1900, le=2200)]


class _ContestTable(_Table):
    name: Annotated[str, Field(pattern=r"^[a-z0-9]{1,16}$")]
    title: Annotated[str, Field(max_length=64)] = ""
    names: Shown = Shown.FULL
    format: Literal["all", "groups", "knockout", "double", "swiss", "partners", "threes",
                    "free"]  # fmt: skip
    draw: Literal["at once", "later"] = "at once"
    entrants: Annotated[list[Name | Annotated[list[Name], Field(min_length=2, max_length=2)]],
                        Field(max_length=1_000)] = []  # fmt: skip
    pairs: bool = False
    born: Annotated[list[Year | Literal[0] | None], Field(min_length=2, max_length=2)] = [0, 0]
    groups: Annotated[int, Field(ge=1)] = 1
    upper: Annotated[int, Field(ge=0)] | None = None
    earlier: bool = False
    rounds: Annotated[int, Field(ge=1)] = 5
    cycles: Annotated[int, Field(ge=1, le=4)] = 1
    tie_breaks: tuple[TieBreak, ...] = USUAL
    match: dict[str, Any] = Field(default_factory=dict)
    knockout_match: dict[str, Any] = Field(default_factory=dict)


class _EventTable(_Table):
    name: Name
    hall: Annotated[str, Field(pattern=f"^{HALL.pattern}$")]
    boards: Annotated[int, Field(ge=1, le=MOST_BOARDS)]
    board_order: list[Annotated[int, Field(ge=1)]] = []
    seed: str = ""
    rest_s: Annotated[int, Field(ge=0, le=86_400)] = 0
    start: Literal["free", "gong"] = "free"
    referees: Annotated[list[Name], Field(max_length=MOST_BOARDS)] = []
    no_show_min: Annotated[int, Field(ge=1, le=120)] | None = None
    no_show: Literal["ask", "decide"] = "ask"
    contest: Annotated[list[_ContestTable], Field(min_length=1)]


def read_event(path: Path, journal: Path | None = None) -> Programme:
    """Read a file; ``journal`` is the event's, None: of the same name, beside it.

    BadEvent says what is wrong with it; OSError if it cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
        return _programme(_said(text, journal or path.with_suffix(".sqlite3")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise BadEvent(f"{path}: expected TOML in UTF-8: {wrong}") from wrong
    except BadEvent as wrong:
        raise BadEvent(f"{path}: {wrong}") from wrong


def _said(text: str, journal: Path | None) -> dict[str, Any]:
    """Return what a file says, its names composed.

    An event that began with names as they are written keeps them so: composed, two people might
    become one, and those after them would have other numbers.
    """
    written = tomllib.loads(text)
    said: dict[str, Any] = _composed(written)
    if journal is None or said == written:
        return said
    begun = read_begun(journal.with_suffix(BEGUN))
    as_written = begun is not None and _unlike(begun, written) < _unlike(begun, said)
    return written if as_written else said


def _composed(said: Any) -> Any:
    """Return texts with each letter and its marks as one character; macOS often writes several."""
    match said:
        case str():
            return normalize("NFC", said)
        case list():
            return [_composed(each) for each in said]
        case dict():
            return {key: _composed(each) for key, each in said.items()}
    return said


def _unlike(begun: Facts, said: dict[str, Any]) -> float:
    """Count what a file says otherwise than it was when the event began, and should not."""
    try:
        now = facts(_programme(said))
    except BadEvent:
        return math.inf
    known = [
        now[kind].get(key) == each
        for kind in ("stays", "drawn")
        for key, each in begun[kind].items()
    ]
    return known.count(False)


def numbered(text: str, journal: Path | None = None) -> str:
    """Return the file of an event with people as numbers; it differs only in names and comments.

    What this has returned stays as it is.
    """
    said = _said(text, journal)
    people = _programme(said).people
    said.pop("referees", None)
    numbers = {each.name: str(number) for number, each in people.items()}
    for contest in said["contest"]:
        contest["entrants"] = [
            numbers[each] if isinstance(each, str) else [numbers[name] for name in each]
            for each in contest.get("entrants", [])
        ]
        for key in ("match", "knockout_match"):
            contest.get(key, {}).pop("names", None)
    return _written(said)


def _written(said: dict[str, Any]) -> str:
    """Return an event as TOML."""
    lines = [f"{_key(key)} = {_value(value)}" for key, value in said.items() if key != "contest"]
    for contest in said["contest"]:
        lines += ["", "[[contest]]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in contest.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _value(key)


def _value(value: object) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            inner = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case date() | time():
            return value.isoformat()
    return repr(value)


def programme_of(said: dict[str, Any]) -> Programme:
    """Make an event from the contents of a file. BadEvent if it is none."""
    return _programme(_composed(said))


def _programme(said: dict[str, Any]) -> Programme:
    try:
        table = _EventTable.model_validate(said)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = _place(said, first["loc"])
        found = repr(first.get("input"))[:LONGEST_FOUND]
        if first["type"] == "extra_forbidden" and (known := _keys_beside(first["loc"])):
            raise BadEvent(f"{where}: no such key; there are {', '.join(known)}") from wrong
        raise BadEvent(f"{where}: {in_a_sentence(first['msg'])}, found {found}") from wrong
    classes = {}
    numbers: dict[str, int] = {}
    for contest in table.contest:
        where = f"contest {contest.name!r}"
        if contest.name in classes:
            raise BadEvent(f"{where}: expected another name, found it twice")
        classes[contest.name] = _class_of(where, contest, table, numbers)
    people = {number: Person(number, name) for name, number in numbers.items()}
    boards = tuple(FreeBoard(number) for number in _in_order(table))
    return Programme(table.name, table.hall, people, classes, boards, table.rest_s * 1_000,
                     table.start == "gong", _no_show(table), _referees(table))  # fmt: skip


def _in_order(table: _EventTable) -> list[int]:
    """Return the boards in the order in which they are used: those that it names, then the rest."""
    first = table.board_order
    if max(first, default=0) > table.boards or len(set(first)) < len(first):
        raise BadEvent(f"board_order: expected numbers from 1 to {table.boards}, each once, "
                       f"found {first}")  # fmt: skip
    return [*first, *(each for each in range(1, table.boards + 1) if each not in first)]


def _referees(table: _EventTable) -> tuple[str, ...]:
    twice = [name for name, times in Counter(table.referees).items() if times > 1]
    if twice:
        raise BadEvent(f"referees: expected each name once, found {twice[0]!r} twice")
    return tuple(table.referees)


def _no_show(table: _EventTable) -> NoShowRule | None:
    decides = table.no_show == "decide"
    if table.no_show_min is None:
        if decides:
            raise BadEvent('no_show: expected no_show_min beside no_show = "decide": how many '
                           "minutes after the second call, found none")  # fmt: skip
        return None
    return NoShowRule(table.no_show_min * 60_000, decides)


def _keys_beside(at: tuple[int | str, ...]) -> Iterable[str]:
    """Return the known keys beside an unknown one; none: it is in a deeper table."""
    match at:
        case (str(),):
            return _EventTable.model_fields
        case ("contest", int(), str()):
            return _ContestTable.model_fields
    return ()


def _place(said: Mapping[str, Any], at: tuple[int | str, ...]) -> str:
    """Say where in a file something is: "contest 'singles', entrants, 3rd" counts as people do."""
    match at:
        case ("contest", int(number), *rest):
            name = said["contest"][number]
            known = name.get("name") if isinstance(name, dict) else None
            first = f"contest {known!r}" if isinstance(known, str) else f"contest {number + 1}"
            at = (first, *rest)
    words = [f"number {each + 1}" if isinstance(each, int) else each for each in at]
    return ".".join(words) or "the file"


def _class_of(
    where: str, table: _ContestTable, event: _EventTable, numbers: dict[str, int]
) -> PlayedClass:
    """Make a class; people of one name in a file are one, with their number kept in ``numbers``."""
    names = [(each,) if isinstance(each, str) else tuple(each) for each in table.entrants]
    at_once = table.draw == "at once"
    fewest = 4 if table.format == "partners" else 2
    if at_once and len(names) < fewest:
        raise BadEvent(f'{where}.entrants: expected {fewest} or more, or draw = "later" and people '
                       f"who are entered later, found {len(names)}")  # fmt: skip
    twice = [name for name, times in Counter(chain(*names)).items() if times > 1]
    if twice:
        raise BadEvent(f"{where}.entrants: expected each name once, found {twice[0]!r} twice")
    sizes = {len(entrant) for entrant in names} or {1 + table.pairs}
    if len(sizes) > 1 or (table.pairs and sizes == {1}):
        raise BadEvent(f"{where}.entrants: expected all alone or all in pairs, found both")
    if at_once and table.format == "groups" and table.groups > len(names) // 2:
        most = len(names) // 2
        raise BadEvent(f"{where}.groups: expected at most {most}, of two or more each, "
                       f"found {table.groups}")  # fmt: skip
    _check_what_follows(where, table)
    if table.format in ("partners", "threes") and sizes == {2}:
        raise BadEvent(f"{where}.entrants: expected all alone: partners are drawn, found pairs")
    first, last = (year or None for year in table.born)  # TOML has no null, so 0
    if first is not None and last is not None and first > last:
        raise BadEvent(f"{where}.born: expected the earlier year first, found {table.born}")
    people = {}
    for entrant in names:
        own = tuple(numbers.setdefault(name, len(numbers) + 1) for name in entrant)
        people[own[0]] = own
    contest = Contest(
        table.name, tuple(people), _FORMATS[table.format](table), table.tie_breaks, event.seed
    )
    header = {"rules": USUAL_RULES.value, **table.match}
    (size,) = sizes
    title = table.title or table.name
    played = PlayedClass(
        contest, people, header, title, size, (first, last), tuple(people), at_once, table.names,
        table.knockout_match,
    )  # fmt: skip
    tried = [*pairwise(names)] if len(names) > 1 else [(("A",) * size, ("B",) * size)]
    if table.format in ("partners", "threes"):
        two, three, four = (("A",), ("B",)), (("A",), ("B", "C")), (("A", "B"), ("C", "D"))
        tried = [four] if table.format == "partners" else [two, three]
    _check_matches(f"{where}.match", played, tried, event.name, table.name)
    after = f"{knockout_of(contest)}-1-1"
    _check_matches(f"{where}.knockout_match", played, tried, event.name, after)
    if table.earlier:
        _check_earlier(where, played, tried[0], event.name)
    return played


def _check_what_follows(where: str, table: _ContestTable) -> None:
    """Refuse settings for a knockout that does not follow."""
    swiss, upper = table.format == "swiss", table.upper
    follows = (table.format == "groups" and upper != 0) or (swiss and bool(upper))
    if swiss and upper == 1:
        raise BadEvent(f"{where}.upper: expected 0, or 2 or more who play a knockout, found 1")
    if table.earlier and not (swiss and upper):
        raise BadEvent(f"{where}.earlier: expected a Swiss with upper = 2 or more, "
                       f"found {table.format}")  # fmt: skip
    if table.knockout_match and not follows:
        raise BadEvent(f"{where}.knockout_match: expected groups, or a Swiss, of which some go on "
                       f"to a knockout, found {table.format}")  # fmt: skip


def _check_earlier(
    where: str, played: PlayedClass, sides: tuple[tuple[str, ...], tuple[str, ...]], event: str
) -> None:
    """Refuse a final for which no match of the rounds can be the first game."""
    name = played.contest.name
    rounds, final = (
        number_option(agreed(played, sides, event, key), "best_of")
        for key in (name, f"{knockout_of(played.contest)}-1-1")
    )
    if rounds != 1:
        raise BadEvent(f"{where}.earlier: expected rounds of one game, found best_of = {rounds}")
    if final == 1:
        raise BadEvent(f"{where}.earlier: expected a final of more games than one, found best_of = "
                       "1; say knockout_match = { options = { best_of = 3 } }")  # fmt: skip


def _check_matches(
    where: str, played: PlayedClass, tried: Iterable[tuple[tuple[str, ...], tuple[str, ...]]],
    event: str, key: str,
) -> None:  # fmt: skip
    """Refuse a class whose matches cannot be played with its settings."""
    try:
        for sides in tried:
            agreed(played, sides, event, key)
    except Disagreement as wrong:
        raise BadEvent(f"{where}: {wrong}") from wrong


_FORMATS: Mapping[str, Callable[[_ContestTable], Format]] = {
    "all": lambda table: AllAgainstAll(table.cycles),
    "groups": lambda table: Groups(table.groups, 2 if table.upper is None else table.upper),
    "knockout": lambda _table: Knockout(),
    "double": lambda _table: DoubleElimination(),
    "swiss": lambda table: Swiss(table.rounds, table.upper or 0, table.earlier),
    "partners": lambda table: Partners(table.rounds),
    "threes": lambda table: Partners(table.rounds, at_a_board=3),
    "free": lambda table: OpenPlay(table.cycles),
}


Facts = Mapping[str, Mapping[str, Any]]
"""What an event's file says, in three parts.

What ``stays``; by contest, what it is ``drawn`` from; and what ``may`` be changed at any time.
"""
KeptAsDrawn = Callable[[str], str]
"""Returns why what a contest is drawn from may not be changed now; empty: it may."""
ENTRANTS = "entrants"


def facts(programme: Programme) -> dict[str, dict[str, Any]]:
    """Return what in an event must stay as it began, and what need not; names only as digests."""
    drawn: dict[str, Any] = {}
    numbers = [each.number for each in programme.boards]
    stays: dict[str, Any] = {"hall": programme.hall, "boards": len(numbers)}
    may: dict[str, Any] = {
        "name": programme.name,
        "rest_s": programme.rest_ms // 1_000,
        "start": "gong" if programme.by_gong else "free",
        "board_order": [] if numbers == sorted(numbers) else numbers,
        "no_show_min": programme.no_show.after_ms // 60_000 if programme.no_show else 0,
        "no_show": "decide" if programme.no_show and programme.no_show.decides else "ask",
    }
    for name, played in programme.classes.items():
        of = f"contest {name!r}: "
        contest = played.contest
        match = {key: each for key, each in played.header.items() if key not in ("rules", "names")}
        rules = played.header["rules"]
        drawn[name] = {**_form(contest.format), "seed": contest.seed, "rules": rules}
        stays |= {
            f"{of}alone or in pairs": played.size,
            f"{of}draw": "at once" if played.is_drawn else "later",
            f"{of}{ENTRANTS}": [_digest(programme.names(name, each)) for each in contest.entrants],
        }
        may |= {
            f"{of}title": played.title,
            f"{of}names": played.shown.value,
            f"{of}born": [each or 0 for each in played.born],
            f"{of}tie_breaks": [each.value for each in contest.tie_breaks],
            f"{of}match": repr(match),
            f"{of}knockout_match": repr(dict(played.knockout_header)),
        }
    return {"stays": stays, "drawn": drawn, "may": may}


def _form(form: Format) -> dict[str, Any]:
    """Return what a file says of a format, in the file's own words."""
    said: dict[str, Any]
    match form:
        case AllAgainstAll(cycles):
            said = {"format": "all", "cycles": cycles}
        case Groups(count, upper):
            said = {"format": "groups", "groups": count, "upper": upper}
        case Knockout():
            said = {"format": "knockout"}
        case DoubleElimination():
            said = {"format": "double"}
        case Swiss(rounds, upper, earlier):
            said = {"format": "swiss", "rounds": rounds, "upper": upper, "earlier": earlier}
        case Partners(rounds, at_a_board):
            said = {"format": "threes" if at_a_board == 3 else "partners", "rounds": rounds}
        case OpenPlay(meetings):
            said = {"format": "free", "cycles": meetings}
    return said


def _digest(names: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(names)).encode()).hexdigest()[:16]


def read_begun(kept: Path) -> Facts | None:
    """Read what an event's file said when it was last run; None: it was not recorded.

    BadEvent if that is something else; OSError.
    """
    if not kept.exists():
        return None
    try:
        said = from_json(read_text(kept, MOST_BYTES))
        return {"stays": said["stays"], "drawn": said.get("drawn", {}), "may": said["may"]}
    except (ValueError, KeyError, TypeError) as wrong:
        raise BadEvent(
            f"{kept}: expected what the event's file said when it was last run, found something "
            f"else ({wrong!r}); delete it, once you know that the event's file is as it was"
        ) from wrong


def taken_since(journal: Path, programme: Programme, kept: KeptAsDrawn) -> list[str]:
    """Return what was changed in an event's file since it was last run with a journal.

    BadEvent if that may not be changed now.
    """
    begun = read_begun(journal.with_suffix(BEGUN))
    return [] if begun is None else changed(begun, facts(programme), kept)


def changed(begun: Facts, now: Facts, kept: KeptAsDrawn) -> list[str]:
    """Return what was changed in an event's file since it was last run, if that is harmless.

    That is more boards, more contests, what a contest that is not ``kept`` is drawn from, and
    whatever else affects no draw and no result. BadEvent names everything that may not be changed,
    with what it began with, what was found and what to do.
    """
    was, found = begun["stays"], now["stays"]
    wrong = [line for key in was for line in _differs(key, was[key], found.get(key))]
    before = [each for each in _contests(was) if each in _contests(found)]
    first = _contests(found)[: len(before)]
    if first != before:
        wrong.append(f"contests: it began with {', '.join(before)}, found {', '.join(first)}; "
                     "people are numbered in this order, so new ones come last")  # fmt: skip
    taken = [
        f"{key}: {_shown(begun['may'].get(key))} -> {_shown(value)}"
        for key, value in now["may"].items() if value != begun["may"].get(key, value)
    ]  # fmt: skip
    if found["boards"] > was["boards"]:
        taken.append(f"boards: {was['boards']} -> {found['boards']}")
    taken += [f"{each} is new" for each in _contests(found) if each not in _contests(was)]
    for name, drawn in begun["drawn"].items():
        own = now["drawn"].get(name, {})
        others = [(key, drawn.get(key), own[key]) for key in own if own[key] != drawn.get(key)]
        if why := kept(name):
            wrong += [f"contest {name!r}: {key}: it began with {_shown(value)}, found "
                      f"{_shown(new)}; {why}" for key, value, new in others]  # fmt: skip
        else:
            taken += [f"contest {name!r}: {key}: {_shown(value)} -> {_shown(new)}"
                      for key, value, new in others]  # fmt: skip
    if wrong:
        also = [f"(this would be taken: {each})" for each in taken]
        raise BadEvent("\n".join([UNDER_WAY, *wrong, *also]))
    return taken


UNDER_WAY = "the event is under way, and its file was changed in what must stay; put back:"


def _contests(stays: Mapping[str, Any]) -> list[str]:
    """Return the contests among these facts, in the order of the file."""
    return [key.partition(": ")[0] for key in stays if key.endswith(f": {ENTRANTS}")]


def _differs(key: str, was: Any, found: Any) -> Iterable[str]:
    """Yield how something that must stay as it began differs."""
    if was == found:
        return
    if key == "boards":
        if found < was:
            yield (f"boards: it began with {was}, found {found}; lock those that are gone on the "
                   "page /desk")  # fmt: skip
    elif found is None:
        if key.endswith(f": {ENTRANTS}"):
            yield f"{key.partition(': ')[0]}: it began with it, and it is gone"
    elif key.endswith(f": {ENTRANTS}"):
        at = next((at for at, (one, two) in enumerate(zip(was, found, strict=False), 1)
                   if one != two), min(len(was), len(found)) + 1)  # fmt: skip
        yield (f"{key}: it began with {len(was)}, found {len(found)}, and number {at} of them is "
               "not as it was; enter, withdraw and rename people on the page /people")  # fmt: skip
    else:
        yield f"{key}: it began with {_shown(was)}, found {_shown(found)}"


def _shown(value: Any) -> str:
    return (value if isinstance(value, str) and value else _value(value))[:LONGEST_FOUND]
