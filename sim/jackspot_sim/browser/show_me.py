"""The match that plays by itself, on a table of its own.

In a show, computer players shoot while :class:`ShowReferee` watches them and presses the buttons;
or people play a record. All of them see what the board shows, and use hands and buttons like
everybody else. :class:`Audience` is where they sit, with whoever listens to the buzzer.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from functools import partial

from jackspot.core.agreement import agree
from jackspot.core.options import OPTIONS
from jackspot.core.phrases import _
from jackspot.core.record import Record
from jackspot.core.rules import has_jack
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.sensing.events import Button, Key
from jackspot_sim.boards.rig import Rig, RigHands, entered
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from jackspot_sim.people.play import LostTrack, Player
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.running import Runs

_logger = logging.getLogger(__name__)

SHOW_HABITS = Habits(looks_ns=200_000_000)
"""People who play a record before an audience."""
READS_NS = 2_800_000_000
"""How long the referee of a show lets people read what is new before a press."""
PRESS_NS = 90_000_000
"""How long a short press lasts."""
RESTS_NS = 700_000_000
"""How long a piece that hangs on an edge has to fall."""
SHOW_S = 150
"""The match clock of a show without a jack, in seconds: whoever is ahead then wins."""
SHOW_SEED = 4
"""The seed of a show: always the same match, and by the usual rules one that ends early."""


def show_settings(rules: RuleSystem) -> MatchSettings:
    """Return the match by these rules that plays by itself: one that ends soon.

    With a jack one puck is enough; without one a clock ends it.
    """
    settings: dict[str, object] = {"rules": rules.value, "names": {"N": "Aiko", "S": "Ben"}}
    if has_jack(rules):
        settings["handicap"] = {seat: {"pucks_needed": 1} for seat in "NS"}
    else:
        short = {"time_limit_s": SHOW_S, "best_of": 1, "max_boards": 1}
        settings["options"] = {
            name: n for name, n in short.items() if rules in OPTIONS[name].systems
        }
    return agree(settings)


def invite(rig: Rig, record: Record, audience: Audience, give_up: Callable[[], None]) -> None:
    """Let two people sit down at a rig and play on a record from where its board is.

    ``give_up`` is called when they are done or have lost track.
    """
    entries = [step.entry for step in record.match.steps]
    agenda = _ShowTime(rig.clock, give_up)
    player = Player(
        record.settings, entries, RigHands(rig.clock, rig.table), agenda, SHOW_HABITS, give_up
    )
    player.resume(entered(rig.board))
    rig.lay_out(player.current)
    audience.player = player


def stage(
    rig: Rig,
    settings: MatchSettings,
    audience: Audience,
    runs: Callable[[], Runs],
    give_up: Callable[[], None],
) -> None:
    """Let a referee sit down at a rig at which computer players play.

    ``give_up`` is called when the match is over or the referee has lost track.
    """
    rig.lay_out()
    agenda = _ShowTime(rig.clock, give_up)
    audience.player = ShowReferee(settings, agenda, rig, runs, give_up)


class ShowReferee(Player):
    """Watches every shot of computer players, and presses the buttons of the referee's box.

    It knows what fell as a watching referee does: from the table. Each time something new is
    shown it waits before it presses, so that a newcomer can read.
    """

    def __init__(
        self,
        settings: MatchSettings,
        agenda: _ShowTime,
        rig: Rig,
        runs: Callable[[], Runs],
        finished: Callable[[], None],
    ) -> None:
        hands = RigHands(rig.clock, rig.table)
        super().__init__(settings, (), hands, agenda, SHOW_HABITS, finished)
        self._rig = rig
        self._runs = runs
        self._judged = 0
        self._happened = 0
        self._strokes = 0
        self._read: object = None
        self._step: tuple[object, Callable[[], None]] | None = None

    def step(self, reached: Callable[[], None]) -> None:
        """Call ``reached`` as soon as something else is shown."""
        self._step = (_seen(self._view), reached)

    def post(self, view: BoardView) -> None:
        """See a view."""
        super().post(view)
        if self._step is not None and view.phase is not Phase.FALLING:
            before, reached = self._step
            if _seen(view) != before:
                self._step = None
                reached()

    def _note_answer(self, view: BoardView) -> None:
        """Go on once the stroke is written: 0:00 also changes the question, but answers nothing."""
        if _strokes(view) > self._strokes:
            super()._note_answer(view)

    def _act(self, view: BoardView) -> None:
        if view.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER):
            self._stopped = True
            if self._finished is not None:
                self._finished()
        elif self.current is not None:
            super()._act(view)
        elif view.phase in (Phase.SETUP, Phase.PLACING) and view.menu is None:
            self._in_phase(view)
        else:
            self._watch()

    def _watch(self) -> None:
        """See a shot to its end, then remember what fell; take a late fall as it is proposed."""
        run, view = self._runs().last, self._view
        if run is None or not run.over or view is None:
            return
        if run.number > self._judged:
            self._judged = run.number
            self._busy = True
            self._agenda.after(RESTS_NS, self._judge)
        elif view.phase is Phase.REVIEW and view.proposal is not None:
            self._happened = max(each.number for each in self._rig.table.happenings())
            held = view.proposal.ends_board
            self._press(self._button(Key.OK), self._habits.hold_ns if held else PRESS_NS)

    def _judge(self) -> None:
        self._busy = False
        happened = self._rig.table.happenings(self._happened)
        self._happened = max((each.number for each in happened), default=self._happened)
        view = self._view
        if view is not None and view.shooter is not None:
            departures = tuple(
                Departure(piece, each.pocket, flew_off=each.pocket is None)
                for each in happened
                for piece in each.pieces
            )
            self._entries = (*self._entries, Stroke(view.shooter, departures))
            self._shot = True

    def _put_back(self, view: BoardView) -> None:
        self._hands.fetch_strikers()
        super()._put_back(view)

    def _press(self, button: Button, for_ns: int, also: Button | None = None) -> None:
        """Press, once people have had time to read what it answers."""
        self._strokes = _strokes(self._view)
        seen = (_seen(self._view), self._at)
        if self._read != seen:
            self._read, self._busy = seen, True
            self._agenda.after(READS_NS, self._free)
        else:
            super()._press(button, for_ns, also)


def _seen(view: BoardView | None) -> object:
    """Return what distinguishes one moment of a match from the one before."""
    if view is None:
        return None
    written = () if view.written is None else view.written.entries
    return view.phase, view.shooter, len(written)


def _strokes(view: BoardView | None) -> int:
    """Count the strokes that are written."""
    written = () if view is None or view.written is None else view.written.entries
    return sum(isinstance(each, Stroke) for each in written)


class Audience:
    """Those who watch a board: listeners to the buzzer, and the people who play the show.

    ``left`` is called, once, when people set up the next match at the board of a show; again if
    it is refused because the power has just gone.
    """

    name = "people"

    def __init__(self, heard: Callable[[Sound], None]) -> None:
        self._heard = heard
        self.player: Player | None = None
        self.left: Callable[[], None] | None = None

    @property
    def referee(self) -> ShowReferee | None:
        """Whoever referees a show, while one plays."""
        return self.player if isinstance(self.player, ShowReferee) else None

    @property
    def plays(self) -> bool:
        """Whether a match plays by itself."""
        return self.player is not None

    def refuse_hands(self) -> None:
        """Refuse what hands want to do, with CannotHappen, while a match plays by itself."""
        if self.plays:
            raise CannotHappen(_("the match plays by itself; stop it first"))

    def start(self) -> None:
        """Begin to watch."""
        if self.player is not None:
            self.player.start()

    def post(self, view: BoardView) -> None:
        """See a view."""
        if self.player is not None:
            self.player.post(view)
        elif view.phase is Phase.SETUP and self.left is not None:
            with contextlib.suppress(CannotHappen):
                self.left()
                self.left = None

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""
        self._heard(sound)

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop watching."""
        del timeout_s
        self.dismiss()
        return True

    def dismiss(self) -> None:
        """Send away the people who play the show."""
        player, self.player = self.player, None
        if player is not None:
            player.stop()


class _ShowTime:
    """The agenda of the people who play by themselves.

    When they have lost track it ends the show, not the board.
    """

    def __init__(self, clock: SimClock, give_up: Callable[[], None]) -> None:
        self._clock = clock
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
