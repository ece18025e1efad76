"""The session with the real firmware on simulated pins, without a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import nullcontext

import httpx
import pytest

from jackspot.core import phrases
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import Phase
from jackspot_sim.browser import set_up
from jackspot_sim.browser.control import Mishap
from jackspot_sim.browser.session import Session
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.table.mounted import Mounted
from jackspot_sim.table.table import PIECES, Breakage, CannotHappen
from tests.sim.seen import Table


@pytest.fixture
def table(tmp_path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_a_puck_dropped_at_the_pins_is_proposed_confirmed_and_counted(table):
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    table.phase(Phase.READY)
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    state = table.phase(Phase.REVIEW)
    assert state["proposal"]["departures"][0]["pocket"] == "NE"
    assert state["sides"][0]["pocketed"] == 0
    table.tap("referee_ok")
    state = table.phase(Phase.READY)
    assert state["sides"][0]["pocketed"] == 1
    assert table.session.picture().truth.in_pockets == {Pocket.NE: {Piece.RED: 1}}


def test_the_glass_and_the_sign_show_what_went_over_their_wires(table):
    table.phase(Phase.SETUP)
    table.until(lambda _: any(table.session.picture().glass.bits))
    table.tap("referee_ok")
    table.phase(Phase.READY)
    table.until(lambda _: table.session.picture().sign["pages"][0])
    table.until(lambda _: table.session.picture().lamps)
    lit = {seat.value for seat in table.session.picture().lamps}
    assert lit == set(table.state["lamps"])


def test_a_display_that_is_unplugged_is_named_and_comes_back(table):
    table.phase(Phase.SETUP)
    table.session.parts.break_part("oled", Breakage.UNPLUGGED)
    assert "oled" in table.session.picture().faulty
    assert not table.session.picture().glass.plugged
    table.tap("referee_ok")
    table.until(lambda state: [fault["part"] for fault in state["faults"]] == ["oled"])
    table.session.parts.mend_part("oled")
    table.until(lambda state: state["faults"] == [])
    assert any(table.session.picture().glass.bits)


def test_a_beam_that_is_blocked_is_named_and_clears(table):
    table.phase(Phase.SETUP)
    table.session.parts.break_part("pocket_sw", Breakage.JAMMED)
    table.until(lambda state: any(fault["part"] == "pocket_sw" for fault in state["faults"]))
    table.session.parts.mend_part("pocket_sw")
    table.until(lambda state: state["faults"] == [])


def test_a_dead_beam_sees_nothing_and_a_display_cannot_be_jammed(table):
    table.phase(Phase.SETUP)
    table.session.parts.break_part("pocket_ne", Breakage.DEAD)
    assert table.session.picture().faulty == {"pocket_ne": Breakage.DEAD}
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    assert table.session.edges(0) == []
    table.session.parts.mend_part("pocket_ne")
    assert table.session.picture().faulty == {}
    with pytest.raises(CannotHappen, match="oled cannot be dead"):
        table.session.parts.break_part("oled", Breakage.DEAD)
    with pytest.raises(CannotHappen, match="pocket_ne cannot be unplugged"):
        table.session.parts.break_part("pocket_ne", Breakage.UNPLUGGED)


def test_after_a_power_cut_the_same_table_goes_on_where_it_was(table):
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    table.phase(Phase.READY)
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    table.tap_until("referee_ok", lambda state: state["sides"][0]["pocketed"] == 1)
    table.session.hands.drop(Pocket.SW, [Piece.RED], Manner.CLEAN)
    before = table.phase(Phase.REVIEW)
    table.session.parts.break_part("oled", Breakage.UNPLUGGED)
    table.session.parts.break_part("pocket_se", Breakage.DEAD)
    table.run_on()
    table.session.mishap(Mishap.POWER_CUT)
    table.until(lambda _: not table.session.picture().powered)
    with pytest.raises(CannotHappen, match="the power is off"):
        table.session.mishap(Mishap.STRAY_HAND)
    after = table.until(
        lambda state: table.session.picture().powered and state["sequence"] > before["sequence"]
    )
    assert after["phase"] == "review", "what was open is open again"
    assert after["proposal"]["what"] == before["proposal"]["what"]
    assert after["sides"][0]["pocketed"] == 1
    picture = table.session.picture()
    assert picture.truth.in_pockets == {Pocket.NE: {Piece.RED: 1}, Pocket.SW: {Piece.RED: 1}}
    assert picture.faulty == {"oled": Breakage.UNPLUGGED, "pocket_se": Breakage.DEAD}
    assert [each.number for each in table.session.happenings()] == [1, 2]


def test_a_board_that_is_shut_down_from_its_menu_is_plugged_in_again(table):
    table.run_on()
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    before = table.phase(Phase.READY)
    for item in ("the board itself", "safe shutdown"):
        go_to(table, item)
        table.session.hands.press("referee_ok")
        table.until(lambda state, item=item: chosen(state) != item)
        table.session.hands.release("referee_ok")
    table.until(lambda state: state["phase"] == "paused" and table.session.picture().powered)
    assert table.state["sequence"] > before["sequence"]
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")


def go_to(table: Table, item: str) -> None:
    """Go through the lists as people do: again, if a press came too soon or a list closed."""
    for _ in range(200):
        before = chosen(table.state)
        if before == item:
            return
        late_ns = table.state["now_ns"] + 1_500_000_000
        if before:
            table.tap("referee_fix")
        else:
            table.session.hands.press("referee_fix")
        table.until(
            lambda state, before=before, late_ns=late_ns: (
                chosen(state) != before or state["now_ns"] > late_ns
            )
        )
        table.session.hands.release("referee_fix")
    raise AssertionError(table.state)


def chosen(state) -> str:
    """Return the item that OK would do in the open list."""
    menu = state["menu"]
    return menu["items"][menu["chosen"]] if menu else ""


def test_a_session_ends_in_the_dark_too(tmp_path):
    table = Table(tmp_path)
    table.phase(Phase.SETUP)
    table.session.set_speed(0.25)
    table.session.mishap(Mishap.POWER_CUT)
    table.until(lambda _: not table.session.picture().powered)
    table.close()


def test_a_match_that_plays_by_itself_suffers_no_mishaps(table):
    table.phase(Phase.SETUP)
    table.session.start_show()
    table.until(lambda _: table.session.picture().showing)
    with pytest.raises(CannotHappen, match="plays by itself"):
        table.session.mishap(Mishap.POWER_CUT)


def test_a_match_that_plays_by_itself_is_on_a_board_that_is_whole(table):
    table.phase(Phase.SETUP)
    table.session.parts.break_part("oled", Breakage.UNPLUGGED)
    table.session.start_show()
    table.until(lambda _: table.session.picture().showing)
    assert table.session.picture().glass.plugged
    assert table.session.picture().faulty == {}


def test_a_new_match_is_a_new_board_behind_the_same_page(table):
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    before = table.phase(Phase.READY)
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    table.session.new_match()
    after = table.until(
        lambda state: state["phase"] == "setup" and state["sequence"] > before["sequence"]
    )
    assert after["ask"].partition("-")[0] != before["ask"].partition("-")[0]
    assert table.session.picture().truth.on_board[Piece.RED] == 12
    assert httpx.get(table.session.url).status_code == 200


def test_three_who_cannot_play_the_rules_are_refused_and_the_table_stays(table):
    set_up_another(table, rules=RuleSystem.KAGW)
    board = table.session.picture().board
    three = (Seat.N, Seat.E, Seat.S)
    with pytest.raises(CannotHappen, match="not possible: "):
        table.session.new_match(seats=three)
    with pytest.raises(CannotHappen, match="not possible: "):
        table.session.new_match(RuleSystem.ICF, three)
    assert table.session.picture().board == board
    enter(table)
    assert table.state["rules"] == "kagw"


def test_the_third_player_leaves_with_the_rules_that_three_can_play(table):
    table.phase(Phase.SETUP)
    table.session.new_match(RuleSystem.HIKONE, (Seat.N, Seat.E, Seat.S))
    table.until(lambda state: sum(len(side["seats"]) for side in state["sides"]) == 3)
    set_up_another(table, rules=RuleSystem.KAGW)
    assert sorted(seat for side in table.state["sides"] for seat in side["seats"]) == ["N", "S"]


def test_edges_are_numbered_on_over_a_new_match(table):
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    before = table.session.edges(0)[-1].number
    table.session.new_match()
    table.until(lambda _: table.session.edges(0) == [])
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    assert table.session.edges(before)[0].number == before + 1


def test_while_a_board_is_set_up_the_one_before_is_told_with_its_own_edges(table, monkeypatch):
    told = []

    def look_and_mount(*parts):
        wires = {line.wire for line in table.session.edges(0)}
        told.append((table.session.picture().board, "referee_ok" in wires))
        return Mounted(*parts)

    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    table.phase(Phase.READY)
    monkeypatch.setattr(set_up, "Mounted", look_and_mount)
    table.session.new_match()
    table.until(lambda state: state["phase"] == "setup" and table.session.picture().board == 2)
    assert told == [(1, True)]


def act_while_a_board_is_set_up(table: Table, monkeypatch, act) -> None:
    """Set up a match by KAGW's rules, and do something else before its board is on the table."""

    def act_and_mount(*parts):
        monkeypatch.setattr(set_up, "Mounted", Mounted)
        act()
        return Mounted(*parts)

    table.phase(Phase.SETUP)
    monkeypatch.setattr(set_up, "Mounted", act_and_mount)
    table.session.new_match(RuleSystem.KAGW)
    table.until(lambda _: table.session.picture().board == 3)


def test_another_match_that_is_ordered_while_a_board_is_set_up_follows_it(table, monkeypatch):
    act_while_a_board_is_set_up(table, monkeypatch, lambda: table.session.new_match(RuleSystem.ICF))
    table.until(lambda state: state["rules"] == "icf")
    assert table.session.picture().rules is RuleSystem.ICF


def test_a_power_cut_while_a_board_is_set_up_cuts_that_board_off(table, monkeypatch):
    table.run_on()
    act_while_a_board_is_set_up(table, monkeypatch, lambda: table.session.mishap(Mishap.POWER_CUT))
    table.until(lambda state: table.session.picture().powered and state["rules"] == "kagw")
    assert table.session.picture().truth.on_board == PIECES[RuleSystem.KAGW]


def test_the_match_that_plays_by_itself_is_won_and_leaves_the_table_to_the_people(table):
    table.phase(Phase.SETUP)
    table.session.start_show()
    table.until(lambda _: table.session.picture().showing)
    with pytest.raises(CannotHappen, match="plays by itself"):
        table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    state = table.phase(Phase.MATCH_OVER)
    assert state["winner"] in ("red", "green")
    table.until(lambda _: not table.session.picture().showing)


def test_putting_back_what_nobody_asked_for_is_refused(table):
    table.phase(Phase.SETUP)
    with pytest.raises(CannotHappen, match="not ask for anything back"):
        table.session.hands.put_back()


def test_pieces_can_be_put_back_after_an_ok_that_came_too_early(table):
    table.phase(Phase.SETUP)
    table.tap("referee_ok")
    table.phase(Phase.READY)
    table.session.hands.drop(Pocket.NE, [Piece.RED], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    table.tap_until("referee_ok", lambda state: state["sides"][0]["pocketed"] == 1)
    table.tap_until("referee_foul", lambda state: state["phase"] == "review")
    table.tap_until("referee_ok", lambda state: state["phase"] == "placing")
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    assert table.session.picture().truth.on_board[Piece.RED] == 11
    table.session.hands.put_back()
    assert table.session.picture().truth.on_board[Piece.RED] == 12
    with pytest.raises(CannotHappen, match="not ask for anything back"):
        table.session.hands.put_back()


def played(table: Table) -> list[dict]:
    """Return the matches that the board's own page lists, the first one first."""
    base = table.session.url.removesuffix("sim/")
    return httpx.get(f"{base}api/matches").json()["matches"][::-1]


def enter(table: Table, *pockets: Pocket) -> None:
    """Start the match that is set up, and enter a stroke for each pocket."""
    table.phase(Phase.SETUP)
    table.tap_until("referee_ok", lambda state: state["phase"] == "ready")
    for count, pocket in enumerate(pockets, start=1):
        table.session.hands.drop(pocket, [Piece.RED], Manner.CLEAN)
        table.phase(Phase.REVIEW)
        table.tap_until("referee_ok", lambda state, n=count: state["sides"][0]["pocketed"] == n)


def set_up_another(table: Table, rules: RuleSystem | None = None, language: str = "en") -> None:
    """Set up another match, and wait until its board is on the table."""
    board = table.session.picture().board
    table.session.new_match(rules, (), language)
    table.until(lambda state: table.session.picture().board > board and state["phase"] == "setup")


def test_one_journal_has_all_matches_and_the_next_session_goes_on_with_the_last(tmp_path):
    first = Table(tmp_path)
    enter(first, Pocket.NE)
    set_up_another(first, rules=RuleSystem.ICF, language="de")
    assert first.state["rules"] == "icf"
    assert first.session.picture().language == "de"
    set_up_another(first, rules=RuleSystem.HIKONE)
    enter(first, Pocket.NE, Pocket.SE)
    assert [match["strokes"] for match in played(first)] == [1, 2]
    first.session.start_show()
    first.until(lambda _: first.session.picture().showing)
    first.close()

    second = Table(tmp_path)
    second.until(lambda state: state["phase"] == "paused")
    assert second.state["sides"][0]["pocketed"] == 2, "neither the first match nor the show"
    set_up_another(second)
    enter(second, Pocket.NW, Pocket.NE, Pocket.SE)
    assert [match["strokes"] for match in played(second)] == [1, 2, 3]
    second.close()
    names = {path.name for path in tmp_path.glob("*.sqlite3")}
    assert names == {"journal.sqlite3", "journal-show-2.sqlite3"}


def test_a_match_that_is_set_up_again_before_its_first_stroke_is_none_of_those_played(table):
    for _ in range(3):
        enter(table)
        set_up_another(table)
    enter(table, Pocket.NE)
    assert [match["strokes"] for match in played(table)] == [1]


def test_what_is_open_in_a_review_when_another_match_is_set_up_is_left_out(table):
    enter(table, Pocket.NE)
    table.session.hands.drop(Pocket.SW, [Piece.RED], Manner.CLEAN)
    table.phase(Phase.REVIEW)
    set_up_another(table)
    enter(table, Pocket.NE)
    assert [match["strokes"] for match in played(table)] == [1, 1]
    assert table.state["faults"] == []


def test_the_match_after_one_that_played_by_itself_is_the_peoples_own(table):
    enter(table, Pocket.NE)
    table.session.start_show()
    table.until(lambda _: table.session.picture().showing)
    shown = table.phase(Phase.MATCH_OVER)
    assert [side["names"] for side in shown["sides"]] == [["Aiko"], ["Ben"]]
    table.until(lambda _: not table.session.picture().showing)
    board = table.session.picture().board
    table.session.hands.press("referee_ok")
    table.until(lambda _: table.session.picture().board > board)
    table.session.hands.release("referee_ok")
    state = table.phase(Phase.SETUP)
    assert not any(name for side in state["sides"] for name in side["names"])
    enter(table, Pocket.NE, Pocket.NW)
    assert [match["strokes"] for match in played(table)] == [1, 2]


@pytest.mark.parametrize(
    "rules",
    [
        each if each is RuleSystem.KAGW else pytest.param(each, marks=pytest.mark.long)
        for each in RULES
    ],
)
def test_a_match_that_plays_by_itself_ends_with_a_winner(table, rules):
    set_up_another(table, rules=rules)
    table.session.start_show()
    table.until(lambda _: table.session.picture().showing)
    assert table.phase(Phase.MATCH_OVER)["prompts"]["headline"].endswith(" wins")


def test_a_press_on_the_boards_own_page_reaches_the_same_game(table):
    ask = table.phase(Phase.SETUP)["ask"]
    base = table.session.url.removesuffix("sim/")
    body = {"button": "ok", "gesture": "short", "ask": ask}
    answer = httpx.post(f"{base}api/press", json=body)
    assert answer.status_code == 204
    table.phase(Phase.READY)


@pytest.fixture
def waits(tmp_path, monkeypatch) -> Iterator[tuple[Table, threading.Event]]:
    """Return a table in set-up whose next boards wait until the event is set."""
    go, of_table = threading.Event(), Session._take_order
    monkeypatch.setattr(Session, "_take_order", lambda self: go.wait(20) and of_table(self))
    table = Table(tmp_path)
    table.phase(Phase.SETUP)
    table.run_on()
    yield table, go
    go.set()
    table.close()


THREE = (Seat.N, Seat.E, Seat.S)
ORDERED = {
    "rules": lambda session: session.new_match(rules=RuleSystem.ICF),
    "seats": lambda session: session.new_match(seats=THREE),
    "language": lambda session: session.new_match(language="de"),
    "nothing": lambda session: session.new_match(),
    "other rules": lambda session: session.new_match(rules=RuleSystem.KAGW),
    "cut": lambda session: session.mishap(Mishap.POWER_CUT),
}


@pytest.mark.parametrize(
    ("orders", "rules", "seats", "language"),
    [
        ("rules, language", "icf", 2, "de"),
        ("language, rules", "icf", 2, "de"),
        ("rules, nothing", "icf", 2, "en"),
        ("seats, language, nothing", "hikone", 3, "de"),
        ("seats, rules, language", "icf", 2, "de"),
        ("seats, other rules", "kagw", 2, "en"),
        ("rules, other rules", "kagw", 2, "en"),
        ("rules, cut", "icf", 2, "en"),
        ("language, seats, cut", "hikone", 3, "de"),
        ("nothing, cut", "hikone", 2, "en"),
    ],
)
def test_what_several_orders_set_before_the_next_board_holds_together(
    waits, orders, rules, seats, language
):
    table, go = waits
    board = table.session.picture().board
    for each in orders.split(", "):
        ORDERED[each](table.session)
    assert table.session.picture().powered is ("cut" not in orders)
    refused = pytest.raises(CannotHappen, match="the power is off")
    with refused if "cut" in orders else nullcontext():
        table.session.new_match()
    go.set()
    table.until(lambda _: table.session.picture().board > board)
    table.phase(Phase.SETUP)
    picture = table.session.picture()
    assert (picture.powered, picture.rules, picture.language) == (True, rules, language)
    assert table.state["rules"] == rules
    assert sum(len(side["seats"]) for side in table.state["sides"]) == seats
    assert picture.truth.on_board == PIECES[RuleSystem(rules)]


def test_an_order_that_is_refused_leaves_the_one_that_waits_as_it_was(waits):
    table, go = waits
    table.session.new_match(rules=RuleSystem.KAGW)
    with pytest.raises(CannotHappen, match="not possible: "):
        table.session.new_match(seats=THREE)
    go.set()
    table.until(lambda state: state["rules"] == "kagw")


def test_people_who_set_up_after_a_show_as_the_power_goes_get_their_board_afterwards(table):
    table.phase(Phase.SETUP)
    audience, refused, left = table.session._audience, [True, False], []

    def leave() -> None:
        if refused.pop(0):
            raise CannotHappen(phrases._("the power is off; wait until it is back"))
        left.append(True)

    audience.left = leave
    for _ in range(3):
        audience.post(table.session.shown)
    assert left == [True]
