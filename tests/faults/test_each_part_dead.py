"""A match played to its end with each single part dead in turn: beam, button or display.

People play a record on a board with everything: four beams, thirteen buttons, OLED, sign,
buzzer, lamps and page. They see on the display what does not work, or find it out, and use
what is left: they enter by hand what a beam misses, and go to another place when a button
does nothing. In the end the board's record says what really happened.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jackspot.config.model import Config, Origin, check
from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.record import read_record
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.inputs.pins import BUTTONS, BUZZER, lamp_wire
from jackspot.sensing.events import Button, Key, Place, Trouble, beam_wire
from jackspot.web.live import LiveBoard
from jackspot_sim.boards.rehearsal import Venue, exported, match_table, rehearse
from jackspot_sim.boards.rig import Rig
from jackspot_sim.people.habits import Habits
from tests.conftest import thinned

RECORDS = Path(__file__).parents[1] / "records"
SHORT, WHOLE = RECORDS / "each_part.carom", RECORDS / "whole_match.carom"
SLIPS = {SHORT: {1: 1}, WHOLE: {0: 1}}
"""The entry that is confirmed wrongly and corrected with UNDO after one more."""


class Witness:
    """A display that remembers what it was shown, and does something at certain views."""

    name = "witness"

    def __init__(self) -> None:
        self.views: list[BoardView] = []
        self.deeds: dict[int, Callable[[], None]] = {}

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """See a view, and act where there is something to do."""
        self.views.append(view)
        self.deeds.get(len(self.views), lambda: None)()

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True

    def told(self, part: str, trouble: Trouble) -> bool:
        """Return whether this fault was ever shown."""
        return any((f.part, f.trouble) == (part, trouble) for v in self.views for f in v.faults)


class Page:
    """A page that needs only the newest view: presses on it come by hand."""

    name = "web"

    def __init__(self, live: LiveBoard) -> None:
        self._live = live

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """Show a view."""
        self._live.show(view)

    def post_sound(self, sound: Sound) -> None:
        """Pages make no sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True


def board(record: Path, confirm: str = "anyone", **sections: object) -> Config:
    """Configure a board with every part."""
    data = {
        "match": match_table(read_record(record.read_text(encoding="utf-8")).settings),
        "board": {"confirm": confirm},
        **sections,
    }
    return check(data, Origin("a test", {}))


def played(
    folder: Path,
    record: Path,
    meet: Callable[[Rig, Witness], None],
    *,
    config: Config | None = None,
    at_box: bool = True,
    page: bool = True,
) -> tuple[Rig, Witness]:
    """Play a record with something broken by ``meet``; check that the same record comes out."""
    config = config or board(record)
    witness = Witness()
    text = record.read_text(encoding="utf-8")
    read = read_record(text)
    entries = [step.entry for step in read.match.steps]
    buttons = config.pressed if page else frozenset(config.buttons)
    habits = Habits(at_box=at_box, buttons=buttons, slips=SLIPS[record] if at_box else {})
    rig = rehearse(
        read.settings, entries, folder / "j.sqlite3", habits, further=[witness],
        meet=lambda rig: meet(rig, witness), venue=Venue(config, Page),
    )  # fmt: skip
    assert rig.board.dialogue.phase is Phase.MATCH_OVER
    assert said(exported(rig)) == said(text)
    assert rig.board.dialogue.game is not None
    state = rig.board.dialogue.game.match.state
    assert state.points == read.match.state.points
    assert state.position.counts == read.match.state.position.counts
    assert state.winner is read.match.state.winner
    return rig, witness


def said(text: str) -> list[tuple[str, ...]]:
    """Return a record's entries, each with its tokens in any order, without times."""
    entries = [write_entry(step.entry).split() for step in read_record(text).match.steps]
    return [
        (words[0], *sorted(word for word in words[1:] if not word.startswith("t=")))
        for words in entries
        if words != ["!", "placed"]
    ]


def nothing(_rig: Rig, _witness: Witness) -> None:
    """Leave the board whole."""


@pytest.mark.parametrize("at_box", [True, False], ids=["box", "seats"])
def test_with_every_part_well_the_match_comes_out_as_it_was_played(
    tmp_path: Path, at_box: bool
) -> None:
    rig, witness = played(tmp_path, SHORT, nothing, at_box=at_box)
    assert not any(view.faults for view in witness.views)
    assert not any(view.by_hand for view in witness.views)
    used = {edge.wire for edge in rig.table.edges()}
    assert used >= {beam_wire(pocket) for pocket in Pocket}
    own = {each.wire for each in BUTTONS if (each.place is Place.REFEREE) == at_box}
    assert used >= own, f"a match that never uses {own - used} would not miss it"


# beams


@pytest.mark.parametrize("pocket", thinned(Pocket, {Pocket.NE}))
def test_a_beam_that_never_breaks(tmp_path: Path, pocket: Pocket) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        rig.table.kill(beam_wire(pocket))

    _rig, witness = played(tmp_path, SHORT, meet)
    assert witness.views[-1].by_hand == (pocket,), "two entries have let it be marked"


@pytest.mark.parametrize("pocket", thinned(Pocket, {Pocket.SW}))
@pytest.mark.parametrize(
    "at_view",
    [
        pytest.param(0, id="from the start"),
        pytest.param(25, id="in mid match", marks=pytest.mark.long),
    ],
)
def test_a_beam_that_is_stuck_broken(tmp_path: Path, pocket: Pocket, at_view: int) -> None:
    def meet(rig: Rig, witness: Witness) -> None:
        def jam() -> None:
            rig.table.jam(beam_wire(pocket))

        if at_view:
            witness.deeds[at_view] = jam
        else:
            jam()

    _rig, witness = played(tmp_path, SHORT, meet)
    assert witness.told(beam_wire(pocket), Trouble.BLOCKED)
    assert witness.views[-1].by_hand == (pocket,)


# buttons


def buttons(seat: Place, *of_the_box: Key) -> list[object]:
    """Return all buttons: by default a seat's and these of the box, in the long tests the others.

    In the default run each button of the box is dead or stuck, and the most important is both.
    """
    now = {*(each for each in BUTTONS if each.place is seat)}
    now |= {Button(Place.REFEREE, key) for key in of_the_box}
    return [
        pytest.param(each, id=each.wire, marks=() if each in now else pytest.mark.long)
        for each in BUTTONS
    ]


@pytest.mark.parametrize("button", buttons(Place.N, Key.OK, Key.UNDO, Key.OFF))
def test_a_button_that_never_closes(tmp_path: Path, button: Button) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        rig.table.kill(button.wire)

    played(tmp_path, SHORT, meet, at_box=button.place is Place.REFEREE)


@pytest.mark.parametrize("button", buttons(Place.S, Key.OK, Key.FIX, Key.FOUL))
def test_a_button_that_is_stuck_down(tmp_path: Path, button: Button) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        rig.table.jam(button.wire)

    _rig, witness = played(tmp_path, SHORT, meet, at_box=button.place is Place.REFEREE)
    assert witness.told(button.wire, Trouble.STUCK)


SOME_KEYS = [pytest.param(key, marks=() if key is Key.FIX else pytest.mark.long) for key in Key]
"""One of the box's five by default, all of them in the long tests."""


@pytest.mark.parametrize("key", SOME_KEYS)
def test_where_only_the_referee_decides_a_dead_button_of_the_box_is_replaced_by_the_page(
    tmp_path: Path, key: Key
) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        rig.table.kill(Button(Place.REFEREE, key).wire)

    played(tmp_path, SHORT, meet, config=board(SHORT, "referee"))


@pytest.mark.parametrize("key", SOME_KEYS)
def test_without_a_page_the_seats_replace_a_dead_button_of_the_box(
    tmp_path: Path, key: Key
) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        rig.table.kill(Button(Place.REFEREE, key).wire)

    played(tmp_path, SHORT, meet, page=False)


# displays


def unplugged_oled(rig: Rig) -> None:
    rig.bus.unplug()


def unplugged_sign(rig: Rig) -> None:
    assert rig.sign is not None
    rig.sign.unplug()


def burnt_buzzer(rig: Rig) -> None:
    burn(rig, BUZZER)


def burnt_lamp(rig: Rig) -> None:
    burn(rig, lamp_wire(Seat.S))


def burn(rig: Rig, name: str) -> None:
    wire = rig.config.wire(name)
    assert wire is not None
    rig.factory.burn(wire.gpio)


DISPLAYS: dict[str, Callable[[Rig], None]] = {
    "oled": unplugged_oled,
    "alpha_sign": unplugged_sign,
    "buzzer": burnt_buzzer,
    "lamps": burnt_lamp,
}


@pytest.mark.parametrize("part", DISPLAYS)
def test_a_display_that_does_not_answer(tmp_path: Path, part: str) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        DISPLAYS[part](rig)

    config = board(SHORT, sign={"kind": "alpha", "port": "/dev/ttyUSB0"})
    _rig, witness = played(tmp_path, SHORT, meet, config=config)
    assert witness.told(part, Trouble.GONE)


def test_no_page(tmp_path: Path) -> None:
    config = board(SHORT, web={"enabled": False})
    played(tmp_path, SHORT, nothing, config=config)


# longer matches


@pytest.mark.long
@pytest.mark.parametrize("pocket", list(Pocket))
@pytest.mark.parametrize("at_box", [True, False], ids=["box", "seats"])
@pytest.mark.parametrize("how", ["dead", "stuck"])
def test_a_longer_match_with_a_beam_out_of_order(
    tmp_path: Path, pocket: Pocket, at_box: bool, how: str
) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        (rig.table.kill if how == "dead" else rig.table.jam)(beam_wire(pocket))

    played(tmp_path, WHOLE, meet, at_box=at_box)


@pytest.mark.long
@pytest.mark.parametrize("button", BUTTONS, ids=lambda button: button.wire)
@pytest.mark.parametrize("how", ["dead", "stuck"])
def test_a_longer_match_with_a_button_out_of_order(
    tmp_path: Path, button: Button, how: str
) -> None:
    def meet(rig: Rig, _witness: Witness) -> None:
        (rig.table.kill if how == "dead" else rig.table.jam)(button.wire)

    played(tmp_path, WHOLE, meet, at_box=button.place is Place.REFEREE)
