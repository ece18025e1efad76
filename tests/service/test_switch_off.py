"""Switching the machine off by the owner's command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jackspot.service.switch_off import NotSwitchedOff, switch_off


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
