"""Every request of the interface: what it asks for, and all the ways it can be answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Struct, field
from pydantic import Field

from jackspot.web.api.types import (
    ClockKnownJson,
    HallJoinedJson,
    HallTextJson,
    MatchesJson,
    PressJson,
    SessionJson,
    SignedInJson,
    SignInJson,
    TimeOfDayJson,
    WordsJson,
)
from jackspot.web.state_types import FromOne, StateJson

OBJECT = dict[str, Any]
JSON, STREAM = "application/json", "text/event-stream"
BODY_REFUSED = (400, 401, 403, 408, 413, 415, 422)
"""The error statuses for a request with a JSON body."""


class Parameter(Struct, frozen=True):
    """A parameter of a request; ``kind`` is its type."""

    name: str
    kind: object
    words: str
    where: str = "query"
    example: object = None


class Operation(Struct, frozen=True):
    """One request.

    ``ok`` describes the answer, ``kinds`` are the types of what is sent by their media types;
    ``refused`` are the statuses that come with a reason. ``by_language``: another language can be
    requested; ``by_session``: the answer depends on who has signed in.
    """

    path: str
    name: str
    summary: str
    ok: str
    kinds: Mapping[str, object] = field(default_factory=dict)
    words: str = ""
    body: object = None
    parameters: tuple[Parameter, ...] = ()
    refused: tuple[int, ...] = ()
    may_be_early: bool = False
    unchanged: str = ""
    """What 304 means here; empty: it is never answered."""
    by_language: bool = False
    by_session: bool = False
    posts: bool = False


NUMBER = Parameter("number", FromOne, "As the list has it.", "path", example=1)

GROUPS: Mapping[tuple[str, str], tuple[Operation, ...]] = {
    (
        "live state",
        "What the board shows now, for pages and programs. Reading needs no sign-in.",
    ): (
        Operation(
            "/api/state", "readState", "Read the live state", "The state.", {JSON: StateJson},
            "The state now, one JSON object. `lang` says in which language its sentences are; "
            "left out, in the board's own.",
            refused=(422,), may_be_early=True, by_language=True,
        ),
        Operation(
            "/api/events", "readEvents", "Be told of every change",
            "A stream; the data of each event is a state.", {STREAM: str},
            "Server-sent events without a name: the live state at once, and again whenever "
            "something that is seen changes, with `id` = `sequence`. A reader is given the newest "
            "state when it can take it, never a backlog; one that takes nothing for five seconds "
            "is dropped. Comments keep a quiet line open. The stream has no end.",
            parameters=(
                Parameter(
                    "Last-Event-ID", str,
                    "What a browser sends when it comes back. Whatever it says, the answer begins "
                    "with the whole state.",
                    "header",
                ),
            ),
            refused=(422,), may_be_early=True, by_language=True,
        ),
        Operation(
            "/api/schema", "readSchema", "Read the JSON Schema of the live state",
            "A JSON Schema, draft 2020-12.", {"application/schema+json": OBJECT},
        ),
        Operation(
            "/api/words", "readWords", "Read the words of the pages",
            "The words; `etag` says when they are others.", {JSON: WordsJson},
            "The sentences of the pages in the first preferred language that the board speaks, "
            "else in its own.",
            parameters=(
                Parameter(
                    "prefer", str, "Languages with commas between them, the best liked first.",
                    example="de-CH,de,en",
                ),
            ),
            unchanged="They are those that `if-none-match` names.",
        ),
        Operation(
            "/api/openapi.json", "readDescription", "Read this description",
            "An OpenAPI 3.1 document; for people the same at `/api`.", {JSON: OBJECT},
        ),
    ),
    (
        "history",
        "The matches that were played, as the journal has them. Where the board is set so, "
        "initials stand for names.",
    ): (
        Operation(
            "/api/matches", "readMatches", "List the matches", "The list and the figures.",
            {JSON: MatchesJson},
            "Newest first, with the figures of all of them. Whose `person` is the same is one "
            "player, however the name is written.",
            parameters=(
                Parameter(
                    "player", Annotated[str, Field(max_length=100)],
                    "Only matches in which this player sat.",
                ),
                Parameter(
                    "since", date, "Only matches of this day and later ones.", example="2026-05-02"
                ),
                Parameter(
                    "until", date, "Only matches of this day and earlier ones.",
                    example="2026-05-03",
                ),
            ),
            refused=(422,), may_be_early=True,
        ),
        Operation(
            "/api/matches/{number}", "readMatch", "Read one match", "The match.", {JSON: OBJECT},
            "With its lines and its score card.",
            parameters=(NUMBER,), refused=(404,), may_be_early=True,
        ),
        Operation(
            "/api/matches/{number}.{kind}", "readMatchFile", "Read one match as a file",
            "The file.", {"text/plain": str, "text/csv": str, JSON: OBJECT},
            parameters=(
                NUMBER,
                Parameter(
                    "kind", Literal["carom", "csv", "json"],
                    "The match record, a table, or all there is to know.", "path", example="carom",
                ),
            ),
            refused=(404,), may_be_early=True,
        ),
    ),
    (
        "presses",
        "What a referee may do from a page or program. A board that asks for a PIN wants the "
        "cookie of a session.",
    ): (
        Operation(
            "/api/press", "press", "Press a button", "It was taken.",
            words="Does what the button of that name does on the referee's box. `ask` is the text "
            "that the state carried: a press that answers what is no longer asked is refused with "
            "the reason.",
            body=PressJson, refused=(*BODY_REFUSED, 409), by_language=True, by_session=True,
            posts=True,
        ),
        Operation(
            "/api/session", "readSession", "Ask who has signed in",
            "Whether a PIN is asked at all, and who this is.", {JSON: SessionJson}, by_session=True,
        ),
        Operation(
            "/api/session", "signIn", "Sign in",
            "Signed in; where a PIN is asked, a cookie is set.", {JSON: SignedInJson},
            "The PIN is on the board's display. A few wrong ones are free; after them each doubles "
            "a wait in which nothing is looked at.",
            body=SignInJson, refused=BODY_REFUSED, posts=True,
        ),
        Operation(
            "/api/session/end", "signOut", "Sign out",
            "Nobody is signed in with this cookie any more.",
            words="The body is an empty JSON object.",
            body=OBJECT, refused=(403, 408, 413, 415), by_session=True, posts=True,
        ),
        Operation(
            "/api/clock", "readClock", "Ask whether the board knows the time of day",
            "Whether it does.", {JSON: ClockKnownJson},
        ),
        Operation(
            "/api/clock", "giveTime", "Tell the board the time of day", "It was taken.",
            words="Only where it does not know it by itself.",
            body=TimeOfDayJson, refused=(*BODY_REFUSED, 409), by_session=True, posts=True,
        ),
        Operation(
            "/api/hall", "joinHall", "Take the board into a hall", "The board is in it.",
            {JSON: HallJoinedJson},
            "By the text of its QR code; the board's number is set in its menu.",
            body=HallTextJson, refused=(*BODY_REFUSED, 409, 507), by_session=True, posts=True,
        ),
        Operation(
            "/api/record", "readRecord", "Read the match record", "The record, version 1.",
            {"text/plain": str}, "The match so far, as a `.carom` file.", refused=(404,),
        ),
        Operation(
            "/api/referee/code.svg", "readCode", "Draw the address of the referee's page",
            "A QR code, as this request reached the board.", {"image/svg+xml": str},
        ),
        Operation(
            "/api/referee/events", "readRefereeEvents",
            "Be told of every change, with sounds and a beat", "A stream.", {STREAM: str},
            "Server-sent events: `state` with the live state, `sounds` with what the buzzer plays, "
            "and every two seconds `beat` with `server_ms`, the clock that a press may name in "
            "`sent_ms`. The stream has no end.",
            refused=(401, 422), may_be_early=True, by_language=True, by_session=True,
        ),
    ),
}  # fmt: skip
"""The requests by group: its name, and what it is for."""
