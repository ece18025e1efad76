"""What one step of a game costs, against a step of chess in a library known to be well made.

A step of chess is whether the move is legal, the move, and taking it back (python-chess); a
step of carom judges the stroke, counts, passes the turn and keeps what undo needs.
"""

from __future__ import annotations

import chess

from jackspot.core.agreement import agree
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Stroke
from tests.bench.report import Report, median_us, timed

REPEATS = 300

OWN, OPPONENTS, STRIKER = "own", "opponent's", "striker"
SHOTS: tuple[tuple[str, ...], ...] = (
    (OWN,), (), (OWN, OWN), (OWN,), (), (OPPONENTS,), (STRIKER,), (OWN,), (OWN, OPPONENTS), (),
    (OWN, STRIKER), (OWN,), (), (OPPONENTS, STRIKER), (OWN,), (), (), (OWN,), (OWN,), (),
)  # fmt: skip
"""What falls, stroke by stroke: singles, doubles, misses, the striker with and without."""

GAME = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7"


def strokes(settings: MatchSettings) -> list[tuple[Match, Stroke]]:
    """Play the shots once; give each stroke with the match as it was before."""
    match, played = Match.begin(settings), []
    for shot in SHOTS:
        seat = match.state.next
        assert seat is not None, "the shots must not end the board"
        played.append((match, Stroke(seat, tuple(departure(what, seat) for what in shot))))
        match = match.enter(played[-1][1])
    return played


def departure(what: str, seat: Seat) -> Departure:
    if what == STRIKER:
        return Departure(Piece.STRIKER, Pocket.SW)
    own = (what == OWN) is (seat is Seat.N)
    return Departure(Piece.RED if own else Piece.GREEN, Pocket.NE)


def moves() -> list[tuple[chess.Board, chess.Move]]:
    """Play a game of chess once; give each move with the board before it."""
    board, played = chess.Board(), []
    for text in GAME.split():
        move = board.parse_san(text)
        played.append((board.copy(), move))
        board.push(move)
    return played


def measure(report: Report) -> None:
    settings = agree({"rules": "hikone"})
    carom, moved = strokes(settings), moves()
    judge = rules_for(settings.rules).judge
    judged = [(match.state.position, stroke) for match, stroke in carom]

    def enter_all() -> None:
        for match, stroke in carom:
            match.enter(stroke)

    def judge_all() -> None:
        for position, stroke in judged:
            judge(settings, position, stroke)

    def move_all() -> None:
        for board, move in moved:
            assert board.is_legal(move)
            board.push(move)
            board.pop()

    times: dict[str, list[int]] = {"enter": [], "judge": [], "chess": []}
    for _ in range(REPEATS):
        times["enter"].append(timed(enter_all))
        times["judge"].append(timed(judge_all))
        times["chess"].append(timed(move_all))
    floor = median_us(times["chess"], len(moved))
    against = "chess: is the move legal, make it, take it back"
    for name, key, steps in (
        ("stroke entered into a match", "enter", carom),
        ("stroke judged by the rules", "judge", judged),
    ):
        value = median_us(times[key], len(steps))
        report.add(name, value, floor, unit="us", against=against, aim=3.0)
