"""What the board writes down: the kinds of journal entries, as values and as JSON.

The journal is a list of these, in order; the dialogue is their fold
(:mod:`jackspot.dialogue.restart.restoring`). Strokes and directives are written in it as lines of
the match record, so a person can read a journal too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall, Pulse, Shake
from jackspot.values import changed

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


class EntryKind(StrEnum):
    """The kinds of entries."""

    MATCH = "match"
    """A match starts: ``header`` (the header of a match record), and if so, ``order``, ``gong``."""
    FALL = "fall"
    """Something fell: ``number``, ``pocket``, ``pulses`` ([[start_ns, end_ns], ...])."""
    LINE = "line"
    """People confirmed: ``entries`` (record lines), ``falls`` (numbers), ``rows``, and ``by``
    (a wire; null: the reading settled itself)."""
    JOIN = "join"
    """``entries`` that belong to the last line: placed, or time beside its stroke."""
    AGREED = "agreed"
    """Somebody said that the line that entered itself is right: ``wire``."""
    UNDO = "undo"
    """The last line was taken back; with ``entries`` only that many of its last entries."""
    REDO = "redo"
    """The line taken back last was put back."""
    LEFT_OUT = "left_out"
    """Lines that will not be entered again: their ``entries``, and their ``falls``."""
    SHELVE = "shelve"
    """The match was put aside, over or not: ``why``."""
    DISCARD = "discard"
    """The match was taken back before its first stroke."""
    BACK = "back"
    """The match put aside last is on the board again."""
    DESK = "desk"
    """What is open: phase, proposals, placing, menu, plan, time used."""
    CLOCK = "clock"
    """Time used: ``used_ns``."""
    TIME_UP = "time_up"
    """The instant of 0:00."""
    BOARD_END = "board_end"
    """A board is over: ``winner``, ``how``, ``points``."""
    MATCH_END = "match_end"
    """A match is over: ``winner``, ``points``, ``boards_won``."""
    CLEARING = "clearing"
    """Falls that belong to no stroke: pieces are cleared away, or a sensor is tried."""
    SWALLOWED = "swallowed"
    """A press that did nothing: ``wire``, ``why``."""
    STOOD_IN = "stood_in"
    """A seat settled by holding OK because nobody who may had answered: ``wire``."""
    OBJECTION = "objection"
    """A seat that may not decide pressed FIX: ``wire``."""
    TIME_OUT = "time_out"
    """A side asked for a time-out: ``side``; the clock stops until somebody resumes play."""
    GONG = "gong"
    """The common start of a clock that was armed."""
    SHUTDOWN = "shutdown"
    """Somebody asked the board to be switched off in order."""
    CALIBRATION = "calibration"
    """Somebody asked for a calibration: the board lets go of its wires for it, then comes back."""
    NEW_PIN = "new_pin"
    """Somebody asked for a new PIN of the referee's page; the PIN itself is not written down."""
    HALL = "hall"
    """Somebody set the board's ``number`` in its hall, or ``left`` it: true, or false to rejoin."""
    RESTORED = "restored"
    """The journal goes on from a backup, or from the part of it that was still good.

    The numbers that follow have been used before, so from this entry on the journal has a new name.
    """
    FAULT = "fault"
    """Something is wrong: ``part``, ``trouble``, ``detail``."""
    FAILED = "failed"
    """The program failed on an event and changed nothing: ``event``, ``phase``, ``trace``."""
    CLEARED = "cleared"
    """The fault is over: ``part``, ``trouble``."""


UNCONFIRMED = frozenset({EntryKind.FALL, EntryKind.DESK, EntryKind.SWALLOWED})
"""What happened, and what people are about to make of it; nobody has confirmed it yet."""


class JournalEntry(Struct, frozen=True):
    """One entry. ``at_ns`` is the monotonic instant, ``body`` plain JSON values."""

    kind: EntryKind
    at_ns: int
    body: Mapping[str, Json]


def fall_body(fall: Fall) -> dict[str, Json]:
    """Return a fall as JSON; what was heard and seen of it only where there is something."""
    body: dict[str, Json] = {
        "number": fall.number,
        "pocket": fall.pocket.value,
        "pulses": [[pulse.start_ns, pulse.end_ns] for pulse in fall.pulses],
    }
    if fall.heard is not None:
        body["heard"] = [
            [
                each.at_ns,
                list(each.peaks),
                "".join(side.value for side in each.sides),
                *([True] if each.strange else []),
            ]
            for each in fall.heard
        ]
    if fall.seen:
        body["seen"] = [
            [(each.at_ns - fall.start_ns) // 1_000, each.red, each.green, each.blue, each.dark]
            for each in fall.seen
        ]
    if fall.by_head:
        body["by_head"] = True
    return body


def read_fall(body: Mapping[str, Json]) -> Fall:
    """Return the fall that JSON describes; ValueError says what is wrong with it."""
    number, name, pulses = body.get("number"), body.get("pocket"), body.get("pulses")
    if not isinstance(number, int) or not isinstance(pulses, list) or not pulses:
        raise ValueError(f"a fall needs a number and its pulses, found {dict(body)!r}")
    pocket, heard = Pocket(str(name)), body.get("heard")
    if not isinstance(heard, list | None):
        raise ValueError(f"what was heard before a fall is a list, found {heard!r}")
    shakes = None if heard is None else tuple(_shake(each) for each in heard)
    by_head = body.get("by_head", False)
    if not isinstance(by_head, bool):
        raise ValueError(f"by_head is true or false, found {by_head!r}")
    fall = Fall(
        number, pocket, tuple(_pulse(pocket, pair) for pair in pulses), shakes, by_head=by_head
    )
    seen = body.get("seen", [])
    if not isinstance(seen, list):
        raise ValueError(f"what was seen of a fall is a list, found {seen!r}")
    return changed(fall, seen=tuple(_frame(fall, each) for each in seen)) if seen else fall


def _frame(fall: Fall, told: Json) -> ColourSeen:
    match told:
        case [int() as after_us, int() as red, int() as green, int() as blue, int() as dark] if (
            0 <= min(red, green, blue, dark) <= max(red, green, blue, dark) <= HIGHEST
        ):
            at_ns = fall.start_ns + after_us * 1_000
            return ColourSeen(at_ns, fall.pocket, red, green, blue, dark)
        case _:
            raise ValueError(f"a frame is [after_us, red, green, blue, dark], found {told!r}")


def _shake(told: Json) -> Shake:
    match told:
        case [
            int() as at_ns, [int() as n, int() as e, int() as s, int() as w], str() as sides,
            *strange,
        ] if strange in ([], [True]):  # fmt: skip
            discs = tuple(Seat(side) for side in sides)
            return Shake(at_ns, at_ns, (n, e, s, w), 1, discs, strange=bool(strange))
        case _:
            raise ValueError(f"a shake is [at_ns, [n, e, s, w], sides], found {told!r}")


def _pulse(pocket: Pocket, pair: Json) -> Pulse:
    match pair:
        case [int() as start_ns, int() as end_ns] if start_ns <= end_ns:
            return Pulse(pocket, start_ns, end_ns)
        case _:
            raise ValueError(f"a pulse is [start_ns, end_ns], found {pair!r}")


def check(kind: str, body: Mapping[str, Json]) -> None:
    """Check an entry when it is written and when it is read; ValueError says what is wrong."""
    needed = _NEEDED.get(EntryKind(kind), {})
    for key, kinds in needed.items():
        if not isinstance(body.get(key), kinds):
            names = " or ".join(each.__name__ for each in kinds)
            raise ValueError(f"entry {kind!r} needs {key!r} as {names}, found {body.get(key)!r}")
    if kind == EntryKind.FALL:
        read_fall(body)


_NEEDED: Mapping[EntryKind, Mapping[str, tuple[type, ...]]] = {
    EntryKind.MATCH: {"header": (str,)},
    EntryKind.FALL: {"number": (int,), "pocket": (str,), "pulses": (list,)},
    EntryKind.LINE: {"entries": (list,), "falls": (list,)},
    EntryKind.JOIN: {"entries": (list,)},
    EntryKind.LEFT_OUT: {"entries": (list,), "falls": (list,)},
    EntryKind.SHELVE: {"why": (str,)},
    EntryKind.DESK: {"phase": (str,), "used_ns": (int,)},
    EntryKind.CLOCK: {"used_ns": (int,)},
    EntryKind.SWALLOWED: {"wire": (str,), "why": (str,)},
    EntryKind.AGREED: {"wire": (str,)},
    EntryKind.TIME_OUT: {"side": (str,)},
    EntryKind.FAULT: {"part": (str,), "trouble": (str,)},
    EntryKind.FAILED: {"event": (str,), "trace": (str,)},
    EntryKind.CLEARED: {"part": (str,), "trouble": (str,)},
}
