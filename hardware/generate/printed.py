"""Which printed parts a build takes, and with them its screws and its plastic."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping

from hardware.generate.builds import BUILDS, Build
from hardware.generate.harness import IN_THE_WALL, harness
from hardware.generate.step import FOLDER
from hardware.prints.catalogue import A_SOCKET, DENSITY_G_CM3, PRINTED, solids
from hardware.prints.parameters import load
from hardware.prints.plates import Plate, plates, threemf

CLIPS = 12
HUB = ("hub_case", "hub_lid")
"""Where no case is bought; at a closed box, whose laths hold these by their ears, none is."""
IN_BOUGHT = ("hub_plate",)
"""Where one is bought."""


def printed(build: Build) -> Mapping[str, int]:
    """Return what is printed for a build, and how many of each; open boards are carrom boards."""
    there = build.counts()
    display = int(bool(there["oled"] or there["oled_spi"]))
    small_box = there["box"] and there["box_button"] <= 2
    seats = there["seat"] + int(bool(small_box))
    box = int(bool(there["box"] and not small_box))
    found = {
        "fit_gauge": 1,
        **_at_pockets(build, there["pocket"]),
        "seat_box": seats,
        "seat_lid": seats,
        "referee_box": box,
        "referee_lid": box,
        "oled_case": display,
        "oled_bezel": display,
        "hub_case": 1,
        "hub_lid": 1,
        "cable_clip": CLIPS,
    }
    return {name: count for name, count in found.items() if count}


def instead(build: Build) -> Mapping[str, int]:
    """Return what is printed in the place of the hub where its case is bought."""
    return {} if build.is_closed else dict.fromkeys(IN_BOUGHT, 1)


def laid_out(build: Build) -> Mapping[str, int]:
    """Return what lies on a build's plates: all but the gauge, which comes first, and the hub."""
    return {name: n for name, n in printed(build).items() if name not in ("fit_gauge", *HUB)}


def on_plates(build: Build) -> Mapping[Plate, int]:
    """Lay out what is printed for a build; give each plate, and how often it is printed."""
    return _plates(laid_out(build))


def _plates(pieces: Mapping[str, int]) -> Mapping[Plate, int]:
    _parameters, sizes = load()
    return plates(pieces, solids(), sizes.print.bed_mm)


def version() -> str:
    """Return the version that files of parts name: the project's."""
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def plate_files() -> Mapping[str, bytes]:
    """Return the plates of all builds and of the hub, by their files' names."""
    laid = {build.name: on_plates(build) for build in BUILDS}
    for name, parts in (("hub", HUB), ("hub-plate", IN_BOUGHT)):
        laid[name] = _plates(dict.fromkeys(parts, 1))
    return {
        f"{name}-{n}.3mf": threemf(plate, solids(), f"Jackspot {name}, plate {n}", version())
        for name, found in laid.items()
        for n, plate in enumerate(found, 1)
    }


FEET = 8
"""Of a board with drawers: two at each side, beside them."""


def _at_pockets(build: Build, pockets: int) -> Mapping[str, int]:
    if not build.corners_cut:
        return {f"carrom_{'crossed' if build.crossed_beams else 'single'}": pockets}
    return {
        "closed_corner": pockets,
        "closed_eye": 2 * pockets,
        "sleeve": 2 * pockets,
        "closed_cover": pockets,
        "closed_drawer": pockets,
        "closed_foot": FEET,
    }


def screws(build: Build) -> Mapping[str, int]:
    """Return the screws of a build's printed parts, and those of the sockets in its hub's wall."""
    in_wall = sum(run.cable.kind in IN_THE_WALL for run in harness(build))
    found: Counter[str] = Counter()
    for name, count in printed(build).items():
        for screw, each in PRINTED[name].screws.items():
            found[screw] += count * each * (in_wall if screw == A_SOCKET else 1)
    return found


def grams(pieces: Mapping[str, int]) -> float:
    """Return what so many pieces weigh, as if they were solid."""
    volume = sum(solids()[name].volume() * count for name, count in pieces.items())
    return float(volume / 1_000 * DENSITY_G_CM3)


def counts(build: Build) -> Mapping[str, float]:
    """Return the screws and the kilograms of a build, by the words of the parts table."""
    bought = {f"screw:{name}": float(count) for name, count in screws(build).items()}
    return {**bought, "kilogram": round(grams(printed(build)) / 1000, 2)}
