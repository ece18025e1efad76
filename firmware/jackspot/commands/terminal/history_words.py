"""What ``jackspot history`` prints for people: the list, one match, figures with bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.bar import Bar
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.score_words import ended, placed
from jackspot.commands.terminal.speaking import Say
from jackspot.core import directives
from jackspot.core.phrases import Phrase, _, _n
from jackspot.core.pieces import Piece, Side
from jackspot.core.record import visible, write_entry
from jackspot.core.ruling import How
from jackspot.dialogue.words.wording import listed, piece_name, side_name as side_word
from jackspot.history.archive import moment
from jackspot.history.export import sides_of
from jackspot.history.slip import side_name

BAR = 24
"""Columns of the longest bar."""

UNTOLD = (write_entry(directives.Say(directives.Saying.PLACED)),)
"""Entries that change nothing, and are left out of what people read."""

Match = Mapping[str, Any]


def print_list(console: Console, matches: Sequence[Match], say: Say) -> None:
    """Print one line per match."""
    if not matches:
        console.print(say(_("No matches.")))
        return
    table = _table(
        say,
        _("no."), _("began"), _("rules"), _("players"), _("result"), _("strokes"), _("corrected"),
    )  # fmt: skip
    for column in (0, 5, 6):
        table.columns[column].justify = "right"
    for match in matches:
        table.add_row(*_listed(match, say))
    console.print(table)
    if any(not each["began"]["synchronised"] for each in matches if "unreadable" not in each):
        note = say(_("the board did not know whether its clock was right"))
        console.print(Text(f"~: {note}", "dim"))


def _listed(match: Match, say: Say) -> Iterator[Text]:
    yield Text(str(match["number"]), "bold")
    if "unreadable" in match:
        cannot = say(_("This version cannot read the match."))
        yield from (Text(""), Text(""), Text(visible(f"{cannot} {match['unreadable']}"), "red"))
        return
    yield Text(_began(match))
    yield Text(match["rules"])
    yield Text(visible(" - ".join(side_name(match, side) for side in sides_of(match))))
    yield Text(visible(say(result(match))), "" if match["over"] else "dim")
    yield Text(str(match["strokes"]))
    yield Text(str(match["corrections"] or ""))


def _began(match: Match) -> str:
    """Say when a match began; with a mark if the clock may have been wrong."""
    began = match["began"]
    unsure = "" if began["synchronised"] else "~"
    return f"{unsure}{moment(began['wall_ns']):%Y-%m-%d %H:%M}"


def result(match: Match) -> Phrase:
    """Say how a match ended, or its current score."""
    first, second = sides_of(match)
    points = match["points"] if match["over"] else _standing(match)
    score = f"{points[first]} : {points[second]}"
    boards = match["games_won"] or match["boards_won"]
    if sum(boards.values()) > 1:
        score += f" ({boards[first]} : {boards[second]})"
    if not match["over"]:
        how = _("suspended") if match["put_aside"] else _("not over")
    elif match["winner"] is None:
        how = _("drawn")
    else:
        how = _("{who} won", who=side_name(match, match["winner"]))
    return _("{first}, {then}", first=_("{name}", name=score), then=how)


def _standing(match: Match) -> Mapping[str, int]:
    """Return the points of a match that is not over, including those of its current board."""
    settled: Mapping[str, int] = match["points"]
    running = match["running"]["points"]
    if set(running) != set(settled):
        return settled
    finished = bool(match["boards"]) and match["boards"][-1]["number"] == match["running"]["board"]
    return {side: points + (0 if finished else running[side]) for side, points in settled.items()}


def print_match(console: Console, match: Match, say: Say) -> None:
    """Print one match: who and when, every line, the boards, the seats' figures."""
    head = [say(_("match {n}", n=match["number"])), match["rules"], _began(match)]
    head += [part for part in (match["event"], match["round"], match["place"]) if part]
    console.print(Text(visible(" · ".join(head)), "bold"))
    for seat in match["seats"]:
        who = f" {seat['name']}" if seat["name"] else ""
        console.print(Text(visible(f"{seat['seat']}{who} ({say(side_word(Side(seat['side'])))})")))
    table = _table(
        say, _("line"), _("time"), _("entry"), _("ruling"), _("what follows"), _("duration")
    )
    for column in (0, 1, 5):
        table.columns[column].justify = "right"
    board = 0
    for line in match["lines"]:
        for row in _rows(line, say):
            if row[0] is not None and row[0] != board:
                board = row[0]
                table.add_row("", "", Text(say(_("board {board}", board=board)), "dim"))
            table.add_row(*row[1])
    console.print(table)
    console.print(Text(visible(say(result(match))), "bold"))
    if match["corrections"]:
        note = _("lines with x were taken back, those with + entered again")
        console.print(Text(say(note), "dim"))
    for trouble in match["troubles"]:
        console.print(Text(visible(trouble), "red"))


def _rows(line: Match, say: Say) -> Iterator[tuple[int | None, list[Text]]]:
    """Return a row for each entry of a line, with its board; struck out if it was taken back."""
    at = Text(_clock(line["at_s"]), "dim")
    if not line["stands"]:
        words = "; ".join(line["entries"]) or say(_("no stroke"))
        taken = say(_("taken back at {time}", time=_clock(line["taken_back_at_s"])))
        yield None, [
            Text(f"x {line['number']}", "dim"), at, Text(words, "strike dim"),
            Text(" ".join(line["rulings"]), "dim"), Text(taken, "yellow"), Text(""),
        ]  # fmt: skip
        return
    again = "+ " if line["kept"] else ""
    if not line["steps"]:
        yield None, [
            Text(f"{again}{line['number']}", "dim"), at, Text(say(_("no stroke")), "dim"),
            Text(""), Text(" ".join(line["pockets"]), "dim"), Text(""),
        ]  # fmt: skip
    told = [step for step in line["steps"] if step["entry"] not in UNTOLD]
    for number, step in enumerate(told):
        yield (
            step["board"],
            [
                Text(f"{again}{line['number']}" if not number else "", "dim"),
                at if not number else Text(""),
                Text(step["entry"]),
                Text(" ".join(step["rulings"]), "red" if step["foul"] else ""),
                Text("; ".join(map(say, follows(step)))),
                Text(f"{step['took_s']:.1f} s" if step["took_s"] is not None else "", "dim"),
            ],
        )


def follows(step: Match) -> Iterator[Phrase]:
    """Say what results from an entry."""
    if step["foul"]:
        yield _("foul")
    if step["place"]:
        yield _("place {pieces}", pieces=placed(tuple(map(Piece, step["place"]))))
    over = step["board_over"]
    if over is not None:
        yield ended(Side(over["winner"]) if over["winner"] else None, How(over["how"]))
    elif step["next"] and step["keeps_turn"]:
        yield _("{seat} shoots again", seat=step["next"])
    elif step["next"]:
        yield _("{seat} is next", seat=step["next"])


def _clock(seconds: float | None) -> str:
    """Write time since the match began: minutes and seconds."""
    if seconds is None:
        return ""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def print_figures(console: Console, figures: Match, matches: int, say: Say) -> None:
    """Print figures of players and pockets."""
    console.print(Text(say(_n("{n} match", "{n} matches", n=matches)), "bold"))
    if figures["players"]:
        _print_players(console, figures["players"], say)
    else:
        console.print(say(_("They name no players.")))
    console.print()
    _print_pockets(console, figures["pockets"], say)


def _print_players(console: Console, players: Sequence[Match], say: Say) -> None:
    table = _table(
        say,
        _("player"), _("matches"), _("won"), _("strokes"), _("own"), _("own per stroke"), None,
        _("opponent's"), _("striker"), _("fouls"), _("paid"), _("s per stroke"),
    )  # fmt: skip
    for column in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11):
        table.columns[column].justify = "right"
    best = max(each["own_a_stroke"] for each in players) or 1
    for each in players:
        shot = each["shooting"]
        table.add_row(
            Text(visible(each["name"]), "bold"),
            str(each["matches"]),
            say(_("{n} of {m}", n=each["won"], m=each["finished"])),
            str(shot["strokes"]),
            str(shot["own"]),
            f"{each['own_a_stroke']:.2f}",
            _bar(each["own_a_stroke"], best),
            str(shot["others"]),
            str(shot["strikers"]),
            str(shot["fouls"]),
            str(shot["paid"]),
            f"{each['usual_s']:.1f}" if each["usual_s"] is not None else "",
        )
    console.print(table)


def _print_pockets(console: Console, pockets: Mapping[str, Match], say: Say) -> None:
    table = _table(say, _("pocket"), _("fell"), None, _("hands"), _("late"), _("pieces"))
    for column in (1, 3, 4):
        table.columns[column].justify = "right"
    most = max(each["falls"] for each in pockets.values()) or 1
    for name, each in pockets.items():
        kinds = say(
            listed(
                [
                    _("{n} {piece}", n=count, piece=piece_name(Piece(piece)))
                    for piece, count in each["kinds"].items()
                ]
            )
        )
        table.add_row(
            Text(name, "bold"), str(each["falls"]), _bar(each["falls"], most),
            str(each["hands"]), str(each["late"]), kinds,
        )  # fmt: skip
    console.print(table)


def _bar(value: float, most: float) -> Bar:
    return Bar(most, 0, value, width=BAR, color="yellow")


def _table(say: Say, *headings: Phrase | None) -> Table:
    """Make a table; a column of bars has no heading."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        table.add_column(say(heading) if heading else "")
    return table
