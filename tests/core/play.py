"""Random matches of every rule system: agreements, strokes, directives, undo and redo.

Everything is drawn with a seeded generator. Strokes are drawn from what is on the board, so
that they could have happened. They are far from how people play, and closer to what breaks
rules. Where a stroke still could not have happened, the match refuses it and something simpler
is played instead. :func:`draw_record` draws the text of a record too, with comments and blank
lines as people write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from jackspot.core.agreement import HANDICAPS, OPTIONS, agree
from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.header import write_header
from jackspot.core.match import IllegalEntry, Match, MatchState
from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.position import Position
from jackspot.core.record import Rewind, Said, write_entry
from jackspot.core.rules import RULES, Rules
from jackspot.core.settings import MatchSettings, OptionValue, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

TWO_OR_FOUR = (
    ["N", "S"],
    ["S", "N"],
    ["W", "E"],
    ["N", "E", "S", "W"],
    ["S", "E", "N", "W"],
    ["W", "N", "E", "S"],
)
THREE = (["E", "N", "S"], ["N", "W", "S"], ["S", "N", "E"], ["W", "E", "N"])
POCKETS = tuple(Pocket)
NUMBERS: Mapping[str, tuple[int, ...]] = {
    "striker_penalty": (0, 1, 2),
    "jack_penalty": (0, 2, 3, 5),
    "time_limit_s": (0, 60, 300),
    "break_attempts": (1, 2, 3),
    "best_of": (1, 2, 3, 5),
    "target": (1, 5, 9, 25),
    "max_boards": (0, 1, 2, 8),
    "queen_points": (0, 1, 3, 5, 50),
    "queen_cap": (0, 1, 4, 22),
    "head_start": (1, 4, 11),
    "pucks_needed": (1, 6, 12),
}
"""Values worth trying for the options and handicaps that allow very many."""


# what was agreed


def draw_settings(random: Random, system: RuleSystem, *, usual: bool = False) -> MatchSettings:
    """Draw an agreement; ``usual`` leaves every option but the length at its default."""
    facts = RULES[system].facts
    seats = random.choice([each for each in TWO_OR_FOUR + THREE if len(each) in facts.seats])
    options: dict[str, Any] = {"best_of": random.choice((1, 1, 3, 5))}
    data: dict[str, Any] = {"rules": system.value, "seats": seats, "options": options}
    if usual:
        return agree(data)
    for name, option in OPTIONS.items():
        if system in option.systems and name != "direction" and random.random() < 0.25:
            options[name] = draw_value(random, name, option.allowed)
    if len(seats) == 4 and random.random() < 0.2:
        options["direction"] = "cw" if Seat(seats[0]).clockwise == seats[1] else "ccw"
    if random.random() < 0.2:
        data["colours"] = {seats[0]: RULES[system].sides[1].value}
    if random.random() < 0.3:
        data["names"] = {random.choice(seats): random.choice(("愛子", 'Ben "# the elder"', "S"))}
    if facts.handicaps:
        data["handicap"] = draw_handicaps(random, random.choice(seats))
    return agree(data)


def draw_value(random: Random, name: str, allowed: tuple[OptionValue, ...] | range) -> OptionValue:
    """Draw a value of an option or a handicap."""
    return random.choice(NUMBERS.get(name, tuple(allowed)))


def draw_handicaps(random: Random, seat: str) -> dict[str, dict[str, OptionValue]]:
    """Draw some handicaps that go together for a seat, or none."""
    given = {
        name: draw_value(random, name, allowed)
        for name, allowed in HANDICAPS.items()
        if random.random() < 0.15
    }
    if "head_start" in given:
        given.pop("pucks_needed", None)
    if given.get("second_chance_on_jack"):
        given["second_chance"] = True
    return {seat: given} if given else {}


# strokes


def lying_there(state: MatchState) -> Position:
    """Return the position that the next stroke meets: the next board's, after a finished one."""
    if state.result is None:
        return state.position
    opener = state.standing.opener
    assert opener is not None
    return RULES[state.settings.rules].opening(state.settings, state.boards, opener)


def draw_stroke(random: Random, state: MatchState) -> Stroke:
    """Draw a stroke of the seat in turn from what is on the board."""
    assert state.next is not None
    settings, position = state.settings, lying_there(state)
    rules = RULES[settings.rules]
    there = rules.on_board(position)
    if Flag.NOBREAK in rules.flags and state.ruling is None and random.random() < 0.4:
        striker = (Departure(Piece.STRIKER),) if random.random() < 0.2 else ()
        return Stroke(state.next, striker, frozenset({Flag.NOBREAK}))
    wanted = draw_pieces(random, there, rules.own(position), rules.red)
    departures = tuple(draw_departure(random, settings, piece) for piece in wanted)
    flags, called = draw_flags(random, settings, position, wanted)
    used_ns = random.randrange(10**12) if random.random() < 0.1 else None
    return Stroke(state.next, departures, flags, called, used_ns)


def draw_pieces(
    random: Random, there: Mapping[Piece, int], own: frozenset[Piece], red: Piece
) -> list[Piece]:
    """Draw what left the board: at times only own pieces, the jack or queen, the last of a kind."""
    few = [piece for piece, count in there.items() if 0 < count <= 2 and piece is not red]
    if few and random.random() < 0.25:
        last = random.sample(few, random.randint(1, len(few)))
        last += [red] * (bool(there[red]) and random.random() < 0.4)
        drawn = [piece for piece in last for _ in range(there[piece])]
        return drawn + [Piece.STRIKER] * (random.random() < 0.3)
    lying = [piece for piece, count in there.items() for _ in range(count)]
    if random.random() < 0.35:
        lying = [piece for piece in lying if piece in own] or lying
    else:
        lying += [Piece.STRIKER] * 2
    count = random.choices((0, 1, 2, 3, 7), (25, 45, 18, 9, 3))[0]
    drawn = random.sample(lying, min(count, len(lying)))
    if drawn.count(Piece.STRIKER) > 1:
        drawn.remove(Piece.STRIKER)
    if there.get(red) and red not in drawn and random.random() < 0.08:
        drawn.insert(random.randint(0, len(drawn)), red)
    return drawn


def draw_departure(random: Random, settings: MatchSettings, piece: Piece) -> Departure:
    """Let a piece fall, or fly off; the pocket is named unless it may be left out."""
    if random.random() < 0.12:
        return Departure(piece, flew_off=True)
    may_be_left_out = not (
        is_agreed(settings, "own_side_pockets", value=False)
        or any(each.called_pocket for each in settings.handicaps.values())
    )
    return Departure(
        piece, None if may_be_left_out and random.random() < 0.3 else random.choice(POCKETS)
    )


def draw_flags(
    random: Random, settings: MatchSettings, position: Position, wanted: list[Piece]
) -> tuple[frozenset[Flag], Pocket | None]:
    """Draw what a referee says, with the answers that a handicap asks for."""
    flags, called = set(), None
    if random.random() < 0.06:
        flags.add(Flag.FOUL)
    if Flag.AREA in RULES[settings.rules].flags and random.random() < 0.04:
        flags.add(Flag.AREA)
    handicap = settings.handicaps.get(settings.sides[position.seat])
    if handicap and (Piece.JACK in wanted or random.random() < 0.1):
        if handicap.must_bank:
            flags.add(random.choice((Flag.BANKED, Flag.UNBANKED)))
        if handicap.called_pocket:
            called = random.choice(POCKETS)
    return frozenset(flags), called


# directives


def draw_directive(random: Random, state: MatchState) -> Directive:
    """Draw any directive, whether or not it may be said now."""
    rules = RULES[state.settings.rules]
    seat: Seat = random.choice(state.settings.seats)
    sayings = (Saying.PLACED, Saying.TIME, Saying.DRAW, Saying.BOARD, Saying.WAIVE, Saying.FORGOT)
    kind = random.randrange(10)
    if kind < 3:
        return Say(random.choice(sayings))
    if kind < 5:
        return GiveTurn(seat)
    if kind < 6:
        return Resign(seat)
    return draw_correction(random, rules, state.position)


def draw_correction(random: Random, rules: Rules, position: Position) -> Directive:
    """Draw a count, or where the jack or queen is, as a referee may correct it."""
    side: Side = random.choice(position.sides)
    kind = random.randrange(4)
    if kind == 0:
        return SetOwed(side, random.randrange(4))
    if kind == 1:
        if rules.red is Piece.JACK:
            return SetRed(RedPlace.BOARD)
        place = random.choice((RedPlace.BOARD, RedPlace.PENDING, RedPlace.COVERED))
        whose = None if place is RedPlace.BOARD else side
        return SetRed(place, whose, rules.red)
    return SetPocketed(side, random.randrange(position.pieces_each + 1))


def draw_reply(random: Random, state: MatchState) -> Directive | None:
    """Draw what may be said right after a stroke: forgotten, waived, demanded."""
    if state.result is not None:
        return Say(Saying.DEMAND) if random.random() < 0.3 else None
    if not state.place or random.random() > 0.2:
        return None
    return Say(random.choice((Saying.FORGOT, Saying.WAIVE, Saying.PLACED)))


# matches


def play(random: Random, match: Match, entries: int, *, directives: bool = True) -> Iterator[Match]:
    """Yield the match after each of some entries that could have happened."""
    for _ in range(entries):
        if match.state.over:
            return
        drawn: Stroke | Directive | None = None
        if directives:
            drawn = draw_reply(random, match.state)
            if drawn is None and random.random() < 0.04:
                drawn = draw_directive(random, match.state)
        after = entered(match, drawn or draw_stroke(random, match.state))
        if after is None:
            assert match.state.next is not None
            after = match.enter(Stroke(match.state.next))
        match = after
        yield match


def entered(match: Match, entry: Stroke | Directive) -> Match | None:
    """Enter what may be impossible; return None if the match refuses it."""
    try:
        return match.enter(entry)
    except IllegalEntry:
        return None


# records


@dataclass(frozen=True)
class Line:
    """One line of a record: its number in the file, what it says, the match that it meets."""

    number: int
    said: Said
    before: Match


@dataclass(frozen=True)
class Drawn:
    """A random record: its text, its lines, and the match that they come to."""

    settings: MatchSettings
    text: str
    lines: tuple[Line, ...]
    match: Match


def draw_record(random: Random, system: RuleSystem, entries: int, *, usual: bool = False) -> Drawn:
    """Draw a valid record, with undo and redo, comments and blank lines."""
    settings = draw_settings(random, system, usual=usual)
    match = Match.begin(settings)
    text = [*write_header(settings).splitlines(), "---"]
    lines: list[Line] = []

    def write(said: Said, before: Match) -> None:
        if random.random() < 0.1:
            text.append(random.choice(("", "   ", "# a comment", "\t# 愛")))
        indent = "  " if random.random() < 0.05 else ""
        tail = "   # N red, ! undo" if random.random() < 0.1 else ""
        text.append(indent + write_entry(said) + tail)
        lines.append(Line(len(text), said, before))

    while len(lines) < entries:
        before = match
        if match.undone and random.random() < 0.5:
            match = match.redo()
            write(Rewind.REDO, before)
        elif match.steps and (before.state.over or random.random() < 0.05):
            if before.state.over and random.random() < 0.5:
                break
            match = match.undo()
            write(Rewind.UNDO, before)
        else:
            after = next(play(random, match, 1))
            write(after.steps[-1].entry, before)
            match = after
    return Drawn(settings, "\n".join(text) + "\n", tuple(lines), match)
