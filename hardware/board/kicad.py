"""A board as KiCad 9 reads it: footprints at their places, tracks, and ground on both sides."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from hardware.board.design import GROUND, KINDS, Design, broad, unique_id
from hardware.board.route import (
    CLEARANCE_MM,
    STEP_MM,
    THIN_MM,
    VIA_MM,
    WIDE_MM as BROAD_MM,
    Land,
    Router,
    Way,
)
from hardware.board.shapes import Pad, outline_of, pads_of
from hardware.board.silk import LINE_MM, Silk, Text, turned

_LAYERS = ("F.Cu", "B.Cu")


def lands(design: Design) -> Iterator[Land]:
    """Yield every pad and hole of the board."""
    for part in design.parts:
        x, y, turn = design.places[part.ref]
        for pad in pads_of(part.part):
            dx, dy = turned(pad.x, pad.y, turn)
            wide, high = (pad.wide, pad.high) if turn % 180 == 0 else (pad.high, pad.wide)
            net = part.nets.get(pad.name, "") if pad.name else ""
            extra = 0.05 if not pad.name else 0.0
            both = (0, 1) if pad.drill else (0,)
            yield Land(net, x + dx, y + dy, wide / 2 + extra, high / 2 + extra, both)
    for x, y, drill in design.holes:
        yield Land("", x, y, drill / 2 + 0.9, drill / 2 + 0.9, (0, 1))


@cache
def printed(design: Design) -> Silk:
    """Return what is printed on the board beside its pads."""
    return Silk(design, lands(design))


def route(design: Design) -> Router:
    """Return the board with its tracks. RuntimeError where a net finds no way."""
    router = Router(
        design.wide_mm,
        design.high_mm,
        lands(design),
        [net for net in design.nets() if broad(net)],
    )
    if left := router.run():
        raise RuntimeError(f"no way for {', '.join(left)}: move parts apart")
    return router


def board(design: Design, paths: Mapping[str, Sequence[Way]]) -> str:
    """Return the board's file with these tracks."""
    wide, high = design.wide_mm, design.high_mm
    numbers = {net: i + 1 for i, net in enumerate(design.nets())}
    lines = ['(kicad_pcb (version 20241229) (generator "jackspot") (generator_version "9.0")',
             "  (general (thickness 1.6))", '  (paper "A4")',
             '  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (9 "F.Adhes" user) (11 "B.Adhes" user)'
             ' (13 "F.Paste" user) (15 "B.Paste" user) (5 "F.SilkS" user) (7 "B.SilkS" user)'
             ' (1 "F.Mask" user) (3 "B.Mask" user) (25 "Edge.Cuts" user) (31 "F.CrtYd" user)'
             ' (29 "B.CrtYd" user) (35 "F.Fab" user) (33 "B.Fab" user))',
             f"  (setup (pad_to_mask_clearance 0.05) (aux_axis_origin 0 {high:g}))",
             '  (net 0 "")']  # fmt: skip
    lines += [f'  (net {number} "{net}")' for net, number in numbers.items()]
    silk = printed(design)
    lines += _footprints(design, numbers, silk.names)
    lines += _printed(silk)
    lines.append(
        f"  (gr_rect (start 0 0) (end {wide:g} {high:g}) (stroke (width 0.1) (type solid))"
        f' (fill no) (layer "Edge.Cuts") (uuid "{unique_id("edge")}"))'
    )
    for net, ways in sorted(paths.items()):
        for way in ways:
            lines += _tracks(net, numbers[net], way)
    for layer in _LAYERS:
        a, b, c, d = 0.5, 0.5, wide - 0.5, high - 0.5
        lines.append(
            f'  (zone (net {numbers[GROUND]}) (net_name "{GROUND}") (layer "{layer}")'
            f' (uuid "{unique_id("zone" + layer)}") (hatch edge 0.5) (connect_pads (clearance 0.2))'
            " (min_thickness 0.25) (fill yes (thermal_gap 0.3) (thermal_bridge_width 0.4))"
            f" (polygon (pts (xy {a} {b}) (xy {c:g} {b}) (xy {c:g} {d:g}) (xy {a} {d:g}))))"
        )
    return "\n".join([*lines, ")", ""])


def project(design: Design) -> str:
    """Return the file of the design rules, which are those of makers of cheap boards."""
    rules = {
        "min_clearance": CLEARANCE_MM,
        "min_track_width": THIN_MM,
        "min_via_diameter": VIA_MM,
        "min_via_annular_width": 0.15,
        "min_through_hole_diameter": 0.3,
        "min_copper_edge_clearance": 0.4,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_silk_clearance": 0.0,
        "min_text_height": 0.8,
        "min_text_thickness": 0.12,
        "min_resolved_spokes": 1,
    }
    ignored = {"lib_footprint_issues": "ignore", "lib_footprint_mismatch": "ignore"}
    no_libraries = {"lib_symbol_issues": "ignore", "footprint_link_issues": "ignore"}
    ways = {"name": "Default", "clearance": CLEARANCE_MM, "track_width": THIN_MM,
            "via_diameter": VIA_MM, "via_drill": 0.3, "priority": 2147483647}  # fmt: skip
    return (
        json.dumps(
            {
                "board": {"design_settings": {"rules": rules, "rule_severities": ignored}},
                "erc": {"rule_severities": no_libraries},
                "meta": {"filename": f"{design.name}.kicad_pro", "version": 3},
                "net_settings": {"classes": [ways], "meta": {"version": 4}},
            },
            indent=2,
        )
        + "\n"
    )


def _printed(silk: Silk) -> Iterator[str]:
    stroke = f"(stroke (width {LINE_MM}) (type solid))"
    for x, y, x2, y2 in silk.lines:
        yield (f"  (gr_line (start {x:.2f} {y:.2f}) (end {x2:.2f} {y2:.2f}) {stroke}"
               ' (layer "F.SilkS"))')  # fmt: skip
    for x, y in silk.dots:
        yield (f"  (gr_circle (center {x:.2f} {y:.2f}) (end {x + 0.2:.2f} {y:.2f}) {stroke}"
               ' (fill yes) (layer "F.SilkS"))')  # fmt: skip
    for text in silk.texts:
        yield (f'  (gr_text "{text.said}" (at {text.x:g} {text.y:g} {text.turn})'
               f' (layer "F.SilkS") {_effects(text.size)})')  # fmt: skip
    for text in silk.below:
        yield (f'  (gr_text "{text.said}" (at {text.x:g} {text.y:g} {text.turn})'
               f' (layer "B.SilkS") {_effects(text.size, " (justify mirror)")})')  # fmt: skip


def _effects(size: float, more: str = "") -> str:
    return f"(effects (font (size {size} {size}) (thickness {0.15 * size:.2f})){more})"


def _footprints(
    design: Design, numbers: dict[str, int], names: Mapping[str, Text]
) -> Iterator[str]:
    for part in design.parts:
        x, y, turn = design.places[part.ref]
        kind = KINDS[part.part]
        through = any(pad.drill for pad in pads_of(part.part))
        at = f"(at {x:g} {y:g} {turn})"
        yield f'  (footprint "{kind.footprint}" (layer "F.Cu") (uuid "{unique_id(part.ref)}") {at}'
        name = names[part.ref]
        dx, dy = turned(name.x - x, name.y - y, -turn)
        yield (f'    (property "Reference" "{part.ref}" (at {dx:.2f} {dy:.2f} {name.turn})'
               f' (layer "F.SilkS") {_effects(name.size)})')  # fmt: skip
        yield (f'    (property "Value" "{kind.value}" (at 0 0 {turn}) (layer "F.Fab")'
               f" {_effects(0.8)})")  # fmt: skip
        left, top, right, bottom = outline_of(part.part)
        yield (f"    (fp_rect (start {left - 0.25:g} {top - 0.25:g})"
               f" (end {right + 0.25:g} {bottom + 0.25:g}) (stroke (width 0.05) (type solid))"
               ' (fill no) (layer "F.CrtYd"))')  # fmt: skip
        yield f"    (attr {'through_hole' if through else 'smd'})"
        for pad in pads_of(part.part):
            yield "    " + _pad(pad, turn, part.nets.get(pad.name), numbers)
        yield "  )"
    for i, (x, y, drill) in enumerate(design.holes):
        yield (f'  (footprint "MountingHole" (layer "F.Cu") (uuid "{unique_id(f"hole{i}")}")'
               f" (at {x:g} {y:g})"
               " (attr exclude_from_pos_files exclude_from_bom)")  # fmt: skip
        yield "    " + _pad(Pad("", 0, 0, drill, drill, drill), 0, None, numbers)
        yield "  )"


def _pad(pad: Pad, turn: int, net: str | None, numbers: dict[str, int]) -> str:
    where = f"(at {pad.x:g} {pad.y:g} {turn}) (size {pad.wide:g} {pad.high:g})"
    on = f' (net {numbers[net]} "{net}")' if net else ""
    if not pad.name:
        return (
            f'(pad "" np_thru_hole circle {where} (drill {pad.drill:g}) (layers "*.Cu" "*.Mask"))'
        )
    if pad.drill:
        shape = "rect" if pad.name == "1" else "oval"
        return (f'(pad "{pad.name}" thru_hole {shape} {where} (drill {pad.drill:g})'
                f' (layers "*.Cu" "*.Mask"){on})')  # fmt: skip
    return f'(pad "{pad.name}" smd rect {where} (layers "F.Cu" "F.Mask" "F.Paste"){on})'


def _tracks(net: str, number: int, path: Way) -> Iterator[str]:
    wide = BROAD_MM if broad(net) else THIN_MM
    start = 0
    for i in range(1, len(path)):
        last = i + 1 == len(path)
        here, before = path[i], path[i - 1]
        way = tuple(b - a for a, b in zip(before, here, strict=True))
        onward = None if last else tuple(b - a for a, b in zip(here, path[i + 1], strict=True))
        if onward == way:
            continue
        (layer, row, column), (_, row2, column2) = path[start], here
        x, y, x2, y2 = (each * STEP_MM for each in (column, row, column2, row2))
        if way[0]:
            yield (f'  (via (at {x2:g} {y2:g}) (size {VIA_MM}) (drill 0.3) (layers "F.Cu" "B.Cu")'
                   f' (net {number}))')  # fmt: skip
        else:
            yield (f"  (segment (start {x:g} {y:g}) (end {x2:g} {y2:g}) (width {wide})"
                   f' (layer "{_LAYERS[layer]}") (net {number}))')  # fmt: skip
        start = i
