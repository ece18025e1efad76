"""The manifest by which catalogues of open hardware find this folder: ``okh.toml``.

Its form is Open Know-How 2.4 (github.com/iop-alliance/OpenKnowHow). Paths are from the manifest's
own folder. ``repo``, the address from which this is to be had, is left to whoever publishes it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from json import dumps

from hardware.generate.additions import ADDITIONS
from hardware.generate.board import DESIGNS
from hardware.generate.builds import BUILDS, CUT_CORNERS
from hardware.generate.quick_card import LANGUAGES
from hardware.generate.step import FOLDER, File, Step, text
from hardware.prints.catalogue import DENSITY_G_CM3, PRINTED, solids

_HEAD = """\
# Open Know-How manifest, made by `make hardware`. Whoever publishes this adds where it is:
# repo = "https://..."
"""

_FUNCTION = (
    "Lets a carom or carrom board keep its own score: light beams under the pockets, buttons, a "
    "display and a Raspberry Pi. Drawn and computed; nothing of it has been built yet."
)


def make() -> Iterator[File]:
    """Return the manifest."""
    yield text("okh.toml", "\n".join([_HEAD, *_board(), *_parts()]))


def _board() -> Iterator[str]:
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    about = {
        "okhv": "2.4",
        "name": "Jackspot board",
        "license": "CERN-OHL-P-2.0",
        "licensor": [each["name"] for each in project["project"]["authors"]],
        "function": _FUNCTION,
        "documentation-language": "en",
        "version": project["project"]["version"],
        "readme": "README.md",
        "technology-readiness-level": "OTRL-3",  # product model developed
        "documentation-readiness-level": "ODRL-2",  # files that can be edited
        "bom": [
            *(f"bom/{build.name}.csv" for build in (*BUILDS, CUT_CORNERS)),
            *(f"bom/{addition.name}.csv" for addition in ADDITIONS),
        ],
        "manufacturing-instructions": [
            "guide/README.md", "guide/closed-box.md", "guide/cut-corners.md",
            "guide/perfboard.md", "guide/sensor-hub.md",
        ],
        "user-manual": [f"quick-card/quick-card-{each}.pdf" for each in LANGUAGES],
        "source": [
            "parts.toml", "prints/parameters.toml", *(f"builds/{b.name}.toml" for b in BUILDS),
        ],
    }  # fmt: skip
    yield from (f"{key} = {dumps(value, ensure_ascii=False)}" for key, value in about.items())
    yield from _table(
        "image", location="plan.svg", depicts="The board from above", tags=["diagram"]
    )


def _parts() -> Iterator[str]:
    for each in DESIGNS:
        order = f"{each.folder}/order/{each.name}"
        yield from _table(
            "part", name=f"Printed {each.name} board", tsdc="PCB",
            source=f"{each.folder}/{each.name}.kicad_pcb",
            export=[f"{order}-gerbers.zip", f"{order}.step"], image=f"{each.folder}/top.png",
        )  # fmt: skip
    for part in PRINTED.values():
        solid = solids()[part.id]
        yield from _table(
            "part", name=part.name, tsdc="3DP",
            source=["prints/catalogue.py", "prints/parameters.toml"],
            export=f"prints/stl/{part.id}.stl", image=f"prints/pictures/{part.id}.png",
            mass=round(solid.volume() / 1_000 * DENSITY_G_CM3),
        )  # fmt: skip
        box = solid.bounding_box()
        yield "\n[part.outer-dimensions]"
        for i, side in enumerate(("width", "depth", "height")):
            yield f"{side} = {round(box[i + 3] - box[i], 1):g}"


def _table(table: str, **values: object) -> Iterator[str]:
    yield f"\n[[{table}]]"
    yield from (f"{key} = {dumps(value, ensure_ascii=False)}" for key, value in values.items())


STEP = Step("okh", make, owns=("okh.toml",))
