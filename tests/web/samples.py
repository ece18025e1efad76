"""Views to show: one of each phase that a page must draw, built by hand."""

from __future__ import annotations

from typing import Any

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    HoldView,
    LastRuling,
    MenuView,
    Phase,
    PreferencesView,
    QueuedKind,
    QueuedView,
    ReadingView,
    SideView,
    Written,
)
from jackspot.sensing.events import Button, Key, Place, Trouble
from jackspot.values import changed
from jackspot.web.identity import Identity, Part, PartKind

IDENTITY = Identity(
    "Festival 3",
    (
        Part("pocket_ne", PartKind.BEAM),
        Part("referee_ok", PartKind.BUTTON),
        Part("oled", PartKind.DISPLAY),
    ),
)


def side(side: Side, seat: Seat, pocketed: int = 0, **changes: Any) -> SideView:
    """Return one side of a singles match."""
    plain = SideView(
        side=side,
        seats=(seat,),
        names=(),
        pocketed=pocketed,
        left=12 - pocketed,
        owed=0,
        points=pocketed,
        boards_won=0,
        shoots=False,
        all_in=pocketed == 12,
        pieces=(side.piece,),
    )
    return changed(plain, **changes)


def entered(view: BoardView, n: int) -> BoardView:
    """Return the view of a match that has so many entries."""
    sides = {Seat.N: Side.RED, Seat.S: Side.GREEN}
    settings = MatchSettings(RuleSystem.HIKONE, tuple(sides), sides)
    return changed(view, written=Written(settings, (Stroke(Seat.N),) * n))


RED_NE = ReadingView(
    what=_("RED {pocket}", pocket="NE"),
    follows=_("RED shoots again"),
    why=_("9 ms in {pocket}", pocket="NE"),
    departures=(Departure(Piece.RED, Pocket.NE),),
    probability=0.81,
    doubtful=False,
    ends_board=False,
)
GREEN_NE = changed(
    RED_NE,
    what=_("GREEN {pocket}", pocket="NE"),
    follows=_("GREEN is next"),
    departures=(Departure(Piece.GREEN, Pocket.NE),),
    probability=0.14,
    doubtful=True,
)

READY = BoardView(
    sequence=7,
    ask=3,
    phase=Phase.READY,
    rules=RuleSystem.HIKONE,
    board=1,
    best_of=1,
    sides=(
        side(Side.RED, Seat.N, 5, shoots=True, names=("Aiko",)),
        side(Side.GREEN, Seat.S, 3, names=("Ben",)),
    ),
    shooter=Seat.N,
    red=RedPlace.BOARD,
    headline=_("{side} to shoot", side="RED"),
    ok=_("missed"),
    fix=_("enter it"),
    clock=ClockView(300_000_000_000, 221_500_000_000, True, 4_000_000_000),
    lamps=frozenset({Seat.N}),
)
REVIEW = changed(
    READY,
    sequence=9,
    ask=5,
    phase=Phase.REVIEW,
    headline=_("RED {pocket}", pocket="NE"),
    detail=_("RED shoots again"),
    ok=_("yes"),
    fix=_("next reading"),
    proposal=RED_NE,
    readings=(RED_NE, GREEN_NE),
    waiting=2,
)
FALLING = changed(READY, sequence=8, ask=4, phase=Phase.FALLING, lit=(Pocket.NE,))
PLACING = changed(
    READY,
    sequence=12,
    ask=8,
    phase=Phase.PLACING,
    headline=_("put back"),
    ok=_("done"),
    place=(Piece.RED, Piece.RED, Piece.JACK),
    last=LastRuling(
        ("HK-08",), _("striker: RED owes 1"), Seat.N, (Departure(Piece.STRIKER, Pocket.SW),), True
    ),
    fetch=(Pocket.SW, None),
)
FAULTY = changed(
    READY,
    sequence=20,
    faults=(FaultView("pocket_ne", Trouble.BLOCKED, _("NE beam is blocked"), _("look into NE")),),
    hold=HoldView(Button(Place.REFEREE, Key.OK), 5_000_000_000, 0.4),
    menu=MenuView(_("menu"), (_("counts"), _("pause")), 1),
)
OVER = changed(
    READY,
    sequence=90,
    ask=44,
    phase=Phase.MATCH_OVER,
    sides=(side(Side.RED, Seat.N, 12, boards_won=1), side(Side.GREEN, Seat.S, 8)),
    shooter=None,
    red=RedPlace.POCKETED,
    winner=Side.RED,
    result_points=(12, 8),
    lamps=frozenset(),
    record='# jackspot record 1\nrules = "hikone"\n---\nN jack\n',
)
QUEUE = changed(
    REVIEW,
    sequence=10,
    proposal=changed(
        RED_NE, flags=frozenset({Flag.FOUL}), seat=Seat.N, missed=(Seat.S,), before=False
    ),
    queue=(
        QueuedView(
            QueuedKind.HAND, _("HAND {pocket}", pocket="SW"), _("350 ms in SW"), 0.97, (Pocket.SW,)
        ),
        QueuedView(
            QueuedKind.WAITS, _("GREEN {pocket}", pocket="SE"), _("9 ms in SE"), 0.7, (Pocket.SE,)
        ),
        QueuedView(QueuedKind.PARKED, _("RED"), _("set aside by UNDO"), 0.8),
        QueuedView(QueuedKind.KEPT, _("S missed"), _("entered before"), 1.0),
    ),
    waiting=4,
    by_hand=(Pocket.NW,),
)
FREE = changed(
    READY,
    sequence=30,
    shooter=None,
    headline=_("free play"),
    free=FreeView(((Piece.RED, 3), (Piece.GREEN, 0), (Piece.JACK, 1)), _("JACK NE")),
    lamps=frozenset(),
)
ATTRACT = changed(READY, sequence=31, attract=2, preferences=PreferencesView("ja", 40, 0))
ARMED = changed(READY, sequence=32, clock=ClockView(300_000_000_000, 300_000_000_000, armed=True))
QUESTION = changed(
    READY, sequence=33, menu=MenuView(_("keep 3 later strokes?"), (_("yes"), _("no")), 0, True)
)

EVERY = (
    READY, REVIEW, FALLING, PLACING, FAULTY, OVER, QUEUE, FREE, ATTRACT, ARMED, QUESTION,
)  # fmt: skip
