"""The simulated table in a browser: boards on devices of wire and glass, and their page.

Theory of operation. The page's server lives as long as the session; boards come and go. A
new match is a new board, as if another had been carried to the table, but on the same journal,
in which the match before is put aside: the loop of the old one ends, its devices are put away,
and the next is set up in the same thread. The page sees one stream of states throughout.
"Show me" is a board with a journal of its own at which computer players shoot and a referee
watches; when people set up the next match at it, a board is set up for that. When the power is
cut the table stays and the board ends; after a moment in the dark another board starts on the same
journal, at the same table.

This module exchanges boards and connects the parts; it draws nothing and knows no rules.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from jackspot.config.model import Config
from jackspot.core.agreement import Disagreement
from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.core.record import Record, write_record
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.plans import agreed
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.presses import PageEvent
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.boards.rig import Rig
from jackspot_sim.browser.captures import NextCapture
from jackspot_sim.browser.control import Mishap, SoundLine, TablePicture
from jackspot_sim.browser.hands import PageHands
from jackspot_sim.browser.orders import Order
from jackspot_sim.browser.pace import Pace
from jackspot_sim.browser.parts import Parts
from jackspot_sim.browser.server import HOME, SimPage
from jackspot_sim.browser.set_up import SetUp, Surroundings
from jackspot_sim.browser.show_me import Audience
from jackspot_sim.browser.told import Outputs, Pictures
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.clock import SimClock
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.sensing.quality import QUALITIES, Quality
from jackspot_sim.table.table import Happening, LoggedEdge

HAPPENINGS_TOLD = 12
"""How many of the latest happenings a page lists."""
DARK_S = 1.5
"""How long the power stays off after a cut, at the table's own speed."""


class Session:
    """A simulated table with its page, for as long as somebody plays.

    With a ``record`` the first board is one at which two people play it. ``journal`` holds all
    matches; the next session goes on with it. :meth:`run` plays until :meth:`close`; the page is
    served from :meth:`start` on. ``show_speed`` is how fast a show runs, None: as the page says.
    ``captures`` returns who receives the next board's pins, ``quality`` says what the beams are
    like.
    The methods of :class:`jackspot_sim.browser.control.SimControl` are called on the server's
    thread.
    """

    def __init__(
        self,
        config: Config,
        journal: Path,
        settings: WebSettings,
        record: Record | None = None,
        show_speed: float | None = None,
        captures: NextCapture = lambda: None,
        quality: Quality = Quality.DEFAULT,
    ) -> None:
        config = _with_page_and_sign(config)
        self._watchers: list[Callable[[], None]] = []
        self._order: Order | None = None
        self._ordering = threading.Lock()
        self._dark = threading.Condition()
        self._closed = False
        self._players: dict[Seat, Strength] = {}
        self._live = LiveBoard(self._now_ns, self._submit)
        outputs = Outputs(config, self._live, self._changed)
        self._audience = Audience(outputs.hear)
        self._pace = Pace(self._audience, self._changed, show_speed)
        self._outputs = outputs
        self._pictures = Pictures(self._live, self._audience, self._pace, outputs, self._players)
        around = Surroundings(
            self._live,
            self._audience,
            self._pace,
            outputs,
            self._players,
            self.stop_show,
            self.new_match,
            self._changed,
        )
        self._set_up = SetUp(config, journal, QUALITIES[quality], around, captures)
        self._board = self._set_up.next_board(Order(showing=record is not None, record=record))
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
    def record(self) -> str:
        """The record of the match on the board; in set-up, how that of the next one begins."""
        record, plan = self._live.record(), self.rig.board.dialogue.plan
        if record is not None:
            return record
        try:
            return write_record(agreed(plan, plan.first), ())
        except Disagreement:
            return ""

    @property
    def rig(self) -> Rig:
        """The board that is on the table now, with what lies on it."""
        return self._board.rig

    def start(self) -> None:
        """Serve the page; raises DisplayError if the port is not available."""
        self._web.start()

    def run(self) -> None:
        """Play, one board after the other, until :meth:`close`."""
        try:
            while True:
                self.rig.run()
                order = self._take_order()
                if order is None:
                    return
                if not self._board.parts.powered:
                    self._wait_in_the_dark()
                board = self._set_up.next_board(order, self._board)
                with self._ordering:
                    self._board = board
                    if self._closed or self._order is not None:
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

    # --- what the page does -----------------------------------------------------------

    @property
    def hands(self) -> PageHands:
        """The hands at the board that is on the table now."""
        return self._board.hands

    @property
    def parts(self) -> Parts:
        """The displays, wires and power of that board."""
        return self._board.parts

    def seat_player(self, seat: Seat, strength: Strength | None) -> None:
        """Let the computer play a seat at this strength, or (None) a person."""
        if strength is None:
            self._players.pop(seat, None)
        else:
            self._players[seat] = strength
            self._board.opponents.look()
        self._changed()

    def mishap(self, mishap: Mishap) -> None:
        """Let something go wrong as it usually does."""
        self._audience.refuse_hands()
        board = self._board
        if mishap is Mishap.POWER_CUT:
            self._cut_power()
        else:
            board.parts.demand_power()
            board.mishaps.happen(mishap)
        self._changed()

    def set_speed(self, speed: float) -> None:
        """Run the table at this many times real time."""
        self._pace.ask(speed)

    def new_match(
        self,
        rules: RuleSystem | None = None,
        seats: Sequence[Seat] = (),
        language: str | None = None,
    ) -> None:
        """Set the table up afresh with a new board, and with whatever else is given."""
        self._next_board(Order(rules=rules, seats=tuple(seats), language=language))

    def start_show(self) -> None:
        """Play a short match by itself, on a board of its own."""
        self._next_board(Order(showing=True))

    def stop_show(self) -> None:
        """Let people play on from where the show is."""
        self._audience.dismiss()
        self._board.opponents.play_for(self._players)
        self._pace.go_on()

    def pause_show(self, *, paused: bool) -> None:
        """Pause the show, or let it go on."""
        if not self._audience.plays:
            raise CannotHappen(_("no match plays by itself now"))
        if paused:
            self._pace.pause()
        else:
            self._pace.go_on()

    def step_show(self) -> None:
        """Let the show go on to the next thing that is shown, and pause there."""
        referee = self._audience.referee
        if referee is None:
            raise CannotHappen(_("no match plays by itself now"))
        referee.step(self._pace.pause)
        self._pace.go_on()

    # --- what the page is told --------------------------------------------------------

    def picture(self) -> TablePicture:
        """Return everything the page draws now."""
        return self._pictures.picture(self._board)

    def edges(self, since: int) -> Sequence[LoggedEdge]:
        """Return the newest edges with a number above ``since``, oldest first."""
        return self._board.edges(since)

    def happenings(self) -> Sequence[Happening]:
        """Return the newest of what really happened, oldest first."""
        return self.rig.table.happenings()[-HAPPENINGS_TOLD:]

    def sounds(self, since: int) -> Sequence[SoundLine]:
        """Return the newest sounds with a number above ``since``, oldest first."""
        return self._outputs.sounds(since)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have ``changed`` called, on any thread, whenever there is something new."""
        self._watchers.append(changed)

    # --- one board after the other ----------------------------------------------------

    def _next_board(self, order: Order) -> None:
        """End the loop of this board, and have the next one set up.

        What an order before it sets, and is not set up yet, holds too. CannotHappen while the
        power is off, or if no match can be played so.
        """
        with self._ordering:
            self._board.parts.demand_power()
            self._set_up.order(order)
            if self._order is not None and order.language is None:
                order = changed(order, language=self._order.language)
            self._order = order
            self.rig.clock.close()

    def _cut_power(self) -> None:
        """Cut the power of this board, which goes on afterwards if no other one is ordered."""
        with self._ordering:
            self._board.parts.demand_power()
            self._order = self._order or Order(resumes=self._board)
            self._board.parts.cut_power()
            self.rig.clock.close()

    def _take_order(self) -> Order | None:
        """Return what the next board is for, and take over what it sets."""
        with self._ordering:
            order, self._order = self._next_order(), None
            if order is not None:
                self._set_up.agree()
            return order

    def _next_order(self) -> Order | None:
        """Return what the next board is for; one that people shut down is plugged in again.

        A power cut hits the board that is on the table now.
        """
        order = self._order
        shut_down = order is None and self.rig.board.was_shut_down and not self._closed
        if shut_down or (order is not None and order.resumes is not None):
            self.rig.clock.close()
            self._board.parts.cut_power()
            return Order(resumes=self._board)
        return order

    def _wait_in_the_dark(self) -> None:
        self._changed()
        with self._dark:
            self._dark.wait_for(lambda: self._closed, timeout=DARK_S / self._pace.asked)

    def _now_ns(self) -> int:
        return self.rig.clock.now_ns()

    def _submit(self, event: PageEvent) -> None:
        self.rig.clock.submit(event)

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()


def _with_page_and_sign(config: Config) -> Config:
    """Let a board have its page, and an LED sign of the usual kind where it has none."""
    sign = config.of(SignSection)
    if sign.kind is SignKind.NONE:
        sign = changed(sign, kind=SignKind.ALPHA, port=sign.port or "/dev/simulated")
    web = changed(config.web, enabled=True)
    return changed(config, displays={**config.displays, "sign": sign}, web=web)
