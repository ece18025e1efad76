"""The page on how people and the board talk, sentence by sentence: the clock and the power.

After the sentences, 0:00 comes in every phase under every ``time_end``: the tests check what is
in the record then, what is open, and what has to follow until the board is over.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.match import TimeUp
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.limits import SECOND
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table

STOP, STROKE, TURN, ROUND = "stop", "finish_stroke", "finish_turn", "finish_round"
ENDS = (STOP, STROKE, TURN, ROUND)


def timed(end: str = STROKE, *, armed: bool = False, limit_s: int = 60) -> Table:
    """N has one red puck in and is to shoot; the clock runs."""
    table = Table(options={"time_limit_s": limit_s, "time_end": end}, armed=armed)
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table.started("N").shot("RED NE", "NE")


def to_zero(table: Table, but_s: float = 0.0) -> Table:
    """Wait until 0:00, or until ``but_s`` seconds before it."""
    return table.wait(table.view.clock.remaining_ns / SECOND - but_s)


def is_up(table: Table) -> bool:
    """Return whether 0:00 has come: its instant is journaled."""
    return EntryKind.TIME_UP in table.kinds()


# --- the clock -------------------------------------------------------------------------


def test_the_clock_starts_at_the_press_that_starts_the_match() -> None:
    table = Table(options={"time_limit_s": 60}).wait(30.0)
    assert not table.view.clock.running
    assert table.ok("N").wait(10.0).view.clock.remaining_ns < 51 * SECOND


def test_or_waits_armed_for_a_common_gong() -> None:
    table = Table(options={"time_limit_s": 60}, armed=True).started("N").wait(100.0)
    assert str(table.view.headline) == "waiting for the gong"
    assert table.ok("N").view.clock.running


def test_remaining_time_is_journaled_every_5_s_and_with_every_entry() -> None:
    table = timed(limit_s=300)
    before = len(table.records)
    assert table.wait(20.0).kinds(before).count(EntryKind.CLOCK) == 4
    used_ns = table.ok("N").last(EntryKind.DESK)["used_ns"]
    assert table.game.clock.used_at(table.now_ns) - used_ns < SECOND


def test_the_instant_of_zero_is_journaled() -> None:
    table = timed()
    zero_ns = table.now_ns + table.view.clock.remaining_ns
    to_zero(table, -5.0)
    assert [each.at_ns for each in table.records if each.kind == EntryKind.TIME_UP] == [zero_ns]


def test_time_is_entered_when_proposals_older_than_it_are_settled() -> None:
    table = to_zero(to_zero(timed(), 8.0).review("SE").wait(3.0).fall("SW"), -3.0)
    assert is_up(table)
    assert table.ok("N").entries == ["N red@NE", "N red@SE"]
    assert table.wait(1.0).ok("N").entries == ["N red@NE", "N red@SE", "N red@SW", "! time"]


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("reboots", [(), (False,), (True,), (True, True)], ids=str)
def test_what_falls_after_zero_is_after_it_though_the_power_was_cut_since(
    reboots: tuple[bool, ...], waits: bool
) -> None:
    """A clock that starts again says nothing of what came first; what was open then was."""
    table = to_zero(timed(STOP), 8.0).review("SE")
    if waits:
        table.wait(3.0).fall("SW")
    to_zero(table, -3.0)
    for reboot in reboots:
        table.restart(reboot=reboot).wait(1.0)
    table.wait(3.0).fall("NW").wait(3.0).hold("N", "ok")
    if waits:
        table.wait(1.0).hold("N", "ok")
    entries = ["N red@NE", "N red@SE", *(["N red@SW"] if waits else []), "! time"]
    assert table.must_be(Phase.MATCH_OVER).entries == entries
    assert table.items[0] == "part of the last stroke"


@pytest.mark.parametrize("end", [STOP, TURN])
@pytest.mark.parametrize("reboots", [(), (False,), (True,)], ids=str)
def test_what_was_open_long_before_zero_goes_before_it_though_another_clock_timed_it(
    end: str, reboots: tuple[bool, ...]
) -> None:
    table = Table(options={"time_limit_s": 60, "time_end": end}).started("N").miss().review("NE")
    table.undo().calm()
    for reboot in reboots:
        table.restart(reboot=reboot).wait(1.0).ok("referee").calm()
    to_zero(table, -5.0).ok("referee").calm().must_be(Phase.REVIEW)
    table.hold("referee", "ok").calm()
    assert table.entries == ["N -", "S green@NE", "! time"]


@pytest.mark.parametrize("end", ENDS)
def test_a_stroke_in_review_at_zero_goes_before_it(end: str) -> None:
    table = to_zero(to_zero(timed(end), 4.0).review("SE")).wait(1.0).hold("N", "ok")
    assert table.entries == ["N red@NE", "N red@SE", "! time"]


@pytest.mark.parametrize("end", ENDS)
def test_one_in_falling_goes_before_it_under_stop_after_it_otherwise(end: str) -> None:
    table = to_zero(timed(end), 0.5).fall("SE").wait(3.0).hold("N", "ok")
    after = ["N red@SE", "! time"] if end == STOP else ["! time", "N red@SE"]
    assert table.entries == ["N red@NE", *after]


def test_it_is_the_stroke_that_finish_stroke_still_plays() -> None:
    to_zero(timed(), 0.5).fall("SE").wait(3.0).hold("N", "ok").must_be(Phase.MATCH_OVER)


def test_in_ready_under_finish_stroke_ok_ends_the_board() -> None:
    to_zero(timed()).wait(1.0).ok("N").must_be(Phase.MATCH_OVER)


def test_undo_takes_time_back_together_with_the_stroke_beside_it() -> None:
    table = to_zero(to_zero(timed(STOP), 4.0).review("SE")).wait(1.0).hold("N", "ok")
    table.must_be(Phase.MATCH_OVER).calm().undo().must_be(Phase.REVIEW)
    assert (table.entries, table.proposed) == (["N red@NE"], "RED SE")


def test_and_it_is_entered_again_in_its_place() -> None:
    table = to_zero(to_zero(timed(STOP), 4.0).review("SE")).wait(1.0).hold("N", "ok").calm()
    table.undo().choose("GREEN SE").wait(0.5).hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N green@SE", "! time"]


def test_a_board_reopened_has_its_clock_stopped_at_the_first_edge_of_what_ended_it() -> None:
    table = Table(options={"time_limit_s": 300}, handicap={"N": {"pucks_needed": 1}}).started("N")
    table.shot("RED NE", "NE").wait(9.0)
    left_ns = table.view.clock.remaining_ns
    table.review("SE").choose("JACK SE").wait(30.0).hold("N", "ok").must_be(Phase.MATCH_OVER)
    table.wait(60.0).undo().must_be(Phase.REVIEW)
    assert (table.view.clock.remaining_ns, table.view.clock.running) == (left_ns, False)


def corrected_into_the_end_and_back(then: str, cut: str) -> tuple[float, Table]:
    """Correct N's last stroke into the end of the board, and that back; return what was left."""
    table = Table(
        options={"time_limit_s": 600, "best_of": 3},
        handicap={"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}},
    ).started("N").shot("RED NE", "NE").shot("RED SE", "SE")  # fmt: skip
    if then == "a later stroke":
        table.miss()
    table.wait(300.0)
    left_s = table.game.clock.remaining_at(table.now_ns) / SECOND
    for _ in range(1 + (then == "a later stroke")):
        table.undo().wait(1.0)
    if then == "by the history":
        table.ok("referee").calm().hold("referee", "fix").wait(1.0).pick("history").wait(1.0)
        table.ok("referee").wait(1.0)
    table.choose("JACK SE").wait(1.0).hold("referee", "ok").calm().must_be(Phase.BOARD_OVER)
    if cut == "at the end":
        table.restart().calm()
    if cut == "left out":
        table.fix("referee").calm().must_be(Phase.BOARD_OVER)
    table.undo().wait(1.0).must_be(Phase.REVIEW)
    if cut == "in review":
        table.restart().calm()
    table.choose("RED SE").wait(1.0).ok("referee").calm()
    return left_s, table


@pytest.mark.parametrize("then", ["a later stroke", "nothing", "by the history"])
@pytest.mark.parametrize("cut", ["", "at the end", "in review"])
def test_no_minute_comes_back_with_a_board_that_a_correction_ended(then: str, cut: str) -> None:
    left_s, table = corrected_into_the_end_and_back(then, cut)
    while table.phase is not Phase.READY or table.view.menu is not None:
        table.ok("referee").calm()
    assert left_s - 40 < table.game.clock.remaining_at(table.now_ns) / SECOND <= left_s


def test_nor_when_the_later_stroke_is_left_out_at_that_end() -> None:
    left_s, table = corrected_into_the_end_and_back("a later stroke", "left out")
    assert left_s - 40 < table.must_be(Phase.READY).game.clock.remaining_at(table.now_ns) / SECOND
    assert table.game.clock.remaining_at(table.now_ns) / SECOND <= left_s


def test_nor_with_a_piece_that_hung_and_was_taken_for_the_end() -> None:
    table = Table(rules="icf", options={"time_limit_s": 1_200}).started("N")
    for piece in (*["WHITE"] * 7, "QUEEN", "WHITE"):
        table.shot(f"{piece} NE", "NE")
    table.wait(300.0)
    left_s = table.game.clock.remaining_at(table.now_ns) / SECOND
    table.review("SW").choose("replace N's last stroke: WHITE NE, WHITE SW").wait(1.0)
    table.hold("referee", "ok").calm().must_be(Phase.BOARD_OVER).undo().wait(1.0)
    table.choose("BLACK NE, WHITE SW").wait(1.0).ok("referee").calm().must_be(Phase.READY)
    assert left_s - 40 < table.game.clock.remaining_at(table.now_ns) / SECOND <= left_s


# --- the power -------------------------------------------------------------------------


def test_after_a_power_cut_the_board_comes_back_in_its_phase_clock_stopped_saying_so() -> None:
    table = timed().review("SE").restart().must_be(Phase.REVIEW)
    assert table.proposed == "RED SE"
    assert not table.view.clock.running
    assert "power was off" in str(table.view.detail)


def test_what_was_open_is_settled_first_then_placing_last_a_glance() -> None:
    table = timed().review("SW").choose("STRIKER SW").restart().must_be(Phase.REVIEW).wait(1.0)
    table.ok("N").must_be(Phase.PLACING).wait(1.0).ok("N").must_be(Phase.PAUSED)
    assert str(table.view.detail) == "in: RED 0, GREEN 0?"


def test_at_the_glance_ok_goes_on() -> None:
    table = timed().restart().must_be(Phase.PAUSED).wait(1.0).ok("N").must_be(Phase.READY)
    assert table.view.clock.running


def test_at_the_glance_fix_corrects() -> None:
    table = timed().restart().wait(1.0).fix("N").wait(0.5).pick("GREEN in: 0", "N")
    assert table.counts == (1, 1)


# --- 0:00 in each phase under each time_end --------------------------------------------


def in_ready(end: str) -> Table:
    return to_zero(timed(end))


def in_falling(end: str) -> Table:
    return to_zero(to_zero(timed(end), 0.5).fall("SE"))


def in_review(end: str) -> Table:
    return to_zero(to_zero(timed(end), 4.0).review("SE"))


def in_placing(end: str) -> Table:
    table = to_zero(timed(end), 8.0).review("SW").choose("STRIKER SW").wait(0.5).ok("N")
    return to_zero(table.must_be(Phase.PLACING))


def paused(end: str) -> Table:
    table = to_zero(timed(end), 5.0).hold("N", "fix").wait(1.0).pick("pause", "N")
    return table.must_be(Phase.PAUSED).wait(100.0)


def menu_open(end: str) -> Table:
    return to_zero(to_zero(timed(end), 3.0).hold("N", "fix"))


def editing(end: str) -> Table:
    return to_zero(to_zero(timed(end), 6.0).review("SE").hold("N", "fix"))


def waiting(end: str) -> Table:
    return to_zero(to_zero(timed(end), 6.0).review("SE").wait(1.0).fall("SW"))


def taken_back(end: str) -> Table:
    return to_zero(to_zero(timed(end).miss(), 3.0).undo().must_be(Phase.READY))


def armed(end: str) -> Table:
    return timed(end, armed=True).wait(1000.0)


IN_PHASE: dict[str, Callable[[str], Table]] = {
    each.__name__: each
    for each in (in_ready, in_falling, in_review, in_placing, paused, menu_open, editing,
                 waiting, taken_back, armed)
}  # fmt: skip

RED = "N red@NE"
AT_ZERO: dict[str, tuple[Phase, list[str]]] = {
    "in_ready": (Phase.READY, [RED, "! time"]),
    "in_falling": (Phase.FALLING, [RED, "! time"]),
    "in_review": (Phase.REVIEW, [RED]),
    "in_placing": (Phase.PLACING, [RED, "N striker@SW", "! time"]),
    "paused": (Phase.PAUSED, [RED]),
    "menu_open": (Phase.READY, [RED, "! time"]),
    "editing": (Phase.REVIEW, [RED]),
    "waiting": (Phase.REVIEW, [RED]),
    "taken_back": (Phase.READY, [RED]),
    "armed": (Phase.READY, [RED]),
}
"""The phase and the record at 0:00 where something is still played."""

AT_STOP: dict[str, tuple[Phase, list[str]]] = {
    **AT_ZERO,
    "in_ready": (Phase.MATCH_OVER, [RED, "! time"]),
    "in_falling": (Phase.FALLING, [RED]),
    "in_placing": (Phase.MATCH_OVER, [RED, "N striker@SW", "! time"]),
    "menu_open": (Phase.MATCH_OVER, [RED, "! time"]),
}
"""The same under ``stop``: the board is over at once, unless a stroke began before it."""


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("where", IN_PHASE)
def test_zero_in(where: str, end: str) -> None:
    table = IN_PHASE[where](end)
    phase, entries = (AT_STOP if end == STOP else AT_ZERO)[where]
    assert (table.phase, table.entries) == (phase, entries)
    stands_still = where in ("paused", "armed")
    assert is_up(table) == (not stands_still), "a clock that stands still never comes to 0:00"
    assert table.sounds.count(Sound.HORN) == (0 if stands_still else 1)
    check_all(table)


def settle(table: Table) -> Table:
    """Confirm what is open until N or S is to shoot, or the board is over."""
    for _ in range(12):
        table.wait(3.2)
        idle = table.phase is Phase.READY and not table.game.undone and not table.view.menu
        if table.phase is Phase.MATCH_OVER or (idle and not table.view.clock.armed):
            return table
        if table.view.menu is not None and str(table.view.menu.title) == "menu":
            table.undo("N")
        elif table.phase is Phase.REVIEW and table.view.menu is not None:
            table.pick("done", "N")
        elif table.phase is Phase.REVIEW:
            table.hold("N", "ok")
        else:
            table.ok("N")
    raise AssertionError(f"not settled: {table.view}")


def still_played(table: Table) -> list[str]:
    """Let everybody miss until the board is over, and return the strokes entered after 0:00."""
    for _ in range(6):
        settle(table)
        if table.phase is Phase.MATCH_OVER:
            break
        if table.view.clock.remaining_ns:
            to_zero(table)
        else:
            table.ok("N")
    table.must_be(Phase.MATCH_OVER)
    strokes = table.entries[table.entries.index("! time") + 1 :]
    return [each for each in strokes if not each.startswith("!")]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("where", IN_PHASE)
def test_what_is_still_played_after_zero_in(where: str, end: str) -> None:
    """Nothing under ``stop``; else one stroke, the rest of the turn, or the rest of the round."""
    table = IN_PHASE[where](end)
    played = still_played(table)
    state = table.game.match.state
    assert state.over
    assert table.entries.count("! time") == 1
    assert str(table.view.detail).endswith("on time")
    assert table.kinds().count(EntryKind.TIME_UP) == 1
    if end == STOP:
        assert played == []
    elif end == STROKE:
        assert len(played) == 1
    elif end == TURN:
        assert {each.split()[0] for each in played} == {played[0].split()[0]}
        assert played[-1].endswith("-")
    else:
        assert played[-1] == "S -", "S is the last of the round that N opened"
    assert read_record(table.record).match.state == state, "the record says the same"
    check_all(table)


def test_every_phase_that_a_running_board_can_be_in_is_among_them() -> None:
    phases = {IN_PHASE[where](STROKE).phase for where in IN_PHASE}
    assert phases == set(Phase) - {Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER}


@pytest.mark.parametrize("end", ENDS[1:])
def test_under_the_others_the_board_says_what_is_still_played(end: str) -> None:
    table = in_ready(end)
    assert table.game.match.state.time_up is TimeUp(end)
    said = {STROKE: "last stroke", TURN: "last turn", ROUND: "last round"}[end]
    assert str(table.view.detail) == f"time is up: {said}"


def test_a_pocket_that_was_called_is_still_shown_then() -> None:
    calls = {"N": {"called_pocket": True, "pucks_needed": 1}}
    table = Table(options={"time_limit_s": 30, "time_end": ROUND}, handicap=calls).started("N")
    to_zero(table.shot("RED NE", "NE")).calm().hold("N", "fix").pick("call a pocket", "N")
    assert str(table.pick("called SW", "N").view.detail) == "called SW"


def test_a_level_board_under_sudden_death_says_that_the_next_puck_wins() -> None:
    options = {"time_limit_s": 20, "time_end": "stop", "timeout_tie": "sudden_death"}
    table = Table(options=options).started("N").wait(20.0).must_be(Phase.READY)
    assert str(table.view.detail) == "tied: next puck wins"
    table.review("NE").hold("N", "ok").must_be(Phase.MATCH_OVER)
