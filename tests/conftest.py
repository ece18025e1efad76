"""Shared by all tests: a real browser, its pages, and Hypothesis's two profiles.

Hypothesis draws the same examples on every run of `make test`, so that a failure comes from the
change and not from the draw; `make test-long` draws new ones, and many more, for the same tests
and for those marked long.
"""

from __future__ import annotations

import asyncio
import compileall
import gc
import inspect
import logging
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Collection, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partialmethod
from importlib import import_module
from importlib.util import cache_from_source
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

import hypothesis
import pytest
from _pytest.assertion import rewrite
from click.testing import CliRunner, Result as CliResult

from jackspot.dialogue.state.entries import EntryKind

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

Result = TypeVar("Result")

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's may be too small for several at once
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def thinned(values: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Return parameters: those in ``kept`` run by default, the others only in the long run.

    A tuple holds the values of several parameters.
    """
    return [
        v if v in kept
        else pytest.param(*(v if isinstance(v, tuple) else (v,)), marks=pytest.mark.long)
        for v in values
    ]  # fmt: skip


MOST_SHOWN = 5
"""How many failing cases of one test are shown in full; all are named."""


def each_of(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run one test for each of many small cases, and name all that fail.

    It is meant for cases of less than a millisecond, since ``pytest.mark.parametrize`` takes two to
    three milliseconds for each. A tuple holds the values of several parameters, in their order.
    """
    every = [case if isinstance(case, tuple) else (case,) for case in cases]
    assert every, "expected cases"

    def over(test: Callable[..., None]) -> Callable[[], None]:
        def run_each() -> None:
            failed: dict[str, BaseException] = {}
            for case in every:
                try:
                    test(*case)
                except (Exception, pytest.fail.Exception) as wrong:  # noqa: BLE001  all are run
                    failed[", ".join(map(str, case))] = wrong
            if failed:
                names = "".join(f"\n    {name}" for name in failed)
                raise BaseExceptionGroup(
                    f"{len(failed)} of {len(every)} cases failed:{names}\nthe first of them",
                    list(failed.values())[:MOST_SHOWN],
                )

        run_each.__name__, run_each.__qualname__ = test.__name__, test.__qualname__
        run_each.__doc__, run_each.__module__ = test.__doc__, test.__module__
        return run_each

    return over


LOOPBACK = ("127.0.0.1", "localhost", "::1")
if "mix_stderr" in inspect.signature(CliRunner.__init__).parameters:  # click before 8.2
    _mixed = CliRunner.__init__
    _patch = pytest.MonkeyPatch()
    _patch.setattr(CliRunner, "__init__", partialmethod(_mixed, mix_stderr=False))
    _patch.setattr(CliResult, "output", property(lambda result: result.stdout + result.stderr))

os.environ["LC_ALL"] = "C.UTF-8"
"""Commands speak English to tests, whatever this machine's terminal speaks."""

PATIENCE_S = 60.0
"""How long a test waits for anything, by the wall clock, before it fails: far beyond what a slow
and busy machine needs, since a longer limit costs nothing where all is well."""
PATIENCE_MS = PATIENCE_S * 1_000

ATTEMPTS = 5
"""How often something that must be quick is tried: a busy machine may delay a few attempts."""

hypothesis.settings.register_profile(
    "default", max_examples=40, derandomize=True, deadline=None, database=None
)
hypothesis.settings.register_profile(
    "long", max_examples=500, derandomize=False, deadline=None, database=None, print_blob=True
)
hypothesis.settings.load_profile("default")


NEEDS_ROOT = "needs root"
FOR_ROOT = "sudo .venv/bin/python -B -m pytest -p no:cacheprovider -m needs_root"
"""The command that runs what an ordinary user skips, and leaves no root-owned file in the clone."""

KEPT = ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LC_ALL")
KEPT_GROUPS = ("JACKSPOT_", "PYTEST_")


def pytest_configure(config: pytest.Config) -> None:
    """Remove environment variables that differ between machines, for tests and what they start.

    A test that passes because of one of them (``PYTHONUNBUFFERED``, ``TERM``, ``CI``) fails
    elsewhere. Python itself has already read its own. Everything is compiled before several
    processes collect the tests. Nothing that is collected is garbage, so garbage collection starts
    afterwards.
    """
    gc.disable()
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_GROUPS):
            del os.environ[name]
    if getattr(config.option, "numprocesses", 0) and not sys.dont_write_bytecode:
        compile_all()


def compile_all() -> None:
    """Compile in a new clone what each test process would otherwise compile for itself."""
    root = Path(__file__).resolve().parents[1]
    of_tests = (p for p in (root / "tests").rglob("*.py") if "guest" not in p.parts)  # not run here
    new = [path for path in of_tests if not compiled(path).exists()]
    if len(new) > MANY_FILES:
        for room in ("firmware", "sim", "hardware"):
            new.extend((root / room).rglob("*.py"))
        with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
            brought = pool.submit(import_module, "schemathesis")  # pytest compiles its plugins
            list(pool.map(compile_one, new, chunksize=20))
            brought.exception()


MANY_FILES = 50
"""From this many new files on, compiling is worth processes of its own."""


def compiled(path: Path) -> Path:
    """Return where the compiled form of a file is kept; pytest compiles tests in its own way."""
    if path.name == "conftest.py" or path.name.startswith("test_"):
        return rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
    return Path(cache_from_source(path))


def compile_one(path: Path) -> None:
    """Compile a file and keep it. If pytest's internals have changed, its own processes do it."""
    kept = compiled(path)
    if not kept.name.endswith(rewrite.PYC_TAIL):
        compileall.compile_file(path, quiet=2)
        return
    with suppress(AttributeError, TypeError, OSError):
        found, code = rewrite._rewrite_test(path, None)  # type: ignore[arg-type]
        kept.parent.mkdir(exist_ok=True)
        rewrite._write_pyc(None, code, found, kept)  # type: ignore[arg-type]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that drive a browser or have a broker; in the long run, also those that draw.

    The first two wait for real time, so they are live. The long run draws more examples, which is
    why tests that draw them run there too. Skip tests that need root, unless run as root.
    """
    is_long = config.getoption("--hypothesis-profile") == "long"
    for item in items:
        if is_long and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.long)
        uses = {"browser", "mosquitto"}.intersection(getattr(item, "fixturenames", ()))
        if "browser" in uses:
            item.add_marker(pytest.mark.browser)
        if uses:
            item.add_marker(pytest.mark.live)
        if os.geteuid() != 0 and item.get_closest_marker("needs_root"):
            item.add_marker(pytest.mark.skip(reason=NEEDS_ROOT))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each test that was skipped because it needs root, and say how to run them."""
    names = sorted(
        report.nodeid
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple) and report.longrepr[2] == f"Skipped: {NEEDS_ROOT}"
    )
    if names:
        terminalreporter.section("skipped, since they need root")
        for name in names:
            terminalreporter.line(name)
        terminalreporter.line(f"To run them: {FOR_ROOT}")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what was collected out of Python's garbage collection, which it slows down."""
    gc.collect()
    gc.freeze()
    gc.enable()


def run_apart(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread of its own, which has no loop yet; return its result."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, coroutine).result()


def find_browser() -> str | None:
    """Return the path of the browser to drive: ``JACKSPOT_BROWSER``, else Debian's Chromium.

    Chromium without windows is preferred: it draws and runs pages as the full one does, and
    takes two thirds of the processor time, since it opens no pages of its own for a window.
    """
    for command in (os.environ.get("JACKSPOT_BROWSER", ""), *BROWSERS):
        path = shutil.which(command) if command else None
        if path is not None:
            return path
    return None


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start a headless Chromium with a fresh profile; one for each process of the tests.

    It is a Playwright ``Browser``; most tests want :func:`page` instead, and take this one
    only for several people at once (``browser.new_context().new_page()`` for each). A test
    that uses either is marked ``browser`` automatically. Playwright's own loop runs in this
    thread from then on, so no test can call ``asyncio.run`` here (see :func:`run_apart`); a
    server under test runs in its own thread or process anyway.

    It fails, and does not skip, if there is no browser.
    """
    path = find_browser()
    if path is None:
        pytest.fail(
            f"no browser found (looked for {', '.join(BROWSERS)} on the path): "
            "run `make test`, which installs one, or `apt-get install chromium-headless-shell`, "
            "or name one in JACKSPOT_BROWSER"
        )
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            headless=True,
            args=list(BROWSER_FLAGS),
            timeout=PATIENCE_MS,
        )
        yield browser
        browser.close()


@pytest.fixture
def motion() -> Literal["reduce", "no-preference"]:
    """Return how much motion the person at :func:`page` wants.

    As little as possible, since pages that move are drawn sixty times a second; tests of
    animations have their own fixture of this name.
    """
    return "reduce"


@pytest.fixture
def page(browser: Browser, motion: Literal["reduce", "no-preference"]) -> Iterator[Page]:
    """Open an empty page of 1280 by 900 pixels in a context of its own.

    Use it like this, with the test's server at ``url``::

        def test_the_board_is_drawn(page, url):
            page.goto(url)
            page.get_by_role("button", name="OK").click()
            expect(page.locator("#phase")).to_have_text("ready")

    with ``expect`` from ``playwright.sync_api``, which waits for what is expected (never
    sleep). ``page.mouse.down()`` and ``page.keyboard.down("o")`` hold; ``has_touch`` needs a
    context of its own. At the end the test fails if the page threw an exception that it did
    not catch, or requested anything beyond this machine.
    """
    with open_page(browser, motion) as page:
        yield page


@contextmanager
def open_page(
    browser: Browser, motion: Literal["reduce", "no-preference"] = "reduce"
) -> Iterator[Page]:
    """Open a page like :func:`page`, for many tests that only look."""
    context = new_context(browser, viewport={"width": 1280, "height": 900}, reduced_motion=motion)
    page = context.new_page()
    faults = watch_faults(page)
    yield page
    context.close()
    assert not faults, "\n".join(faults)


REMEMBERS = """
window.PlainEventSource = EventSource;
window.EventSource = class extends PlainEventSource {
    heard = {};
    constructor(url) {
        super(url);
        window.stream = this;
    }
    addEventListener(name, hear) {
        super.addEventListener(name, (event) => {
            hear(event);
            this.heard[name] = event.data;
        });
    }
};
"""
"""A page's ``stream`` remembers the last event of each name that the page has dealt with."""


def new_context(browser: Browser, locale: str = "en-GB", **options: Any) -> BrowserContext:
    """Return a new context, in British English by default, that waits ``PATIENCE_MS`` for pages."""
    context = browser.new_context(locale=locale, **options)
    context.add_init_script(REMEMBERS)
    context.set_default_timeout(PATIENCE_MS)
    return context


def watch_faults(page: Page) -> list[str]:
    """Return a list that grows with each uncaught exception and each request to another machine."""
    faults: list[str] = []

    def note_request(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname not in LOOPBACK:
            faults.append(f"the page asked for {request.url}, which is not on this machine")

    page.on("pageerror", lambda error: faults.append(f"uncaught in the page: {error}"))
    page.on("request", note_request)
    return faults


class _Failures(logging.Handler):
    """Keeps the failures that a board's net has caught, after which the program plays on."""

    def __init__(self) -> None:
        super().__init__(logging.CRITICAL)
        self.caught: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.caught.append(self.format(record))


FAILURES = _Failures()
logging.getLogger("jackspot.board").addHandler(FAILURES)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    """Forget what failed before this test."""
    FAILURES.caught.clear()
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call() -> None:
    """Undo what a command of an earlier test did to this process's log."""
    for handler in logging.getLogger().handlers:
        handler.filters.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Fail a test in which a board failed inside and played on, unless it is meant to fail.

    A board in another process has left the failure in its journal, if the test has a folder for it.
    """
    yield
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    found = [*FAILURES.caught, *(failed_inside(folder) if folder is not None else ())]
    if found and item.get_closest_marker("fails_inside") is None:
        pytest.fail("\n".join(found), pytrace=False)


def failed_inside(folder: Path) -> Iterator[str]:
    """Return the failures that boards have written into any journal of a folder."""
    for path in folder.rglob("*.sqlite3"):
        files = [each for each in (path, path.with_name(f"{path.name}-wal")) if each.is_file()]
        if any(b"failed" in each.read_bytes() for each in files):
            with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as database:
                kind = EntryKind.FAILED
                for (body,) in database.execute("SELECT body FROM entries WHERE kind = ?", (kind,)):
                    yield f"{path.name}: {body}"
