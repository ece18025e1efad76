"""``[matrix]`` of the config, and the LED matrix made from it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from jackspot.displays.kind import DisplayKind, Mount
from jackspot.settings.section import Section
from jackspot.settings.values import Bus, Form, SpiHertz, Whole

if TYPE_CHECKING:
    from jackspot.displays.thread import Display


class MatrixSection(Section, frozen=True):
    """``[matrix]``: an LED matrix of 8x8 modules as the scoreboard."""

    driver: Literal["max7219", "none"] = "none"
    """The modules' controller; none: there is no matrix."""
    columns: Annotated[int, Form(Whole(4, 8))] = 4
    """Modules beside each other; the chain begins at the upper left, seen from the front."""
    rows: Literal[1, 2] = 1
    """Rows of modules."""
    turn: Literal[0, 90, 180, 270] = 0
    """Degrees by which each module is turned clockwise."""
    reverse: bool = False
    """The chain begins at the right."""
    snake: bool = False
    """The second row runs the other way."""
    rotate: Literal[0, 180] = 0
    """Degrees; 180 for a panel that is mounted upside down."""
    intensity: Annotated[int, Form(Whole(0, 15))] = 4
    """Full brightness; 15 needs a strong supply."""
    port: Bus = 0
    """The number of its SPI bus."""
    device: Literal[0, 1] = 0
    """The chip select: 0 on GPIO 8, 1 on GPIO 7."""
    bus_speed_hz: SpiHertz = 1_000_000
    """The speed of the bus."""


def _make(mount: Mount) -> Display | None:
    matrix = mount.of(MatrixSection)
    if matrix.driver == "none":
        return None
    from jackspot.displays.matrix.driver import LedMatrix, Panel, SpiBus

    panel = Panel(
        matrix.columns, matrix.rows, matrix.turn, matrix.reverse, matrix.snake,
        upside_down=bool(matrix.rotate),
    )  # fmt: skip
    return LedMatrix(
        panel,
        SpiBus(matrix.port, matrix.device, matrix.bus_speed_hz),
        intensity=matrix.intensity,
        clock=mount.clock,
        serial_factory=mount.buses.get("matrix"),
    )


MATRIX = DisplayKind("matrix", MappingProxyType({"matrix": MatrixSection}), _make)
