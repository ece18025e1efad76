"""A board that somebody measured: a small file, as the measuring sheet has it written down.

::

    board = "carrom"              # or "hikone": whose pieces it is played with

    [measured]                    # millimetres
    pocket_diameter_mm = 45.2
    board_thickness_mm = 10
    room_beside_mm = 32
    room_below_mm = 640
    frame_side_mm = 700           # for the cables; left out: that of the table's board

    [sizes]                       # any other size of parameters.toml
    "print.fit_mm" = 0.2

How deep the beams lie follows from the wood, where the file does not say it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hardware.prints.parameters import Board, ParameterError, least_below_mm, load

MEASURED: tuple[str, ...] = (
    "pocket_diameter_mm",
    "board_thickness_mm",
    "room_beside_mm",
    "room_below_mm",
    "smallest_piece_mm",
    "thinnest_piece_mm",
    "largest_piece_mm",
    "frame_side_mm",
)
"""What the sheet asks for, in its order."""

MUST = MEASURED[:4]
"""What no rule book knows of a board."""

SIDE = "frame_side_mm"
"""The frame's outer side, which no printed part depends on, only the cables."""

SIDES_MM = (300.0, 1500.0)
"""How short and long it may be."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One board's sizes. ``kind`` is whose pieces it is played with."""

    kind: str
    settings: tuple[str, ...]
    side_mm: float | None = None
    """The frame's outer side, if it was measured."""

    def wants(self, part: str) -> bool:
        """Return whether a part is for this board, or for every one."""
        others = {name for name in load()[1].boards if name != self.kind}
        return not any(part.startswith(f"{name}_") for name in others)


def read_board(path: Path) -> Measured:
    """Read a board's file; ParameterError names the first mistake in it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"{path.name}: not TOML: {error}") from None
    kinds = list(load()[1].boards)
    if strange := sorted(set(table) - {"board", "measured", "sizes"}):
        raise ParameterError(f"{path.name}: {strange[0]}: expected board, [measured] or [sizes]")
    kind = table.get("board")
    if kind not in kinds:
        raise ParameterError(f"{path.name}: board: expected {' or '.join(kinds)}, found {kind!r}")
    measured = table.get("measured", {})
    if missing := [name for name in MUST if name not in measured]:
        raise ParameterError(f"{path.name}: [measured]: {missing[0]} is missing; measure it")
    settings = tuple(_settings(path.name, kind, measured, table.get("sizes", {})))
    return Measured(kind, settings, _side(path.name, measured.get(SIDE)))


def _side(source: str, value: object) -> float | None:
    if value is None:
        return None
    least, most = SIDES_MM
    if not isinstance(value, int | float) or not least <= value <= most:
        raise ParameterError(
            f"{source}: [measured]: {SIDE}: expected {least:g} to {most:g}, found {value!r}"
        )
    return float(value)


def _settings(
    source: str, kind: str, measured: Mapping[str, Any], sizes: Mapping[str, Any]
) -> Iterator[str]:
    known = {each.name for each in fields(Board)}
    for name, value in measured.items():
        if name == SIDE:
            continue
        if name not in known:
            raise ParameterError(
                f"{source}: [measured]: there is no size {name}; it has {', '.join(MEASURED)}"
            )
        yield f"{kind}.{name}={value}"
    _parameters, table = load()
    board, thickness = table.boards[kind], measured["board_thickness_mm"]
    for beams, name in ((1, "beam_depth_mm"), (2, "crossed_depth_mm")):
        if name not in measured and isinstance(thickness, int | float):
            least = thickness + least_below_mm(table.beam)
            yield f"{kind}.{name}={max(least, board.depth_mm(beams)):g}"
    for name, value in sizes.items():
        yield f"{name}={value}"
