"""Invalid records: each error is reported at its line and column, in words that help."""

from __future__ import annotations

import time

import pytest

from jackspot.core.record import MOST_BYTES, MOST_FLAWS, MOST_IN_A_LINE, RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem

HEADER = 'rules = "hikone"\n---\n'


def errors_of(text: str) -> list[tuple[int, int]]:
    with pytest.raises(RecordError) as refused:
        read_record(text)
    return [(error.line, error.column) for error in refused.value.errors]


def message_of(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        read_record(text)
    assert len(refused.value.errors) == 1, refused.value.errors
    return refused.value.errors[0].message


# header: (text before the line ---, line, column, words of the message)
HEADERS = [
    ("", 1, 1, "'rules' is missing"),
    ('\nseats = ["N", "S"]', 1, 1, "'rules' is missing"),
    ('rules = "hikon"', 1, 9, "did you mean 'hikone'"),
    ("rules = 3", 1, 9, "unknown rules 3"),
    ("rules = []", 1, 9, "unknown rules []"),
    ('# jackspot record 2\nrules = "hikone"', 1, 19, "expected record version 1, found 2"),
    ('rules = "hikone"\n  sets = ["N", "S"]', 2, 3, "did you mean 'seats'"),
    ('rules = "hikone"\nseats = ["N", "E"]', 2, 9, "face each other"),
    ('rules = "hikone"\nseats = "N"', 2, 9, 'found "N"'),
    ('rules = "hikone"\nseats = ["N", "X"]', 2, 9, 'found "X"'),
    ('rules = "hikone"\nseats = ["N", "N"]', 2, 9, "listed twice"),
    ('rules = "hikone"\nseats = ["N"]', 2, 9, "two, three or four"),
    ('rules = "hikone"\nseats = ["N", "S", "E", "W"]', 2, 9, "once round the table"),
    ('rules = "hikone"\ncolours = { N = "blue" }', 2, 17, 'expected "red" or "green"'),
    ('rules = "hikone"\ncolours = { E = "red" }', 2, 13, "E does not play"),
    (
        'rules = "hikone"\ncolours = { N = "red", S = "red" }',
        2,
        28,
        "opponents have the other",
    ),
    ('rules = "hikone"\n[names]\nE = "Eve"', 3, 1, "E does not play; the seats are N, S"),
    ('rules = "hikone"\n[names]\nN = 3', 3, 5, "expected text in quotes, found 3"),
    ('rules = "hikone"\nnames.X = "Eve"', 2, 7, "'X' is no seat"),
    ('rules = "hikone"\ndate = "today"', 2, 8, "expected a date"),
    ('rules = "hikone"\ndate = 2026-11-20T20:00:00', 2, 8, "expected a date"),
    ('rules = "hikone"\nround = 3', 2, 9, "expected text in quotes, found 3"),
    ('rules = "hikone"\noptions = 3', 2, 11, "expected a table [options]"),
    ('rules = "hikone"\n[options]\ntime_limt_s = 3', 3, 1, "did you mean 'time_limit_s'"),
    ('rules = "hikone"\n[options]\ntarget = 25', 3, 1, "it belongs to grundregeln, icf"),
    ('rules = "hikone"\n[options]\ntime_limit_s = "x"', 3, 16, "expected 0 to 86400"),
    ('rules = "hikone"\n[options]\nstriker_penalty = 13', 3, 19, "expected 0 to 12, found 13"),
    ('rules = "hikone"\n[options]\nstriker_penalty = true', 3, 19, "0 to 12, found true"),
    ('rules = "hikone"\n[options]\nstriker_penalty = 1.0', 3, 19, "0 to 12, found 1.0"),
    ('rules = "hikone"\n[options]\narea_rule = 1', 3, 13, "expected true or false, found 1"),
    ('rules = "hikone"\n[options]\nshot_clock_s = 7', 3, 16, "0, 10, 15, 20 ... 300"),
    (
        'rules = "grundregeln"\n[options]\ncover_with_striker = "keep"',
        3,
        22,
        'expected "back" or "pending", found "keep"',
    ),
    (
        'rules = "grundregeln"\n[options]\nqueen_with_own = "back"',
        3,
        18,
        'expected "covered" or "pending", found "back"',
    ),
    (
        'rules = "japan"\n[options]\nflown_adds = "each"',
        3,
        14,
        'expected false or true, found "each"',
    ),
    (
        'rules = "hikone"\n[options]\nplus_one = "two"',
        3,
        12,
        'expected "stroke" or "each", found "two"',
    ),
    ('rules = "kagw"\n[options]\ncover = "any"', 3, 9, 'expected "next" or "turn", found "any"'),
    (
        'rules = "points"\n[options]\ncover_order = "before"',
        3,
        15,
        'expected "any" or "after", found "before"',
    ),
    ('rules = "japan"\n[options]\nown_by_cushion = 1', 3, 18, "expected false or true, found 1"),
    ('rules = "icf"\n[options]\ncover_with_striker = "back"', 3, 1, "it belongs to grundregeln"),
    ('rules = "japan"\n[options]\nplus_one = "each"', 3, 1, "it belongs to hikone"),
    ('rules = "hikone"\n[options]\nflown_adds = true', 3, 1, "it belongs to japan"),
    ('rules = "points"\n[options]\ncover = "turn"', 3, 1, "it belongs to kagw"),
    ('rules = "kagw"\n[options]\ncover_order = "any"', 3, 1, "it belongs to points"),
    ('rules = "kagw"\n[options]\nown_by_cushion = true', 3, 1, "it belongs to hikone, japan"),
    (
        'rules = "hikone"\n[options]\ntime_end = "now"',
        3,
        12,
        'expected "finish_stroke", "stop", "finish_turn" or "finish_round", found "now"',
    ),
    (
        'rules = "hikone"\nseats = ["N", "E", "S", "W"]\n[options]\ndirection = "ccw"',
        4,
        13,
        'seats run "cw"',
    ),
    ('rules = "hikone"\n[handicap.E]\nhead_start = 4', 2, 11, "E does not play"),
    ('rules = "hikone"\n[handicap.N]\nhead_strat = 4', 3, 1, "did you mean 'head_start'"),
    ('rules = "hikone"\n[handicap.N]\nhead_start = 12', 3, 14, "expected 0 to 11, found 12"),
    ('rules = "hikone"\nhandicap.N = 4', 2, 14, "expected a table [handicap.N]"),
    (
        'rules = "hikone"\n[handicap.N]\nhead_start = 4\npucks_needed = 6',
        4,
        1,
        "exclude each other",
    ),
    (
        'rules = "hikone"\n[handicap.N]\nsecond_chance_on_jack = true',
        3,
        1,
        "goes with second_chance",
    ),
    (
        'rules = "hikone"\nseats = ["N", "E", "S", "W"]\n'
        "[handicap.N]\nhead_start = 4\n[handicap.S]\nhead_start = 3",
        6,
        14,
        "partners share their handicap: 4",
    ),
    ('rules = "japan"\n[options]\ndecider = "games"', 3, 1, "japan has no option 'decider'"),
    ('rules = "icf"\n[handicap.N]\nhead_start = 4', 2, 2, "they belong to hikone, japan"),
    ("rules = hikone", 1, 9, "no TOML"),
    ('rules = "hikone', 1, 9, "no TOML"),
    ('rules = "hikone"\nrules = "hikone"', 2, 1, "no TOML"),
    ('rules = "hikone"\n[names]\nN = "a"\n[names]', 4, 2, "no TOML"),
    ('rules = "hikone"\nseats', 2, 6, "no TOML"),
]


@pytest.mark.parametrize(("header", "line", "column", "words"), HEADERS)
def test_a_mistake_in_the_header_is_told_with_its_place(header, line, column, words):
    text = f"{header}\n---\n"
    assert errors_of(text) == [(line, column)]
    assert words in message_of(text)


def test_rules_that_this_version_does_not_play_are_told_with_their_place(monkeypatch):
    hikone = RuleSystem.HIKONE
    monkeypatch.setattr("jackspot.core.rules.RULES", {hikone: RULES[hikone]})
    assert errors_of('rules = "kagw"\n---\n') == [(1, 9)]
    words = "rules 'kagw' are not played by this version; it plays: hikone"
    assert message_of('rules = "kagw"\n---\n') == words


# one line of the body, in a plain match of N and S: column, words of the message
LINES = [
    ("N", 1, "'-' says that nothing fell"),
    ("X red", 1, "expected N, E, S or W, found 'X'"),
    ("n red", 1, "expected N, E, S or W, found 'n'"),
    ("red", 1, "a stroke begins with its seat"),
    ("N rad", 3, "did you mean 'red'"),
    ("N white", 3, "hikone has no piece 'white'; it has red, green, jack, striker"),
    ("N red@XX", 3, "expected a pocket NE, SE, SW or NW after '@', found 'XX'"),
    ("N red@", 3, "expected a pocket"),
    ("N red@NE^", 3, "has no pocket"),
    ("N  0*red", 4, "expected a count from 1 to 99, found 0"),
    ("N 100*red", 3, "expected a count from 1 to 99"),
    ("N 99999999999999999999*red", 3, "expected a count from 1 to 99"),
    ("N -1*red", 3, "expected a piece or a flag"),
    ("N - red", 3, "'-' says that nothing happened"),
    ("N - foul", 3, "'-' says that nothing happened"),
    ("N - -", 5, "'-' stands once"),
    ("N foul foul", 8, "'foul' stands twice"),
    ("N nobreak", 3, "hikone has no flag 'nobreak'; it has foul, area, banked, unbanked"),
    ("N area", 3, "the area rule is for doubles"),
    ("N red banked", 7, "goes with the handicap must_bank only"),
    ("N red call@NE", 7, "goes with the handicap called_pocket only"),
    ("N red call@XX", 7, "expected call@ and NE, SE, SW or NW"),
    ("N t=3", 1, "the stroke is empty"),
    ("N red t=3 green", 7, "t= stands last"),
    ("N red t=-3", 7, "expected seconds such as t=12.5, found t=-3"),
    ("N red t=1e3", 7, "expected seconds"),
    ("N striker red striker", 15, "a stroke has one striker"),
    ("N 2*striker", 3, "a stroke has one striker"),
    ("! unod", 3, "did you mean 'undo'"),
    ("!", 1, "a directive is missing"),
    ("! undo 3", 8, "nothing follows '! undo', found '3'"),
    ("! turn", 3, "expected one seat after '! turn'"),
    ("! turn X", 8, "expected N, E, S or W, found 'X'"),
    ("! turn N S", 10, "expected one seat"),
    ("! set", 3, "expected what to set"),
    ("! set blue pocketed=3", 7, "expected red, green or jack=board, found 'blue'"),
    ("! set red pocketed=-1", 11, "expected pocketed=N or owed=N"),
    ("! set red points=1", 11, "expected pocketed=N or owed=N"),
    ("! set red", 7, "expected pocketed=N or owed=N"),
    ("! set red pocketed=1 owed=1", 22, "sets one thing"),
    ("! set jack=pocketed", 7, "expected jack=board"),
    ("! set queen=board", 7, "expected jack=..., found queen=..."),
    ("E red", 1, "E does not play; the seats are N, S"),
    ("N 13*red", 3, "too many red pieces: a board has 12"),
    ("N green 12*red red^", 16, "too many red pieces: a board has 12"),
    ("N jack jack", 8, "too many jack pieces: a board has 1"),
    ("! turn E", 8, "E does not play"),
    ("! resign W", 10, "W does not play"),
    ("! set red pocketed=13", 11, "red has 12 pieces, not 13"),
    # of the game
    ("S red", 1, "it is N's turn, not S's"),
    ("! forgot", 1, "belongs to kagw"),
    ("! waive", 1, "belongs to icf and grundregeln"),
    ("! demand", 1, "belongs to icf"),
    ("! undo", 1, "nothing to undo"),
    ("  ! redo", 3, "nothing to redo"),
]


@pytest.mark.parametrize(("line", "column", "words"), LINES)
def test_a_mistake_in_a_line_is_told_with_its_place(line, column, words):
    text = f"{HEADER}# a comment\n{line}  # and another\n"
    assert errors_of(text) == [(4, column)]
    assert words in message_of(text)


def test_a_line_that_ends_the_header_must_be_there():
    assert errors_of('rules = "hikone"\nN red\n') == [(3, 1)]


def test_columns_count_code_points():
    assert errors_of(
        'rules = "hikone"\n[names]\nN = "愛子👑"\nS = "ベン" # 🎯\nX = "é"\n---\n'
    ) == [(5, 1)]
    assert errors_of('rules = "hikone"\ncolours = { "N" = "red", S = "愛" }\n---\n') == [(2, 30)]


def test_all_errors_of_header_and_form_are_told_at_once():
    text = (
        'rules = "hikone"\nevnt = 3\n[options]\ndebt = "never"\n---\nN rad grean\nN 0*red\n! unod\n'
    )
    assert errors_of(text) == [(2, 1), (4, 8), (6, 3), (6, 7), (7, 3), (8, 3)]


def test_form_is_checked_even_when_the_rules_are_not_known():
    assert errors_of('rules = "?"\n---\nN whit\nN white\n') == [(1, 9), (3, 3)]


def test_of_errors_in_the_game_only_the_first_is_told():
    assert errors_of(HEADER + "S red\nS green\nN red\n") == [(3, 1)]


@pytest.mark.parametrize("rules", RULES)
def test_what_no_line_can_ever_say_is_told_at_once_whatever_was_played(rules):
    red, own = RULES[rules].red, RULES[rules].pieces[0]
    never = [
        ("E -", 1), (f"W foul {own} foul", 1), (f"S {red} {red}", 6 + len(red) - 2),
        (f"N 30*{own} 2*{red}", 3), ("! turn W", 8), ("! resign E", 10),
        (f"! set {RULES[rules].sides[1]} pocketed=25", 8 + len(RULES[rules].sides[1])),
    ]  # fmt: skip
    text = f'rules = "{rules}"\n---\nS -\n' + "".join(f"{line}\n" for line, _ in never)
    told = errors_of(text)
    for number, (_line, column) in enumerate(never, start=4):
        assert (number, column) in told


def test_an_error_in_the_game_stays_one_though_a_later_undo_takes_the_line_back():
    assert errors_of(HEADER + "S red\n! undo\n") == [(3, 1)]


def test_nothing_in_the_game_is_told_behind_a_line_that_could_not_be_read():
    assert errors_of(HEADER + "S red\nN rad\n") == [(3, 1), (4, 3)]
    assert errors_of(HEADER + "N rad\nS red\n") == [(3, 3)]


def test_a_stroke_after_the_end_is_refused_at_its_seat():
    played = HEADER + "N 12*red\nN jack\n"
    assert errors_of(played + "S red\n") == [(5, 1)]
    assert "the match is over" in message_of(played + "  S red\n")
    assert errors_of(played + "! placed\n") == [(5, 1)]
    assert errors_of(played + "! turn S\n") == [(5, 8)]
    assert errors_of(played + "! resign S\n") == [(5, 10)]
    assert errors_of(played + "! set red owed=1\n") == [(5, 1)]
    assert errors_of(played + "! board\n") == [(5, 1)]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("[" * 2_000 + "]" * 2_000, (1, 1)),
        ("0x" + "f" * 4_000, (2, 10)),
        ("9" * 5_000, (2, MOST_IN_A_LINE + 1)),
    ],
)
def test_a_value_beyond_all_bounds_is_an_error_like_others(value, place):
    assert errors_of(f'rules = "hikone"\noptions= {value}\n---\n') == [place]


@pytest.mark.parametrize("key", ["seats", "rules", "date", "names", "event", "options", "colours"])
def test_lists_nested_as_deeply_as_toml_is_read_are_an_error_like_others(key):
    for deep in range(10, 520, 15):
        value = "[" * deep + "]" * deep
        rules = "" if key == "rules" else 'rules = "hikone"\n'
        assert errors_of(f"{rules}{key} = {value}\n---\n")


def test_a_line_without_end_is_refused_where_it_is_too_long():
    long = "rad " * 250_000
    assert errors_of(f"{HEADER}{long}\n") == [(3, MOST_IN_A_LINE + 1)]
    assert "at most 4,096 characters" in message_of(f"{HEADER}{long}\n")


def test_a_file_without_end_is_refused_before_it_is_read():
    assert message_of("\n" * 50_000_000) == "a record has at most 1,048,576 bytes"


def test_a_file_of_as_many_lines_as_may_be_is_read_soon():
    begun_s = time.process_time()
    read_record(HEADER + "\n" * (MOST_BYTES - len(HEADER)))
    bad = (HEADER + ("rad " * 1_000 + "\n") * 250)[:MOST_BYTES]
    assert len(errors_of(bad)) == MOST_FLAWS
    assert time.process_time() - begun_s < 10


def test_only_so_many_errors_are_told():
    with pytest.raises(RecordError, match="not told: there are 100") as refused:
        read_record(HEADER + "N rad\n" * 1_000)
    assert len(refused.value.errors) == MOST_FLAWS


@pytest.mark.parametrize(("keys", "lines"), [(1_000, 0), (60, 1_000), (99, 1), (98, 1), (100, 0)])
def test_only_so_many_errors_of_header_and_strokes_are_told(keys, lines):
    header = "".join(f"key{n} = 1\n" for n in range(keys))
    with pytest.raises(RecordError) as refused:
        read_record(f'rules = "hikone"\n{header}---\n' + "N rad\n" * lines)
    assert len(refused.value.errors) == min(keys + lines, MOST_FLAWS)
    told_all = keys + lines < MOST_FLAWS
    assert ("are not told" in str(refused.value)) is not told_all


def test_a_count_may_be_written_with_zeros_before_it():
    assert read_record(HEADER + "N 0000000003*red\n").match.steps[-1].entry == (
        read_record(HEADER + "N 3*red\n").match.steps[-1].entry
    )
    assert "from 1 to 99, found 000" in message_of(HEADER + "N 000*red\n")


@pytest.mark.parametrize(
    ("line", "place", "most"),
    [
        ('[names]\nN = "{}"', (3, 5), 64),
        ('event = "{}"', (2, 9), 200),
        ('place = "{}"', (2, 9), 200),
    ],
)
def test_a_text_that_fits_on_no_display_is_refused_at_its_place(line, place, most):
    text = 'rules = "hikone"\n' + line + "\n---\n"
    assert read_record(text.format("x" * most)).lines == ()
    assert errors_of(text.format("x" * (most + 1))) == [place]
    assert f"at most {most} characters" in message_of(text.format("x" * 2_000))


def test_a_name_with_marks_piled_up_over_the_lines_beside_it_is_refused_at_its_place():
    text = 'rules = "hikone"\n[names]\nN = "{}"\n---\n'
    assert read_record(text.format("नमस्ते e" + "\u0301" * 5)).lines == ()
    piled = text.format("Z" + "\u0301" * 6)
    assert errors_of(piled) == [(3, 5)]
    assert "at most 5 marks on a letter" in message_of(piled)
    assert read_record(piled, bounded=False).lines == ()


def test_the_depth_of_keys_does_not_matter():
    deep = ".".join("a" * 50)
    assert errors_of(f'rules = "hikone"\n{deep} = 1\n---\n') == [(2, 1)]


@pytest.mark.parametrize("line", ["# jackspot record 1", "# jackspot record of the cup", "# 2"])
def test_a_first_comment_that_names_no_other_version_is_taken(line):
    assert read_record(f"{line}\n{HEADER}").lines == ()
