"""Write matches as files: CSV for spreadsheets, JSON for programs, ``.carom`` for people too."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from jackspot.core.printable import in_json, visible
from jackspot.history.archive import day_of, figures, moment
from jackspot.history.slip import side_name
from jackspot.history.summary import SHOOTING, Json

VERSION = 1
"""The version of the JSON and of the columns of the CSV."""

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a spreadsheet take a cell that begins with it for a formula; the last four are the
first four in full width, as Japanese is written."""


class CsvTable(StrEnum):
    """What the rows of a CSV file are."""

    STROKES = "strokes"
    MATCHES = "matches"
    PLAYERS = "players"
    POCKETS = "pockets"


STROKE_COLUMNS = (
    "match", "began", "clock_known", "rules", "line", "board", "entry", "seat", "player", "side",
    "rulings", "foul", "keeps_turn", "place", "took_s", "stands", "entered_again", "by",
    "probability", "board_winner", "board_how",
)  # fmt: skip
MATCH_COLUMNS = (
    "match", "began", "clock_known", "rules", "event", "round", "place", "first", "second",
    "over", "winner", "points_first", "points_second", "boards_first", "boards_second", "strokes",
    "corrections", "lasted_s",
)  # fmt: skip
PLAYER_COLUMNS = ("player", "matches", "finished", "won", *SHOOTING, "own_a_stroke", "usual_s")
POCKET_COLUMNS = ("pocket", "falls", "hands", "late", "pieces")


def as_json(board: str, matches: Sequence[Mapping[str, Any]]) -> str:
    """Return matches with their lines, and the figures of all of them, as one JSON object."""
    said: Json = {"history": VERSION, "board": board, "matches": list(matches)}
    said |= figures(matches)
    return in_json(json.dumps(said, ensure_ascii=False, indent=1)) + "\n"


def as_csv(table: CsvTable, matches: Sequence[Mapping[str, Any]]) -> str:
    """Return one table as CSV (RFC 4180, UTF-8); its first row has the names of the columns.

    ``matches`` must have their lines if strokes are asked for.
    """
    columns, rows = {
        CsvTable.STROKES: (STROKE_COLUMNS, _strokes(matches)),
        CsvTable.MATCHES: (MATCH_COLUMNS, _matches(matches)),
        CsvTable.PLAYERS: (PLAYER_COLUMNS, _players(matches)),
        CsvTable.POCKETS: (POCKET_COLUMNS, _pockets(matches)),
    }[table]
    return csv_text(columns, rows)


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV (RFC 4180), the first with the columns; no cell is a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return stream.getvalue()


def file_name(match: Mapping[str, Any]) -> str:
    """Return the file name for the record of a match: its day and number, no players' names."""
    return f"{day_of(match).isoformat()}-match-{match['number']:04d}.carom"


def _cell(value: object) -> str:
    """Return a value as a cell, with ``'`` before text that a spreadsheet would calculate."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    text = visible(str(value))
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text


def _strokes(matches: Iterable[Mapping[str, Any]]) -> Iterator[Json]:
    for match in _readable(matches):
        names = {seat["seat"]: seat["name"] for seat in match["seats"]}
        for line in match["lines"]:
            shared = _of_match(match) | {
                "line": line["number"],
                "stands": line["stands"],
                "entered_again": line["kept"],
                "by": line["by"],
                "probability": line["probability"],
            }
            for step in line["steps"]:
                over = step["board_over"] or {}
                shot = "directive" not in step
                yield {
                    **step,
                    **shared,
                    "seat": step["seat"] if shot else None,
                    "side": step["side"] if shot else None,
                    "player": names.get(step["seat"], "") if shot else "",
                    "board_winner": over.get("winner"),
                    "board_how": over.get("how"),
                }
            if not line["stands"]:
                for entry in line["entries"]:
                    seat = entry.split()[0]
                    yield {
                        **shared,
                        "entry": entry,
                        "seat": seat if seat in names else None,
                        "player": names.get(seat, ""),
                        "rulings": line["rulings"],
                    }


def _of_match(match: Mapping[str, Any]) -> Json:
    began = match["began"]
    return {
        "match": match["number"],
        "began": moment(began["wall_ns"]).isoformat(timespec="seconds"),
        "clock_known": began["synchronised"],
        "rules": match["rules"],
    }


def _matches(matches: Iterable[Mapping[str, Any]]) -> Iterator[Json]:
    for match in _readable(matches):
        first, second = sides_of(match)
        yield _of_match(match) | {
            "event": match["event"],
            "round": match["round"],
            "place": match["place"],
            "first": side_name(match, first),
            "second": side_name(match, second),
            "over": match["over"],
            "winner": side_name(match, match["winner"]) if match["winner"] else None,
            "points_first": match["points"][first],
            "points_second": match["points"][second],
            "boards_first": match["boards_won"][first],
            "boards_second": match["boards_won"][second],
            "strokes": match["strokes"],
            "corrections": match["corrections"],
            "lasted_s": match["lasted_s"],
        }


def sides_of(match: Mapping[str, Any]) -> tuple[str, str]:
    """Return both sides of a match, beginning with that of the seat that shot first."""
    first = match["seats"][0]["side"]
    second = next(side for side in match["points"] if side != first)
    return first, second


def _players(matches: Sequence[Mapping[str, Any]]) -> Iterator[Json]:
    for player in figures(matches)["players"]:
        yield player | player["shooting"] | {"player": player["name"]}


def _pockets(matches: Sequence[Mapping[str, Any]]) -> Iterator[Json]:
    for pocket, each in figures(matches)["pockets"].items():
        pieces = [f"{count}*{piece}" for piece, count in each["kinds"].items()]
        yield {**each, "pocket": pocket, "pieces": pieces}


def _readable(matches: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (match for match in matches if "unreadable" not in match)
