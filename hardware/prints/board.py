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

How deep the beams lie follows from the wood and the modules, where nothing says it.

A closed box, with a second floor and triangles for pockets, is measured otherwise::

    board = "hikone"
    box = "closed"

    [measured]
    board_thickness_mm = 12
    pocket_leg_mm = 75
    inside_mm = 40
    wall_mm = 20
    bottom_mm = 5.5
    frame_side_mm = 620           # and the pieces, as above

Corners that are cut off without a second floor below them are measured otherwise again::

    board = "hikone"
    corner = "cut"

    [measured]
    board_thickness_mm = 12
    room_below_mm = 300
    pocket_leg_mm = 75
    frame_below_mm = 40
    wall_mm = 20
    legs_at_mm = 0                # from the frame's corner to the nearest leg; no legs: 0
    frame_side_mm = 620           # and the pieces, as above
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from hardware.prints.parameters import ParameterError, least_below_mm, load, with_settings

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

CLOSED: Mapping[str, str] = MappingProxyType(
    {
        "pocket_leg_mm": "leg_mm",
        "inside_mm": "inside_mm",
        "wall_mm": "wall_mm",
        "bottom_mm": "bottom_mm",
    }
)
"""What is measured on a closed box, and the name of each among its sizes."""

CLOSED_MEASURED: tuple[str, ...] = ("board_thickness_mm", *CLOSED, *MEASURED[4:])
CLOSED_MUST = CLOSED_MEASURED[:5]
"""The same for a closed box: what is asked for, and what must be there."""

CUT: Mapping[str, str] = MappingProxyType(
    {"pocket_leg_mm": "leg_mm", "frame_below_mm": "inside_mm", "wall_mm": "wall_mm"}
)
"""The same where the corners are cut off and there is no floor: a plate takes its place."""

CORNERS: Mapping[str, str] = MappingProxyType({**CLOSED, **CUT})

LEGS = "legs_at_mm"
"""How far the nearest leg is from the frame's corner, or 0 where there are none."""

CUT_MEASURED: tuple[str, ...] = (
    "board_thickness_mm", "room_below_mm", *CUT, LEGS, *MEASURED[4:]
)  # fmt: skip
CUT_MUST = CUT_MEASURED[:6]

SIDE = "frame_side_mm"
"""The frame's outer side, which no printed part depends on, only the cables."""

SIDES_MM = (300.0, 1500.0)
"""How short and long it may be."""

LEGS_MM = (0.0, 750.0)
"""How near to a corner and far from it a leg may be."""

_NO_PRINT = (SIDE, LEGS)


class Measured(Struct, frozen=True):
    """One board's sizes. ``kind`` is whose pieces it is played with."""

    kind: str
    settings: tuple[str, ...]
    side_mm: float | None = None
    """The frame's outer side, if it was measured."""
    is_closed: bool = False
    """Whether it is a box with a second floor."""
    is_cut: bool = False
    """Whether its corners are cut off as pockets, and it is open below."""
    legs_at_mm: float = 0.0
    """How far its nearest leg is from the frame's corner; 0 where it has none."""

    def wants(self, part: str) -> bool:
        """Return whether a part is for this board, or for every one."""
        if self.is_closed:
            others = {*load()[1].boards, "tray", "hub_plate"}
        elif self.is_cut:
            others = {*load()[1].boards, "tray"}
        else:
            others = {name for name in load()[1].boards if name != self.kind} | {"closed"}
        return part not in others and part.partition("_")[0] not in others


def read_board(path: Path, settings: Iterable[str] = ()) -> Measured:
    """Read a board's file, with ``settings`` that hold before its own.

    ParameterError names the first mistake in it.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise ParameterError(f"{path.name}: not UTF-8; save it as such") from None
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{path.name}: not TOML: {error}") from None
    kinds = list(load()[1].boards)
    if strange := sorted(set(table) - {"board", "box", "corner", "measured", "sizes"}):
        raise ParameterError(
            f"{path.name}: {strange[0]}: expected board, box, corner, [measured] or [sizes]"
        )
    kind = table.get("board")
    if kind not in kinds:
        raise ParameterError(f"{path.name}: board: expected {' or '.join(kinds)}, found {kind!r}")
    is_closed = _is_closed(path.name, kind, table.get("box", "open"))
    is_cut = _is_cut(path.name, kind, table.get("corner"), is_closed=is_closed)
    measured = _numbers(path.name, table, "measured")
    must, asked = MUST, MEASURED
    if is_closed or is_cut:
        must, asked = (CUT_MUST, CUT_MEASURED) if is_cut else (CLOSED_MUST, CLOSED_MEASURED)
    if missing := [name for name in must if name not in measured]:
        raise ParameterError(f"{path.name}: [measured]: {missing[0]} is missing; measure it")
    known = {*asked, "beam_depth_mm", "crossed_depth_mm"}
    if strange := [name for name in measured if name not in known]:
        raise ParameterError(
            f"{path.name}: [measured]: there is no size {strange[0]}; it has {', '.join(asked)}"
        )
    own = [f"{name}={value}" for name, value in _numbers(path.name, table, "sizes").items()]
    given = _measured_and_own(kind, measured, own)
    with_settings(load()[0], given, path.name)
    given = _with_depths(kind, (*given, *settings))
    side = _within(path.name, SIDE, measured.get(SIDE), SIDES_MM)
    legs = _within(path.name, LEGS, measured.get(LEGS), LEGS_MM) or 0.0
    return Measured(kind, given, side, is_closed, is_cut, legs)


def _numbers(source: str, table: Mapping[str, object], key: str) -> Mapping[str, float]:
    """Return one of the file's two tables, of numbers alone."""
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise ParameterError(f"{source}: {key}: expected a table [{key}], found {found!r}")
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ParameterError(f"{source}: [{key}]: {name}: expected a number, found {value!r}")
    return found


def _is_closed(source: str, kind: str, box: object) -> bool:
    if box not in ("open", "closed"):
        raise ParameterError(f'{source}: box: expected "open" or "closed", found {box!r}')
    if box == "closed" and kind != "hikone":
        raise ParameterError(f'{source}: box: a closed box is drawn for board = "hikone" alone')
    return box == "closed"


def _is_cut(source: str, kind: str, corner: object, *, is_closed: bool) -> bool:
    """Return whether the corners are cut off over no floor; those of a box always are."""
    if corner not in (None, "round", "cut"):
        raise ParameterError(f'{source}: corner: expected "round" or "cut", found {corner!r}')
    if corner == "round" and is_closed:
        raise ParameterError(f"{source}: corner: round pockets in a closed box are not drawn")
    if corner == "cut" and kind != "hikone":
        raise ParameterError(
            f'{source}: corner: cut-off corners are drawn for board = "hikone" alone'
        )
    return corner == "cut" and not is_closed


def _within(
    source: str, name: str, value: float | None, bounds: tuple[float, float]
) -> float | None:
    if value is None:
        return None
    least, most = bounds
    if not least <= value <= most:
        raise ParameterError(
            f"{source}: [measured]: {name}: expected {least:g} to {most:g}, found {value!r}"
        )
    return float(value)


def _measured_and_own(
    kind: str, measured: Mapping[str, float], own: Iterable[str]
) -> tuple[str, ...]:
    """Return what is measured and one's own as settings."""
    given = []
    for name, value in measured.items():
        if name in CORNERS:
            given.append(f"closed.{CORNERS[name]}={value}")
        elif name not in _NO_PRINT:
            given.append(f"{kind}.{name}={value}")
    return (*given, *own)


def _with_depths(kind: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the settings, with the depths that follow from them."""
    said = {each.partition("=")[0] for each in given}
    now = {each.name: each.value for each in with_settings(load()[0], given)}
    least = now[f"{kind}.board_thickness_mm"] + least_below_mm(now["beam.module_width_mm"])
    depths = (f"{kind}.beam_depth_mm", f"{kind}.crossed_depth_mm")
    return (*given, *(f"{each}={max(least, now[each]):g}" for each in depths if each not in said))
