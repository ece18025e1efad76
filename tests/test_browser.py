"""The browser that the other tests drive: it starts, shows pages, and reports their faults."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import find_browser, watch_faults

PAGE = """<!doctype html><title>A pocket</title>
<button id="ne" onclick="this.textContent = 'puck in'">NE</button>
<p id="held"></p>
<script>
  addEventListener("keydown", (e) => { held.textContent = "down " + e.key; });
  addEventListener("keyup", (e) => { held.textContent = "up " + e.key; });
</script>"""


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without printing a line for each on standard error."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that serves a text as a page and returns its address."""
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()

        def put(text: str) -> str:
            (tmp_path / "index.html").write_text(text, encoding="utf-8")
            (tmp_path / "favicon.ico").touch()
            return f"http://127.0.0.1:{server.server_port}/"

        yield put
        server.shutdown()
        thread.join()


def test_a_click_and_a_held_key_reach_the_page(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(serve(PAGE))
    expect(page).to_have_title("A pocket")
    page.get_by_role("button", name="NE").click()
    expect(page.locator("#ne")).to_have_text("puck in")
    page.keyboard.down("o")
    expect(page.locator("#held")).to_have_text("down o")
    page.keyboard.up("o")
    expect(page.locator("#held")).to_have_text("up o")


def test_two_people_have_pages_that_know_nothing_of_each_other(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    url = serve("<script>document.title = localStorage.who ?? 'nobody'</script>")
    first, second = browser.new_context(), browser.new_context()
    at_first, at_second = first.new_page(), second.new_page()
    at_first.goto(url)
    at_first.evaluate("localStorage.who = 'north'")
    at_first.reload()
    at_second.goto(url)
    assert (at_first.title(), at_second.title()) == ("north", "nobody")
    first.close()
    second.close()


def test_an_exception_that_a_page_does_not_catch_is_noted(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = browser.new_page()
    faults = watch_faults(page)
    page.goto(serve("<script>pocketed.jack = 1</script>"))
    assert faults == ["uncaught in the page: pocketed is not defined"]
    page.close()


def test_a_request_to_another_machine_is_noted(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = browser.new_page()
    faults = watch_faults(page)
    url = serve('<img src="http://puck.invalid/x.png"><img src="/favicon.ico">')
    page.goto(url)
    assert faults == ["the page asked for http://puck.invalid/x.png, which is not on this machine"]
    page.close()


def test_where_there_is_no_browser_none_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JACKSPOT_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    chosen = tmp_path / "my-browser"
    chosen.touch(mode=0o755)
    monkeypatch.setenv("JACKSPOT_BROWSER", "my-browser")
    assert find_browser() == str(chosen)
