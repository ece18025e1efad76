"""Machines for the kernel tests: each test has its own, which goes on from a saved state."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.kernel import image
from tests.kernel.board import Board
from tests.kernel.qemu import Machine, MachineError, Source

HERE = Path(__file__).resolve().parent
TOLD_LINES = 150
FAILED_INSIDE = "nothing was changed"
"""What a board says when its own program has failed and it plays on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options for the length of the long tests."""
    parser.addoption("--away-s", default=60, type=int, help="seconds for which a network is gone")
    parser.addoption("--falls", type=int, help="how many fall under load")
    parser.addoption("--cuts", default=3, type=int, help="power cuts in an update")
    parser.addoption("--first-cut", default=1, type=int, help="the first of those, by its number")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark everything here, so that `make test` leaves it out."""
    options = ("--away-s", "--falls", "--cuts")
    away_s, falls, cuts = (config.getoption(name, None) or 0 for name in options)
    longest_s = 1_500 + 3 * away_s + falls + 600 * cuts
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.kernel)
            item.add_marker(pytest.mark.timeout(longest_s))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report the guest's log with a failure."""
    report = yield
    machine = getattr(item, "funcargs", {}).get("machine")
    if report.when == "call" and report.failed and machine is not None:
        report.sections.append(("the guest's journal", _told(machine)))
    return report


def _told(machine: Machine) -> str:
    try:
        lines = machine.run(
            f"journalctl -b --no-pager -o short-monotonic -n {TOLD_LINES}", check=False
        )
    except (MachineError, OSError) as error:
        console = machine.console.read_text(errors="replace") if machine.console.exists() else ""
        return f"the guest does not answer: {error}\nits console:\n{console[-5000:]}"
    return lines.text


@pytest.fixture(scope="session")
def source() -> Source:
    """Return what machines start from; make it now if it is not there yet."""
    return image.ready()


@pytest.fixture
def machine(source: Source) -> Iterator[Machine]:
    """Return a machine that has started and waits; Jackspot is installed and stopped."""
    with Machine(source) as machine:
        yield machine


@pytest.fixture
def board(machine: Machine) -> Iterator[Board]:
    """Return the board on that machine; it runs once it is started, and must not fail inside.

    The log of a machine that was switched off is gone; its journal records failures too.
    """
    board = Board(machine)
    yield board
    board.close()
    if machine.process.poll() is not None:
        return
    told = machine.run("journalctl -u jackspot --no-pager -o cat", check=False).text
    assert FAILED_INSIDE not in told, told
