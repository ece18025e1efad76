"""``--help`` of every command: whole summaries in groups, and examples that are valid calls."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import click
import pytest
from click.testing import CliRunner

from jackspot.commands import HEADINGS, main


def commands(
    group: click.Group = main, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with its words, including those in groups."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        assert found is not None
        yield (*above, name), found
        if isinstance(found, click.Group):
            yield from commands(found, (*above, name))


EVERY = dict(commands())
CALLS = [(), *EVERY]


@cache
def helped(words: tuple[str, ...], columns: int) -> list[str]:
    done = CliRunner().invoke(main, [*words, "--help"], env={"COLUMNS": str(columns)})
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_terminal(words: tuple[str, ...], columns: int) -> None:
    assert [line for line in helped(words, columns) if len(line) > columns] == []


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_a_summary_stands_in_the_list_whole_and_on_one_line(words: tuple[str, ...]) -> None:
    first = (EVERY[words].help or "").partition("\n\n")[0].strip().removesuffix(".")
    assert "\n" not in first
    listed = [line.strip() for line in helped(words[:-1], 80)]
    assert [line for line in listed if line.startswith(words[-1]) and line.endswith(first)]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_no_option_takes_what_is_no_number_for_one(words: tuple[str, ...]) -> None:
    numbers = [each for each in EVERY[words].params if isinstance(each.type, click.FloatRange)]
    for each in numbers:
        with pytest.raises(click.BadParameter, match="'nan' is not a number"):
            each.type.convert("nan", each, None)


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (["--help"], ["pydantic", "gpiozero", "sqlite3", "pymunk", "networkx"]),
        (["hub", "--help"], ["gpiozero", "sqlite3", "pymunk", "networkx", "uvicorn"]),
    ],
)
def test_what_commands_need_is_not_imported_to_list_them(
    words: list[str], modules: list[str]
) -> None:
    program = (
        f"import sys; from jackspot.commands import main; main({words}, standalone_mode=False)\n"
        "print(sys.modules.keys() & set(sys.argv))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *modules], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert "Examples:" in done.stdout
    assert done.stdout.splitlines()[-1] == "set()"


def test_every_command_stands_under_one_heading() -> None:
    listed = [each for names in HEADINGS.values() for each in names]
    assert sorted(listed) == sorted(words[0] for words in EVERY if len(words) == 1)
    page = helped((), 80)
    assert all(f"{heading}:" in page for heading in HEADINGS)


def example_calls(words: tuple[str, ...]) -> list[str]:
    """Return the calls below "Examples:", without their explanations and without pipes."""
    page = [line.strip() for line in helped(words, 120)]
    listed = page[page.index("Examples:") + 1 :]
    return [line.partition("  ")[0].partition(" | ")[0] for line in listed if line]


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_every_command_has_examples_and_they_are_calls_of_it(words: tuple[str, ...]) -> None:
    calls = example_calls(words)
    assert calls
    for call in calls:
        _, *rest = shlex.split(call.removeprefix("sudo "))
        if rest[0].isupper():
            continue  # it stands for any command
        named = tuple(rest[:2]) if tuple(rest[:2]) in EVERY else (rest[0],)
        assert named[: len(words)] == words or not words
        command = EVERY[named]
        context = click.Context(command, info_name=call)
        command.make_parser(context).parse_args(list(rest[len(named) :]))
