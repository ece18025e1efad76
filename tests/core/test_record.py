"""Reading the match record: header, tokens, undo and redo, and what a file may look like."""

from __future__ import annotations

import datetime

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import (
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.entry_text import UnreadableLine, read_line
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.record import (
    RecordError,
    Rewind,
    read_entry_line,
    read_record,
    write_entry,
    write_record,
)
from jackspot.core.scoring import score
from jackspot.core.settings import Handicap, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.values import changed

HEADER = 'rules = "hikone"\n---\n'
RED, GREEN, JACK, STRIKER = Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER


def said(line: str, header: str = HEADER):
    """Return what one line says."""
    return read_record(header + line).lines[0].said


def strokes(text: str) -> list[tuple[int, list[str]]]:
    return [(each["line"], each["rulings"]) for each in score(read_record(text))["entries"]]


# the header


def test_seats_are_north_and_south_unless_said():
    settings = read_record(HEADER).settings
    assert settings.seats == (Seat.N, Seat.S)
    assert settings.sides == {Seat.N: Side.RED, Seat.S: Side.GREEN}


def test_the_first_seat_plays_red_and_partners_share():
    settings = read_record('rules="hikone"\nseats=["E","S","W","N"]\n---\n').settings
    assert settings.sides == {
        Seat.E: Side.RED,
        Seat.S: Side.GREEN,
        Seat.W: Side.RED,
        Seat.N: Side.GREEN,
    }


def test_colours_may_be_swapped_by_naming_one_seat():
    settings = read_record('rules="hikone"\ncolours = { S = "red" }\n---\n').settings
    assert settings.sides == {Seat.N: Side.GREEN, Seat.S: Side.RED}


def test_the_single_player_of_three_has_a_colour_of_his_own():
    settings = read_record('rules="hikone"\nseats=["N","E","S"]\n---\n').settings
    assert settings.sides == {Seat.N: Side.RED, Seat.E: Side.GREEN, Seat.S: Side.RED}


@pytest.mark.parametrize(("seats", "runs"), [("NESW", "cw"), ("NWSE", "ccw"), ("SENW", "ccw")])
def test_four_seats_run_once_round_the_table_in_either_direction(seats, runs):
    listed = ", ".join(f'"{seat}"' for seat in seats)
    text = f'rules="hikone"\nseats=[{listed}]\n[options]\ndirection="{runs}"\n---\n'
    assert "".join(read_record(text).settings.seats) == seats


def test_free_texts_and_a_date_are_kept():
    text = 'rules="hikone"\nevent="Cup # 1"\ndate=2026-11-20\nround="Final"\nplace="Hikone"\n---\n'
    settings = read_record(text).settings
    assert settings.event == "Cup # 1"
    assert settings.date == datetime.date(2026, 11, 20)
    assert (settings.round, settings.place) == ("Final", "Hikone")


def test_handicaps_of_partners_merge():
    text = """rules = "hikone"
seats = ["N", "E", "S", "W"]
[handicap.N]
second_chance = true
[handicap.S]
second_chance = true
no_striker_penalty = true
---
"""
    assert read_record(text).settings.handicaps == {
        Side.RED: Handicap(second_chance=True, no_striker_penalty=True)
    }


@pytest.mark.parametrize("line", ["---", "---  ", "--- # now the strokes", "---\t#"])
def test_the_header_ends_at_the_first_line_of_three_dashes(line):
    assert len(read_record(f'rules = "hikone"\n{line}\nN -\n').lines) == 1


@pytest.mark.parametrize("line", [" ---", "----", "--- N"])
def test_nothing_else_ends_the_header(line):
    with pytest.raises(RecordError):
        read_record(f'rules = "hikone"\n{line}\nN -\n')


def test_files_of_other_systems_are_read_as_well():
    text = '\ufeff# jackspot record 1\r\nrules = "hikone"\r\n---\r\nN red\r\n\r\nN -'
    assert strokes(text) == [(4, ["HK-02"]), (6, ["HK-01"])]


# tokens


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("N -", Stroke(Seat.N)),
        ("N red@NE", Stroke(Seat.N, (Departure(RED, Pocket.NE),))),
        ("N 3*red@NE", Stroke(Seat.N, (Departure(RED, Pocket.NE),) * 3)),
        ("N 2*red^", Stroke(Seat.N, (Departure(RED, flew_off=True),) * 2)),
        ("N 1*red", Stroke(Seat.N, (Departure(RED),))),
        (
            "N   striker \t green foul",
            Stroke(Seat.N, (Departure(STRIKER), Departure(GREEN)), frozenset({Flag.FOUL})),
        ),
        ("N foul", Stroke(Seat.N, flags=frozenset({Flag.FOUL}))),
        ("N foul red", Stroke(Seat.N, (Departure(RED),), frozenset({Flag.FOUL}))),
        ("N - t=12.5", Stroke(Seat.N, used_ns=12_500_000_000)),
        ("N red t=0", Stroke(Seat.N, (Departure(RED),), used_ns=0)),
        ("N - t=0.0000000019", Stroke(Seat.N, used_ns=1)),
        ("N red#comment", Stroke(Seat.N, (Departure(RED),))),
        ("! time", Say(Saying.TIME)),
        ("!   time  # now", Say(Saying.TIME)),
        ("! placed", Say(Saying.PLACED)),
        ("! turn S", GiveTurn(Seat.S)),
        ("! resign S", Resign(Seat.S)),
        ("! set green pocketed=12", SetPocketed(Side.GREEN, 12)),
        ("! set red owed=3", SetOwed(Side.RED, 3)),
        ("! set jack=board", SetRed(RedPlace.BOARD)),
    ],
)
def test_a_line_says(line, expected):
    assert said(line) == expected
    if "0019" not in line:
        assert read_entry_line(write_entry(expected), RuleSystem.HIKONE) == expected


def test_entries_are_written_in_one_canonical_form():
    departures = (Departure(RED), Departure(RED), Departure(GREEN, Pocket.SW), Departure(RED))
    flags = frozenset({Flag.UNBANKED, Flag.FOUL})
    stroke = Stroke(Seat.W, departures, flags, Pocket.NE, 3_050_000_000)
    assert write_entry(stroke) == "W 2*red green@SW red foul unbanked call@NE t=3.05"
    assert write_entry(Stroke(Seat.W, used_ns=7_000_000_000)) == "W - t=7"
    assert write_entry(Rewind.UNDO) == "! undo"


@pytest.mark.parametrize("text", ["", "# nothing", "! undo", "N rad", "! redo"])
def test_the_line_of_an_entry_is_a_stroke_or_a_directive(text):
    with pytest.raises(RecordError):
        read_entry_line(text, RuleSystem.HIKONE)


def test_the_queen_is_set_in_the_words_of_the_record():
    assert write_entry(SetRed(RedPlace.BOARD, None, Piece.QUEEN)) == "! set queen=board"
    covered = SetRed(RedPlace.COVERED, Side.WHITE, Piece.QUEEN)
    assert write_entry(covered) == "! set queen=covered:white"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("queen=board", SetRed(RedPlace.BOARD, None, Piece.QUEEN)),
        ("queen=covered:white", SetRed(RedPlace.COVERED, Side.WHITE, Piece.QUEEN)),
        ("queen=pending:two", SetRed(RedPlace.PENDING, Side.TWO, Piece.QUEEN)),
    ],
)
def test_the_queen_is_read_where_the_rules_are_not_known(text, expected):
    read = read_line(f"! set {text}", None)
    assert read is not None
    assert read.said == expected


@pytest.mark.parametrize(
    "text",
    ["queen=pocketed", "queen=covered", "queen=board:white", "queen=pending:blue", "jack=covered"],
)
def test_the_queen_lies_nowhere_else(text):
    with pytest.raises(UnreadableLine, match="column 7: expected"):
        read_line(f"! set {text}", None)


def test_time_used_is_information_only():
    text = HEADER + "N red t=20\nN red t=10\n"
    assert [set(entry) & {"t", "used"} for entry in score(read_record(text))["entries"]] == [
        set(),
        set(),
    ]


# undo and redo


def test_undo_again_takes_back_the_one_before():
    assert strokes(HEADER + "N red\nN green\n! undo\n! undo\nN -\n") == [(7, ["HK-01"])]


def test_redo_puts_back_what_was_undone_last_under_its_own_line():
    text = HEADER + "N red\nN green\n! undo\n! undo\n! redo\n"
    assert strokes(text) == [(3, ["HK-02"])]
    assert strokes(text + "! redo\n") == [(3, ["HK-02"]), (4, ["HK-03"])]


@pytest.mark.parametrize("line", ["N -", "! placed", "! set red owed=0", "! turn N"])
def test_any_other_line_clears_what_redo_could_bring_back(line):
    with pytest.raises(RecordError, match="nothing to redo"):
        read_record(f"{HEADER}N red\n! undo\n{line}\n! redo\n")


def test_undo_takes_back_directives_too():
    text = HEADER + "N red\n! set red pocketed=12\n! time\n! undo\n! undo\nN jack\n"
    assert strokes(text) == [(3, ["HK-02"]), (8, ["HK-16"])]


def test_undo_goes_back_over_the_end_of_a_board():
    text = 'rules="hikone"\n[options]\nbest_of=3\n---\nN 12*red\nN jack\nS -\n'
    result = score(read_record(text + "! undo\n! undo\nN -\n"))
    assert result["boards"] == []
    assert [entry["board"] for entry in result["entries"]] == [1, 1]


def test_a_record_keeps_every_line_it_has():
    record = read_record(HEADER + "N red\n! undo\n! redo\n")
    assert [(line.number, line.said) for line in record.lines] == [
        (3, Stroke(Seat.N, (Departure(RED),))),
        (4, Rewind.UNDO),
        (5, Rewind.REDO),
    ]
    assert record.numbers == (3,)


# which lines have an entry of their own


def test_placed_has_no_entry_and_the_other_directives_have_one():
    text = HEADER + "N red\n! placed\n! set red pocketed=2\n! turn S\n! time\n! board\n! draw\n"
    entries = score(read_record(text))["entries"]
    assert [entry.get("directive") for entry in entries] == [
        None,
        "set",
        "turn",
        "time",
        "board",
        "draw",
    ]


# writing


def test_a_record_is_written_so_that_it_reads_back():
    settings = agree(
        {
            "rules": "hikone",
            "seats": ["E", "N", "W", "S"],
            "colours": {"E": "green"},
            "event": 'say "hi"\\ \n #1\x7f',
            "date": datetime.date(2026, 11, 20),
            "names": {"E": "愛子", "S": "Ben"},
            "options": {"best_of": 3, "area_rule": False, "debt": "forgive"},
            "handicap": {"N": {"head_start": 4}, "W": {"second_chance": True}},
        }
    )
    entries = (Stroke(Seat.E, (Departure(JACK),)), Say(Saying.BOARD))
    text = write_record(settings, entries)
    assert (
        text
        == """# jackspot record 1
rules = "hikone"
seats = ["E", "N", "W", "S"]
colours = { E = "green", N = "red", W = "green", S = "red" }
event = "say \\"hi\\"\\\\ \\u000a #1\\u007f"
date = 2026-11-20
[names]
E = "愛子"
S = "Ben"
[options]
best_of = 3
area_rule = false
debt = "forgive"
[handicap.N]
head_start = 4
[handicap.E]
second_chance = true
---
E jack
! board
"""
    )
    record = read_record(text)
    assert record.settings == settings
    assert tuple(line.said for line in record.lines) == entries


def test_systems_with_games_tell_each_boards_game_and_the_games_won():
    record = read_record(HEADER + "N 12*red\nN jack\n")
    step = record.match.steps[-1]
    won = {Side.RED: 1, Side.GREEN: 0}
    standing = changed(step.state.standing, games=(1,), games_won=won)
    last = changed(step, state=changed(step.state, standing=standing))
    match = changed(record.match, steps=(*record.match.steps[:-1], last))
    result = score(changed(record, match=match))
    assert result["boards"][0]["game"] == 1
    assert result["match"]["games_won"] == {"red": 1, "green": 0}
