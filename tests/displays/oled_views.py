"""Board views as the scorekeeper makes them, one and more for each phase: what is drawn."""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.table.events import Button, Key, Place, Trouble
from jackspot.table.phrases import EMPTY, Phrase, _
from jackspot.table.view import (
    BoardView,
    ClockView,
    FaultView,
    HoldView,
    LastRuling,
    MenuView,
    Phase,
    ReadingView,
    SideView,
)

RED_WORD = _("RED")
GREEN_WORD = _("GREEN")


def side(
    name: Side = Side.RED,
    pocketed: int = 0,
    *,
    owed: int = 0,
    shoots: bool = False,
    seats: tuple[Seat, ...] | None = None,
    names: tuple[str, ...] | None = None,
    boards_won: int = 0,
) -> SideView:
    """Make a side; red sits north and green south."""
    seats = seats or ((Seat.N,) if name in {Side.RED, Side.WHITE} else (Seat.S,))
    return SideView(
        name,
        name.value[0].upper(),
        seats,
        names or ("",) * len(seats),
        pocketed,
        12 - pocketed,
        owed,
        pocketed,
        boards_won,
        shoots=shoots,
        all_in=pocketed == 12,
    )


READY = BoardView(
    sequence=1,
    ask=1,
    phase=Phase.READY,
    rules=RuleSystem.HIKONE,
    board=1,
    best_of=1,
    sides=(side(Side.RED, 7, shoots=True), side(Side.GREEN, 5)),
    shooter=Seat.N,
    red=RedPlace.BOARD,
    headline=_("{side} {seat} to shoot", side=RED_WORD, seat="N"),
    ok=_("nothing in"),
    fix=_("by hand"),
    last=LastRuling(
        ("HK-03",), _("{seat} {what}: {outcome}", seat="S", what="RED NE", outcome="N shoots")
    ),
)


def reading(what: str, follows: str, *, doubtful: bool = False, ends: bool = False) -> ReadingView:
    """Make a reading from English text."""
    return ReadingView(
        _("{text}", text=what), _("{text}", text=follows), EMPTY, (), 0.7, doubtful, ends
    )


def review(shown: ReadingView) -> BoardView:
    """Make a review of a reading."""
    return replace(
        READY,
        phase=Phase.REVIEW,
        headline=shown.what,
        detail=shown.follows,
        ok=_("hold: yes") if shown.ends_board else _("yes"),
        fix=_("next"),
        proposal=shown,
        readings=(shown,),
        last=None,
    )


def clock(seconds: int, limit: int = 300) -> ClockView:
    """Make a running clock."""
    return ClockView(limit * 10**9, seconds * 10**9, True, 0)


BLOCKED = FaultView(
    "pocket_nw", Trouble.BLOCKED, _("{part} blocked", part="pocket nw"), _("clear it, FIX enters")
)
GONE = FaultView("alpha_sign", Trouble.GONE, _("{part} is gone", part="sign"), _("check its cable"))

SETUP = replace(
    READY,
    phase=Phase.SETUP,
    sides=(
        side(Side.RED, names=("Aiko",), shoots=True),
        side(Side.GREEN, names=("Ben",)),
    ),
    headline=_("{seat} shoots first", seat="N"),
    detail=_("winner: press your OK"),
    ok=_("start"),
    fix=_("next"),
    last=None,
)

FALLING = replace(review(reading("RED NE", "shoot again")), phase=Phase.FALLING, lit=(Pocket.NE,))

PLACING = replace(
    READY,
    phase=Phase.PLACING,
    headline=_("put back"),
    detail=_("{first}, {then}", first="2 RED", then="JACK"),
    ok=_("placed"),
    fix=EMPTY,
    place=(Piece.RED, Piece.RED, Piece.JACK),
    last=None,
)

PAUSED = replace(
    READY, phase=Phase.PAUSED, headline=_("paused"), ok=_("go on"), fix=_("menu"), clock=clock(125)
)

OVER = replace(
    READY,
    phase=Phase.BOARD_OVER,
    sides=(side(Side.RED, 12), side(Side.GREEN, 8)),
    shooter=None,
    red=RedPlace.POCKETED,
    headline=_("{side} wins", side=RED_WORD),
    detail=_("by the jack"),
    ok=_("next board"),
    fix=EMPTY,
    winner=Side.RED,
    result_points=(12, 8),
    last=None,
)

MATCH_OVER = replace(OVER, phase=Phase.MATCH_OVER, ok=_("hold: new"), fix=_("menu"))

DOUBTED = reading("GREEN SW", "S shoots", doubtful=True)

SHORT_RECORD = (
    '# jackspot record 1\nrules = "hikone"\n---\n'
    "N 3*red\nN -\nS green@SW\nS striker\nN jack\nS -\nN 9*red\nN jack\n"
)

LIST = MenuView(
    _("menu"),
    (
        _("close"),
        _("correct the counts"),
        _("whose turn"),
        _("pause"),
        _("resign"),
        _("draw"),
        _("void the board"),
        _("end this match"),
    ),
    2,
)
MENU = replace(READY, ok=_("choose"), fix=_("next"), menu=LIST)


def held(view: BoardView, key: Key, progress: float) -> BoardView:
    """Hold a key of the referee's box."""
    return replace(view, hold=HoldView(Button(Place.REFEREE, key), 0, progress))


DOUBLES = replace(
    READY,
    best_of=5,
    board=3,
    sides=(
        side(Side.RED, 12, seats=(Seat.N, Seat.S), boards_won=2),
        side(Side.GREEN, 0, owed=12, seats=(Seat.E, Seat.W), boards_won=1, shoots=True),
    ),
    shooter=Seat.W,
    headline=_("{side} {seat}: shoot again", side=GREEN_WORD, seat="W"),
    detail=_("time is up: last stroke"),
    clock=clock(5999, 6000),
    last=None,
)

VIEWS: dict[str, BoardView] = {
    "setup": SETUP,
    "setup_long_names": replace(
        SETUP,
        rules=RuleSystem.KAGW,
        best_of=3,
        sides=(
            side(
                Side.RED,
                seats=(Seat.N, Seat.S),
                names=("Maximiliane von Hohenstein", "Bartholomäus"),
            ),
            side(Side.GREEN, seats=(Seat.E, Seat.W), names=("Łukasz", "さくら子")),
        ),
    ),
    "ready": READY,
    "ready_green": replace(
        READY,
        sides=(side(Side.RED, 12), side(Side.GREEN, 11, shoots=True)),
        shooter=Seat.S,
        headline=_("{side} {seat}: shoot again", side=GREEN_WORD, seat="S"),
    ),
    "ready_owed_clock": replace(
        READY,
        sides=(side(Side.RED, 0, owed=2, shoots=True), side(Side.GREEN, 4)),
        clock=clock(272),
        detail=_("striker in {pocket}", pocket="SW"),
        best_of=3,
    ),
    "ready_doubles": DOUBLES,
    "ready_fault": replace(READY, faults=(BLOCKED,), clock=clock(59)),
    "ready_two_faults": replace(DOUBLES, faults=(BLOCKED, GONE)),
    "ready_lit": replace(READY, lit=(Pocket.NE,)),
    "ready_hold_fix": held(READY, Key.FIX, 0.6),
    "ready_hold_undo": held(READY, Key.UNDO, 0.4),
    "falling": FALLING,
    "falling_two": replace(
        FALLING,
        headline=_("{text}", text="RED NE, STRIKER SW"),
        detail=_("{text}", text="S shoots, put back 2 RED"),
        lit=(Pocket.NE, Pocket.SW),
        faults=(GONE,),
    ),
    "review": review(reading("RED NE", "shoot again")),
    "review_doubtful": replace(
        review(DOUBTED),
        readings=(DOUBTED, reading("RED SW", "shoot again"), reading("2 GREEN SW", "S shoots")),
        waiting=2,
        clock=clock(272),
    ),
    "review_long": replace(
        review(
            reading(
                "foul, RED NE, 2 GREEN SW, STRIKER SE, JACK off",
                "S shoots, put back 12 GREEN, 12 RED, JACK",
                doubtful=True,
            )
        ),
        sides=(
            side(Side.RED, 10, shoots=True, seats=(Seat.N, Seat.S)),
            side(Side.GREEN, 0, owed=12, seats=(Seat.E, Seat.W)),
        ),
        clock=clock(5999, 6000),
        waiting=3,
    ),
    "review_wins": held(
        review(reading("JACK NW", "RED wins, by the jack", ends=True)), Key.OK, 0.7
    ),
    "review_fault": replace(
        review(reading("RED NE", "shoot again", doubtful=True)),
        faults=(BLOCKED, GONE),
        clock=clock(61),
    ),
    "review_lit": replace(review(reading("RED NE", "shoot again")), lit=(Pocket.NW, Pocket.SE)),
    "placing": PLACING,
    "placing_lit": replace(PLACING, lit=(Pocket.SW,)),
    "placing_many": replace(
        PLACING,
        place=(Piece.GREEN,) + (Piece.RED,) * 7 + (Piece.JACK,),
        detail=_("{text}", text="GREEN, 7 RED, JACK"),
        waiting=1,
    ),
    "paused": PAUSED,
    "paused_power": replace(
        PAUSED,
        headline=_("power was off"),
        detail=_("in: {counts}", counts="RED 7, GREEN 5?"),
        ok=_("right"),
        fix=_("correct"),
        waiting=2,
    ),
    "paused_lit": replace(PAUSED, lit=(Pocket.SW,)),
    "board_over": replace(OVER, best_of=3),
    "match_over": MATCH_OVER,
    "match_over_points": replace(
        MATCH_OVER,
        result_points=(112, 8),
        best_of=3,
        sides=(side(Side.RED, 12, boards_won=2), side(Side.GREEN, 8)),
        record=SHORT_RECORD * 4,
    ),
    "match_over_code": replace(MATCH_OVER, record=SHORT_RECORD),
    "menu": MENU,
    "menu_fault": replace(MENU, faults=(BLOCKED,), menu=replace(LIST, chosen=7)),
}


def phrases_of(view: BoardView) -> list[Phrase]:
    """Give every phrase that a view holds."""
    found = [view.headline, view.detail, view.ok, view.fix]
    for shown in (view.proposal, *view.readings):
        if shown is not None:
            found += [shown.what, shown.follows, shown.why]
    for fault in view.faults:
        found += [fault.what, fault.remedy]
    if view.menu is not None:
        found += [view.menu.title, *view.menu.items]
    return found
