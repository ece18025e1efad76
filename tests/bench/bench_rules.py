"""What one step of a game costs, against a step of chess in a library known to be well made.

A step of chess checks that the move is legal, makes it and takes it back (python-chess); a
step of carom judges the stroke, counts, passes the turn and keeps what undo needs. Every rule
system plays a board of its own: what usually falls, and some of what rarely does.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.position import Position
from jackspot.core.rules import RULES, Rules
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from tests.bench.report import Report, median_us, timed

REPEATS = 300

OWN, OPPONENTS, STRIKER, RED = "own", "opponent's", "striker", "red"
Shots = tuple[tuple[str, ...], ...]
WITH_A_JACK: Shots = (
    (OWN,), (), (OWN, OWN), (OWN,), (), (OPPONENTS,), (STRIKER,), (OWN,), (OWN, OPPONENTS), (),
    (OWN, STRIKER), (OWN,), (), (OPPONENTS, STRIKER), (OWN,), (), (RED,), (OWN,), (OWN,), (),
)  # fmt: skip
WITH_A_QUEEN: Shots = (
    (OWN,), (), (OWN, OWN), (OWN,), (), (RED,), (), (STRIKER,), (OWN, OPPONENTS), (),
    (OWN, STRIKER), (OWN,), (), (OPPONENTS, STRIKER), (OWN,), (RED,), (OWN,), (), (OWN,), (),
)  # fmt: skip
"""What falls, stroke by stroke: singles, doubles, misses, the striker with and without."""

SHOTS: Mapping[RuleSystem, Shots] = {
    system: WITH_A_JACK if rules.red is Piece.JACK else WITH_A_QUEEN
    for system, rules in RULES.items()
}

GAME = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7"


def strokes(rules: Rules) -> list[tuple[Match, Stroke]]:
    """Play the shots once; return each stroke with the match as it was before."""
    match, played = Match.begin(agree({"rules": rules.id})), []
    for shot in SHOTS[rules.id]:
        position = match.state.position
        assert match.state.result is None, "the shots must not end the board"
        departures = tuple(departure(what, rules, position) for what in shot)
        played.append((match, Stroke(position.seat, departures)))
        match = match.enter(played[-1][1])
    return played


def departure(what: str, rules: Rules, position: Position) -> Departure:
    """Return the piece that a word means to the shooter; without colours, one kind for each."""
    if what == STRIKER:
        return Departure(Piece.STRIKER, Pocket.SW)
    first, second = (piece for piece in rules.pieces if piece not in (rules.red, Piece.STRIKER))
    own = first if first in rules.own(position) else second
    pieces = {OWN: own, OPPONENTS: second if own is first else first, RED: rules.red}
    return Departure(pieces[what], Pocket.NE)


def moves() -> list[tuple[chess.Board, chess.Move]]:
    """Play a game of chess once; return each move with the board before it."""
    board, played = chess.Board(), []
    for text in GAME.split():
        move = board.parse_san(text)
        played.append((board.copy(), move))
        board.push(move)
    return played


class Board:
    """The strokes of one rule system, and how long they took to judge and to enter."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.strokes = strokes(rules)
        self.judged_ns: list[int] = []
        self.entered_ns: list[int] = []

    def judge_all(self) -> None:
        for match, stroke in self.strokes:
            self.rules.judge(match.settings, match.state.position, stroke)

    def enter_all(self) -> None:
        for match, stroke in self.strokes:
            match.enter(stroke)


def measure(report: Report) -> None:
    boards, moved = [Board(rules) for rules in RULES.values()], moves()

    def move_all() -> None:
        for board, move in moved:
            assert board.is_legal(move)
            board.push(move)
            board.pop()

    chess_ns: list[int] = []
    for _ in range(REPEATS):
        chess_ns.append(timed(move_all))
        for board in boards:
            board.judged_ns.append(timed(board.judge_all))
            board.entered_ns.append(timed(board.enter_all))
    floor = median_us(chess_ns, len(moved))
    against = "chess: is the move legal, make it, take it back"
    for board in boards:
        for what, times in (("judged", board.judged_ns), ("entered", board.entered_ns)):
            value = median_us(times, len(board.strokes))
            name = f"{board.rules.id}: {1e6 / value:,.0f} strokes {what} a second"
            report.add(name, value, floor, unit="us", against=against, aim=3.0)
