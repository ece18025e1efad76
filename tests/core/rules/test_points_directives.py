"""Points carrom besides the strokes: corrections, the turn given, time, several boards.

These are records of a few lines. Their results were worked out by hand from the rules page.
"""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import RedPlace, SetRed
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

POINTS = RULES[RuleSystem.POINTS]


def played(lines: str, options: str = "", seats: str = '"N", "S"') -> dict[str, Any]:
    """Score a record whose lines are separated by semicolons."""
    head = f'rules = "points"\nseats = [{seats}]\n[options]\n{options}\n---\n'
    return score(read_record(head + "\n".join(lines.split(";"))))


def last(lines: str, options: str = "", seats: str = '"N", "S"') -> dict[str, Any]:
    entry: dict[str, Any] = played(lines, options, seats)["entries"][-1]
    return entry


def shown(entry: dict[str, Any]) -> str:
    """Write credited pieces, points and the queen: ``2 1 | 15 5 | board``."""
    pocketed, points = entry["pocketed"], entry["points"]
    return (
        f"{pocketed['one']} {pocketed['two']} | {points['one']} {points['two']} | {entry['queen']}"
    )


# what the referee corrects


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        # the last credited pieces go, whatever they are worth
        ("N black brown;! set one pocketed=1", "1 0 | 5 0 | board"),
        ("N brown black;! set one pocketed=1", "1 0 | 10 0 | board"),
        ("N brown black;! set one pocketed=0", "0 0 | 0 0 | board"),
        ("N brown black;! set one pocketed=2", "2 0 | 15 0 | board"),
        ("N brown;N -;S black;! set one pocketed=0", "0 1 | 0 5 | board"),
        # the queen among them
        ("N brown queen;! set one pocketed=1", "1 0 | 10 0 | board"),
        ("N queen;! set one pocketed=0", "0 0 | 0 0 | board"),
        ("N queen brown;! set one pocketed=1", "1 0 | 50 0 | covered:one"),
        # the queen moved to the end of a ledger, or away
        ("N black;! set queen=covered:one", "2 0 | 55 0 | covered:one"),
        ("N black;! set queen=covered:two", "1 1 | 5 50 | covered:two"),
        ("N black;! set queen=pending:one", "2 0 | 55 0 | pending:one"),
        ("N queen black;! set queen=board", "1 0 | 5 0 | board"),
        ("N queen black;! set queen=covered:two", "1 1 | 5 50 | covered:two"),
        ("N black queen;N -;! set queen=board", "1 0 | 5 0 | board"),
        ("N queen;! set queen=board", "0 0 | 0 0 | board"),
        ("N queen;! set queen=covered:one", "1 0 | 50 0 | covered:one"),
        # at the end: the striker now takes her
        ("N queen black;! set queen=covered:one;N striker", "1 0 | 5 0 | board"),
        ("N queen black;! set queen=covered:one;! set one pocketed=1", "1 0 | 5 0 | board"),
        # before that the counter was the last
        ("N queen black;N striker", "1 0 | 50 0 | covered:one"),
    ],
)
def test_a_correction_leaves(lines, after):
    assert shown(last(lines)) == after


def test_what_is_taken_away_lies_on_the_board_again():
    record = read_record('rules = "points"\n---\nN 2*black brown\n! set one pocketed=1\n')
    lies = POINTS.on_board(record.match.state.position)
    assert dict(lies) == {Piece.BLACK: 8, Piece.BROWN: 9, Piece.QUEEN: 1}


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        # two of a turn before, one of this turn; one is taken away: the turn has none left
        ("N 2*brown;N -;S -;N black;! set one pocketed=2;N queen;N -", "2 0 | 20 0 | board"),
        # two are taken away: one of the turn before remains, a void turn does not touch it
        ("N 2*brown;N -;S -;N black;! set one pocketed=1;N queen;N -", "1 0 | 10 0 | board"),
        # the queen of a turn before is taken away: the mark of this turn moves with her
        ("N queen black;N -;S -;N brown;! set queen=board;N queen;N -", "1 0 | 5 0 | board"),
        # moved to the end she is of this turn, but covered: nothing makes it void
        ("N queen black;N -;S -;! set queen=covered:one;N brown;N -", "3 0 | 65 0 | covered:one"),
        # pending she makes it void
        ("N queen black;N -;S -;N brown;! set queen=pending:one;N -", "1 0 | 5 0 | board"),
        # of this turn, she is behind the mark, which stays
        ("N brown;N -;S -;N queen black;! set queen=board;N queen;N -", "1 0 | 10 0 | board"),
        # the other's ledger has no mark to move
        (
            "N brown;N -;S queen black;S -;N brown;! set queen=board;N queen;N -",
            "1 1 | 10 5 | board",
        ),
        ("N -;S queen black;S -;N brown;! set queen=board;N queen;N -", "0 1 | 0 5 | board"),
        ("N 2*brown;N -;S black;! set one pocketed=1;S queen;S -", "1 0 | 10 0 | board"),
        (
            "N brown;N -;S 2*black;S -;N -;S black;! set one pocketed=0;S queen;S -",
            "0 2 | 0 10 | board",
        ),
    ],
)
def test_a_void_turn_after_a_correction_takes_what_was_pocketed_in_it(lines, after):
    assert shown(last(lines)) == after


@pytest.mark.parametrize(
    ("line", "words", "column"),
    [
        ("! set one pocketed=3", "credited with 2 pieces", 11),
        ("! set two pocketed=1", "credited with 0 pieces", 11),
        ("! set one owed=0", "nobody owes anything", 11),
        ("! set two owed=2", "nobody owes anything", 11),
        ("! set queen=pending:two", "only the side in turn", 7),
        ("! set queen=pocketed", "expected", 7),
        ("! set jack=board", "", 7),
        ("! set red pocketed=1", "", 7),
        ("! waive", "icf and grundregeln", 1),
        ("! forgot", "kagw", 1),
        ("! demand", "icf", 1),
        ("N nobreak", "no flag 'nobreak'", 3),
        ("N area", "no flag 'area'", 3),
        ("N call@NE", "call", 3),
        ("N red", "no piece 'red'", 3),
        ("N striker striker^", "one striker", 11),
        ("N 9*black", "too many black counters: 8 on the board", 3),
        ("N brown queen queen", "too many queen pieces: a board has 1", 15),
    ],
)
def test_what_points_carrom_does_not_know_is_an_error(line, words, column):
    with pytest.raises(RecordError) as raised:
        read_record(f'rules = "points"\n---\nN black brown\n{line}\n')
    [flaw] = raised.value.errors
    assert (flaw.line, flaw.column) == (4, column)
    assert words in flaw.message


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("N queen;N queen", "the queen is not on the board: pending (one)"),
        ("N queen black;N -;S queen", "the queen is not on the board: covered (one)"),
        ("N 9*black;N black", "too many black counters: none is on the board"),
        ("N 9*brown;N queen;N -;S brown", "too many brown counters: none is on the board"),
    ],
)
def test_what_is_out_of_play_cannot_fall(lines, words):
    with pytest.raises(RecordError) as raised:
        played(lines)
    assert words in raised.value.errors[0].message


def test_three_cannot_play_points():
    with pytest.raises(RecordError, match="three players"):
        played("E -", seats='"E", "N", "S"')


# the turn given


def test_the_turn_given_voids_what_was_not_covered():
    entry = last("N brown;N queen;! turn S")
    assert (entry["directive"], entry["seat"], entry["next"]) == ("turn", "S", "S")
    assert shown(entry) == "0 0 | 0 0 | board"
    assert entry["place"] == ["queen"]
    assert entry["rulings"] == []


def test_the_turn_given_to_the_same_seat_begins_a_fresh_one():
    assert shown(last("N brown;! turn N;N queen;N -")) == "1 0 | 10 0 | board"
    assert shown(last("N brown;N queen;! turn N;N -")) == "0 0 | 0 0 | board"


def test_the_turn_given_brings_counters_back_where_that_is_agreed():
    entry = last("N brown;N queen;! turn S", "void_returns_counters = true")
    assert entry["place"] == ["queen", "brown"]


def test_a_covered_queen_stays_when_the_turn_is_given():
    entry = last("N brown queen;! turn S")
    assert shown(entry) == "2 0 | 60 0 | covered:one"
    assert entry["place"] == []


def test_the_break_is_still_to_come_when_the_turn_was_given_before_it():
    assert last("! turn S;S -")["rulings"] == ["PT-12"]
    assert last("! turn S;S -;N -")["rulings"] == ["PT-02"]


# the end of a board without the last counter


@pytest.mark.parametrize(
    ("lines", "options", "over", "place"),
    [
        ("N brown;N -;! time;S -", "", ("one", "time", 10, 0), []),
        ("N brown;N -;! time;S brown", "", (None, "time", 10, 10), []),
        # exactly one more stroke, whatever it keeps: the queen is not covered
        ("N brown;! time;N queen black^", "", (None, "time", 0, 0), ["queen", "black"]),
        ("N brown;N queen;! time;N black", "", ("one", "time", 65, 0), []),
        ("N brown;N queen;! time", 'time_end = "stop"', (None, "time", 0, 0), ["queen"]),
        ("N brown queen;! time", 'time_end = "stop"', ("one", "time", 60, 0), []),
        (
            "N brown;! time;N queen;N -",
            'time_end = "finish_turn"',
            (None, "time", 0, 0),
            ["queen"],
        ),
        ("N -;! time;S black;S -", 'time_end = "finish_turn"', ("two", "time", 0, 5), []),
        ("N -;! time;S black;S -", 'time_end = "finish_round"', ("two", "time", 0, 5), []),
        ("N brown;! time;! time", "", ("one", "time", 10, 0), []),
        # the running totals, a queen that waits to be covered among them
        ("N brown;N queen;! resign S", "", ("one", "resign", 60, 0), []),
        ("N brown;N queen;! resign N", "", ("two", "resign", 60, 0), []),
        ("N brown;N queen;! draw", "", (None, "draw", 60, 0), []),
    ],
)
def test_a_board_ends_with(lines, options, over, place):
    entry = last(lines, options)
    winner, how, one, two = over
    assert entry["board_over"] == {
        "winner": winner,
        "how": how,
        "points": {"one": one, "two": two},
    }
    assert entry["points"] == {"one": one, "two": two}
    assert entry["place"] == place
    assert entry["keeps_turn"] is False


def test_the_turns_of_a_round_are_played_after_time():
    lines = "N -;! time;E -;S -;W brown"
    four = '"N", "E", "S", "W"'
    assert last(lines, 'time_end = "finish_round"', four)["board_over"] is None
    assert last(f"{lines};W -", 'time_end = "finish_round"', four)["board_over"] is not None


# several boards

LOST = "N 9*black;N 8*brown;N brown"
"""Side one sinks the last counter before the queen: 135 - 3 to 0, and two has won."""


def test_the_loser_opens_the_next_board_with_its_own_side():
    result = played(f"{LOST};N brown;N -;! resign S", "best_of = 3")
    assert result["entries"][2]["next"] == "N"
    assert result["boards"] == [
        {"winner": "two", "how": "foul", "points": {"one": 132, "two": 0}},
        {"winner": "one", "how": "resign", "points": {"one": 10, "two": 0}},
    ]
    assert result["entries"][-1]["next"] == "S"
    assert result["match"] == {
        "over": False,
        "winner": None,
        "points": {"one": 142, "two": 0},
        "boards_won": {"one": 1, "two": 1},
    }


def test_after_a_draw_the_side_that_did_not_open_opens():
    four = '"N", "E", "S", "W"'
    assert last("N -;! draw", "best_of = 3", four)["next"] == "E"
    assert last("N -;! resign E", "best_of = 3", four)["next"] == "E"
    assert last("N -;! resign S", "best_of = 3", four)["next"] == "N"


def test_every_board_begins_with_nothing_credited_and_all_on_the_board():
    result = played(f"{LOST};N 9*black", "best_of = 3")
    assert shown(result["entries"][-1]) == "9 0 | 45 0 | board"
    assert result["entries"][-1]["rulings"] == ["PT-12"]


def test_most_boards_then_most_points_win_the_match():
    # one has a board and 132 + 10, two has a board and 0, the third is drawn: points decide
    lines = f"{LOST};N brown;N -;! resign S;S -;! draw"
    assert played(lines, "best_of = 3")["match"] == {
        "over": True,
        "winner": "one",
        "points": {"one": 142, "two": 0},
        "boards_won": {"one": 1, "two": 1},
    }


def test_partners_share_one_ledger():
    four = '"N", "E", "S", "W"'
    entry = last("N black;N -;E brown;E -;S brown;S -;W -;N striker", "", four)
    assert shown(entry) == "1 1 | 5 10 | board"
    assert entry["place"] == ["brown"]


def test_a_partners_void_turn_takes_nothing_of_the_turns_before_it():
    four = '"N", "E", "S", "W"'
    entry = last("N black;N -;E brown;E -;S brown;S queen;S -", "", four)
    assert shown(entry) == "1 1 | 5 10 | board"


def test_the_colours_of_two_are_the_sides_own_whoever_sits_where():
    head = 'rules = "points"\ncolours = { N = "two", S = "one" }\n[options]\ntwo_colours = true\n'
    entries = score(read_record(f"{head}---\nN brown\nN black\nS black\n"))["entries"]
    assert [entry["side"] for entry in entries] == ["two", "two", "one"]
    assert [entry["keeps_turn"] for entry in entries] == [True, False, True]
    assert shown(entries[-1]) == "2 1 | 10 10 | board"


@pytest.mark.parametrize(
    ("stroke", "words"),
    [
        (Stroke(Seat.N, flags=frozenset({Flag.NOBREAK})), "no flag 'nobreak'"),
        (Stroke(Seat.N, (Departure(Piece.STRIKER),) * 2), "one striker"),
        (Stroke(Seat.N, called=Pocket.NE), "no 'call@'"),
        (Stroke(Seat.N, (Departure(Piece.RED),)), "there is no red"),
    ],
)
def test_what_no_record_could_say_is_refused_of_a_stroke_too(stroke, words):
    with pytest.raises(IllegalEntry, match=words):
        Match.begin(agree({"rules": "points"})).enter(stroke)


def test_the_strokes_of_a_turn_are_counted_from_its_beginning():
    lines = ["N black", "N queen", "N -", "S brown", "! turn S", "S brown", "S striker", "N black"]
    text = 'rules = "points"\n---\n' + "\n".join(lines) + "\n"
    steps = read_record(text).match.steps
    assert [step.state.position.strokes_in_turn for step in steps] == [1, 2, 0, 1, 0, 1, 0, 1]


def test_what_was_put_back_may_be_said_and_changes_nothing():
    lines = "N black;N striker"
    assert played(f"{lines};! placed;S brown")["entries"][-1] == {
        **last(f"{lines};S brown"),
        "line": 9,
    }


@pytest.mark.parametrize(
    "directive",
    [SetRed(RedPlace.BOARD), SetRed(RedPlace.POCKETED, None, Piece.QUEEN)],
)
def test_only_a_queen_on_the_board_pending_or_covered_can_be_set(directive):
    with pytest.raises(IllegalEntry, match="expected queen=board"):
        Match.begin(agree({"rules": "points"})).enter(directive)
