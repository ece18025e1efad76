"""Generated matches with three kinds of referee: what they press, and what comes of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import RedPlace
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.ruling import BoardResult, How
from jackspot.core.stroke import Departure, Stroke
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.matches import TimedTurn, play
from jackspot_sim.traffic.measures import MeasuredTally, case_of, compare, final_of, measure
from jackspot_sim.traffic.report import (
    BEGIN,
    COLUMNS,
    END,
    WHO,
    command_line,
    measure_all,
    put_into,
    report,
)
from jackspot_sim.traffic.rounds import GeneratedMatch, Round

MEASUREMENTS = Path(__file__).parents[3] / "firmware/MEASUREMENTS.md"
DAY = datetime.date(2026, 11, 21)
FEW = (2, 3, 6, 7, 10, 11, 14, 15)
"""Club players and masters, with and without a box, two seats and four."""


def total(referee: Referee, numbers: tuple[int, ...] = FEW, seed: int = 7) -> MeasuredTally:
    return sum((measure(case_of(number, referee, seed)) for number in numbers), MeasuredTally())


def test_with_a_referee_who_watches_every_final_score_is_right() -> None:
    counted = total(Referee.WATCHING)
    assert counted.matches == len(FEW)
    assert counted.finals_wrong == 0
    assert counted.stuck == 0
    assert counted.turns_left == 0
    assert counted.fell > 100
    assert 0.6 * counted.fell < counted.first_right <= counted.fell
    assert counted.presses < 3 * counted.strokes


@pytest.mark.parametrize("referee", [Referee.TABLE_ONLY, Referee.CARELESS])
def test_nobody_is_ever_lost_however_badly_the_board_is_minded(referee: Referee) -> None:
    counted = total(referee, FEW[2:6])
    assert counted.stuck == 0
    assert counted.strokes > 80


# --- what is forgotten ----------------------------------------------------------------------


class Followed(Round):
    """A round that keeps which strokes people minded."""

    def __init__(self, case: GeneratedMatch, turns: Iterator[TimedTurn]) -> None:
        super().__init__(case, turns)
        self.minded: list[int] = []

    def _mind_stroke(self, number: int) -> None:
        self.minded.append(number)
        super()._mind_stroke(number)


def forgetting(case: GeneratedMatch, forgotten: range) -> Iterator[TimedTurn]:
    """Play a match in which nobody presses for some of its strokes."""
    turns = play(case.settings, case.strength, case.referee, case.seed, case.most_shots)
    for number, turn in enumerate(turns):
        nothing = changed(turn.plan, press_ns=None, double_ns=None, second=None)
        yield changed(turn, plan=nothing) if number in forgotten else turn


@pytest.mark.parametrize("referee", Referee)
@pytest.mark.parametrize("forgotten", [range(8, 10), range(8, 23), range(8, 28), range(50)])
def test_each_stroke_is_minded_once_however_many_are_forgotten(
    referee: Referee, forgotten: range
) -> None:
    case = changed(case_of(4 * (referee is Referee.CARELESS), referee, 1), most_shots=30)
    played = Followed(case, forgetting(case, forgotten))
    played.run()
    assert played.minded == list(range(len(played.happened)))
    assert len(played.happened) > 25


def test_the_same_seed_counts_the_same() -> None:
    one, other = (measure(case_of(3, Referee.CARELESS, 5)) for _ in range(2))
    assert one == other
    assert one != measure(case_of(3, Referee.CARELESS, 6))


def test_matches_take_turns_in_strength_board_and_lineup() -> None:
    cases = [case_of(number, Referee.WATCHING, 1) for number in range(16)]
    kinds = {(case.strength, case.box, len(case.settings.seats)) for case in cases}
    assert len(kinds) == 16
    assert {case.seed for case in cases} == {f"1-{number}" for number in range(16)}


# --- the record beside the truth ---------------------------------------------------------

N, S = Seat.N, Seat.S
RED = (Departure(Piece.RED, Pocket.NE),)
TRUE = [Stroke(N, RED), Stroke(N), Stroke(S), Stroke(N, RED), Stroke(N)]


@pytest.mark.parametrize(
    ("found", "lost", "doubled", "under_another_seat"),
    [
        (TRUE, 0, 0, 0),
        (TRUE[:1] + TRUE[2:], 1, 0, 0),
        ([*TRUE[:2], Stroke(N, RED * 2), *TRUE[2:]], 0, 1, 0),
        ([Stroke(S, RED), *TRUE[1:]], 0, 0, 1),
        ([Stroke(N, (Departure(Piece.RED, Pocket.SW),)), *TRUE[1:]], 0, 0, 0),
        ([], 5, 0, 0),
    ],
    ids=["the same", "one lost", "one more", "another seat", "another pocket", "nothing"],
)
def test_a_record_is_laid_beside_the_truth_with_the_fewest_differences(
    found: list[Stroke], lost: int, doubled: int, under_another_seat: int
) -> None:
    assert compare(TRUE, found) == (lost, doubled, under_another_seat)


@pytest.mark.parametrize("rules", ["icf", "kagw"])
def test_where_a_queen_is_counts_until_the_board_is_over(rules: str) -> None:
    match = Match.begin(agree({"rules": rules}))
    state = match.enter(Stroke(match.state.settings.seats[0])).state
    side = state.settings.side_of(S)
    places = [
        changed(state, position=changed(state.position, red=red, red_side=of))
        for red, of in ((RedPlace.BOARD, None), (RedPlace.PENDING, side), (RedPlace.COVERED, side))
    ]
    finals = [final_of(each) for each in places]
    assert all(finals.count(each) == 1 for each in finals)
    ended = [final_of(changed(each, result=BoardResult(side, How.JACK, {}))) for each in places]
    assert all(each == ended[0] for each in ended)


# --- the table of what was measured ---------------------------------------------------------------


def test_the_table_has_a_row_for_each_referee_and_each_strength() -> None:
    counted = {(r, s): MeasuredTally(1, 100, 50, 40, 45.0, 130) for r in Referee for s in Strength}
    careless = MeasuredTally(1, 100, 50, 10, 25.0, 260, stuck=2, finals_wrong=1)
    counted[Referee.CARELESS, Strength.CLUB] = careless
    text = report(counted, 4, 9, DAY)
    assert "21 November 2026, seed 9" in text
    assert f"`{command_line(4, 9)}`" in text
    assert "| watches | 4 | 80.0 % | 90.0 % | 1.30 |" in text
    assert text.count("\n| ") == 2 + len(Referee) + len(Strength)
    assert re.search(r"^\| careless .* \| 1 \| 2 \|$", text, re.MULTILINE), "two gave up"
    for strength in Strength:
        assert f"| {strength} | 80.0 % | 90.0 % | 1.30 |" in text, "all of it was watched"


def test_the_table_goes_between_its_two_lines_and_nowhere_else() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert put_into(page, "new\n") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    with pytest.raises(ValueError, match="once each"):
        put_into("no place for it", "new\n")


@pytest.mark.long
def test_one_worker_counts_every_referee() -> None:
    counted = measure_all(1, 3, workers=1)
    assert {referee for referee, _ in counted} == set(Referee)
    assert all(tally.matches == 1 for tally in counted.values())


def test_the_readme_shows_the_table_as_the_command_makes_it() -> None:
    shown = MEASUREMENTS.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert f"| {' | '.join(COLUMNS)} |" in shown
    found = re.search(
        r"`python -m jackspot_sim.traffic measure --matches (\d+) --seed (\d+)`", shown
    )
    assert found is not None
    matches, seed = int(found[1]), int(found[2])
    assert f"`{command_line(matches, seed)}`" in shown
    rows = [line.strip("| ").split(" | ") for line in shown.splitlines() if line.startswith("| ")]
    by_name = {row[0]: row for row in rows}
    assert {*WHO.values(), *(each.value for each in Strength)} <= set(by_name)
    for name in WHO.values():
        assert by_name[name][1] == f"{matches:,}"
    wrong = by_name[WHO[Referee.WATCHING]][COLUMNS.index("final scores wrong")]
    assert wrong == "0", "who watches ends with the true score"


SLICE = 50


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 500, SLICE))
def test_hundreds_of_matches_before_each_kind_of_referee(first: int) -> None:
    numbers = tuple(range(first, first + SLICE))
    watched = total(Referee.WATCHING, numbers, seed=1)
    assert watched.matches == SLICE
    assert watched.finals_wrong == watched.turns_left == watched.stuck == 0
    assert watched.first_right < watched.ceiling * 1.02
    others = [total(each, numbers, seed=1) for each in (Referee.TABLE_ONLY, Referee.CARELESS)]
    assert [other.stuck for other in others] == [0, 0]
    assert all(other.finals_wrong > 0 for other in others), "who does not look goes wrong"
