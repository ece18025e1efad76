"""Views to show: a Hikone match of two, changed by keyword."""

from __future__ import annotations

from typing import Any

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import _
from jackspot.core.pieces import Pocket, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, FaultView, Phase, ReadingView, SideView
from jackspot.sensing.events import Trouble
from jackspot.values import changed


def side(side: Side, pocketed: int, *, shoots: bool = False, **changes: Any) -> SideView:
    seats = (Seat.N,) if side in {Side.RED, Side.WHITE, Side.ONE} else (Seat.S,)
    view = SideView(
        side=side,
        seats=seats,
        names=("",),
        pocketed=pocketed,
        left=12 - pocketed,
        owed=0,
        points=0,
        boards_won=0,
        shoots=shoots,
        all_in=False,
        pieces=() if side in {Side.ONE, Side.TWO} else (side.piece,),
    )
    return changed(view, **changes)


def board(red: int = 7, green: int = 5, *, sequence: int = 1, **changes: Any) -> BoardView:
    view = BoardView(
        sequence=sequence,
        ask=1,
        phase=Phase.READY,
        rules=RuleSystem.HIKONE,
        board=1,
        best_of=1,
        sides=(side(Side.RED, red, shoots=True), side(Side.GREEN, green)),
        shooter=Seat.N,
        red=next(iter(RedPlace)),
        lamps=frozenset({Seat.N}),
    )
    return changed(view, **changes)


def reading(*, doubtful: bool = False) -> ReadingView:
    return ReadingView(
        what=_("{side} {pocket}", side="red", pocket=Pocket.NE.value),
        follows=_("shoot again"),
        why=_("9 ms in NE"),
        departures=(),
        probability=0.8,
        doubtful=doubtful,
        ends_board=False,
    )


def fault(what: str) -> FaultView:
    return FaultView("pocket_ne", Trouble.BLOCKED, _("{what}", what=what), _("clear it"))
