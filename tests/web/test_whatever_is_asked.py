"""The server answers well whatever a program asks, by the interface's description or against it.

Schemathesis makes requests from the OpenAPI document, those that it allows and those that it does
not, and compares the answers with it. Streams have no end and are requested by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from jackspot.history.on_demand import LaterHistory
from jackspot.web.api.description import description
from jackspot.web.guard import ClientLimits
from tests.conftest import PATIENCE_S
from tests.history.journals import Book
from tests.web.conftest import Served
from tests.web.samples import READY

UNHURRIED = ClientLimits(
    writes_per_s=1e6,
    writes_at_once=1_000_000,
    reads_per_s=1e6,
    reads_at_once=1_000_000,
    history_per_s=1e6,
    all_history_per_s=1e6,
    all_writes_per_s=1e6,
    all_reads_per_s=1e6,
    connects_per_s=1e6,
    all_connects_per_s=1e6,
)
KEPT_TO = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "unsupported_method",
)  # fmt: skip
OPERATIONS = [
    (path, method, mode)
    for path, methods in description()["paths"].items()
    if not path.endswith("/events")
    for method, operation in methods.items()
    for mode in GenerationMode
    # An operation that takes nothing cannot be asked wrongly.
    if mode is GenerationMode.POSITIVE or operation.keys() & {"parameters", "requestBody"}
]
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module", params=["", "246810"], ids=["no PIN", "a PIN"])
def asked(request, tmp_path_factory) -> Iterator[Served]:
    journal = tmp_path_factory.mktemp("asked") / "journal.sqlite3"
    with Book(journal) as book:
        book.match(names={"N": "Anna", "S": "Ben"})
        book.line("N red@NE")
    served = Served(limits=UNHURRIED, pin=request.param)
    served.board.matches = LaterHistory(journal, "Board 7", initials=False)
    served.display.post(READY)
    yield served
    served.close()


@pytest.fixture(scope="module")
def operations(asked: Served) -> Any:
    load_all_checks()
    schema = schemathesis.openapi.from_dict(asked.client.get("/api/openapi.json").json())
    schema.config.update(base_url=str(asked.client.base_url).rstrip("/"))
    return schema


def ask(operation: Any, mode: GenerationMode, times: int, *, drawn_anew: bool = False) -> None:
    """Send this many requests, allowed or not, and check the answers."""
    checks = [CHECKS.get_one(name) for name in KEPT_TO]

    @settings(
        max_examples=times,
        deadline=None,
        database=None,
        derandomize=not drawn_anew,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def once(case: Any) -> None:
        case.call_and_validate(checks=checks, timeout=PATIENCE_S)

    once()


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_every_answer_is_one_that_is_described(operations, path, method, mode) -> None:
    ask(operations[path][method.upper()], mode, 5)


@pytest.mark.long
@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_every_one_of_hundreds_of_answers_is_one_that_is_described(
    operations, path, method, mode
) -> None:
    ask(operations[path][method.upper()], mode, 300, drawn_anew=True)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(language=st.text(max_size=30), seen=st.text(st.characters(codec="latin-1"), max_size=30))
def test_a_stream_answers_whatever_its_reader_says(asked, language, seen) -> None:
    printable = "".join(one for one in seen if one.isprintable())
    headers = {"last-event-id": printable.strip().encode("latin-1")}
    for path in ("/api/events", "/api/referee/events"):
        with asked.client.stream(
            "GET", path, params={"lang": language}, headers=headers
        ) as response:
            assert response.status_code in {200, 401, 422}


@pytest.mark.parametrize(
    "path", ["/api/matches/" + "9" * 5_000, "/" + "a/" * 4_000, "/%00", "/%ff"]
)
def test_a_path_that_is_none_is_refused_in_words(asked, path: str) -> None:
    answer = asked.client.get(path)
    assert answer.status_code in {404, 414}
    assert answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/press", "/api/session", "/api/session/end"])
@pytest.mark.parametrize(
    "body", [r'{"name": "\ud800"}', r'{"\udfff": 1}', '{"ask": NaN}', "1e999", "9" * 4_000]
)
def test_json_that_is_no_text_is_refused_in_words(asked, path: str, body: str) -> None:
    answer = asked.client.post(path, content=body, headers=JSON)
    assert answer.status_code < 500
    if answer.content:
        json.loads(answer.content)
