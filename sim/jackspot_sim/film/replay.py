"""A film on the simulated table's page: watched like a match, and wound on and back.

Theory of operation. The film exists before the page does. A playhead moves along it at the speed
that the page asks for, and the page is sent what the film shows there, as it is for a table. Hands
can do nothing: what happened has happened.
"""

from __future__ import annotations

import bisect
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from jackspot.core.entry_text import write_entry
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.sounds import SOUNDS
from jackspot.files import Json
from jackspot.sensing.events import beam_wire
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.browser.control import (
    Glass,
    HandsControl,
    Mishap,
    PartsControl,
    SoundLine,
    TablePicture,
    Wound,
)
from jackspot_sim.browser.server import HOME, SimPage
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.film.values import Film, FilmScene
from jackspot_sim.physics.values import Flick
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.sensing.quality import QUALITIES, Sensors
from jackspot_sim.table.table import PIECES, Breakage, Happening, LoggedEdge, Truth
from jackspot_sim.traffic.measures import final_of

BEFORE_NS = 1_500_000_000
"""How much of what came before a stroke is shown to somebody who winds to it."""
HAPPENINGS_TOLD = 12
LOOKS_S = 0.5
"""How often a paused film looks whether it is closed."""


class Replay:
    """A film and its page, while somebody watches; :meth:`run` shows it until :meth:`close`.

    ``command`` is what shows it again, for people to read. The page is served from :meth:`start`
    on, which raises DisplayError if the port is not available. The methods of
    :class:`jackspot_sim.browser.control.SimControl` and ``FilmControl`` are called on the server's
    thread.
    """

    def __init__(
        self, film: Film, settings: WebSettings, speed: float = 1.0, command: str = ""
    ) -> None:
        self._film = film
        self._command = command
        self._speed = speed
        self._paused = False
        self._jumps = 0
        self._sequence = 0
        self._shown: BoardView | None = None
        self._from = (film.begun_ns, time.monotonic_ns())
        self._changed = threading.Condition()
        self._closed = False
        self._watchers: list[Callable[[], None]] = []
        self._happened = tuple(_happenings(film))
        self._live = LiveBoard(self.now_ns, lambda _event: None)
        page = SimPage(self, self._live, self)
        self._web = WebDisplay(
            self._live, settings, extra_routes=page.routes(), extra_feeds=(page.feed,)
        )
        self._look()

    @property
    def url(self) -> str:
        """The page's address, once started."""
        return self._web.url + HOME.removeprefix("/")

    def start(self) -> None:
        """Serve the page."""
        self._web.start()

    def run(self) -> None:
        """Let the film run until :meth:`close`."""
        try:
            while not self._closed:
                self._look()
                with self._changed:
                    self._changed.wait(self._until_next_s())
        finally:
            self._web.stop()

    def close(self) -> None:
        """End; called from any thread or a signal's handler."""
        self._closed = True

    # --- the playhead -----------------------------------------------------------------

    def now_ns(self) -> int:
        """Return where the film is."""
        film_ns, real_ns = self._from
        if not self._paused:
            film_ns += round((time.monotonic_ns() - real_ns) * self._speed)
        return min(film_ns, self._film.end_ns)

    def pause(self, *, paused: bool) -> None:
        """Pause the film, or let it run on; from its beginning if it has ended."""
        now_ns = self.now_ns()
        if not paused and now_ns >= self._film.end_ns:
            self._wind(self._film.begun_ns)
            now_ns = self._film.begun_ns
        self._set(now_ns, paused=paused)

    def wind_to(self, stroke: int) -> None:
        """Go to a moment before a stroke, or with the number after the last one to the end."""
        strokes = self._film.strokes
        if not 1 <= stroke <= len(strokes) + 1:
            raise CannotHappen(_("there is no stroke {n} in this match", n=stroke))
        if stroke > len(strokes):
            self._wind(self._film.end_ns)
        else:
            self._wind(max(strokes[stroke - 1].at_ns - BEFORE_NS, self._film.begun_ns))

    def _wind(self, to_ns: int) -> None:
        self._jumps += 1
        self._set(to_ns, paused=self._paused)

    def _set(self, now_ns: int, *, paused: bool, speed: float | None = None) -> None:
        with self._changed:
            self._from = (now_ns, time.monotonic_ns())
            self._paused = paused
            self._speed = speed or self._speed
            self._changed.notify_all()
        self._look()

    def _until_next_s(self) -> float:
        """Return how long nothing changes, in the viewer's seconds."""
        now_ns = self.now_ns()
        film = self._film
        tracks = (film.views, film.glass, film.active, film.lamps, film.scenes)
        due = [at_ns for track in tracks if (at_ns := track.next_after(now_ns)) is not None]
        if self._paused or not due:
            return LOOKS_S
        return min((min(due) - now_ns) / 1e9 / self._speed + 1e-4, LOOKS_S)

    def _look(self) -> None:
        """Show what there is to see now."""
        view = self._film.views.at(self.now_ns())
        if view is not self._shown:
            self._shown = view
            self._sequence += 1
            self._live.show(changed(view, sequence=self._sequence))
        for watcher in self._watchers:
            watcher()

    # --- what the page sees -----------------------------------------------------------

    def told(self) -> Json:
        """Return which match it is, and stroke by stroke what its record says."""
        film = self._film
        return {
            "command": self._command,
            "right": final_of(film.found) == final_of(film.true),
            "strokes": [
                [each.number, write_entry(each.stroke), list(each.entries), each.agrees,
                 [f"{one.piece}@{one.pocket}" for one in each.missed]]
                for each in film.strokes
            ],
            "left": list(film.left),
        }  # fmt: skip

    def picture(self) -> TablePicture:
        """Return everything the page draws now."""
        film, now_ns = self._film, self.now_ns()
        scene = film.scenes.at(now_ns)
        sensors = QUALITIES[film.job.quality]
        looked_at = bisect.bisect_right(film.strokes, now_ns + BEFORE_NS, key=lambda s: s.at_ns)
        return TablePicture(
            truth=_truth(scene),
            glass=Glass(film.glass.at(now_ns), plugged=True),
            sign={"plugged": False},
            lamps=film.lamps.at(now_ns),
            wires=film.wires,
            active=film.active.at(now_ns),
            faulty=_broken(sensors),
            speed=self._speed,
            showing=True,
            rules=scene.rules,
            lying=scene.lying,
            run=scene.run,
            now_ns=now_ns,
            wound=Wound(looked_at, self._paused or now_ns >= film.end_ns, self._jumps),
        )

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return the edges up to now with a number above ``since``, oldest first."""
        edges = self._film.edges
        now = bisect.bisect_right(edges, self.now_ns(), key=lambda edge: edge.at_ns)
        return [edge for edge in edges[:now] if edge.number > since]

    @property
    def record(self) -> str:
        """The record of the match as far as it had got."""
        return self._live.record() or ""

    def happenings(self) -> Sequence[Happening]:
        """Return the newest of what really happened, oldest first."""
        now = bisect.bisect_right(self._happened, self.now_ns(), key=lambda each: each.at_ns)
        return self._happened[max(0, now - HAPPENINGS_TOLD) : now]

    def sounds(self, since: int) -> Sequence[SoundLine]:
        """Return the sounds up to now with a number above ``since``, oldest first."""
        now = bisect.bisect_right(self._film.sounds, self.now_ns(), key=lambda one: one[0])
        return [
            SoundLine(number, sound, tuple((note.hz, note.length_ms) for note in SOUNDS[sound]))
            for number, (_at_ns, sound) in enumerate(self._film.sounds[:now], start=1)
            if number > since
        ]

    def watch(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called, on any thread, whenever there is something new."""
        self._watchers.append(changed)

    def set_speed(self, speed: float) -> None:
        """Run the film at this many times real time."""
        self._set(self.now_ns(), paused=self._paused, speed=speed)

    # --- what hands cannot do ---------------------------------------------------------

    @property
    def hands(self) -> HandsControl:
        """Hands that can do nothing."""
        return _NoHands()

    @property
    def parts(self) -> PartsControl:
        """Parts that cannot be broken."""
        return _NoHands()

    def seat_player(self, _seat: Seat, _strength: Strength | None) -> None:
        """Refuse."""
        raise _only_seen()

    def mishap(self, _mishap: Mishap) -> None:
        """Refuse."""
        raise _only_seen()

    def start_show(self) -> None:
        """Refuse."""
        raise _only_seen()

    def stop_show(self) -> None:
        """Refuse."""
        raise _only_seen()

    def pause_show(self, *, paused: bool) -> None:
        """Refuse."""
        del paused
        raise _only_seen()

    def step_show(self) -> None:
        """Refuse."""
        raise _only_seen()

    def new_match(
        self,
        rules: RuleSystem | None = None,
        seats: Sequence[Seat] = (),
        language: str | None = None,
    ) -> None:
        """Refuse."""
        del rules, seats, language
        raise _only_seen()


class _NoHands:
    """The hands of a film's viewer: they can neither move its pieces nor break its parts."""

    def drop(self, _pocket: Pocket, _pieces: Sequence[Piece], _manner: Manner) -> None:
        """Refuse: nothing can be done at a film."""
        raise _only_seen()

    def fly_off(self, _pieces: Sequence[Piece]) -> None:
        """Refuse."""
        raise _only_seen()

    def put_back(self) -> None:
        """Refuse."""
        raise _only_seen()

    def put(self, _piece: Piece, _at_mm: tuple[float, float] | None = None) -> None:
        """Refuse."""
        raise _only_seen()

    def move(self, _number: int, _at_mm: tuple[float, float]) -> None:
        """Refuse."""
        raise _only_seen()

    def move_back(self) -> None:
        """Refuse."""
        raise _only_seen()

    def flick(self, _flick: Flick) -> None:
        """Refuse."""
        raise _only_seen()

    def fetch_strikers(self) -> None:
        """Refuse."""
        raise _only_seen()

    def press(self, _wire: str) -> None:
        """Refuse."""
        raise _only_seen()

    def release(self, _wire: str) -> None:
        """Do nothing: nothing is held."""

    def break_part(self, _part: str, _how: Breakage) -> None:
        """Refuse."""
        raise _only_seen()

    def mend_part(self, _part: str) -> None:
        """Refuse."""
        raise _only_seen()


def _only_seen() -> CannotHappen:
    return CannotHappen(_("this match is over: it can only be watched"))


def _broken(sensors: Sensors) -> Mapping[str, Breakage]:
    """Return the beams that did not work when the match began."""
    dead = {beam_wire(each): Breakage.DEAD for each in Pocket if sensors[each].dead}
    blocked = {beam_wire(each): Breakage.JAMMED for each in Pocket if sensors[each].is_blocked}
    return dead | blocked


def _truth(scene: FilmScene) -> Truth:
    on_board: dict[Piece, int] = {}
    for each in scene.lying:
        on_board[each.piece] = on_board.get(each.piece, 0) + 1
    away = [kinds.get(Piece.STRIKER, 0) for kinds in (*scene.in_pockets.values(), scene.on_floor)]
    on_board[Piece.STRIKER] = PIECES[scene.rules][Piece.STRIKER] - sum(away)
    return Truth(on_board, scene.in_pockets, scene.on_floor)


def _happenings(film: Film) -> Iterator[Happening]:
    """Return what fell and flew, in order; what no beam saw is marked as such."""
    found: list[tuple[int, Pocket | None, Piece, Manner | None]] = []
    for run, stroke in zip(film.runs, film.strokes, strict=True):
        for fall in run.shot.falls:
            at_ns = run.begun_ns + round(fall.at_s * 1e9)
            if fall.number in {each.number for each in film.scenes.at(at_ns).lying}:
                continue  # it hangs on after all
            unseen = at_ns - run.begun_ns in stroke.unseen_ns
            manner = Manner.MISSED if unseen else Manner.CLEAN
            found.append((at_ns, fall.pocket, fall.piece, manner))
        found += [
            (run.begun_ns + round(each.at_s * 1e9), None, each.piece, None)
            for each in run.shot.flown
        ]
    found.sort(key=lambda one: one[0])
    for number, (at_ns, pocket, piece, how) in enumerate(found, start=1):
        yield Happening(number, at_ns, pocket, (piece,), how)
