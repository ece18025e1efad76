"""The match that plays by itself: people who play a record on a table of their own.

They see what the board shows and use hands and buttons like everybody; :class:`Audience` is
where they sit, together with whoever listens to the buzzer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources

from jackspot.core.record import Record, read_record
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot_sim.boards.rig import Rig, RigHands, entered
from jackspot_sim.clock import SimClock
from jackspot_sim.people.play import Habits, LostTrack, Player
from jackspot_sim.refusal import CannotHappen

_logger = logging.getLogger(__name__)

OPENING, ENDING = 5, 1
"""How many strokes its two ends have."""
SHOW_HABITS = Habits(looks_ns=200_000_000, aims_ns=3_100_000_000)
"""People who play briskly, but let a newcomer see what the display says."""


@dataclass(frozen=True, slots=True)
class ShowSpeeds:
    """How many times as fast as real time the match that plays by itself runs.

    It hurries through the middle, where one stroke is like the next, and takes about twenty
    seconds.
    """

    ends: float = 2.5
    middle: float = 12.0


def show_record(rules: RuleSystem) -> Record:
    """Read the match of these rules that plays by itself."""
    file = resources.files("jackspot_sim").joinpath(f"records/show_{rules}.carom")
    return read_record(file.read_text("utf-8"))


def invite(
    rig: Rig,
    record: Record,
    audience: Audience,
    speeds: ShowSpeeds | None,
    give_up: Callable[[], None],
) -> None:
    """Let two people sit down at a rig and play a record on from where its board stands.

    With ``speeds`` they hurry through the middle of the match. ``give_up`` is called when
    they are done or have lost track.
    """
    entries = [step.entry for step in record.match.steps]
    agenda = _ShowTime(rig.clock, audience, speeds, len(entries), give_up)
    player = Player(
        record.settings, entries, RigHands(rig.clock, rig.table), agenda, SHOW_HABITS, give_up
    )
    player.resume(entered(rig.board))
    rig.lay_out(player.current)
    audience.player = player


class Audience:
    """Who looks on at a board: ears for the buzzer, and the people who play the show."""

    name = "people"

    def __init__(self, heard: Callable[[Sound], None]) -> None:
        self._heard = heard
        self.player: Player | None = None

    def start(self) -> None:
        """Begin to look."""
        if self.player is not None:
            self.player.start()

    def post(self, view: BoardView) -> None:
        """See a view."""
        if self.player is not None:
            self.player.post(view)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""
        self._heard(sound)

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Look away."""
        del timeout_s
        self.dismiss()
        return True

    def dismiss(self) -> None:
        """Send the people away who play the show."""
        player, self.player = self.player, None
        if player is not None:
            player.stop()


class _ShowTime:
    """The agenda of the people who play by themselves.

    With ``speeds`` it hurries through the middle of the match. When they have lost track it
    ends the show, not the board.
    """

    def __init__(
        self,
        clock: SimClock,
        audience: Audience,
        speeds: ShowSpeeds | None,
        strokes: int,
        give_up: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._speeds = speeds
        self._audience = audience
        self._midgame = range(OPENING, strokes - ENDING)
        self._give_up = give_up

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do something later."""
        self._clock.after(delay_ns, partial(self._try, action))

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except (LostTrack, CannotHappen) as lost:
            _logger.warning("the show ends: %s", lost)
            self._give_up()
        else:
            self._pace()

    def _pace(self) -> None:
        player = self._audience.player
        if player is None or self._speeds is None:
            return
        middle = player.played in self._midgame
        speed = self._speeds.middle if middle else self._speeds.ends
        if self._clock.speed != speed:
            self._clock.set_speed(speed)
