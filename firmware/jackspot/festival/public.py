"""What a hub publishes for anybody, as types: the event in parts, each retained below ``public/``.

A part has a topic of its own. It is published again when it has changed, and cleared when it no
longer exists. Names are those that the organiser shows in public. Instants are milliseconds since
1970 by the hub's clock. The JSON Schemas are made from these types. Pure.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from jackspot.core.pieces import Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import Phase
from jackspot.festival.messages import MOST_BYTES, OPEN, PREFIX, Count, TextJson, Version, write

RETAINED, QOS = True, 0
"""For every part."""
PUBLIC = "public"

People = list[str]
"""The people on one side, by their public names."""
Opponents = Annotated[list[People], Field(min_length=2, max_length=2)]
"""Both sides of a match."""
Entrants = Annotated[list[Count], Field(min_length=2, max_length=2)]
"""The numbers of those who meet."""
Two = Annotated[list[int], Field(min_length=2, max_length=2)]
At = Literal[0, 1]
"""The first side, or the second."""
NumberFromOne = Annotated[int, Field(ge=1)]


@with_config(OPEN)
class PublicNoticeJson(TypedDict):
    """The line from the desk that all displays show, and until when."""

    text: TextJson
    until_ms: Count


@with_config(OPEN)
class PublicEventMessage(TypedDict):
    """What is played, and at which boards."""

    v: Version
    name: str
    hall: str
    boards: list[NumberFromOne]
    contests: list[str]
    """The names of its contests, in their order."""
    results: Count
    """How many matches are over."""
    notice: NotRequired[PublicNoticeJson]


@with_config(OPEN)
class CalledMatchJson(TypedDict):
    """A match to which people are called."""

    board: NumberFromOne
    order: Count
    since_ms: Count
    """When they were called."""
    key: str
    contest: str
    who: Opponents
    entrants: Entrants
    say: NotRequired[Opponents]
    """How the names are read aloud, in kana, if that is known and names are shown in full."""


@with_config(OPEN)
class PublicCallsMessage(TypedDict):
    """Who is called and has not come, the latest call first."""

    v: Version
    calls: list[CalledMatchJson]
    left_out: NotRequired[Count]
    """This many more did not fit into the message."""


@with_config(OPEN)
class LatestMatchJson(TypedDict):
    """A match that is over."""

    key: str
    contest: str
    who: Opponents
    entrants: Entrants
    over: Literal[True]
    points: Two
    winner: At | None
    """Null: it ended tied."""
    forfeit: NotRequired[Literal[True]]
    jack: NotRequired[Literal[True]]
    """It was won by the jack, or the queen."""


@with_config(OPEN)
class PublicLatestMessage(TypedDict):
    """The matches with the latest results, newest first."""

    v: Version
    matches: list[LatestMatchJson]
    left_out: NotRequired[Count]


@with_config(OPEN)
class RunningClockJson(TypedDict):
    """The match clock as it stood at an instant."""

    left_ms: Count
    runs: bool
    at_ms: Count


@with_config(OPEN)
class PublicBoardMessage(TypedDict):
    """The state of a board: its match, and the score as last received."""

    v: Version
    n: NumberFromOne
    """Its number."""
    state: Literal["absent", "away", "free", "called", "declined", "playing", "own", "over"]
    """``absent``: never heard from; ``own``: a match that nobody ordered."""
    key: NotRequired[str]
    contest: NotRequired[str]
    who: NotRequired[Opponents]
    entrants: NotRequired[Entrants]
    since_ms: NotRequired[Count]
    """Since when it has been away, or its people have been called."""
    calls_ms: NotRequired[Count]
    """Since when its people have been asking the desk to come."""
    phase: NotRequired[Phase]
    score: NotRequired[Two]
    side: NotRequired[Annotated[list[Side], Field(min_length=2, max_length=2)]]
    """The colours of both sides on this board."""
    turn: NotRequired[At | None]
    proposed: NotRequired[bool]
    """The board proposes something that nobody has confirmed."""
    faults: NotRequired[Count]
    heard_ms: NotRequired[Count]
    """When the score was received."""
    boards: NotRequired[Two]
    """Boards that each side has won, if more than one is played."""
    clock: NotRequired[RunningClockJson]
    over: NotRequired[Literal[True]]
    points: NotRequired[Two]
    winner: NotRequired[At | None]
    forfeit: NotRequired[Literal[True]]
    jack: NotRequired[Literal[True]]


@with_config(OPEN)
class PublicPlaceJson(TypedDict):
    """A place, from 1: those who share one are listed together, from ``first`` to ``last``."""

    first: NumberFromOne
    last: NumberFromOne
    who: list[People]
    entrants: list[Count]
    """Their numbers."""


@with_config(OPEN)
class PublicContestMessage(TypedDict):
    """The progress of a contest."""

    v: Version
    name: str
    title: str
    format: Literal["AllAgainstAll", "Groups", "Knockout", "DoubleElimination", "Swiss", "Partners",
                    "OpenPlay"]  # fmt: skip
    rules: RuleSystem | None
    seed: str
    """The seed that drew the lots."""
    upper: Count
    """This many of each group go on."""
    entrants: Count
    tables: list[str]
    """The names of its tables; each is a part."""
    rounds: list[str]
    """The names of its rounds; each is a part."""
    over: Count
    known: Count
    """How many matches are over, and how many are known."""
    conflicts: list[str]
    """Matches that were played by people other than results now lead to."""
    final: list[People] | None
    """Who is first, second and, in a table, third, once that is known."""
    places: list[PublicPlaceJson]
    """Everybody's place, once it is over; in free play, as of now."""
    left_out: NotRequired[Count]


TieBreakName = Literal["wins", "meeting", "difference", "points", "jack", "opponents", "lot"]


@with_config(OPEN)
class DecidedJson(TypedDict):
    """Why somebody is behind the one before: a tie-break, and its values for both."""

    by: TieBreakName
    before: int
    own: int


@with_config(OPEN)
class TableRowJson(TypedDict):
    """A row of a table."""

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
    decided: NotRequired[DecidedJson]


@with_config(OPEN)
class PublicTableMessage(TypedDict):
    """A table of standings."""

    v: Version
    contest: str
    name: str
    rows: list[TableRowJson]
    left_out: NotRequired[Count]


MatchSideJson = TypedDict(
    "MatchSideJson",
    {
        "entrant": NotRequired[Count],
        "names": NotRequired[People],
        "from": NotRequired[str],
        "how": NotRequired[Literal["winner", "loser"] | NumberFromOne],
    },
)
"""Who is on a side; or from which match or group they come, as winner, loser or by place."""


@with_config(OPEN)
class RoundMatchJson(TypedDict):
    """A match of a round."""

    key: str
    who: Annotated[list[MatchSideJson], Field(min_length=2, max_length=2)]
    called: NotRequired[Literal[True]]
    over: NotRequired[Literal[True]]
    points: NotRequired[Two]
    winner: NotRequired[At | None]
    forfeit: NotRequired[Literal[True]]
    jack: NotRequired[Literal[True]]


@with_config(OPEN)
class PublicRoundMessage(TypedDict):
    """A round of a group or a bracket."""

    v: Version
    contest: str
    matches: list[RoundMatchJson]
    waits: NotRequired[list[MatchSideJson]]
    """Who does not play in it: nobody was left to play with."""
    left_out: NotRequired[Count]


class PublicPart(Enum):
    """The kinds of parts: the type of the message, its topic's pattern, the list it consists of.

    A list that does not fit into a message is cut. A part that is only a list is sent as an object
    that contains it.
    """

    EVENT = ("event", PublicEventMessage, "", "")
    CALLS = ("calls", PublicCallsMessage, "", "calls")
    LATEST = ("latest", PublicLatestMessage, "", "matches")
    BOARD = ("board", PublicBoardMessage, "/{number}", "")
    CONTEST = ("contest", PublicContestMessage, "/{contest}", "places")
    TABLE = ("table", PublicTableMessage, "/{table}", "rows")
    ROUND = ("round", PublicRoundMessage, "/{section}/{round}", "matches")

    def __init__(self, leaf: str, kind: Any, rest: str, rows: str) -> None:
        self.leaf = leaf
        self.kind = kind
        self.pattern = leaf + rest
        self.rows = rows


KINDS = {each.leaf: each for each in PublicPart}


def public_topic(hall: str, part: str) -> str:
    """Return the topic of a part by its name; ``#``: of all."""
    return f"{PREFIX}/{hall}/{PUBLIC}/{part}"


def public_message(part: str, text: str) -> bytes:
    """Return the message for a part: its name, and its contents as JSON.

    A part that is too long for a message is cut at the end of its list.
    """
    kind = KINDS[part.partition("/")[0]]
    opened = f'{{"v":1,"{kind.rows}":{text}}}' if text[0] == "[" else f'{{"v":1,{text[1:]}'
    message = opened.encode()
    return message if len(message) <= MOST_BYTES or not kind.rows else _cut(message, kind.rows)


def _cut(message: bytes, rows: str) -> bytes:
    """Drop the last items of a list, so that the rest fits."""
    said = json.loads(message)
    texts = list(map(write, said[rows]))
    room = MOST_BYTES - len(write({**said, rows: [], "left_out": len(texts)}))
    kept = 0
    for text in texts:
        room -= len(text) + 1
        if room < 0:
            break
        kept += 1
    return write({**said, rows: said[rows][:kept], "left_out": len(texts) - kept})
