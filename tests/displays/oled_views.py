"""Board views as the scorekeeper makes them, one or more for each phase, to be drawn."""

from __future__ import annotations

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, Phrase, _, _n
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import (
    BoardView,
    ClockView,
    FaultView,
    FreeView,
    HoldView,
    LastRuling,
    MenuView,
    Phase,
    QueuedKind,
    QueuedView,
    ReadingView,
    SideView,
)
from jackspot.dialogue.words.stick_words import stick_notice
from jackspot.sensing.events import Button, Key, Place, Stick, Trouble
from jackspot.values import changed

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
    ok=_("missed"),
    fix=_("enter it"),
    last=LastRuling(
        ("HK-03",),
        _("{seat} {what}: {outcome}", seat="S", what="RED NE", outcome="N shoots"),
        Seat.S,
    ),
)


def reading(what: str, follows: str, *, doubtful: bool = False, ends: bool = False) -> ReadingView:
    """Make a reading from English text."""
    return ReadingView(
        _("{text}", text=what), _("{text}", text=follows), EMPTY, (), 0.7, doubtful, ends
    )


def review(shown: ReadingView) -> BoardView:
    """Make a review of a reading."""
    return changed(
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
    "pocket_nw", Trouble.BLOCKED, _("{part} blocked", part="pocket nw"), _("clear it, FIX: enter")
)
GONE = FaultView("alpha_sign", Trouble.GONE, _("{part} is gone", part="sign"), _("check its cable"))

SETUP = changed(
    READY,
    phase=Phase.SETUP,
    sides=(
        side(Side.RED, names=("Aiko",), shoots=True),
        side(Side.GREEN, names=("Ben",)),
    ),
    headline=_("{seat} shoots first", seat="N"),
    detail=_("won the toss? your OK"),
    ok=_("start"),
    fix=_("next"),
    last=None,
)

FALLING = changed(review(reading("RED NE", "shoot again")), phase=Phase.FALLING, lit=(Pocket.NE,))

PLACING = changed(
    READY,
    phase=Phase.PLACING,
    headline=_("put back"),
    detail=_("{first}, {then}", first="2 RED", then="JACK"),
    ok=_("placed"),
    fix=EMPTY,
    place=(Piece.RED, Piece.RED, Piece.JACK),
    last=None,
)

PAUSED = changed(
    READY, phase=Phase.PAUSED, headline=_("paused"), ok=_("go on"), fix=_("menu"), clock=clock(125)
)

OVER = changed(
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

MATCH_OVER = changed(OVER, phase=Phase.MATCH_OVER, ok=_("hold: new"), fix=_("menu"))

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
MENU = changed(READY, ok=_("choose"), fix=_("next"), menu=LIST)


def held(view: BoardView, key: Key, progress: float) -> BoardView:
    """Hold a key of the referee's box."""
    return changed(view, hold=HoldView(Button(Place.REFEREE, key), 0, progress))


DOUBLES = changed(
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


def queued(kind: QueuedKind, what: Phrase, *pockets: Pocket) -> QueuedView:
    """Make something that waits."""
    return QueuedView(kind, what, EMPTY, 0.7, pockets)


NEXT = queued(QueuedKind.WAITS, _("{piece} {pocket}", piece="GREEN", pocket="SW"), Pocket.SW)
REACHES_IN = queued(QueuedKind.HAND, _("hand in {pocket}", pocket="NE"), Pocket.NE)
PARKED = queued(QueuedKind.PARKED, _("{piece} {pocket}", piece="RED", pocket="NW"), Pocket.NW)
KEPT = queued(QueuedKind.KEPT, _("{piece} {pocket}", piece="RED", pocket="SE"), Pocket.SE)

MISSED = changed(
    reading("S (N missed): RED NE", "shoot again"), missed=(Seat.S, Seat.N), seat=Seat.N
)
BEFORE = changed(
    reading("replace N's last stroke: RED NE", "shoot again"), before=True, seat=Seat.N
)

FREE = changed(
    SETUP,
    sides=(side(Side.RED, 7), side(Side.GREEN, 5)),
    shooter=None,
    headline=_("free play"),
    detail=_("{piece} {pocket}", piece="RED?", pocket="NE"),
    ok=_("right"),
    fix=_("other"),
    free=FreeView(
        ((Piece.RED, 7), (Piece.GREEN, 5), (Piece.JACK, 0)),
        _("{piece} {pocket}", piece="RED?", pocket="NE"),
    ),
)

HELP = changed(SETUP, attract=0, sequence=0)

HISTORY = MenuView(
    _("history"),
    tuple(_("{text}", text=f"{60 - n} N RED NE") for n in range(60)),
    42,
)

ARMED = changed(
    READY,
    sides=(side(Side.RED, shoots=True), side(Side.GREEN)),
    clock=ClockView(300 * 10**9, 300 * 10**9, armed=True),
    headline=_("waiting for the gong"),
    detail=_("{side} {seat} to shoot", side=RED_WORD, seat="N"),
    ok=_("gong!"),
    last=None,
)


def asks(title: Phrase, *items: Phrase) -> BoardView:
    """Make a yes-or-no question."""
    return changed(
        READY, ok=_("yes"), fix=_("no"), last=None,
        menu=MenuView(title, items or (_("yes"),), 0, question=True),
    )  # fmt: skip


VIEWS: dict[str, BoardView] = {
    "setup": SETUP,
    "setup_armed": changed(SETUP, clock=ClockView(300 * 10**9, 300 * 10**9, armed=True), best_of=3),
    "setup_long_names": changed(
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
    "ready_green": changed(
        READY,
        sides=(side(Side.RED, 12), side(Side.GREEN, 11, shoots=True)),
        shooter=Seat.S,
        headline=_("{side} {seat}: shoot again", side=GREEN_WORD, seat="S"),
    ),
    "ready_owed_clock": changed(
        READY,
        sides=(side(Side.RED, 0, owed=2, shoots=True), side(Side.GREEN, 4)),
        clock=clock(272),
        detail=_("striker in {pocket}", pocket="SW"),
        best_of=3,
    ),
    "ready_doubles": DOUBLES,
    "ready_fault": changed(READY, faults=(BLOCKED,), clock=clock(59)),
    "ready_two_faults": changed(DOUBLES, faults=(BLOCKED, GONE)),
    "ready_stick": changed(READY, notice=stick_notice(Stick.WRITTEN), clock=clock(59)),
    "ready_stick_full": changed(DOUBLES, notice=stick_notice(Stick.FULL), faults=(GONE,)),
    "ready_lit": changed(READY, lit=(Pocket.NE,)),
    "ready_hold_fix": held(READY, Key.FIX, 0.6),
    "ready_hold_undo": held(READY, Key.UNDO, 0.4),
    "falling": FALLING,
    "falling_two": changed(
        FALLING,
        headline=_("{text}", text="RED NE, STRIKER SW"),
        detail=_("{text}", text="S shoots, put back 2 RED"),
        lit=(Pocket.NE, Pocket.SW),
        faults=(GONE,),
    ),
    "review": review(reading("RED NE", "shoot again")),
    "review_doubtful": changed(
        review(DOUBTED),
        readings=(DOUBTED, reading("RED SW", "shoot again"), reading("2 GREEN SW", "S shoots")),
        waiting=2,
        clock=clock(272),
    ),
    "review_long": changed(
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
    "review_fault": changed(
        review(reading("RED NE", "shoot again", doubtful=True)),
        faults=(BLOCKED, GONE),
        clock=clock(61),
    ),
    "review_lit": changed(review(reading("RED NE", "shoot again")), lit=(Pocket.NW, Pocket.SE)),
    "placing": PLACING,
    "placing_lit": changed(PLACING, lit=(Pocket.SW,)),
    "placing_takes_off": changed(PLACING, headline=_("take off"), ok=_("done"), place=()),
    "placing_many": changed(
        PLACING,
        place=(Piece.GREEN,) + (Piece.RED,) * 7 + (Piece.JACK,),
        detail=_("{text}", text="GREEN, 7 RED, JACK"),
        waiting=1,
    ),
    "paused": PAUSED,
    "paused_power": changed(
        PAUSED,
        headline=_("power was off"),
        detail=_("in: {counts}", counts="RED 7, GREEN 5?"),
        ok=_("right"),
        fix=_("correct"),
        waiting=2,
    ),
    "paused_lit": changed(PAUSED, lit=(Pocket.SW,)),
    "board_over": changed(OVER, best_of=3),
    "match_over": MATCH_OVER,
    "match_over_points": changed(
        MATCH_OVER,
        result_points=(112, 8),
        best_of=3,
        sides=(side(Side.RED, 12, boards_won=2), side(Side.GREEN, 8)),
    ),
    "match_over_code": changed(MATCH_OVER, codes=(SHORT_RECORD,)),
    "review_queue": changed(
        review(reading("RED NE", "shoot again")), waiting=2, queue=(NEXT, REACHES_IN)
    ),
    "review_hand": changed(
        review(reading("RED NE", "shoot again", doubtful=True)), queue=(REACHES_IN,)
    ),
    "review_kept": changed(
        review(reading("RED SE", "N shoots")),
        waiting=3,
        queue=(KEPT, PARKED, NEXT),
        clock=clock(90),
    ),
    "review_missed": changed(review(MISSED), readings=(MISSED, DOUBTED)),
    "review_before": changed(review(BEFORE), readings=(BEFORE, DOUBTED)),
    "review_objection": changed(
        review(reading("RED NE", "shoot again")), detail=_("{seat} objects", seat="S")
    ),
    "ready_hand": changed(READY, queue=(REACHES_IN,), detail=_("hand in {pocket}", pocket="NE")),
    "ready_hand_then": changed(READY, queue=(REACHES_IN, NEXT), waiting=1),
    "ready_by_hand": changed(READY, by_hand=(Pocket.NW,)),
    "ready_by_hand_clock": changed(
        READY,
        by_hand=(Pocket.NW, Pocket.SE),
        clock=clock(272),
        sides=(side(Side.RED, 3, owed=2, shoots=True), side(Side.GREEN, 4)),
    ),
    "ready_armed": ARMED,
    "falling_by_hand": changed(FALLING, by_hand=(Pocket.SW,)),
    "placing_queue": changed(PLACING, waiting=1, queue=(NEXT,)),
    "question_keep": asks(_n("keep 1 later stroke?", "keep {n} later strokes?", n=3)),
    "question_keep_queue": changed(
        asks(_n("keep 1 later stroke?", "keep {n} later strokes?", n=3), KEPT.what),
        queue=(KEPT, KEPT, KEPT),
        waiting=3,
    ),
    "question_counts": asks(
        _("{side} {n}, {other} {m}?", side=RED_WORD, n=7, other=GREEN_WORD, m=5)
    ),
    "question_late": changed(
        asks(_("a fall after the end"), _("part of the last stroke")), phase=Phase.BOARD_OVER
    ),
    "question_long": asks(
        _("{text}", text="without N RED NE, STRIKER SW: S shoots?"),
        _("leave it out"),
    ),
    "question_fault": changed(asks(_("{text}", text="was the group touched?")), faults=(BLOCKED,)),
    "free": FREE,
    "free_sure": changed(
        FREE,
        ok=_("hold: reset"),
        free=FreeView(
            ((Piece.RED, 12), (Piece.GREEN, 5), (Piece.JACK, 1)),
            _("{piece} {pocket}", piece="JACK", pocket="NW"),
            sure=True,
        ),
        sides=(side(Side.RED, 12), side(Side.GREEN, 5)),
        detail=_("{piece} {pocket}", piece="JACK", pocket="NW"),
        headline=_("all {pieces} are in!", pieces="RED"),
    ),
    "free_begin": changed(
        FREE,
        ok=_("hold: reset"),
        fix=_("add one"),
        sides=(side(Side.RED), side(Side.GREEN)),
        detail=_("hold FIX: a match"),
        free=FreeView(((Piece.RED, 0), (Piece.GREEN, 0), (Piece.JACK, 0)), sure=True),
    ),
    "free_note": changed(FREE, detail=_("hold OK: reset")),
    "free_fault": changed(FREE, faults=(BLOCKED,)),
    "farewell": changed(READY, farewell=True),
    "help_count": HELP,
    "help_buttons": changed(HELP, attract=1),
    "help_start": changed(HELP, attract=2),
    "help_moved": changed(HELP, attract=1, sequence=13),
    "help_match_waits": changed(READY, attract=2, sequence=0),
    "help_result": changed(MATCH_OVER, attract=2, sequence=0, codes=(SHORT_RECORD,)),
    "help_stick": changed(HELP, notice=stick_notice(Stick.WRITING)),
    "match_over_stick": changed(
        MATCH_OVER, codes=(SHORT_RECORD,), notice=stick_notice(Stick.WRITTEN)
    ),
    "help_fault": changed(HELP, faults=(BLOCKED,)),
    "menu": MENU,
    "menu_history": changed(MENU, menu=HISTORY),
    "menu_fault": changed(MENU, faults=(BLOCKED,), menu=changed(LIST, chosen=7)),
}


def phrases_of(view: BoardView) -> list[Phrase]:
    """Return every phrase that a view holds."""
    found = [view.headline, view.detail, view.ok, view.fix]
    for shown in (view.proposal, *view.readings):
        if shown is not None:
            found += [shown.what, shown.follows, shown.why]
    for fault in view.faults:
        found += [fault.what, fault.remedy]
    if view.notice is not None:
        found += [view.notice.what, view.notice.remedy]
    if view.menu is not None:
        found += [view.menu.title, *view.menu.items]
    return found
