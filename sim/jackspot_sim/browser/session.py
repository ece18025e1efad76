"""The simulated table in a browser: boards on devices of wire and glass, and their page.

Theory of operation. The page's server lives as long as the session; boards come and go. A
new match is a new board with a new journal, as if another board had been carried to the
table: the loop of the old one ends, its devices are put away, and the next is set up in the
same thread. The page sees one stream of states all the while. "Show me" is a board of its
own at which computer players shoot and a referee watches. When the power is cut the table stays
and the board ends; after a moment in the dark another board starts on the same journal, at the
same table.

This module binds; it draws nothing and knows no rules.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from jackspot.capture.tap import Recipient
from jackspot.config.model import Config
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import Record
from jackspot.core.settings import USUAL_RULES, MatchSettings, RuleSystem
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.displays.sounds import SOUNDS
from jackspot.history.later import LaterHistory
from jackspot.inputs.pins import BUZZER, lamp_wire
from jackspot.sensing.events import Button
from jackspot.web.live import LiveBoard
from jackspot.web.presses import PageEvent
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.browser.control import Glass, Mishap, SoundLine, TablePicture
from jackspot_sim.browser.journals import fresh, newest
from jackspot_sim.browser.mishaps import Mishaps
from jackspot_sim.browser.open_page import OpenPage
from jackspot_sim.browser.orders import Order, agreed_in, with_language, with_rules, with_seats
from jackspot_sim.browser.server import HOME, SimPage
from jackspot_sim.browser.show_me import SHOW_SEED, Audience, invite, show_settings, stage
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import OutputChange
from jackspot_sim.people.opponents import Opponents
from jackspot_sim.physics.places import bound_by_area
from jackspot_sim.physics.values import Flick
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.table.mounted import Mounted
from jackspot_sim.table.running import Runs
from jackspot_sim.table.steward import still_out
from jackspot_sim.table.table import Breakage, Happening, LoggedEdge
from jackspot_sim.table.turns import Turn, turn_of

SOUNDS_KEPT = 50
HAPPENINGS_TOLD = 12
"""How many of the last happenings a page lists."""
STANDING = 1e-9
"""The speed of a clock that stands still: a second of the table's in thirty years."""
DARK_S = 1.5
"""How long the power stays off after a cut, at the table's own speed."""
OLED, SIGN = "oled", "sign"


@dataclass(frozen=True, slots=True)
class _Standing:
    """The board on the table, which is exchanged as one.

    ``number`` counts boards, ``edges_before`` how many edges there were on those before.
    """

    rig: Rig
    number: int = 1
    edges_before: int = 0

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return its edges with a number above ``since`` among those of all boards."""
        before = self.edges_before
        lines = self.rig.table.edges(max(0, since - before))
        return [replace(line, number=line.number + before) for line in lines]

    def exchanged_for(self, rig: Rig) -> _Standing:
        """Return another board in its place."""
        lines = self.edges(0)
        before = lines[-1].number if lines else self.edges_before
        return _Standing(rig, self.number + 1, before)


class _Plug(Protocol):
    """The cable of a display."""

    def unplug(self) -> None:
        """Pull it out."""

    def plug(self) -> None:
        """Put it in."""


class Session:
    """A simulated table with its page, for as long as somebody plays.

    With a ``record`` the first board is one at which two people play it. ``journal`` is the
    first match's; further ones lie beside it under a number, and the next session goes on with
    the newest. :meth:`run` plays until :meth:`close`; the page is served from :meth:`start`
    on. ``show_speed`` is how fast a show runs, None: as the page says. ``captured`` is given the
    first board's pins, ``quality`` says what the beams are like. The
    methods of :class:`jackspot_sim.browser.control.SimControl` are called on the server's thread.
    """

    def __init__(
        self,
        config: Config,
        journal: Path,
        settings: WebSettings,
        record: Record | None = None,
        show_speed: float | None = None,
        captured: Recipient | None = None,
        quality: Quality = Quality.DEFAULT,
    ) -> None:
        sign = config.of(SignSection)
        if sign.kind is SignKind.NONE:
            sign = sign.model_copy(update={"kind": SignKind.ALPHA})
        web = config.web.model_copy(update={"enabled": True})
        displays = {**config.displays, "sign": sign}
        self._config = replace(config, displays=displays, web=web)
        self._journal = journal
        self._played = journal
        self._show_speed = show_speed
        self._paused = False
        self._captured = captured
        self._sensors = QUALITIES[quality]
        self._lock = threading.RLock()
        self._watchers: list[Callable[[], None]] = []
        self._sounds: deque[SoundLine] = deque(maxlen=SOUNDS_KEPT)
        self._sounded = 0
        self._boards = 0
        self._order: Order | None = None
        self._dark = threading.Condition()
        self._powered = True
        self._unplugged: set[str] = set()
        self._closed = False
        self._speed = 1.0
        self._lamps: frozenset[Seat] = frozenset()
        self._lamp_pins = {
            wire.gpio: seat
            for seat in Seat
            if (wire := self._config.wire(lamp_wire(seat))) is not None
        }
        self._audience = Audience(self._heard)
        self._strengths: dict[Seat, Strength] = {}
        self._opponents: Opponents
        self._mounted: Mounted
        self._live = LiveBoard(self._now_ns, self._submit)
        rig = self._set_up(Order(showing=record is not None, record=record))
        self._standing = _Standing(rig)
        self._mishaps = self._mishaps_at(self.rig)
        self._runs = self._runs_at(self.rig)
        page = SimPage(self, self._live)
        self._web = WebDisplay(
            self._live, settings, extra_routes=page.routes(), extra_feeds=(page.feed,)
        )

    @property
    def url(self) -> str:
        """The page's address, once started."""
        return self._web.url + HOME.removeprefix("/")

    @property
    def clock(self) -> SimClock:
        """The clock of the board that is on the table now."""
        return self.rig.clock

    @property
    def shown(self) -> BoardView | None:
        """What the displays of that board show now."""
        return self._live.view

    @property
    def rig(self) -> Rig:
        """The board that is on the table now, with what lies on it."""
        return self._standing.rig

    def start(self) -> None:
        """Serve the page; raises DisplayError where the port cannot be had."""
        self._web.start()

    def run(self) -> None:
        """Play, one board after the other, until :meth:`close`."""
        try:
            while True:
                self.rig.run()
                order, self._order = self._next_order(), None
                if order is None:
                    return
                if order.resumes is not None:
                    self._wait_in_the_dark()
                with self._lock:
                    rig = self._set_up(order)
                    self._standing = self._standing.exchanged_for(rig)
                    self._mishaps = self._mishaps_at(self.rig)
                    runs, self._runs = self._runs, self._runs_at(self.rig)
                    if order.resumes is not None:
                        self._runs.take_over(runs)
                if self._closed:
                    self.rig.clock.close()
                self._changed()
        finally:
            self._web.stop()

    def close(self) -> None:
        """End; called from any thread or a signal's handler."""
        self._closed = True
        self.rig.clock.close()
        with self._dark:
            self._dark.notify_all()

    # --- what hands do ----------------------------------------------------------------

    def drop(self, pocket: Pocket, pieces: Sequence[Piece], manner: Manner) -> None:
        """Let pieces fall into a pocket, or something else break its beam."""
        self._by_hand().table.drop(pocket, pieces, manner)
        self._changed()

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Take pieces from the board to the floor."""
        self._by_hand().table.fly_off(pieces)
        self._changed()

    def put_back(self) -> None:
        """Put the pieces that the board asks for where they belong.

        Where OK said too early that this was done, those that it takes for put back.
        """
        table, view = self._by_hand().table, self._live.view
        asked = () if view is None else still_out(view, table.truth())
        if not asked:
            raise CannotHappen(_("the board does not ask for anything back"))
        self._at_rest()
        table.put_back(asked)
        self._changed()

    def put(self, piece: Piece, at_mm: tuple[float, float] | None = None) -> None:
        """Put one piece that is out of play down there, or where the rules want it."""
        table = self._by_hand().table
        self._at_rest()
        if at_mm is None:
            table.put_back([piece])
        else:
            table.put(piece, *at_mm)
        self._changed()

    def move(self, number: int, at_mm: tuple[float, float]) -> None:
        """Move one piece on the board by hand."""
        table = self._by_hand().table
        self._at_rest()
        table.move(number, *at_mm)
        self._changed()

    def move_back(self) -> None:
        """Put the piece that was moved last where it lay."""
        table = self._by_hand().table
        self._at_rest()
        table.move_back()
        self._changed()

    def flick(self, flick: Flick) -> None:
        """Place a striker and flick it; the pieces run on the table's clock."""
        self._by_hand()
        view = self._live.view
        written = None if view is None else view.written
        self._runs.flick(flick, self._shooter(), () if written is None else written.entries)

    def seat_player(self, seat: Seat, strength: Strength | None) -> None:
        """Let the computer play a seat so well, or (None) a person."""
        if strength is None:
            self._strengths.pop(seat, None)
        else:
            self._strengths[seat] = strength
            self._opponents.look()
        self._changed()

    def fetch_strikers(self) -> None:
        """Take all strikers out of the pockets and off the floor."""
        self._by_hand().table.take_striker()
        self._changed()

    def press(self, wire: str) -> None:
        """Push a button down and keep it there."""
        self._by_hand().table.down(self._button(wire))

    def release(self, wire: str) -> None:
        """Let it go."""
        self.rig.table.up(self._button(wire))

    def break_part(self, part: str, how: Breakage) -> None:
        """Unplug a display; block a beam, jam a button, or cut the wire of either."""
        plug = self._plug(part)
        if (plug is not None) is not (how is Breakage.UNPLUGGED):
            raise CannotHappen(_("{part} cannot be {how}", part=part, how=how.value))
        if plug is not None:
            self._unplugged.add(part)
            plug.unplug()
        elif how is Breakage.DEAD:
            self.rig.table.kill(part)
        else:
            self.rig.table.jam(part)
        self._changed()

    def mend_part(self, part: str) -> None:
        """Undo :meth:`break_part`; a piece that is stuck in a beam is freed too."""
        plug = self._plug(part)
        if plug is not None:
            self._unplugged.discard(part)
            if self._powered:
                plug.plug()
        else:
            self.rig.table.mend(part)
        self._changed()

    def mishap(self, mishap: Mishap) -> None:
        """Let something go wrong as it usually does."""
        self._by_hand()
        if mishap is Mishap.POWER_CUT:
            self._next_board(Order(resumes=self.rig))
            self._powered = False
        else:
            self._with_power()
            self._mishaps.happen(mishap)
        self._changed()

    def set_speed(self, speed: float) -> None:
        """Let the table run so many times as fast as real time."""
        self._speed = speed
        self.rig.clock.set_speed(STANDING if self._paused else speed)
        self._changed()

    def start_show(self) -> None:
        """Play a short match by itself, on a board of its own."""
        self._next_board(Order(showing=True))

    def stop_show(self) -> None:
        """Let people play on from where the show stands."""
        self._audience.dismiss()
        self._opponents.play_for(self._strengths)
        self._pace(paused=False)

    def pause_show(self, *, paused: bool) -> None:
        """Let the show stand still, or go on."""
        if self._audience.player is None:
            raise CannotHappen(_("no match plays by itself now"))
        self._pace(paused=paused)

    def step_show(self) -> None:
        """Let the show go on to the next thing that is to be seen, and stand still there."""
        referee = self._audience.referee
        if referee is None:
            raise CannotHappen(_("no match plays by itself now"))
        referee.step(lambda: self._pace(paused=True))
        self._pace(paused=False)

    def _pace(self, *, paused: bool) -> None:
        self._paused = paused
        self.rig.clock.set_speed(STANDING if paused else self._usual_speed)
        self._changed()

    @property
    def _usual_speed(self) -> float:
        """How fast the table runs while nothing stands still."""
        shows = self._audience.referee is not None
        return self._show_speed or self._speed if shows else self._speed

    def new_match(
        self,
        rules: RuleSystem | None = None,
        seats: Sequence[Seat] = (),
        language: str | None = None,
    ) -> None:
        """Set the table up afresh, with a new board; with what else is given."""
        self._next_board(Order(rules=rules, seats=tuple(seats), language=language))

    # --- what the page sees -----------------------------------------------------------

    def picture(self) -> TablePicture:
        """Return everything the page draws now."""
        standing = self._standing
        rig = standing.rig
        plugged = rig.bus.controller is not None
        sign = rig.sign.picture() if rig.sign is not None else {"plugged": False}
        faulty = dict(rig.table.faulty())
        faulty |= dict.fromkeys(self._unplugged, Breakage.UNPLUGGED)
        showing = self._audience.player is not None
        aim = self._opponents.aim
        return TablePicture(
            rules=rig.table.rules,
            lying=rig.table.lying(),
            run=self._runs.last,
            first_shot=self._runs.is_first(self._shooter()),
            turn=self._turn(showing=showing),
            area=self._bound(),
            players=dict(self._strengths),
            called=self._opponents.called,
            aim=aim,
            moved=rig.table.moved,
            now_ns=rig.clock.now_ns(),
            truth=rig.table.truth(),
            glass=Glass(rig.bus.picture().tobytes(), plugged),
            sign=sign,
            lamps=self._lamps,
            wires=rig.table.wires,
            active=rig.table.active(),
            faulty=faulty,
            speed=self._usual_speed if self._paused else rig.clock.speed or self._speed,
            showing=showing,
            paused=self._paused,
            powered=self._powered,
            board=standing.number,
            language=self._live.language,
        )

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return the newest edges with a number above ``since``, oldest first."""
        return self._standing.edges(since)

    def happenings(self) -> Sequence[Happening]:
        """Return the newest of what really happened, oldest first."""
        return self.rig.table.happenings()[-HAPPENINGS_TOLD:]

    def sounds(self, since: int) -> Sequence[SoundLine]:
        """Return the newest sounds with a number above ``since``, oldest first."""
        with self._lock:
            return [line for line in self._sounds if line.number > since]

    def watch(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called, on any thread, whenever there is something new."""
        self._watchers.append(changed)

    # --- boards -----------------------------------------------------------------------

    def _with_power(self) -> None:
        if not self._powered:
            raise CannotHappen(_("the power is off; wait until it is back"))

    def _next_order(self) -> Order | None:
        """Say what the next board is for; one that people shut down is plugged in again."""
        if self._order is None and self.rig.board.was_shut_down and not self._closed:
            self.rig.clock.close()
            self._powered = False
            return Order(resumes=self.rig)
        return self._order

    def _next_board(self, order: Order) -> None:
        self._with_power()
        self._order = order
        self.rig.clock.close()

    def _set_up(self, order: Order) -> Rig:
        """Set up the next board, and the people who play on it if it is a show."""
        self._agree(order)
        record, staged = order.record, order.showing and order.record is None
        settings = record.settings if record is not None else None
        if staged:
            settings = show_settings(self._shown_rules())
        self._paused = False
        clock = SimClock(self._show_speed or self._speed if staged else self._speed)
        self._lamps = frozenset()
        self._played = self._journal_for(order)
        self._live.matches = LaterHistory(self._played, self._config.board.name, initials=False)
        strengths = self._strengths if settings is None else {}
        if staged and settings is not None:
            strengths = dict.fromkeys(settings.seats, Strength.MASTER)
        self._seed = SHOW_SEED if staged else None
        opponents = Opponents(clock, strengths, lambda: self._runs, self._changed, self._seed)
        if order.resumes is not None:
            opponents.take_over(self._opponents)
        self._opponents = opponents
        rig = Rig(
            self._config if settings is None else agreed_in(self._config, settings),
            self._played,
            clock,
            Onlookers(
                further=(self._audience, self._opponents),
                pages=self._page_of,
                on_edge=self._on_edge,
                on_output=self._on_output,
                captured=self._captured,
            ),
            direct=False,
        )
        self._captured = None  # the first board's; a further one has a life of its own
        rig.bus.watch(self._changed)
        if rig.sign is not None:
            rig.sign.watch(self._changed)
        self._mounted = Mounted(clock, rig.table, self._sensors)
        if order.resumes is not None:
            self._take_over(order.resumes, rig)
            self._mounted.shine()
        else:
            self._sit_down(rig, record, settings)
        return rig

    def _agree(self, order: Order) -> None:
        """Set what boards are set to from now on."""
        if order.rules is not None:
            self._config = with_rules(self._config, order.rules)
        if order.language is not None:
            self._config = with_language(self._config, order.language)
        if order.seats:
            self._config = with_seats(self._config, order.seats)

    def _sit_down(self, rig: Rig, record: Record | None, settings: MatchSettings | None) -> None:
        """Let the people of a show or a record sit down at a fresh board, or those at the page."""
        if record is not None:
            invite(rig, record, self._audience, self.stop_show)
        elif settings is not None:
            stage(rig, settings, self._audience, lambda: self._runs, self.stop_show)
        else:
            self._unplugged.clear()
            self._audience.player = None
            rig.lay_out()
            self._mounted.break_wires()
            self._mounted.shine()

    def _shown_rules(self) -> RuleSystem:
        """Return the rules that are on the table, of which a show is played."""
        view = self._live.view
        return USUAL_RULES if view is None else view.rules

    def _take_over(self, before: Rig, rig: Rig) -> None:
        """Put the board that has power again at the table where the power was cut."""
        self._runs.settle()
        rig.table.take_over(before.table)
        if OLED in self._unplugged:
            rig.bus.unplug()
        if SIGN in self._unplugged and rig.sign is not None:
            rig.sign.unplug()
        self._powered = True

    def _wait_in_the_dark(self) -> None:
        self._changed()
        with self._dark:
            self._dark.wait_for(lambda: self._closed, timeout=DARK_S / self._speed)

    def _mishaps_at(self, rig: Rig) -> Mishaps:
        return Mishaps(rig, lambda: self._live.view)

    def _runs_at(self, rig: Rig) -> Runs:
        seed = self._seed or 0
        return Runs(rig.clock, rig.table, self._changed, seed, sensors=self._mounted)

    def _shooter(self) -> Seat | None:
        view = self._live.view
        return None if view is None else view.shooter

    def _turn(self, *, showing: bool) -> Turn:
        """Say who has the striker now."""
        view, runs = self._live.view, self._runs
        if view is None or showing or not self._powered:
            return Turn.NOBODY
        return turn_of(
            view, self._strengths, has_shot=runs.has_shot(view), striker_lies=runs.striker_lies
        )

    def _bound(self) -> Seat | None:
        """Name whoever shoots if the own area is forbidden to that seat."""
        view, seat = self._live.view, self._shooter()
        if view is None or view.written is None or seat is None:
            return None
        return seat if bound_by_area(view.written.settings, seat) else None

    def _at_rest(self) -> None:
        if self._runs.running:
            raise CannotHappen(_("pieces are still moving; wait until they stop"))

    def _journal_for(self, order: Order) -> Path:
        """Name the next board's journal: the newest match's at the start, then fresh ones."""
        if order.resumes is not None:
            return self._played
        self._boards += 1
        if self._boards == 1:
            return self._journal if order.record else newest(self._journal)
        return fresh(self._journal, show=order.showing)

    def _page_of(self, live: LiveBoard) -> OpenPage:
        """Show this board's views on the page that is open already."""
        self._live.identity = live.identity
        self._live.start_anew()
        return OpenPage(self._live)

    def _by_hand(self) -> Rig:
        if self._audience.player is not None:
            raise CannotHappen(_("the match plays by itself; stop it first"))
        return self.rig

    def _plug(self, part: str) -> _Plug | None:
        """Return the plug of a display; None for a wire."""
        if part == OLED:
            return self.rig.bus
        return self.rig.sign if part == SIGN else None

    def _button(self, wire: str) -> Button:
        found = self.rig.config.wire(wire)
        if found is None or not isinstance(found.source, Button):
            raise CannotHappen(_("this board has no button {wire}", wire=wire))
        return found.source

    def _now_ns(self) -> int:
        return self.rig.clock.now_ns()

    def _submit(self, event: PageEvent) -> None:
        self.rig.clock.submit(event)

    def _on_edge(self, _edge: LoggedEdge) -> None:
        self._changed()

    def _on_output(self, change: OutputChange) -> None:
        seat = self._lamp_pins.get(change.gpio)
        if seat is not None:
            self._lamps = self._lamps | {seat} if change.value else self._lamps - {seat}
            self._changed()

    def _heard(self, sound: Sound) -> None:
        view = self._live.view
        if self._config.wire(BUZZER) is None or (view is not None and not view.house.volume):
            return
        with self._lock:
            self._sounded += 1
            notes = tuple((note.hz, note.length_ms) for note in SOUNDS[sound])
            self._sounds.append(SoundLine(self._sounded, sound.value, notes))
        self._changed()

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()
