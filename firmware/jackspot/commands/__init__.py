"""The command line: one file per command or pair of commands, imported only when called.

click, because it gives each command its own file, help and exit statuses (2 for a wrong call)
without a parser to maintain. Other packages add commands by an entry point in the group
``jackspot.commands``; that is how the simulated table adds ``sim``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

import click

from jackspot.commands.terminal.help import AddedCommands, examples
from jackspot.commands.terminal.output import end_in_order

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "backup": "jackspot.commands.backup",
        "calibrate": "jackspot.commands.calibrate",
        "capture": "jackspot.commands.capture",
        "check-config": "jackspot.commands.check_config",
        "doctor": "jackspot.commands.doctor",
        "dump": "jackspot.commands.dump",
        "forget": "jackspot.commands.forget",
        "history": "jackspot.commands.history",
        "hotspot": "jackspot.commands.hotspot",
        "hub": "jackspot.commands.hub",
        "import": "jackspot.commands.import_match",
        "install": "jackspot.commands.install",
        "join": "jackspot.commands.join",
        "learn": "jackspot.commands.learn",
        "replay": "jackspot.commands.replay",
        "restore": "jackspot.commands.restore",
        "rules": "jackspot.commands.rules",
        "run": "jackspot.commands.run",
        "score": "jackspot.commands.score",
        "sd-card": "jackspot.commands.sd_card",
        "stick": "jackspot.commands.stick",
        "support-bundle": "jackspot.commands.support_bundle",
        "uninstall": "jackspot.commands.install:uninstall",
        "update": "jackspot.commands.update",
        "wiring": "jackspot.commands.wiring",
    }
)
"""Each command's module, whose ``command`` is the click command unless another is named."""

GROUP = "jackspot.commands"
"""Entry points by which other packages add commands."""


HEADINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Play": ("run", "sim"),
        "Matches and rules": ("score", "rules", "history", "import", "stick"),
        "Set up a board": (
            "install", "sd-card", "wiring", "check-config", "calibrate", "learn", "hotspot",
            "uninstall",
        ),
        "Look after a board": (
            "doctor", "update", "backup", "restore", "forget", "dump", "support-bundle",
        ),
        "Many boards": ("hub", "join"),
        "Test the firmware": ("soak", "watch", "capture", "replay"),
    }
)  # fmt: skip
"""Under which heading the help lists each command."""

WIDEST_HELP = 120
"""Columns; on a narrower terminal help is as wide as the terminal."""


class _OpenedWhenCalled(AddedCommands):
    """The commands of this package and of those that add theirs."""

    headings = HEADINGS
    entry_points = GROUP

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a command, and end only when its output is written."""
        run = partial(super().main, *arguments, **options)
        return end_in_order(run) if options.get("standalone_mode", True) else run()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def place_of(self, name: str) -> tuple[str, str] | None:
        if name not in COMMANDS:
            return super().place_of(name)
        module, _, function = COMMANDS[name].partition(":")
        return module, function or "command"


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"jackspot {version('jackspot')}")
        ctx.exit()


@click.group(
    cls=_OpenedWhenCalled,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST_HELP},
    epilog=examples(
        "jackspot sim                       play on a simulated table",
        "jackspot score match.carom         see what the rules make of a match",
        "jackspot rules kagw --lang de      read the rules, in German",
        "jackspot COMMAND --help            what a command does, with examples",
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version and end.",
)
def main() -> None:
    """Let a carom or carrom board keep its own score."""
