"""Properties of points carrom, whatever is shot: pieces, ledgers, totals, the mark of a turn.

The ledgers are kept a second time here, only from what fell and which row was cited.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from hypothesis import given, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.directives import Directive, GiveTurn, RedPlace, Say, Saying, SetPocketed, SetRed
from jackspot.core.match import IllegalEntry, Match, MatchState, Step, deal_points
from jackspot.core.options import number_option, option, yes_no_option
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import RULES
from jackspot.core.ruling import How
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

POINTS = RULES[RuleSystem.POINTS]
COUNTERS = (Piece.BLACK, Piece.BROWN)
FULL = {Piece.BLACK: 9, Piece.BROWN: 9, Piece.QUEEN: 1}
VOID = {"PT-06", "PT-09", "PT-10"}


class Shot(NamedTuple):
    """A stroke drawn before the board is known; what is not there is left out."""

    fell: tuple[Piece, ...]
    many: int
    off: tuple[Piece, ...]
    striker: int
    foul: bool


ANY = st.sampled_from((Piece.BLACK, Piece.BROWN, Piece.BLACK, Piece.BROWN, Piece.QUEEN))
SHOTS = st.builds(
    Shot,
    st.lists(ANY, max_size=4).map(tuple),
    st.sampled_from((1, 1, 1, 1, 4, 9)),
    st.lists(ANY, max_size=2).map(tuple) | st.just(()),
    st.sampled_from((0, 0, 0, 0, 1, 2)),
    st.sampled_from((False,) * 9 + (True,)),
)
SIDES = st.sampled_from((Side.ONE, Side.TWO))
DIRECTIVES: st.SearchStrategy[Directive] = st.one_of(
    st.builds(GiveTurn, st.sampled_from(Seat)),
    st.builds(SetPocketed, SIDES, st.integers(0, 19)),
    st.builds(
        SetRed, st.sampled_from((RedPlace.PENDING, RedPlace.COVERED)), SIDES, st.just(Piece.QUEEN)
    ),
    st.just(SetRed(RedPlace.BOARD, None, Piece.QUEEN)),
    st.builds(Say, st.sampled_from(Saying)),
)
AGREEMENTS = st.builds(
    lambda seats, options: agree({"rules": "points", "seats": seats, "options": options}),
    st.sampled_from((["N", "S"], ["W", "E"], ["N", "E", "S", "W"], ["S", "E", "N", "W"])),
    st.fixed_dictionaries(
        {"best_of": st.sampled_from((1, 5, 9))},
        optional={
            "queen_points": st.sampled_from((0, 5, 50)),
            "void_returns_counters": st.booleans(),
            "two_colours": st.booleans(),
            "cover_order": st.sampled_from(("any", "after")),
            "time_end": st.sampled_from(("finish_stroke", "stop", "finish_turn", "finish_round")),
        },
    ),
)


def stroke_of(state: MatchState, shot: Shot) -> Stroke:
    """Make a shot into a stroke of what is on the board."""
    assert state.next is not None
    left = dict(FULL if state.result else POINTS.on_board(state.position))
    departures = []
    wanted = [(piece, False) for piece in shot.fell for _ in range(shot.many)]
    for piece, flew_off in wanted + [(piece, True) for piece in shot.off]:
        if left[piece]:
            left[piece] -= 1
            departures.append(Departure(piece, flew_off=flew_off))
    if shot.striker:
        at = len(departures) // shot.striker
        departures.insert(at, Departure(Piece.STRIKER))
    flags = frozenset({Flag.FOUL}) if shot.foul else frozenset[Flag]()
    return Stroke(state.next, tuple(departures), flags)


def match_of(settings: MatchSettings, actions: list[Shot | Directive]) -> Match:
    match = Match.begin(settings)
    for action in actions:
        if match.state.over:
            break
        entry = stroke_of(match.state, action) if isinstance(action, Shot) else action
        try:
            match = match.enter(entry)
        except IllegalEntry:
            assert not isinstance(action, Shot), "what lies on the board can fall"
    return match


class Book:
    """The ledgers of one board, kept from what fell and the row that was cited."""

    def __init__(self, settings: MatchSettings) -> None:
        self.settings = settings
        self.ledgers: dict[Side, list[Piece]] = {Side.ONE: [], Side.TWO: []}
        self.began = 0

    def owner(self, piece: Piece, shooter: Side) -> Side:
        """Return the side that a pocketed piece belongs to."""
        if piece is Piece.QUEEN or not yes_no_option(self.settings, "two_colours"):
            return shooter
        return Side.ONE if piece is Piece.BLACK else Side.TWO

    def enter(self, before: MatchState, step: Step) -> list[Piece]:
        """Enter a stroke; return what must go back to the centre because of it."""
        stroke, ruling, shooter = step.entry, step.ruling, before.position.side
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        if before.position.strokes_in_turn == 0:
            self.began = len(self.ledgers[shooter])
        flew = [each.piece for each in stroke.departures if each.flew_off]
        fell = [each.piece for each in stroke.departures if not each.flew_off]
        lost = ruling.rows[0] == "PT-13"
        for piece in fell:
            if piece is not Piece.STRIKER and not (lost and piece is Piece.QUEEN):
                self.ledgers[self.owner(piece, shooter)].append(piece)
        back = [] if step.state.result else [piece for piece in flew if piece is not Piece.STRIKER]
        at_stake = Piece.QUEEN in fell or before.position.red is RedPlace.PENDING
        if lost and at_stake and not self.covered_after_penalty(stroke, shooter):
            del self.ledgers[shooter][self.began :]  # "all points scored on that turn are void"
        return back + self.take_back(shooter, ruling.rows[0], self.mine(stroke, shooter))

    def covered_after_penalty(self, stroke: Stroke, shooter: Side) -> bool:
        """Return whether a stroke covers the queen once the penalty for a fault is paid."""
        mine = self.mine(stroke, shooter)
        striker = Departure(Piece.STRIKER) in stroke.departures
        if not (striker or Flag.FOUL in stroke.flags):
            return self.covered(mine)
        return mine[-1:] != [Piece.QUEEN] and self.covered(mine[:-1])

    def mine(self, stroke: Stroke, shooter: Side) -> list[Piece]:
        """Return the shooter's pieces of a stroke, in the order they fell."""
        fell: list[Piece] = [each.piece for each in stroke.departures if not each.flew_off]
        fell = [piece for piece in fell if piece is not Piece.STRIKER]
        return [piece for piece in fell if self.owner(piece, shooter) is shooter]

    def covered(self, mine: list[Piece]) -> bool:
        """Return whether the shooter's pieces, in the order they fell, cover the queen."""
        if Piece.QUEEN in mine and option(self.settings, "cover_order") == "after":
            mine = mine[mine.index(Piece.QUEEN) :]
        return any(piece is not Piece.QUEEN for piece in mine)

    def take_back(self, shooter: Side, row: str, mine: list[Piece]) -> list[Piece]:
        """Take back what a row takes back, and return what of it goes to the centre.

        ``mine`` are the shooter's pieces of the stroke. The penalty comes before the judgement:
        the last piece comes back, then a counter that is left beside the queen covers her.
        """
        ledger, back = self.ledgers[shooter], []
        if row == "PT-07":
            back.append(ledger.pop())
        if row in ("PT-09", "PT-10") and ledger[-1] is not Piece.QUEEN:
            back.append(ledger.pop())
            if self.covered(mine[:-1]):
                return back
        if row in VOID:
            void = ledger[self.began :]
            del ledger[self.began :]
            returns = yes_no_option(self.settings, "void_returns_counters")
            back += [piece for piece in void if returns or piece is Piece.QUEEN]
        return back

    def total(self, side: Side) -> int:
        """Return the points of a side."""
        worth = {Piece.BLACK: 5, Piece.BROWN: 10}
        worth[Piece.QUEEN] = number_option(self.settings, "queen_points")
        return sum(worth[piece] for piece in self.ledgers[side])


@given(AGREEMENTS, st.lists(SHOTS, max_size=60))
def test_the_ledgers_the_totals_and_what_goes_back_follow_from_what_fell(settings, shots):
    match = match_of(settings, shots)
    before, book = match.opened, Book(settings)
    for step in match.steps:
        if before.result is not None:
            rules = POINTS.opening(settings, before.boards, step.state.opener)
            before = MatchState(
                settings, step.state.board, step.state.opener, rules, before.standing
            )
            book = Book(settings)
        back = book.enter(before, step)
        assert Counter(step.state.place) == Counter(back)
        totals = {side: book.total(side) for side in (Side.ONE, Side.TWO)}
        assert dict(POINTS.points(step.state.position)) == totals
        for side, ledger in book.ledgers.items():
            assert step.state.position.count(side).pocketed == len(ledger)
        result = step.state.result
        if step.ruling is not None and step.ruling.rows[0] == "PT-05":
            assert isinstance(step.entry, Stroke)
            covered = step.state.position.red is RedPlace.COVERED
            assert covered == book.covered(book.mine(step.entry, before.position.side))
        if result is not None and result.how is How.FOUL:
            loser = before.position.side
            assert result.winner is not loser
            assert totals[loser] - result.points[loser] in range(3, 13)
            totals[loser] = result.points[loser]
        assert dict(deal_points(step.state)) == totals
        before = step.state


@given(AGREEMENTS, st.lists(st.one_of(SHOTS, SHOTS, SHOTS, DIRECTIVES), max_size=40))
def test_whatever_is_said_nothing_is_lost_and_a_record_comes_to_the_same(settings, actions):
    match = match_of(settings, actions)
    for step in match.steps:
        position = step.state.position
        lies = POINTS.on_board(position)
        credited = sum(position.count(side).pocketed for side in position.sides)
        assert 0 <= sum(lies.values()) + credited <= 19
        assert all(0 <= lies[piece] <= FULL[piece] for piece in FULL)
        assert (position.red is RedPlace.BOARD) == (lies[Piece.QUEEN] == 1)
        assert (position.red_side is None) == (position.red is RedPlace.BOARD)
        if position.red is RedPlace.PENDING and step.state.result is None:
            assert position.red_side is position.side, "only who shoots can have her to cover"
    text = write_record(settings, [step.entry for step in match.steps])
    assert read_record(text).match.steps == match.steps


@given(AGREEMENTS, st.lists(st.one_of(SHOTS, SHOTS, SHOTS, DIRECTIVES), max_size=30))
def test_undo_takes_back_exactly_one_entry_at_any_depth(settings, actions):
    match = match_of(settings, actions)
    states = [match.opened, *(step.state for step in match.steps)]
    for depth in range(len(match.steps) - 1, -1, -1):
        match = match.undo()
        assert match.state == states[depth]
    while match.undone:
        match = match.redo()
    assert match.state == states[-1]


@given(AGREEMENTS, st.lists(SHOTS, max_size=60))
def test_a_board_that_runs_can_still_be_finished(settings, shots):
    """While the queen is on the board there is a counter to cover her with."""
    for step in match_of(settings, shots).steps:
        if step.state.result is None:
            lies = POINTS.on_board(step.state.position)
            assert lies[Piece.BLACK] + lies[Piece.BROWN] > 0
