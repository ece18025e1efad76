"""What ``jackspot score`` prints for a person: a title, a table of the strokes, the result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.core.directives import RedPlace
from jackspot.core.entry_text import write_entry
from jackspot.core.match import MatchState, Step, deal_points
from jackspot.core.pieces import Seat, Side
from jackspot.core.record import Record, visible
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import RuleSystem

_QUEEN = {RedPlace.PENDING: "{side} must cover", RedPlace.COVERED: "{side} covered the queen"}

_HOW = {
    How.JACK: "by the jack",
    How.PIECES: "by the pieces",
    How.FOUL: "by a foul",
    How.TIME: "when time ran out",
    How.RESIGN: "by resignation",
    How.DRAW: "by agreement",
}


def print_match(console: Console, file: Path, record: Record) -> None:
    """Print a title, a table of what was entered, and the result."""
    settings, state = record.settings, record.match.state
    title = " · ".join(
        str(part)
        for part in (settings.event, settings.round, settings.place, settings.date)
        if part is not None
    )
    first_line = f"{file}: {settings.rules}" + (f" · {title}" if title else "")
    console.print(Text(visible(first_line), "bold"))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("line", "entry", "ruling", "what follows"):
        table.add_column(heading, justify="right" if heading == "line" else "left")
    for side in state.position.sides:
        table.add_column(str(side), justify="right")
    board, before = 0, record.match.opened
    for number, step in zip(record.numbers, record.match.steps, strict=True):
        if step.state.board != board:
            board = step.state.board
            table.add_row("", Text(f"board {board}", "dim"))
        table.add_row(*_row(number, step, before))
        before = step.state
    console.print(table)
    for words in _outcome(record):
        console.print(Text(visible(words), "bold"))
    console.print()


def _row(number: int, step: Step, before: MatchState) -> Iterator[Text]:
    """Make the cells of one entry; ``before`` is how the match stood before it."""
    state, ruling = step.state, step.ruling
    yield Text(str(number), "dim")
    yield Text(write_entry(step.entry))
    yield Text(" ".join(ruling.rows) if ruling else "", "red" if ruling and ruling.foul else "")
    yield Text("; ".join(_what_follows(step, before)))
    for side in state.position.sides:
        ended = state.result is not None and _counts_at_the_end(state)  # then points stand here
        owed = 0 if ended else state.position.count(side).owed
        yield Text(_stands(state, side) + (f" (owes {owed})" if owed else ""))


def _stands(state: MatchState, side: Side) -> str:
    """Say how a side stands on the board: its points, or its pieces where those come first."""
    if state.result is None and _counts_at_the_end(state):
        return f"{state.position.count(side).pocketed} in"
    return f"{deal_points(state)[side]}"


def _counts_at_the_end(state: MatchState) -> bool:
    """Whether a board has points only once it is over, while each side has pieces of its own."""
    return state.settings.rules in (RuleSystem.KAGW, RuleSystem.GRUNDREGELN, RuleSystem.ICF)


def _what_follows(step: Step, before: MatchState) -> Iterator[str]:
    """Say in words what an entry leads to."""
    state, ruling = step.state, step.ruling
    if ruling and ruling.foul:
        yield "foul"
    red = state.position.red
    if ruling and red in _QUEEN and red is not before.position.red:
        yield _QUEEN[red].format(side=state.position.red_side)
    if state.place:
        yield "place " + ", ".join(_counted(state.place))
    if state.result is not None:
        yield _result(state.result)
    elif ruling and ruling.keeps_turn:
        yield f"{state.next} shoots again"
    else:
        yield f"{state.next} is next"


def _counted(pieces: tuple[str, ...]) -> Iterator[str]:
    """Count what to place, bottom to top: ``1 green``, ``2 red``, ``jack``."""
    for piece in dict.fromkeys(pieces):
        number = pieces.count(piece)
        yield str(piece) if piece in ("jack", "queen") else f"{number} {piece}"


def _result(result: BoardResult) -> str:
    if result.winner is None:
        return f"level {_HOW[result.how]}"
    return f"{result.winner} wins {_HOW[result.how]}"


def _outcome(record: Record) -> Iterator[str]:
    """Say how the match stands, side by side with the players' names."""
    state = record.match.state
    score_words = " : ".join(str(state.points[side]) for side in state.points)
    boards = " : ".join(str(state.boards_won[side]) for side in state.boards_won)
    if not state.over:
        running = " : ".join(_stands(state, side) for side in state.position.sides)
        yield f"not over; board {state.board} stands {running}, {state.next} is next"
        return
    who = "drawn" if state.winner is None else f"{_players(state, state.winner)} won"
    games = state.standing.games_won
    yield f"match {who}; points {score_words}" + (
        (f", boards {boards}" if len(state.boards) > 1 else "")
        + (f", games {' : '.join(map(str, games.values()))}" if games is not None else "")
    )


def _players(state: MatchState, side: Side) -> str:
    """Name a side by its players, or by its colour where they have no names."""
    seats: list[Seat] = [
        seat for seat in state.settings.seats if state.settings.sides[seat] is side
    ]
    names = [state.settings.names[seat] for seat in seats if seat in state.settings.names]
    return f"{' and '.join(names)} ({side})" if names else str(side)
