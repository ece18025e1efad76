"""One entry as one line of text: ``N red@NE green``, ``! set red owed=2``.

This is a line of a match record, and what the journal stores of a stroke. Reading a line finds
everything that is wrong with its form; whether it can have happened is for the match to decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import groupby

from msgspec import Struct

from jackspot.core.agreement import nearest
from jackspot.core.directives import (
    Directive,
    Entry,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import IllegalEntry
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.rules import Rules, rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Flag, Stroke


class Rewind(StrEnum):
    """The two lines that act on the list of entries, not on a board."""

    UNDO = "undo"
    REDO = "redo"


Said = Entry | Rewind
"""What one line of a record says."""


class Token(Struct, frozen=True):
    """A word of a line and its column, from 1, in code points."""

    text: str
    column: int


class LineFlaw(Struct, frozen=True):
    """Something wrong with a line, and where."""

    column: int
    message: str


class UnreadableLine(ValueError):
    """A line that is not an entry; ``flaws`` has everything that is wrong with it."""

    def __init__(self, flaws: list[LineFlaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("; ".join(f"column {flaw.column}: {flaw.message}" for flaw in flaws))


class ReadLine(Struct, frozen=True):
    """A line that was read: what it says, and where its parts are."""

    said: Said
    tokens: tuple[Token, ...]
    departure_tokens: tuple[int, ...] = ()
    """For each departure of a stroke the index of its token."""

    def column_of(self, error: IllegalEntry) -> int:
        """Return the column that an error of the game refers to."""
        if error.departure is not None:
            return self.tokens[self.departure_tokens[error.departure]].column
        if error.flag is not None:
            matching = (t for t in self.tokens[1:] if t.text.split("@")[0] == error.flag)
            return next(matching, self.tokens[0]).column
        if isinstance(self.said, GiveTurn | Resign) and error.seat:
            return self.tokens[-1].column
        return self.tokens[-1 if error.argument else 0].column


def read_line(
    text: str, rules: Rules | None, settings: MatchSettings | None = None
) -> ReadLine | None:
    """Read one line; None if it is blank or a comment. Raises :class:`UnreadableLine`.

    Without ``rules`` the words of any system are accepted, without ``settings`` any seat and count.
    """
    code = text.split("#", 1)[0]
    tokens = tuple(Token(m.group(), m.start() + 1) for m in re.finditer(r"\S+", code))
    if not tokens:
        return None
    if tokens[0].text.startswith("!"):
        return _read_directive(tokens, rules, settings)
    return _StrokeReader(tokens, rules, settings).read()


def write_entry(said: Said) -> str:
    """Return an entry in canonical form."""
    if isinstance(said, Stroke):
        return _write_stroke(said)
    match said:
        case Rewind():
            words = str(said)
        case Say(what):
            words = str(what)
        case GiveTurn(seat):
            words = f"turn {seat}"
        case Resign(seat):
            words = f"resign {seat}"
        case SetPocketed(side, count):
            words = f"set {side} pocketed={count}"
        case SetOwed(side, count):
            words = f"set {side} owed={count}"
        case SetRed(place, None):
            words = f"set {said.red}={place}"
        case SetRed(place, side):
            words = f"set {said.red}={place}:{side}"
    return f"! {words}"


def _write_stroke(stroke: Stroke) -> str:
    words = [str(stroke.seat)]
    for token, same in groupby(str(departure) for departure in stroke.departures):
        count = len(list(same))
        words.append(token if count == 1 else f"{count}*{token}")
    words += [str(flag) for flag in Flag if flag in stroke.flags]
    if stroke.called:
        words.append(f"call@{stroke.called}")
    if len(words) == 1:
        words.append("-")
    if stroke.used_ns is not None:
        seconds, rest = divmod(stroke.used_ns, 1_000_000_000)
        words.append(f"t={seconds}" + f".{rest:09}".rstrip("0").rstrip("."))
    return " ".join(words)


_PIECE = re.compile(
    r"(?:(?P<count>[0-9]+)\*)?(?P<piece>[a-z]+)(?:@(?P<pocket>[A-Za-z]*))?(?P<off>\^)?"
)
_SECONDS = re.compile(r"(?P<whole>[0-9]{1,9})(?:\.(?P<part>[0-9]{1,9})[0-9]*)?")
_MOST = 99
"""More of one piece than any board has; keeps a typing error from becoming a long list."""


class _StrokeReader:
    """Read ``SEAT CONTENT [t=SECONDS]`` and collect what is wrong with it."""

    def __init__(
        self, tokens: tuple[Token, ...], rules: Rules | None, settings: MatchSettings | None
    ) -> None:
        self.tokens = tokens
        self.settings = settings
        self.pieces = tuple(rules.pieces) if rules else tuple(Piece)
        self.most = _most_of(settings)
        self.flags_known = rules.flags if rules else frozenset(Flag)
        self.system = rules.id if rules else None
        self.flaws: list[LineFlaw] = []
        self.departures: list[Departure] = []
        self.departure_tokens: list[int] = []
        self.flags: set[Flag] = set()
        self.called: Pocket | None = None
        self.used_ns: int | None = None
        self.dash: Token | None = None

    def read(self) -> ReadLine:
        seat = _read_seat(
            self.tokens[0], self.flaws, self.settings, "a stroke begins with its seat"
        )
        for index, token in enumerate(self.tokens[1:], start=1):
            self.content(index, token)
        if self.dash and (self.departures or self.flags or self.called):
            self.flaw(self.dash, "'-' says that nothing happened: only t= may stand beside it")
        if not (self.dash or self.departures or self.flags or self.called or self.flaws):
            self.flaw(self.tokens[0], "the stroke is empty; '-' says that nothing fell")
        if self.flaws or seat is None:
            raise UnreadableLine(self.flaws)
        stroke = Stroke(
            seat, tuple(self.departures), frozenset(self.flags), self.called, self.used_ns
        )
        return ReadLine(stroke, self.tokens, tuple(self.departure_tokens))

    def flaw(self, token: Token, message: str) -> None:
        self.flaws.append(LineFlaw(token.column, message))

    def content(self, index: int, token: Token) -> None:
        """Read one word after the seat."""
        text = token.text
        if text == "-":
            if self.dash:
                self.flaw(token, "'-' stands once")
            self.dash = token
        elif text.startswith("t="):
            self.time(index, token)
        elif text == "call" or text.startswith("call@"):
            self.call(token)
        elif text in list(Flag):
            self.flag(token, Flag(text))
        else:
            self.piece(index, token)

    def time(self, index: int, token: Token) -> None:
        said = _SECONDS.fullmatch(token.text[2:])
        if said is None:
            self.flaw(token, f"expected seconds such as t=12.5, found {token.text}")
        elif index != len(self.tokens) - 1:
            self.flaw(token, "t= stands last")
        else:
            part = (said["part"] or "").ljust(9, "0")
            self.used_ns = int(said["whole"]) * 1_000_000_000 + int(part)

    def call(self, token: Token) -> None:
        pocket = token.text.removeprefix("call").removeprefix("@")
        if pocket not in list(Pocket):
            self.flaw(token, f"expected call@ and {_or(Pocket)}, found {token.text}")
        elif self.called:
            self.flaw(token, "'call@' stands twice")
        else:
            self.called = Pocket(pocket)

    def flag(self, token: Token, flag: Flag) -> None:
        if flag not in self.flags_known:
            known = ", ".join(each for each in Flag if each in self.flags_known)
            self.flaw(token, f"{self.system} has no flag '{flag}'; it has {known}")
        elif flag in self.flags:
            self.flaw(token, f"'{flag}' stands twice")
        else:
            self.flags.add(flag)

    def piece(self, index: int, token: Token) -> None:
        said = _PIECE.fullmatch(token.text)
        if said is None or said["piece"] not in self.pieces:
            self.unknown(token, said["piece"] if said else token.text)
            return
        count = int(said["count"].lstrip("0")[:9] or "0") if said["count"] else 1
        pocket = said["pocket"]
        if not 1 <= count <= _MOST:
            self.flaw(token, f"expected a count from 1 to {_MOST}, found {said['count']}")
        elif pocket is not None and pocket not in list(Pocket):
            self.flaw(token, f"expected a pocket {_or(Pocket)} after '@', found '{pocket}'")
        elif pocket is not None and said["off"]:
            self.flaw(token, "a piece that left the board ('^') has no pocket ('@')")
        else:
            departure = Departure(
                Piece(said["piece"]), Pocket(pocket) if pocket else None, bool(said["off"])
            )
            self.departures += [departure] * count
            self.departure_tokens += [index] * count
            gone = sum(each.piece is departure.piece for each in self.departures)
            if gone > (most := self.most.get(departure.piece, gone)):
                self.flaw(token, f"too many {departure.piece} pieces: a board has {most}")

    def unknown(self, token: Token, word: str) -> None:
        words = [*self.pieces, *(flag for flag in Flag if flag in self.flags_known)]
        if word in list(Piece) and self.system:
            pieces = ", ".join(self.pieces)
            self.flaw(token, f"{self.system} has no piece '{word}'; it has {pieces}")
        else:
            self.flaw(
                token, f"expected a piece or a flag, found '{token.text}'; {nearest(word, words)}"
            )


def _or(words: type[StrEnum]) -> str:
    *others, last = list(words)
    return f"{', '.join(others)} or {last}"


def _read_seat(
    token: Token, flaws: list[LineFlaw], settings: MatchSettings | None, why: str
) -> Seat | None:
    message = f"{why}: expected {_or(Seat)}, found '{token.text}'"
    if token.text in list(Seat):
        if settings is None or token.text in settings.seats:
            return Seat(token.text)
        message = f"{token.text} does not play; the seats are {', '.join(settings.seats)}"
    flaws.append(LineFlaw(token.column, message))
    return None


def _read_directive(
    tokens: tuple[Token, ...], rules: Rules | None, settings: MatchSettings | None
) -> ReadLine:
    """Read ``! WORD ARGUMENTS``; the blank after the exclamation mark is optional."""
    first = tokens[0]
    if first.text == "!":
        rest = tokens[1:]
    else:
        rest = (Token(first.text[1:], first.column + 1), *tokens[1:])
    if not rest:
        raise UnreadableLine([LineFlaw(first.column, "a directive is missing after '!'")])
    word, arguments = rest[0], rest[1:]
    known = [*Rewind, *Saying, "turn", "resign", "set"]
    if word.text not in known:
        message = f"unknown directive '{word.text}'; {nearest(word.text, known)}"
        raise UnreadableLine([LineFlaw(word.column, message)])
    if word.text == "set":
        return ReadLine(_read_set(word, arguments, rules, settings), tokens)
    if word.text in ("turn", "resign"):
        seat = _read_only_seat(word, arguments, settings)
        return ReadLine(GiveTurn(seat) if word.text == "turn" else Resign(seat), tokens)
    if arguments:
        message = f"nothing follows '! {word.text}', found '{arguments[0].text}'"
        raise UnreadableLine([LineFlaw(arguments[0].column, message)])
    if word.text in list(Rewind):
        return ReadLine(Rewind(word.text), tokens)
    return ReadLine(Say(Saying(word.text)), tokens)


def _read_only_seat(
    word: Token, arguments: tuple[Token, ...], settings: MatchSettings | None
) -> Seat:
    """Read the one seat that follows ``! turn`` and ``! resign``."""
    if len(arguments) != 1:
        column = arguments[1].column if arguments else word.column
        message = f"expected one seat after '! {word.text}': {_or(Seat)}"
        raise UnreadableLine([LineFlaw(column, message)])
    flaws: list[LineFlaw] = []
    seat = _read_seat(arguments[0], flaws, settings, f"'! {word.text}' names a seat")
    if seat is None:
        raise UnreadableLine(flaws)
    return seat


def _most_of(settings: MatchSettings | None) -> Mapping[str, int]:
    """Return how many of each kind a board has, except strikers, whose number is agreed."""
    if settings is None:
        return {}
    rules = rules_for(settings.rules)
    kinds = (each for each in rules.pieces if each is not Piece.STRIKER)
    return {each: 1 if each is rules.red else rules.facts.men for each in kinds}


_SET_COUNT = re.compile(r"(?P<what>pocketed|owed)=(?P<count>[0-9]{1,3})")
_SET_RED = re.compile(r"(?P<red>jack|queen)=(?P<place>[a-z]+)(?::(?P<side>[a-z]+))?")


def _read_set(
    word: Token, arguments: tuple[Token, ...], rules: Rules | None, settings: MatchSettings | None
) -> Directive:
    """Read what follows ``! set``."""
    sides = rules.sides if rules else tuple(Side)
    red = rules.red if rules else None
    if not arguments:
        raise UnreadableLine(
            [
                LineFlaw(
                    word.column, "expected what to set: SIDE pocketed=N, SIDE owed=N, jack=board"
                )
            ]
        )
    first = arguments[0]
    about_red = _SET_RED.fullmatch(first.text)
    taken = 1 if about_red or "=" in first.text else 2
    if len(arguments) > taken:
        extra = arguments[taken]
        raise UnreadableLine(
            [LineFlaw(extra.column, f"'! set' sets one thing, found '{extra.text}' as well")]
        )
    if about_red:
        return _set_red(first, about_red, sides, red)
    if first.text not in sides:
        raise UnreadableLine(
            [
                LineFlaw(
                    first.column,
                    f"expected {', '.join(sides)} or {red or 'jack'}=board, found '{first.text}'",
                )
            ]
        )
    said = _SET_COUNT.fullmatch(arguments[1].text) if len(arguments) == 2 else None
    if said is None:
        place = arguments[-1]
        raise UnreadableLine(
            [LineFlaw(place.column, f"expected pocketed=N or owed=N, found '{place.text}'")]
        )
    side, count = Side(first.text), int(said["count"])
    if said["what"] == "owed":
        return SetOwed(side, count)
    kinds = _most_of(settings)
    most = kinds.get(side, sum(kinds.values()))  # a side that owns no colour may have all
    if kinds and count > most:
        message = f"{side} has {most} pieces, not {count}"
        raise UnreadableLine([LineFlaw(arguments[1].column, message)])
    return SetPocketed(side, count)


def _set_red(
    token: Token, said: re.Match[str], sides: tuple[Side, ...], red: Piece | None
) -> SetRed:
    """Return the directive for ``jack=board`` or ``queen=covered:white``."""
    flaw = None
    needs_side = said["place"] in (RedPlace.PENDING, RedPlace.COVERED)
    if red is not None and said["red"] != red:
        flaw = f"expected {red}=..., found {said['red']}=..."
    elif said["red"] == "jack" and token.text != "jack=board":
        flaw = f"expected jack=board, found {token.text}"
    elif said["place"] not in (RedPlace.BOARD, RedPlace.PENDING, RedPlace.COVERED) or (
        needs_side != (said["side"] in sides)
    ):
        flaw = f"expected queen=board, queen=pending:SIDE or queen=covered:SIDE, found {token.text}"
    if flaw:
        raise UnreadableLine([LineFlaw(token.column, flaw)])
    side = Side(said["side"]) if needs_side else None
    return SetRed(RedPlace(said["place"]), side, Piece(said["red"]))
