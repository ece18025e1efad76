"""``jackspot rules``: the rule systems for people, in English, German or Japanese."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.speaking import lang_option
from jackspot.core.agreement import HANDICAPS
from jackspot.core.options import Option
from jackspot.core.settings import OptionValue, RuleSystem
from jackspot.rulebook import (
    has_handicaps,
    options_of,
    other_values,
    read_page,
    read_words,
)

WIDTH = 100
"""A longer line is hard to read; a narrower terminal breaks it earlier."""

SYSTEMS = [system.value for system in RuleSystem]


@click.command(
    "rules",
    epilog=examples(
        "jackspot rules",
        "jackspot rules kagw --lang de",
    ),
)
@click.argument(
    "system", metavar="[ID]", required=False, type=click.Choice([each.value for each in RuleSystem])
)
@lang_option
def command(system: str | None, lang: str) -> None:
    """List the rule systems, or show one of them.

    Pieces, turn, penalties, options, as players need them.
    """
    console = Console(highlight=False, markup=False)
    console.width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    words = read_words(lang)
    if system is None:
        _list_systems(console, lang, words)
    else:
        _tell(console, RuleSystem(system), lang, words)


def _list_systems(console: Console, language: str, words: Mapping[str, Any]) -> None:
    console.print(Text(words["list"], "bold"))
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for system in RuleSystem:
        page = read_page(system, language)
        about = Text(page.title)
        about.append(f"\n{page.short}\n{words['source']}: {page.source}", "dim")
        table.add_row(system.value, about)
    console.print(table)
    console.print(Text(words["more"].format(id=SYSTEMS[0]), "dim"))


def _tell(console: Console, system: RuleSystem, language: str, words: Mapping[str, Any]) -> None:
    page = read_page(system, language)
    console.print(Text.assemble((page.title, "bold"), f" ({system})"))
    console.print(Text(page.short))
    console.print(Text(f"{words['source']}: {page.source}", "dim"))
    console.print(Text(words["ids"], "dim"))
    for heading, lines in page.chapters:
        _head(console, heading)
        for line in lines:
            console.print(_bullet(line))
    _head(console, words["headings"]["options"])
    table = _two_columns()
    for option in options_of(system):
        table.add_row(option.name, _option_text(option, system, words))
    console.print(table)
    if has_handicaps(system):
        _head(console, words["headings"]["handicaps"])
        table = _two_columns()
        for name, allowed in HANDICAPS.items():
            told = Text(words["handicaps"][name])
            if isinstance(allowed, range):
                told.append(f"\n{_numbers(allowed, words)}", "dim")
            table.add_row(name, told)
        console.print(table)


def _head(console: Console, heading: str) -> None:
    console.print()
    console.print(Text(heading, "bold"))


def _bullet(line: str) -> Table:
    """Indent a line under its bullet, however it is broken."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    table.add_row(Padding("-", (0, 0, 0, 2)), Text(line))
    return table


def _two_columns() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _option_text(option: Option, system: RuleSystem, words: Mapping[str, Any]) -> Text:
    """Say what an option means, what its default is and what else can be agreed."""
    text = Text(words["options"][option.name])
    text.append(f"\n{words['default']}: {_written(option.defaults[system])}", "dim")
    others = other_values(option, system)
    told = (
        _numbers(others, words)
        if isinstance(others, range)
        else ", ".join(map(_written, _few(others)))
    )
    text.append(f"; {words['others']}: {told}", "dim")
    return text


def _few(values: tuple[OptionValue, ...]) -> Iterator[OptionValue | str]:
    """Shorten a long list of numbers to its first three and its last."""
    if len(values) <= 8:
        yield from values
        return
    yield from (*values[:3], "...", values[-1])


def _numbers(numbers: range, words: Mapping[str, Any]) -> str:
    return str(words["number"].format(low=numbers[0], high=numbers[-1]))


def _written(value: OptionValue) -> str:
    """Write a value as a record and the board's settings do, without the quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)
