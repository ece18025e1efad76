"""Decision tables: which row of a rules page a stroke follows.

A row names what must have happened: facts, each a bit. A stroke that does more still follows
the row; of the rows that fit, the one with more conditions holds, then the one with the higher
number. A system has several tables, because a row for a clean stroke never holds for a faulty
one: what happened first says which table is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

Table = tuple[tuple[int, str], ...]
"""The facts, or-ed, that each row asks for, and its id; the most specific rows first."""

RowFinder = Callable[[int], str]


def table(**rows: int | tuple[int, ...]) -> Table:
    """Put the most specific rows first; a row may have more shapes than one."""
    made = [
        (needs, name.replace("_", "-"))
        for name, shapes in rows.items()
        for needs in (shapes if isinstance(shapes, tuple) else (shapes,))
    ]
    return tuple(sorted(made, key=lambda row: (row[0].bit_count(), row[1]), reverse=True))


def row_finder(*tables: tuple[int, Table], otherwise: RowFinder | None = None) -> RowFinder:
    """Return what finds the row of a stroke with some facts, or-ed.

    The first table whose condition holds is read, and no other; what it has no row for is
    for ``otherwise`` to find.
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
