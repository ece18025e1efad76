"""Boards with any subset of the buttons, down to two: everything can be said on each.

The same match is played on every board, by people who have nothing but its buttons: the
second player shoots first, readings are corrected, a foul is called, a piece flies off, one
falls unseen, a stroke is taken back and changed, a count corrected, and the jack ends it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations, product

import pytest

from jackspot.assembly import dialogue_settings
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Pocket
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Button, Key, Place
from jackspot.settings.mistakes import ConfigError
from tests.conftest import thinned
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table

SEATS = [place for place in Place if place.seat]
BUTTONS = [Button(place, key) for place in SEATS for key in (Key.OK, Key.FIX)]
BUTTONS += [Button(Place.REFEREE, key) for key in Key]


def configured(buttons: Iterable[Button], confirm: str = "auto") -> Config:
    """Configure a board with these buttons and no page; raise ConfigError if it is refused."""
    present = set(buttons)
    pins = {each.wire: False for each in BUTTONS if each not in present}
    data = {"pins": pins, "web": {"enabled": False}, "board": {"confirm": confirm}}
    return check(data, Origin("a test", {}))


def accepted(buttons: Iterable[Button]) -> bool:
    """Return whether the config accepts a board with these buttons and no page."""
    try:
        configured(buttons)
    except ConfigError:
        return False
    return True


def named(names: str) -> frozenset[Button]:
    """Return buttons by the names of their wires."""
    found = {button.wire: button for button in BUTTONS}
    return frozenset(found[name] for name in names.split())


PAIRS = [frozenset(pair) for pair in combinations(BUTTONS, 2)]
SEAT_BUTTONS = frozenset(each for each in BUTTONS if each.place.seat)
BOX = frozenset(BUTTONS) - SEAT_BUTTONS
OKS = frozenset(each for each in SEAT_BUTTONS if each.key is Key.OK)

BOARDS: dict[str, frozenset[Button]] = {
    "all": frozenset(BUTTONS),
    "seats alone": SEAT_BUTTONS,
    "box alone": BOX,
    "two seats": named("seat_n_ok seat_n_fix seat_s_ok seat_s_fix"),
    "two seats, one without FIX": named("seat_n_ok seat_n_fix seat_s_ok"),
    "three seats": SEAT_BUTTONS - named("seat_w_ok seat_w_fix"),
    "a seat that does not play": named("seat_e_ok seat_e_fix"),
    "seats with only OK and the box": OKS | BOX,
    "seats with only OK, a box with OK and UNDO": OKS | named("referee_ok referee_undo"),
    "seats with only OK, a box with OK and FIX": OKS | named("referee_ok referee_fix"),
    "seats, a box that only takes back": SEAT_BUTTONS | named("referee_undo"),
    "seats, a box that only calls": SEAT_BUTTONS | named("referee_foul referee_off"),
    "seats, a box without OK": SEAT_BUTTONS | BOX - named("referee_ok"),
    **{
        f"box without {key}": BOX - {Button(Place.REFEREE, key)} for key in Key if key is not Key.OK
    },
    **{f"all but {each.wire}": frozenset(BUTTONS) - {each} for each in BUTTONS},
    **{f"pair {' '.join(sorted(b.wire for b in pair))}": pair for pair in PAIRS if accepted(pair)},
}


def drawn(seed: int) -> frozenset[Button]:
    """Draw a board that the config accepts."""
    rng = random.Random(seed)
    while True:
        drawn = frozenset(rng.sample(BUTTONS, rng.randint(2, len(BUTTONS))))
        if accepted(drawn):
            return drawn


class Hands:
    """People at a board with only some buttons, who know how to say each thing with them."""

    def __init__(
        self,
        buttons: frozenset[Button],
        confirm: str = "auto",
        rules: RuleSystem = RuleSystem.HIKONE,
    ) -> None:
        config = configured(buttons, confirm)
        self.buttons = buttons
        self.table = Table(
            wired=[*Pocket, *buttons], dialogue_settings=dialogue_settings(config), page=False,
            rules=rules.value,
            options={"best_of": 1},
        )  # fmt: skip
        self.table.watchers += [watch_the_question, watch_the_evidence(self.table)]
        whole = whole_places(buttons)
        referees = [Place.REFEREE] if Place.REFEREE in whole else sorted(whole)
        self.place = referees[0]
        self.no_fix = not self.has(Key.FIX)

    def has(self, key: Key) -> bool:
        return Button(self.place, key) in self.buttons

    def ok(self) -> None:
        self.table.ok(self.place).calm()

    def hold_ok(self) -> None:
        self.table.hold(self.place, "ok").calm()

    def fix(self) -> None:
        self.table.press(self.place, "undo" if self.no_fix else "fix").wait(0.5)

    def menu(self) -> None:
        """Open the menu, or editing: FIX held; without FIX, OK and UNDO held together."""
        if not self.no_fix:
            self.table.hold(self.place, "fix").wait(1.0)
            return
        self.table.down(self.place, "ok").wait(0.02).down(self.place, "undo").wait(1.2)
        self.table.up(self.place, "ok").up(self.place, "undo").wait(1.0)

    def undo(self) -> None:
        if self.no_fix:
            self.table.hold(self.place, "undo").calm()
        elif self.has(Key.UNDO):
            self.table.press(self.place, "undo").calm()
        else:
            self.table.chord(self.place).calm()

    def choose(self, what: str) -> None:
        for _ in range(8):
            if self.table.proposed == what:
                return
            self.fix()
        self.edit_into(what)

    def edit_into(self, what: str) -> None:
        """Change the kind of a piece until it is right, for readings that FIX does not reach."""
        self.menu()
        for _ in range(8):
            if self.table.proposed == what:
                self.pick("done")
                return
            self.pick(self.table.lines_of(1)[0])
        raise AssertionError(f"{self.table.proposed} cannot be edited into {what!r}")

    def pick(self, label: str, *, held: bool = False) -> None:
        for _ in range(40):
            if self.table.item.startswith(label):
                self.table.wait(0.9)
                if held:
                    self.hold_ok()
                else:
                    self.table.ok(self.place).wait(0.5)
                return
            self.fix()
        raise AssertionError(f"{label!r} is not in the list {self.table.items}")

    def begin(self, first: str) -> None:
        """Let this seat shoot first: by its own OK, or by FIX and OK where there are buttons."""
        self.table.wait(1.0)
        own = Button(Place(first), Key.OK)
        if own in self.buttons and str(self.table.view.detail) == "won the toss? your OK":
            self.table.ok(first).calm()
            return
        for _ in range(4):
            if self.table.shooter == first:
                break
            self.fix()
        self.ok()

    def shot(self, what: str, *pockets: str) -> None:
        self.table.review(*pockets)
        self.choose(what)
        self.table.wait(0.5)
        self.ok()
        self.put_back()

    def put_back(self) -> None:
        if self.table.phase is Phase.PLACING:
            self.ok()

    def call_a_foul(self) -> None:
        """Call a foul: by its button where there is one, else by editing an entry by hand."""
        if self.has(Key.FOUL):
            self.table.press(self.place, "foul").wait(0.5)
        else:
            self.fix()
            self.menu()
            self.pick("called: nothing")
            while "piece 1: remove" in self.table.items:
                self.pick("piece 1: remove")
            self.pick("done")
        self.choose("foul")

    def let_fly_off(self, what: str) -> None:
        """Say that a piece flew off: by OFF, else by editing an entry by hand."""
        if self.has(Key.OFF):
            self.table.press(self.place, "off").wait(0.5)
            for _ in range(4):
                if f"{what} off" in self.table.proposed:
                    break
                self.table.press(self.place, "off").wait(0.5)
        else:
            self.fix()
            self.choose(what)
            self.menu()
            while not self.table.proposed.startswith(f"{what} off"):
                self.pick(self.table.lines_of(1)[1])
            self.pick("done")
        self.choose(f"{what} off")

    def correct_red(self, more: int) -> None:
        self.menu()
        self.pick("correct the counts")
        for _ in range(more):
            self.pick("RED ")
        self.pick("the table is right")
        self.table.calm()


def play_a_match_with_everything(people: Hands) -> None:
    table = people.table
    people.begin("S")  # S plays red
    assert table.shooter == "S"
    people.shot("RED NE", "NE")
    people.shot("GREEN SW", "SW")  # not the first reading
    assert table.shooter == "N"
    people.ok()  # nothing fell
    people.call_a_foul()
    people.ok()
    people.put_back()
    assert table.shooter == "N"
    people.let_fly_off("RED")
    people.ok()
    people.put_back()
    while table.shooter != "S":
        people.ok()
    people.fix()  # something fell that no beam saw
    people.choose("RED")
    people.ok()
    people.shot("RED SE", "SE")
    people.undo()  # it was the striker
    table.must_be(Phase.REVIEW)
    people.choose("STRIKER SE")
    people.ok()
    people.put_back()
    while table.shooter != "S":
        people.ok()
    check_all(table)
    people.correct_red(12 - table.counts[0])
    assert table.counts[0] == 12
    table.review("NW")
    people.choose("JACK NW")
    people.hold_ok()
    table.must_be(Phase.MATCH_OVER)
    kinds = " ".join(table.entries)
    for said in ("S red@NE", "S green@SW", "N -", "foul", "red^", "S red", "S striker@SE",
                 "! set red pocketed=12", "S jack@NW"):  # fmt: skip
        assert said in kinds, (said, table.entries)
    check_all(table)
    people.hold_ok()
    table.must_be(Phase.SETUP)


ALIKE = {f"all but {each.wire}" for each in SEAT_BUTTONS if each.place is not Place.N}
"""Boards that lack at another seat a button that one board lacks at N."""


@pytest.mark.parametrize("board", thinned(BOARDS, BOARDS.keys() - ALIKE))
def test_everything_can_be_said_on(board: str) -> None:
    play_a_match_with_everything(Hands(BOARDS[board]))


@pytest.mark.parametrize("seed", range(4))
def test_everything_can_be_said_on_a_board_that_was_drawn(seed: int) -> None:
    play_a_match_with_everything(Hands(drawn(seed)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4, 400))
def test_everything_can_be_said_on_many_boards_that_were_drawn(seed: int) -> None:
    play_a_match_with_everything(Hands(drawn(seed)))


OWN = {
    RuleSystem.JAPAN: ("RED", "GREEN"),
    RuleSystem.KAGW: ("WHITE", "BLACK"),
    RuleSystem.GRUNDREGELN: ("WHITE", "BLACK"),
    RuleSystem.POINTS: ("BLACK", "BROWN"),
    RuleSystem.ICF: ("WHITE", "BLACK"),
}
"""The colours of the first seat to shoot and of the other; in points both shoot at both."""


def play_a_match_with_what_other_systems_ask(people: Hands, rules: RuleSystem) -> None:
    """Play the break, the queen and her cover, a striker, a foul, a piece off, a correction."""
    table = people.table
    mine, his = OWN[rules]
    people.begin("S")
    people.ok()  # nothing fell
    if table.dialogue.menu is not None:
        people.ok()  # the group was touched
    people.shot(f"{his} NE", "NE")
    assert table.shooter == "N"
    if rules is RuleSystem.JAPAN:
        people.shot("JACK SE", "SE")  # too early
    else:
        people.shot("QUEEN SE", "SE")
        people.shot(f"{his} SW", "SW")  # covers her
    while table.shooter != "S":
        people.ok()
    people.shot("STRIKER NW", "NW")
    people.call_a_foul()
    people.ok()
    people.put_back()
    people.let_fly_off(mine)
    people.ok()
    people.put_back()
    while table.shooter != "S":
        people.ok()
    people.shot(f"{mine} SE", "SE")
    people.undo()  # it was the other colour
    table.must_be(Phase.REVIEW)
    people.choose(f"{his} SE")
    people.ok()
    people.put_back()
    check_all(table)
    people.menu()
    people.pick("resign")
    people.pick("S", held=True)
    assert table.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER)
    kinds = " ".join(table.entries)
    red = "jack@SE" if rules is RuleSystem.JAPAN else "queen@SE"
    for said in ("S -", f"N {his.lower()}@NE", red, "striker@NW", "foul", f"{mine.lower()}^",
                 f"S {his.lower()}@SE", "! resign S"):  # fmt: skip
        assert said in kinds, (said, table.entries)
    check_all(table)


TWO_BUTTONS = [name for name in BOARDS if name.startswith("pair")]
BY_TURNS = {
    (board, rules)
    for at, board in enumerate(TWO_BUTTONS)
    for number, rules in enumerate(OWN)
    if number % 3 == at % 3
}


@pytest.mark.parametrize(("board", "rules"), thinned(product(TWO_BUTTONS, OWN), BY_TURNS))
def test_in_every_system_everything_can_be_said_with_two_buttons(
    board: str, rules: RuleSystem
) -> None:
    play_a_match_with_what_other_systems_ask(Hands(BOARDS[board], rules=rules), rules)


@pytest.mark.parametrize("board", ["seats alone", "two seats", "three seats", "all"])
def test_opponents_decide_where_they_have_buttons_and_anybody_where_not(board: str) -> None:
    people = Hands(BOARDS[board], "opponent")
    table = people.table
    table.wait(1.0).ok("N").calm().review("NE").wait(0.5)
    table.ok("N").must_be(Phase.REVIEW)
    assert str(table.view.detail) in ("S decides, not N", "E or W decides, not N")
    table.wait(1.0).ok("S").must_be(Phase.READY)
    alone = Hands(named("seat_n_ok seat_n_fix"), "opponent").table
    alone.wait(1.0).ok("N").calm().review("NE").wait(0.5).ok("N").must_be(Phase.READY)
    assert alone.entries == ["N red@NE"]


def test_a_board_needs_a_place_where_everything_can_be_said() -> None:
    for pair in PAIRS:
        assert accepted(pair) == bool(whole_places(pair)), pair
    assert sum(map(accepted, PAIRS)) == 6, "OK and FIX of a seat or the box, OK and UNDO of the box"


def test_a_referee_who_could_not_decide_is_refused() -> None:
    buttons = SEAT_BUTTONS | named("referee_foul")
    with pytest.raises(ConfigError, match="nobody could decide"):
        configured(buttons, "referee")
    assert configured(buttons).confirm == "anyone"


def test_what_speaks_for_all_picks_who_is_first_and_what_speaks_for_a_seat_says_it() -> None:
    alone = Hands(named("seat_n_ok seat_n_fix")).table.wait(1.0)
    assert str(alone.view.detail) == "FIX: other seat first"
    alone.fix("N").wait(0.5)
    assert alone.shooter == "S"
    alone.ok("N")
    assert alone.shooter == "S"
    both = Hands(SEAT_BUTTONS).table.wait(1.0)
    assert str(both.view.detail) == "won the toss? your OK"
    both.ok("S")
    assert both.shooter == "S"


def test_a_list_that_was_opened_where_no_ok_is_can_be_worked_elsewhere() -> None:
    people = Hands(named("seat_n_ok seat_n_fix seat_s_fix"))
    people.begin("N")
    people.table.hold("S", "fix").wait(1.0)
    people.pick("pause")
    people.table.must_be(Phase.PAUSED)
