"""The beams of the table on the page, as somebody chooses to play with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import beam_wire
from jackspot.values import changed
from jackspot_sim.browser.control import Mishap
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.sensing.quality import QUALITIES, TRIPS_AT, Quality
from jackspot_sim.table.mounted import MINUTE_NS, Mounted
from jackspot_sim.table.table import Breakage, LoggedEdge
from tests.sim.seen import Table
from tests.sim.test_running import House, at_pocket, through

MINUTES = 20
NE = beam_wire(Pocket.NE)


@pytest.mark.parametrize(("quality", "flickers"), [(Quality.SUNNY, True), (Quality.DEFAULT, False)])
def test_where_the_sun_shines_beams_flicker_though_nothing_falls(
    quality: Quality, flickers: bool
) -> None:
    house = House()
    Mounted(house.clock, house.table, QUALITIES[quality]).shine()
    house.run(MINUTES * MINUTE_NS / 1e9)
    pockets = {edge.wire for edge in house.table.edges()}
    assert pockets == ({beam_wire(each) for each in Pocket} if flickers else set())
    assert not house.table.active()
    assert not house.table.happenings()


def seen_by_north_east(table: Table) -> list[LoggedEdge]:
    return [edge for edge in table.session.edges(0) if edge.wire == NE]


@pytest.mark.parametrize("mended", [False, True])
@pytest.mark.parametrize(
    ("quality", "how"), [(Quality.DEAD, Breakage.DEAD), (Quality.DARK, Breakage.JAMMED)]
)
def test_a_beam_that_is_dead_or_dark_sees_a_piece_once_it_is_mended(
    tmp_path: Path, quality: Quality, how: Breakage, mended: bool
) -> None:
    table = Table(tmp_path, quality=quality)
    try:
        table.phase(Phase.SETUP)
        assert dict(table.session.picture().faulty) == {NE: how}
        table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
        if mended:
            table.session.parts.mend_part(NE)
            table.let_pass(1.0)
        edges = len(seen_by_north_east(table))
        red = at_pocket(1, Piece.RED, Pocket.NE)
        lying = table.session.picture().lying
        number = next(each.number for each in lying if each.piece is Piece.RED)
        aside = [
            changed(each, x_mm=-60.0 - 40 * (index // 8), y_mm=140.0 - 40 * (index % 8))
            for index, each in enumerate(lying)
            if each.number != number
        ]
        table.session.rig.table.rest([changed(red, number=number), *aside])
        table.session.hands.flick(through(red))
        table.let_pass(10.0)
        truth = table.session.picture().truth
        assert truth.in_pockets[Pocket.NE][Piece.RED] == 1
        assert (len(seen_by_north_east(table)) > edges) is mended
        table.session.new_match()
        table.phase(Phase.SETUP)
        assert NE in table.session.picture().faulty
    finally:
        table.close()


def test_crossed_beams_and_single_ones_see_the_same_shot_each_in_their_own_way() -> None:
    seen = []
    for quality in (Quality.DEFAULT, Quality.CROSSED, Quality.SLOW):
        house = House(sensors=QUALITIES[quality])
        red = at_pocket(1, Piece.RED, Pocket.NW)
        house.keep(red)
        house.runs.flick(through(red))
        house.run(10)
        begun_ns = house.runs.last.begun_ns if house.runs.last else 0
        seen.append([edge.at_ns - begun_ns for edge in house.table.edges()])
    single, crossed, slow = seen
    assert single
    assert single != crossed
    assert single != slow


def test_a_lens_that_clouds_is_broken_after_some_falls_and_clean_once_it_is_mended() -> None:
    house = House(sensors=QUALITIES[Quality.DEFAULT])
    mounted = Mounted(house.clock, house.table, QUALITIES[Quality.CLOUDING])
    fallen = 0
    while NE not in house.table.faulty() and fallen < 12:
        assert mounted[Pocket.NE].dirt < TRIPS_AT
        house.table.drop(Pocket.NE, [Piece.RED])
        fallen += 1
        house.run(2)
    assert 1 < fallen < 12
    house.table.mend(NE)
    house.run(2)
    assert mounted[Pocket.NE].dirt == 0
    assert NE not in house.table.faulty()


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("wiped", [False, True])
@pytest.mark.parametrize("fallen", [1, 2])
def test_lenses_are_as_dirty_after_a_power_cut_as_before(
    tmp_path: Path, fallen: int, wiped: bool, is_cut: bool
) -> None:
    table = Table(tmp_path, quality=Quality.CLOUDING)

    def let_fall(pocket: Pocket, pieces: int) -> None:
        for _ in range(pieces):
            assert table.session._board.mounted[pocket].depth_mm
            table.session.hands.drop(pocket, [Piece.RED], Manner.CLEAN)
            table.let_pass(2.0)

    try:
        table.phase(Phase.SETUP)
        let_fall(Pocket.NE, 3 if wiped else fallen)
        if wiped:
            assert dict(table.session.picture().faulty) == {NE: Breakage.JAMMED}
            table.session.parts.mend_part(NE)
            let_fall(Pocket.SW, fallen)
        if is_cut:
            board = table.session.picture().board
            table.run_on()
            table.session.mishap(Mishap.POWER_CUT)
            table.until(lambda _: table.session.picture().board > board)
        let_fall(Pocket.SE, 1)
        clouding = QUALITIES[Quality.CLOUDING][Pocket.NE]
        dust = (fallen + 1) * clouding.dust_a_piece
        dirt = dust if wiped else clouding.dirt + dust + fallen * clouding.dirt_a_fall
        assert table.session._board.mounted[Pocket.NE].dirt == pytest.approx(dirt)
        assert not table.session.picture().faulty
    finally:
        table.close()
