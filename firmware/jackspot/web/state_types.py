"""The shape of the live state, as types: what ``state.py`` makes, checked, and its JSON Schema.

The text under each field is what programs read about it at ``/api`` and ``/api/schema``.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from pydantic.json_schema import (
    CoreRef,
    DefsRef,
    GenerateJsonSchema,
    JsonSchemaMode,
    JsonSchemaValue,
)
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import TypedDict

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag
from jackspot.dialogue.state.house import LANGUAGES
from jackspot.dialogue.state.view import Phase, QueuedKind
from jackspot.dialogue.words.tally import Tally
from jackspot.files import Json
from jackspot.sensing.events import Key, Place, Stamps, Trouble
from jackspot.web.identity import PartKind
from jackspot.web.presses import ASK_LENGTH

Count = Annotated[int, Field(ge=0)]
FromOne = Annotated[int, Field(ge=1)]
Percent = Annotated[int, Field(ge=0, le=100)]
Share = Annotated[float, Field(ge=0, le=1)]
Language = Annotated[str, Field(json_schema_extra={"enum": list(LANGUAGES)})]
CentrePieceKind = Annotated[
    Piece,
    Field(json_schema_extra={"enum": sorted({rules_for(each).red.value for each in RuleSystem})}),
]
Ask = Annotated[str, Field(min_length=1, max_length=ASK_LENGTH)]
Action = Annotated[
    str,
    Field(json_schema_extra={"enum": [*(key.value for key in Key), "ok_held", "fix_held"]}),
]


OPEN = ConfigDict(use_attribute_docstrings=True)
"""Of an object that may have other fields than these."""
PROMISED = ConfigDict(**OPEN, extra="forbid")
"""Of an object that has these fields and no others."""


class SideStateJson(TypedDict):
    """One side: who, and how it stands."""

    side: Side
    name: str
    """The side in words."""
    letter: Annotated[str, Field(min_length=1)]
    """What stands on its discs and tells the sides apart without colour."""
    seats: Annotated[list[Seat], Field(min_length=1, max_length=2)]
    """Its seats."""
    names: Annotated[list[str], Field(max_length=2)]
    """Its players' names, in the order of seats."""
    pocketed: Count
    """Pieces credited to it: own pieces out of play, or counters where sides own none."""
    left: Count
    """Pieces that it plays for still on the board."""
    owed: Count
    """Pieces still due."""
    points: int
    """Points of the match so far: of its finished boards."""
    boards_won: Count
    """Boards won in this match."""
    pieces: Annotated[list[Piece], Field(min_length=1)]
    """The kinds it plays for: its colour, or where sides own none every counter."""
    board_points: int
    """Points of the running board, or of the one just finished, as the rules count them."""
    game_points: Count
    """Points of the running game, where a match has games of several boards."""
    games_won: Count
    """Games won in this match."""
    shoots: bool
    """It is this side's turn."""
    all_in: bool
    """All its pieces are in: the jack may be played."""
    score: int
    """The one number that displays show large: pieces in, the running total where only points
    count, the result when something is over."""


class CentrePieceJson(TypedDict):
    """The jack or the queen."""

    piece: CentrePieceKind
    """Which of the two these rules have."""
    place: RedPlace
    """Where it is."""
    side: Side | None
    """Whose it is while it is pending or covered."""
    words: str
    """Where the queen is, where that is news; else empty."""


class GameJson(TypedDict):
    """A game of several boards."""

    number: FromOne
    """Which game of the match is played, from 1."""
    board: FromOne
    """Which board of that game, from 1."""


class StandingJson(TypedDict):
    """One way to count how the match stands."""

    tally: Tally
    """What is counted."""
    counts: Annotated[list[int], Field(min_length=2, max_length=2)]
    """Of both sides, in the order of sides."""


class PromptsJson(TypedDict):
    """What to do next, in words."""

    headline: str
    """The one thing to know."""
    detail: str
    """A second line."""
    ok: str
    """What OK does now; empty: nothing."""
    fix: str
    """What FIX does now; empty: nothing."""
    fix_held: str
    """What holding FIX does now."""
    can: Annotated[list[Action], Field(json_schema_extra={"uniqueItems": True})]
    """The presses that do something now."""


class DepartureJson(TypedDict):
    """A piece that left the board."""

    piece: Piece
    pocket: Pocket | None
    """Where it fell; null where nobody knows, or when it flew off."""
    flew_off: bool
    """It flew off the board instead of falling."""


class ReadingJson(TypedDict):
    """One way to understand what was sensed.

    Only proposed: nothing of it counts before people confirm it.
    """

    what: str
    """What fell."""
    follows: str
    """What would follow."""
    why: str
    """What it rests on."""
    departures: list[DepartureJson]
    """The pieces, in the order they fell."""
    probability: Share
    """How likely it is."""
    doubtful: bool
    """Shown with a question mark."""
    ends_board: bool
    """Confirming it needs OK held for a second."""
    flags: list[Flag]
    """What a referee has called."""
    stroke: bool
    """False: it was no stroke at all."""
    seat: Seat | None
    """Whose stroke it would be."""
    missed: list[Seat]
    """Seats that missed before it without a press; confirming it records their misses too."""
    before: bool
    """It completes the stroke confirmed last and would replace it."""


class QueuedJson(TypedDict):
    """One thing that waits.

    Only proposed: nothing of it counts before people confirm it.
    """

    kind: QueuedKind
    """waits: falls that came while something else was open. parked: UNDO put it aside. hand:
    surely a hand, the next OK settles it. kept: a later stroke that waits to be entered again
    after a correction."""
    what: str
    """Its likeliest reading as things stand."""
    why: str
    """What that rests on."""
    probability: Share
    """How likely it is; 1 where people said it."""
    pockets: list[Pocket]
    """Where something was sensed."""


class PlacingJson(TypedDict):
    """Pieces that go to one spot, bottom to top."""

    pieces: list[Piece]
    """The pieces."""
    by: str
    """Who puts them there; empty: anybody."""
    where: str
    """Where, in words."""


class ClockJson(TypedDict):
    """A clock that counts down."""

    limit_ns: Count
    """The whole time; 0: no clock."""
    remaining_ns: int
    """What is left, as of as_of_ns."""
    running: bool
    """It runs."""
    armed: bool
    """It waits for a common start: the next OK starts it."""
    as_of_ns: Count
    """The monotonic instant for which remaining_ns is true."""


class RulingJson(TypedDict):
    """What the rules said last."""

    rows: list[str]
    """Ids of the rows of the rules page, the most specific first."""
    words: str
    """The same in words."""
    foul: bool
    """Whether the rules call the stroke a foul."""


class ButtonJson(TypedDict):
    """A button."""

    place: Place
    """Where it is."""
    key: Key
    """What is written on it."""


class HoldJson(TypedDict):
    """A button that is held."""

    button: ButtonJson
    down_ns: Count
    """When it went down."""
    progress: Share
    """1 when the hold is complete."""


class MenuLineJson(TypedDict):
    """A line of a list, with what a page can do there."""

    does: str
    """What OK says there; empty where that is plain."""
    held: bool
    """It wants OK held."""
    does_held: str
    """What holding OK says there, where that has a key of its own; else empty."""
    locked: bool
    """The organiser has locked it."""
    typed: bool
    """It takes what people type."""
    choices: list[str]
    """The values that it can be given at once."""
    chosen: Count | None
    """Which of them it has, from 0."""


class MenuJson(TypedDict):
    """A list to choose from."""

    title: str
    """Its title."""
    items: list[str]
    """What can be chosen."""
    chosen: Count
    """Index in items."""
    question: bool
    """A yes or no: OK says yes to the title, FIX no."""
    kind: str
    """Which list it is, whatever its title says."""
    note: str
    """A remark about the last press; empty: none."""
    lines: list[MenuLineJson]
    """The same lines as items, with what a page can do there."""


class PieceCountJson(TypedDict):
    """One kind of piece."""

    piece: Piece
    count: Count
    """How many are in."""


class FreePlayJson(TypedDict):
    """What has been pocketed."""

    counts: list[PieceCountJson]
    """How many of each kind are in, pucks first."""
    last: str
    """What the newest fall is taken for; empty: nothing has fallen."""
    sure: bool
    """People have said that last is right; false: it is only what is likeliest."""


class FaultJson(TypedDict):
    """Something is wrong."""

    part: str
    """A wire's or display's name."""
    trouble: Trouble
    what: str
    """What is wrong, in words."""
    remedy: str
    """What to do, in words."""
    detail: str
    """What was found, in English, for whoever mends it. May be empty."""


class PartHealthJson(TypedDict):
    """A part of the board."""

    part: str
    """Its name."""
    kind: PartKind
    """What it is."""
    trouble: Trouble | None
    """Null: it is well."""
    stamps: Stamps | None
    """Who says when something happened there: the kernel's interrupt, or the program when it
    heard of it, which on a busy machine is a little late. Null: no wire."""


class HouseJson(TypedDict):
    """What people set for the board itself, not for the match."""

    language: Language
    """Language of its displays."""
    brightness: Percent
    """Of its displays, per cent."""
    volume: Percent
    """Of its buzzer, per cent; 0: silent."""


@with_config(PROMISED)
class StateJson(TypedDict):
    """What a board shows now. Sent by GET /api/state and by each event of GET /api/events."""

    schema: Literal[1]
    """Version of this object: it grows when a reader of the one before could not read it."""
    sequence: Count
    """Only grows while the board runs; the id of the event that carries it."""
    ask: Ask
    """What a button press would answer now; changes only when what a button means changes."""
    now_ns: Count
    """The board's monotonic clock when this was sent, in nanoseconds."""
    board: str
    """The board's name."""
    hold_ms: FromOne
    """A button that is down for so many milliseconds is held."""
    board_number: Count
    """Which board of the match is played, from 1."""
    best_of: Count
    """How many boards the match has at most; games, where it has games."""
    rules: RuleSystem
    """The rule system."""
    phase: Phase
    """Where the talk between people and board stands."""
    sides: Annotated[list[SideStateJson], Field(min_length=2, max_length=2)]
    """The two sides. Each keeps its place for the whole match; its colour may change from board
    to board."""
    turn: Seat | None
    """The seat to shoot; null when nobody is."""
    centre_piece: CentrePieceJson
    on_board: dict[Piece, Count]
    """What must lie on the board by the board's count, strikers left out; empty outside a
    match."""
    game: GameJson | None
    """The game and its board, where a match has games of several boards; else null."""
    standing: list[StandingJson]
    """How the match stands beyond the running board, what decides it first; empty in a match of
    one board."""
    prompts: PromptsJson
    hints: list[str]
    """What else there is to tell, the most urgent first."""
    notice: str
    """A line of the hall's desk, where it interrupts nothing; empty: none."""
    proposal: ReadingJson | None
    """The reading shown for confirmation; null when nothing is proposed."""
    readings: list[ReadingJson]
    """The proposal and its alternatives, likeliest first."""
    waiting: Count
    """Further proposals behind the one shown."""
    queue: list[QueuedJson]
    """What waits behind what is asked now, in the order in which it will be asked; none of it
    counts yet."""
    place: list[Piece]
    """What must be put back on the board, bottom to top."""
    placing: list[PlacingJson]
    """The same pieces by the spot where they go, and who puts them there."""
    fetch: list[Pocket | None]
    """Pockets a striker must be fetched from; null: from where it fell."""
    lit: list[Pocket]
    """Pockets where something is falling."""
    by_hand: list[Pocket]
    """Pockets whose beam is not to be trusted: what falls there is entered by hand."""
    clock: ClockJson
    shot: ClockJson | None
    """The shot clock of who is to shoot, where one is played; shown, never judged."""
    last: RulingJson | None
    """Null before the first ruling."""
    hold: HoldJson | None
    """Null when none is."""
    menu: MenuJson | None
    """Null when none is open."""
    winner: Side | None
    """Of the board in board_over, of the match in match_over, by its colour on this board; null:
    level, or not over."""
    result_points: Annotated[dict[Side, int], Field(min_length=2, max_length=2)] | None
    """Points of the finished board or match by side; null before the end."""
    lamps: list[Seat]
    """Seats whose turn lamp is lit."""
    free: FreePlayJson | None
    """Free play: counts only, no turns; null in a match."""
    attract: Annotated[int, Field(ge=0, le=2)] | None
    """Nobody plays: which picture of help covers everything; null: none."""
    faults: list[FaultJson]
    """What is wrong now."""
    health: list[PartHealthJson]
    """Each sensor, button and display."""
    house: HouseJson
    record: str
    """In match_over the match record as text; else empty."""


class Documents(GenerateJsonSchema):
    """Calls each type what it is to programs: ``Clock``, not ``ClockJson``."""

    def field_title_should_be_set(self, _schema: object) -> bool:
        """Return False: the name of a field says as much."""
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Return the schema of an object, whose name stands where it is kept."""
        return {
            key: each for key, each in super().typed_dict_schema(schema).items() if key != "title"
        }

    def get_defs_ref(self, core_mode_ref: tuple[CoreRef, JsonSchemaMode]) -> DefsRef:
        """Return the name of a type in a document."""
        ref, mode = core_mode_ref
        return super().get_defs_ref((CoreRef(ref.replace("Json:", ":")), mode))


class _OfState(Documents):
    """Closes every object of a state: older pydantic (Debian 13's) closes the outermost alone."""

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Return the schema of an object that has no other fields than these."""
        return {**super().typed_dict_schema(schema), "additionalProperties": False}


@cache
def published_schema() -> Json:
    """Return the JSON Schema that every live state keeps to."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:jackspot:live-state:1",
        "title": "Jackspot live state",
        **TypeAdapter(StateJson).json_schema(schema_generator=_OfState),
    }
