"""The result of a match to print and sign: a score card.

In carom it is like Hikone's own score card: one for the jack in the column of hundreds, the pucks
pocketed in the tens and ones, and the sum of both, so that a win by the jack with all twelve pucks
is 112. Where a game has no points, boards won replace the sum. In the other systems there is a row
for each board with the points of both sides and their totals so far. Values and text; nothing is
opened here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from rich.cells import cell_len

from jackspot.core.phrases import Phrase, Translate, _
from jackspot.core.pieces import Side
from jackspot.core.printable import visible
from jackspot.core.rules import facts_of, rules_for
from jackspot.core.ruling import How
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.words.wording import side_name as side_word
from jackspot.history.summary import Json

HUNDRED = 100

WIDTH = 58
"""Columns of the slip as text: an A6 card in an ordinary monospaced font."""


class Cell(Struct, frozen=True):
    """The result of one side on one board.

    ``points`` is the sum for this board, ``total`` the sum of all boards up to it. ``hundreds`` and
    ``ones`` are the two columns of a carom score card, None in the other systems.
    """

    points: int
    total: int
    hundreds: int | None = None
    ones: int | None = None


class SlipRow(Struct, frozen=True):
    """One board: its number, the cell of each side, how it ended; ``winner`` 0 or 1, or None."""

    board: int
    cells: tuple[Cell, Cell]
    how: str
    winner: int | None


class Slip(Struct, frozen=True):
    """A whole score card. ``sides`` has names and colour of both sides as on board 1."""

    number: int
    rules: str
    sides: tuple[tuple[str, str], tuple[str, str]]
    rows: tuple[SlipRow, ...]
    totals: tuple[int, int]
    over: bool
    winner: int | None


def slip(match: Mapping[str, Any]) -> Slip:
    """Make the score card of a match from its summary."""
    rules = RuleSystem(match["rules"])
    sides = [str(side) for side in rules_for(rules).sides]
    sides.sort(key=lambda side: match["seats"][0]["side"] != side)  # who shot first comes first
    rows = tuple(_rows(match, rules, sides))
    totals = rows[-1].cells if rows else (Cell(0, 0), Cell(0, 0))
    return Slip(
        match["number"],
        rules.value,
        (_named(match, sides[0]), _named(match, sides[1])),
        rows,
        (totals[0].total, totals[1].total),
        bool(match["over"]),
        sides.index(match["winner"]) if match["winner"] else None,
    )


def _named(match: Mapping[str, Any], side: str) -> tuple[str, str]:
    names = [seat["name"] for seat in match["seats"] if seat["side"] == side and seat["name"]]
    return " + ".join(names), side


def _rows(match: Mapping[str, Any], rules: RuleSystem, sides: Sequence[str]) -> Iterator[SlipRow]:
    totals = [0, 0]
    for each in match["boards"]:
        cells = [_cell(each, rules, side) for side in sides]
        totals = [so_far + cell.points for so_far, cell in zip(totals, cells, strict=True)]
        first, second = (
            Cell(cell.points, total, cell.hundreds, cell.ones)
            for cell, total in zip(cells, totals, strict=True)
        )
        winner = sides.index(each["winner"]) if each["winner"] else None
        yield SlipRow(each["number"], (first, second), each["how"], winner)


def _cell(board: Mapping[str, Any], rules: RuleSystem, side: str) -> Cell:
    """Count one side of one board; a card counts the jack that won, whatever the points do."""
    points = int(board["points"][side])
    for_the_jack = facts_of(rules).hundreds
    if for_the_jack is None:
        return Cell(points, 0)
    if board["how"] == How.JACK and board["winner"] == side:
        points += for_the_jack
    hundreds, ones = divmod(points, HUNDRED)
    return Cell(points, 0, hundreds, ones)


def slip_json(card: Slip) -> Json:
    """Return a score card as plain data, for the page that prints it."""
    return {
        "number": card.number,
        "rules": card.rules,
        "sides": [{"names": names, "side": side} for names, side in card.sides],
        "rows": [
            {
                "board": row.board,
                "how": row.how,
                "winner": row.winner,
                "cells": [
                    {
                        "points": cell.points,
                        "total": cell.total,
                        "hundreds": cell.hundreds,
                        "ones": cell.ones,
                    }
                    for cell in row.cells
                ],
            }
            for row in card.rows
        ],
        "totals": list(card.totals),
        "over": card.over,
        "winner": card.winner,
    }


def slip_text(card: Slip, heading: Sequence[Phrase], translate: Translate) -> str:
    """Return a score card as text; ``heading`` has lines above it: when, where, which board."""

    def say(phrase: Phrase) -> str:
        return phrase.render(translate)

    lines = ["=" * WIDTH, *(_clip(say(each), WIDTH) for each in heading), "-" * WIDTH]
    colours = [say(side_word(Side(side))) for _names, side in card.sides]
    names = [
        visible(names) or colour for (names, _side), colour in zip(card.sides, colours, strict=True)
    ]
    colours = [
        f"({colour})" if names else ""
        for (names, _side), colour in zip(card.sides, colours, strict=True)
    ]
    lines += [_columns("", *names), _columns("", *colours)]
    facts = facts_of(RuleSystem(card.rules))
    if facts.hundreds is None:
        head = say(_("points   so far"))
    else:
        head = say(_("100s  1s   sum") if facts.match_points else _("jack  pucks"))
    lines += [_columns(say(_("board")), head, head), "-" * WIDTH]
    for row in card.rows:
        cells = (_written(row, at, has_sum=facts.match_points) for at in (0, 1))
        lines.append(_columns(f"{row.board}", *cells))
    if not card.rows:
        lines.append(say(_("no board is finished")))
    if facts.match_points:
        lines += ["-" * WIDTH, _columns(say(_("total")), *map(str, card.totals)), ""]
    else:
        won = [sum(row.winner == at for row in card.rows) for at in (0, 1)]
        lines += ["-" * WIDTH, _columns(say(_("won")), *map(str, won)), ""]
    room = WIDTH - cell_len(say(_result(card, ("", ""))))
    lines.append(say(_result(card, [_clip(each, room) for each in names])))
    lines += [
        "",
        "",
        _columns("", "_" * 16, "_" * 16),
        _columns(say(_("signed")), *names),
        "=" * WIDTH,
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _written(row: SlipRow, side: int, *, has_sum: bool) -> str:
    """Format a cell: the jack's one, the pucks, and their sum if any; or points and total."""
    cell = row.cells[side]
    won = "*" if row.winner == side else " "
    if cell.hundreds is None:
        return f"{cell.points:>3}  {cell.total:>6} {won}"
    if not has_sum:
        return f"{cell.hundreds or '-':>3} {cell.ones:>6} {won}"
    return f"{cell.hundreds or '-':>3} {cell.ones:>4} {cell.points:>5} {won}"


def _result(card: Slip, names: Sequence[str]) -> Phrase:
    if not card.over:
        return _("The match is not over.")
    if card.winner is None:
        return _("The match is drawn.")
    return _("{who} won.", who=names[card.winner])


def _columns(first: str, *others: str) -> str:
    """Lay out columns side by side: a narrow one, then two of equal width."""
    wide = (WIDTH - 10) // 2
    return _padded(first, 10) + "".join(_padded(each, wide) for each in others)


def _padded(text: str, width: int) -> str:
    """Pad text to a width in terminal columns, where kana and kanji take two."""
    text = _clip(text, width - 1)
    return text + " " * (width - cell_len(text))


def _clip(text: str, width: int) -> str:
    while cell_len(text) > width:
        text = text[:-1]
    return text


def side_name(match: Mapping[str, Any], side: Side | str) -> str:
    """Return the players of a side, or its colour if nobody is named."""
    names, colour = _named(match, str(side))
    return names or colour
