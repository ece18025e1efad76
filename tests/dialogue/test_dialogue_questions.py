"""Every question that only some rules ask outlasts a power cut, and closes on its own."""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.menu_kinds import MenuKind
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table
from tests.dialogue.queen_tables import broken, kind, lost_improperly, owing, playing, striker


def asked_touched() -> Table:
    return playing("icf").ok("N").wait(1.0)


def asked_forgotten() -> Table:
    return owing().fix("S").wait(1.0)


def asked_in_time() -> Table:
    table = owing().fall("NE").wait(2.0).ok("N").wait(1.0).choose("BLACK NE", "N").wait(1.0)
    return table.ok("N").wait(1.0)


def asked_waived() -> Table:
    return striker(broken(playing("icf"))).fix("S").wait(1.0)


def asked_demand() -> Table:
    return lost_improperly().fix("referee").wait(1.0)


def asked_queen() -> Table:
    table = broken(playing("kagw")).hold("referee", "fix").wait(1.0)
    return table.pick("correct the counts").pick("queen").wait(1.0)


ASKED = {
    MenuKind.TOUCHED: asked_touched,
    MenuKind.FORGOTTEN: asked_forgotten,
    MenuKind.IN_TIME: asked_in_time,
    MenuKind.WAIVED: asked_waived,
    MenuKind.DEMAND: asked_demand,
    MenuKind.QUEEN: asked_queen,
}


ANSWERED = {
    MenuKind.TOUCHED: "N -",
    MenuKind.FORGOTTEN: "! forgot",
    MenuKind.IN_TIME: "! placed",
    MenuKind.WAIVED: "! waive",
    MenuKind.DEMAND: "! demand",
    MenuKind.QUEEN: "! set queen=board",
}
"""The newest line of the record after OK."""


@pytest.mark.parametrize("question", ASKED)
def test_every_question_outlasts_a_power_cut_and_is_answered_after_it(question: MenuKind) -> None:
    table = ASKED[question]()
    assert kind(table) is question
    check_all(table)
    table.restart()
    assert kind(table) is question
    check_all(table)
    table.wait(1.0).ok("S").calm()
    assert table.entries[-1] == ANSWERED[question]
    check_all(table)


@pytest.mark.parametrize("question", sorted(set(ASKED) - {MenuKind.IN_TIME}))
def test_every_question_closes_by_itself_and_changes_nothing(question: MenuKind) -> None:
    table = ASKED[question]()
    before = table.entries
    table.wait(21.0)
    assert kind(table) is None
    assert table.entries == before
