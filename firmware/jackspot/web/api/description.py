"""What programs may request from a board over HTTP, as an OpenAPI 3.1 document.

It is made from the requests in ``operations.py`` and from the types of what is sent. Whoever adds
a route under ``/api/`` describes it there; a test compares the description with the routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from jackspot import __version__
from jackspot.files import Json
from jackspot.web.api.operations import GROUPS, JSON, Operation
from jackspot.web.api.types import ErrorJson
from jackspot.web.referee.sessions import COOKIE
from jackspot.web.state_types import Documents, Language

ABOUT = (
    "A board shows its state to whoever asks, and takes presses from who has signed in. "
    "Requests under a foreign host name are refused, and so are writes that a page of another "
    "site sends. A body is JSON of at most 4096 bytes with `content-type: application/json`. "
    'Every error is `{"error": "..."}`.'
)
OPERATIONS = tuple(chain.from_iterable(GROUPS.values()))
MODE: JsonSchemaMode = "validation"


@cache
def description() -> Json:
    """Return the document."""
    kinds: list[Any] = [ErrorJson, Language, *chain.from_iterable(map(_kinds, OPERATIONS))]
    inputs = [(id(kind), MODE, TypeAdapter(kind)) for kind in kinds]
    made, parts = TypeAdapter.json_schemas(
        inputs, ref_template="#/components/schemas/{model}", schema_generator=Documents
    )
    schemas = {kind: schema for (kind, _), schema in made.items()}
    paths: Json = {}
    for (tag, _), operations in GROUPS.items():
        for each in operations:
            method = "post" if each.posts else "get"
            paths.setdefault(each.path, {})[method] = _described(each, tag, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Jackspot", "version": __version__, "description": ABOUT},
        "tags": [{"name": name, "description": words} for name, words in GROUPS],
        "paths": paths,
        "components": {
            "schemas": parts["$defs"],
            "parameters": {
                "Language": {
                    "name": "lang",
                    "in": "query",
                    "description": "The language of the sentences; left out, the board's own.",
                    "schema": schemas[id(Language)],
                }
            },
            "responses": {
                "Refused": _error("It cannot be done; the reason in words."),
                "TooEarly": {
                    **_error("Not now; `retry-after` says in how many seconds."),
                    "headers": {"retry-after": {"schema": {"type": "string"}}},
                },
            },
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _kinds(operation: Operation) -> Iterator[Any]:
    """Return the types that a request uses."""
    yield from operation.kinds.values()
    yield from (each.kind for each in operation.parameters)
    if operation.body is not None:
        yield operation.body


def _described(operation: Operation, tag: str, schemas: dict[int, Json]) -> Json:
    """Describe a request; any may be answered with "too many requests"."""
    said: Json = {"tags": [tag], "operationId": operation.name, "summary": operation.summary}
    if operation.words:
        said["description"] = operation.words
    if operation.by_session:
        said["security"] = [{"session": []}, {}]
    parameters: list[Json] = [
        {
            "name": each.name,
            "in": each.where,
            "description": each.words,
            "schema": schemas[id(each.kind)],
            **({"required": True} if each.where == "path" else {}),
            **({"example": each.example} if each.example is not None else {}),
        }
        for each in operation.parameters
    ]
    if operation.by_language:
        parameters.append({"$ref": "#/components/parameters/Language"})
    if parameters:
        said["parameters"] = parameters
    if operation.body is not None:
        content = {JSON: {"schema": schemas[id(operation.body)]}}
        said["requestBody"] = {"required": True, "content": content}
    answer: Json = {"description": operation.ok}
    if operation.kinds:
        answer["content"] = {
            media: {"schema": schemas[id(kind)]} for media, kind in operation.kinds.items()
        }
    answers = {200 if operation.kinds else 204: answer}
    if operation.unchanged:
        answers[304] = {"description": operation.unchanged}
    early = (429, 503) if operation.may_be_early else (429,)
    for name, statuses in (("Refused", operation.refused), ("TooEarly", early)):
        answers |= {status: {"$ref": f"#/components/responses/{name}"} for status in statuses}
    said["responses"] = {str(status): answers[status] for status in sorted(answers)}
    return said


def _error(words: str) -> Json:
    return {
        "description": words,
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
