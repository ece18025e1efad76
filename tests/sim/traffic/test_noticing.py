"""When people notice that a board's counts or turn are wrong: as often as the table says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import Match, MatchState
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.state.view import Phase
from jackspot.values import changed
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.minds import Move
from jackspot_sim.traffic.people import StrokePlan, draw_plan
from jackspot_sim.traffic.playable import Playable
from jackspot_sim.traffic.rounds import GeneratedMatch, Round
from jackspot_sim.traffic.standings import differences

SETTINGS = agree({"rules": "hikone"})
SECOND = 10**9
DRAWS = 400
JACK = Departure(Piece.JACK, Pocket.SW)


def own(match: Match, count: int = 1) -> tuple[Departure, ...]:
    piece = match.state.position.side.piece
    return tuple(Departure(piece, Pocket.NE) for _ in range(count))


def shot(match: Match, departures: tuple[Departure, ...] = ()) -> Match:
    assert match.state.next is not None
    return match.enter(Stroke(match.state.next, departures))


Stand = tuple[MatchState, MatchState]
"""What the board has, and what is true."""


def played(strokes: int) -> Iterator[Stand]:
    """Enter one puck too many with the first stroke, then everything right: pucks and misses."""
    board, true = Match.begin(SETTINGS), Match.begin(SETTINGS)
    board, true = shot(board, own(board, 2)), shot(true, own(true))
    yield board.state, true.state
    for number in range(1, strokes):
        pucks = 1 if number % 9 == 0 else 0
        board, true = shot(board, own(board, pucks)), shot(true, own(true, pucks))
        yield board.state, true.state


class Minded(Round):
    """Somebody at a board of which no more is there than what it shows."""

    def __init__(self, referee: Referee, seed: int) -> None:
        self.shown = cast(Any, SimpleNamespace(now_ns=0, phase=Phase.READY))
        self.shown.wait_until = lambda _until_ns: None
        case = GeneratedMatch(SETTINGS, Strength.CLUB, referee, str(seed))
        super().__init__(case, iter(()), cast(Playable, self.shown))
        self.looked = False
        self.finished = False
        self._rng = random.Random(seed)

    def play(self, stand: Stand) -> None:
        """See a stroke, and what the board has then."""
        board, true = stand
        seats = SETTINGS.seats
        plan = draw_plan(self.case.referee, seats[0], seats, [SECOND], self._rng)
        turn = SimpleNamespace(plan=plan, shot=SimpleNamespace(stroke=Stroke(seats[0])))
        self.happened.append(cast(Any, SimpleNamespace(turn=turn, over_ns=0)))
        self.mind.strokes.append(Stroke(seats[0]))
        self.mind.matches.append(cast(Any, SimpleNamespace(state=true)))
        self.shown.dialogue = SimpleNamespace(game=SimpleNamespace(match=cast(Any, self)))
        self.state = board
        if not self.looked:
            self._notice(len(self.happened) - 1)

    def end_board(self) -> None:
        """Look at a board that is over."""
        self._end_board()

    def _look_closely(self) -> None:
        self.looked = True

    def _finish(self, _place: object) -> None:
        self.finished = True


def is_share(count: int, share: float) -> bool:
    """Whether this many of the draws are no further from a share than chance takes them."""
    return bool(abs(count / DRAWS - share) < 3 * (share * (1 - share) / DRAWS) ** 0.5)


@pytest.mark.parametrize("referee", [Referee.TABLE_ONLY, Referee.CARELESS])
def test_an_error_that_lasts_is_noticed_as_often_as_the_table_says(referee: Referee) -> None:
    stands = list(played(25))
    looked = finished = 0
    for seed in range(DRAWS):
        people = Minded(referee, seed)
        for stand in stands:
            people.play(stand)
        people.end_board()
        looked += people.looked
        finished += people.finished and not people.looked
    assert is_share(looked + finished, table.NOTICES.of(referee))
    assert finished < DRAWS / 100, "what was overlooked for good is not seen at the end either"


@pytest.mark.parametrize("referee", [Referee.TABLE_ONLY, Referee.CARELESS])
def test_a_wrong_result_is_an_error_like_any_other(referee: Referee) -> None:
    true = board = Match.begin(SETTINGS)
    true, board = shot(true, own(true, 12)), shot(board, own(board, 11))
    before = board.state, true.state
    true, board = shot(true, (JACK,)), shot(board)
    finished = 0
    for seed in range(DRAWS):
        people = Minded(referee, seed)
        people.play((true.state, true.state))
        people.play((board.state, true.state))
        people.end_board()
        finished += people.looked or people.finished
    assert is_share(finished, table.NOTICES.of(referee))
    assert differences(*before), "the stroke before was wrong as well"


def test_a_difference_is_told_by_its_parts_and_not_by_how_many_are_in() -> None:
    first, *later = played(20)
    assert differences(*first)
    assert {differences(*each) for each in later} == {differences(*first)}
    board, true = first
    assert differences(true, true) == frozenset()
    assert ("turn", 1) in differences(shot(Match.begin(SETTINGS)).state, true)
    assert ("turn", 1) not in differences(board, true)


class Hasty(Round):
    """Somebody who presses OK for a stroke at a board that is in this phase after it."""

    def __init__(self, phase: Phase, plan: StrokePlan) -> None:
        board = cast(Any, SimpleNamespace(now_ns=0, phase=phase, wait_until=lambda _until_ns: None))
        case = GeneratedMatch(SETTINGS, Strength.CLUB, Referee.CARELESS, "1")
        super().__init__(case, iter(()), cast(Playable, board))
        self.did: list[str] = []
        turn = SimpleNamespace(plan=plan)
        self.happened.append(cast(Any, SimpleNamespace(turn=turn, at_ns=0, over_ns=2 * SECOND)))
        self.mind.strokes += [Stroke(SETTINGS.seats[0])] * 2
        self._mind_stroke(0)

    def _act(self, _place: object, move: Move) -> None:
        self.did.append(move.value)

    def _confirm_unread(self, _place: object) -> None:
        self.did.append("unread")

    def _attend(self, _place: object, *, mending: bool = False) -> None:
        self.did.append("mended" if mending else "compared")


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("phase", [each for each in Phase if each is not Phase.SETUP])
def test_a_reading_is_overlooked_as_often_after_an_early_ok(phase: Phase, early: bool) -> None:
    plan = StrokePlan(SECOND if early else 3 * SECOND, SETTINGS.seats[0])
    first = [Move.OK.value] if early else []
    assert Hasty(phase, plan).did == [*first, "compared"]
    overlooked = Hasty(phase, changed(plan, overlooks=True))
    if early and phase not in (Phase.FALLING, Phase.REVIEW, Phase.PLACING):
        assert overlooked.did == first, "the board asks nothing that could be confirmed unread"
        assert overlooked.mind.entered == 2
    else:
        assert overlooked.did == [*first, "unread"]
