"""What ``jackspot score`` prints for a person: a title, a table of the strokes, the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.speaking import Say
from jackspot.core.directives import RedPlace
from jackspot.core.entry_text import write_entry
from jackspot.core.figures import Won
from jackspot.core.match import MatchState, Step, deal_points
from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Piece, Side
from jackspot.core.record import Record, visible
from jackspot.core.rules import facts_of
from jackspot.core.ruling import How
from jackspot.dialogue.words.wording import listed, piece_name, side_name

_HOW = {
    How.JACK: _("by the jack"),
    How.PIECES: _("by the pieces"),
    How.FOUL: _("by a foul"),
    How.TIME: _("on time"),
    How.RESIGN: _("by resignation"),
    How.DRAW: _("by agreement"),
}


def print_match(console: Console, file: Path, record: Record, say: Say) -> None:
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
    table.add_column(say(_("line")), justify="right")
    for heading in (_("entry"), _("ruling"), _("what follows")):
        table.add_column(say(heading))
    for side in state.position.sides:
        table.add_column(say(side_name(side)), justify="right")
    board, before = 0, record.match.opened
    for number, step in zip(record.numbers, record.match.steps, strict=True):
        if step.state.board != board:
            board = step.state.board
            table.add_row("", Text(say(_("board {board}", board=board)), "dim"))
        table.add_row(*_row(number, step, before, say))
        before = step.state
    console.print(table)
    for words in _outcome(record, say):
        console.print(Text(visible(words), "bold"))
    console.print()


def print_sums(console: Console, sums: Iterable[Won], say: Say) -> None:
    """Print a table of what players have won, a pair on one line."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(say(_("players")))
    table.add_column(say(_("rules")))
    for heading in (_("matches"), _("won"), _("boards won"), _("points")):
        table.add_column(say(heading), justify="right")
    for each in sums:
        points = each.points if facts_of(each.rules).match_points else "-"
        counts = (each.matches, each.won, each.boards_won, points)
        names = Text(visible(say(_names(each.players))))
        table.add_row(names, Text(each.rules), *(Text(str(count)) for count in counts))
    console.print(table)


def _row(number: int, step: Step, before: MatchState, say: Say) -> Iterator[Text]:
    """Yield the cells of one entry; ``before`` is the state of the match before it."""
    state, ruling = step.state, step.ruling
    yield Text(str(number), "dim")
    yield Text(write_entry(step.entry))
    yield Text(" ".join(ruling.rows) if ruling else "", "red" if ruling and ruling.foul else "")
    yield Text("; ".join(map(say, _what_follows(step, before))))
    for side in state.position.sides:
        ended = state.result is not None and _counts_at_the_end(state)  # points are shown only then
        owed = 0 if ended else state.position.count(side).owed
        debt = say(_("owes {n}", n=owed))
        yield Text(_stands(state, side, say) + (f" ({debt})" if owed else ""))


def _stands(state: MatchState, side: Side, say: Say) -> str:
    """Return a side's score on the board: its points, or its pieces where those come first."""
    if state.result is None and _counts_at_the_end(state):
        return say(_("{n} in", n=state.position.count(side).pocketed))
    return f"{deal_points(state)[side]}"


def _counts_at_the_end(state: MatchState) -> bool:
    """Whether a board has points only once it is over, while each side has pieces of its own."""
    return facts_of(state.settings.rules).points_at_the_end


def _what_follows(step: Step, before: MatchState) -> Iterator[Phrase]:
    """Say what results from an entry."""
    state, ruling = step.state, step.ruling
    if ruling and ruling.foul:
        yield _("foul")
    red, side = state.position.red, state.position.red_side
    if ruling and side is not None and red is not before.position.red:
        yield from _queen(red, side)
    if state.place:
        yield _("place {pieces}", pieces=placed(state.place))
    if state.result is not None:
        yield ended(state.result.winner, state.result.how)
    elif state.next is not None and ruling and ruling.keeps_turn:
        yield _("{seat} shoots again", seat=state.next.value)
    elif state.next is not None:
        yield _("{seat} is next", seat=state.next.value)


def _queen(place: RedPlace, side: Side) -> Iterator[Phrase]:
    if place is RedPlace.PENDING:
        yield _("{side} must cover", side=side_name(side))
    elif place is RedPlace.COVERED:
        yield _("{side} covered the queen", side=side_name(side))


def placed(pieces: tuple[Piece, ...]) -> Phrase:
    """Count what to place, bottom to top: ``4 green, jack``."""
    return listed(
        [
            piece_name(piece)
            if piece in (Piece.JACK, Piece.QUEEN)
            else _("{n} {piece}", n=n, piece=piece_name(piece))
            for piece, n in Counter(pieces).items()
        ]
    )


def ended(winner: Side | None, how: How) -> Phrase:
    """Say how a board ended: ``red wins by the jack``."""
    if winner is None:
        return _("tied {how}", how=_HOW[how])
    return _("{side} wins {how}", side=side_name(winner), how=_HOW[how])


def _outcome(record: Record, say: Say) -> Iterator[str]:
    """Yield the state of the match, one side after the other, with the players' names."""
    state = record.match.state
    if not state.over:
        running = " : ".join(_stands(state, side, say) for side in state.position.sides)
        assert state.next is not None, "somebody is next while a match is not over"
        yield say(
            _(
                "not over; board {board} stands {score}, {seat} is next",
                board=state.board, score=running, seat=state.next.value,
            )
        )  # fmt: skip
        return
    who = _("match drawn")
    if state.winner is not None:
        who = _("match {who} won", who=_players(state, state.winner))
    games = state.standing.games_won
    score, has_points = _each(state.points.values()), facts_of(state.settings.rules).match_points
    told = [_("points {score}", score=score) if has_points else _("{name}", name=score)]
    if len(state.boards) > 1:
        told.append(_("boards {score}", score=_each(state.boards_won.values())))
    if games is not None:
        told.append(_("games {score}", score=_each(games.values())))
    yield f"{say(who)}; {say(listed(told))}"


def _each(numbers: Iterable[int]) -> str:
    return " : ".join(map(str, numbers))


def _players(state: MatchState, side: Side) -> Phrase:
    """Name a side by its players, or by its colour if they have no names."""
    seats = [seat for seat in state.settings.seats if state.settings.sides[seat] is side]
    names = [state.settings.names[seat] for seat in seats if seat in state.settings.names]
    if not names:
        return side_name(side)
    return _("{who} ({side})", who=_names(names), side=side_name(side))


def _names(names: Sequence[str]) -> Phrase:
    """List names: ``Aiko and Ben``."""
    these = _("{name}", name=names[0])
    for name in names[1:]:
        these = _("{these} and {that}", these=these, that=name)
    return these
