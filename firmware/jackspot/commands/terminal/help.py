"""How help is laid out: whole summaries, commands in groups, examples below the options."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import ClassVar

import click


def examples(*lines: str) -> str:
    """Return the epilog that shows how a command is called, one call a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def summary(command: click.Command) -> str:
    """Return the first paragraph of a command's help in full, without its full stop."""
    first, _, _ = inspect.cleandoc(command.help or "").partition("\n\n")
    return " ".join(first.split()).removesuffix(".")


class GroupedCommands(click.Group):
    """A group whose help lists its commands in named groups, each with its whole summary."""

    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Which commands stand under which heading, in order; the others come last."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, one table a heading, all with the same columns."""
        names = self.list_commands(ctx)
        rows = {each: summary(found) for each in names if (found := self.get_command(ctx, each))}
        grouped = {each for listed in self.headings.values() for each in listed}
        others = [each for each in rows if each not in grouped]
        last = "Other commands" if self.headings else "Commands"
        widest = max(map(len, rows), default=0)
        for heading, listed in (*self.headings.items(), (last, others)):
            self._table(formatter, heading, [each for each in listed if each in rows], rows, widest)

    @staticmethod
    def _table(
        formatter: click.HelpFormatter,
        heading: str,
        listed: Iterable[str],
        rows: Mapping[str, str],
        widest: int,
    ) -> None:
        if table := [(f"{each:{widest}}", rows[each]) for each in listed]:
            with formatter.section(heading):
                formatter.write_dl(table)
