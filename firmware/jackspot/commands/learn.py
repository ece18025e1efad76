"""``jackspot learn``: count what this board's confirmed strokes say of what usually happens.

It reads the journal, even while the board plays, and writes the learnt file; the board uses it from
its next start on, if ``[learnt] use = true``.
"""

from __future__ import annotations

import datetime
from contextlib import nullcontext
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from jackspot.calibration import learnt
from jackspot.calibration.learning import learn
from jackspot.commands.terminal.board_options import of_a_board, refuse_unreadable
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, find, load
from jackspot.dialogue.proposals.learnt import Learnt
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.errors import JournalError

NEWEST = 500
TOLD = 8
"""At most this many lines of the table are printed: those that were learnt from most."""
NAMES = ("own", "opponent's", "striker", "jack or queen")


@click.command(
    "learn",
    epilog=examples(
        "sudo jackspot learn",
        "jackspot learn --dry-run --matches 50",
    ),
)
@of_a_board
@click.option(
    "--matches",
    type=click.IntRange(1),
    default=NEWEST,
    show_default=True,
    help="Count so many of the newest matches.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Another file.")
@click.option("--dry-run", is_flag=True, help="Print what is learnt, and write nothing.")
def command(
    journal: Path | None, config_file: Path | None, board_file: Path | None, matches: int,
    out: Path | None, *, dry_run: bool,
) -> None:  # fmt: skip
    """Learn from confirmed strokes what usually falls here.

    Readings are then ranked by what people pocket on this board, not by the published table
    alone. Counts are kept, no names. A board uses them from its next start on, if its config
    has [learnt] use = true.
    """
    try:
        config = load(find(config_file, board_file))
        path = journal or config.journal.path
        refuse_unreadable(path)
        with as_owner_of(path.parent):
            found = learn(path, matches)
        if not found.strokes:
            fail(f"{path}: no stroke was confirmed yet; play a match first")
        _tell(found)
        if dry_run:
            return
        made = datetime.datetime.now(tz=datetime.UTC).replace(microsecond=0)
        target = out or config.learnt.path
        with nullcontext() if out else as_owner_of(path.parent):
            learnt.save(learnt.as_text(found, config.board.name, made), target)
    except (ConfigError, JournalError, learnt.LearntError) as error:
        fail(str(error))
    click.echo(f"written: {target}")
    if not config.learnt.use:
        click.echo("not used yet: the config does not say [learnt] use = true")


def _tell(found: Learnt) -> None:
    table = Table(title=f"{found.matches} matches, {found.strokes} strokes", title_justify="left")
    for column in ("a stroke pockets", "while all aim at", "seen", "expected", "counts"):
        table.add_column(column, justify="left" if not table.columns else "right")
    times = found.times()
    rows = sorted(found.expected, key=lambda row: -abs(found.seen[row] - found.expected[row]))
    for aim, pocketed in rows[:TOLD]:
        words = [
            name if n == 1 else f"{n} {name}" for n, name in zip(pocketed, NAMES, strict=True) if n
        ]
        table.add_row(
            " + ".join(words), aim.value.replace("_", " "), str(found.seen[aim, pocketed]),
            f"{found.expected[aim, pocketed]:.1f}", f"{times[aim][pocketed]:.2f} times",
        )  # fmt: skip
    Console().print(table)
