"""The figures of a day: how long it took, how long boards stood idle, when people began.

They come from the desk's journal alone: a match is called by the entry that gives it to a board,
and ends by the entry of its result or correction. No entry says when people began; the caller who
has seen it passes it in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from msgspec import Struct, field

from jackspot_hub.desk.state import DeskKind, is_only_kept

MINUTE_MS = 60_000
WrittenEntry = tuple[str, Mapping[str, Any], int]
"""An entry of the journal: its kind, its body, and its wall time in milliseconds."""


class DayFigures(Struct, frozen=True):
    """A day in figures. Minutes are by the hub's clock; None: nobody has begun."""

    minutes: float
    """From the first call to the last result."""
    calls: int
    results: int
    corrections: int
    idle: float
    """The share of that time, over all boards, in which they had no match."""
    to_first_stroke: float | None
    """The median time from a call to the first stroke, in minutes."""


class _Boards(Struct):
    """What boards play, by number: order, match, and since when; and how long they have played."""

    plays: dict[int, tuple[int, str, int]] = field(default_factory=dict)
    called_ms: dict[int, int] = field(default_factory=dict)
    busy_ms: int = 0

    def take(self, kind: str, body: Mapping[str, Any], now_ms: int) -> None:
        match DeskKind(kind):
            case DeskKind.ORDERED:
                board = body["board"]
                self._end({board, body.get("from", board)}, now_ms)
                self.plays[board] = body["order"], body["key"], now_ms
                self.called_ms[body["order"]] = now_ms
            case DeskKind.RESULT:
                order = body["message"]["order"]
                self._end({at for at, each in self.plays.items() if each[0] == order}, now_ms)
            case DeskKind.CORRECTED:
                self._end({at for at, each in self.plays.items() if each[1] == body["key"]}, now_ms)
            case DeskKind.UNDONE if "stands" in body:
                self.take(DeskKind.CORRECTED, body["stands"], now_ms)

    def _end(self, boards: Iterable[int], now_ms: int) -> None:
        for board in boards:
            if board in self.plays:
                self.busy_ms += now_ms - self.plays.pop(board)[2]


def figures(
    entries: Iterable[WrittenEntry], boards: int, begun_ms: Mapping[int, int] | None = None
) -> DayFigures:
    """Compute a day's figures for these boards; ``begun_ms``: the first stroke of each order."""
    found, kinds, times = _Boards(), Counter[str](), [0]
    for kind, body, now_ms in entries:
        if kind == DeskKind.RESULT and is_only_kept(body):
            continue
        kinds[kind] += 1
        times = [times[0] if kinds.total() > 1 else now_ms, now_ms]
        found.take(kind, body, now_ms)
    whole_ms = times[-1] - times[0]
    busy_ms = found.busy_ms + sum(times[-1] - since_ms for _, _, since_ms in found.plays.values())
    called_ms = found.called_ms
    took = [at - called_ms[order] for order, at in (begun_ms or {}).items() if order in called_ms]
    return DayFigures(
        whole_ms / MINUTE_MS,
        len(called_ms),
        kinds[DeskKind.RESULT],
        kinds[DeskKind.CORRECTED],
        1 - busy_ms / (whole_ms * boards) if whole_ms else 0.0,
        median(took) / MINUTE_MS if took else None,
    )
