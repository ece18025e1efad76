"""A referee and players who play a match record on the simulated table.

They know what the record says and do what people do: let the pieces fall, look at the
display, press FIX until it shows what really happened, press OK, put pieces back. They act
only through hands (pieces and buttons) and see only what a display is shown, so people can do
whatever they can.

Theory of operation. The player is a display like any other: it keeps the newest view. Every
``pace_ns`` of virtual time it looks at that view and does the one next thing. It never
counts on a press having worked: it looks again. It knows its position in the record from the
questions it has answered; a restarted board says how many strokes it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jackspot.core.directives import Entry, Say, Saying, SetOwed, SetPocketed
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView, MenuView, Phase, Sound
from jackspot.sensing.events import Button, Key
from jackspot.values import changed
from jackspot_sim.people.habits import MILLISECOND_NS, Agenda, Habits, Hands
from jackspot_sim.people.judging import fits, is_plain, sensed, touched
from jackspot_sim.people.lists import (
    directive_item,
    edit_item,
    enters,
    is_about_later_strokes,
    wants_hold,
)
from jackspot_sim.people.reach import Reach, usual_buttons


class LostTrack(RuntimeError):
    """The board never came to show what happened; the message says at which entry."""


class Player:
    """Plays the entries of a match on a table, as a display that looks and acts.

    ``finished`` is called once the last entry has been played and nothing is left to do.
    """

    name = "player"

    def __init__(
        self,
        settings: MatchSettings,
        entries: Sequence[Entry],
        hands: Hands,
        agenda: Agenda,
        habits: Habits | None = None,
        finished: Callable[[], None] | None = None,
    ) -> None:
        self._settings = settings
        self._entries = tuple(entries)
        self._hands = hands
        self._agenda = agenda
        self._habits = habits or Habits()
        at_box = self._habits.at_box
        self.reach = Reach(self._habits.buttons or usual_buttons(at_box=at_box), at_box=at_box)
        self._finished = finished
        self._view: BoardView | None = None
        self._at = 0
        self._shot = False
        self._answered: int | None = None
        self._placed_for: int | None = None
        self._slipped: int | None = None
        self._undos_left = 0
        self._fallen = 0  # entries before this one have happened, entered or not
        self._slips_made: set[int] = set()
        self.mended = 0
        self._busy = False
        self._resting = False
        self._stopped = False
        self._same_looks = 0
        self._presses_here = 0
        self._last_at = 0
        self._last_ask = 0
        self.looks = 0

    # --- as a display -----------------------------------------------------------------

    def start(self) -> None:
        """Begin to watch."""
        self._later(self._habits.looks_ns)

    def post(self, view: BoardView) -> None:
        """See a view."""
        self._view = view

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound; these people go by what they see."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop acting."""
        del timeout_s
        self._stopped = True
        return True

    def resume(self, entered: Sequence[Entry]) -> None:
        """Take up a match of which the board already has these entries."""
        count = sum(not _goes_by_itself(entry) for entry in entered)
        self._at = 0
        while count and self._at < len(self._entries):
            count -= not _goes_by_itself(self._entries[self._at])
            self._at += 1

    @property
    def current(self) -> Entry | None:
        """The entry that is being played, None after the last."""
        return self._entries[self._at] if self._at < len(self._entries) else None

    @property
    def played(self) -> int:
        """How many entries have been played."""
        return self._at

    # --- looking and acting -----------------------------------------------------------

    def _later(self, delay_ns: int) -> None:
        if not self._stopped:
            self._agenda.after(delay_ns, self._look)

    def _look(self) -> None:
        """Do the one next thing."""
        if self._stopped:
            return
        self.looks += 1
        view = self._view
        if view is not None and not self._busy:
            self._watch_for_standstill(view)
            self.reach.look(view)
            self._note_answer(view)
            if not self._resting:
                self._act(view)
        self._later(self._habits.looks_ns)

    def _watch_for_standstill(self, view: BoardView) -> None:
        self._same_looks = self._same_looks + 1 if view.ask == self._last_ask else 0
        self._last_ask = view.ask
        if self._at != self._last_at:
            self._last_at, self._presses_here = self._at, 0
        if self._same_looks > LOOKS_BEFORE_LOST or self._presses_here > PRESSES_BEFORE_LOST:
            raise LostTrack(
                f"entry {self._at + 1} of {len(self._entries)} never came to be shown: "
                f"the board is in {view.phase} and says {view.headline} / {view.detail}"
            )

    def _note_answer(self, view: BoardView) -> None:
        """Go to the next entry once the board has taken the answer, or the clock has answered."""
        waits = self._at < len(self._entries) and self._entries[self._at] == Say(Saying.TIME)
        if waits and view.clock.limit_ns and not view.clock.remaining_ns:
            self._at += 1
        if self._answered is None or view.ask == self._answered:
            return
        self._answered = None
        if view.menu is not None and view.menu.kind == MenuKind.TOUCHED:
            return
        self._resting = True
        self._agenda.after(self._habits.rests_ns, self._rested)
        if self._undos_left:
            self._undos_left -= 1
            return
        self._at += 1
        self._shot = False
        slip = self._slipped
        if slip is not None and self._at > slip + self._habits.slips[slip]:
            self._undos_left = self._at - slip
            self._fallen = self._at
            self._at, self._shot, self._slipped = slip, True, None
            self.mended += 1

    def _act(self, view: BoardView) -> None:
        if self._at >= len(self._entries) and view.phase is not Phase.PLACING:
            self._stopped = True
            if self._finished is not None:
                self._finished()
        elif view.menu is not None:
            self._work_menu(view, view.menu)
        elif self._undos_left:
            self._answered = view.ask
            self._take_back()
        else:
            self._in_phase(view)

    def _in_phase(self, view: BoardView) -> None:
        """Do what this phase asks for."""
        match view.phase:
            case Phase.SETUP:
                self._begin(view)
            case Phase.READY:
                self._play(view)
            case Phase.REVIEW:
                self._settle(view)
            case Phase.PLACING:
                self._put_back(view)
            case Phase.PAUSED:
                self._tap(Key.OK)
            case Phase.BOARD_OVER | Phase.MATCH_OVER:
                self._after_a_board(view)
            case Phase.FALLING:
                pass

    def _begin(self, view: BoardView) -> None:
        """Agree who shoots first."""
        first = self._settings.seats[0]
        own = self._button(Key.OK, first)
        if own.place.seat is first:
            self._press(own, self._habits.press_ns)
            return
        key = Key.OK if view.shooter is first else Key.FIX
        for_all = self.reach.for_all(key) or self._button(key, first)
        self._press(for_all, self._habits.press_ns)

    def _after_a_board(self, view: BoardView) -> None:
        """Ask for the extra point, if that is next; else go on to the next board."""
        if self._entries[self._at] == DEMAND:
            self._tap(Key.FIX)
        elif view.phase is Phase.BOARD_OVER:
            if self._entries[self._at] == Say(Saying.BOARD):
                self._answered = view.ask
            self._tap(Key.OK)

    def _put_back(self, view: BoardView) -> None:
        """Put the pieces where they belong, once, and say so; or say that it is waived."""
        if self._at < len(self._entries) and self._entries[self._at] in LET_GO:
            self._tap(Key.FIX)
            return
        if self._placed_for != view.ask:
            self._placed_for = view.ask
            self._hands.put_back(view.place)
        if self._at < len(self._entries) and self._entries[self._at] == Say(Saying.PLACED):
            self._answered = self._view.ask if self._view else None
        self._tap(Key.OK)

    def _play(self, view: BoardView) -> None:
        """Shoot, or say what the referee says, as the record has it next."""
        entry = self._entries[self._at]
        if isinstance(entry, Stroke):
            self._shoot(view, entry)
        elif entry == Say(Saying.PLACED):
            self._at += 1
        elif entry != Say(Saying.TIME):
            self._press(self._button(Key.FIX), self._habits.hold_ns)

    def _shoot(self, view: BoardView, stroke: Stroke) -> None:
        if view.shooter is not stroke.seat and not stroke.departures:
            return
        if not self._shot and self._at >= self._fallen:
            self._shot = True
            self._hands.fetch_strikers()
            self._busy = True
            self._agenda.after(self._aims_ns(view, stroke), self._let_fall)
            return
        if not stroke.departures and stroke.flags == MISSED_BREAK:
            self._tap(Key.OK)
        elif stroke.flags:
            self._tap(Key.FOUL if self._has(Key.FOUL) else Key.FIX)
        elif any(each.flew_off for each in stroke.departures):
            self._tap(Key.OFF if self._has(Key.OFF) else Key.FIX)
        elif stroke.departures:
            self._tap(Key.FIX)
        else:
            self._answered = view.ask
            self._tap(Key.OK)

    def _aims_ns(self, view: BoardView, stroke: Stroke) -> int:
        """Return how long to aim: less than usual if the match clock of the record requires it."""
        clock, usual = view.clock, self._habits.aims_ns
        if stroke.used_ns is None or not clock.running:
            return usual
        left = stroke.used_ns - (clock.limit_ns - clock.remaining_ns)
        return min(usual, max(HURRIES_NS, left))

    def _let_fall(self) -> None:
        """Shoot: pieces fall into their pockets or fly off."""
        stroke = self._entries[self._at]
        assert isinstance(stroke, Stroke), "only a stroke is shot"
        for each in stroke.departures:
            if each.flew_off:
                self._hands.fly_off([each.piece])
            else:
                self._hands.drop(each.pocket or Pocket.NE, [each.piece])
        lasts_ns = ROLLS_NS * len(stroke.departures)
        self._agenda.after(lasts_ns, self._free)

    def _take_back(self) -> None:
        """Press UNDO; if there is none, OK and FIX of a place together."""
        pair = None if self._has(Key.UNDO) else self.reach.pair(self._acting)
        if pair is None:
            self._tap(Key.UNDO)
        else:
            self._press(pair[0], self._habits.press_ns, pair[1])

    def _settle(self, view: BoardView) -> None:
        """Press until the display shows what happened, then confirm."""
        entry = self._entries[self._at]
        shown = view.proposal
        slips = self._at in self._habits.slips and self._at not in self._slips_made
        if slips and shown is not None and not shown.ends_board:
            self._slips_made.add(self._at)
            if not (isinstance(entry, Stroke) and fits(shown, entry)):
                self._slipped, self._answered = self._at, view.ask
                self._tap(Key.OK)
                return
        if shown is None:
            return
        if not isinstance(entry, Stroke):
            self._tap(Key.OK)
            return
        if fits(shown, entry):
            self._answered = view.ask
            self._press(
                self._button(Key.OK),
                self._habits.hold_ns if shown.ends_board else self._habits.press_ns,
            )
        elif any(fits(each, entry) for each in view.readings):
            self._tap(Key.FIX)
        elif is_plain(shown, entry) and shown.flags ^ entry.flags == FOUL and self._has(Key.FOUL):
            self._tap(Key.FOUL)
        else:
            self._press(self._button(Key.FIX), self._habits.hold_ns)

    # --- lists ------------------------------------------------------------------------

    def _work_menu(self, view: BoardView, menu: MenuView) -> None:
        """Go to the item that leads on, and do it."""
        if is_about_later_strokes(menu):
            self._at, self._shot = max(self._at, self._fallen), False
            self._tap(Key.OK)
            return
        if menu.title.msgid == BEAM_MISSES:
            self._tap(Key.OK)
            return
        entry = self._entries[self._at]
        if menu.kind in TOLD:
            self._answered = view.ask
            self._tap(Key.OK if menu.kind != MenuKind.TOUCHED or touched(entry) else Key.FIX)
            return
        if isinstance(entry, Stroke):
            wanted = edit_item(menu, view.proposal, changed(entry, departures=sensed(entry)))
        else:
            wanted = directive_item(menu, entry)
        if menu.chosen != wanted:
            self._tap(Key.FIX)
            return
        settles = not isinstance(entry, Stroke) and enters(menu.items[wanted], entry, view)
        if settles:
            self._answered = view.ask
        counts = isinstance(entry, SetPocketed | SetOwed)
        holds = (settles or counts) and wants_hold(menu.items[wanted], entry)
        held_ns = self._habits.hold_ns if holds else self._habits.press_ns
        self._press(self._button(Key.OK), held_ns)

    # --- fingers ----------------------------------------------------------------------

    @property
    def _acting(self) -> Seat:
        """The seat whose stroke it is."""
        view = self._view
        return view.shooter if view is not None and view.shooter else self._settings.seats[0]

    def _has(self, key: Key) -> bool:
        """Whether there is a button of this key that may work."""
        return self.reach.find(key, self._acting) is not None

    def _button(self, key: Key, seat: Seat | None = None) -> Button:
        """Return the button to press: the box's, or that of the seat whose stroke it is."""
        found = self.reach.find(key, seat or self._acting)
        if found is None:
            raise LostTrack(f"there is no {key} that works; given up: {sorted(self.reach.left)}")
        return found

    def _tap(self, key: Key) -> None:
        self._press(self._button(key), self._habits.press_ns)

    def _press(self, button: Button, for_ns: int, also: Button | None = None) -> None:
        """Press a button, or two together, for a while."""
        buttons = (button,) if also is None else (button, also)
        self._busy = True
        self._presses_here += 1
        if self._view is not None:
            self.reach.pressed(buttons, self._view)
        for each in buttons:
            self._hands.press(each)

        def let_go() -> None:
            for each in buttons:
                self._hands.release(each)
            self._agenda.after(self._habits.looks_ns, self._free)

        self._agenda.after(for_ns, let_go)

    def _free(self) -> None:
        self._busy = False

    def _rested(self) -> None:
        self._resting = False


HURRIES_NS = 400 * MILLISECOND_NS
"""The shortest time that people take for a shot."""
ROLLS_NS = 300 * MILLISECOND_NS
"""How long people wait for each rolling piece before they say what fell."""

FOUL = frozenset({Flag.FOUL})
MISSED_BREAK = frozenset({Flag.NOBREAK})
DEMAND = Say(Saying.DEMAND)
LET_GO = frozenset({Say(Saying.FORGOT), Say(Saying.WAIVE)})
"""What is said instead of putting pieces back."""

TOLD = frozenset({MenuKind.TOUCHED, MenuKind.FORGOTTEN, MenuKind.WAIVED, MenuKind.DEMAND})
"""Questions whose answer is the entry that is played."""


BEAM_MISSES = "its beam misses pieces?"
"""The question whether a pocket is to be entered by hand; people have seen that it is so."""

LOOKS_BEFORE_LOST = 2_000
"""This many looks at the same question mean that it will never be answered."""
PRESSES_BEFORE_LOST = 1_000
"""This many presses for one entry mean that its questions go round in a circle."""


def _goes_by_itself(entry: Entry) -> bool:
    """Whether a board asks for this entry, so that nobody has to remember it."""
    return entry in (Say(Saying.PLACED), Say(Saying.BOARD))
