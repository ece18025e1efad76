"""The event's name and logo above the score: served where there are any, bounded."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from jackspot.web.banner import MOST_BYTES, Banner, read_banner
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.web.conftest import Served

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_board_without_an_event_says_so(served: Served) -> None:
    assert served.client.get("/event.json").json() == {"event": "", "logo": ""}
    assert served.client.get("/logo.svg").status_code == 404


def test_event_and_logo_are_served_under_the_pages_policy_and_another_logo_elsewhere(
    served: Served,
) -> None:
    live = LiveBoard(lambda: 0, lambda _event: None)
    found = []
    for content in (PNG, PNG + b"another", PNG):
        live.banner = Banner("彦根 festival", ("logo.png", content))
        display = WebDisplay(live, WebSettings(port=0))
        display.start()
        served.client.base_url = display.url
        try:
            told = served.client.get("/event.json").json()
            assert told["event"] == "彦根 festival"
            logo = served.client.get(told["logo"])
            assert (logo.content, logo.headers["content-type"]) == (content, "image/png")
            assert "script-src 'self'" in logo.headers["content-security-policy"]
        finally:
            display.stop()
        found.append(told["logo"])
    assert found[0] == found[2] != found[1]
    assert found[0].startswith("/logo.png?v=")


def test_a_logo_is_read_once_with_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "Club.PNG"
    path.write_bytes(PNG)
    assert read_banner("Cup", path) == Banner("Cup", ("logo.png", PNG))
    assert read_banner(None, None) == Banner()


@pytest.mark.parametrize("content", [None, b"x" * (MOST_BYTES + 1)], ids=["missing", "too large"])
def test_a_logo_that_cannot_be_read_costs_only_the_logo(
    tmp_path: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "logo.svg"
    if content is not None:
        path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert read_banner("Cup", path) == Banner("Cup")
    assert "[web] logo is left out" in caplog.text
