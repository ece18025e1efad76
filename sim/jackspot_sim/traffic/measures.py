"""What generated matches say about the board: readings, presses, turns, scores.

A :class:`Ledger` watches one match from the side: it knows every true stroke, which pulse came
from which, and what the board made of it. It changes nothing. The same seed gives the same
numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from jackspot.core.agreement import agree
from jackspot.core.match import MatchState, deal_points
from jackspot.core.pieces import Pocket
from jackspot.core.stroke import Stroke
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall, Press
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.ceiling import content_of, posterior
from jackspot_sim.traffic.certainty import Certainties, Certainty, is_right, phase_of
from jackspot_sim.traffic.matches import TimedShot
from jackspot_sim.traffic.rounds import (
    GeneratedMatch,
    Round,
    Said,
    enters_itself,
    said_of,
)

LINEUPS = (("N", "S"), ("N", "E", "S", "W"))


class MeasuredTally(Struct, frozen=True):
    """What was counted; tallies of several matches add up."""

    matches: int = 0
    strokes: int = 0
    fell: int = 0
    """Strokes in which a beam saw something fall."""
    first_right: int = 0
    """Those of them whose first reading shown says exactly what fell, and who shot."""
    ceiling: float = 0.0
    """How many of these the best possible reading is expected to get right."""
    presses: int = 0
    """Everything that fingers did: a press, a hold, two buttons together."""
    turn_errors: int = 0
    """Strokes entered for a seat that had not shot, at the time of entry."""
    turns_left: int = 0
    """Strokes that are in the record under another seat at the end."""
    corrections: int = 0
    """How often somebody set about mending an entry or a count."""
    lost: int = 0
    """Strokes that are not in the record at the end."""
    doubled: int = 0
    """Strokes in the record that nobody shot."""
    finals_wrong: int = 0
    """Matches whose final counts, or whose winner, are not the true ones."""
    stuck: int = 0
    """How often somebody gave up because no press led on."""
    entered: int = 0
    """How often what beams had seen was entered as a stroke, by whomever or whatever."""
    entered_wrong: int = 0
    """Of these, entries that were not what had happened."""
    unasked: int = 0
    """Those of all these entries that were automatic."""
    unasked_wrong: int = 0
    """Automatic entries that were not what had happened."""
    certainties: Certainties = field(default_factory=Counter)
    """How sure first readings were, and whether they were right."""
    missed_alone: int = 0
    """Misses that were entered automatically."""
    missed_alone_wrong: int = 0
    """Those of them entered for somebody who had not missed since the stroke before."""

    def __add__(self, other: MeasuredTally) -> MeasuredTally:
        """Add what was counted elsewhere."""
        return MeasuredTally(
            *(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__)
        )


def case_of(number: int, referee: Referee, seed: int, auto_confirm: float = 0.0) -> GeneratedMatch:
    """Return the match with this number: strengths, boards and line-ups take turns."""
    strength = tuple(Strength)[number % 4]
    box = number // 4 % 2 == 0
    settings = agree({"rules": "hikone", "seats": list(LINEUPS[number // 8 % 2])})
    return GeneratedMatch(
        settings, strength, referee, f"{seed}-{number}", box, auto_confirm=auto_confirm
    )


def measure(case: GeneratedMatch) -> MeasuredTally:
    """Play one match and count."""
    played = Round(case)
    ledger = Ledger(played)
    played.run()
    return ledger.tally()


class First(NamedTuple):
    """The first reading of a stroke, and what the board knew besides the falls."""

    right: bool
    state: MatchState
    """The match by what had been entered."""
    gap_ns: int | None
    """How long after the previous event the falls came."""


class Ledger:
    """Watches one match; see the module."""

    def __init__(self, played: Round) -> None:
        self.round = played
        self.origin: dict[int, int | None] = {}
        """Which stroke each fall of the board belongs to, by the fall's number."""
        self.first: dict[int, First] = {}
        """The first reading of a stroke, by the stroke's number."""
        self._turn_errors = 0
        self._entered: Counter[tuple[bool, bool]] = Counter()
        self._missed_alone: Counter[bool] = Counter()
        self._told: set[int] = set()
        """Entries of what fell: whether they were automatic, and whether they were right."""
        self._certainties: Certainties = Counter()
        played.chain.watchers.append(self._watch)

    def _watch(self, before: DialogueState, event: DialogueEvent, after: DialogueState) -> None:
        if isinstance(event, Fall):
            sources = self.round.sources
            keys = [(pulse.pocket, pulse.start_ns) for pulse in event.pulses]
            self.origin[event.number] = next((sources[k] for k in keys if k in sources), None)
        shown = after.proposal
        if shown is not None and after.phase is Phase.REVIEW and after.menu is None:
            if shown is not before.proposal or before.phase is not Phase.REVIEW:
                self._see(after, shown)
        elif before.phase is Phase.FALLING and after.phase not in (Phase.FALLING, Phase.REVIEW):
            assert before.proposal is not None, "what falls is proposed"
            self._see(before, before.proposal)  # confirmed, or taken for a hand, as it fell
        self._see_entries(before, event, after)
        if before.phase is Phase.FALLING and after.phase is not Phase.FALLING:
            self._ask_how_sure(before, event)

    def _see(self, dialogue: DialogueState, shown: Proposal) -> None:
        """Compare the first reading of a stroke with what fell."""
        if shown.reopened is not None or dialogue.game is None:
            return
        for number in {self.origin.get(fall.number) for fall in shown.falls}:
            if number is None or number in self.first:
                continue
            true = self.round.happened[number].turn.shot
            if not true.falls:
                continue  # only a late piece, which is not counted
            whose = shown.is_stroke and shown.joining is None
            right = whose and shown.shooter is true.stroke.seat
            same = content_of(shown.departures) == content_of(true.at_first)
            self.first[number] = First(right and same, dialogue.game.match.state, shown.gap_ns)

    def _ask_how_sure(self, falling: DialogueState, event: DialogueEvent) -> None:
        """Look at what was proposed when quiet has ended *falling*."""
        shown, game = falling.proposal, falling.game
        if isinstance(event, Press) or shown is None or game is None:
            return
        if shown.reopened or shown.chosen or shown.edited or shown.flags or shown.flown:
            return
        found = {self.origin.get(fall.number) for fall in shown.falls}
        shot = {number for number in found if number is not None}
        pulses = {(each.pocket, each.start_ns) for fall in shown.falls for each in fall.pulses}
        late = {number for number in shot if pulses & self._late_pulses(number)}
        right = is_right(shown, game.match, shot, self.round.happened, late)
        said = round(shown.readings[0].probability, 3)
        strength = self.round.case.strength
        self._certainties[Certainty(strength, phase_of(game.match), said, right)] += 1

    def _late_pulses(self, number: int) -> set[tuple[Pocket, int]]:
        """Return the pulses of a stroke's late piece, by pocket and beginning."""
        each = self.round.happened[number]
        late = each.turn.shot.late
        pulses = late.pulses if late is not None else ()
        return {(pulse.pocket, each.at_ns + pulse.start_ns) for pulse in pulses}

    def _see_entries(
        self, before: DialogueState, event: DialogueEvent, after: DialogueState
    ) -> None:
        """Count strokes that are entered for a seat that has not shot, and what else is wrong."""
        if before.game is None or after.game is None or before.game.lines is after.game.lines:
            return
        was, now = before.game.lines, after.game.lines
        for index in range(max(0, len(was) - 1), len(now)):
            line = now[index]
            known = index < len(was) and was[index].stroke == line.stroke
            if not known and line.alone and not line.falls:
                self._missed_alone[self._has_missed(line)] += 1
            elif not known and line.stroke is not None and line not in before.game.undone:
                self._turn_errors += self._wrong_seat(line, line.stroke)
                if line.falls:
                    unasked = enters_itself(event, before, after)
                    self._entered[unasked, self._is_true(line, line.stroke)] += 1

    def _has_missed(self, line: Line) -> bool:
        """Whether the last stroke shot was this seat's and a miss, and not entered before."""
        last = self.round.last_shot
        if last is None or line.stroke is None or last in self._told:
            return False
        self._told.add(last)
        return said_of(line.stroke) in map(said_of, self.round.happened[last].told())

    def _is_true(self, line: Line, stroke: Stroke) -> bool:
        """Whether an entry of what fell says what had happened by then, or with its late piece."""
        shot = {self.origin.get(fall.number) for fall in line.falls} - {None}
        return len(shot) == 1 and any(
            said_of(stroke) in {said_of(true) for true in self.round.happened[number].told()}
            for number in shot
            if number is not None
        )

    def _wrong_seat(self, line: Line, stroke: Stroke) -> bool:
        mind, happened = self.round.mind, self.round.happened
        shot = {self.origin.get(fall.number) for fall in line.falls} - {None}
        if shot:
            return all(
                happened[number].turn.shot.stroke.seat is not stroke.seat
                for number in shot
                if number is not None
            )
        open_since = min(mind.entered, max(0, len(mind.strokes) - 1))
        return stroke.seat not in {each.seat for each in mind.strokes[open_since:]}

    def tally(self) -> MeasuredTally:
        """Count everything once the match has ended."""
        played = self.round
        happened, game = played.happened, played.chain.dialogue.game
        assert game is not None, "the match is still on the board when it is over"
        true = [each.turn.shot.stroke for each in happened]
        entries = [entry for line in game.lines for entry in line.entries]
        found = [entry for entry in entries if isinstance(entry, Stroke)]
        lost, doubled, turns = compare(true, found)
        fell = [each.turn.shot for each in happened if each.turn.shot.falls]
        right = sum(each.right for each in self.first.values())
        return MeasuredTally(
            1, len(true), len(fell), right, self.ceiling(fell), played.presses,
            self._turn_errors, turns, played.mind.corrections, lost, doubled,
            int(final_of(game.match.state) != final_of(happened[-1].turn.after.state)),
            len(played.lost),
            *self._entries(), self._certainties,
            self._missed_alone.total(), self._missed_alone[False],
        )  # fmt: skip

    def _entries(self) -> tuple[int, int, int, int]:
        """Count entries of what fell: all and wrong ones, then the same for automatic ones."""
        counts = self._entered
        unasked = (counts[True, True] + counts[True, False], counts[True, False])
        return counts.total(), counts[False, False] + unasked[1], *unasked

    def ceiling(self, fell: Sequence[TimedShot]) -> float:
        """Return how many of these strokes the best possible reading is expected to name right."""
        return sum(max(posterior(s.stand, s.strength, s.falls).values()) for s in fell)


def final_of(state: MatchState) -> tuple[object, ...]:
    """Return what counts when everything is over, and, of a board that is not, where its red is."""
    boards = [(each.result.winner, dict(each.result.points)) for each in state.boards]
    position = state.position
    red = (position.red, position.red_side) if state.result is None else None
    return state.over, state.winner, boards, position.counts, dict(deal_points(state)), red


# --- the record beside the truth ---------------------------------------------------------


def compare(true: Sequence[Stroke], found: Sequence[Stroke]) -> tuple[int, int, int]:
    """Align a record with the truth, with the fewest differences.

    Return how many strokes are lost, how many nobody shot, how many are under another seat.
    """
    a, b = [said_of(each) for each in true], [said_of(each) for each in found]
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    rows: list[list[tuple[float, int, int, int]]] = [[(float(j), 0, j, 0) for j in _upto(b)]]
    for i, one in enumerate(a, start=1):
        row = [(float(i), i, 0, 0)]
        for j, other in enumerate(b, start=1):
            cost, lost, doubled, turns = rows[-1][j]
            left = row[-1]
            across = rows[-1][j - 1]
            price, seat = _price(one, other)
            row.append(
                min(
                    (cost + 1, lost + 1, doubled, turns),
                    (left[0] + 1, left[1], left[2] + 1, left[3]),
                    (across[0] + price, across[1], across[2], across[3] + seat),
                )
            )
        rows.append(row)
    _cost, lost, doubled, turns = rows[-1][-1]
    return lost, doubled, turns


def _upto(listed: Sequence[Said]) -> Iterable[int]:
    return range(len(listed) + 1)


def _price(one: Said, other: Said) -> tuple[float, int]:
    """Return how different two strokes are, and whether they differ in the seat."""
    if one == other:
        return 0.0, 0
    seat, rest = one[0] != other[0], one[1:] != other[1:]
    return (1.9 if seat and rest else 0.9), int(seat)
