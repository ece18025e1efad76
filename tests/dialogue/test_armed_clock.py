"""The armed clock: it waits for a common gong, board by board."""

from __future__ import annotations

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import GongTold
from tests.dialogue.dialogue_checks import check_a_restart, watch_the_question
from tests.dialogue.playing import Kept, Table


def armed(**options: object) -> Table:
    table = Table(options={"time_limit_s": 60, **options}, armed=True)
    table.watchers.append(watch_the_question)
    return table.started("N")


def waits(table: Table) -> bool:
    return table.view.clock.armed


def runs(table: Table) -> bool:
    return table.view.clock.running


def announced(table: Table, seconds: float = 3.0) -> Table:
    return table.give(GongTold(table.now_ns, table.now_ns + round(seconds * SECOND_NS)))


def test_the_halls_gong_is_counted_down_and_starts_the_clock_at_its_instant() -> None:
    table = armed().calm()
    table.sounds.clear()
    announced(table, 3.5)
    assert str(table.view.headline) == "waiting for the gong"
    for n in (3, 2, 1):
        table.wait(0.6 if n == 3 else 1.0)
        assert str(table.view.headline) == f"gong in {n}"
        check_a_restart(table)
    struck_ns = table.now_ns + round(0.9 * SECOND_NS)
    table.wait(1.9)
    assert runs(table)
    assert table.game.clock.used_at(table.now_ns) == table.now_ns - struck_ns
    assert table.sounds == [Sound.TICK] * 3 + [Sound.AGAIN]
    assert str(table.view.headline) == "RED N to shoot"
    assert EntryKind.GONG in table.kinds()


def test_an_ok_on_its_way_at_the_gong_is_no_miss() -> None:
    table = announced(armed().calm(), 1.0).wait(0.97).down("referee", "ok").wait(0.06)
    table.up("referee", "ok").wait(1.0)
    assert runs(table)
    assert table.entries == []


def test_a_gong_passes_where_no_clock_waits_for_it_and_interrupts_nothing() -> None:
    for table in (Table(), Table(options={"time_limit_s": 60}).started()):
        table.sounds.clear()
        before = (table.view.headline, table.view.ask)
        announced(table).wait(10.0)
        assert (table.view.headline, table.view.ask) == before
        assert table.sounds == []
    table = armed().calm().fall("NE").wait(1.6).must_be(Phase.REVIEW)
    announced(table, 2.0).wait(1.5)
    assert str(table.view.headline) == "RED NE"
    table.wait(1.0)
    assert runs(table)
    assert str(table.view.headline) == "RED NE"


def test_a_gong_that_is_heard_late_is_struck_at_once_and_the_next_one_is_the_next() -> None:
    table = announced(armed().calm(), -0.4).wait(0.1)
    assert runs(table)
    announced(table, 3.0).wait(5.0)
    assert table.dialogue.hall is not None
    assert table.dialogue.hall.gong_ns is None


def test_an_armed_clock_waits_and_ready_says_so() -> None:
    table = armed()
    assert waits(table)
    assert not runs(table)
    assert str(table.view.headline) == "waiting for the gong"
    assert str(table.view.ok) == "gong!"
    table.wait(600.0)
    assert table.view.clock.remaining_ns == 60_000_000_000


def test_the_ok_that_is_the_gong_starts_the_clock_and_is_no_miss() -> None:
    table = armed().ok("referee").must_be(Phase.READY)
    assert runs(table)
    assert not waits(table)
    assert (table.entries, table.shooter) == ([], "N")
    assert EntryKind.GONG in table.kinds()
    table.calm().ok("referee")
    assert table.entries == ["N -"]


def test_falls_before_the_gong_are_kept_as_always() -> None:
    table = armed().shot("RED NE", "NE").must_be(Phase.READY)
    assert (table.entries, table.counts) == (["N red@NE"], (1, 0))
    assert waits(table)
    assert table.view.clock.remaining_ns == 60_000_000_000
    table.ok("referee").wait(61.0)
    assert table.view.phase is Phase.READY
    assert Sound.HORN in table.sounds
    assert "! time" in table.entries


def test_the_gong_is_struck_whatever_falls_just_now() -> None:
    table = armed().down("referee", "ok")
    table.edge(next(each for each in table.wires if each == "NE"), True).wait(0.06)
    table.up("referee", "ok")
    assert runs(table)


def test_the_next_board_waits_for_its_own_gong() -> None:
    table = armed(best_of=3).ok("referee").calm().hold("referee", "fix").wait(1.0)
    table.pick("draw", held=True).must_be(Phase.BOARD_OVER).calm().ok("referee")
    table.must_be(Phase.READY).calm()
    assert waits(table)
    table.ok("referee")
    assert runs(table)
    assert table.entries == ["! draw", "! board"]


def test_undo_into_the_board_before_finds_its_clock_running_on_without_a_gong() -> None:
    table = armed(best_of=3).ok("referee").calm().wait(5.0).hold("referee", "fix").wait(1.0)
    table.pick("draw", held=True).calm().ok("referee").calm()
    assert waits(table)
    table.undo().must_be(Phase.BOARD_OVER).wait(1.5).undo().calm()
    assert not waits(table)
    table.ok("referee").calm().must_be(Phase.READY)
    assert waits(table), "put back, the next board waits again"
    assert table.entries == ["! draw", "! board"]


def test_an_armed_clock_is_armed_after_a_power_cut_and_a_pause() -> None:
    table = armed()
    check_a_restart(table)
    table.restart().must_be(Phase.PAUSED).ok("referee").must_be(Phase.READY).calm()
    assert waits(table)
    table.hold("referee", "fix").wait(1.0).pick("pause").must_be(Phase.PAUSED).wait(1.0)
    table.ok("referee").must_be(Phase.READY).calm()
    assert waits(table)
    table.ok("referee")
    assert runs(table)


def test_who_confirms_strikes_the_gong_not_who_may_only_pass_the_turn() -> None:
    dialogue_settings = DialogueSettings(confirm=Confirm.REFEREE)
    table = Table(
        options={"time_limit_s": 60}, armed=True, dialogue_settings=dialogue_settings
    ).started("N")
    table.ok("N")
    assert waits(table)
    assert str(table.view.detail) == "the referee decides, not N"
    table.ok("referee")
    assert runs(table)
    assert table.view.shooter is Seat.N


def test_a_match_without_a_time_limit_has_no_gong() -> None:
    table = Table(armed=True).started("N")
    assert not waits(table)
    table.ok("referee")
    assert table.entries == ["N -"]


def test_the_clock_is_armed_from_the_menu_of_setup() -> None:
    table = Table(options={"time_limit_s": 60}, box=False).wait(1.0).hold("N", "fix").wait(1.0)
    table.pick("clock: at once", by="N").pick("close", by="N").calm()
    assert waits(table), "set-up shows it"
    table.ok("N").calm()
    assert str(table.view.headline) == "waiting for the gong"


@pytest.mark.parametrize("time_end", ["stop", "finish_stroke", "finish_turn"])
@pytest.mark.parametrize("by_hall", [False, True])
def test_the_gong_in_a_pause_starts_no_clock_before_that_is_over(
    time_end: str, by_hall: bool
) -> None:
    """People have said that time does not run; 0:00 does not come in a pause."""
    table = armed(time_end=time_end).calm().hold("referee", "fix").wait(1).pick("pause").wait(1)
    if by_hall:
        announced(table).wait(4)
    table.wait(90).must_be(Phase.PAUSED)
    assert not runs(table)
    assert waits(table) is not by_hall
    table.calm().ok("referee").calm()
    assert runs(table) is by_hall
    assert table.entries == []


@pytest.mark.parametrize("best_of", [1, 3])
def test_no_gong_starts_the_clock_of_a_board_that_is_over(best_of: int) -> None:
    """It is over before the gong; taken back, it waits for one."""
    table = armed(best_of=best_of).calm().hold("referee", "fix").wait(1).pick("resign").wait(0.5)
    table.pick("S resigns", held=True).calm()
    table.sounds.clear()
    announced(table).wait(90)
    assert table.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    assert not runs(table)
    assert not waits(table)
    assert table.sounds == []
    table.undo().calm().must_be(Phase.READY)
    assert waits(table)


def test_nor_while_the_history_is_looked_at_from_a_pause() -> None:
    table = armed().shot("RED NE", "NE").hold("referee", "fix").wait(1).pick("pause").calm()
    table.hold("referee", "fix").wait(1).pick("history").wait(1).ok("referee").wait(1)
    announced(table.must_be(Phase.REVIEW)).wait(30)
    assert not runs(table)
    table.ok("referee").calm().must_be(Phase.PAUSED)
    assert table.view.clock.remaining_ns == 60 * SECOND_NS


@pytest.mark.parametrize("cut", [False, True])
def test_a_board_that_never_had_its_gong_waits_for_it_when_undo_comes_back_to_it(cut: bool) -> None:
    table = armed(best_of=3).shot("RED NE", "NE").hold("referee", "fix").wait(1).pick("resign")
    table.wait(0.5).pick("S resigns", held=True).calm().ok("referee").calm().must_be(Phase.READY)
    assert waits(table)
    table.undo().calm().undo().calm()
    if cut:
        table.restart().wait(4).ok("referee").calm()
    assert waits(table.must_be(Phase.READY))
    table.ok("referee").calm()
    assert table.entries == ["N red@NE", "! resign S", "! board"]
    assert waits(table), "and so does the next board, put back"


def test_a_match_by_gong_of_an_older_journal_is_one_still() -> None:
    """The journal did not say so then, only that a gong was struck."""
    table = armed(best_of=3).ok("referee").calm().shot("RED NE", "NE")
    for at, each in enumerate(table.records):
        if each.kind == EntryKind.MATCH:
            left = {key: value for key, value in each.body.items() if key != "gong"}
            table.records[at] = Kept(each.kind, each.at_ns, left)
    table.restart().wait(1).ok("referee").calm().hold("referee", "fix").wait(1)
    table.pick("draw", held=True).calm().ok("referee").calm().must_be(Phase.READY)
    assert waits(table)
