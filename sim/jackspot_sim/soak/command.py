"""``jackspot soak``: many matches from physics before referees, and a report of what counts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import wraps
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as RichTable

from jackspot.commands.terminal.board_options import NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import tell
from jackspot.core.agreement import Disagreement
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import Assistance
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee, Room
from jackspot_sim.sensing.heads import HeadQuality
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.agreed import Options, read_options, settings_of, usual_lineups
from jackspot_sim.soak.counting import Job, SoakCount
from jackspot_sim.soak.listening import FLICKS
from jackspot_sim.soak.report import (
    ReportTable,
    prepare,
    settling_table,
    soak_words,
    tables,
    write,
)
from jackspot_sim.soak.running import Results, Soak, run, run_at, taught
from jackspot_sim.soak.settling import THRESHOLDS, put_run, read_runs, run_of
from jackspot_sim.soak.telling import told
from jackspot_sim.traffic.rounds import MOST_SHOTS

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""
KILLED = "a process that helped was killed"


_OF_A_SOAK = (
    click.option("--seed", type=int, default=1, show_default=True,
                 help="The same seed plays the same matches."),
    click.option("--rules", type=click.Choice([each.value for each in RuleSystem]),
                 default="hikone", show_default=True, metavar="ID",
                 help=f"Play by these rules: {', '.join(RuleSystem)}."),
    click.option("--seats", "lineups", multiple=True, metavar="SEATS",
                 help="Who plays, in the order of turns, such as NS or NES; used again they take "
                 "turns. [two players, and two pairs]"),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                 help="What is agreed beside the rules' defaults, as in a record: jack_penalty=3; "
                 "may be used again."),
    click.option("--strokes", type=click.IntRange(0), default=MOST_SHOTS, show_default=True,
                 help="Leave a match as it stands after so many strokes; 0: play each to its end."),
    click.option("--sensors", type=click.Choice([each.value for each in Quality]),
                 default="default", show_default=True, metavar="KIND",
                 help=f"What the beams are like: {', '.join(Quality)}."),
    click.option("--drops", type=click.IntRange(0, 200), default=0, show_default=True,
                 help="Calibrate with so many drops of each kind per pocket; 0: none."),
    click.option("--learn", type=click.IntRange(0, 10_000), default=0, show_default=True,
                 help="Let the board learn from so many other matches before; 0: none."),
    click.option("--auto-confirm", type=NumberRange(0, 1), default=0.0, show_default=True,
                 help="Readings as sure as this settle themselves; 0: none does."),
    click.option("--hands", type=click.Choice([each.value for each in Assistance]),
                 default=Assistance.CONFIRM.value, show_default=True, metavar="KIND",
                 help=f"What people have to press: {', '.join(Assistance)}."),
    click.option("--knocks", "room", type=click.Choice([each.value for each in Room]),
                 metavar="ROOM",
                 help=f"Boards have discs that feel knocks, and stand so: {', '.join(Room)}. "
                 "[no discs]"),
    click.option("--flicks", type=click.IntRange(0, 100), default=FLICKS, show_default=True,
                 help="With --knocks: calibrate discs before, by a quiet minute and so many flicks "
                 "from each side; 0: do not."),
    click.option("--colours", "heads", type=click.Choice([each.value for each in HeadQuality]),
                 metavar="KIND",
                 help=f"Pockets have colour heads, and these are: {', '.join(HeadQuality)}. "
                 "[no heads]"),
)  # fmt: skip


def of_a_soak(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which soak is meant; the command is given it, of one match."""

    @wraps(command)
    def with_soak(
        *,
        seed: int,
        rules: str,
        lineups: tuple[str, ...],
        options: tuple[str, ...],
        strokes: int,
        sensors: str,
        drops: int,
        learn: int,
        auto_confirm: float,
        hands: str,
        room: str | None,
        flicks: int,
        heads: str | None,
        **others: object,
    ) -> None:
        system = RuleSystem(rules)
        soak = Soak(
            1, seed, system, Quality(sensors), (), drops=drops, lineups=lineups,
            options=agreed(system, lineups, options), learn=learn, auto_confirm=auto_confirm,
            room=None if room is None else Room(room), hands=Assistance(hands), flicks=flicks,
            heads=None if heads is None else HeadQuality(heads), most_shots=strokes or None,
        )  # fmt: skip
        command(soak=soak, **others)

    for option in reversed(_OF_A_SOAK):
        with_soak = option(with_soak)
    return with_soak


@click.command(
    "soak",
    epilog=examples(
        "jackspot soak --matches 200",
        "jackspot soak --rules kagw --sensors dirty --referee watching",
        "jackspot soak --matches 1000 --into report",
    ),
)
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True,
              help="Matches before each kind of referee.")  # fmt: skip
@click.option("--first", type=click.IntRange(0), default=0, show_default=True,
              help="The first match's number; a long soak can be played in parts.")  # fmt: skip
@of_a_soak
@click.option("--referee", "referees", multiple=True, metavar="KIND",
              type=click.Choice([each.value for each in Referee]),
              help=f"Who referees: {', '.join(Referee)}; may be used again. "
              "[all three]")  # fmt: skip
@click.option("--whole", is_flag=True,
              help="On the whole firmware, from pins to journal and OLED: slower.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1), help="Processes. [one for each processor]")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False),
              help="Write a report with plots into this folder.")  # fmt: skip
@click.option("--curve", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Play each match with and without readings that settle themselves, at several "
              "probabilities, and put the figures into FILE.")  # fmt: skip
@click.option("--further", type=click.IntRange(0), default=0, show_default=True,
              help="With --curve: so many more matches before the first referee, without it, to "
              "tell how sure readings are.")  # fmt: skip
@click.option("--replay", type=click.IntRange(0), metavar="NUMBER",
              help="Only print this match, stroke by stroke; "
              "`jackspot watch` shows it.")  # fmt: skip
def command(
    soak: Soak,
    matches: int,
    first: int,
    referees: tuple[str, ...],
    workers: int | None,
    into: Path | None,
    curve: Path | None,
    further: int,
    replay: int | None,
    *,
    whole: bool,
) -> None:
    """Play many simulated matches and count what goes wrong.

    Computer players play them on a simulated board, before three kinds of referee. Ctrl-C ends
    it and reports what was played. Exit status 1 where the referee who watches ended with a wrong
    score, a match got stuck, or could not be played to its end; 130 after Ctrl-C.
    """
    who = tuple(Referee(each) for each in referees) or tuple(Referee)
    soak = changed(soak, matches=matches, first=first, referees=who, whole=whole)
    _check_a_curve(soak, curve, into=into, replay=replay)
    if replay is not None:
        for line in told(soak.job(replay, who[0], taught(soak, workers))):
            click.echo(line)
        return
    if curve is not None:
        _play_a_curve(soak, further, workers, curve)
        return
    _may_write(into)
    console = Console(stderr=True)
    with Progress(*_columns(), console=console, transient=True) as progress:
        task = progress.add_task("matches", total=matches * len(who))

        def done(job: Job, counted: SoakCount) -> None:
            progress.advance(task)
            for line in _at_once(job, counted):
                progress.console.print(line)

        results = run(soak, workers, done)
    if not results.whole_soak:
        played = f"{results.whole.tally.matches:,} of {matches * len(who):,} matches"
        why = KILLED if results.killed else "interrupted"
        tell(f"{why}: {played} were played")
    if results.whole.tally.matches:
        _tell(results, into)
    if not (results.whole_soak or results.killed):
        raise SystemExit(INTERRUPTED)
    if results.killed or _has_failed(results.by_referee.items()):
        raise SystemExit(1)


def _check_a_curve(
    soak: Soak, curve: Path | None, *, into: Path | None, replay: int | None
) -> None:
    """Check that a curve is of what its figures say, and is all that is wanted."""
    if curve is None:
        return
    if soak.referees[0] is not Referee.WATCHING:
        raise click.UsageError(
            "--curve tells how sure readings are with a referee who watches: give "
            "--referee watching first"
        )
    if into is not None or replay is not None:
        raise click.UsageError("--curve writes figures only: leave --into and --replay out")
    if soak.auto_confirm:
        raise click.UsageError("--curve has probabilities of its own: leave --auto-confirm out")


def _columns() -> tuple[ProgressColumn, ...]:
    """Return the columns that show a soak's progress."""
    return (
        TextColumn("soaking"), BarColumn(), MofNCompleteColumn(), TextColumn("matches"),
        TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn(),
    )  # fmt: skip


def _play_a_curve(soak: Soak, further: int, workers: int | None, file: Path) -> None:
    """Play each match at all thresholds; put the figures into the file, and print them."""
    try:
        read_runs(file)
    except (OSError, ValueError) as wrong:
        raise click.UsageError(str(wrong)) from wrong
    with Progress(*_columns(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("matches", total=soak.matches * len(soak.referees) + further)
        try:
            counts, others = run_at(
                soak, THRESHOLDS, further, workers, lambda: progress.advance(task)
            )  # fmt: skip
        except BrokenProcessPool as killed:
            raise click.ClickException(f"{KILLED}: part of a curve is no curve") from killed
    today = datetime.datetime.now(tz=datetime.UTC).date()
    line = f"{command_line(soak)} --curve {file.name}" + (
        f" --further {further}" if further else ""
    )
    run_now = run_of(soak, counts, others, line, today)
    Console().print(_drawn(settling_table(run_now)))
    try:
        put_run(run_now, file)
    except OSError as wrong:
        raise click.ClickException(
            f"the figures could not be written into {file}: {wrong.strerror}"
        ) from wrong
    click.echo(f"figures: {file}")
    broken = [each for count in (*counts.values(), others) for each in count.broken]
    if broken:
        raise click.ClickException("\n".join(f"match {each}" for each in dict.fromkeys(broken)))
    played = [(who, count) for (who, _at), count in counts.items()]
    if _has_failed([*played, (soak.referees[0], others)]):
        raise SystemExit(1)


def _at_once(job: Job, counted: SoakCount) -> Iterator[str]:
    """Return what is printed of a match as soon as it has been played."""
    yield from (f"match {each}" for each in counted.broken)
    if counted.stuck:
        yield f"match {job.number} ({job.referee}): somebody got stuck"
    elif counted.wrong and job.referee is Referee.WATCHING:
        yield f"match {job.number} ({job.referee}): the final score is wrong"


def _has_failed(counts: Iterable[tuple[Referee, SoakCount]]) -> bool:
    """Whether something happened that never should."""
    return any(
        each.stuck or each.broken or (who is Referee.WATCHING and each.tally.finals_wrong)
        for who, each in counts
    )


def _tell(results: Results, into: Path | None) -> None:
    """Print the tables, and write the report if one is wanted."""
    for table in tables(results):
        Console().print(_drawn(table))
    if into is None:
        return
    today = datetime.datetime.now(tz=datetime.UTC).date()
    try:
        page = write(results, into, command_line(results.soak), today)
    except OSError as wrong:
        tell(
            f"the report could not be written into {into}: {wrong.strerror}; the tables above have "
            "its figures, and the same command counts the same again"
        )
        raise SystemExit(1) from wrong
    click.echo(f"report: {page}")


def _may_write(into: Path | None) -> None:
    """Check, before hours of play, that the report can be written where it is wanted."""
    if into is None:
        return
    try:
        prepare(into)
    except OSError as wrong:
        raise click.UsageError(f"no report can be written into {into}: {wrong.strerror}") from wrong
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong


def agreed(system: RuleSystem, lineups: Sequence[str], given: Sequence[str]) -> Options:
    """Check what is agreed as a board does; mistakes end the command, one a line."""
    try:
        options = read_options(given)
        for lineup in lineups or usual_lineups(system):
            settings_of(system, lineup, options)
    except Disagreement as wrong:
        listed = (f"{'.'.join(each.path)}: {each.message}" for each in wrong.mistakes)
        raise click.UsageError("\n".join(listed)) from wrong
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from wrong
    return options


def command_line(soak: Soak) -> str:
    """Return the command that counts the same."""
    given = [f"jackspot soak --matches {soak.matches}"]
    given += [f"--first {soak.first}"] if soak.first else []
    given += soak_words(soak)
    given += ["--whole"] if soak.whole else []
    given += [f"--referee {who}" for who in soak.referees if len(soak.referees) < len(Referee)]
    return " ".join(given)


def _drawn(table: ReportTable) -> RichTable:
    drawn = RichTable(title=table.title, caption=table.about or None, title_justify="left")
    for number, column in enumerate(table.columns):
        drawn.add_column(column, justify="right" if number else "left")
    for row in table.rows:
        drawn.add_row(*row)
    return drawn
