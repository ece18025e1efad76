"""What programs send and are sent beside the live state, as types.

The text under each field is what they read about it at ``/api``.
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
    """What is pressed, and the question that it answers."""

    button: Key
    gesture: Motion
    """A whole press, or a finger that comes down and goes up."""
    ask: Ask
    """What the live state carried as `ask`."""
    page: NotRequired[Annotated[str, Field(max_length=PAGE_LENGTH)]]
    """Tells pages apart, so that none lets go what another holds."""
    sent_ms: NotRequired[int | None]
    """When it was pressed, by the clock that `beat` showed; one older than three seconds is
    refused."""
    line: NotRequired[Count | None]
    """Points at something, from 0: with `ok` at a line of the open list, with `fix` at one of
    `readings`."""
    choice: NotRequired[Count | None]
    """Gives the line one of its `choices`, from 0."""
    text: NotRequired[Annotated[str, Field(max_length=TEXT_LENGTH)]]
    """What was typed for a line that is `typed`."""


@with_config(ConfigDict(**OPEN, json_schema_extra={"example": {"pin": "246810", "name": "Anna"}}))
class SignInJson(TypedDict, total=False):
    """Who wants to press, and how they may."""

    pin: Annotated[str, Field(max_length=PIN_LENGTH)]
    name: Annotated[str, Field(max_length=NAME_LENGTH)]
    """What other referees are told."""
    code: Annotated[str, Field(max_length=PIN_LENGTH)]
    """What the QR code of the board's display carries behind `#`; it needs no `pin` beside it."""


@with_config(PROMISED)
class SignedInJson(TypedDict):
    """Who has signed in."""

    name: str


@with_config(PROMISED)
class SessionJson(TypedDict):
    """Whether a PIN is asked, and who this is."""

    pin: bool
    """Whether this board asks for one."""
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
    """What the QR code of `jackspot hub keys --qr` says, or the text of festival.toml."""


@with_config(PROMISED)
class HallJoinedJson(TypedDict):
    """The hall that the board has joined."""

    hall: str


@with_config(ConfigDict(**OPEN, json_schema_extra={"example": {"unix_ms": 1_795_348_800_000}}))
class TimeOfDayJson(TypedDict):
    """What time it is."""

    unix_ms: Annotated[int, Field(ge=EARLIEST_MS, le=LATEST_MS)]
    """Milliseconds since 1970."""


@with_config(OPEN)
class WordsJson(TypedDict):
    """The sentences of the pages in a language."""

    language: Language
    languages: dict[str, str]
    plural: dict[str, int]
    """Which form of a counted sentence goes with which plural category."""
    words: dict[str, Any]
    """By the English sentence: the translation, or its forms."""


@with_config(OPEN)
class MatchesJson(TypedDict):
    """The matches that were played, and the figures of all of them."""

    matches: list[dict[str, Any]]
    names: list[str]
    players: list[dict[str, Any]]
