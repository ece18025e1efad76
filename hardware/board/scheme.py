"""A board's schematic as KiCad 9 reads it, so that its electrical rules can be checked.

Every part is a box with its pads, and at each pad stands the name of its net: more a table than a
drawing. What a pad is (an output, a supply, an open collector) is known of the parts that are more
than two legs; KiCad then finds outputs that meet, inputs that nothing drives and supplies from
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.board.design import KINDS, BoardPart, Design, unique_id
from hardware.board.shapes import Pad, pads_of

_STEP_MM = 2.54
_COLUMN_MM, _BOTTOM_MM = 60.96, 381.0
"""How far columns are apart, and where one ends; a sheet of A2 has room for the hub's."""
_SMALL = "(effects (font (size 1.27 1.27)))"
_LEFT = "(effects (font (size 1.27 1.27)) (justify left))"
_RIGHT = "(effects (font (size 1.27 1.27)) (justify right))"


def _pins(what: str, *pads: int) -> dict[str, str]:
    return {str(pad): what for pad in pads}


_GATES = _pins("output", 3, 6, 8, 11) | _pins("power_in", 7, 14)
_TYPES: Mapping[str, Mapping[str, str]] = {
    "header": _pins("bidirectional", *range(1, 41))
    | _pins("passive", 1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39),
    "xor": _GATES | _pins("input", 1, 2, 4, 5, 9, 10, 12, 13),
    "shifter": _GATES | _pins("input", 1, 2, 4, 5, 9, 10, 12, 13),
    "driver": _pins("input", *range(1, 9)) | _pins("power_in", 9)
    | _pins("open_collector", *range(11, 19)),
    "multiplexer": _pins("input", 6, 9, 10, 11) | _pins("power_in", 7, 8, 16),
    "eeprom": _pins("input", 1, 2, 3, 6, 7) | _pins("power_in", 4, 8) | _pins("bidirectional", 5),
    "pico": _pins("bidirectional", 1, 2, 4, 5, 6, 9, 10, 11, 31) | _pins("power_in", 39)
    | _pins("power_out", 36),
    "amplifier": _pins("output", 1) | _pins("power_in", 2, 5) | _pins("input", 3, 4),
    "npn": _pins("input", 1) | _pins("open_collector", 3),
}  # fmt: skip
"""What pads are that are not passive, by the kind of part."""

_FLAG = "flag"
"""Tells KiCad that a net is a supply that comes in by a passive pad."""


def scheme(design: Design) -> str:
    """Return the schematic's file."""
    root = unique_id(f"{design.name}/whole")
    lines = [f'(kicad_sch (version 20250114) (generator "jackspot") (generator_version "9.0")'
             f' (uuid "{root}") (paper "A2")', "  (lib_symbols"]  # fmt: skip
    for kind in dict.fromkeys(part.part for part in design.parts):
        lines += _symbol(kind, KINDS[kind].letter, [pad.name for pad in _pads(kind)])
    lines += [*_symbol(_FLAG, "#FLG", ["1"]), "  )"]
    x, y = 50.8, 25.4
    for part in (*design.parts, *_flags(design)):
        names = ["1"] if part.part == _FLAG else [pad.name for pad in _pads(part.part)]
        high = (len(names) + 2) * _STEP_MM
        if y + high > _BOTTOM_MM:
            x, y = x + _COLUMN_MM, 25.4
        lines += _placed(design, part, names, (x, y), root)
        y += high
    return "\n".join([*lines, '  (sheet_instances (path "/" (page "1")))', ")", ""])


def _pads(kind: str) -> list[Pad]:
    """Return the pads of a part, each name once; a hole without copper is none."""
    return list({pad.name: pad for pad in pads_of(kind) if pad.name}.values())


def _flags(design: Design) -> Iterator[BoardPart]:
    """Yield a flag for each supply that no part is known to give."""
    given = {
        part.nets.get(pad)
        for part in design.parts
        for pad, what in _TYPES.get(part.part, {}).items()
        if what == "power_out"
    }
    supplies = [net for net in design.nets() if net.startswith(("GND", "5V", "3V3"))]
    for i, net in enumerate(net for net in supplies if net not in given):
        yield BoardPart(f"#FLG{i + 1}", _FLAG, "", {"1": net})


def _symbol(kind: str, letter: str, names: list[str]) -> Iterator[str]:
    low = -len(names) * _STEP_MM
    yield f'    (symbol "jackspot:{kind}" (in_bom yes) (on_board yes)'
    yield f'      (property "Reference" "{letter}" (at 0 0 0) {_SMALL})'
    yield f'      (property "Value" "{kind}" (at 0 0 0) {_SMALL})'
    yield (f'      (symbol "{kind}_0_1" (rectangle (start 0 {_STEP_MM:g}) (end 10.16 {low:g})'
           " (stroke (width 0.254) (type default)) (fill (type background))))")  # fmt: skip
    yield f'      (symbol "{kind}_1_1"'
    for i, name in enumerate(names):
        what = "power_out" if kind == _FLAG else _TYPES.get(kind, {}).get(name, "passive")
        yield (f"        (pin {what} line (at -2.54 {-i * _STEP_MM:g} 0) (length 2.54)"
               f' (name "{name}" {_SMALL}) (number "{name}" {_SMALL}))')  # fmt: skip
    yield "      ))"


def _placed(
    design: Design, part: BoardPart, names: list[str], at: tuple[float, float], root: str
) -> Iterator[str]:
    x, y = at
    value = "supply" if part.part == _FLAG else KINDS[part.part].value
    footprint = "" if part.part == _FLAG else KINDS[part.part].footprint
    start = f"{design.name}/{part.ref}"
    yield (f'  (symbol (lib_id "jackspot:{part.part}") (at {x:g} {y:g} 0) (unit 1) (in_bom yes)'
           f' (on_board yes) (uuid "{unique_id(start)}")')  # fmt: skip
    yield f'    (property "Reference" "{part.ref}" (at {x + 11.43:g} {y:g} 0) {_LEFT})'
    yield f'    (property "Value" "{value}" (at {x + 11.43:g} {y + _STEP_MM:g} 0) {_LEFT})'
    yield f'    (property "Footprint" "{footprint}" (at {x:g} {y:g} 0) (hide yes) {_SMALL})'
    yield (f'    (instances (project "{design.name}" (path "/{root}"'
           f' (reference "{part.ref}") (unit 1)))))')  # fmt: skip
    for i, name in enumerate(names):
        place = f"(at {x - 2.54:g} {y + i * _STEP_MM:g}"
        mark = f'(uuid "{unique_id(f"{start}.{name}")}")'
        if net := part.nets.get(name):
            yield f'  (global_label "{net}" (shape passive) {place} 180) {_RIGHT} {mark})'
        else:
            yield f"  (no_connect {place}) {mark})"
