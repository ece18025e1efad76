"""What a board and the hall's hub tell each other over MQTT, version 1, as types.

Every message is one JSON object in UTF-8 with ``"v": 1``. Readers skip keys that they do not know.
:class:`What` has topics, quality and retention. The JSON Schemas are made from these types. Pure:
no clock, no socket.
"""

from __future__ import annotations

import contextlib
import json
import threading
import zlib
from collections.abc import Iterable
from enum import Enum, StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, cast

from msgspec import Struct
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from jackspot.core.agreement import MOST_IN_A_NAME
from jackspot.core.order import Begins
from jackspot.core.pieces import Seat, Side
from jackspot.core.printable import visible
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.preferences import LANGUAGES
from jackspot.dialogue.state.view import OrderState, Phase
from jackspot.festival.names import BOARD, HALL

VERSION = 1
PREFIX = f"jackspot/{VERSION}"
MOST_BYTES = 65_536
"""No message is larger; the largest record of a real match has 10 kB."""
AROUND_BYTES = 1_024
"""More than a packet has beside its message, mainly its topic."""
MOST_HEADER = 8_192
"""No header of an order has more characters: all that can be agreed upon is far shorter."""
LONGEST_LATIN, LONGEST_JA = 38, 28
"""This many characters of a line from the desk fit into two lines of an OLED."""
LONGEST_LINE = MappingProxyType(
    {language: LONGEST_JA if language == "ja" else LONGEST_LATIN for language in LANGUAGES}
)
"""The same by language."""
MOST_IN_UPDATE = 256 << 20
"""A release has at most this many bytes; a real one has some millions."""
LONGEST_WHY = 400
LONGEST_FOUND = 60
"""At most this many characters of an error and its place are quoted: the sender controls both."""

OPEN = ConfigDict(use_attribute_docstrings=True, strict=True, extra="ignore", allow_inf_nan=False)


class BadMessage(ValueError):
    """A message that does not match its topic; the text says what was expected and found."""


def crc32(text: str) -> str:
    """Return the CRC-32 of a record's bytes, in eight hexadecimal digits."""
    return f"{zlib.crc32(text.encode()):08x}"


Version = Literal[1]
Count = Annotated[int, Field(ge=0, le=2**53)]
Seq = Annotated[int, Field(ge=1, le=2**53)]
"""The number of a journal's entry."""
Scored = Annotated[int, Field(ge=-99_999, le=99_999)]
"""No rules count higher."""
Word = Annotated[str, Field(max_length=200)]
"""What a board calls itself, a part or a fault: far more than is displayed."""
JournalName = Annotated[str, Field(max_length=32)]
Boot = Annotated[str, Field(min_length=1, max_length=32)]
Crc = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]


@with_config(OPEN)
class StatusMessage(TypedDict):
    """Whether a board is there. The broker publishes ``lost`` if it leaves without a word."""

    v: Version
    state: Literal["ready", "lost", "disconnected"]
    """``lost``: published by the broker; ``disconnected``: it ended in order."""
    boot: Boot
    """Names this start of the board."""
    n: Count
    """Counts its connections. A ``lost`` counted below the last ``ready`` means nothing."""


@with_config(OPEN)
class AboutMessage(TypedDict):
    """What a board is."""

    v: Version
    name: Word
    """Its name."""
    version: Word
    """The version of its program."""
    rules: list[RuleSystem]
    """The rule systems that it can play."""
    pages: Annotated[list[Word], Field(max_length=32)]
    """Addresses of its pages, if it has any."""
    parts: Annotated[list[Word], Field(max_length=256)]
    """Its beams, buttons and lamps, by their names in the config."""


@with_config(OPEN)
class SideJson(TypedDict):
    """One side as a wall shows it."""

    side: Side
    """Its colour on this board."""
    seats: list[Seat]
    names: Annotated[list[Annotated[str, Field(max_length=MOST_IN_A_NAME)]], Field(max_length=4)]
    score: Scored
    """The one number that displays show large."""
    owed: Count
    boards: Count
    """Boards, or games, that it has won in this match."""


@with_config(OPEN)
class ClockAtJson(TypedDict):
    """The match clock as it stood at an instant."""

    limit_ms: Count
    remaining_ms: Count
    running: bool
    at_ms: Count
    """The instant, by the board's monotonic clock."""


@with_config(OPEN)
class ProposedJson(TypedDict):
    """What the board proposes and nobody has confirmed."""

    stroke: str
    """As in a record: ``N red@NE``; empty: no stroke at all."""
    probability: Annotated[float, Field(ge=0, le=1)]


@with_config(OPEN)
class StateMessage(TypedDict):
    """The small score, for walls: the newest only, at most two a second."""

    v: Version
    rules: RuleSystem
    phase: Phase
    board: Annotated[int, Field(ge=1)]
    """Which board of the match is being played, from 1."""
    best_of: Annotated[int, Field(ge=1)]
    sides: Annotated[list[SideJson], Field(min_length=2, max_length=2)]
    turn: Seat | None
    clock: ClockAtJson | None
    """Null: there is none."""
    proposed: ProposedJson | None
    winner: Side | None
    """Of the board or the match that is over; null: tied, or not over."""
    points: Annotated[list[Scored], Field(max_length=4)] | None
    """Of the board or the match that is over, in the order of ``sides``."""
    faults: Annotated[list[Word], Field(max_length=256)]
    """What is wrong: ``pocket_ne blocked``."""


@with_config(OPEN)
class MatchMessage(TypedDict):
    """What a board has made of its order."""

    v: Version
    order: Count | None
    """The number of the order; null: people play without one."""
    state: OrderState
    since_ms: Count
    """Since when, by the board's monotonic clock."""


@with_config(OPEN)
class CallMessage(TypedDict):
    """People at a board ask the desk to come; an empty message: they no longer do."""

    v: Version
    by: Literal["N", "E", "S", "W", "referee", "page"]
    """The place that asks: a seat, the referee's box, or a page."""
    since_ms: Count
    """Since when, by the board's monotonic clock."""


@with_config(OPEN)
class RecordMessage(TypedDict):
    """The match on the board as far as it is confirmed."""

    v: Version
    journal: JournalName
    """Names the journal."""
    seq: Count
    """How many entries the journal had then."""
    record: str
    """The match record; empty: there is no match on the board."""
    crc32: Crc
    """Of the record's bytes."""


@with_config(OPEN)
class ResultMessage(TypedDict):
    """A match that is over. The same id again says the same, so it may come more than once."""

    v: Version
    id: Annotated[str, Field(max_length=64)]
    """Board, journal and number of the journal's entry: ``b007-1f3a9c02-412``."""
    journal: JournalName
    seq: Seq
    """The journal's entry that ends the match."""
    match: Seq
    """The journal's entry that began it: the same in every revision."""
    match_journal: NotRequired[JournalName]
    """The journal's name at that entry; if left out, it is ``journal``."""
    revision: Seq
    """How often this match has ended: UNDO after the end, and another end, increase it."""
    order: Count | None
    winner: Side | None
    points: dict[Side, Scored]
    boards: dict[Side, Scored]
    """Boards that each side has won."""
    by: str | None
    """The wire whose press confirmed the last line; null: it was settled automatically."""
    record: str
    crc32: Crc
    wall_ms: Count
    """When it ended, in milliseconds since 1970."""
    synchronised: bool
    """Whether that clock was known to be right."""


@with_config(OPEN)
class ResumeJson(TypedDict):
    """A match that goes on at another board."""

    record: str
    """From the board that began it: header and strokes."""
    used_ms: NotRequired[Count]
    """Of the current board's clock; left out: as much as its last stroke says."""


@with_config(OPEN)
class MovedJson(TypedDict):
    """Where a match has gone."""

    order: Count
    """The order by which this board plays it."""
    to: Annotated[str, Field(pattern=f"^{BOARD.pattern}$")]


@with_config(OPEN)
class OrderMessage(TypedDict):
    """What a board is to play next."""

    v: Version
    order: Count | None
    """Its number; every match has its own. Null: nothing."""
    header: NotRequired[Annotated[str, Field(max_length=MOST_HEADER)]]
    """The header of a match record, up to its ``---``: who plays where, by which rules."""
    resume: NotRequired[ResumeJson]
    """In place of ``header``: a match that began at another board goes on here."""
    begins: NotRequired[Begins]
    """``now``; ``players``, by a seat's OK as usual; ``gong``, with its clock by the common one."""
    moved: NotRequired[MovedJson]
    """The match of an earlier order goes on at another board."""


@with_config(OPEN)
class HubMessage(TypedDict):
    """Whether the hub is there. The broker publishes ``lost`` if it leaves without a word."""

    v: Version
    state: Literal["ready", "lost", "disconnected"]
    boot: Boot


@with_config(OPEN)
class TwiceMessage(TypedDict):
    """Another board has this number, too, and stands aside; an empty message: it has gone."""

    v: Version
    boot: Boot
    """Of the board that stands aside."""
    other: Boot
    """Of the board that stays."""


@with_config(OPEN)
class PairJson(TypedDict):
    """An instant on two clocks, as precisely as the hub knows it."""

    hub_ms: Count
    board_ms: Count
    boot: Boot
    """The board's start to which this clock belongs."""


if TYPE_CHECKING:
    TextJson = dict[str, str]
else:
    TextJson = with_config(OPEN)(
        TypedDict(
            "TextJson",
            {
                language: NotRequired[Annotated[str, Field(min_length=1, max_length=longest)]]
                for language, longest in LONGEST_LINE.items()
            },
        )
    )
    TextJson.__doc__ = """\
One line in the languages of displays: at least one; English stands for what is missing.

So long that an OLED shows all of it. Control and format characters are taken out."""


@with_config(OPEN)
class AskMessage(TypedDict):
    """A question from the hub, answered with the same ``transaction``."""

    v: Version
    transaction: Count
    what: Annotated[str, Field(min_length=1, max_length=32)]
    """``clock``, ``coming``, ``identify``, ``line``, ``doctor`` or ``results``; else refused."""
    pair: NotRequired[PairJson | None]
    """The best that the hub knows of the board's clock from earlier answers."""
    until_ms: NotRequired[Count]
    """By the hub's clock: after this the question is out of date, and nothing is done."""
    seconds: NotRequired[Annotated[int, Field(ge=1, le=3_600)]]
    """How long a number or a line is shown."""
    text: NotRequired[TextJson]
    """The line."""
    journal: NotRequired[JournalName]
    """The journal whose results are requested; left out: the board's current one."""
    since: NotRequired[Count]
    """Results of later entries are requested; left out: all results."""


@with_config(OPEN)
class AskedMessage(TypedDict):
    """The readable part of a question with mistakes: enough to refuse it."""

    transaction: Count
    what: NotRequired[object]


@with_config(OPEN)
class FindingJson(TypedDict):
    """One line of a board's doctor."""

    mark: Literal["well", "warning", "broken"]
    what: str
    """What was checked."""
    found: str
    remedy: str
    """What to do; empty: nothing."""


@with_config(OPEN)
class AnswerMessage(TypedDict):
    """A board's answer."""

    v: Version
    transaction: Count
    boot: Boot
    board_ms: Count
    """The board's monotonic clock when it received the question."""
    what: str
    """As in the question."""
    refused: NotRequired[str]
    """Why nothing was done."""
    findings: NotRequired[Annotated[list[FindingJson], Field(max_length=256)]]
    """Answers ``doctor``."""
    results: NotRequired[Count]
    """Answers ``results``: how many are sent again."""


@with_config(OPEN)
class GongMessage(TypedDict):
    """The common gong, announced some seconds ahead."""

    v: Version
    gong: Count
    """Its number."""
    boards: list[str] | None
    """The boards it is for, by their ids; null: all."""
    at_ms: Count
    """When it sounds, by the hub's clock."""


@with_config(OPEN)
class AckMessage(TypedDict):
    """What the hub has on its disk."""

    v: Version
    journals: dict[JournalName, Count]
    """For each journal, the highest entry whose result the hub has."""


@with_config(OPEN)
class NoticeMessage(TypedDict):
    """One line from the desk for every display; an empty message withdraws it."""

    v: Version
    text: TextJson
    sent_ms: Count
    """When it was sent, by the hub's clock."""
    seconds: Annotated[int, Field(ge=1, le=86_400)]
    """How long it is shown from then on."""


class UpdateStep(StrEnum):
    """The progress of a board with a release that is offered to it."""

    WAITING = "waiting"
    """The board is not free."""
    FETCHING = "fetching"
    TAKEN = "taken"
    """The file is complete, and is being checked and installed."""
    TRIAL = "trial"
    DONE = "done"
    REFUSED = "refused"
    """Nothing was changed."""
    BACK = "back"
    """It was installed but did not work: the previous version is installed again."""


ENDED = frozenset({UpdateStep.DONE, UpdateStep.REFUSED, UpdateStep.BACK})
IN_HAND = frozenset({UpdateStep.TAKEN, UpdateStep.TRIAL})
"""The board is stopped and started meanwhile; the offer can no longer be withdrawn."""


@with_config(OPEN)
class OfferMessage(TypedDict):
    """A release that a board may take as soon as it is free; an empty message: none.

    It is on the hub's pages, on the machine by whose address the board has reached the broker.
    """

    v: Version
    offer: Seq
    """Its number: an offer that has ended is tried again only under another number."""
    release: Annotated[str, Field(min_length=1, max_length=64)]
    """Its version."""
    file: Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9.+~_-]*$")]
    """Its path below ``/update/`` on the hub's pages."""
    port: Annotated[int, Field(ge=1, le=65_535)]
    """The port of these pages."""
    size: Annotated[int, Field(ge=1, le=MOST_IN_UPDATE)]
    """In bytes."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@with_config(OPEN)
class UpdateMessage(TypedDict):
    """A board's progress with what is offered to it; an empty message: it has dropped it."""

    v: Version
    offer: Seq
    """The offer's number."""
    release: Annotated[str, Field(min_length=1, max_length=64)]
    step: UpdateStep
    percent: Annotated[int, Field(ge=0, le=100)]
    """How much of the file is here."""
    why: Annotated[str, Field(max_length=LONGEST_WHY)]
    """Why it does not go on, or was refused, or the board went back; empty: none of these."""


FOR_ALL = "all"


class What(Enum):
    """The kinds of messages: topic, who writes it, whether it is retained, quality of service."""

    STATUS = ("board", "status", StatusMessage, True, 1)
    ABOUT = ("board", "about", AboutMessage, True, 1)
    STATE = ("board", "state", StateMessage, True, 0)
    MATCH = ("board", "match", MatchMessage, True, 1)
    CALL = ("board", "call", CallMessage, True, 1)
    RECORD = ("board", "record", RecordMessage, True, 1)
    RESULT = ("board", "result", ResultMessage, False, 1)
    TWICE = ("board", "twice", TwiceMessage, True, 1)
    ORDER = ("to", "order", OrderMessage, True, 1)
    ACK = ("to", "ack", AckMessage, True, 1)
    HUB = ("all", "hub", HubMessage, True, 1)
    GONG = ("all", "gong", GongMessage, False, 1)
    NOTICE = ("all", "notice", NoticeMessage, True, 1)
    ASK = ("to", "ask", AskMessage, False, 1)
    ANSWER = ("board", "answer", AnswerMessage, False, 1)
    OFFER = ("to", "offer", OfferMessage, True, 1)
    UPDATE = ("board", "update", UpdateMessage, True, 1)

    def __init__(self, branch: str, leaf: str, kind: Any, retained: bool, qos: int) -> None:
        self.branch = branch
        self.leaf = leaf
        self.kind = kind
        self.retained = retained
        self.qos = qos

    def topic(self, hall: str, board: str) -> str:
        """Return the topic of a board's message: ``jackspot/1/hall/board/b007/state``.

        A message for all has no board in its topic: ``jackspot/1/hall/all/hub``.
        """
        to = self.branch if self.branch == FOR_ALL else f"{self.branch}/{board}"
        return f"{PREFIX}/{hall}/{to}/{self.leaf}"


class Address(Struct, frozen=True):
    """A parsed topic; ``board`` is empty for a topic for all."""

    what: What
    hall: str
    board: str


def read_topic(topic: str) -> Address:
    """Parse a topic. BadMessage if it is none of ours."""
    parts = topic.split("/")
    if len(parts) in (5, 6) and "/".join(parts[:2]) == PREFIX and HALL.fullmatch(parts[2]):
        board = parts[4] if len(parts) == 6 else ""
        found = next((w for w in What if (w.branch, w.leaf) == (parts[3], parts[-1])), None)
        for_all = found is not None and found.branch == FOR_ALL
        if found is not None and (not board if for_all else BOARD.fullmatch(board)):
            return Address(found, parts[2], board)
    raise BadMessage(f"expected a topic like {What.STATE.topic('hall', 'b001')}, found {topic!r}")


def write(message: Any) -> bytes:
    """Return a message as its bytes."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def read(what: What, payload: bytes) -> dict[str, Any]:
    """Parse and check a message. BadMessage says what was expected, found, and where."""
    if len(payload) > MOST_BYTES:
        raise BadMessage(f"{what.leaf}: expected at most {MOST_BYTES} bytes, found {len(payload)}")
    try:
        return cast(dict[str, Any], adapter(what.kind).validate_json(payload))
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = visible(".".join(map(str, first["loc"]))[:LONGEST_FOUND]) or "the message"
        found = repr(first.get("input"))[:LONGEST_FOUND]
        raise BadMessage(f"{what.leaf}: {where}: {first['msg']}, found {found}") from None


def prepare(kinds: Iterable[What]) -> None:
    """Prepare to read these kinds, so that the first message of each need not wait."""
    for what in kinds:
        adapter(what.kind)


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what reads and describes messages of a type, made once.

    Pydantic parses sources for it. CPython 3.11 fails at that if another thread parses too. So
    threads that make an adapter take turns, and since a thread that writes a traceback parses too,
    for its markers, a failure is retried.
    """
    with _MAKES:
        for _ in range(MOST_TRIES - 1):
            with contextlib.suppress(SystemError):
                return _made(kind)
        return _made(kind)


@cache
def _made(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


_MAKES = threading.Lock()
MOST_TRIES = 10
