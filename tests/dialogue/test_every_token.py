"""Everything a match record can say can be pressed, in every system, with any buttons.

:mod:`tests.dialogue.token_rows` maps each token and directive of a record to the presses that make
it. Each row is played on seats alone, on the box alone, on two buttons (OK and UNDO, OK and FIX),
and on a page, and the record is compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import pytest

from jackspot.core.directives import Entry, Say, Saying
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.record import read_entry_line, read_record, write_entry, write_record
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Button, Key, Place
from jackspot.sensing.signals import Source
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table
from tests.dialogue.token_rows import ROWS, Row

SEATS = [Button(place, key) for place in Place if place.seat for key in (Key.OK, Key.FIX)]
BOX = [Button(Place.REFEREE, key) for key in Key]

CONTROLS: Mapping[str, tuple[str, Sequence[Button]]] = {
    "seats alone": ("N", SEATS),
    "box alone": ("referee", BOX),
    "OK and UNDO": ("referee", [each for each in BOX if each.key in (Key.OK, Key.UNDO)]),
    "OK and FIX": ("referee", [each for each in BOX if each.key in (Key.OK, Key.FIX)]),
    "page": ("page", []),
}
"""Where people press on each board, and the buttons it has."""


Agreed = tuple[tuple[str, object], ...]


@cache
def begun(
    controls: str, rules: RuleSystem, lineup: str, options: Agreed, handicap: Agreed
) -> Table:
    """Return a board whose match has just begun; tests go on with copies of it."""
    place, buttons = CONTROLS[controls]
    wired: list[Source] = [*Pocket, *buttons]
    table = Table(
        wired=wired, page=controls == "page", lineup=lineup, options=dict(options),
        handicap={"N": dict(handicap)} if handicap else None, rules=rules.value,
    )  # fmt: skip
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table.wait(1.0).ok(place).must_be(Phase.READY).wait(6.0)


class People:
    """Somebody at a board who has nothing but these buttons."""

    def __init__(self, controls: str, row: Row, rules: RuleSystem = RuleSystem.HIKONE) -> None:
        self.place, buttons = CONTROLS[controls]
        self.keys = {each.key for each in buttons} or set(Key)
        options, handicap = tuple(row.options.items()), tuple(row.handicap.items())
        self.table = begun(controls, rules, row.lineup, options, handicap).another()
        self.table.watchers = [watch_the_question, watch_the_evidence(self.table)]

    def do(self, step: str) -> None:
        """Do one step of a row."""
        word, _, rest = step.strip().partition(" ")
        if word == "them":
            self.as_them(rest)
            return
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
            "drop": lambda: self.table.falls_in(rest).wait(1.7),
            "falls": lambda: self.table.falls_in(*rest.split()).wait(1.7).must_be(Phase.REVIEW),
            "wait": lambda: self.table.wait(float(rest)),
            "read": lambda: self.read(rest),
            "pick": lambda: self.pick(rest),
            "pick!": lambda: self.pick(rest, held=True),
        }
        steps[word]()

    def as_them(self, step: str) -> None:
        """Let the opponent do a step, where seats have buttons."""
        place = self.place
        self.place = "S" if place == "N" else place
        self.do(step)
        self.place = place

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
    """Return the entries of the record, without the time used."""
    entries = [entry for line in table.game.lines for entry in line.entries]
    return [changed(e, used_ns=None) if isinstance(e, Stroke) else e for e in entries]


def _marks(rules: RuleSystem, number: int, controls: str) -> list[pytest.MarkDecorator]:
    """Mark what is left to the long run, which plays every row on all controls.

    The rows of hikone are always played on the seats, on the box and, in rotation, on one of the
    others. Those of japan and grundregeln, whose rows other systems share, are played on the seats.
    Each of the others is played on one kind of controls, in rotation.
    """
    at = list(CONTROLS).index(controls)
    if rules is RuleSystem.HIKONE:
        now = at in (0, 1) or number % 3 == at - 2
    elif rules in (RuleSystem.JAPAN, RuleSystem.GRUNDREGELN):
        now = controls == "seats alone"
    else:
        now = number % len(CONTROLS) == at
    return [] if now else [pytest.mark.long]


CASES = [
    pytest.param(rules, token, controls, marks=_marks(rules, number, controls))
    for rules in RULES
    for number, token in enumerate(ROWS[rules])
    for controls in CONTROLS
]


@pytest.mark.parametrize(("rules", "token", "controls"), CASES)
def test_everything_a_record_can_say_can_be_pressed(
    rules: RuleSystem, token: str, controls: str
) -> None:
    row = ROWS[rules][token]
    people = People(controls, row, rules)
    for step in row.presses.split(";"):
        people.do(step)
    table = people.table
    if table.view.menu is not None:
        table.wait(21.0)
    expected = [read_entry_line(line, rules) for line in row.lines.splitlines()]
    assert entered(table) == expected, [write_entry(entry) for entry in entered(table)]
    undone = (EntryKind.UNDO, EntryKind.REDO)
    assert tuple(kind for kind in table.kinds() if kind in undone) == tuple(
        kind for kind in row.wrote if kind in undone
    )
    for kind in row.wrote:
        assert kind in table.kinds()
    check_all(table)
    assert read_record(table.record).match.state == table.game.match.state


def test_the_record_says_when_a_stroke_was_settled_where_there_is_a_clock() -> None:
    row = ROWS[RuleSystem.HIKONE]["t="]
    people = People("box alone", row)
    for step in row.presses.split(";"):
        people.do(step)
    assert "N - t=11." in people.table.record


@pytest.mark.parametrize("rules", RULES)
def test_the_next_board_begins_as_a_stroke_alone_would_begin_it(rules: RuleSystem) -> None:
    """A record may leave out the line that OK enters after a finished board."""
    row = ROWS[rules]["a stroke after a finished board"]
    people = People("box alone", row, rules)
    for step in row.presses.split(";"):
        people.do(step)
    match = people.table.game.match
    shorter = Match.begin(match.settings)
    for entry in [step.entry for step in match.steps if write_entry(step.entry) != "! board"]:
        shorter = shorter.enter(entry)
    assert write_record(shorter.settings, ()) == write_record(match.settings, ())
    assert shorter.state == match.state


# --- the table is whole ----------------------------------------------------------------


def tokens_of(rules: RuleSystem) -> set[str]:
    """Return every token that a system's rows leave on stroke lines, also without its count."""
    lines = [line for row in ROWS[rules].values() for line in row.lines.splitlines()]
    words = [word for line in lines if not line.startswith("!") for word in line.split()[1:]]
    return {*words, *(word.split("*", 1)[1] for word in words if "*" in word)}


def directives_of(rules: RuleSystem) -> set[str]:
    """Return every directive that a system's rows leave, with N for a count."""
    lines = [line for row in ROWS[rules].values() for line in row.lines.splitlines()]
    return {re.sub(r"=\d+", "=N", line) for line in lines if line.startswith("!")}


def test_every_system_that_is_played_has_its_rows() -> None:
    assert set(ROWS) == set(RuleSystem) >= set(RULES)


@pytest.mark.parametrize("rules", RULES)
def test_the_table_has_every_piece_pocket_and_flag_of_a_record(rules: RuleSystem) -> None:
    tokens, system = tokens_of(rules), RULES[rules]
    kinds = {piece.value for piece in system.pieces}
    assert tokens >= kinds | {f"{piece}^" for piece in kinds}
    assert tokens >= {f"{piece}@{pocket}" for piece in kinds for pocket in Pocket}
    assert tokens >= {flag.value for flag in system.flags}
    if Piece.JACK in system.pieces:
        assert tokens >= {f"call@{pocket}" for pocket in Pocket}
    assert "-" in tokens
    assert any("*" in token for token in tokens)


EVERYWHERE = {"! time", "! placed", "! draw", "! board", "! turn S", "! resign S"}
QUEEN = {
    "! set queen=board", "! set queen=pending:{first}",
    "! set queen=covered:{first}", "! set queen=covered:{second}",
}  # fmt: skip
ONLY_IN: Mapping[RuleSystem, set[str]] = {
    RuleSystem.HIKONE: {"! set jack=board"},
    RuleSystem.JAPAN: {"! set jack=board"},
    RuleSystem.KAGW: {"! forgot", *QUEEN},
    RuleSystem.GRUNDREGELN: {"! waive", *QUEEN},
    RuleSystem.ICF: {"! waive", "! demand", *QUEEN},
    RuleSystem.POINTS: QUEEN,
}
"""What a record of each system can say besides the strokes."""


@pytest.mark.parametrize("rules", RULES)
def test_the_table_has_every_directive_of_a_record(rules: RuleSystem) -> None:
    said = directives_of(rules)
    first, second = (side.value for side in RULES[rules].sides)
    expected = {each.format(first=first, second=second) for each in EVERYWHERE | ONLY_IN[rules]}
    assert said >= expected, expected - said
    assert any(line.startswith("! set") and "pocketed" in line for line in said)
    assert any("owed" in line for line in said) is (rules is not RuleSystem.POINTS)
    assert {"! undo", "! redo"} <= {token for token in ROWS[rules] if token.startswith("!")}


@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_left_out_that_the_rules_take(rules: RuleSystem) -> None:
    """A saying of another system is refused after every row."""
    known = {line.split()[1] for line in directives_of(rules)}
    others = [saying for saying in Saying if saying.value not in known]
    for row in ROWS[rules].values():
        lines = "\n".join(line for line in row.lines.splitlines())
        options = "".join(f"{name} = {toml(value)}\n" for name, value in row.options.items())
        handicap = "".join(f"{name} = {toml(value)}\n" for name, value in row.handicap.items())
        header = f'rules = "{rules}"\nseats = {[*row.lineup]}\n[options]\n{options}'
        header += f"[handicap.N]\n{handicap}" if handicap else ""
        match = read_record(f"{header}---\n{lines}\n").match
        for saying in others:
            with pytest.raises(IllegalEntry):
                match.enter(Say(saying))


def toml(value: object) -> str:
    """Write a value as TOML does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
