"""What ``make hardware`` makes of the prints: models, their page, and pictures."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.generate.printed import plate_files
from hardware.generate.step import File, Step, text
from hardware.prints import head_scenes
from hardware.prints.catalogue import PRINTED, solids
from hardware.prints.models import look_of, png, shape_of, stl
from hardware.prints.page import page
from hardware.prints.plates import laid_of
from hardware.prints.render import PRINTED as PLASTIC, Thing, View, picture
from hardware.prints.scenes import SCENES

PART_PICTURE = (300, 225)


def make_models() -> Iterator[File]:
    """Return the models and their page."""
    yield text("prints/README.md", page())
    for part in PRINTED.values():
        yield File(f"prints/stl/{part.id}.stl", stl(solids()[part.id]), shape_of)
    for path, plate in plate_files().items():
        yield File(f"prints/plates/{path}", plate, laid_of)


def make_pictures() -> Iterator[File]:
    """Return a picture of each part, and the guide's."""
    for part in PRINTED.values():
        view = View(part.turn_deg, 40.0)
        drawn = picture([Thing(solids()[part.id], PLASTIC)], view, PART_PICTURE)
        yield File(f"prints/pictures/{part.id}.png", png(drawn), look_of)
    for name, draw in (*SCENES.items(), *head_scenes.SCENES.items()):
        yield File(f"guide/pictures/{name}.png", png(draw()), look_of)


MODELS = Step(
    "prints", make_models, owns=("prints/README.md", "prints/stl/*.stl", "prints/plates/*.3mf")
)
PICTURES = Step(
    "pictures",
    make_pictures,
    owns=("prints/pictures/*.png", "guide/pictures/*.png"),
    slow=True,
)
