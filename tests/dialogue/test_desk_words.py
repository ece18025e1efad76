"""What a hall's desk says to people at a board: notices, and "which board is this?"."""

from __future__ import annotations

import pytest

from jackspot.core.clock import SECOND_NS
from jackspot.core.phrases import Multilingual
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.view import NoticeView, Phase
from jackspot.displays.words import translator
from jackspot.sensing.events import GongTold, IdentifyTold, NoticeTold, OrderTold
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table, order

LUNCH = Multilingual(
    "", texts=(("ja", "13:30 まで休憩"), ("en", "lunch until 13:30"), ("de", "Pause bis 13:30"))
)
OWN = Multilingual("", texts=(("en", "your referee comes"),))


def noticed(table: Table, seconds: float = 600.0, *, own: bool = False) -> Table:
    until_ns = table.now_ns + round(seconds * SECOND_NS)
    return table.give(NoticeTold(table.now_ns, OWN if own else LUNCH, until_ns, own))


def looked_for(table: Table, seconds: float = 8.0) -> Table:
    until_ns = table.now_ns + round(seconds * SECOND_NS)
    return table.give(IdentifyTold(table.now_ns, 7, until_ns))


def shown(table: Table) -> str:
    notice = table.view.notice
    return "" if notice is None else str(notice.what)


def test_a_notice_is_shown_in_set_up_in_the_displays_own_language_until_its_end() -> None:
    table = noticed(Table(), 60.0)
    assert table.view.notice == NoticeView(LUNCH, everywhere=True)
    assert [LUNCH.render(translator(each)) for each in ("en", "de", "ja")] == [
        "lunch until 13:30", "Pause bis 13:30", "13:30 まで休憩",
    ]  # fmt: skip
    check_all(table)
    assert shown(table.wait(59.0)) == "lunch until 13:30"
    assert shown(table.wait(1.0)) == ""
    assert table.kinds() == []


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ((("ja", "休憩"), ("en", "lunch")), "lunch"),
        ((("ja", "休憩"),), "休憩"),
        ((("ja", "休憩"), ("de", "{Pause} {0}")), "{Pause} {0}"),
    ],
)
def test_english_stands_for_a_language_that_is_missing_and_else_the_first(texts, told) -> None:
    assert Multilingual("", texts=texts).render(translator("de")) == told


def test_a_notice_is_taken_back_and_one_that_has_ended_is_none() -> None:
    table = noticed(Table())
    assert shown(table.give(NoticeTold(table.now_ns, None))) == ""
    assert shown(noticed(table, 0.0)) == ""
    assert shown(noticed(noticed(table), -5.0)) == ""


def test_what_is_for_this_board_goes_before_what_is_for_all_and_both_end_alone() -> None:
    table = noticed(noticed(Table(), 60.0), 20.0, own=True)
    assert shown(table) == "your referee comes"
    assert shown(table.wait(20.0)) == "lunch until 13:30"
    noticed(table, 20.0, own=True).give(NoticeTold(table.now_ns, None))
    assert shown(table) == "your referee comes"
    assert shown(table.wait(20.0)) == ""


def test_no_notice_is_over_a_question_a_proposal_a_list_or_a_clock_that_runs() -> None:
    table = noticed(Table(options={"time_limit_s": 300}))
    assert shown(table.give(OrderTold(table.now_ns, order()))) == "", "the order is a question"
    table.wait(1.0).fix("referee").calm()
    assert shown(table) == "lunch until 13:30"
    assert shown(table.hold("referee", "fix")) == ""
    table.hold("referee", "fix").wait(1.0)
    assert shown(table) == "lunch until 13:30"
    assert shown(table.started()) == "", "its clock runs"
    table.fall("NE").must_be(Phase.FALLING)
    assert shown(table) == ""
    assert shown(table.wait(1.6).must_be(Phase.REVIEW)) == ""


def test_a_notice_takes_a_line_before_a_stroke_where_no_clock_runs() -> None:
    table = noticed(Table()).started()
    assert shown(table) == "lunch until 13:30"
    assert shown(table.review("NE")) == ""
    assert shown(table.ok("referee").calm().must_be(Phase.READY)) == "lunch until 13:30"
    shot = noticed(Table(options={"shot_clock_s": 30})).started()
    assert shown(shot) == "", "the shot clock runs"


def test_a_notice_is_read_while_a_clock_waits_for_the_gong_but_not_over_its_count() -> None:
    table = noticed(Table(options={"time_limit_s": 300}, armed=True)).started()
    assert shown(table) == "lunch until 13:30"
    table.give(GongTold(table.now_ns, table.now_ns + 5 * SECOND_NS))
    assert shown(table.wait(1.0)) == "lunch until 13:30"
    assert shown(table.wait(1.5)) == ""
    assert shown(table.wait(5.0)) == ""


def test_a_notice_outlasts_a_match_and_stands_beside_the_pictures_of_help() -> None:
    settings = DialogueSettings(attract_ns=60 * SECOND_NS)
    table = noticed(Table(dialogue_settings=settings, options={"time_limit_s": 300}), 7_200.0)
    table.started().hold("referee", "fix").wait(1.0).pick("resign").wait(0.5)
    table.pick("S resigns", held=True).calm().must_be(Phase.MATCH_OVER)
    assert shown(table) == "lunch until 13:30"
    table.wait(61.0)
    assert table.view.attract is not None
    assert shown(table) == "lunch until 13:30"
    assert shown(table.restart()) == "", "the desk says it again"


def test_a_board_that_is_looked_for_shows_its_number_and_blinks_until_somebody_presses() -> None:
    table = looked_for(Table())
    assert table.view.hall is not None
    assert (table.view.hall.identified, table.view.hall.alone) == (7, True)
    seen = []
    for _ in range(8):
        seen.append(table.view.lamps)
        table.wait(0.25)
    assert seen == [frozenset(Seat), frozenset()] * 4
    check_all(table)
    table.ok("N").must_be(Phase.READY)
    assert table.view.hall.identified is None
    assert table.view.lamps == {Seat.N}


def test_it_ends_by_itself_and_nothing_of_it_is_written_down() -> None:
    table = looked_for(Table()).wait(8.0)
    assert table.view.hall is not None
    assert table.view.hall.identified is None
    assert table.view.lamps == frozenset()
    assert table.kinds() == []


def test_in_a_match_only_a_mark_is_shown_and_the_lamp_says_whose_turn_it_is() -> None:
    table = looked_for(Table().started())
    assert table.view.hall is not None
    assert (table.view.hall.identified, table.view.hall.alone) == (7, False)
    for _ in range(8):
        assert table.view.lamps == {Seat.N}
        table.wait(0.25)
    before = table.view.headline
    assert table.wait(9.0).view.headline == before
    assert table.view.hall.identified is None


def test_a_question_of_the_hall_is_not_covered_by_the_number() -> None:
    table = looked_for(Table().give(OrderTold(1, order())))
    assert table.view.hall is not None
    assert (table.view.hall.identified, table.view.hall.alone) == (7, False)
    assert str(table.view.headline) == "next: Aiko - Ben"


def test_a_match_that_was_ended_by_word_after_a_power_cut_has_room_for_a_notice() -> None:
    table = noticed(Table().started("N").shot("RED NE", "NE").restart().wait(1.0))
    assert shown(table) == ""
    table.hold("referee", "fix").wait(1.0).pick("resign").wait(1.0).pick("N resigns", held=True)
    assert shown(table.calm().must_be(Phase.MATCH_OVER)) != ""
