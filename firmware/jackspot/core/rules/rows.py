"""Decision tables, which find the row of a rules page that a stroke follows.

A row names what must have happened: facts, each a bit. A stroke that does more still follows the
row. Of the rows that fit, the one with most conditions applies, then the one with the highest
number. A system has several tables, because a row for a clean stroke never applies to a faulty one:
the facts first decide which table is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

Table = tuple[tuple[int, str], ...]
"""The facts, or-ed, that each row requires, and its id; the most specific rows first."""

RowFinder = Callable[[int], str]


def table(**rows: int | tuple[int, ...]) -> Table:
    """Return a table with the most specific rows first; a row may have more than one shape."""
    made = [
        (needs, name.replace("_", "-"))
        for name, shapes in rows.items()
        for needs in (shapes if isinstance(shapes, tuple) else (shapes,))
    ]
    return tuple(sorted(made, key=lambda row: (row[0].bit_count(), row[1]), reverse=True))


def row_finder(*tables: tuple[int, Table], otherwise: RowFinder | None = None) -> RowFinder:
    """Return a function that finds the row of a stroke by its facts, or-ed.

    Only the first table whose condition holds is read; if it has no row, ``otherwise`` finds one.
    """

    @lru_cache(maxsize=4096)
    def row_for(facts: int) -> str:
        read = next(rows for condition, rows in tables if facts & condition == condition)
        row = next((row for needs, row in read if facts & needs == needs), None)
        if row is None:
            assert otherwise is not None, "each table has a row for all that is left"
            row = otherwise(facts)
        return row

    return row_for
