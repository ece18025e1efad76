"""The sizes of the printed parts: read from one table, each checked, each with its origin.

``parameters.toml`` says for every size what it is, what it may be, where it comes from and how
to measure it. Nothing here knows a shape. Lengths are millimetres, angles degrees.
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.values import changed

TABLE = Path(__file__).with_name("parameters.toml")


class ParameterError(ValueError):
    """A size that cannot be used; says which, what was expected, and what to do."""


class Origin(StrEnum):
    """Where a size comes from, the surest first."""

    MEASURED = "measured"
    RULE_BOOK = "rule book"
    DATA_SHEET = "data sheet"
    RECALLED = "recalled"
    """A maker says it, but nobody looked it up for this table."""
    CHOSEN = "chosen"
    GUESS = "guess"


class Parameter(Struct, frozen=True):
    """One size: its value, what it may be, where it comes from, and how to know better."""

    name: str
    value: float
    least: float
    most: float
    origin: Origin
    why: str


class Board(Struct, frozen=True):
    """A board and the pieces that fall through its pockets."""

    pocket_diameter_mm: float
    board_thickness_mm: float
    beam_depth_mm: float
    crossed_depth_mm: float
    room_beside_mm: float
    room_below_mm: float
    smallest_piece_mm: float
    largest_piece_mm: float
    thinnest_piece_mm: float

    def depth_mm(self, beams: int) -> float:
        """From the playing surface to the beam of a bracket for one, or for two that cross."""
        return self.beam_depth_mm if beams == 1 else self.crossed_depth_mm

    def below_mm(self, beams: int) -> float:
        """From the underside of the board to the same."""
        return self.depth_mm(beams) - self.board_thickness_mm


class Print(Struct, frozen=True):
    """What printing needs."""

    wall_mm: float
    floor_mm: float
    ear_mm: float
    screw_mm: float
    fit_mm: float
    bed_mm: float

    @property
    def reach_mm(self) -> float:
        """How far a wood screw reaches into the wood."""
        return self.screw_mm - self.ear_mm


class Beam(Struct, frozen=True):
    """Emitter and receiver, and how they are held."""

    led_mm: float
    led_length_mm: float
    rim_mm: float
    rim_length_mm: float
    module_width_mm: float
    module_depth_mm: float
    aperture_mm: float
    crossed_aperture_mm: float
    recess_mm: float
    crossed_recess_mm: float
    pocket_gap_mm: float
    skirt_mm: float

    def stands_back_mm(self, beams: int) -> float:
        """How far the lenses stand back in a bracket for one beam, or for two that cross."""
        return self.recess_mm if beams == 1 else self.crossed_recess_mm

    def opening_mm(self, beams: int) -> float:
        """How wide the hole before a lens is, in a bracket for one beam or for two that cross."""
        return self.aperture_mm if beams == 1 else self.crossed_aperture_mm

    def light_share(self, beams: int) -> float:
        """Which share of the light passes the holes before both lenses, each a part of its lens."""
        return (min(1.0, self.opening_mm(beams) / self.led_mm) ** 2) ** 2


class Chute(Struct, frozen=True):
    """The chute that leads pieces through one beam."""

    slope_deg: float
    clearance_mm: float
    beam_height_mm: float
    felt_mm: float
    bounce: float


class Box(Struct, frozen=True):
    """Button boxes."""

    ok_hole_mm: float
    small_hole_mm: float
    ok_rim_mm: float
    small_rim_mm: float
    button_depth_mm: float
    lamp_hole_mm: float
    cable_mm: float
    mark_height_mm: float


class Oled(Struct, frozen=True):
    """The display's module."""

    board_width_mm: float
    board_height_mm: float
    board_depth_mm: float
    window_width_mm: float
    window_height_mm: float
    window_up_mm: float


class Hub(Struct, frozen=True):
    """The case of the computer and of the board beside it."""

    post_mm: float
    room_mm: float
    socket_mm: float
    socket_screws_mm: float
    socket_depth_mm: float
    plug_mm: float
    case_width_mm: float
    case_depth_mm: float
    case_height_mm: float
    case_floor_mm: float
    notch_mm: float


class Closed(Struct, frozen=True):
    """A board with a second floor and triangles for pockets; wood and pieces are hikone's."""

    leg_mm: float
    inside_mm: float
    wall_mm: float
    bottom_mm: float
    drawer_mm: float
    drawer_gap_mm: float


class Sizes(Struct, frozen=True):
    """All sizes, by what they are of."""

    carrom: Board
    hikone: Board
    closed: Closed
    print: Print
    beam: Beam
    chute: Chute
    box: Box
    oled: Oled
    hub: Hub

    @property
    def boards(self) -> Mapping[str, Board]:
        """The boards by name."""
        return {"carrom": self.carrom, "hikone": self.hikone}


_GROUPS: Mapping[str, type[Any]] = {
    "carrom": Board,
    "hikone": Board,
    "closed": Closed,
    "print": Print,
    "beam": Beam,
    "chute": Chute,
    "box": Box,
    "oled": Oled,
    "hub": Hub,
}
_KEYS = {"value", "range", "from", "why"}


def read_table(text: str, source: str = TABLE.name) -> tuple[Parameter, ...]:
    """Read the table of sizes, in its order; ParameterError names the first mistake in it."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"{source}: not TOML: {error}") from None
    found = tuple(_parameters(table, source))
    wanted = [
        f"{group}.{name}" for group, kind in _GROUPS.items() for name in kind.__struct_fields__
    ]
    names = [each.name for each in found]
    if missing := [name for name in wanted if name not in names]:
        raise ParameterError(f"{source}: {missing[0]} is missing; add it as [{missing[0]}]")
    for name in names:
        if name not in wanted:
            raise _unknown(name, wanted, source)
    return found


def _parameters(table: Mapping[str, Any], source: str) -> Iterator[Parameter]:
    for group, entries in table.items():
        if not isinstance(entries, dict):
            raise ParameterError(f"{source}: {group}: expected a table [{group}.SIZE]")
        for name, entry in entries.items():
            yield _parameter(f"{group}.{name}", entry, source)


def _parameter(name: str, entry: object, source: str) -> Parameter:
    if not isinstance(entry, dict) or set(entry) != _KEYS:
        raise ParameterError(f"{source}: {name}: expected exactly {', '.join(sorted(_KEYS))}")
    bounds = entry["range"]
    if not (isinstance(bounds, list) and len(bounds) == 2 and all(map(_is_number, bounds))):
        raise ParameterError(f"{source}: {name}: range: expected two numbers, found {bounds!r}")
    if entry["from"] not in list(Origin):
        kinds = ", ".join(Origin)
        raise ParameterError(f"{source}: {name}: from: {entry['from']!r} is none of {kinds}")
    if not (isinstance(entry["why"], str) and entry["why"].strip()):
        raise ParameterError(f"{source}: {name}: why: say where it comes from")
    parameter = Parameter(
        name, 0.0, float(bounds[0]), float(bounds[1]), Origin(entry["from"]), entry["why"]
    )
    return _valued(parameter, entry["value"], source)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _valued(parameter: Parameter, value: object, source: str) -> Parameter:
    if not _is_number(value):
        raise ParameterError(f"{source}: {parameter.name}: expected a number, found {value!r}")
    assert isinstance(value, int | float)
    if not parameter.least <= value <= parameter.most:
        raise ParameterError(
            f"{source}: {parameter.name} = {value:g} is outside {parameter.least:g} to "
            f"{parameter.most:g}, which is what the parts can be built for"
        )
    return changed(parameter, value=float(value))


def _unknown(name: str, wanted: Iterable[str], source: str) -> ParameterError:
    near = difflib.get_close_matches(name, list(wanted), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return ParameterError(f"{source}: there is no size {name}{hint}")


def with_settings(
    parameters: Iterable[Parameter], settings: Iterable[str], source: str = "--set"
) -> tuple[Parameter, ...]:
    """Change sizes by ``NAME=VALUE`` as people type them on the command line.

    ``source`` is where a mistake is reported to be.
    """
    changed = {each.name: each for each in parameters}
    for setting in settings:
        name, equals, said = setting.partition("=")
        if not equals:
            raise ParameterError(f"{source} {setting}: expected NAME=VALUE")
        if name not in changed:
            raise _unknown(name, changed, source)
        try:
            value: object = float(said)
        except ValueError:
            value = said
        changed[name] = _valued(changed[name], value, source)
    return tuple(changed.values())


def sizes_of(parameters: Iterable[Parameter], kind: str = "") -> Sizes:
    """Sort the sizes by what they are of, and look whether they go together.

    With ``kind`` only those of one board must: nothing is made for the other.
    """
    values: dict[str, dict[str, float]] = {group: {} for group in _GROUPS}
    for each in parameters:
        group, _dot, name = each.name.partition(".")
        values[group][name] = each.value
    sizes = Sizes(**{group: made(**values[group]) for group, made in _GROUPS.items()})
    for name, board in sizes.boards.items():
        if kind in ("", name):
            _check_board(name, board, sizes.beam)
            _check_screws(name, board, sizes.print)
            _check_chute(name, board, sizes)
    _check_beam(sizes.beam)
    return sizes


def _check_chute(name: str, board: Board, sizes: Sizes) -> None:
    chute, half = sizes.chute, sizes.beam.aperture_mm / 2
    top = chute.felt_mm + board.thinnest_piece_mm
    if chute.beam_height_mm + half > top:
        raise ParameterError(
            f"chute.beam_height_mm = {chute.beam_height_mm:g}: the beam reaches above a piece "
            f"of {name} that lies on the felt ({top:g}); make it at most {top - half:g}"
        )


def least_below_mm(module_width_mm: float) -> float:
    """Return how far below the wood a beam must be, at the least, for its holder's sake."""
    return module_width_mm / 2 + 3


def _check_board(name: str, board: Board, beam: Beam) -> None:
    if board.smallest_piece_mm > board.largest_piece_mm:
        raise ParameterError(f"{name}: smallest_piece_mm is larger than largest_piece_mm")
    if board.largest_piece_mm >= board.pocket_diameter_mm:
        raise ParameterError(
            f"{name}: a piece of {board.largest_piece_mm:g} mm does not fall through a pocket of "
            f"{board.pocket_diameter_mm:g} mm; measure both again"
        )
    least = least_below_mm(beam.module_width_mm)
    for beams, what, size in (
        (1, "the beam", "beam_depth_mm"),
        (2, "the crossed beams", "crossed_depth_mm"),
    ):
        if round(board.below_mm(beams), 3) < round(least, 3):
            raise ParameterError(
                f"{name}: {what} would be {board.below_mm(beams):g} mm below the board's "
                f"underside, and the bracket needs {least:g}; make {size} at least "
                f"{board.board_thickness_mm + least:g}"
            )


WOOD_LEFT_MM = 1.5
"""What must stay of the wood before a screw's point."""

HOLDS_MM = 4.0
"""How far a wood screw must reach to hold."""


def _check_screws(name: str, board: Board, printed: Print) -> None:
    most = board.board_thickness_mm - WOOD_LEFT_MM
    if printed.reach_mm > most:
        raise ParameterError(
            f"{name}: screws of {printed.screw_mm:g} mm go {printed.reach_mm:g} mm into wood of "
            f"{board.board_thickness_mm:g} mm, of which {WOOD_LEFT_MM:g} mm must stay; make "
            f"print.screw_mm at most {printed.ear_mm + most:g}, or print.ear_mm at least "
            f"{printed.screw_mm - most:g}"
        )
    if printed.reach_mm < HOLDS_MM:
        raise ParameterError(
            f"print.screw_mm = {printed.screw_mm:g} reaches {printed.reach_mm:g} mm into the wood, "
            f"and {HOLDS_MM:g} hold; make it at least {printed.ear_mm + HOLDS_MM:g}"
        )


def _check_beam(beam: Beam) -> None:
    if beam.led_mm not in (3.0, 5.0):
        raise ParameterError(f"beam.led_mm = {beam.led_mm:g}: expected 3 or 5")
    for beams, name in ((1, "aperture_mm"), (2, "crossed_aperture_mm")):
        if beam.opening_mm(beams) >= beam.led_mm:
            raise ParameterError(
                f"beam.{name} = {beam.opening_mm(beams):g} must be smaller than led_mm = "
                f"{beam.led_mm:g}, so that the lens has a shoulder to rest on"
            )
    if beam.rim_mm <= beam.led_mm:
        raise ParameterError(f"beam.rim_mm = {beam.rim_mm:g} must be larger than led_mm")


def load(settings: Iterable[str] = (), kind: str = "") -> tuple[tuple[Parameter, ...], Sizes]:
    """Read the table beside this module, with some sizes changed, for one board or for all."""
    parameters = with_settings(read_table(TABLE.read_text(encoding="utf-8")), settings)
    return parameters, sizes_of(parameters, kind)
