"""Ways to spoil a valid record: one known mistake, at a known line and column.

Each function of :data:`WAYS` takes a random record and returns it with one mistake, or None
where that record has no place for it. Everything else stays as it is, so exactly this mistake
must be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from jackspot.core.directives import Saying
from jackspot.core.match import Match
from jackspot.core.options import CAROM, OPTIONS, text_option, yes_no_option
from jackspot.core.pieces import Piece, Seat
from jackspot.core.record import Rewind
from jackspot.core.rules import RULES, Rules
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag, Stroke
from tests.core.play import Drawn, Line, lying_there


@dataclass(frozen=True)
class Spoiled:
    """A record with one mistake, and where the mistake is."""

    text: str
    line: int
    column: int


Way = Callable[[Random, Drawn], Spoiled | None]
WAYS: list[Way] = []


def way(function: Way) -> Way:
    """Add a way to spoil a record to :data:`WAYS`."""
    WAYS.append(function)
    return function


# places in a record


def rules_of(drawn: Drawn) -> Rules:
    return RULES[drawn.settings.rules]


def replaced(drawn: Drawn, number: int, line: str, at: str) -> Spoiled:
    """Replace a line with another; the mistake is the last ``at`` in it."""
    lines = drawn.text.split("\n")
    lines[number - 1] = line
    return Spoiled("\n".join(lines), number, line.rindex(at) + 1)


def inserted(drawn: Drawn, number: int, line: str, at: str) -> Spoiled:
    """Insert a line before another; the mistake is the last ``at`` in it."""
    lines = drawn.text.split("\n")
    lines.insert(number - 1, line)
    return Spoiled("\n".join(lines), number, line.rindex(at) + 1)


def a_stroke(random: Random, drawn: Drawn) -> tuple[Line, Seat] | None:
    """Return a line that is a stroke, and who shot."""
    strokes = [(line, line.said) for line in drawn.lines if isinstance(line.said, Stroke)]
    if not strokes:
        return None
    line, stroke = random.choice(strokes)
    return line, stroke.seat


def content(random: Random, drawn: Drawn, before: str, at: str, after: str = "") -> Spoiled | None:
    """Replace what a stroke's line says; the mistake is ``at``."""
    found = a_stroke(random, drawn)
    if found is None:
        return None
    line, seat = found
    text = " ".join(f"{seat} {before}".split()) + " "
    number = line.number
    spoiled = replaced(drawn, number, f"{text}{at}{after}", at)
    return Spoiled(spoiled.text, number, len(text) + 1)


def a_place(random: Random, drawn: Drawn) -> tuple[int, Match]:
    """Return a line number before which something can be said, and the match it meets."""
    places = [(line.number, line.before) for line in drawn.lines]
    return random.choice([*places, (drawn.text.count("\n") + 1, drawn.match)])


def anywhere(random: Random, drawn: Drawn, line: str, at: str) -> Spoiled:
    return inserted(drawn, a_place(random, drawn)[0], line, at)


def while_a_board_runs(random: Random, drawn: Drawn) -> tuple[int, Match] | None:
    """Return a place at which the board has not ended."""
    places = [(line.number, line.before) for line in drawn.lines]
    running = [(number, match) for number, match in places if match.state.result is None]
    return random.choice(running) if running else None


def a_piece(random: Random, drawn: Drawn) -> Piece:
    return random.choice([each for each in rules_of(drawn).pieces if each is not Piece.STRIKER])


def other_seats(drawn: Drawn) -> list[Seat]:
    return [seat for seat in Seat if seat not in drawn.settings.seats]


# who shoots


@way
def out_of_turn(random: Random, drawn: Drawn) -> Spoiled | None:
    found = a_stroke(random, drawn)
    if found is None:
        return None
    line, seat = found
    other = random.choice([each for each in drawn.settings.seats if each is not seat])
    return replaced(drawn, line.number, f"{other} -", other)


@way
def who_does_not_play(random: Random, drawn: Drawn) -> Spoiled | None:
    found, others = a_stroke(random, drawn), other_seats(drawn)
    if found is None or not others:
        return None
    other = random.choice(others)
    return replaced(drawn, found[0].number, f"  {other} - # {other}", f"{other} -")


@way
def no_seat(random: Random, drawn: Drawn) -> Spoiled | None:
    found = a_stroke(random, drawn)
    word = random.choice(("n", "NE", "red", "X", "north"))
    return None if found is None else replaced(drawn, found[0].number, f"{word} -", word)


@way
def after_the_end(random: Random, drawn: Drawn) -> Spoiled | None:
    if not drawn.match.state.over:
        return None
    seat = random.choice(drawn.settings.seats)
    line, at = random.choice(
        (
            (f"{seat} -", seat),
            ("! placed", "!"),
            ("! draw", "!"),
            ("! board", "!"),
            ("! time", "!"),
            (f"! set {rules_of(drawn).sides[0]} owed=0", "!"),
            (f"! resign {seat}", f" {seat}"),
            (f"! turn {seat}", f" {seat}"),
        )
    )
    spoiled = inserted(drawn, drawn.text.count("\n") + 1, line, at)
    return Spoiled(spoiled.text, spoiled.line, spoiled.column + at.startswith(" "))


# pieces


@way
def too_many_pieces(random: Random, drawn: Drawn) -> Spoiled | None:
    found = a_stroke(random, drawn)
    if found is None:
        return None
    line, seat = found
    there = rules_of(drawn).on_board(lying_there(line.before.state))
    piece = random.choice(list(there))
    token = f"{there[piece] + 1}*{piece}{random.choice(('@NE', '@SW', '^'))}"
    first = random.choice(("", "striker@SE ", "striker^ "))
    return replaced(drawn, line.number, f"{seat} {first}{token}", token)


@way
def one_more_than_there_are(random: Random, drawn: Drawn) -> Spoiled | None:
    """The last of many tokens is the one too many."""
    found = a_stroke(random, drawn)
    if found is None:
        return None
    line, seat = found
    there = rules_of(drawn).on_board(lying_there(line.before.state))
    piece = random.choice(list(there))
    all_of_them = f"{piece}@NW " * there[piece]
    return replaced(drawn, line.number, f"{seat} {all_of_them}{piece}@NE", f"{piece}@NE")


@way
def a_second_striker(random: Random, drawn: Drawn) -> Spoiled | None:
    if drawn.settings.rules in CAROM and text_option(drawn.settings, "opening") == "mass_break":
        return None
    first, second = random.choice((("striker", "striker@NE"), ("striker^", "2*striker")))
    return content(random, drawn, first, second)


@way
def a_piece_of_another_game(random: Random, drawn: Drawn) -> Spoiled | None:
    others = [piece for piece in Piece if piece not in rules_of(drawn).pieces]
    return content(random, drawn, random.choice(("", "striker")), random.choice(others))


@way
def no_piece_at_all(random: Random, drawn: Drawn) -> Spoiled | None:
    word = random.choice(("rad", "pucks", "Striker", "whte", "queeen", "3**jack", "=", "愛"))
    return content(random, drawn, random.choice(("", "striker", "foul")), word)


@way
def a_token_of_wrong_form(random: Random, drawn: Drawn) -> Spoiled | None:
    piece = a_piece(random, drawn)
    wrong = (
        f"0*{piece}",
        f"100*{piece}",
        f"{piece}@XX",
        f"{piece}@",
        f"{piece}@NE^",
        f"-1*{piece}",
    )
    return content(random, drawn, random.choice(("", "striker")), random.choice(wrong))


@way
def nothing_and_something(random: Random, drawn: Drawn) -> Spoiled | None:
    return content(random, drawn, "", "-", f" {a_piece(random, drawn)}")


@way
def an_empty_stroke(random: Random, drawn: Drawn) -> Spoiled | None:
    found = a_stroke(random, drawn)
    if found is None:
        return None
    tail = random.choice(("", " t=3", "   # nothing"))
    return replaced(drawn, found[0].number, f"{found[1]}{tail}", found[1])


@way
def seconds_of_wrong_form(random: Random, drawn: Drawn) -> Spoiled | None:
    if random.random() < 0.5:
        return content(random, drawn, "-", random.choice(("t=", "t=x", "t=-1", "t=1e3", "t=1,5")))
    return content(random, drawn, "", "t=3", f" {a_piece(random, drawn)}")


# flags


@way
def a_flag_that_is_not_known(random: Random, drawn: Drawn) -> Spoiled | None:
    unknown = [flag for flag in Flag if flag not in rules_of(drawn).flags]
    return content(random, drawn, random.choice(("", "striker")), random.choice(unknown))


@way
def a_flag_twice(random: Random, drawn: Drawn) -> Spoiled | None:
    return content(random, drawn, "foul", "foul")


@way
def a_called_pocket(random: Random, drawn: Drawn) -> Spoiled | None:
    if any(handicap.called_pocket for handicap in drawn.settings.handicaps.values()):
        return None
    return content(random, drawn, random.choice(("", "striker")), "call@NE")


@way
def an_area_hit_in_singles(random: Random, drawn: Drawn) -> Spoiled | None:
    settings = drawn.settings
    if settings.rules not in CAROM or len(settings.seats) != 2:
        return None
    if yes_no_option(settings, "own_by_cushion"):
        return None
    return content(random, drawn, "", "area")


@way
def a_break_missed_after_it_was_made(random: Random, drawn: Drawn) -> Spoiled | None:
    if Flag.NOBREAK not in rules_of(drawn).flags:
        return None
    late = [
        line for line in drawn.lines if isinstance(line.said, Stroke) and was_broken(line.before)
    ]
    if not late:
        return None
    line = random.choice(late)
    return replaced(drawn, line.number, f"{line.before.state.next} nobreak", "nobreak")


def was_broken(match: Match) -> bool:
    """Return whether the break was made on the board that runs."""
    return match.state.result is None and any(
        isinstance(step.entry, Stroke) and Flag.NOBREAK not in step.entry.flags
        for step in match.steps
        if step.state.board == match.state.board
    )


@way
def a_piece_with_a_missed_break(random: Random, drawn: Drawn) -> Spoiled | None:
    if Flag.NOBREAK not in rules_of(drawn).flags:
        return None
    return content(random, drawn, "striker nobreak", f"{a_piece(random, drawn)}@SE")


# directives


@way
def a_directive_that_is_not_known(random: Random, drawn: Drawn) -> Spoiled | None:
    word = random.choice(("undoo", "Undo", "start", "foul", "-", "time=3", "竹"))
    return anywhere(random, drawn, f"!{random.choice((' ', '', '   '))}{word}", word)


NOT_SAID_IN = {
    RuleSystem.HIKONE: (Saying.FORGOT, Saying.WAIVE, Saying.DEMAND),
    RuleSystem.JAPAN: (Saying.FORGOT, Saying.WAIVE, Saying.DEMAND),
    RuleSystem.KAGW: (Saying.WAIVE, Saying.DEMAND),
    RuleSystem.GRUNDREGELN: (Saying.FORGOT, Saying.DEMAND),
    RuleSystem.POINTS: (Saying.FORGOT, Saying.WAIVE, Saying.DEMAND),
    RuleSystem.ICF: (Saying.FORGOT,),
}


@way
def a_directive_of_another_game(random: Random, drawn: Drawn) -> Spoiled | None:
    said = random.choice(NOT_SAID_IN[drawn.settings.rules])
    return anywhere(random, drawn, f"  ! {said}", "!")


@way
def a_reply_to_nothing(random: Random, drawn: Drawn) -> Spoiled | None:
    """Before the first stroke nothing was forgotten, waived or demanded."""
    said = random.choice((Saying.FORGOT, Saying.WAIVE, Saying.DEMAND))
    return inserted(drawn, drawn.lines[0].number, f"! {said}", "!")


@way
def words_after_a_directive(random: Random, drawn: Drawn) -> Spoiled | None:
    word = random.choice(("draw", "undo", "placed", "board", "time", "forgot"))
    return anywhere(random, drawn, f"! {word} 3", "3")


@way
def nothing_to_undo(_random: Random, drawn: Drawn) -> Spoiled | None:
    return inserted(drawn, drawn.lines[0].number, "! undo", "!")


@way
def nothing_to_redo(random: Random, drawn: Drawn) -> Spoiled | None:
    said = [line.said for line in drawn.lines]
    behind = [
        drawn.lines[index + 1].number
        for index in range(len(said) - 1)
        if not isinstance(said[index], Rewind)
    ]
    return inserted(drawn, random.choice(behind), "! redo", "!") if behind else None


@way
def a_turn_for_nobody(random: Random, drawn: Drawn) -> Spoiled | None:
    others = [*other_seats(drawn), "X", "n", "white"]
    other = random.choice(others)
    return anywhere(random, drawn, f"! {random.choice(('turn', 'resign'))} {other}", other)


@way
def a_turn_without_a_seat(random: Random, drawn: Drawn) -> Spoiled | None:
    word = random.choice(("turn", "resign"))
    return anywhere(random, drawn, f"! {word}", word)


@way
def a_count_beyond_all(random: Random, drawn: Drawn) -> Spoiled | None:
    place = while_a_board_runs(random, drawn)
    if place is None:
        return None
    side = random.choice(rules_of(drawn).sides)
    token = f"pocketed={random.randint(20, 99)}"
    return inserted(drawn, place[0], f"! set {side} {token}", token)


@way
def a_correction_of_wrong_form(random: Random, drawn: Drawn) -> Spoiled | None:
    rules = rules_of(drawn)
    side = random.choice(rules.sides)
    other_red = Piece.QUEEN if rules.red is Piece.JACK else Piece.JACK
    line, at = random.choice(
        (
            ("! set", "set"),
            ("! set blue owed=1", "blue"),
            (f"! set {side}", side),
            (f"! set {side} pocketed=-1", "pocketed"),
            (f"! set {side} points=3", "points"),
            (f"! set {side} owed=x", "owed"),
            (f"! set {side} owed=1 pocketed=1", "pocketed"),
            (f"! set {other_red}=board", other_red),
            (f"! set {rules.red}=pocketed", rules.red),
            (f"! set {rules.red}=covered", rules.red),
            (f"! set {rules.red}=covered:blue", rules.red),
        )
    )
    return anywhere(random, drawn, line, at)


@way
def a_queen_to_be_covered_by_who_does_not_shoot(random: Random, drawn: Drawn) -> Spoiled | None:
    place = while_a_board_runs(random, drawn)
    if place is None or rules_of(drawn).red is not Piece.QUEEN:
        return None
    number, match = place
    position = match.state.position
    other = position.other(position.side)
    return inserted(drawn, number, f"! set queen=pending:{other}", "queen")


# the header


def in_the_header(drawn: Drawn, table: str, line: str, at: str) -> Spoiled:
    """Insert a line into a table of the header, adding the table where there is none."""
    lines = drawn.text.split("\n")
    end = lines.index("---")
    head = f"[{table}]"
    if head in lines[:end]:
        return inserted(drawn, lines.index(head) + 2, line, at)
    with_table = Drawn(
        drawn.settings,
        "\n".join([*lines[:end], head, *lines[end:]]),
        drawn.lines,
        drawn.match,
    )
    return inserted(with_table, end + 2, line, at)


@way
def an_unknown_key(random: Random, drawn: Drawn) -> Spoiled | None:
    key = random.choice(("evnt", "rule", "seat", "Options"))
    return inserted(drawn, random.choice((2, 3)), f'{key} = "x"', key)


@way
def a_later_version(random: Random, drawn: Drawn) -> Spoiled | None:
    version = random.choice(("2", "10", "1.1"))
    return replaced(drawn, 1, f"# jackspot record {version}", version)


@way
def rules_that_do_not_exist(random: Random, drawn: Drawn) -> Spoiled | None:
    value = random.choice(('"hikon"', '"chess"', "3", "[]", '""'))
    return replaced(drawn, 2, f"rules = {value}", value)


@way
def an_option_that_does_not_exist(random: Random, drawn: Drawn) -> Spoiled | None:
    name = random.choice(("best_off", "time_limit", "queen"))
    return in_the_header(drawn, "options", f"{name} = 3", name)


@way
def an_option_of_another_game(random: Random, drawn: Drawn) -> Spoiled | None:
    foreign = [each for each in OPTIONS.values() if drawn.settings.rules not in each.systems]
    option = random.choice(foreign)
    value = option.allowed[0]
    written = str(value).lower() if isinstance(value, bool | int) else f'"{value}"'
    return in_the_header(drawn, "options", f"{option.name} = {written}", option.name)


@way
def an_option_out_of_bounds(random: Random, drawn: Drawn) -> Spoiled | None:
    known = {"shot_clock_s", "time_end", "time_limit_s"} - set(drawn.settings.options)
    if not known:
        return None
    value = random.choice(("-1", '"soon"', "true", "1.5"))
    return in_the_header(drawn, "options", f"{random.choice(sorted(known))} = {value}", value)


@way
def handicaps_where_there_are_none(_random: Random, drawn: Drawn) -> Spoiled | None:
    if drawn.settings.rules in CAROM:
        return None
    head = f"[handicap.{drawn.settings.seats[0]}]"
    number = drawn.text.split("\n").index("---") + 1
    return inserted(drawn, number, head, "handicap")


@way
def seats_that_do_not_go_together(random: Random, drawn: Drawn) -> Spoiled | None:
    settings = drawn.settings
    plain = "colours" not in drawn.text and not settings.names and not settings.handicaps
    if not plain or "direction" in settings.options:
        return None
    value = random.choice(('["N", "E"]', '["N"]', '["N", "N"]', '["N", "S", "E", "W"]', "2"))
    return replaced(drawn, 3, f"seats = {value}", value)


@way
def a_name_for_nobody(random: Random, drawn: Drawn) -> Spoiled | None:
    others = [*other_seats(drawn), "Q"]
    other = random.choice(others)
    return in_the_header(drawn, "names", f'{other} = "Eve"', f"{other} =")


@way
def no_end_of_the_header(_random: Random, drawn: Drawn) -> Spoiled | None:
    lines = drawn.text.split("\n")
    lines.remove("---")
    return Spoiled("\n".join(lines), len(lines), 1)
