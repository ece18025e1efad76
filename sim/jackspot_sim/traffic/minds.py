"""What somebody at the board thinks: what has happened, what the display says, what to press.

A mind knows the strokes that its owner saw and what the display shows, but never what a beam
sensed or what the board keeps inside. From these it decides which press leads on, whatever the
board asks. It holds no clock and touches no button: :mod:`jackspot_sim.traffic.rounds` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from jackspot.core.directives import (
    Entry,
    GiveTurn,
    RedPlace,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import Match, MatchState
from jackspot.core.pieces import Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import BoardView, MenuView, Phase, ReadingView
from jackspot.readings.own_pieces import counts_by_colour, out_of_play
from jackspot.values import changed
from jackspot_sim.people.lists import (
    EDIT_DONE,
    FOUL,
    OFF,
    edit_item,
    find,
    leading_item,
    wants_hold,
)
from jackspot_sim.traffic.aims import (
    ReviewAim,
    aim_at,
    flown_of,
    in_order_of,
    in_pockets_of,
    nearly_says,
    numbers_in,
    says,
    sensed_pockets,
)
from jackspot_sim.traffic.mending import (
    QUEEN_ON_BOARD,
    has_only_the_queen,
    next_correction,
    queen_is_gone,
)
from jackspot_sim.traffic.standings import (
    standing_of,
    standing_shown,
    winners_of,
    winners_shown,
)


class Move(StrEnum):
    """What a finger does next."""

    OK = "ok"
    OK_HELD = "ok held"
    FIX = "fix"
    FIX_HELD = "fix held"
    FOUL = "foul"
    OFF = "off"
    UNDO = "undo"
    WAIT = "wait"
    """Nothing yet: something is still falling."""


IMPOSSIBLE_COUNT = "set {side} in: {n}"
"""The line that mends an impossible count."""
PLAYING = frozenset({Phase.READY, Phase.FALLING, Phase.REVIEW, Phase.PLACING, Phase.PAUSED})
"""The phases in which a board is not over, according to the display."""
REMEMBERED = 6
"""How many strokes somebody who takes an entry back searches for it: an old one looked the same."""
MOST_TAKEN_BACK = 12
"""How many entries somebody takes back in search of a mistake before giving up."""


class Mind(Struct):
    """What one person knows and means.

    ``matches[k]`` is the true match before the stroke with number ``k`` of ``strokes``; the last
    one is that after all of them. ``entered`` is how many of them this person believes the board
    has. ``careful``: compares what is shown with what is true, and takes back what is not.
    ``box``: has the buttons FOUL, OFF and UNDO.
    """

    matches: list[Match]
    careful: bool
    box: bool
    strokes: list[Stroke] = field(default_factory=list)
    entered: int = 0
    mending: bool = False
    """Whether counts and turn are being corrected in the lists."""
    corrections: int = 0
    at_a_loss: bool = False
    """Whether something is wrong that neither taking entries back nor the lists have corrected."""
    _grown: set[int] = field(default_factory=set)
    _offs: int = 0
    _taken_back: int = 0
    """Entries taken back since the board was last right, or got further than ever before."""
    _furthest: int = 0
    _credited: Stroke | None = None
    """A stroke that is entered because it is missing on the display, not because it fell."""
    _credits: bool = False
    """Whether a credited piece counts as pocketed in the running turn."""
    _gives_turn: bool = False
    _meant: ReviewAim | None = None
    _pressed: Move | None = None
    _in_lists: bool = False

    # what happens on the table

    def sees(self, stroke: Stroke, before: Match, after: Match) -> None:
        """See a stroke come to rest."""
        self.matches[-1] = before
        self.matches.append(after)
        self.strokes.append(stroke)

    def sees_grow(self, number: int, stroke: Stroke, after: Match) -> None:
        """See a further piece drop that belongs to the stroke with this number."""
        self.strokes[number] = stroke
        self.matches[number + 1] = after
        if number < self.entered:
            self._grown.add(number)

    def begins_board(self, match: Match) -> None:
        """See the pieces set up for the next board."""
        self.matches[-1] = match

    @property
    def _settings(self) -> MatchSettings:
        return self.matches[0].settings

    @property
    def true(self) -> MatchState:
        """The state of the match by all strokes seen."""
        return self.matches[-1].state

    # what the board answered

    def answered(self, *, entered: bool, refused: bool, view: BoardView) -> None:
        """Hear that the last press entered something, was refused, or neither."""
        aim, pressed = self._meant, self._pressed
        self._meant = self._pressed = None
        if refused and not entered:
            return
        if self._gives_turn and view.menu is None:
            self._credits = False
        if not entered and view.menu is not None and view.menu.question:
            self._meant = aim  # it is entered once the board's questions about it are answered
            return
        if pressed is Move.UNDO and not self._in_lists:
            self._came_back(view)
        elif entered and self._credited is not None:
            self._credited, self._credits = None, True
        elif entered and aim is not None:
            self._offs = 0
            if aim.before or aim.at in self._grown:
                self._grown.discard(aim.at)
            if aim.stroke is not None and not aim.before and aim.stroke != self.strokes[aim.at]:
                self._grown.add(aim.at)  # one more piece dropped while the press was made
            self.entered = max(self.entered, aim.at + 1) if aim.before else aim.at + 1
            if self.entered > self._furthest:
                self._furthest, self._taken_back = self.entered, 0

    def _came_back(self, view: BoardView) -> None:
        """Find out how much the board has now, after something was taken back."""
        shown = view.proposal
        back = self.entered
        if shown is not None and shown.stroke:
            back = self.entered - 1 - len(shown.missed)
            newest = min(self.entered + 1, len(self.strokes)) - 1
            for number in range(newest, max(-1, self.entered - REMEMBERED), -1):
                aim = aim_at(
                    self._settings, self.strokes[number], number, shown.missed, before=shown.before
                )
                if nearly_says(shown, aim) and self._stands(view, number - len(shown.missed)):
                    self.entered = number - len(shown.missed)
                    return
        lately = range(self.entered - 1, max(-1, self.entered - REMEMBERED), -1)
        for number in (self.entered, *lately):
            if not self._is_turn(view, number):
                continue
            if self._stands(view, number) and not (number > back and shown is not None):
                self.entered = number
                return
        self.entered = max(0, min(back, self.entered))

    def _is_turn(self, view: BoardView, number: int) -> bool:
        """Whether what is open is for the seat that shoots after this many strokes."""
        plain = (each for each in view.readings if not (each.missed or each.before))
        seats = {each.seat for each in plain if each.stroke}
        return not seats or self.matches[number].state.next in seats

    def believes_entered(self) -> None:
        """Assume, without having looked, that everything is entered."""
        self.entered = len(self.strokes)

    # what to press

    def next_move(self, view: BoardView) -> Move | None:
        """Return what to press; None: there is nothing to tell the board."""
        self.at_a_loss = self._gives_turn = False
        move = self._next_move(view)
        self._pressed = move
        self._in_lists = view.menu is not None
        return move

    def _next_move(self, view: BoardView) -> Move | None:
        if view.attract is not None:
            return Move.OK
        if view.menu is not None:
            return self._in_list(view, view.menu)
        by_phase: Mapping[Phase, Callable[[BoardView], Move | None]] = {
            Phase.FALLING: lambda _view: Move.WAIT,
            Phase.REVIEW: self._in_review,
            Phase.PLACING: self._in_placing,
            Phase.READY: self._in_ready,
            Phase.BOARD_OVER: self._when_over,
            Phase.MATCH_OVER: self._when_over,
        }
        act = by_phase.get(view.phase)
        return Move.OK if act is None else act(view)

    def _in_placing(self, view: BoardView) -> Move:
        if not self.careful:
            return Move.OK
        self._look_for_others(view)
        wrong = not self._stands(view, self.entered)
        return self._take_back() if wrong and self._may_take_back() else Move.OK

    # *ready*

    def _in_ready(self, view: BoardView) -> Move | None:
        if self.mending:
            return self._mend(view)
        if self.careful:
            self._look_for_others(view)
            if not self._stands(view, self.entered):
                return self._put_right(view)
        self._taken_back = 0
        if self.entered < len(self.strokes):
            return self._say_stroke()
        return None

    def _put_right(self, view: BoardView) -> Move | None:
        """Take back what is wrong; if that finds nothing, correct counts and turn."""
        if self._may_take_back():
            return self._take_back()
        self.mending = True
        self.corrections += 1
        return self._mend(view)

    def _say_stroke(self) -> Move:
        """Enter the next stroke, which the display does not show at all."""
        stroke = self.strokes[self.entered]
        if not stroke.departures and not stroke.flags:
            self._meant = ReviewAim(stroke, at=self.entered)
            return Move.OK
        if self.box and stroke.flags:
            return Move.FOUL
        if _line_for(stroke) is None or self._offs > MOST_MARKS:
            return Move.FIX
        if self.box:
            return Move.OFF
        self._offs += 1
        return Move.FIX_HELD  # the lines for these come first in the menu

    def _look_for_others(self, view: BoardView) -> None:
        """See whether somebody else has entered what was still to be entered."""
        if self._stands(view, self.entered):
            return
        for number in range(self.entered + 1, len(self.strokes) + 1):
            if self._stands(view, number) and self._is_turn(view, number):
                self.entered = number
                return

    def _stands(self, view: BoardView, number: int) -> bool:
        """Whether the board is as it should be after this many strokes."""
        state = self.matches[number].state
        if standing_shown(view) != standing_of(state):
            return False
        if state.result is not None and view.phase in PLAYING:
            return False  # no count shows a jack, but nothing is left to shoot at
        if view.phase is Phase.READY:
            return view.shooter is state.next
        return True

    def _may_take_back(self) -> bool:
        return self._taken_back < MOST_TAKEN_BACK

    def _take_back(self) -> Move:
        if not self._taken_back:
            self.corrections += 1
        self._taken_back += 1
        return Move.UNDO

    # *review*

    def _in_review(self, view: BoardView) -> Move:
        shown = view.proposal
        assert shown is not None, "a review shows a proposal"
        if self.careful:
            self._look_for_others(view)
        aims = list(self._aims(view))
        wrong = self.careful and not self._stands(view, self.entered) and self._may_take_back()
        wrong = wrong and self._credited is None
        for aim in aims:
            if says(shown, aim):
                self._meant = aim
                return Move.OK_HELD if shown.ends_board else Move.OK
            if any(says(each, aim) for each in view.readings):
                return Move.FIX
            if wrong and aim.before:
                break  # a stroke that has grown is corrected before anything is entered after it
        if wrong:
            return self._take_back()
        aim = self._aim_of(view, aims)
        if aim.stroke is None:
            return self._say_no_stroke(view, shown)
        if nearly_says(shown, aim):
            self._meant = aim
            return Move.OK_HELD if shown.ends_board else Move.OK
        return self._marked(shown, aim.stroke) or Move.FIX_HELD

    def _say_no_stroke(self, view: BoardView, shown: ReadingView) -> Move:
        if not shown.stroke:
            return Move.OK
        if (
            not sensed_pockets(view)
            and shown.departures == ()
            and not any(not each.stroke for each in view.readings)
        ):
            return Move.UNDO
        if any(not each.stroke for each in view.readings):
            return Move.FIX
        return Move.UNDO

    def _marked(self, shown: ReadingView, stroke: Stroke) -> Move | None:
        """Press FOUL or OFF if only that is missing and there is such a button."""
        if not self.box or self._offs > MOST_MARKS:
            self._offs = 0
            return None
        self._offs += 1
        if shown.flags != stroke.flags:
            return Move.FOUL
        if flown_of(shown.departures) != flown_of(stroke.departures):
            return Move.OFF
        self._offs = 0
        return None

    def _aims(self, view: BoardView) -> Iterator[ReviewAim]:
        """Return what would be right to confirm now, earlier falls before later ones."""
        last, settings = self.entered - 1, self._settings
        if self._credited is not None:
            yield aim_at(settings, self._credited, last)
            return
        if last in self._grown:
            yield aim_at(settings, self.strokes[last], last, before=True)
        missed: list[Seat] = []
        for number in range(self.entered, len(self.strokes)):
            stroke = self.strokes[number]
            if stroke.departures or stroke.flags:
                aim = aim_at(settings, stroke, number, tuple(missed))
                yield self._as_it_stands(view, aim)
                break
            missed.append(stroke.seat)

    def _as_it_stands(self, view: BoardView, aim: ReviewAim) -> ReviewAim:
        """Leave out misses that the board already has, or that nobody looks for."""
        shown, stroke = view.proposal, aim.stroke
        if shown is None or stroke is None or any(says(each, aim) for each in view.readings):
            return aim
        strokes = [each for each in view.readings if each.stroke and not each.before]
        mine = [each for each in strokes if each.seat is stroke.seat]
        if not self.careful and mine:
            of_mine = shown.seat is stroke.seat and not shown.before
            return changed(aim, missed=(shown if of_mine else mine[0]).missed)
        if any(not each.missed for each in mine):
            return changed(aim, missed=())
        return aim

    def _aim_of(self, view: BoardView, aims: Sequence[ReviewAim]) -> ReviewAim:
        """Return what the falls that are open were."""
        pockets = sensed_pockets(view)
        for aim in aims:
            if aim.before or aim.stroke is None:
                continue  # editing cannot add to the stroke before
            if self._credited is not None:
                return aim
            fallen = {each.pocket for each in aim.stroke.departures if each.pocket is not None}
            if not pockets or fallen & pockets:
                return aim
        return ReviewAim(None)

    # the ends

    def _when_over(self, view: BoardView) -> Move | None:
        """Look at a result: either it is right, or the last entry was wrong."""
        state = self.true
        ended = state.result is not None
        if view.phase is Phase.MATCH_OVER and state.over:
            right = winners_shown(view) == winners_of(state)
            return None if right or not self.careful else self._take_back()
        if ended and view.phase is Phase.BOARD_OVER and view.board == state.board:
            right = state.result is not None and view.winner is state.result.winner
            return None if right or not self.careful else self._take_back()
        if view.phase is Phase.BOARD_OVER and state.board > view.board:
            return Move.OK
        if not self._may_take_back():
            return Move.OK_HELD if view.phase is Phase.MATCH_OVER else Move.OK
        return self._take_back()

    # lists

    def _in_list(self, view: BoardView, menu: MenuView) -> Move:
        asked = self._asked(view, menu)
        if asked is not None:
            return asked
        mended = self._to_mend(view) if self.mending and self._credited is None else None
        if mended is not None and not isinstance(mended, Stroke):
            return self._mend_in_list(menu, mended)
        aims = list(self._aims(view))
        aim = self._aim_of(view, aims) if aims else ReviewAim(None)
        if aim.stroke is not None and queen_is_gone(view, aim.stroke, aim.missed):
            return self._mend_in_list(menu, QUEEN_ON_BOARD)
        if view.proposal is None and menu.kind == MenuKind.MENU and aim.stroke is not None:
            return self._call_in_menu(menu, aim.stroke)
        if view.proposal is None or menu.kind != MenuKind.EDIT or aim.stroke is None:
            return Move.UNDO
        return self._edit(menu, view.proposal, aim)

    def _call_in_menu(self, menu: MenuView, stroke: Stroke) -> Move:
        """Go to the line for a foul or for a piece that flew off, and do it."""
        name = _line_for(stroke)
        line = None if name is None else find(menu, name)
        if line is None:
            return Move.UNDO
        return Move.OK if menu.chosen == line else Move.FIX

    def _edit(self, menu: MenuView, shown: ReadingView, aim: ReviewAim) -> Move:
        """Go to the line that brings the stroke nearer to what it was, and do it."""
        assert aim.stroke is not None, "no stroke is edited into something that was none"
        if nearly_says(shown, aim):
            return Move.OK if menu.items[menu.chosen].msgid == EDIT_DONE else Move.UNDO
        pieces = aim.stroke.departures
        pieces = pieces if aim.in_order else in_order_of(shown.departures, pieces)
        if not aim.pockets:
            pieces = in_pockets_of(shown.departures, pieces)
        stroke = changed(aim.stroke, departures=pieces)
        wanted = edit_item(menu, shown, stroke, aim.missed, by_off=self._offs <= MOST_MARKS)
        if menu.chosen != wanted:
            return Move.FIX
        self._offs += menu.items[wanted].msgid == OFF
        return Move.OK

    def _asked(self, view: BoardView, menu: MenuView) -> Move | None:
        """Answer what the board asks on its own; None: it is a list that somebody opened."""
        if menu.question:
            return self._answer(view, menu)
        match menu.kind:
            case MenuKind.GATHERED:
                return self._answer_for_all(view, menu)
            case MenuKind.STOPPED:  # leave out what has no place, and enter it by hand
                return Move.OK if menu.chosen == len(menu.items) - 2 else Move.FIX
            case MenuKind.IMPOSSIBLE:
                return self._mend_the_impossible(menu)
        return None

    def _mend_the_impossible(self, menu: MenuView) -> Move:
        """Set the count that is one too many; what fell is in plain view.

        If no count can be set, as for a queen, open the entry that is most likely wrong: the
        first. Somebody who changes this stroke instead, which is right, is asked again forever.
        """
        names = [item.msgid for item in menu.items]
        mends = names.index(IMPOSSIBLE_COUNT) if IMPOSSIBLE_COUNT in names else 0
        return Move.OK if menu.chosen == mends else Move.FIX

    def _answer(self, view: BoardView, menu: MenuView) -> Move:
        """Answer yes or no: a fall after the end was part of the last stroke only if it grew."""
        if menu.kind == MenuKind.DARK:
            return Move.FIX  # one piece beside a beam is no beam that misses them
        if view.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER):
            return Move.OK if len(self.strokes) - 1 in self._grown else Move.FIX
        return Move.OK

    def _answer_for_all(self, view: BoardView, menu: MenuView) -> Move:
        """Accept the counts that it all adds up to, if the table shows them; else go one by one."""
        asked = tuple(numbers_in(menu.title))
        if not counts_by_colour(rules_for(view.rules)):
            true = tuple(count for _piece, count in out_of_play(self.true))
        else:
            true = tuple(self.true.position.count(side.side).pocketed for side in view.sides)
        return Move.OK_HELD if asked == true and menu.chosen == 0 else Move.UNDO

    def _mend(self, view: BoardView) -> Move | None:
        """Open the lists while counts or turn are wrong."""
        wrong = self._to_mend(view)
        if isinstance(wrong, Stroke):
            self._credited = wrong
            return Move.FIX
        self._credited = None
        if wrong is not None:
            return Move.FIX_HELD
        self.mending = False
        self._taken_back = 0
        self.at_a_loss = self.careful and not self._stands(view, self.entered)
        return self._in_ready(view) if self.entered < len(self.strokes) else None

    def _to_mend(self, view: BoardView) -> Entry | None:
        """Return the next correction that the table asks for.

        What was credited in the turn in which the queen is put back to be covered would be void
        with her. So a turn that had nothing but her is begun anew first.
        """
        true = self.matches[self.entered].state
        wrong = next_correction(view, true)
        waits = isinstance(wrong, SetRed) and wrong.place is RedPlace.PENDING
        if self._credits and waits and true.next is not None and has_only_the_queen(true):
            return GiveTurn(true.next)
        return wrong

    def _mend_in_list(self, menu: MenuView, wanted: Entry) -> Move:
        """Go to the line that corrects a count or the turn, and do it."""
        item = leading_item(menu, wanted)
        if item is None:
            return Move.UNDO
        if menu.chosen != item:
            return Move.FIX
        counts = isinstance(wanted, SetPocketed | SetOwed)
        held = counts and wants_hold(menu.items[item], wanted)
        self._gives_turn = isinstance(wanted, GiveTurn)
        return Move.OK_HELD if held else Move.OK


def _line_for(stroke: Stroke) -> str | None:
    """Return the line of the menu that opens a foul, or a piece off; None: none is needed."""
    if Flag.FOUL in stroke.flags:
        return FOUL
    return OFF if any(each.flew_off for each in stroke.departures) else None


MOST_MARKS = 8
"""How often somebody says foul or a piece off, by button or line, before editing piece by piece."""
