"""People at one board of a hall: they answer what the hall orders, and play what comes.

Theory of operation. They are a display like any other and sleep until the board shows something
new. Then they think for a moment, look at the newest view and do the one next thing that it asks
for. Nothing is planned ahead, so they go on from wherever a restarted board is. What falls is drawn
from what is on the board by the board's own count. They press FIX until the display says what fell;
if it never does they confirm what it says, since the match is reported to a hub either way.

In a hall people are called aloud: when an order waits, they break off a match that nobody ordered.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView, MenuView, OrderState, Phase, Sound
from jackspot.sensing.events import Button, Key, Place
from jackspot_sim.boards.rig import Rig
from jackspot_sim.chance.pulses import MS
from jackspot_sim.people.judging import fits
from jackspot_sim.people.lists import find
from jackspot_sim.table.steward import lying

THINKS_MS = 1_000, 2_000
"""How long people look at what is new before they press: longer than the board is deaf."""
AIMS_MS = 5_000, 10_000
"""From one stroke to the next shot; with everything else a stroke takes about 12 s."""
ROLLS_MS = 2_000, 2_500
"""How long pieces roll after a shot that pockets nothing."""
MEETS_MS = 10_000, 30_000
"""How long it takes until others sit down at a board for which nobody ordered a match."""
GONG_WAIT_MS = 180_000
"""How long people wait for the hall's gong before they begin with their board's own."""
TRIES = 6
"""A list that this many presses did not settle is closed."""

HITS, LAST, QUEEN, ANOTHERS, STRIKER = 0.5, 0.5, 0.1, 0.05, 0.05
"""How often a shot pockets an own piece, the jack or queen when it is all that is left to play,
the queen before that, and another's piece; and how often the striker falls too."""


class HallPeople:
    """The people at one board. With ``friendly`` they also play where nobody ordered a match."""

    name = "people"

    def __init__(self, seed: str, *, friendly: bool) -> None:
        self._rng = random.Random(seed)
        self._friendly = friendly
        self._rig: Rig | None = None
        self._view: BoardView | None = None
        self._looks_ns: int | None = None
        self._busy = self._gone = False
        self._asked, self._tries = -1, 0
        self._meets_ns: int | None = None
        self._gong_ns: int | None = None  # until then they wait for the hall's gong
        self._shot: int | None = None  # how many entries there were when somebody shot
        self._fell: tuple[Departure, ...] = ()
        self.matches = 0
        """How many matches have ended here."""

    @property
    def view(self) -> BoardView | None:
        """What the board shows; None before it has shown anything."""
        return self._view

    def sit_down(self, rig: Rig) -> None:
        """Sit down at a board, before it runs."""
        self._rig = rig

    # --- as a display -----------------------------------------------------------------------

    def start(self) -> None:
        """Wait for what is shown."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        before, self._view = self._view, view
        if before is not None and view.phase is Phase.MATCH_OVER is not before.phase:
            self.matches += 1
        self._look_after(THINKS_MS)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound; these people go by what they see."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Go home."""
        del timeout_s
        self._gone = True
        return True

    # --- looking and acting -----------------------------------------------------------------

    @property
    def _at(self) -> Rig:
        assert self._rig is not None, "people sit down before the board runs"
        return self._rig

    def _look_after(self, between_ms: tuple[int, int]) -> None:
        """Look after a while in this range, unless somebody looks earlier."""
        self._look_at(self._in_a_while(between_ms))

    def _look_at(self, at_ns: int) -> None:
        if not self._busy and (self._looks_ns is None or at_ns < self._looks_ns):
            self._looks_ns = at_ns
            self._at.clock.at(at_ns, partial(self._look, at_ns))

    def _in_a_while(self, between_ms: tuple[int, int]) -> int:
        return self._at.clock.now_ns() + round(self._rng.uniform(*between_ms) * MS)

    def _look(self, planned_ns: int) -> None:
        if self._busy or planned_ns != self._looks_ns:
            return
        self._looks_ns = None
        view = self._view
        if view is None or self._gone:
            return
        if view.ask != self._asked:
            self._asked, self._tries = view.ask, 0
        if view.menu is not None:
            self._work(view, view.menu)
        elif view.hall is not None and view.hall.state is OrderState.OFFERED:
            offered = self._at.board.dialogue.offered
            seats = () if offered is None else offered.settings.seats
            self._press(Key.OK, [Place(seat.value) for seat in seats])
        else:
            self._in_phase(view)

    def _in_phase(self, view: BoardView) -> None:
        """Do what this phase asks for."""
        match view.phase:
            case Phase.SETUP | Phase.MATCH_OVER:
                self._between_matches(view)
            case Phase.READY:
                self._play(view)
            case Phase.REVIEW:
                self._settle(view)
            case Phase.PLACING | Phase.PAUSED | Phase.BOARD_OVER:
                self._press(Key.OK)
            case Phase.FALLING:
                pass

    def _between_matches(self, view: BoardView) -> None:
        """Start a match that was ordered; start one that was not once others have sat down."""
        self._shot = None
        seated = view.hall is not None and view.hall.state is OrderState.SEATED
        if self._friendly and self._meets_ns is None:
            self._meets_ns = self._in_a_while(MEETS_MS)
        if seated or (self._meets_ns is not None and self._meets_ns <= self._at.clock.now_ns()):
            self._press(Key.OK, held=view.phase is Phase.MATCH_OVER)
        elif self._meets_ns is not None:
            self._look_at(self._meets_ns)

    def _play(self, view: BoardView) -> None:
        """Shoot; say so if nothing fell.

        The gong is the hall's, if the match begins by it and it comes; else the first OK pressed.
        """
        self._meets_ns = None
        if not view.clock.armed:
            self._gong_ns = None
        elif view.hall is not None and view.hall.order is not None and not view.hall.away:
            now_ns = self._at.clock.now_ns()
            self._gong_ns = self._gong_ns or now_ns + GONG_WAIT_MS * MS
            if now_ns < self._gong_ns:
                self._look_after(THINKS_MS)
                return
        entered = 0 if view.written is None else len(view.written.entries)
        if self._is_called(view):
            self._press(Key.FIX, held=True)
        elif view.clock.armed or self._shot == entered:
            self._press(Key.OK)
        else:
            self._shot = entered
            self._busy = True
            self._at.clock.at(self._in_a_while(AIMS_MS), self._shoot)

    def _is_called(self, view: BoardView) -> bool:
        """Whether the hall has ordered a match while one is played that nobody ordered."""
        hall = self._at.board.dialogue.hall
        ordered = hall is not None and hall.offered is not None
        return ordered and view.hall is not None and view.hall.order is None

    def _shoot(self) -> None:
        self._busy = False
        view = self._view
        if view is None or view.phase is not Phase.READY or self._gone:
            self._look_after(THINKS_MS)
            return
        pocket, pieces, table = self._rng.choice(list(Pocket)), self._pocketed(view), self._at.table
        self._fell = tuple(Departure(piece, pocket) for piece in pieces)
        table.take_striker()
        there = Counter({**table.truth().on_board, Piece.STRIKER: 0})
        if +there != +lying(view):  # what did not happen was confirmed: people sort it out
            table.lay(view.rules, lying(view), view.shooter or Seat.S)
        if pieces:
            table.drop(pocket, pieces)
        self._look_after(ROLLS_MS)

    def _pocketed(self, view: BoardView) -> list[Piece]:
        """Draw what a shot pockets."""
        left = +lying(view)
        side = next((each for each in view.sides if view.shooter in each.seats), view.sides[0])
        red = [each for each in (Piece.JACK, Piece.QUEEN) if left[each]]
        own = [each for each in side.pieces if left[each] and each not in red]
        last = red if side.all_in or not own else []
        queen = [each for each in red if each is Piece.QUEEN]
        aims = ((last, LAST), (queen, QUEEN), (own, HITS), (list(left), ANOTHERS))
        hit = [kinds for kinds, share in aims if kinds and self._rng.random() < share]
        found = [self._rng.choice(kinds) for kinds in hit[:1]]
        return [*found, *[Piece.STRIKER] * (self._rng.random() < STRIKER)]

    def _settle(self, view: BoardView) -> None:
        """Press FIX until the display says what fell, if it ever does, then OK."""
        shown = view.proposal
        if shown is None:
            return
        happened = Stroke(shown.seat or view.shooter or Seat.S, self._fell)
        known = any(fits(each, happened) for each in view.readings)
        if known and not fits(shown, happened):
            self._press(Key.FIX)
        else:
            self._press(Key.OK, held=shown.ends_board)

    def _work(self, view: BoardView, menu: MenuView) -> None:
        """Break a match off; answer yes to what is asked; close what nobody wants."""
        ends = find(menu, "end this match") if menu.kind == MenuKind.MENU else None
        if ends is not None and self._is_called(view):
            chosen = menu.chosen == ends
            self._press(Key.OK if chosen else Key.FIX, held=chosen)
        elif menu.kind == MenuKind.MENU or self._tries > TRIES:
            self._press(Key.FIX, held=True)
        else:
            lines = menu.lines[menu.chosen : menu.chosen + 1]
            self._press(Key.OK, held=any(line.held for line in lines))

    def _press(self, key: Key, first: Sequence[Place] = (), *, held: bool = False) -> None:
        """Press a button: these people's, the box's, that of whose turn it is, or anybody's.

        If one does nothing, press the next.
        """
        shooter = None if self._view is None else self._view.shooter
        seats = sorted((each for each in Place if each.seat), key=lambda each: each.seat != shooter)
        places = dict.fromkeys([*first, Place.REFEREE, *seats])
        wires = self._at.table.wires
        buttons = [each for place in places if (each := Button(place, key)).wire in wires]
        button = buttons[self._tries % len(buttons)]
        self._tries += 1
        over_ns = self._at.table.hold(button) if held else self._at.table.press(button)
        self._busy = True
        self._at.clock.at(over_ns, self._let_go)

    def _let_go(self) -> None:
        self._busy = False
        self._look_after(THINKS_MS)
