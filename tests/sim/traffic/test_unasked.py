"""Boards on which sure readings settle themselves: what people press there, and what goes wrong."""

from __future__ import annotations

import datetime
from functools import cache

import pytest
from click.testing import CliRunner

from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.traffic.__main__ import main
from jackspot_sim.traffic.measures import MeasuredTally, case_of, measure
from jackspot_sim.traffic.report import command_line, report
from jackspot_sim.traffic.rounds import Round

FEW = (3, 7)
"""Masters, with a box and without one."""
DAY = datetime.date(2026, 11, 25)


@cache
def total(referee: Referee, auto_confirm: float) -> MeasuredTally:
    played = (measure(case_of(number, referee, 7, auto_confirm)) for number in FEW)
    return sum(played, MeasuredTally())


def test_where_nothing_settles_itself_nothing_is_changed() -> None:
    case = case_of(3, Referee.CARELESS, 7)
    assert case.auto_confirm == case.dialogue_settings.auto_confirm == 0.0
    counted = measure(case)
    assert counted.unasked == counted.unasked_wrong == 0
    assert counted.entered > 5


def test_who_watches_presses_less_and_every_final_score_is_right() -> None:
    confirmed, settled = (total(Referee.WATCHING, each) for each in (0.0, 0.7))
    assert (settled.finals_wrong, settled.stuck) == (0, 0)
    assert settled.unasked > settled.entered / 3
    assert settled.presses < confirmed.presses
    assert settled.entered_wrong >= settled.unasked_wrong > confirmed.entered_wrong


def test_what_is_surer_settles_itself_more_rarely_and_is_wrong_more_rarely() -> None:
    sure, surer = (total(Referee.WATCHING, each) for each in (0.7, 0.85))
    assert 0 < surer.unasked < sure.unasked
    assert surer.unasked_wrong < sure.unasked_wrong


@pytest.mark.parametrize("referee", [Referee.TABLE_ONLY, Referee.CARELESS])
def test_nobody_is_lost_on_a_board_that_enters_strokes_itself(referee: Referee) -> None:
    counted = total(referee, 0.7)
    assert counted.stuck == 0
    assert counted.unasked > 5


def test_who_waits_for_the_board_presses_nothing_while_pieces_fall() -> None:
    played = Round(changed(case_of(7, Referee.WATCHING, 7), auto_confirm=0.01))
    played.run()
    fell = sum(bool(each.turn.shot.falls) for each in played.happened)
    missed = len(played.happened) - fell
    assert played.presses < 3 * missed + fell


@pytest.mark.long
def test_the_command_measures_and_says_so() -> None:
    given = ["measure", "--matches", "1", "--seed", "7", "--workers", "1"]
    done = CliRunner().invoke(main, [*given, "--auto-confirm", "0.6"])
    assert done.exit_code == 0, done.output
    assert command_line(1, 7, 0.6) in done.stdout
    assert "| settled themselves | of these wrong |" in done.stdout
    assert "settled themselves" not in report({}, 1, 7, DAY)
