"""The sensor hub of the simulated table: its own program, behind a pseudo terminal.

It runs what a Pico runs: the same lines, the same lights in turn, the same search for knocks.
Only its pins are missing: what its discs read is computed from the blows that the board takes
(:mod:`jackspot_sim.sensing.knocks`), and what its heads see from what breaks the beams
(:mod:`jackspot_sim.sensing.heads`).

Theory of operation. A blow is kept, and shortly afterwards the milliseconds up to then are gone
through. Lines are written when they are due by the table's time, so a table that runs fast has a
hub that is as fast. A table that jumps ahead as fast as it can has none, since a serial line takes
real time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import ColourSeen, Pulse
from jackspot.sensing.limits import SECOND
from jackspot_sim.chance.pulses import Edges
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.serial_cable import SerialCable, link_to
from jackspot_sim.physics.discs import Blow
from jackspot_sim.sensing.heads import HEADS, BoardHeads, HeadQuality
from jackspot_sim.sensing.knocks import KNOCK_ABOVE, SIDES, TOLD_AFTER_NS, Discs

HEAD_NAMES = [pocket.value.lower() for pocket in Pocket]
CHIP = "51b0a7d51b0a7d00"
"""The simulated chip's number."""


class SimulatedHub:
    """A sensor hub at the end of a pseudo terminal whose name stays the same.

    ``link`` is the path that the firmware opens. It is plugged in when made, and its time is the
    table's. Methods may be called from any thread.
    """

    def __init__(self, clock: SimClock, link: Path, seed: int = 0) -> None:
        self.link = link
        self._clock = clock
        self._lock = threading.RLock()
        self._seed = seed
        self._heads = BoardHeads(HEADS[HeadQuality.CLEAN], str(seed))
        self._cable: SerialCable | None = None
        self._starts = 0
        self.asked = threading.Event()
        """Set when the firmware has said something to it since it was last plugged in."""
        self.plug()

    def plug(self) -> None:
        """Plug it in: it starts, under the same name."""
        with self._lock:
            if self._cable is not None:
                return
            self._starts += 1
            self.asked.clear()
            self._began_ns = self._clock.now_ns()
            from sensor_hub.hub import Hub

            self._hub = Hub(CHIP, f"{self._starts:04x}", HEAD_NAMES, SIDES)
            self._hub.knock_above = KNOCK_ABOVE
            self._discs = Discs(self._seed + self._starts)
            self._cable = SerialCable(self._hear)
            link_to(self._cable, self.link)
            self._go_on(self._starts)

    def unplug(self) -> None:
        """Pull the plug: it has no power, and its name is gone."""
        with self._lock:
            cable, self._cable = self._cable, None
        if cable is not None:
            self.link.unlink(missing_ok=True)
            cable.close()

    close = unplug

    def shake(self, blows: Sequence[Blow]) -> None:
        """Shake the board with blows, each at its instant of the table's clock."""
        for blow in blows:
            self._clock.at(blow.at_ns, partial(self._felt, blow))

    def see(self, pocket: Pocket, pieces: Sequence[Piece], edges: Edges) -> None:
        """Let something go past a head from now on: pieces or, without any, a hand.

        ``edges`` are what the pocket's beam makes of it. If the last edge never comes, a piece
        stays there; it is seen for no more than a second.
        """
        now_ns = self._clock.now_ns()
        ends = [at_ns for at_ns, _ in edges]
        ends += [ends[-1] + SECOND] if len(ends) % 2 else []
        pulses = (
            Pulse(pocket, now_ns + start_ns, now_ns + end_ns)
            for start_ns, end_ns in zip(ends[::2], ends[1::2], strict=True)
        )
        with self._lock:
            frames = self._heads.passing(pieces, pulses)
        for frame in frames:
            self._clock.at(frame.at_ns, partial(self._saw, frame))

    def _saw(self, frame: ColourSeen) -> None:
        at_us = (frame.at_ns - self._began_ns) // 1_000
        place = list(Pocket).index(frame.pocket)
        with self._lock:
            if self._cable is None:
                return
            self._hub.frame(at_us, place, frame.red, frame.green, frame.blue, frame.dark)
        self._tell()

    def _felt(self, blow: Blow) -> None:
        with self._lock:
            self._discs.feel(blow.later(-self._began_ns))
        self._clock.after(TOLD_AFTER_NS, self._tell)

    def _hear(self, data: bytes) -> None:
        """Take what the firmware says, and answer at once."""
        with self._lock:
            self._hub.hear(data)
        self.asked.set()
        self._clock.after(0, self._tell)

    def _tell(self) -> None:
        """Find the knocks up to now, and write every line that is due."""
        with self._lock:
            if self._cable is None:
                return
            now_us = (self._clock.now_ns() - self._began_ns) // 1_000
            for at_us, peaks in self._discs.run(now_us, self._hub.knock_above):
                self._hub.knock(at_us, peaks)
            while line := self._hub.line(now_us):
                self._cable.write(line)

    def _go_on(self, start: int) -> None:
        """Report once a second that it is alive, for as long as it has power."""
        self._tell()
        if self._cable is not None and start == self._starts:
            self._clock.after(SECOND, lambda: self._go_on(start))
