"""The builds that ``hardware/`` describes: each is a board's configuration, as a board reads it.

What a build consists of follows from its configuration, so a drawing cannot have what the firmware
does not read. :data:`BUILDS` is in the order of the documents, from the cheapest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hardware.generate.step import FOLDER
from jackspot.config import Config, Sources, load
from jackspot.config.uses import displays_of
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.inputs.cables import Cable, CableKind, cables
from jackspot.inputs.pins import Active, Wire, WireKind
from jackspot.sensing.events import Button, Place


@dataclass(frozen=True)
class Build:
    """One variant of a board: ``name`` is its file in ``hardware/builds/``."""

    name: str
    title: str
    about: str
    is_closed: bool = False
    """Whether the board is a closed box: its parts differ, and its frame is smaller."""
    has_plates: bool = False
    """Whether its corners are cut off as a closed box's, with a plate for want of a floor."""
    like: str = ""
    """The build whose configuration and plates it has, where it has none of its own."""

    @property
    def corners_cut(self) -> bool:
        """Whether its pockets are corners that are cut off."""
        return self.is_closed or self.has_plates

    @cached_property
    def config(self) -> Config:
        """What a board of this build is configured to."""
        return load(Sources((FOLDER / "builds" / f"{self.like or self.name}.toml",)))

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The wires of the pin table that it has."""
        return self.config.wires

    @cached_property
    def cables(self) -> tuple[Cable, ...]:
        """Its cables."""
        return cables(self.wires, displays_of(self.config))

    def of_kind(self, kind: CableKind) -> tuple[Cable, ...]:
        """Return its cables of one kind."""
        return tuple(cable for cable in self.cables if cable.kind is kind)

    @property
    def bare_beams(self) -> bool:
        """Whether its beams are a bare emitter and phototransistor, low while whole."""
        beams = self.config.of_kind(WireKind.BEAM)
        return any(wire.active is Active.HIGH for wire in beams)

    @property
    def crossed_beams(self) -> bool:
        """Whether two beams that cross share the wire of each pocket."""
        return self.config.pins.beam_hold_off_ns > 0

    def counts(self) -> Mapping[str, int]:
        """Return how many there are of what the parts table counts by: whole numbers only."""
        config = self.config
        buttons = [wire.source for wire in self.wires if isinstance(wire.source, Button)]
        lamps = len(config.of_kind(WireKind.LAMP))
        buzzers = len(config.of_kind(WireKind.BUZZER))
        beams = len(config.of_kind(WireKind.BEAM))
        oled = config.of(OledSection).driver is not OledDriver.NONE
        is_spi = config.of(OledSection).interface is OledInterface.SPI
        return {
            "board": 1,
            "pocket": beams,
            "bare_pocket": beams if self.bare_beams else 0,
            "made_beam": 0 if self.bare_beams else beams * (2 if self.crossed_beams else 1),
            "seat": len(self.of_kind(CableKind.SEAT)),
            "box": len(self.of_kind(CableKind.BOX)),
            "box_button": sum(button.place is Place.REFEREE for button in buttons),
            "seat_button": sum(button.place is not Place.REFEREE for button in buttons),
            "input": beams + len(buttons),
            "lamp": lamps,
            "buzzer": buzzers,
            "switched": lamps + buzzers,
            "oled": int(oled and not is_spi),
            "oled_spi": int(oled and is_spi),
            "matrix": int(config.of(MatrixSection).driver != "none"),
            "sign": int(config.of(SignSection).kind is not SignKind.NONE),
            "cable": len(self.cables),
            "closed_box": int(self.is_closed),
            "plate": beams if self.has_plates else 0,
        }


BUILDS: tuple[Build, ...] = (
    Build(
        "pocket-money",
        "Pocket money",
        "four home-made beams, a box with OK and FIX, a phone as the display",
    ),
    Build("least", "Least", "four beams, a box with five buttons, an OLED"),
    Build(
        "full",
        "Full",
        "crossed beams, buttons and a lamp at every seat, box, OLED, buzzer, a serial LED sign",
    ),
    Build(
        "matrix",
        "Matrix",
        "crossed beams, an LED matrix as the scoreboard, box, buttons at two seats, OLED, buzzer",
    ),
    Build(
        "closed-box",
        "Closed box",
        "a Hikone board with a second floor: crossed beams in its corners, a drawer at each, box "
        "with five buttons, OLED",
        is_closed=True,
    ),
)

CUT_CORNERS = Build(
    "cut-corners",
    "Cut corners",
    "the closed box's parts for a Hikone board without a second floor: a plate of plywood below "
    "each corner that is cut off",
    has_plates=True,
    like="closed-box",
)
"""Not among :data:`BUILDS`: it has the configuration of the closed box, and so its wires."""
