"""The shape of the live state, as types: what ``state.py`` makes, checked, and its JSON Schema.

The text under each field is its description at ``/api`` and ``/api/schema``.
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
from jackspot.dialogue.state.preferences import LANGUAGES
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
"""For an object that may have other fields than these."""
PROMISED = ConfigDict(**OPEN, extra="forbid")
"""For an object that has these fields and no others."""


class SideStateJson(TypedDict):
    """One side: its players and its score."""

    side: Side
    name: str
    """The side in words."""
    letter: Annotated[str, Field(min_length=1)]
    """The letter on its discs, which distinguishes the sides without colour."""
    seats: Annotated[list[Seat], Field(min_length=1, max_length=2)]
    """Its seats."""
    names: Annotated[list[str], Field(max_length=2)]
    """Its players' names, in the order of seats."""
    pocketed: Count
    """Pieces credited to it: own pieces out of play, or counters where sides own none."""
    left: Count
    """Pieces that it plays for and that are still on the board."""
    owed: Count
    """Pieces still due."""
    points: int
    """Points of the match so far, from its finished boards."""
    boards_won: Count
    """Boards won in this match."""
    pieces: Annotated[list[Piece], Field(min_length=1)]
    """The kinds it plays for: its colour, or every counter where sides own none."""
    board_points: int
    """Points of the running board, or of the one just finished, as the rules count them."""
    game_points: Count
    """Points of the running game, if a match has games of several boards."""
    games_won: Count
    """Games won in this match."""
    shoots: bool
    """It is this side's turn."""
    all_in: bool
    """All its pieces are in: the jack may be played."""
    score: int
    """The one number that displays show large: pieces in, the running total where only points
    count, or the result when something is over."""


class CentrePieceJson(TypedDict):
    """The jack or the queen."""

    piece: CentrePieceKind
    """Which of the two these rules have."""
    place: RedPlace
    """Where it is."""
    side: Side | None
    """Whose it is while it is pending or covered."""
    words: str
    """Where the queen is, if that is news; else empty."""


class GameJson(TypedDict):
    """A game of several boards."""

    number: FromOne
    """Which game of the match is being played, from 1."""
    board: FromOne
    """Which board of that game is being played, from 1."""


class StandingJson(TypedDict):
    """One way to count how the match stands."""

    tally: Tally
    """What is counted."""
    counts: Annotated[list[int], Field(min_length=2, max_length=2)]
    """The count of each side, in the order of sides."""


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
    """The presses that have an effect now."""


class DepartureJson(TypedDict):
    """A piece that left the board."""

    piece: Piece
    pocket: Pocket | None
    """Where it fell; null if unknown, or if it flew off."""
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
    """What the reading is based on."""
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
    """False: it was not a stroke at all."""
    seat: Seat | None
    """Whose stroke it would be."""
    missed: list[Seat]
    """Seats that missed before it without a press; confirming it records their misses too."""
    before: bool
    """It completes the stroke confirmed last and would replace it."""


class QueuedJson(TypedDict):
    """One waiting item.

    Only proposed: nothing of it counts before people confirm it.
    """

    kind: QueuedKind
    """waits: falls that came while something else was open. parked: UNDO put it aside. hand:
    certainly a hand, which the next OK settles. kept: a later stroke that waits to be entered again
    after a correction."""
    what: str
    """Its likeliest reading as things stand."""
    why: str
    """What that reading is based on."""
    probability: Share
    """How likely it is; 1 if people said it."""
    pockets: list[Pocket]
    """Where something was sensed."""


class PlacingJson(TypedDict):
    """Pieces that go to one spot, bottom to top."""

    pieces: list[Piece]
    """The pieces."""
    by: str
    """Who puts them there; empty: anyone."""
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
    """The monotonic instant that remaining_ns refers to."""


class RulingJson(TypedDict):
    """The last ruling."""

    rows: list[str]
    """Ids of the rows of the rules page, the most specific first."""
    words: str
    """The same in words."""
    seat: Seat
    """Whose stroke it judged."""
    departures: list[DepartureJson]
    """What left the board with that stroke; empty: it missed."""
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
    """A line of a list, with what a page can do with it."""

    does: str
    """What OK means there; empty if that is obvious."""
    held: bool
    """OK must be held."""
    does_held: str
    """What holding OK means there, if that has a key of its own; else empty."""
    locked: bool
    """The organiser has locked it."""
    typed: bool
    """It accepts typed text."""
    choices: list[str]
    """The values that it can be set to directly."""
    chosen: Count | None
    """The index of its current value, from 0."""


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
    """The same lines as items, with what a page can do with them."""


class PieceCountJson(TypedDict):
    """One kind of piece."""

    piece: Piece
    count: Count
    """How many are pocketed."""


class FreePlayJson(TypedDict):
    """What has been pocketed."""

    counts: list[PieceCountJson]
    """How many of each kind are pocketed, pucks first."""
    last: str
    """What the newest fall is taken for; empty: nothing has fallen."""
    sure: bool
    """People have said that last is right; false: it is only the likeliest."""


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
    """What was found, in English, for whoever repairs it. May be empty."""


class PartHealthJson(TypedDict):
    """A part of the board."""

    part: str
    """Its name."""
    kind: PartKind
    """What it is."""
    trouble: Trouble | None
    """What is wrong with it; null: it is well."""
    stamps: Stamps | None
    """What stamps its events: the kernel's interrupt, or the program when it received them, which
    is a little late on a busy machine. Null: it is not a wire."""


class HouseJson(TypedDict):
    """What people set for the board itself, not for the match."""

    language: Language
    """Language of its displays."""
    brightness: Percent
    """Brightness of its displays, per cent."""
    volume: Percent
    """Volume of its buzzer, per cent; 0: silent."""


@with_config(PROMISED)
class StateJson(TypedDict):
    """What a board shows now. Sent by GET /api/state and by each event of GET /api/events."""

    schema: Literal[1]
    """Version of this object: it increases when readers of the previous one could not read it."""
    sequence: Count
    """Only increases while the board runs; the id of the event that carries it."""
    ask: Ask
    """What a button press would answer now; changes only when the meaning of a button changes."""
    now_ns: Count
    """The board's monotonic clock when this was sent, in nanoseconds."""
    board: str
    """The board's name."""
    hold_ms: FromOne
    """A button that is down for this many milliseconds is held."""
    board_number: Count
    """Which board of the match is played, from 1."""
    best_of: Count
    """How many boards the match has at most; or games, if it has games."""
    rules: RuleSystem
    """The rule system."""
    phase: Phase
    """The phase of the dialogue between people and board."""
    sides: Annotated[list[SideStateJson], Field(min_length=2, max_length=2)]
    """The two sides. Each keeps its place for the whole match; its colour may change from board
    to board."""
    turn: Seat | None
    """The seat to shoot; null when there is none."""
    centre_piece: CentrePieceJson
    on_board: dict[Piece, Count]
    """What must be on the board by the board's count, without strikers; empty outside a
    match."""
    game: GameJson | None
    """The game and its board, if a match has games of several boards; else null."""
    standing: list[StandingJson]
    """The score of the match beyond the running board, with what decides it first; empty in a match
    of one board."""
    prompts: PromptsJson
    hints: list[str]
    """Further hints, the most urgent first."""
    notice: str
    """A line from the hall's desk, if it interrupts nothing; empty: none."""
    proposal: ReadingJson | None
    """The reading shown for confirmation; null when nothing is proposed."""
    readings: list[ReadingJson]
    """The proposal and its alternatives, likeliest first."""
    waiting: Count
    """Further proposals behind the one shown."""
    queue: list[QueuedJson]
    """What waits behind the current question, in the order in which it will be asked; none of it
    counts yet."""
    place: list[Piece]
    """What must be put back on the board, bottom to top."""
    placing: list[PlacingJson]
    """The same pieces by the spot where they go, with who puts them there."""
    fetch: list[Pocket | None]
    """Pockets a striker must be fetched from; null: from where it fell."""
    lit: list[Pocket]
    """Pockets where something is falling."""
    by_hand: list[Pocket]
    """Pockets whose beam is not to be trusted: what falls there is entered by hand."""
    clock: ClockJson
    shot: ClockJson | None
    """The shot clock of the seat to shoot, if one is used; it is shown, never judged."""
    entries: Count
    """Entries of the match so far, as its record has them; fewer than before: some were taken
    back."""
    last: RulingJson | None
    """Null before the first stroke, and after a line that is none."""
    hold: HoldJson | None
    """The button that is held; null when none is."""
    menu: MenuJson | None
    """The open list; null when none is open."""
    winner: Side | None
    """The winner of the board in board_over, of the match in match_over, by its colour on this
    board; null: tied, or not over."""
    result_points: Annotated[dict[Side, int], Field(min_length=2, max_length=2)] | None
    """Points of the finished board or match by side; null before the end."""
    lamps: list[Seat]
    """Seats whose turn lamp is lit."""
    free: FreePlayJson | None
    """Free play: counts only, no turns; null in a match."""
    attract: Annotated[int, Field(ge=0, le=2)] | None
    """Which help picture covers everything while nobody plays; null: none."""
    faults: list[FaultJson]
    """What is wrong now."""
    health: list[PartHealthJson]
    """Each sensor, button and display."""
    house: HouseJson
    record: str
    """The match record as text in match_over; else empty."""


class Documents(GenerateJsonSchema):
    """Gives types their names for programs: ``Clock``, not ``ClockJson``."""

    def field_title_should_be_set(self, _schema: object) -> bool:
        """Return False: a title would only repeat the name of the field."""
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        """Return the schema of an object without a title: its name is that of its definition."""
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
    """Return the JSON Schema of every live state."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:jackspot:live-state:1",
        "title": "Jackspot live state",
        **TypeAdapter(StateJson).json_schema(schema_generator=_OfState),
    }
