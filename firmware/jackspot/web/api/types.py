"""What programs send and are sent apart from the live state, as types.

The text under each field is its description at ``/api``.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from jackspot.sensing.events import Key
from jackspot.web.presses import PAGE_LENGTH, TEXT_LENGTH, Motion
from jackspot.web.referee.clock import EARLIEST_MS, LATEST_MS
from jackspot.web.referee.hall import LONGEST_TEXT
from jackspot.web.referee.routes import PIN_LENGTH
from jackspot.web.referee.sessions import NAME_LENGTH
from jackspot.web.state_types import OPEN, PROMISED, Ask, Count, Language


@with_config(PROMISED)
class ErrorJson(TypedDict):
    """Why something was refused."""

    error: str
    """What was wrong, in words."""


@with_config(
    ConfigDict(
        **PROMISED,
        json_schema_extra={"example": {"button": "ok", "gesture": "short", "ask": "5f0c9a12-37"}},
    )
)
class PressJson(TypedDict):
    """A press, and the question that it answers."""

    button: Key
    gesture: Motion
    """A whole press, or a finger that comes down and goes up."""
    ask: Ask
    """The live state's `ask`."""
    page: NotRequired[Annotated[str, Field(max_length=PAGE_LENGTH)]]
    """Distinguishes pages, so that none releases a button that another holds."""
    sent_ms: NotRequired[int | None]
    """When it was pressed, by the clock that `beat` showed; a press older than three seconds is
    refused."""
    line: NotRequired[Count | None]
    """An index from 0: with `ok` of a line of the open list, with `fix` of one of
    `readings`."""
    choice: NotRequired[Count | None]
    """Which of the line's `choices` to give it, from 0."""
    text: NotRequired[Annotated[str, Field(max_length=TEXT_LENGTH)]]
    """What was typed for a line that is `typed`."""


@with_config(ConfigDict(**OPEN, json_schema_extra={"example": {"pin": "246810", "name": "Anna"}}))
class SignInJson(TypedDict, total=False):
    """Who wants to press, and what proves that they may."""

    pin: Annotated[str, Field(max_length=PIN_LENGTH)]
    name: Annotated[str, Field(max_length=NAME_LENGTH)]
    """The name that other referees are told."""
    code: Annotated[str, Field(max_length=PIN_LENGTH)]
    """What follows `#` in the QR code of the board's display; no `pin` is needed with it."""


@with_config(PROMISED)
class SignedInJson(TypedDict):
    """Who has signed in."""

    name: str


@with_config(PROMISED)
class SessionJson(TypedDict):
    """Whether a PIN is required, and who this is."""

    pin: bool
    """Whether this board requires a PIN."""
    signed_in: bool
    name: str


@with_config(PROMISED)
class ClockKnownJson(TypedDict):
    """Whether the board knows the time of day."""

    known: bool


@with_config(ConfigDict(**OPEN, json_schema_extra={"example": {"text": "JSH1.Yw0v6A"}}))
class HallTextJson(TypedDict):
    """The hall that the board is to join."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
    """The text of the QR code of `jackspot hub keys --qr`, or of festival.toml."""


@with_config(PROMISED)
class HallJoinedJson(TypedDict):
    """The hall that the board has joined."""

    hall: str


@with_config(ConfigDict(**OPEN, json_schema_extra={"example": {"unix_ms": 1_795_348_800_000}}))
class TimeOfDayJson(TypedDict):
    """The time of day."""

    unix_ms: Annotated[int, Field(ge=EARLIEST_MS, le=LATEST_MS)]
    """Milliseconds since 1970."""


@with_config(OPEN)
class WordsJson(TypedDict):
    """The sentences of the pages in a language."""

    language: Language
    languages: dict[str, str]
    plural: dict[str, int]
    """The index of a counted sentence's form for each plural category."""
    words: dict[str, Any]
    """The translation of each English sentence, or its forms."""


@with_config(OPEN)
class MatchesJson(TypedDict):
    """The matches that were played, and the statistics of all of them."""

    matches: list[dict[str, Any]]
    names: list[str]
    players: list[dict[str, Any]]
