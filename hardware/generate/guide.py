"""The guide: from an empty board to the first match, its tables made from those of the build.

``text/guide.md`` has the words, for the build least; ``text/closed-box.md`` those of what is done
otherwise on a closed box, ``text/cut-corners.md`` where it has no floor. Where they say
``{{parts: button, screw_wood 16}}`` stands here what these are and how many the step takes, all of
the build's where none is said, so that the guide names nothing that the bill of materials, the
harness, the prints or the doctor does not know. Heat-shrink tubing is counted by where its sleeves
go: ``shrink @sockets``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from hardware.generate import sensor_hub
from hardware.generate.bom import Line, bill
from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.harness import far_end, harness, near_end
from hardware.generate.parts import parts
from hardware.generate.perfboard import guide_page
from hardware.generate.printed import HUB, grams, instead, laid_out, on_plates, printed, screws
from hardware.generate.sleeves import sleeves
from hardware.generate.step import File, Step, page, text
from hardware.prints import corner, fits
from hardware.prints.boxes import MARKS
from hardware.prints.catalogue import PRINTED, SCREWS
from hardware.prints.parameters import load
from hardware.prints.pocket import sleeve_drill_mm
from jackspot.displays.oled.kind import OledSection
from jackspot.inputs.cables import CableKind
from jackspot.inputs.header import HEADER_PINS
from jackspot.inputs.pins import WireKind
from jackspot.inputs.pins_page import what
from jackspot.ops.doctor.wires import connection
from jackspot.sensing.events import Button, wire_name

LEAST = next(build for build in BUILDS if build.name == "least")
CLOSED_BOX = next(build for build in BUILDS if build.is_closed)

PRINTED_FOR_LEAST: Mapping[str, int] = MappingProxyType(dict(printed(LEAST)))
"""What is printed for the build least on a carrom board; the hub, where none is bought."""

GRAMS_AN_HOUR = 12.0
"""Of plastic, through a nozzle of 0.4 mm: a guess."""

_PLACE = re.compile(r"\{\{(\w+)(?:: ?([^}]*))?\}\}")


class UnknownName(ValueError):
    """The guide names something that no table has."""


def guide(template: str, build: Build = LEAST) -> str:
    """Fill in a guide for a build. UnknownName where it asks for what is not there."""
    return _PLACE.sub(lambda place: _filled(place, build), template)


def _filled(place: re.Match[str], build: Build) -> str:
    kind, said = place[1], (place[2] or "").strip()
    if kind not in _KINDS:
        raise UnknownName(f"guide: {place[0]}: expected one of {', '.join(_KINDS)}")
    return "\n".join(_KINDS[kind](build, said))


def _parts(build: Build, said: str) -> Iterator[str]:
    """Return what a step takes: all of a part or a print, or as many as stand behind its name.

    Behind an ``@`` stands where sleeves of heat-shrink go.
    """
    lines = {line.part.id: line for line in bill(build)}
    pieces = {**printed(build), **instead(build)}
    yield "| part | here | what |"
    yield "|---|---|---|"
    for name, _, asked in (each.partition(" ") for each in said.split(", ")):
        some = _sleeves(build, name, asked[1:]) if asked.startswith("@") else asked
        if name in lines:
            all_of_it, what = lines[name].written(), lines[name].part.name
        elif name in pieces:
            all_of_it, what = f"{pieces[name]}", f"{PRINTED[name].name}, printed"
        else:
            raise UnknownName(
                f"guide: the build {build.name} has no part {name} (see bom/{build.name}.csv)"
            )
        yield f"| `{name}` | {some or all_of_it} | {what} |"


def _amount(build: Build, said: str) -> Iterator[str]:
    """Return how much of a part the build takes."""
    lines = {line.part.id: line for line in bill(build)}
    if said not in lines:
        raise UnknownName(f"guide: amount: the build {build.name} has no part {said}")
    yield lines[said].written()


def _sleeves(build: Build, name: str, where: str) -> str:
    there, part = sleeves(build), parts()[name]
    if where not in there:
        raise UnknownName(f"guide: {name} @{where}: expected one of {', '.join(there)}")
    return Line(part, there[where] * part.per["sleeve"]).written()


def _prints(build: Build, _said: str) -> Iterator[str]:
    yield "| printed part | pieces | how it is printed |"
    yield "|---|---|---|"
    for name, count in printed(build).items():
        part = PRINTED[name]
        only = ", where no case is bought" if instead(build) and name in HUB else ""
        yield f"| [`{name}`](../prints/stl/{name}.stl) | {count}{only} | {part.stands} |"
    for name, count in instead(build).items():
        which = f"| [`{name}`](../prints/stl/{name}.stl) | {count}, where a case is bought"
        yield f"{which} | {PRINTED[name].stands} |"
    laid = _plates(build)
    bed_mm = load()[1].print.bed_mm
    yield f"\nLaid out on beds of {bed_mm:g} mm, as files for a slicer: plates {laid};"
    plate = "; `hub_plate`: [1](../prints/plates/hub-plate-1.3mf)" if instead(build) else ""
    yield f"the hub: [1](../prints/plates/hub-1.3mf), [2](../prints/plates/hub-2.3mf){plate}."
    yield "\n| screw | pieces | what |"
    yield "|---|---|---|"
    for screw, count in screws(build).items():
        yield f"| `{screw}` | {count} | {SCREWS[screw].name} |"


def _others(build: Build, _said: str) -> Iterator[str]:
    """Return what is printed for the other builds on an open board, and their plates."""
    others = [each for each in BUILDS if each != build and not each.is_closed]
    names = dict.fromkeys(name for each in others for name in laid_out(each))
    yield f"| printed part | {' | '.join(each.title for each in others)} |"
    yield f"|---|{'---|' * len(others)}"
    for name in names:
        counts = " | ".join(f"{laid_out(each).get(name, '-')}" for each in others)
        yield f"| [`{name}`](../prints/stl/{name}.stl) | {counts} |"
    yield f"| plates | {' | '.join(map(_plates, others))} |"


def _plates(build: Build) -> str:
    return ", ".join(
        f"[{n}](../prints/plates/{build.like or build.name}-{n}.3mf)"
        + (f" ({times} times)" if times > 1 else "")
        for n, times in enumerate(on_plates(build).values(), 1)
    )


def _colours(_build: Build, _said: str) -> Iterator[str]:
    """Return how many buttons of each colour the open builds have."""
    colour_of = {
        key: colour for colour, key in re.findall(r"(\w+) ([A-Z]+)", parts()["button"].name)
    }
    told = []
    for each in BUILDS:
        keys = [w.source.key.value.upper() for w in each.wires if isinstance(w.source, Button)]
        colours = Counter(colour_of[key] for key in keys)
        ordered = ", ".join(f"{colours[c]} {c}" for c in colour_of.values() if colours[c])
        told.append(f"{each.title.lower()} has {ordered}")
    yield "; ".join(told)


def _hours(build: Build, _said: str) -> Iterator[str]:
    pieces = printed(build)
    hub = grams({name: count for name, count in pieces.items() if name in HUB})
    all_of_it = grams(pieces)
    if not instead(build):
        yield f"some {all_of_it / GRAMS_AN_HOUR:.0f} h of printing"
        return
    yield (
        f"some {(all_of_it - hub) / GRAMS_AN_HOUR:.0f} h of printing, "
        f"or {all_of_it / GRAMS_AN_HOUR:.0f} h with the hub"
    )


def _wires(build: Build, said: str) -> Iterator[str]:
    kinds = [CableKind(kind) for kind in said.split(", ")]
    wires = {wire.name for wire in build.wires}
    yield "| cable | contact | core | carries | on the hub's board | at the far end |"
    yield "|---|---|---|---|---|---|"
    for run in harness(build):
        if run.cable.kind in kinds:
            for core in run.cable.cores:
                carries = f"`{core.signal}`" if core.signal in wires else f"{core.signal}"
                near = near_end(build, run.cable, core.signal)
                far = far_end(build, run.cable, core.signal)
                yield (
                    f"| `{run.cable.name}` | {core.contact} | {run.colour(core)} | {carries} "
                    f"| {near} | {far} |"
                )


def _pins(build: Build, _said: str) -> Iterator[str]:
    yield "| wire | what | pin of the header | GPIO |"
    yield "|---|---|---|---|"
    for wire in build.wires:
        yield f"| `{wire.name}` | {what(wire.name)} | {HEADER_PINS[wire.gpio]} | {wire.gpio} |"


def _marks(_build: Build, _said: str) -> Iterator[str]:
    yield ", ".join(f"{key.upper()} {mark}" for key, mark in MARKS.items())


def _doctor(build: Build, _said: str) -> Iterator[str]:
    """Return the end of what the doctor prints on a sound board: its display, beams and buttons."""
    config = build.config
    yield _line("config", f'board "{config.board.name}"')
    oled = config.of(OledSection)
    yield _line("OLED", f"{oled.driver} at 0x{oled.address:02x} answers")
    for beam in config.of_kind(WireKind.BEAM):
        if beam.name == "pocket_ne":
            yield _line(beam.name, f"broken and whole again, 2 edges ({connection(beam)})")
        else:
            yield _line(beam.name, f"quiet ({connection(beam)})")
    for wire in build.wires:
        if isinstance(wire.source, Button):
            yield _line(wire_name(wire.source), "pressed and let go")


def _closed(_build: Build, said: str) -> Iterator[str]:
    """Return a length of the closed box, in whole millimetres or with a tenth."""
    sizes = load()[1]
    along, up = corner.drill_mm(sizes)
    lengths = {
        "opening": corner.opening_mm(sizes),
        "drill": sleeve_drill_mm(sizes),
        "along": along,
        "up": up,
        "inside": corner.inside_needed_mm(sizes),
        "hangs": corner.hangs_mm(sizes),
        "foot": corner.foot_mm(sizes),
        "foot_at": corner.foot_at_mm(sizes),
        "plate": corner.plate_mm(sizes),
        "thick": sizes.closed.bottom_mm,
        "wall": sizes.closed.wall_mm,
        "screw_near": sizes.closed.wall_mm + corner.plate_screws(sizes)[1][0],
        "screw_far": sizes.closed.wall_mm + corner.plate_screws(sizes)[2][0],
        "up_frame": up - sizes.closed.bottom_mm,
        "below": corner.below_board_mm(sizes),
        "on_feet": fits.below_cut_mm(sizes, 0.0),
    }
    if said not in lengths:
        raise UnknownName(f"guide: closed: {said}: expected one of {', '.join(lengths)}")
    yield f"{round(lengths[said], 1):g} mm"


def _line(name: str, found: str) -> str:
    return f"\N{CHECK MARK}  {name:<14} {found}"


_KINDS: Mapping[str, Callable[[Build, str], Iterator[str]]] = MappingProxyType(
    {
        "parts": _parts,
        "prints": _prints,
        "others": _others,
        "colours": _colours,
        "hours": _hours,
        "wires": _wires,
        "pins": _pins,
        "marks": _marks,
        "doctor": _doctor,
        "closed": _closed,
        "amount": _amount,
        "sensor": lambda _build, said: sensor_hub.table(said),
    }
)


def make() -> Iterator[File]:
    """Return the pages."""
    yield text("guide/README.md", guide(page("guide")))
    yield text("guide/closed-box.md", guide(page("closed-box"), CLOSED_BOX))
    yield text("guide/cut-corners.md", guide(page("cut-corners"), CUT_CORNERS))
    yield text("guide/perfboard.md", guide_page())
    yield text("guide/sensor-hub.md", guide(page("sensor-hub")))


STEP = Step("guide", make, owns=("guide/*.md",))
