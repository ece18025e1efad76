"""A calibration on the OLED: golden pictures, and nothing cut off, whatever it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from jackspot.calibration.measuring.board_view import show_sitting
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.calibration.measuring.measured import (
    Drop,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
    Quiet,
)
from jackspot.calibration.measuring.walk import (
    CalibrationPlan,
    FlickMessage,
    FlickRemark,
    Remark,
    Walk,
    WalkMessage,
    WalkStage,
)
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.state.view import BoardView, PreferencesView
from jackspot.displays.oled.layout import draw
from jackspot.displays.text import Block
from jackspot.sensing.events import DiscPeak, FaultRaised, HubDiscs, Trouble
from jackspot.values import changed
from tests.displays.oled_drawing import dots, english, lit_share

MS = 1_000_000
SECOND = 1_000 * MS
GOLDEN = Path(__file__).parent / "golden" / "calibration"
NE = DropPlace(Pocket.NE, PieceKind.PUCK)
SEEN = tuple(Drop((round(ms * MS),)) for ms in (10.1, 10.9, 11.0, 11.3, 12.4, 32.5))


def shown(walk: Walk, *faults: FaultRaised) -> BoardView:
    sitting = changed(Sitting.begin(walk, list(Pocket), 0), walk=walk, faults=faults)
    return show_sitting(sitting, PreferencesView())


def walk(
    stage: WalkStage, told: WalkMessage | None = None, pieces: PieceSet = PieceSet.CAROM
) -> Walk:
    place = DropPlace(Pocket.NE, pieces.kinds[0])
    measured = Measured(pieces, {place: SEEN}) if stage is WalkStage.DROPS else Measured(pieces)
    begun = Walk.begin(CalibrationPlan(pieces), 20 * SECOND, measured)
    return changed(begun, stage=stage, told=told)


def heard(quiet: Quiet) -> Walk:
    begun = walk(WalkStage.HEARD)
    measured = begun.measured
    for pocket in Pocket:
        measured = measured.with_quiet(pocket, Quiet(60 * SECOND))
    return changed(begun, measured=measured.with_quiet(Pocket.SW, quiet))


ALL = HubDiscs("51b0a7d51b0a7d00", tuple(Seat))


def felt_from(*heights: int) -> FeltShake:
    return FeltShake(tuple(DiscPeak(each, 0) for each in heights), 3)


FLICK = felt_from(6_011, 2_503, 1_398, 2_511)


def flicking(told: FlickMessage | None, stage: WalkStage = WalkStage.FLICKS) -> Walk:
    discs = MeasuredDiscs(ALL, 60 * SECOND, (FLICK,) * 3)
    return changed(
        walk(stage), told=told, flicking=True, listens=ALL, discs=discs.with_flick(Seat.N, FLICK)
    )


VIEWS = {
    "shaken": shown(flicking(None, WalkStage.HEARD)),
    "flick": shown(flicking(None)),
    "felt": shown(flicking(FlickMessage(FlickRemark.TAKEN, Seat.N, FLICK))),
    "thump": shown(flicking(FlickMessage(FlickRemark.THUMP, Seat.N, felt_from(*[2_000] * 4)))),
    "begin": shown(walk(WalkStage.BEGIN)),
    "quiet": shown(walk(WalkStage.QUIET)),
    "heard": shown(heard(Quiet(60 * SECOND))),
    "flickers": shown(heard(Quiet(60 * SECOND, storms=3))),
    "blocked": shown(heard(Quiet(60 * SECOND, blocked_ns=60 * SECOND))),
    "taken": shown(walk(WalkStage.DROPS, WalkMessage(Remark.TAKEN, *NE, SEEN[-1]))),
    "two": shown(walk(WalkStage.DROPS, WalkMessage(Remark.TWO, *NE, Drop((18 * MS,))))),
    "fault": shown(walk(WalkStage.DROPS), FaultRaised(0, "pocket_ne", Trouble.BLOCKED)),
    "done": shown(walk(WalkStage.DONE)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_each_view_is_shown_as_its_golden_picture(name: str) -> None:
    path = GOLDEN / f"{name}.png"
    picture = draw(VIEWS[name], english)
    if os.environ.get("JACKSPOT_REGOLDEN"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        assert picture.tobytes() == golden.tobytes()


def test_every_golden_picture_belongs_to_a_view() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(VIEWS)


def test_no_two_views_look_alike() -> None:
    assert len({dots(view) for view in VIEWS.values()}) == len(VIEWS)


@pytest.mark.parametrize("pieces", PieceSet)
@pytest.mark.parametrize("remark", Remark)
def test_whatever_is_told_has_room(remark: Remark, pieces: PieceSet, cut_off: list[Block]) -> None:
    for kind in pieces.kinds:
        told = WalkMessage(remark, Pocket.SW, kind, Drop((1_888 * MS,)))
        begun = walk(WalkStage.DROPS, told, pieces)
        begun = changed(begun, plan=changed(begun.plan, drops=1_000))
        for faults in ((), (FaultRaised(0, "referee_undo", Trouble.STUCK),)):
            draw(shown(begun, *faults), english)
    assert cut_off == []


@pytest.mark.parametrize("remark", FlickRemark)
def test_whatever_is_told_of_a_flick_has_room(remark: FlickRemark, cut_off: list[Block]) -> None:
    for felt in (felt_from(1, 2, 3, 65_535), felt_from(65_535, 0, 0, 0)):
        begun = flicking(FlickMessage(remark, Seat.W, felt))
        begun = changed(begun, plan=changed(begun.plan, flicks=1_000))
        for faults in ((), (FaultRaised(0, "sensor_hub", Trouble.GONE),)):
            draw(shown(begun, *faults), english)
    assert cut_off == []


def test_a_flick_that_is_not_counted_looks_otherwise() -> None:
    pictures = {
        draw(shown(flicking(FlickMessage(remark, Seat.N, FLICK))), english)
        .crop((0, 18, 128, 42)).tobytes()
        for remark in (FlickRemark.TAKEN, FlickRemark.OTHER_SIDE)
    }  # fmt: skip
    assert len(pictures) == 2


@pytest.mark.parametrize("name", VIEWS)
def test_no_text_is_cut(name: str, cut_off: list[Block]) -> None:
    draw(VIEWS[name], english)
    assert cut_off == []


def test_the_bar_of_the_quiet_minute_grows() -> None:
    begun = walk(WalkStage.QUIET)
    shares = [
        lit_share(draw(shown(changed(begun, now_ns=at_s * SECOND)), english), (2, 58, 126, 64))
        for at_s in (0, 15, 30, 45, 59)
    ]
    assert shares == sorted(set(shares))


def test_a_drop_that_is_not_counted_looks_otherwise() -> None:
    taken = WalkMessage(Remark.TAKEN, *NE, SEEN[-1])
    refused = changed(taken, remark=Remark.FAR)
    plots = [
        draw(shown(walk(WalkStage.DROPS, told)), english).crop((0, 18, 128, 40)).tobytes()
        for told in (taken, refused, None)
    ]
    assert len(set(plots)) == 3


@pytest.mark.parametrize("width_ms", [0.001, 2, 4, 64, 5_000])
def test_any_width_can_be_drawn(width_ms: float) -> None:
    drop = Drop((round(width_ms * MS),))
    measured = Measured(PieceSet.CAROM, {NE: (drop,) * 9})
    begun = changed(
        walk(WalkStage.DROPS), measured=measured, told=WalkMessage(Remark.TAKEN, *NE, drop)
    )
    assert draw(shown(begun), english).size == (128, 64)
