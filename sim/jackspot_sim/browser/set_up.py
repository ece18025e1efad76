"""Sets up one board after the other at the simulated table.

A board is set up for people, in the one journal of all their matches, or for a match that plays by
itself; after a power cut it goes on with the journal and the table of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from jackspot.config.model import Config
from jackspot.core.pieces import Seat
from jackspot.core.settings import USUAL_RULES, MatchSettings, RuleSystem
from jackspot.history.on_demand import LaterHistory
from jackspot.storage.entries import Kinds
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import Wall
from jackspot.web.addresses import is_loopback
from jackspot.web.live import LiveBoard
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.browser.captures import NextCapture
from jackspot_sim.browser.hands import PageHands
from jackspot_sim.browser.journals import of_a_show, opened_for_a_new_match
from jackspot_sim.browser.mishaps import Mishaps
from jackspot_sim.browser.open_page import OpenPage
from jackspot_sim.browser.orders import Order, agreed_in, as_ordered
from jackspot_sim.browser.pace import Pace
from jackspot_sim.browser.parts import Parts
from jackspot_sim.browser.played import PlayedBoard
from jackspot_sim.browser.show_me import SHOW_SEED, Audience, invite, show_settings, stage
from jackspot_sim.browser.told import Outputs
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.clock import SimClock
from jackspot_sim.people.opponents import Opponents
from jackspot_sim.sensing.quality import Sensors
from jackspot_sim.table.mounted import Mounted
from jackspot_sim.table.running import Runs

KeeperOf = Callable[[Path, Kinds, Wall], Keeper]
"""Opens a journal for a board."""


class Surroundings(Struct, frozen=True):
    """What stays at the table while boards come and go.

    ``players`` are the seats that the computer plays, and how well. ``show_over`` is called when
    those who play by themselves are done, ``show_left`` when the next match is set up at their
    board, ``changed`` when there is something new to show.
    """

    live: LiveBoard
    audience: Audience
    pace: Pace
    outputs: Outputs
    players: dict[Seat, Strength]
    show_over: Callable[[], None]
    show_left: Callable[[], None]
    changed: Callable[[], None]


class SetUp:
    """Sets boards up: as ``config`` says at first, then as orders say.

    ``journal`` is that of all matches. ``sensors`` say what the beams are like, ``captures``
    returns who receives the next board's pins.
    """

    def __init__(
        self,
        config: Config,
        journal: Path,
        sensors: Sensors,
        around: Surroundings,
        captures: NextCapture = lambda: None,
    ) -> None:
        self._config = self._ordered = config
        self._journal = journal
        self._played: Path | None = None
        self._sensors = sensors
        self._around = around
        self._captures = captures

    def order(self, order: Order) -> None:
        """Note what an order sets, on top of what others set before it.

        CannotHappen if no match can be played so.
        """
        self._ordered = as_ordered(self._ordered, order)

    def agree(self) -> None:
        """Take over everything that was ordered, for the next board and those after it."""
        self._config = self._ordered

    def next_board(self, order: Order, before: PlayedBoard | None = None) -> PlayedBoard:
        """Set up the next board, and the people who play on it if it is a show.

        ``before`` is the board that is on the table until then.
        """
        around, changed = self._around, self._around.changed
        staged = order.showing and order.record is None
        settings = order.record.settings if order.record is not None else None
        if staged:
            settings = show_settings(self._shown_rules())
        clock = around.pace.next_clock(staged=staged)
        around.outputs.go_dark()
        strengths = around.players if settings is None else {}
        if staged and settings is not None:
            strengths = dict.fromkeys(settings.seats, Strength.MASTER)
        seed = SHOW_SEED if staged else None
        opponents = Opponents(clock, strengths, lambda: board.runs, changed, seed)
        keep: KeeperOf = Keeper
        if self._played is not None and order.is_new_match:
            speaks = order.language is not None
            keep = opened_for_a_new_match(self._config, clock.now_ns(), speaks=speaks)
        self._played = self._journal_for(order)
        rig = self._rig(self._played, settings, clock, opponents, keep)
        parts = Parts(rig, changed)
        mounted = Mounted(clock, rig.table, self._sensors)
        if order.resumes is not None:
            order.resumes.runs.settle()
            rig.table.take_over(order.resumes.rig.table)
            parts.take_over(order.resumes.parts)
            mounted.shine()
        elif order.record is not None:
            invite(rig, order.record, around.audience, around.show_over)
        elif settings is not None:
            stage(rig, settings, around.audience, lambda: board.runs, around.show_over)
            around.audience.left = around.show_left
        else:
            around.audience.player = around.audience.left = None
            rig.lay_out()
            mounted.break_wires()
            mounted.shine()
        shaken = rig.hub.shake if rig.hub is not None else lambda _blows: None
        runs = Runs(clock, rig.table, changed, seed or 0, mounted, shaken)
        if order.resumes is not None:
            runs.take_over(order.resumes.runs)
            mounted.take_over(order.resumes.mounted)
            opponents.take_over(order.resumes.opponents)
        hands = PageHands(rig, runs, around.live, around.audience, changed)
        mishaps = Mishaps(rig, lambda: around.live.view)
        board = PlayedBoard(rig, runs, mounted, opponents, hands, parts, mishaps)
        return board if before is None else board.after(before)

    def _rig(
        self,
        journal: Path,
        settings: MatchSettings | None,
        clock: SimClock,
        opponents: Opponents,
        keep: KeeperOf,
    ) -> Rig:
        """Put a board together, set to a match that is agreed already or to what orders say.

        It reports to a hall what people play at it only if that broker is on this machine: it
        is not the board that another hall knows by this number.
        """
        around = self._around
        around.live.matches = LaterHistory(journal, self._config.board.name, initials=False)
        rig = Rig(
            self._config if settings is None else agreed_in(self._config, settings),
            journal,
            clock,
            Onlookers(
                further=(around.audience, opponents),
                pages=self._page_of,
                on_edge=lambda _edge: around.changed(),
                on_output=around.outputs.see,
                captured=self._captures(),
                in_hall=settings is None
                and all(is_loopback(host) for host, _ in self._config.festival.broker),
            ),
            direct=False,
            keep=keep,
        )
        rig.bus.watch(around.changed)
        if rig.sign is not None:
            rig.sign.watch(around.changed)
        return rig

    def _shown_rules(self) -> RuleSystem:
        """Return the rules that are on the table, by which a show is played."""
        view = self._around.live.view
        return USUAL_RULES if view is None else view.rules

    def _journal_for(self, order: Order) -> Path:
        """Return the path of the next board's journal: that of all matches, or a show's own."""
        if order.resumes is not None and self._played is not None:
            return self._played
        staged = order.showing and order.record is None
        return of_a_show(self._journal) if staged else self._journal

    def _page_of(self, live: LiveBoard) -> OpenPage:
        """Show this board's views on the page that is open already."""
        self._around.live.identity = live.identity
        self._around.live.start_anew()
        return OpenPage(self._around.live)
