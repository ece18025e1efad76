"""A hub reduced to its lines, for tests of the code that hears it."""

from __future__ import annotations

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import DiscPeak
from jackspot.sensor_link.protocol.hearing import PROGRAM
from jackspot.sensor_link.protocol.lines import (
    SEQUENCES,
    HubFrame,
    HubHealth,
    HubHello,
    HubKnock,
    HubLevels,
    HubLine,
    HubMessage,
    write_line,
)

LEVELS = HubLevels(400, 900)
FRAME = HubFrame(Pocket.NE, 250, 8123, 640, 511, 233)
KNOCK = HubKnock(1_000, (DiscPeak(812, 0), DiscPeak(130, 220), DiscPeak(95, 340), DiscPeak(0, 0)))
HEALTH = HubHealth(212, 0, 0)


def hello(hub: str = "e6614c311b7e8f35", program: int = PROGRAM) -> HubHello:
    return HubHello(hub, program, tuple(Pocket), tuple(Seat), LEVELS)


class Speaking:
    """Numbers and stamps what a hub says."""

    def __init__(self, tag: str = "3fa9", sequence: int = 0) -> None:
        self.tag = tag
        self.sequence = sequence

    def line(self, message: HubMessage, ticks_us: int) -> bytes:
        data = write_line(HubLine(self.tag, self.sequence, ticks_us, message))
        self.sequence = (self.sequence + 1) % SEQUENCES
        return data
