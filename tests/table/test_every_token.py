"""Everything a match record can say of hikone can be pressed, whatever buttons a board has.

One table maps each token and directive of a record to the presses that make it. The presses
are words: FOUL and OFF are the box's buttons where there are any, else lines of the menu; UNDO,
FIX and the menu are said as the place says them. Each row is played on seats alone, on the box
alone, on two buttons (OK and UNDO, OK and FIX), and on a page, and the record is compared.

``! forgot``, ``! waive`` and ``! demand`` belong to other systems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from jackspot.core.directives import Entry, Saying
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.record import read_entry_line, read_record, write_entry, write_record
from jackspot.core.rules.hikone import HIKONE
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag, Stroke
from jackspot.table.entries import Kind
from jackspot.table.events import Button, Key, Place
from jackspot.table.signals import Source
from jackspot.table.view import Phase
from tests.table.desk_checks import check_all, watch_the_evidence, watch_the_question
from tests.table.playing import Table

SEATS = [Button(place, key) for place in Place if place.seat for key in (Key.OK, Key.FIX)]
BOX = [Button(Place.REFEREE, key) for key in Key]

CONTROLS: Mapping[str, tuple[str, Sequence[Button]]] = {
    "seats alone": ("N", SEATS),
    "box alone": ("referee", BOX),
    "OK and UNDO": ("referee", [each for each in BOX if each.key in (Key.OK, Key.UNDO)]),
    "OK and FIX": ("referee", [each for each in BOX if each.key in (Key.OK, Key.FIX)]),
    "page": ("page", []),
}
"""What a board has, and where people press there."""


@dataclass(frozen=True)
class Row:
    """Presses and the lines they leave in the record; ``wrote``: entries of the journal."""

    presses: str
    lines: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    handicap: Mapping[str, object] = field(default_factory=dict)
    lineup: str = "NS"
    wrote: tuple[Kind, ...] = ()


NEEDS_ONE = {"pucks_needed": 1}
CALLS, BANKS = {**NEEDS_ONE, "called_pocket": True}, {**NEEDS_ONE, "must_bank": True}
IN = "fall NE; read RED NE; ok"
"""N has one puck in."""

PIECES = {
    f"{piece}@{pocket}": Row(
        f"fall {pocket}; read {piece.upper()} {pocket}; ok", f"N {piece}@{pocket}"
    )
    for piece in HIKONE.pieces
    for pocket in Pocket
}

ROWS: Mapping[str, Row] = {
    **PIECES,
    # pieces
    "red": Row("fix; read RED; ok", "N red"),
    "green": Row("fix; read GREEN; ok", "N green"),
    "jack": Row("fix; read JACK; ok", "N jack"),
    "striker": Row("fix; read STRIKER; ok", "N striker"),
    "red^": Row("off; ok", "N red^"),
    "green^": Row("off; off; ok", "N green^"),
    "jack^": Row("off; off; off; ok", "N jack^"),
    "striker^": Row("off; off; off; off; ok", "N striker^"),
    "a piece that fell and one off": Row("fall SW; read RED SW; off; ok", "N red@SW red^"),
    "in the order they fell": Row(
        "falls NE SW; read RED NE, STRIKER SW; ok", "N red@NE striker@SW"
    ),
    "3*red@NE": Row(
        "fall NE; read RED NE; menu; pick add a piece; pick piece 2: pocket not known;"
        " pick piece 2: flew off; pick add a piece; pick piece 3: pocket not known;"
        " pick piece 3: flew off; pick done; ok",
        "N 3*red@NE",
    ),
    "2*red^": Row(
        "off; menu; pick add a piece; pick piece 2: pocket not known; pick done; ok", "N 2*red^"
    ),
    "several strikers in a mass break": Row(
        "fix; read STRIKER; menu; pick add a piece; pick piece 2: RED; pick piece 2: GREEN;"
        " pick piece 2: JACK; pick done; ok",
        "N striker striker",
        options={"opening": "mass_break"},
    ),
    "another seat shot": Row(
        "fall NE; menu; pick shooter N; pick shooter S, N missed; pick done; read GREEN NE; ok",
        "! turn S\nS green@NE",
    ),
    "a seat missed and nobody pressed": Row(
        "fall NE; menu; pick shooter N; pick done; read S, N missed: GREEN NE; ok",
        "N -\nS green@NE",
    ),
    # nothing fell
    "-": Row("ok", "N -"),
    "- by hand": Row("fix; menu; pick piece 1: remove; pick done; ok", "N -"),
    "not a stroke": Row("fall NE; read NOT A STROKE; ok", "", wrote=(Kind.LINE,)),
    # flags
    "foul": Row("foul; ok", "N foul"),
    "foul with a piece": Row("fall NE; read RED NE; foul; ok", "N foul red@NE"),
    "area": Row("foul; foul; ok", "N area", lineup="NESW"),
    "foul and area": Row("foul; foul; foul; ok", "N foul area", lineup="NESW"),
    "banked": Row(
        f"{IN}; fall SE; read JACK SE; ok; yes; hold ok",
        "N red@NE\nN banked jack@SE",
        handicap=BANKS,
    ),
    "unbanked": Row(
        f"{IN}; fall SE; read JACK SE; ok; no; ok", "N red@NE\nN unbanked jack@SE", handicap=BANKS
    ),
    **{
        f"call@{pocket}": Row(
            f"{IN}; menu; pick call a pocket; pick called {pocket}; fall {pocket};"
            f" read called {pocket}, JACK {pocket}; hold ok",
            f"N red@NE\nN jack@{pocket} call@{pocket}",
            handicap=CALLS,
        )
        for pocket in Pocket
    },
    "call@ after the jack fell": Row(
        f"{IN}; fall SE; read JACK SE; ok; pick called SW; ok",
        "N red@NE\nN jack@SE call@SW",
        handicap=CALLS,
    ),
    "t=": Row("wait 5; ok", "N -", options={"time_limit_s": 300}),
    # directives
    "! undo": Row("ok; undo", "", wrote=(Kind.UNDO,)),
    "! undo twice": Row("ok; ok; undo; undo", "", wrote=(Kind.UNDO, Kind.UNDO)),
    "! redo": Row("ok; undo; ok", "N -", wrote=(Kind.UNDO, Kind.REDO)),
    "! redo from the menu": Row(
        "ok; undo; menu; pick put back what was undone", "N -", wrote=(Kind.UNDO, Kind.REDO)
    ),
    "! time": Row("ok; wait 60", "N -\n! time", options={"time_limit_s": 30}),
    "! placed": Row(f"{IN}; fall SW; read STRIKER SW; ok; ok", "N red@NE\nN striker@SW\n! placed"),
    "! set pocketed": Row(
        "menu; pick correct the counts; pick RED in: 0; pick RED in: 1; pick the table is right",
        "! set red pocketed=1\n! set red pocketed=2",
    ),
    "! set pocketed of the other, down again": Row(
        "menu; pick correct the counts; pick GREEN in: 0; pick! GREEN in: 1;"
        " pick the table is right",
        "! set green pocketed=1\n! set green pocketed=0",
    ),
    "! set owed": Row(
        "menu; pick correct the counts; pick what is owed; pick GREEN owes: 0;"
        " pick the table is right",
        "! set green owed=1",
    ),
    "! set jack=board": Row(
        "menu; pick correct the counts; pick jack is on the board; pick the table is right",
        "! set jack=board",
    ),
    "! turn": Row("menu; pick whose turn; pick turn to S", "! turn S"),
    "! turn to the same seat": Row("menu; pick whose turn; pick turn to N", "! turn N"),
    "! resign": Row("menu; pick resign; pick! S resigns", "! resign S"),
    "! draw": Row("menu; pick! draw", "! draw"),
    "! board": Row(f"{IN}; menu; pick! void the board", "N red@NE\n! board"),
    "! turn after a finished board": Row(
        "menu; pick! draw; menu; pick whose turn; pick turn to N; ok",
        "! draw\n! turn N\nN -",
        options={"best_of": 3},
    ),
    "a stroke after a finished board": Row(
        "menu; pick! draw; ok; ok", "! draw\n! board\nS -", options={"best_of": 3}
    ),
}


class People:
    """Somebody at a board who has nothing but these buttons."""

    def __init__(self, controls: str, row: Row) -> None:
        self.place, buttons = CONTROLS[controls]
        self.keys = {each.key for each in buttons} or set(Key)
        wired: list[Source] = [*Pocket, *buttons]
        handicap = {"N": row.handicap} if row.handicap else None
        self.table = Table(
            wired=wired, page=controls == "page", lineup=row.lineup,
            options=row.options, handicap=handicap,
        )  # fmt: skip
        self.table.watchers += [watch_the_question, watch_the_evidence(self.table)]
        self.table.wait(1.0).ok(self.place).must_be(Phase.READY).wait(6.0)

    def do(self, step: str) -> None:
        """Do one step of a row."""
        word, _, rest = step.strip().partition(" ")
        steps: dict[str, Callable[[], object]] = {
            "ok": lambda: self.table.ok(self.place).wait(6.0),
            "hold": lambda: self.table.hold(self.place, "ok").wait(6.0),
            "yes": lambda: self.table.ok(self.place).wait(1.0),
            "no": self.fix,
            "fix": self.fix,
            "undo": self.undo,
            "menu": self.menu,
            "foul": lambda: self.call(Key.FOUL),
            "off": lambda: self.call(Key.OFF),
            "fall": lambda: self.table.falls_in(rest).wait(1.7).must_be(Phase.REVIEW),
            "falls": lambda: self.table.falls_in(*rest.split()).wait(1.7).must_be(Phase.REVIEW),
            "wait": lambda: self.table.wait(float(rest)),
            "read": lambda: self.read(rest),
            "pick": lambda: self.pick(rest),
            "pick!": lambda: self.pick(rest, held=True),
        }
        steps[word]()

    def fix(self) -> None:
        self.table.press(self.place, "fix" if Key.FIX in self.keys else "undo").wait(0.9)

    def undo(self) -> None:
        if Key.FIX not in self.keys:
            self.table.hold(self.place, "undo")
        elif Key.UNDO in self.keys:
            self.table.press(self.place, "undo")
        else:
            self.table.chord(self.place)
        self.table.wait(3.1)

    def menu(self) -> None:
        """Open the menu; in a review, editing."""
        if Key.FIX in self.keys:
            self.table.hold(self.place, "fix").wait(1.0)
            return
        self.table.down(self.place, "ok").wait(0.02).down(self.place, "undo").wait(1.2)
        self.table.up(self.place, "ok").up(self.place, "undo").wait(1.0)

    def call(self, key: Key) -> None:
        """Press FOUL or OFF; without the button, find it in the menu."""
        if key in self.keys:
            self.table.press(self.place, key).wait(0.9)
            return
        self.menu()
        if self.table.phase is Phase.REVIEW:
            self.pick("menu")
        self.pick("foul" if key is Key.FOUL else "piece off the board")

    def read(self, what: str) -> None:
        for _ in range(8):
            if self.table.proposed == what:
                return
            self.fix()
        raise AssertionError(
            f"{what!r} is not among {[str(e.what) for e in self.table.view.readings]}"
        )

    def pick(self, label: str, *, held: bool = False) -> None:
        for _ in range(40):
            if self.table.item.startswith(label):
                break
            self.fix()
        assert self.table.item.startswith(label), f"{label!r} is not in {self.table.items}"
        if held:
            self.table.hold(self.place, "ok").wait(1.0)
        else:
            self.table.ok(self.place).wait(1.0)


def entered(table: Table) -> list[Entry]:
    """What stands in the record, but for the time used."""
    entries = [entry for line in table.game.lines for entry in line.entries]
    return [replace(e, used_ns=None) if isinstance(e, Stroke) else e for e in entries]


@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("token", ROWS)
def test_everything_a_record_can_say_can_be_pressed(token: str, controls: str) -> None:
    row = ROWS[token]
    people = People(controls, row)
    for step in row.presses.split(";"):
        people.do(step)
    table = people.table
    if table.view.menu is not None:
        table.wait(21.0)
    expected = [read_entry_line(line, RuleSystem.HIKONE) for line in row.lines.splitlines()]
    assert entered(table) == expected, [write_entry(entry) for entry in entered(table)]
    undone = (Kind.UNDO, Kind.REDO)
    assert tuple(kind for kind in table.kinds() if kind in undone) == tuple(
        kind for kind in row.wrote if kind in undone
    )
    for kind in row.wrote:
        assert kind in table.kinds()
    check_all(table)
    assert read_record(table.record).match.state == table.game.match.state


def test_the_record_says_when_a_stroke_was_settled_where_there_is_a_clock() -> None:
    people = People("box alone", ROWS["t="])
    for step in ROWS["t="].presses.split(";"):
        people.do(step)
    assert "N - t=11." in people.table.record


def test_the_next_board_begins_as_a_stroke_alone_would_begin_it() -> None:
    """A record may leave the line out that OK enters after a finished board."""
    row = ROWS["a stroke after a finished board"]
    people = People("box alone", row)
    for step in row.presses.split(";"):
        people.do(step)
    match = people.table.game.match
    shorter = Match.begin(match.settings)
    for entry in [step.entry for step in match.steps if write_entry(step.entry) != "! board"]:
        shorter = shorter.enter(entry)
    assert write_record(shorter.settings, ()) == write_record(match.settings, ())
    assert shorter.state == match.state


# --- the table is whole ----------------------------------------------------------------

OTHER_SYSTEMS = {Saying.FORGOT, Saying.WAIVE, Saying.DEMAND}
FLAGS_NOT_CALLED = {Flag.NOBREAK}


def test_the_table_has_every_piece_pocket_and_flag_of_a_record() -> None:
    tokens = {token for row in ROWS.values() for line in row.lines.splitlines()
              for token in line.split()[1:] if not line.startswith("!")}  # fmt: skip
    pieces = {piece.value for piece in HIKONE.pieces}
    assert HIKONE.pieces == (Piece.RED, Piece.GREEN, Piece.JACK, Piece.STRIKER)
    assert tokens >= pieces | {f"{piece}^" for piece in pieces}
    assert tokens >= {f"{piece}@{pocket}" for piece in pieces for pocket in Pocket}
    assert tokens >= {f"call@{pocket}" for pocket in Pocket}
    assert tokens >= {flag.value for flag in HIKONE.flags}
    assert not {flag.value for flag in FLAGS_NOT_CALLED} & tokens
    assert "-" in tokens
    assert any("*" in token for token in tokens)


def test_the_table_has_every_directive_of_a_record() -> None:
    said = {line.split()[1] for row in ROWS.values() for line in row.lines.splitlines()
            if line.startswith("!")}  # fmt: skip
    said |= {token.split()[1] for token in ROWS if token.startswith("!")}
    sayings = {saying.value for saying in Saying if saying not in OTHER_SYSTEMS}
    assert said == sayings | {"undo", "redo", "set", "turn", "resign"}
