"""How help is laid out: whole summaries, commands in groups, examples below the options."""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata, util
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import click


def examples(*lines: str) -> str:
    """Return the epilog that shows how a command is called, one call per line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def summary(told: str | None) -> str:
    """Return the first paragraph of a command's help in full, without its full stop."""
    first, _, _ = inspect.cleandoc(told or "").partition("\n\n")
    return " ".join(first.split()).removesuffix(".")


def written_help(module: str, function: str) -> str | None:
    """Return a command's help from the source of its module; None: it cannot be found that way.

    Importing everything that all commands need, for one line each, would take a small Pi ten
    seconds.
    """
    try:
        found = util.find_spec(module)
        source = Path(found.origin or "").read_bytes() if found is not None else b""
    except (ImportError, OSError):
        return None
    defined = (each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef))
    return next((ast.get_docstring(each) for each in defined if each.name == function), None)


class GroupedCommands(click.Group):
    """A group whose help lists its commands in named groups, each with its whole summary."""

    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Which commands stand under which heading, in order; the others come last."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, one table per heading, all with the same columns."""
        names = self.list_commands(ctx)
        rows = {each: summary(self.help_of(ctx, each)) for each in names}
        grouped = {each for listed in self.headings.values() for each in listed}
        others = [each for each in rows if each not in grouped]
        last = "Other commands" if self.headings else "Commands"
        widest = max(map(len, rows), default=0)
        for heading, listed in (*self.headings.items(), (last, others)):
            self._table(formatter, heading, [each for each in listed if each in rows], rows, widest)

    def help_of(self, ctx: click.Context, name: str) -> str | None:
        """Return the help of one of its commands."""
        found = self.get_command(ctx, name)
        return None if found is None else found.help

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


class AddedCommands(GroupedCommands):
    """A group to which other packages add commands, by entry points of the group it names.

    A command's module is imported only when it is called.
    """

    entry_points: ClassVar[str]
    get_libraries: ClassVar[str] = ""
    """What to do if a command's libraries are missing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List its own commands and those that are added."""
        added = (entry.name for entry in metadata.entry_points(group=self.entry_points))
        return sorted({*super().list_commands(ctx), *added})

    def place_of(self, name: str) -> tuple[str, str] | None:
        """Return the module of an added command, and its name there."""
        added = metadata.entry_points(group=self.entry_points, name=name)
        return next(((each.module, each.attr) for each in added), None)

    def help_of(self, ctx: click.Context, name: str) -> str | None:
        """Return the help of a command, if possible without importing its module."""
        place = self.place_of(name)
        written = None if place is None else written_help(*place)
        return super().help_of(ctx, name) if written is None else written

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; if its libraries are missing, it says so when it is called."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or (place := self.place_of(cmd_name)) is None:
            return own
        module, name = place
        try:
            found = getattr(_opened(module), name)
        except ImportError as error:
            return unavailable(cmd_name, error, self.get_libraries)
        assert isinstance(found, click.Command), cmd_name
        return found


def _opened(module: str) -> ModuleType:
    """Import a module. Its objects are frozen, so the garbage collector does not search them."""
    if module in sys.modules:
        return sys.modules[module]
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def unavailable(name: str, error: ImportError, mend: str = "") -> click.Command:
    """Stand in for a command whose libraries are missing: the others still work.

    ``mend`` is what to do about it, if that is known.
    """

    def fail(**_anything: object) -> None:
        said = f"{name} cannot be opened: {error}"
        raise click.ClickException(f"{said}; {mend}" if mend else said)

    return click.Command(
        name,
        callback=fail,
        params=[click.Argument(["anything"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        help=f"Cannot be opened here: {error}.",
    )
