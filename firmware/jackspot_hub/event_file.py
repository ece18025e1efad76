"""An event as a file: TOML, checked whole before anything of it is played."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jackspot.core.agreement import Disagreement
from jackspot.core.settings import USUAL_RULES
from jackspot.festival.messages import HALL, MOST_BOARDS
from jackspot_hub.event.contest import (
    AllAgainstAll,
    Contest,
    DoubleElimination,
    Format,
    Groups,
    Knockout,
    Swiss,
)
from jackspot_hub.event.programme import PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.event.standings import USUAL, TieBreak

LONGEST_FOUND = 60


class BadEvent(ValueError):
    """A file that is no event; the text says where, what was expected and what was found."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Name = Annotated[str, Field(min_length=1, max_length=64)]


class _ContestTable(_Table):
    name: Annotated[str, Field(pattern=r"^[a-z0-9]{1,16}$")]
    title: Annotated[str, Field(max_length=64)] = ""
    format: Literal["all", "groups", "knockout", "double", "swiss"]
    entrants: Annotated[list[Name | Annotated[list[Name], Field(min_length=2, max_length=2)]],
                        Field(min_length=2, max_length=1_000)]  # fmt: skip
    groups: Annotated[int, Field(ge=1)] = 1
    upper: Annotated[int, Field(ge=0)] = 2
    rounds: Annotated[int, Field(ge=1)] = 5
    cycles: Annotated[int, Field(ge=1, le=4)] = 1
    tie_breaks: tuple[TieBreak, ...] = USUAL
    match: dict[str, Any] = Field(default_factory=dict)


class _EventTable(_Table):
    name: Name
    hall: Annotated[str, Field(pattern=f"^{HALL.pattern}$")]
    boards: Annotated[int, Field(ge=1, le=MOST_BOARDS)]
    seed: str = ""
    rest_s: Annotated[int, Field(ge=0, le=86_400)] = 0
    contest: Annotated[list[_ContestTable], Field(min_length=1)]


def read_event(path: Path) -> Programme:
    """Read a file. BadEvent says what is wrong with it; OSError where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        return programme_of(tomllib.loads(text))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise BadEvent(f"{path}: expected TOML in UTF-8: {wrong}") from wrong
    except BadEvent as wrong:
        raise BadEvent(f"{path}: {wrong}") from wrong


def programme_of(said: dict[str, Any]) -> Programme:
    """Make an event of what a file says. BadEvent where it is none."""
    try:
        table = _EventTable.model_validate(said)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        found = repr(first.get("input"))[:LONGEST_FOUND]
        raise BadEvent(f"{where}: {first['msg'].lower()}, found {found}") from wrong
    classes = {}
    for at, contest in enumerate(table.contest):
        if contest.name in classes:
            raise BadEvent(
                f"contest.{at}.name: expected another name, found {contest.name!r} twice"
            )
        classes[contest.name] = _class_of(f"contest.{at}", contest, table)
    boards = tuple(FreeBoard(number) for number in range(1, table.boards + 1))
    return Programme(table.name, table.hall, classes, boards, table.rest_s * 1_000)


def _class_of(where: str, table: _ContestTable, event: _EventTable) -> PlayedClass:
    names = [(each,) if isinstance(each, str) else tuple(each) for each in table.entrants]
    people = [name for entrant in names for name in entrant]
    twice = next((name for name in people if people.count(name) > 1), None)
    if twice is not None:
        raise BadEvent(f"{where}.entrants: expected each name once, found {twice!r} twice")
    if len({len(entrant) for entrant in names}) > 1:
        raise BadEvent(f"{where}.entrants: expected all alone or all in pairs, found both")
    if table.format == "groups" and table.groups > len(names) // 2:
        most = len(names) // 2
        raise BadEvent(f"{where}.groups: expected at most {most}, of two or more each, "
                       f"found {table.groups}")  # fmt: skip
    form = _format_of(table)
    contest = Contest(table.name, tuple(range(len(names))), form, table.tie_breaks, event.seed)
    header = {"rules": USUAL_RULES.value, **table.match}
    played = PlayedClass(contest, dict(enumerate(names)), header, table.title or table.name)
    try:
        played.settings((0, 1), event.name, table.name)
    except Disagreement as wrong:
        raise BadEvent(f"{where}.match: {wrong}") from wrong
    return played


def _format_of(table: _ContestTable) -> Format:
    match table.format:
        case "all":
            return AllAgainstAll(table.cycles)
        case "groups":
            return Groups(table.groups, table.upper)
        case "knockout":
            return Knockout()
        case "double":
            return DoubleElimination()
        case "swiss":
            return Swiss(table.rounds)
