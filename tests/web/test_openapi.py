"""The description of the interface is whole and true; nothing that it allows breaks the server."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from starlette.routing import Route

from jackspot.web.api.description import description
from jackspot.web.api.page import CLIENT
from jackspot.web.app import make_app
from jackspot.web.live import LiveBoard
from jackspot.web.referee.access import Access
from jackspot.web.referee.kept import KeptFile
from jackspot.web.referee.sessions import Sessions
from jackspot.web.server import WebDisplay, WebSettings
from tests.web.samples import EVERY, IDENTITY, READY


def served_routes() -> set[tuple[str, str]]:
    """Return path and method of everything that is served under ``/api/``."""
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    app: Any = make_app(live, Access(Sessions(KeptFile(), "", None)))
    return {
        (re.sub(r":\w+}", "}", route.path), method)
        for route in app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or {"GET"}) - {"HEAD"}
    }


def test_every_route_of_the_interface_is_described_and_nothing_else() -> None:
    described = {
        (path, method.upper())
        for path, methods in description()["paths"].items()
        for method in methods
    }
    assert described == served_routes(), (
        "describe a route in firmware/jackspot/web/api/operations.py"
    )


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    document = description()
    for reference in references(document):
        found: Any = document
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


SENT: dict[str, tuple[str, dict[str, object]]] = {
    "Press": ("/api/press", {"button": "ok", "gesture": "short", "ask": "x", "line": 0}),
    "SignIn": ("/api/session", {}),
    "HallText": ("/api/hall", {"text": "x"}),
    "TimeOfDay": ("/api/clock", {"unix_ms": 1_795_348_800_000}),
}
"""Each object that is sent, by its name: where to, and the fields that it cannot do without."""


def edges() -> Iterator[tuple[str, str, object, object]]:
    """Yield the last value that a bounded field may have, and the first that it may not."""
    for name in SENT:
        described = description()["components"]["schemas"][name]
        for field, schema in described["properties"].items():
            for each in (schema, *schema.get("anyOf", ())):
                if "maxLength" in each:
                    most = each["maxLength"]
                    yield name, field, "x" * most, "x" * (most + 1)
                if "minLength" in each:
                    yield name, field, "x" * each["minLength"], ""
                if "minimum" in each:
                    yield name, field, each["minimum"], each["minimum"] - 1
                if "maximum" in each:
                    yield name, field, each["maximum"], each["maximum"] + 1


@pytest.mark.parametrize(("name", "field", "last", "beyond"), [*edges()])
def test_a_field_is_taken_up_to_its_described_bound_and_no_further(
    served, name, field, last, beyond
) -> None:
    path, least = SENT[name]
    taken = served.client.post(path, json={**least, field: last})
    assert taken.status_code != 422
    refused = served.client.post(path, json={**least, field: beyond})
    assert (refused.status_code, field in refused.json()["error"]) == (422, True)


@pytest.mark.parametrize("name", SENT)
def test_every_field_that_is_sent_has_bounds_or_a_list_of_values(name) -> None:
    schemas = description()["components"]["schemas"]
    bounded = {field for each, field, *_ in edges() if each == name}
    lists = {
        field
        for field, schema in schemas[name]["properties"].items()
        if "enum" in schemas.get(schema.get("$ref", "").rpartition("/")[2], {})
    }
    assert schemas[name]["properties"].keys() - bounded - lists == (
        {"sent_ms"} if name == "Press" else set()
    )


@pytest.mark.parametrize("view", EVERY[:3], ids=lambda view: view.phase)
def test_the_live_state_keeps_to_its_schema_in_the_description(served, view) -> None:
    served.display.post(view)
    document = served.client.get("/api/openapi.json").json()
    schema = {"$ref": "#/components/schemas/State", "components": document["components"]}
    jsonschema.Draft202012Validator(schema).validate(served.client.get("/api/state").json())


def test_the_page_says_every_path_and_object_without_scripts_of_its_own(served) -> None:
    page = served.client.get("/api")
    assert page.headers["content-type"].startswith("text/html")
    for path in description()["paths"]:
        assert f"</b> {path}</code>" in page.text
    for name in description()["components"]["schemas"]:
        assert f'id="{name}"' in page.text
    assert re.findall(r'(?:src|href)="(?!/|#)', page.text) == []
    assert re.findall(r"<script[^>]*>[^<]", page.text) == []


def test_an_unknown_method_is_told_which_there_are(served) -> None:
    answer = served.client.post("/api/state", json={})
    assert answer.status_code == 405
    assert {*answer.headers["allow"].split(", ")} == {"GET", "HEAD"}


# The client of the page.


def test_the_client_has_ten_lines() -> None:
    assert len([line for line in CLIENT.splitlines() if line]) <= 10


def test_the_client_prints_what_is_shown_over_a_restart(served) -> None:
    served.display.post(READY)
    code = CLIENT.replace(":8080", f":{served.port}")
    assert code != CLIENT
    command = [sys.executable, "-u", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        try:
            assert client.stdout.readline() == "ready R 5 G 3\n"
            served.display.stop()
            again = WebDisplay(served.board, WebSettings(port=served.port))
            again.start()
            assert client.stdout.readline() == "ready R 5 G 3\n"
            again.stop()
        finally:
            client.kill()
