"""The description of the interface as a page that needs no scripts: ``/api``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

from jackspot.files import Json
from jackspot.web.api.description import description

CLIENT = """\
import json, time, urllib.request

while True:
    try:
        with urllib.request.urlopen("http://127.0.0.1:8080/api/events", timeout=60) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    state = json.loads(line[6:])
                    print(state["phase"], *(f"{s['letter']} {s['score']}" for s in state["sides"]))
    except OSError:
        time.sleep(1)
"""
"""A client in ten lines: it prints what is shown whenever it changes, even over restarts."""

METHODS = ("get", "post")


@cache
def api_page() -> bytes:
    """Return the page."""
    return "".join(_page(description())).encode()


def _page(document: Json) -> Iterator[str]:
    info = document["info"]
    yield (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>Jackspot for programs</title>"
        '<link rel="icon" href="/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/api-page.css">'
        '<script type="module" src="/look.js" blocking="render"></script></head><body><main>'
        f"<h1>Jackspot for programs</h1><p>Version {escape(info['version'])}. "
        f"{_words(info['description'])}</p>"
        '<p class="files"><a href="/api/openapi.json">OpenAPI 3.1 document</a> '
        '<a href="/api/schema">JSON Schema of the live state</a> <a href="/">The score</a></p>'
        "<h2>A client in ten lines</h2><p>Python, with nothing but its standard library.</p>"
        f'<pre tabindex="0"><code>{escape(CLIENT)}</code></pre>'
    )
    for tag in document["tags"]:
        yield f"<h2>{escape(tag['name'])}</h2><p>{_words(tag['description'])}</p>"
        for path, methods in document["paths"].items():
            for method in METHODS:
                if tag["name"] in methods.get(method, {}).get("tags", ()):
                    yield from _operation(document, path, method, methods[method])
    yield "<h2>Objects</h2>"
    for name, schema in document["components"]["schemas"].items():
        yield f'<section id="{escape(name)}"><h3>{escape(name)}</h3>'
        yield from _schema(schema)
        yield "</section>"
    yield "</main></body></html>"


def _operation(document: Json, path: str, method: str, operation: Json) -> Iterator[str]:
    yield (
        f'<section class="operation"><h3><code><b>{method.upper()}</b> {escape(path)}</code></h3>'
        f"<p><strong>{escape(operation['summary'])}.</strong> "
        f"{_words(operation.get('description', ''))}</p>"
    )
    parameters = [_found(document, each) for each in operation.get("parameters", ())]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if parameters or body:
        yield "<table><caption>Asks for</caption><tbody>"
        for each in parameters:
            where = f"{_type(each['schema'])}, {escape(each['in'])}"
            yield _row(each["name"], where, each.get("description", ""))
        if body:
            yield _row("body", _type(body["schema"]), "JSON")
        yield "</tbody></table>"
    yield "<table><caption>Answers</caption><tbody>"
    for status, answer in operation["responses"].items():
        found = _found(document, answer)
        kinds = ", ".join(
            f"{escape(kind)}: {_type(content['schema'])}"
            for kind, content in found.get("content", {}).items()
        )
        yield _row(status, kinds, found["description"])
    yield "</tbody></table></section>"


def _schema(schema: Json) -> Iterator[str]:
    if "description" in schema:
        yield f"<p>{_words(schema['description'])}</p>"
    properties = schema.get("properties")
    if not properties:
        yield f"<p>{_type(schema)}</p>"
        return
    required = schema.get("required", ())
    yield "<table><tbody>"
    for name, each in properties.items():
        kind = _type(each) + ("" if name in required else ", may be left out")
        yield _row(name, kind, each.get("description", ""))
    yield "</tbody></table>"


def _row(name: str, kind: str, words: str) -> str:
    return (
        f'<tr><th scope="row"><code>{escape(name)}</code></th>'
        f"<td>{kind}</td><td>{_words(words)}</td></tr>"
    )


def _type(schema: Mapping[str, Any]) -> str:
    """Return in few words what a value is."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        return ", ".join(f"<code>{escape(json.dumps(each))}</code>" for each in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(map(_type, schema[several]))
    kinds = schema.get("type", "anything")
    said = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    return f"{said} of {_type(schema['items'])}" if "items" in schema else escape(said)


def _found(document: Json, value: Json) -> Json:
    """Follow a reference within the document."""
    while "$ref" in value:
        for name in value["$ref"].removeprefix("#/").split("/"):
            document = document[name]
        value = document
    return value


def _words(text: str) -> str:
    """Return a sentence as HTML; text in backquotes becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
