"""What programs may ask a board over HTTP, as an OpenAPI 3.1 document.

Put together from the JSON files beside this one, one for each group of routes: its ``tags``,
``paths`` and ``schemas``. Whoever adds a route under ``/api/`` describes it in the file of its
group, or in a new one; a test compares what is described with what is served. The live state's
own schema is the published one, and is not written twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources

from jackspot import __version__
from jackspot.displays.words import LANGUAGES
from jackspot.web.referee.sessions import COOKIE
from jackspot.web.state import Json, published_schema

ERROR: Json = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {"error": {"type": "string", "description": "What was wrong, in words."}},
}

ABOUT = (
    "A board shows its state to whoever asks, and takes presses from who has signed in. "
    "Requests under a foreign host name are refused, and so are writes that a page of another "
    "site sends. A body is JSON of at most 4096 bytes with `content-type: application/json`. "
    'Every error is `{"error": "..."}`.'
)


@cache
def description() -> Json:
    """Return the document."""
    groups = list(_groups())
    schemas: Json = {"Error": ERROR, **_state_schemas()}
    paths: Json = {}
    for group in groups:
        paths |= {path: _bounded(methods) for path, methods in group["paths"].items()}
        schemas |= group.get("schemas", {})
    return {
        "openapi": "3.1.0",
        "info": {"title": "Jackspot", "version": __version__, "description": ABOUT},
        "tags": [tag for group in groups for tag in group["tags"]],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {
                "Language": {
                    "name": "lang",
                    "in": "query",
                    "description": "The language of the sentences; left out, the board's own.",
                    "schema": {"type": "string", "enum": list(LANGUAGES)},
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


def _bounded(methods: Json) -> Json:
    """Add what every request may be answered: that there were too many."""
    too_many = {"429": {"$ref": "#/components/responses/TooEarly"}}
    return {
        method: {**operation, "responses": operation["responses"] | too_many}
        for method, operation in methods.items()
    }


def _error(words: str) -> Json:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": words, "content": content}


def _groups() -> Iterator[Json]:
    """Read the files of the groups, the live state first."""
    folder = resources.files(__package__)
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".json"))
    for name in sorted(names, key=lambda name: name != "live.json"):
        yield json.loads(folder.joinpath(name).read_text("utf-8"))


def _state_schemas() -> Json:
    """Return the live state's schema and its parts, each under a name of its own."""
    published = published_schema()
    parts = {_part(name): part for name, part in published["$defs"].items()}
    whole = {key: value for key, value in published.items() if key[0] != "$"}
    return {name: _moved(part) for name, part in {"State": whole, **parts}.items()}


def _part(name: str) -> str:
    return "State_" + name


def _moved(value: object) -> object:
    """Let references lead to where the parts are in this document."""
    if isinstance(value, dict):
        return {
            key: f"#/components/schemas/{_part(each.removeprefix('#/$defs/'))}"
            if key == "$ref" and isinstance(each, str)
            else _moved(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_moved(each) for each in value]
    return value
