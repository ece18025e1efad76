"""A piece hangs at a pocket's edge and falls long after its stroke was entered: watchers mend it.

The matches are whole and built stroke by stroke, with the same people and boards as any other
traffic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals import spanning
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Place, Pulse
from jackspot_sim.chance.frequencies import PieceRole, Referee, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.counting import measure
from jackspot_sim.soak.running import Soak
from jackspot_sim.traffic.matches import TimedShot, TimedTurn
from jackspot_sim.traffic.measures import Ledger, final_of
from jackspot_sim.traffic.minds import Mind, Move
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.people import AFTER_A_MISS_NS, StrokePlan
from jackspot_sim.traffic.rounds import GeneratedMatch, Round
from jackspot_sim.traffic.shots import Stand, stand_of
from tests.conftest import thinned

AIMING_NS = 6_000 * MS
PRESSED_NS = 1_500 * MS
"""How long after it came to rest a stroke is entered."""
WIDTH_NS = 12 * MS
SYSTEMS = tuple(RuleSystem)


def passage(stand: Stand, piece: Piece, pocket: Pocket, start_ns: int) -> Passage:
    """Return what a beam sees of one piece."""
    kind = next(kind for kind in PieceRole if stand.pieces[kind] is piece)
    pulse = Pulse(pocket, start_ns, start_ns + WIDTH_NS)
    return Passage(Cause.PIECES, pocket, (kind,), (pulse,))


def turn(
    before: Match, pieces: Sequence[Piece], hung: Piece | None = None, after_s: float = 0.0,
    aiming_ns: int = AIMING_NS,
) -> TimedTurn:  # fmt: skip
    """Return one stroke: these pieces fall, and one more ``after_s`` after it was entered."""
    stand, seat = stand_of(before.state), before.state.position.seat
    pockets = [Pocket.NE, Pocket.SE, Pocket.SW][: len(pieces)]
    falls = tuple(
        passage(stand, piece, pocket, (400 + 300 * number) * MS)
        for number, (piece, pocket) in enumerate(zip(pieces, pockets, strict=True))
    )
    over_ns = max((each.end_ns for each in falls), default=AFTER_A_MISS_NS)
    at_first = tuple(map(Departure, pieces, pockets))
    stroke, late = Stroke(seat, at_first), None
    if hung is not None:
        stroke = Stroke(seat, (*at_first, Departure(hung, Pocket.NW)))
        late = passage(stand, hung, Pocket.NW, over_ns + PRESSED_NS + round(after_s * 1e3) * MS)
    shot = TimedShot(
        stand, Strength.CLUB, aiming_ns, stroke, at_first, falls, (), None, late, ()
    )  # fmt: skip
    plan = StrokePlan(over_ns + PRESSED_NS, seat)
    return TimedTurn(before, before.enter(stroke), shot, (), plan, late.end_ns if late else over_ns)


def own_pieces(match: Match) -> list[Piece]:
    """Return what the first seat pockets to win; a queen comes before the last two."""
    rules = rules_for(match.settings.rules)
    position = match.state.position
    lies = rules.on_board(position)
    own = [piece for piece in rules.own(position) if piece is not rules.red]
    pieces = [piece for piece in own for _ in range(lies[piece])]
    if rules.red is Piece.QUEEN:
        return [*pieces[:-2], rules.red, *pieces[-2:]]
    return [*pieces, rules.red]


def all_but_the_last(match: Match) -> tuple[list[TimedTurn], Match, Piece]:
    """Let one seat clear the board except for one piece; return that piece too."""
    turns: list[TimedTurn] = []
    *pieces, last = own_pieces(match)
    for piece in pieces:
        turns.append(turn(match, [piece]))
        match = turns[-1].after
        assert match.state.position.seat is Seat.N
    return turns, match, last


def the_last_piece_hangs(match: Match, after_s: float) -> Iterator[TimedTurn]:
    """Let the last piece fall ``after_s`` after its stroke was entered as a miss."""
    turns, match, last = all_but_the_last(match)
    yield from turns
    final = turn(match, [], last, after_s)
    assert final.after.state.result is not None
    yield final


def played(rules: RuleSystem, seats: str, turns: Iterator[TimedTurn], *, box: bool = True) -> Round:
    settings = agree({"rules": rules.value, "seats": list(seats)})
    case = GeneratedMatch(settings, Strength.CLUB, Referee.WATCHING, "hangs", box)
    done = Round(case, turns)
    done.run()
    return done


def begun(rules: RuleSystem, seats: str) -> Match:
    return Match.begin(agree({"rules": rules.value, "seats": list(seats)}))


def must_be_right(done: Round) -> None:
    game = done.chain.dialogue.game
    assert game is not None
    assert final_of(game.match.state) == final_of(done.happened[-1].turn.after.state)
    assert done.lost == []


def of_each(systems: Sequence[RuleSystem], after_s: Sequence[float], usual_s: float) -> list[Any]:
    """Return every system with every delay: by default all for the first, one for the others.

    What a delay decides does not depend on the rules; the rules decide what the last piece ends.
    """
    every = [(each, delay_s) for each in systems for delay_s in after_s]
    return thinned(every, {each for each in every if each[0] is systems[0] or each[1] == usual_s})


@pytest.mark.parametrize(("rules", "after_s"), of_each(SYSTEMS, (3.0, 6.0, 20.0, 100.0), 20.0))
def test_who_watches_mends_a_last_piece_that_fell_late(rules: RuleSystem, after_s: float) -> None:
    must_be_right(played(rules, "NS", the_last_piece_hangs(begun(rules, "NS"), after_s)))


@pytest.mark.parametrize("box", [True, False])
@pytest.mark.parametrize("rules", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_so_do_pairs_with_and_without_a_box(rules: RuleSystem, box: bool) -> None:
    must_be_right(played(rules, "NESW", the_last_piece_hangs(begun(rules, "NESW"), 20.0), box=box))


OWN, OTHERS, JACK, STRIKER = Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER


@pytest.mark.parametrize("after_s", [6.0, 100.0])
@pytest.mark.parametrize(
    ("in_time", "hung"),
    [([], OWN), ([], OTHERS), ([], JACK), ([OWN], OTHERS), ([OTHERS], OWN), ([OWN, STRIKER], OWN)],
)
def test_so_they_do_with_any_piece_in_the_middle_of_a_board(
    in_time: list[Piece], hung: Piece, after_s: float
) -> None:
    def middle(match: Match) -> Iterator[TimedTurn]:
        for pieces, late in (([OWN], None), ([], None), ([], None), (in_time, hung), ([], None)):
            one = turn(match, pieces, late, after_s)
            yield one
            match = one.after

    must_be_right(played(RuleSystem.HIKONE, "NS", middle(begun(RuleSystem.HIKONE, "NS"))))


@pytest.mark.parametrize("box", [True, False])
@pytest.mark.parametrize("aiming_s", [3.7, 4.0, 4.3])
def test_counts_that_look_right_by_chance_are_not_taken_for_what_was_entered(
    aiming_s: float, box: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody shoots as soon as a piece of theirs has fallen late, and a foul takes it back out.

    The counts after both strokes are then those before them, but it is another seat's turn.
    """

    def chance(match: Match) -> Iterator[TimedTurn]:
        one = turn(match, [], OTHERS, 1.0)
        two = turn(one.after, [STRIKER, OTHERS], aiming_ns=round(aiming_s * 1e3) * MS)
        assert two.after.state.position.counts == match.state.position.counts
        three = turn(two.after, [])
        yield from (one, two, three, turn(three.after, []))

    believed: list[int] = []
    looks = Mind.next_move

    def look(mind: Mind, view: BoardView) -> Move | None:
        move = looks(mind, view)
        if view.phase is Phase.REVIEW:
            believed.append(mind.entered)
        return move

    monkeypatch.setattr(Mind, "next_move", look)
    must_be_right(played(RuleSystem.HIKONE, "NS", chance(begun(RuleSystem.HIKONE, "NS")), box=box))
    assert believed[0] == 1


def test_a_match_in_which_that_once_went_wrong_ends_right() -> None:
    soak = Soak(1, 1, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.WATCHING,))
    counted = measure(soak.job(5288, Referee.WATCHING))
    assert counted.tally.matches == 1
    assert (counted.wrong, counted.stuck, counted.broken) == ((), (), ())


def never(_fresh: Proposal) -> bool:
    """Do as a board that does not know of hanging pieces."""
    return False


@pytest.mark.parametrize(("rules", "after_s"), of_each(SYSTEMS, (6.0, 100.0), 6.0))
def test_who_is_not_offered_the_stroke_before_takes_the_miss_back(
    rules: RuleSystem, after_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spanning, "_may_have_hung", never)
    must_be_right(played(rules, "NS", the_last_piece_hangs(begun(rules, "NS"), after_s)))


class Hasty(Round):
    """Somebody who first says that what the watching person sees was no stroke."""

    said = False

    def _attend(self, place: Place, *, mending: bool = False) -> None:
        hung = self.happened[-1].turn.shot.late is not None and not self.said
        shown = self.chain.view.proposal
        if hung and shown is not None and self.chain.now_ns > self.happened[-1].over_ns + 10**10:
            self.said = True
            for _ in range(6):
                shown = self.chain.view.proposal
                if shown is not None and shown.stroke:
                    self._act(place, Move.FIX)
                    self.chain.wait(0.5)
            self.chain.wait(1.0)
            self._act(place, Move.OK)
            self.chain.wait(4.0)
        super()._attend(place, mending=mending)


def case_of(seats: str) -> GeneratedMatch:
    settings = agree({"rules": "hikone", "seats": list(seats)})
    return GeneratedMatch(settings, Strength.CLUB, Referee.WATCHING, "hangs")


def test_who_said_that_it_was_no_stroke_finds_back() -> None:
    done = Hasty(case_of("NS"), the_last_piece_hangs(begun(RuleSystem.HIKONE, "NS"), 20.0))
    done.run()
    assert done.said
    must_be_right(done)


class DeadUndo(Round):
    """A board whose UNDO does nothing."""

    def look(self) -> None:
        """Look at the board once more."""
        self._attend(Place.REFEREE)

    def _act(self, place: Place, move: Move) -> None:
        if move is not Move.UNDO:
            super()._act(place, move)


def test_who_cannot_put_it_right_gives_up_and_that_is_counted() -> None:
    turns, match, last = all_but_the_last(begun(RuleSystem.HIKONE, "NS"))
    done = DeadUndo(case_of("NS"), iter([*turns, turn(match, [])]))
    ledger = Ledger(done)
    done.run()
    assert ledger.tally().stuck == 0
    hung = turn(match, [last])
    done.mind.sees_grow(len(turns), hung.shot.stroke, hung.after)
    done.look()
    assert ledger.tally().stuck == 1
