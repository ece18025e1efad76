"""Switching the machine off by the owner's command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jackspot.commands.run import status_of_shutdown
from jackspot.ops.switch_off import (
    COMMAND_FAILED,
    COMMAND_RUN,
    SHUT_DOWN,
    NotSwitchedOff,
    switch_off,
)


def test_the_owners_command_is_run_as_it_stands_there(tmp_path: Path) -> None:
    mark = tmp_path / "a name with blanks; and more"
    switch_off([sys.executable, "-c", "import sys; open(sys.argv[1], 'w').close()", str(mark)])
    assert mark.exists()


def test_a_command_that_fails_says_so_and_what_to_do() -> None:
    with pytest.raises(NotSwitchedOff, match=r"ended with status 3; .* by hand"):
        switch_off([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_command_that_is_missing_says_so_and_what_to_do() -> None:
    with pytest.raises(NotSwitchedOff, match=r"expected a program, .*no-such-program"):
        switch_off(["/no-such-program"])


@pytest.mark.parametrize(
    ("command", "status"),
    [([], SHUT_DOWN), (["true"], COMMAND_RUN), (["false"], COMMAND_FAILED)],
)
def test_a_board_that_was_shut_down_ends_with_a_status_that_says_what_is_left_to_do(
    command: list[str], status: int
) -> None:
    assert status_of_shutdown(command) == status
