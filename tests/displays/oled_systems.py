"""Board views of the systems with a queen, and of long results, as the scorekeeper makes them."""

from __future__ import annotations

from typing import Any

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, FreeView, Phase, SideView
from jackspot.values import changed
from tests.displays.oled_views import BLOCKED, FREE, READY, SETUP, clock, reading, review

WHITE_WORD, BLACK_WORD = _("WHITE"), _("BLACK")
_FIRST = frozenset({Side.RED, Side.WHITE, Side.ONE})


def player(name: Side, pocketed: int = 0, **changes: Any) -> SideView:
    """Make a side of nine pieces; the first one sits north."""
    seats = (Seat.N,) if name in _FIRST else (Seat.S,)
    counters = (Piece.BLACK, Piece.BROWN)
    own = counters if name in {Side.ONE, Side.TWO} else (name.piece,)
    plain = SideView(
        side=name, seats=seats, names=("",), pocketed=pocketed,
        left=9 - pocketed, owed=0, points=0, boards_won=0, shoots=False, all_in=False, pieces=own,
    )  # fmt: skip
    return changed(plain, **changes)


def two(first: SideView, second: SideView, base: BoardView, **changes: Any) -> BoardView:
    """Show two sides at a board."""
    return changed(base, sides=(first, second), **changes)


KAGW = two(
    player(Side.WHITE, 5, shoots=True),
    player(Side.BLACK, 3),
    READY,
    rules=RuleSystem.KAGW,
    best_of=3,
    headline=_("{side} {seat}: shoot again", side=WHITE_WORD, seat="N"),
    last=None,
)
ICF = changed(
    KAGW,
    rules=RuleSystem.ICF,
    board=9,
    game=2,
    game_board=4,
    sides=(
        player(Side.WHITE, 5, shoots=True, game_points=17, games_won=1, points=42),
        player(Side.BLACK, 3, game_points=9, points=21),
    ),
)
POINTS = changed(
    KAGW,
    rules=RuleSystem.POINTS,
    best_of=1,
    sides=(
        player(Side.ONE, 7, shoots=True, board_points=95),
        player(Side.TWO, 4, board_points=30),
    ),
    headline=_("{side} {seat}: shoot again", side=_("SIDE 1"), seat="N"),
)
PLACES = changed(KAGW, phase=Phase.PLACING, headline=_("put back"), ok=_("placed"), fix=EMPTY)
JAPAN_END = changed(
    READY,
    phase=Phase.MATCH_OVER,
    rules=RuleSystem.JAPAN,
    sides=(
        player(Side.RED, 12, left=0, points=112, board_points=112),
        player(Side.GREEN, 8, left=4, points=8, board_points=8),
    ),
    shooter=None,
    red=RedPlace.POCKETED,
    headline=_("{side} wins", side=_("RED")),
    detail=_("by the jack"),
    ok=_("hold: new"),
    fix=_("menu"),
    winner=Side.RED,
    result_points=(112, 8),
    last=None,
)
ICF_END = changed(
    ICF,
    phase=Phase.MATCH_OVER,
    sides=(
        player(Side.BLACK, 9, games_won=2, game_points=25, points=62, seats=(Seat.N,)),
        player(Side.WHITE, 4, games_won=1, game_points=12, points=48, seats=(Seat.S,)),
    ),
    shooter=None,
    red=RedPlace.COVERED,
    red_side=Side.BLACK,
    headline=_("{side} wins", side=_("{name}", name="Aiko")),
    detail=_("all pieces in"),
    ok=_("hold: new"),
    fix=_("menu"),
    winner=Side.BLACK,
    result_points=(62, 48),
)

SYSTEMS: dict[str, BoardView] = {
    "kagw_ready": KAGW,
    "kagw_pending": changed(
        KAGW, red=RedPlace.PENDING, red_side=Side.WHITE, detail=_("cover the queen now")
    ),
    "kagw_covered_owed": two(
        player(Side.WHITE, 0, owed=2),
        player(Side.BLACK, 6, shoots=True),
        KAGW,
        red=RedPlace.COVERED,
        red_side=Side.BLACK,
        shooter=Seat.S,
        headline=_("{side} {seat} to shoot", side=BLACK_WORD, seat="S"),
        detail=_("{side} owes {n}", side=WHITE_WORD, n=2),
    ),
    "kagw_early_queen": changed(KAGW, red=RedPlace.POCKETED, detail=_("queen back after turn")),
    "kagw_second_board": two(
        player(Side.BLACK, 1, seats=(Seat.N,), points=12, boards_won=1),
        player(Side.WHITE, 2, seats=(Seat.S,), points=3, shoots=True),
        KAGW,
        board=2,
        shooter=Seat.S,
        headline=_("{side} {seat} to shoot", side=WHITE_WORD, seat="S"),
    ),
    "kagw_board_over": two(
        player(Side.WHITE, 9, points=9, boards_won=1),
        player(Side.BLACK, 5),
        KAGW,
        phase=Phase.BOARD_OVER,
        shooter=None,
        red=RedPlace.COVERED,
        red_side=Side.WHITE,
        headline=_("{side} wins", side=WHITE_WORD),
        detail=_("{how}, {seat} opens", how=_("all pieces in"), seat="S"),
        ok=_("next board"),
        fix=EMPTY,
        winner=Side.WHITE,
        result_points=(9, 0),
    ),
    "kagw_places": changed(
        PLACES, place=(Piece.QUEEN, Piece.WHITE), detail=_("{text}", text="QUEEN, WHITE")
    ),
    "kagw_review": changed(
        review(reading("QUEEN NE", "shoot again")),
        rules=RuleSystem.KAGW,
        sides=KAGW.sides,
        red=RedPlace.BOARD,
    ),
    "kagw_review_cover": changed(
        review(reading("BLACK SW", "S shoots, put back QUEEN", doubtful=True)),
        rules=RuleSystem.KAGW,
        sides=(player(Side.WHITE, 5, owed=1, shoots=True), player(Side.BLACK, 3)),
        red=RedPlace.PENDING,
        red_side=Side.WHITE,
        clock=clock(272),
    ),
    "icf_ready": ICF,
    "icf_shot_clock": changed(ICF, shot=clock(12, 15)),
    "icf_both_clocks": changed(ICF, shot=clock(4, 15), clock=clock(299)),
    "icf_owed": two(
        changed(ICF.sides[0], owed=1),
        changed(ICF.sides[1], owed=2),
        ICF,
        clock=clock(59),
        red=RedPlace.COVERED,
        red_side=Side.BLACK,
    ),
    "icf_places_many": changed(
        PLACES,
        rules=RuleSystem.ICF,
        place=(Piece.QUEEN,) + (Piece.WHITE,) * 5 + (Piece.BLACK,) * 2,
        detail=_("{text}", text="QUEEN, 5 WHITE, 2 BLACK"),
    ),
    "icf_board_over": changed(
        ICF,
        phase=Phase.BOARD_OVER,
        sides=(
            player(Side.WHITE, 9, game_points=24, games_won=1),
            player(Side.BLACK, 5, game_points=9),
        ),
        shooter=None,
        red=RedPlace.COVERED,
        red_side=Side.WHITE,
        headline=_("{side} wins", side=WHITE_WORD),
        detail=_("{how}, {seat} opens", how=_("all pieces in"), seat="S"),
        ok=_("next board"),
        fix=EMPTY,
        winner=Side.WHITE,
        result_points=(7, 0),
    ),
    "icf_match_over": ICF_END,
    "grundregeln_setup": two(
        player(Side.WHITE, names=("Aiko",), shoots=True),
        player(Side.BLACK, names=("Ben",)),
        SETUP,
        rules=RuleSystem.GRUNDREGELN,
    ),
    "grundregeln_fault": changed(
        ICF, rules=RuleSystem.GRUNDREGELN, best_of=1, faults=(BLOCKED,), detail=EMPTY
    ),
    "points_ready": POINTS,
    "points_totals": two(
        player(Side.ONE, 9, board_points=125),
        player(Side.TWO, 5, board_points=-13, shoots=True),
        POINTS,
        red=RedPlace.COVERED,
        red_side=Side.ONE,
        shooter=Seat.S,
        headline=_("{side} {seat} to shoot", side=_("SIDE 2"), seat="S"),
        clock=clock(272),
    ),
    "points_pending": two(
        player(Side.ONE, 8, shoots=True, board_points=145),
        player(Side.TWO, 4, board_points=30),
        POINTS,
        red=RedPlace.PENDING,
        red_side=Side.ONE,
        detail=_("cover the queen now"),
    ),
    "points_places": changed(
        PLACES,
        rules=RuleSystem.POINTS,
        sides=POINTS.sides,
        place=(Piece.QUEEN, Piece.BLACK, Piece.BROWN),
        detail=_("{text}", text="QUEEN, BLACK, BROWN"),
    ),
    "points_free": changed(
        FREE,
        rules=RuleSystem.POINTS,
        sides=(player(Side.ONE), player(Side.TWO)),
        detail=_("{piece} {pocket}", piece="BROWN?", pocket="NE"),
        free=FreeView(
            ((Piece.BLACK, 3), (Piece.BROWN, 9), (Piece.QUEEN, 0)),
            _("{piece} {pocket}", piece="BROWN?", pocket="NE"),
        ),
    ),
    "japan_match_over": JAPAN_END,
    "japan_best_of_three": changed(
        READY,
        rules=RuleSystem.JAPAN,
        best_of=3,
        board=2,
        sides=(
            player(Side.RED, 4, left=8, points=112, boards_won=1),
            player(Side.GREEN, 11, left=1, points=8, owed=0, shoots=True),
        ),
        shooter=Seat.S,
        clock=clock(272),
        headline=_("{side} {seat} to shoot", side=_("GREEN"), seat="S"),
        last=None,
    ),
    "japan_three_players": changed(
        READY,
        rules=RuleSystem.JAPAN,
        sides=(
            player(Side.RED, 7, left=5, shoots=True, seats=(Seat.E,)),
            player(Side.GREEN, 5, left=7, seats=(Seat.N, Seat.S), names=("", "")),
        ),
        shooter=Seat.E,
        clock=clock(272),
        headline=_("{side} {seat} to shoot", side=_("RED"), seat="E"),
    ),
}
