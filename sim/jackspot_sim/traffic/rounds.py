"""People at a board: the strokes of a generated match, and somebody who tends the display.

A :class:`Round` lets a match of :mod:`jackspot_sim.traffic.matches` happen on a
:class:`jackspot_sim.boards.chain.Chain`. Pieces and hands break beams when they come, whether or
not the board is ready for it, and people press what their plans say, when they say it. Nobody
waits for the board except at the end of a board, when the pieces are set up anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct, field

from jackspot.core.match import Match
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.proposals.heard_misses import who_shot
from jackspot.dialogue.proposals.permitted import sure_from
from jackspot.dialogue.state.dialogue_settings import Assistance, Confirm, DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.readings.evidence import Evidence
from jackspot.readings.shots import ShotModel
from jackspot.readings.usual import AS_PUBLISHED, Times
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import Button, ColourSeen, DiscsListen, HubEvent, Key, Place, Press
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensing.shaking import STILL_NS
from jackspot.sensing.signals import Source
from jackspot.values import changed
from jackspot_sim.boards.chain import TAP_MS, Chain, wires
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import Referee, Room, Strength
from jackspot_sim.chance.shaking import draw_disturbances
from jackspot_sim.physics.boards import board_of
from jackspot_sim.physics.discs import blow_of
from jackspot_sim.sensing.knocks import TOLD_AFTER_NS, knocks_of
from jackspot_sim.traffic.matches import TimedTurn, play
from jackspot_sim.traffic.minds import Mind, Move
from jackspot_sim.traffic.playable import Playable
from jackspot_sim.traffic.standings import Difference, differences

ENTERED = frozenset({Sound.AGAIN, Sound.PASS, Sound.FOUL, Sound.WIN})
"""The sounds that are heard when a stroke has been entered."""
HOLD_S = 1.1
THINKS_S = 0.9
"""Between two presses of somebody who reads what the first one did."""
NEXT_S = 0.4
"""Between two presses of FIX, going through a list."""
SEES_NS = 1_500 * MS
"""How soon a referee who watches sees an automatic entry."""
LOOKS_S = 0.3
"""How long until somebody who waits for pieces to come to rest looks again."""
LOOKS_AGAIN_NS = 2_000 * MS
"""How long after the rest of a stroke somebody who pressed too early looks again."""
MOST_LOOKS = 160
"""Somebody who is no further after this many looks is lost."""
ASKS = (Phase.FALLING, Phase.REVIEW, Phase.PLACING)
"""The phases in which OK answers what the board asks about a stroke."""
SETS_UP_NS = 20 * SECOND
"""How long it takes to set the pieces up for the next board."""
AHEAD_NS = 90 * SECOND
"""How far ahead the next shots are scheduled."""


FRAME_TOLD_NS = 4 * MS
"""How long after it was seen a frame comes from the hub."""
HEARS_NS = 300 * MS
"""How long after that the board has surely said or entered that nothing fell."""
MOST_SHOTS = 160
"""A match that is not over after this many shots is left as it is: children go home."""


class GeneratedMatch(Struct, frozen=True):
    """One generated match: its settings, who plays, on which board, and who referees."""

    settings: MatchSettings
    strength: Strength
    referee: Referee
    seed: str
    box: bool = True
    most_shots: int = MOST_SHOTS
    widths: WidthModel = field(default_factory=WidthModel)
    """Those of a calibrated board, or the ones that every board starts with."""
    times: Times = field(default_factory=lambda: AS_PUBLISHED)
    """What the board has learnt about its strokes."""
    auto_confirm: float = 0.0
    """How sure a reading must be to be entered automatically; 0: none is."""
    room: Room | None = None
    """Where the board stands, if it has discs that feel knocks; None: it has none."""
    shots: ShotModel | None = None
    """What the board has learnt about shots and other knocks there."""
    hands: Assistance = Assistance.CONFIRM
    """What people have to press."""
    further: tuple[Evidence, ...] = ()
    """Further evidence on a fall besides its widths, such as the colours that heads see."""

    @property
    def dialogue_settings(self) -> DialogueSettings:
        """Return how the board is set: the referee decides if there is a box."""
        seats = {Place(seat.value) for seat in self.settings.seats}
        places = frozenset({*seats, *([Place.REFEREE] if self.box else []), Place.PAGE})
        confirm = Confirm.REFEREE if self.box else Confirm.ANYONE
        return DialogueSettings(
            confirm=confirm, places=places, widths=self.widths, times=self.times,
            auto_confirm=self.auto_confirm, shots=self.shots, hands=self.hands,
            further=self.further,
        )  # fmt: skip


class Counted(Struct):
    """How often something happened, and how often the board said so."""

    count: int = 0
    said: int = 0


class Happened(Struct):
    """One shot as it went: when, and the falls that the beams saw of it."""

    turn: TimedTurn
    at_ns: int

    @property
    def over_ns(self) -> int:
        """When it had come to rest."""
        return self.at_ns + self.turn.shot.over_ns

    def told(self) -> tuple[Stroke, ...]:
        """Return the stroke before its late piece dropped, and with it."""
        stroke = self.turn.shot.stroke
        return _before_late(stroke, self.turn), stroke


class Round:
    """One match on one board; see the module. ``run`` plays it to its end.

    ``turns`` replace the match that is drawn from the table, ``board`` replaces a chain of its
    own.
    """

    def __init__(
        self,
        case: GeneratedMatch,
        turns: Iterator[TimedTurn] | None = None,
        board: Playable | None = None,
    ) -> None:
        self.case = case
        self.chain: Playable = board or _listening(case)
        match = Match.begin(case.settings)
        self.mind = Mind([match], careful=case.referee is Referee.WATCHING, box=case.box)
        self.happened: list[Happened] = []
        self.sources: dict[tuple[Pocket, int], int | None] = {}
        """Which stroke a pulse belongs to, by pocket and beginning; None: a hand, or nothing."""
        self.presses = 0
        self.lost: list[str] = []
        self._turns = turns or play(
            case.settings, case.strength, case.referee, case.seed, case.most_shots
        )
        self._next: TimedTurn | None = None
        self._free_ns = 0
        self._double_ns: int | None = None
        self._notices: list[int] = []
        self._known_wrong: frozenset[Difference] = frozenset()
        """What has differed from the table since the board was last right, noticed or not."""
        self._unasked: set[int] = set()
        """The numbers of strokes that the board has entered automatically."""
        self._reading = random.Random(f"reads unasked {case.referee} {case.seed}")
        self.misses = Counted()
        """Misses for which nobody had pressed when everything lay still: how many, and how many of
        them the board announced."""
        self.quiet = Counted()
        """Moments before a shot in which nothing was left to enter: how many, and in how many of
        them the board said that somebody had shot."""
        self._room = random.Random(f"room {case.room} {case.seed}")
        self._shaken_ns = self.chain.now_ns
        if case.room is not None:
            self.chain.hear(DiscsListen(self.chain.now_ns, tuple(Seat)))
        self._helps = sure_from(case.dialogue_settings) > 0
        if self._helps:
            self.chain.watchers.append(self._hear_an_entry)

    # --- the match ------------------------------------------------------------------------

    def run(self) -> None:
        """Play the match to its end."""
        chain = self.chain
        first = self.case.settings.seats[0]
        self._begin(first)
        self._free_ns = chain.now_ns + 5 * SECOND
        self._next = next(self._turns, None)
        while self._next is not None:
            board = self._next.before.state.board
            number = len(self.happened)
            while self._is_laid(number, board):
                self._mind_stroke(number)
                number += 1
            self._end_board()
        self._end_match()

    def _begin(self, first: Seat) -> None:
        place = Place.REFEREE if self.case.box else Place(first.value)
        self._tap(place, Key.OK)
        self.chain.wait(4.0)
        if self.chain.phase is not Phase.READY:
            raise AssertionError(f"the match did not start: {self.chain.view.headline}")

    def _is_laid(self, number: int, board: int) -> bool:
        """Schedule the next shots of this board, as far ahead as anybody may press meanwhile.

        If nobody has pressed for as long as that, time passes until this shot can be scheduled.
        False if the board has no shot of this number.
        """
        while self._next is not None and self._next.before.state.board == board:
            if self._free_ns > self.chain.now_ns + AHEAD_NS:
                if number < len(self.happened):
                    break
                self.chain.wait_until(self._free_ns - AHEAD_NS)
            self._lay(self._next)
            self._next = next(self._turns, None)
        return number < len(self.happened)

    def _lay(self, turn: TimedTurn) -> None:
        """Let one shot happen, with the hands after it."""
        number = len(self.happened)
        shot = turn.shot
        rest_ns = self.happened[-1].over_ns if self.happened else 0
        at_ns = max(self._free_ns, rest_ns + shot.aiming_ns, self.chain.now_ns + MS)
        self.happened.append(Happened(turn, at_ns))
        late = [shot.late] if shot.late else []
        strokes = [*shot.falls, *late]
        for passage in (*strokes, *turn.hands):
            mine = passage in strokes and bool(passage.kinds)
            for pulse in passage.pulses:
                start_ns = at_ns + pulse.start_ns
                self.sources[pulse.pocket, start_ns] = number if mine else None
                self.chain.pulse_later(pulse.pocket, start_ns, at_ns + pulse.end_ns)
            self._lay_frames(passage.seen, at_ns, number if mine else None)
        self._lay_frames(shot.by_heads, at_ns, number)
        for spike in shot.spikes:
            self.chain.pulse_later(spike.pocket, at_ns + spike.start_ns, at_ns + spike.end_ns)
        seen = _before_late(shot.stroke, turn)
        before, between = turn.before, turn.before.enter(seen)
        self.chain.later(at_ns + shot.over_ns, lambda: self.mind.sees(seen, before, between))
        if seen != shot.stroke:
            end_ns = shot.late.end_ns if shot.late else shot.over_ns + 3 * SECOND
            self.chain.later(
                at_ns + end_ns, lambda: self.mind.sees_grow(number, shot.stroke, turn.after)
            )
        if self.case.room is not None:
            self._lay_knocks(self.case.room, number, turn, at_ns)
        self._free_ns = at_ns + turn.rest_ns
        second = turn.plan.second
        if second is not None and turn.plan.press_ns is not None:
            self._lay_second(number, Place(second[0].value), at_ns + second[1])

    def _lay_frames(self, seen: Iterable[ColourSeen], at_ns: int, number: int | None) -> None:
        """Let a hub report what its heads see of a stroke, or (None) of no stroke."""
        for frame in seen:
            happened_ns = at_ns + frame.at_ns
            self.sources.setdefault((frame.pocket, happened_ns), number)
            told = changed(frame, at_ns=happened_ns)
            self.chain.later(happened_ns + FRAME_TOLD_NS, partial(self._hear, told))

    def _lay_knocks(self, room: Room, number: int, turn: TimedTurn, at_ns: int) -> None:
        """Let the board be shaken by a shot, and by everything else up to its end."""
        begin_ns, end_ns = self._shaken_ns, at_ns + turn.rest_ns
        board = board_of(self.case.settings.rules)
        others = draw_disturbances(room, begin_ns, end_ns, self._room, self.case.seed)
        blows = [each.later(at_ns) for each in turn.blows] + [blow_of(board, e) for e in others]
        blows.sort(key=lambda each: each.at_ns)
        noise = f"{self.case.seed} {number}"
        for knock in knocks_of((each.later(-begin_ns) for each in blows), noise):
            told = changed(knock, at_ns=knock.at_ns + begin_ns)
            self.chain.later(told.at_ns + TOLD_AFTER_NS, partial(self._hear, told))
        self._shaken_ns = end_ns
        self.chain.later(at_ns - 300 * MS, lambda: self._see_who_shot(number, self.quiet, None))
        if not turn.shot.stroke.departures:
            still_ns = _lies_still_ns(turn, at_ns) + HEARS_NS
            seat = turn.shot.stroke.seat
            self.chain.later(
                still_ns, lambda: self._see_who_shot(number, self.misses, seat)
            )  # fmt: skip

    def _hear(self, told: HubEvent) -> None:
        self.chain.hear(told)

    def _see_who_shot(self, number: int, counted: Counted, seat: Seat | None) -> None:
        """Count whether the board says that somebody has shot, if all earlier strokes are entered.

        ``seat`` is who has shot and missed; None: nobody has.
        """
        dialogue = self.chain.dialogue
        if not isinstance(dialogue, InMatch) or dialogue.phase is not Phase.READY:
            return
        if strokes_in(dialogue) != number:
            return
        said = who_shot(dialogue)
        counted.count += 1
        counted.said += bool(said) if seat is None else said[:1] == (seat,)

    def _lay_second(self, number: int, place: Place, at_ns: int) -> None:
        """Let somebody else press OK for the same stroke."""
        button = Button(place, Key.OK)
        if button not in self.chain.wires:
            return

        def down() -> None:
            if number in self._unasked:
                return  # nobody politely settles what was entered automatically
            self.presses += 1
            self.chain.edge(button, active=True)

        def up() -> None:
            self.chain.edge(button, active=False)

        self.chain.later(at_ns, down)
        self.chain.later(at_ns + round(TAP_MS * MS), up)

    # --- what people do about a stroke ------------------------------------------------------

    def _mind_stroke(self, number: int) -> None:
        """Do what the plan says about one stroke, and look at the counts when it is time to."""
        each = self.happened[number]
        plan = each.turn.plan
        press_ns = plan.press_ns
        if press_ns is not None:
            place = Place.REFEREE if self.case.box else Place(plan.seat.value)
            self._double_ns = None if plan.double_ns is None else plan.double_ns - press_ns
            self.chain.wait_until(each.at_ns + press_ns)
            early = each.at_ns + press_ns < each.over_ns
            if early:
                self._act(place, Move.OK)
                self.chain.wait_until(each.over_ns + LOOKS_AGAIN_NS)
            if early and plan.overlooks and self.chain.phase not in ASKS:
                self.mind.believes_entered()  # by that OK
            else:
                self._settle(number, place)
            self._double_ns = None
        if not self.mind.careful:
            self._notice(number)

    def _settle(self, number: int, place: Place) -> None:
        """Tell the board what happened, correctly or not."""
        plan = self.happened[number].turn.plan
        if self._helps and self._was_not_asked(number):
            return
        if plan.spoils and self.chain.phase is Phase.REVIEW and self._first_is_right(number):
            self._act(place, Move.FIX)
            self.chain.wait(THINKS_S)
            self._confirm_unread(place)
        elif plan.overlooks:
            self._confirm_unread(place)
        else:
            self._attend(place)

    def _hear_an_entry(
        self, before: DialogueState, event: DialogueEvent, after: DialogueState
    ) -> None:
        """Hear the board enter a stroke that nobody pressed for."""
        if not enters_itself(event, before, after):
            return
        if self.mind.careful:
            self._look_soon(after)
        if before.proposal is None:
            self._unasked |= {number for number in (self.last_shot,) if number is not None}
        else:
            pulses = (each for fall in before.proposal.falls for each in fall.pulses)
            shot = {self.sources.get((each.pocket, each.start_ns)) for each in pulses}
            self._unasked |= {number for number in shot if number is not None}

    @property
    def last_shot(self) -> int | None:
        """The number of the stroke that was shot last; None: none was."""
        begun = (n for n, each in enumerate(self.happened) if each.at_ns < self.chain.now_ns)
        return max(begun, default=None)

    def _look_soon(self, after: DialogueState) -> None:
        """Let a referee who watches see an automatic entry, and press FIX if it was wrong."""
        assert after.game is not None
        line, last = after.game.lines[-1], self.last_shot
        true = [] if last is None else self.happened[last].told()
        if line.stroke is not None and said_of(line.stroke) in map(said_of, true):
            return
        place = Place.REFEREE if self.case.box else Place(after.game.match.settings.seats[0].value)
        button, at_ns = Button(place, Key.FIX), self.chain.now_ns + SEES_NS

        def down() -> None:
            if self.chain.dialogue.by_itself == line:
                self.presses += 1
                self.chain.edge(button, active=True)
                self.chain.later(at_ns + round(TAP_MS * MS), up)

        def up() -> None:
            self.chain.edge(button, active=False)

        self.chain.later(at_ns, down)

    def _was_not_asked(self, number: int) -> bool:
        """Wait until the board has entered what fell or asks; return whether that is all.

        A referee who watches always compares the result; others may or may not read it.
        """
        self._wait_for_the_board(number)
        if self.mind.careful or number not in self._unasked:
            return False
        self.mind.believes_entered()
        if self.chain.phase is not Phase.READY:
            return False
        plan = self.happened[number].turn.plan
        reads = self._reading.random() < table.READS_UNASKED.of(self.case.referee)
        if reads and not plan.overlooks and not self._is_as_it_lies():
            self._look_closely()
        return True

    def _wait_for_the_board(self, number: int) -> None:
        """Wait until the board has read what fell, or may have heard that nothing did."""
        each = self.happened[number]
        if self.case.hands is Assistance.FREE and each.turn.blows:
            self.chain.wait_until(_lies_still_ns(each.turn, each.at_ns) + HEARS_NS)
        for _ in range(MOST_LOOKS):
            if self.chain.phase is not Phase.FALLING:
                return
            self.chain.wait(LOOKS_S)

    def _is_as_it_lies(self) -> bool:
        """Whether the board's counts and turn are what the table shows."""
        game, true = self.chain.dialogue.game, self.mind.true
        assert game is not None, "a stroke was entered"
        return not differences(game.match.state, true)

    def _first_is_right(self, number: int) -> bool:
        shown = self.chain.view.proposal
        true = self.happened[number].turn.shot.stroke
        return (
            shown is not None
            and shown.seat is true.seat
            and (sorted(map(str, shown.departures)) == sorted(map(str, true.departures)))
        )

    def _confirm_unread(self, place: Place) -> None:
        """Press OK, whatever the display says."""
        shown = self.chain.view.proposal
        held = shown is not None and shown.ends_board
        self._act(place, Move.OK_HELD if held else Move.OK)
        if self.chain.phase is Phase.PLACING:
            self.chain.wait(THINKS_S)
            self._act(place, Move.OK)
        self.mind.believes_entered()

    def _notice(self, number: int) -> None:
        """Notice after a while that counts or turn are wrong, and mend them."""
        settled = self.chain.phase in (Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER)
        if not settled or len(self.mind.strokes) != number + 1:
            return
        self._draw_notice(number)
        if any(due <= number for due in self._notices):
            self._notices = []
            self._look_closely()

    def _draw_notice(self, number: int) -> None:
        """Take what the plan says about a new error: when it is noticed, if it ever is.

        An error that lasts is the same error as long as nothing more differs.
        """
        game = self.chain.dialogue.game
        if game is None:
            return
        off = differences(game.match.state, self.mind.true)
        if not off:
            self._known_wrong, self._notices = off, []
            return
        after = self.happened[number].turn.plan.noticed_after
        if after is not None and off - self._known_wrong:
            self._notices.append(number + after)
        self._known_wrong |= off

    def _look_closely(self) -> None:
        """Compare the display with the table, and correct what is wrong."""
        seat = self.mind.strokes[-1].seat
        self._attend(Place.REFEREE if self.case.box else Place(seat.value), mending=True)

    def _end_board(self) -> None:
        """Let everything come to rest, look at the result, and set up the next board."""
        chain, last = self.chain, self.happened[-1]
        chain.wait_until(max(last.over_ns + 4 * SECOND, self._free_ns + 4 * SECOND))
        place = Place.REFEREE if self.case.box else Place(last.turn.shot.stroke.seat.value)
        self._draw_notice(len(self.happened) - 1)
        if self.mind.careful or self._notices:
            self._notices = []
            self._finish(place)
        if self._next is None:
            return
        self.mind.begins_board(self._next.before)
        self._attend(place)
        self._free_ns = chain.now_ns + SETS_UP_NS

    def _finish(self, place: Place) -> None:
        """Make sure that the board ends as it really ended."""
        self._attend(place)
        mind, view = self.mind, self.chain.view
        if mind.careful or mind.true.result is None:
            return
        if not self._ended_right():
            mind.entered = len(mind.strokes) - 1
            if view.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER):
                self._act(place, Move.UNDO)
                self.chain.wait(THINKS_S)
            self._attend(place, mending=True)

    def _ended_right(self) -> bool:
        state = self.mind.true
        game = self.chain.dialogue.game
        return game is not None and game.match.state.result == state.result

    def _end_match(self) -> None:
        self.chain.wait(5.0)

    # --- looking and pressing ---------------------------------------------------------------

    def _attend(self, place: Place, *, mending: bool = False) -> None:
        """Look and press until nothing is left to say; ``mending``: correct the counts too."""
        mind, chain = self.mind, self.chain
        mind.mending = mind.mending or mending
        mind.corrections += mending
        looks, furthest = 0, mind.entered
        while looks < MOST_LOOKS:
            looks += 1
            move = mind.next_move(chain.view)
            if move is None:
                if mind.at_a_loss:
                    self._give_up()
                return
            if move is Move.WAIT:
                chain.wait(LOOKS_S)
                continue
            chain.sounds.clear()
            self._act(place, move)
            heard = set(chain.sounds)
            chain.wait(NEXT_S if move is Move.FIX else THINKS_S)
            mind.answered(
                entered=bool(heard & ENTERED), refused=Sound.REFUSED in heard, view=chain.view
            )
            if mind.entered > furthest:
                looks, furthest = 0, mind.entered
        mind.mending = False
        self._give_up()

    def _give_up(self) -> None:
        """Note that somebody saw something wrong, and found nothing that corrects it."""
        mind, view = self.mind, self.chain.view
        self.lost.append(
            f"stroke {len(mind.strokes)} ({mind.entered} entered): {view.phase}: "
            f"{view.headline} / {view.detail}"
        )

    def _act(self, place: Place, move: Move) -> None:
        """Make one press; an OK twice, if the plan says so."""
        match move:
            case Move.OK:
                self._tap(place, Key.OK)
                self._press_double(place)
            case Move.OK_HELD:
                self._hold(place, Key.OK)
            case Move.FIX:
                self._tap(place, Key.FIX)
            case Move.FIX_HELD:
                self._hold(place, Key.FIX)
            case Move.FOUL:
                self._tap(place, Key.FOUL)
            case Move.OFF:
                self._tap(place, Key.OFF)
            case Move.UNDO:
                self.presses += 1
                self.chain.undo(place.value)
            case Move.WAIT:
                self.chain.wait(LOOKS_S)

    def _press_double(self, place: Place) -> None:
        if self._double_ns is None:
            return
        gap_ns, self._double_ns = self._double_ns, None
        self.chain.wait_until(self.chain.now_ns + max(gap_ns - round(TAP_MS * MS), 20 * MS))
        self._tap(place, Key.OK)

    def _tap(self, place: Place, key: Key) -> None:
        self.presses += 1
        self.chain.press(place.value, key.value)

    def _hold(self, place: Place, key: Key) -> None:
        self.presses += 1
        self.chain.hold(place.value, key.value, HOLD_S)


def _listening(case: GeneratedMatch) -> _Listening:
    """Make the board that a case is played on."""
    seats = "".join(seat.value for seat in case.settings.seats)
    lineup = tuple(case.settings.seats)
    plan = Plan(_header(case.settings), lineup, lineup[0])
    return _Listening(wires(seats, box=case.box), case.dialogue_settings, plan)


def enters_itself(event: DialogueEvent, before: DialogueState, after: DialogueState) -> bool:
    """Whether a stroke was entered because it was sure enough, and not because of a press."""
    if isinstance(event, Press) or before.game is None or after.game is None:
        return False
    return len(after.game.lines) > len(before.game.lines) and after.game.lines[-1].alone


Said = tuple[str, tuple[tuple[str, bool], ...], bool]


def said_of(stroke: Stroke) -> Said:
    """Return a stroke for comparison: who shot, what went where, whether it had a flag."""
    pieces = Counter((each.piece.value, each.flew_off) for each in stroke.departures)
    return stroke.seat.value, tuple(sorted(pieces.elements())), bool(stroke.flags)


def strokes_in(dialogue: DialogueState) -> int:
    """Count the strokes that have been entered."""
    steps = () if dialogue.game is None else dialogue.game.match.steps
    return sum(isinstance(each.entry, Stroke) for each in steps)


def _lies_still_ns(turn: TimedTurn, at_ns: int) -> int:
    """Return when the board knows that everything lies still after a shot."""
    return at_ns + max(each.at_ns for each in turn.blows) + STILL_NS


class _Listening(Chain):
    """A board that somebody listens to."""

    def __init__(
        self, listed: Iterable[Source], dialogue_settings: DialogueSettings, plan: Plan
    ) -> None:
        super().__init__(listed, dialogue_settings, plan)
        self.sounds: list[Sound] = []

    def heard(self, sound: Sound) -> None:
        """Hear a sound."""
        self.sounds.append(sound)


def _before_late(stroke: Stroke, turn: TimedTurn) -> Stroke:
    """Return a stroke as it was before its late piece dropped."""
    shot = turn.shot
    off = tuple(each for each in stroke.departures if each.flew_off)
    early: tuple[Departure, ...] = (*shot.at_first, *off)
    return stroke if len(early) == len(stroke.departures) else changed(stroke, departures=early)


def _header(settings: MatchSettings) -> dict[str, object]:
    """Return what set-up proposes for these settings."""
    header: dict[str, object] = {"rules": settings.rules.value}
    options = dict(settings.options)
    if options:
        header["options"] = options
    return header
