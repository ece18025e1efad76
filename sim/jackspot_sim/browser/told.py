"""What the page is told about the simulated table: a picture of it, and the sounds.

It only reads; it asks the owner of the board for what concerns the board.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from jackspot.config.model import Config
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import Sound
from jackspot.displays.sounds import SOUNDS
from jackspot.inputs.pins import BUZZER, lamp_wire
from jackspot.web.live import LiveBoard
from jackspot_sim.browser.control import Glass, SoundLine, TablePicture
from jackspot_sim.browser.pace import Pace
from jackspot_sim.browser.played import PlayedBoard
from jackspot_sim.browser.show_me import Audience
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.devices.pins import OutputChange
from jackspot_sim.physics.places import bound_by_area
from jackspot_sim.table.turns import Turn, turn_of

SOUNDS_KEPT = 50


class Outputs:
    """The newest sounds of the buzzer, numbered over all boards, and the lamps that are lit.

    ``config`` says which of both the boards have; ``changed`` is called when there is more.
    """

    def __init__(self, config: Config, live: LiveBoard, changed: Callable[[], None]) -> None:
        self._has_buzzer = config.wire(BUZZER) is not None
        self._live = live
        self._changed = changed
        self._lock = threading.Lock()
        self._sounds: deque[SoundLine] = deque(maxlen=SOUNDS_KEPT)
        self._sounded = 0
        self._lamps: frozenset[Seat] = frozenset()
        self._lamp_pins = {
            wire.gpio: seat for seat in Seat if (wire := config.wire(lamp_wire(seat))) is not None
        }

    @property
    def lamps(self) -> frozenset[Seat]:
        """The seats whose lamp is lit."""
        return self._lamps

    def sounds(self, since: int) -> Sequence[SoundLine]:
        """Return the newest sounds with a number above ``since``, oldest first."""
        with self._lock:
            return [line for line in self._sounds if line.number > since]

    def hear(self, sound: Sound) -> None:
        """Take a sound of the buzzer, unless the board has none or is silenced."""
        view = self._live.view
        if not self._has_buzzer or (view is not None and not view.preferences.volume):
            return
        with self._lock:
            self._sounded += 1
            notes = tuple((note.hz, note.length_ms) for note in SOUNDS[sound])
            self._sounds.append(SoundLine(self._sounded, sound.value, notes))
        self._changed()

    def see(self, change: OutputChange) -> None:
        """See a lamp go on or off; other pins are ignored."""
        seat = self._lamp_pins.get(change.gpio)
        if seat is not None:
            self._lamps = self._lamps | {seat} if change.value else self._lamps - {seat}
            self._changed()

    def go_dark(self) -> None:
        """Turn every lamp off: another board begins."""
        self._lamps = frozenset()


class Pictures:
    """Makes pictures of the table as it is now; ``players`` are the seats the computer plays."""

    def __init__(
        self,
        live: LiveBoard,
        audience: Audience,
        pace: Pace,
        outputs: Outputs,
        players: Mapping[Seat, Strength],
    ) -> None:
        self._live = live
        self._audience = audience
        self._pace = pace
        self._outputs = outputs
        self._players = players

    def picture(self, board: PlayedBoard) -> TablePicture:
        """Return everything the page draws now, with the board that is on the table."""
        rig = board.rig
        view = self._live.view
        shooter = None if view is None else view.shooter
        return TablePicture(
            rules=rig.table.rules,
            lying=rig.table.lying(),
            run=board.runs.last,
            first_shot=board.runs.is_first(shooter),
            turn=self._turn(board),
            area=self._bound(),
            players=dict(self._players),
            called=board.opponents.called,
            aim=board.opponents.aim,
            moved=rig.table.moved,
            now_ns=rig.clock.now_ns(),
            truth=rig.table.truth(),
            glass=Glass(rig.bus.picture().tobytes(), rig.bus.controller is not None),
            sign=rig.sign.picture() if rig.sign is not None else {"plugged": False},
            lamps=self._outputs.lamps,
            wires=rig.table.wires,
            active=rig.table.active(),
            faulty=board.parts.faulty,
            has_hub=rig.hub is not None,
            speed=self._pace.speed,
            showing=self._audience.plays,
            paused=self._pace.paused,
            powered=board.parts.powered,
            board=board.number,
            language=self._live.language,
        )

    def _turn(self, board: PlayedBoard) -> Turn:
        """Return who has the striker now."""
        view, runs = self._live.view, board.runs
        if view is None or self._audience.plays or not board.parts.powered:
            return Turn.NOBODY
        return turn_of(
            view, self._players, has_shot=runs.has_shot(view), striker_lies=runs.striker_lies
        )

    def _bound(self) -> Seat | None:
        """Return the shooter's seat if its own area is forbidden to it."""
        view = self._live.view
        if view is None or view.written is None or view.shooter is None:
            return None
        return view.shooter if bound_by_area(view.written.settings, view.shooter) else None
