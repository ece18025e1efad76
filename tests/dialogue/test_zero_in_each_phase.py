"""The clock reaches 0:00 in each phase, under each ``time_end``: the match goes to its end.

In set-up there is no clock; in a pause and after a board it is stopped, so 0:00 does not come.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from jackspot.core.pieces import Pocket
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.limits import MS
from tests.conftest import thinned
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table

LIMIT_S = 120
ENDS = ("stop", "finish_stroke", "finish_turn", "finish_round")


def timed(time_end: str, tie: str = "draw") -> Table:
    options = {"time_limit_s": LIMIT_S, "time_end": time_end, "timeout_tie": tie, "best_of": 3}
    table = Table(options=options)
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table.started("N").shot("RED NE", "NE")


def just_before(table: Table, left_s: float) -> Table:
    """Let time pass until ``left_s`` seconds are left."""
    remaining_s = table.view.clock.remaining_ns / 1e9
    return table.wait(remaining_s - left_s)


def in_ready(table: Table) -> Table:
    return just_before(table, 0.5)


def in_falling(table: Table) -> Table:
    just_before(table, 0.5).fall("SE")
    return table.must_be(Phase.FALLING)


def in_review(table: Table) -> Table:
    return just_before(table, 3.0).review("SE")


def in_review_with_one_waiting(table: Table) -> Table:
    just_before(table, 8.0).review("SE").wait(2.5).fall("SW").wait(1.0)
    return table.must_be(Phase.REVIEW)


def in_placing(table: Table) -> Table:
    just_before(table, 8.0).review("SW").choose("STRIKER SW").wait(0.5).ok("referee")
    return table.must_be(Phase.PLACING)


def in_the_menu(table: Table) -> Table:
    just_before(table, 3.0).hold("referee", "fix")
    assert table.view.menu is not None
    return table


def in_editing(table: Table) -> Table:
    in_review(table).hold("referee", "fix")
    assert table.view.menu is not None
    return table


def in_a_beam(table: Table, pocket: Pocket = Pocket.SE, for_ms: int = 9) -> Table:
    """Let a beam be broken from a little before 0:00 until a little after."""
    zero_ns = just_before(table, 0.5).now_ns + 500 * MS
    return table.pulse_later(pocket, zero_ns - 4 * MS, zero_ns + (for_ms - 4) * MS)


WHERE: dict[str, Callable[[Table], Table]] = {
    "ready": in_ready,
    "ready, a piece in a beam": in_a_beam,
    "falling": in_falling,
    "review": in_review,
    "review, one waits": in_review_with_one_waiting,
    "placing": in_placing,
    "the menu": in_the_menu,
    "editing": in_editing,
}


def at_zero(where: str, time_end: str, tie: str = "draw") -> Table:
    table = WHERE[where](timed(time_end, tie))
    assert EntryKind.TIME_UP not in table.kinds(), "the clock still runs"
    just_before(table, -0.2)
    assert table.kinds().count(EntryKind.TIME_UP) == 1
    assert Sound.HORN in table.sounds
    check_all(table)
    return table


def play_on(table: Table) -> Table:
    """Settle what is open and let everybody miss, until a board is over."""
    for _ in range(30):
        if table.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER):
            break
        table.calm()
        if table.view.menu is not None:
            table.hold("referee", "fix")
        elif table.phase is Phase.REVIEW:
            table.hold("referee", "ok")
        else:
            table.ok("referee")
        check_all(table)
    return table


def strokes_around(table: Table) -> tuple[list[str], list[str]]:
    """Return the entries before ``! time`` and those after it."""
    at = table.entries.index("! time")
    assert table.entries.count("! time") == 1
    return table.entries[:at], table.entries[at + 1 :]


@pytest.mark.parametrize("time_end", ENDS)
@pytest.mark.parametrize("where", WHERE)
def test_the_match_goes_to_its_end_when_0_00_comes_in(where: str, time_end: str) -> None:
    table = play_on(at_zero(where, time_end))
    table.must_be(Phase.BOARD_OVER)
    before, after = strokes_around(table)
    falls = {"falling", "ready, a piece in a beam"}
    if where in falls | {"review", "review, one waits", "editing"}:
        first = where not in falls or time_end == "stop"
        there = before if first else after
        assert any("@SE" in entry for entry in there), (before, after)
    if time_end == "stop":
        assert after in ([], ["! placed"]), "nothing is played after it"
    if time_end == "finish_stroke":
        assert len([each for each in after if not each.startswith("!")]) == 1, after
    assert read_record(table.record).match.state == table.game.match.state
    finish_the_match(table)


def finish_the_match(table: Table) -> None:
    """End the boards that are left in a draw, by word of mouth."""
    for _ in range(3):
        table.calm()
        if table.phase is Phase.MATCH_OVER:
            break
        table.ok("referee").calm().must_be(Phase.READY).hold("referee", "fix").wait(0.5)
        table.pick("draw", held=True).calm()
    table.must_be(Phase.MATCH_OVER)
    check_all(table)
    assert read_record(table.record).match.state == table.game.match.state


def test_under_stop_0_00_waits_for_the_piece_in_a_beam_and_for_no_other() -> None:
    table = at_zero("ready, a piece in a beam", "stop").must_be(Phase.FALLING)
    assert "! time" not in table.entries
    table.wait(2.0).must_be(Phase.REVIEW).fall("SE").wait(3.0).hold("referee", "ok")
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    table.must_be(Phase.BOARD_OVER)
    assert table.view.menu is not None, "what fell after it is asked about, as ever"


def test_under_stop_0_00_does_not_wait_for_a_beam_that_is_found_blocked() -> None:
    table = just_before(timed("stop"), 0.5).edge(Pocket.SE, True)
    just_before(table, -1.0).must_be(Phase.READY)
    assert "! time" not in table.entries
    table.wait(1.0).must_be(Phase.BOARD_OVER)
    assert table.entries == ["N red@NE", "! time"]
    check_all(table)


def test_under_stop_0_00_does_not_wait_for_a_hand_in_a_beam() -> None:
    table = in_a_beam(timed("stop"), for_ms=700)
    just_before(table, -5.0).must_be(Phase.BOARD_OVER)
    assert table.entries == ["N red@NE", "! time"]
    check_all(table)


def test_under_stop_a_piece_in_a_beam_while_pieces_are_placed_waits_and_goes_before_0_00() -> None:
    table = in_a_beam(in_placing(timed("stop")))
    just_before(table, -3.0).must_be(Phase.PLACING)
    assert "! time" not in table.entries
    check_all(table)
    table.ok("referee").must_be(Phase.REVIEW).choose("GREEN SE").calm().hold("referee", "ok")
    before, after = strokes_around(table)
    assert before[-1] == "S green@SE"
    assert after == []
    table.must_be(Phase.BOARD_OVER)


@pytest.mark.parametrize("time_end", ENDS)
def test_in_a_pause_0_00_does_not_come(time_end: str) -> None:
    table = just_before(timed(time_end), 8.0).hold("referee", "fix").wait(0.5).pick("pause")
    table.must_be(Phase.PAUSED).wait(60.0)
    assert EntryKind.TIME_UP not in table.kinds()
    table.ok("referee").wait(10.0)
    assert table.kinds().count(EntryKind.TIME_UP) == 1
    play_on(table).must_be(Phase.BOARD_OVER)


@pytest.mark.parametrize("time_end", ENDS)
def test_after_a_board_0_00_does_not_come(time_end: str) -> None:
    table = just_before(timed(time_end), 8.0).hold("referee", "fix").wait(0.5)
    table.pick("draw", held=True).must_be(Phase.BOARD_OVER).wait(60.0)
    assert EntryKind.TIME_UP not in table.kinds()
    assert "! time" not in table.entries


@pytest.mark.parametrize("where", ["ready", "the menu"])
def test_level_at_0_00_under_sudden_death_the_next_own_puck_ends_the_board(where: str) -> None:
    options = {
        "time_limit_s": LIMIT_S, "time_end": "stop", "timeout_tie": "sudden_death", "best_of": 3,
    }  # fmt: skip
    table = Table(options=options).started("N")
    WHERE[where](table)
    just_before(table, -0.2)
    for _ in range(30):
        if table.phase is Phase.BOARD_OVER:
            break
        table.calm()
        if table.view.menu is not None:
            table.hold("referee", "fix")
        elif table.phase is Phase.REVIEW:
            table.hold("referee", "ok")
        elif table.phase is Phase.READY:
            table.review("NE")
        else:
            table.ok("referee")
        check_all(table)
    table.must_be(Phase.BOARD_OVER)
    assert "! time" in table.entries
    assert read_record(table.record).match.state == table.game.match.state


@pytest.mark.parametrize(
    ("where", "time_end"),
    thinned(
        product(WHERE, ENDS),
        {(where, end) for at, where in enumerate(WHERE) for end in ENDS[at % 2 :: 2]},
    ),
)
def test_a_power_cut_just_after_0_00_changes_nothing(where: str, time_end: str) -> None:
    lived = play_on(at_zero(where, time_end))
    cut = play_on(at_zero(where, time_end).restart())
    assert [each for each in cut.entries if each != "! placed"] == [
        each for each in lived.entries if each != "! placed"
    ]
    assert cut.phase is lived.phase
