"""What usually goes wrong at a table, on a whole board in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Button, Key, Place, Trouble
from jackspot.values import changed
from jackspot_sim.boards.rig import Onlookers, Rig, entered
from jackspot_sim.browser.control import Mishap
from jackspot_sim.browser.mishaps import HOW, Mishaps
from jackspot_sim.browser.orders import with_rules
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.clock import SimClock
from jackspot_sim.table.table import CannotHappen

SECOND = 1_000_000_000
OK = Button(Place.REFEREE, Key.OK)


class Evening:
    """A board with people at it who do things at given seconds of its own time."""

    name = "evening"

    def __init__(self, folder: Path, rules: RuleSystem = RuleSystem.HIKONE) -> None:
        self.clock = SimClock()
        self.views: list[BoardView] = []
        onlookers = Onlookers(further=(self,))
        config = with_rules(load(Sources(())), rules)
        web = changed(config.web, enabled=False)  # nobody looks at a page here
        config = changed(config, web=web)
        self.rig = Rig(config, folder / "journal.sqlite3", self.clock, onlookers)
        self.mishaps = Mishaps(self.rig, lambda: self.views[-1] if self.views else None)
        self._start_ns = self.clock.now_ns()

    def at(self, seconds: float, action: Callable[[], object]) -> None:
        self.clock.at(self._start_ns + int(seconds * SECOND), action)

    def ok_at(self, *seconds: float) -> None:
        for each in seconds:
            self.at(each, lambda: self.rig.table.press(OK))

    def happens_at(self, seconds: float, mishap: Mishap) -> None:
        self.at(seconds, lambda: self.mishaps.happen(mishap))

    def until(self, seconds: float) -> BoardView:
        """Play until this instant; return what is shown at the end."""
        self.at(seconds, self.clock.close)
        self.rig.run()
        return self.views[-1]

    def played(self) -> list[tuple[Seat, list[Piece]]]:
        """Return the strokes that were entered: who, and which pieces."""
        strokes = [each for each in entered(self.rig.board) if isinstance(each, Stroke)]
        return [(each.seat, [one.piece for one in each.departures]) for each in strokes]

    def out(self) -> int:
        """Count what is really in the pockets."""
        return sum(sum(kinds.values()) for kinds in self.rig.table.truth().in_pockets.values())

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self.views.append(view)

    def post_sound(self, sound: object) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    evening.ok_at(1)
    yield evening
    evening.rig.keeper.close()  # not every evening is played


def test_three_strokes_that_nobody_pressed_for_all_wait_and_three_oks_settle_them(
    evening: Evening,
) -> None:
    evening.happens_at(6, Mishap.SHOOT_ON)
    evening.ok_at(20, 22, 24)
    last = evening.until(30)
    assert max(view.waiting for view in evening.views) == 2
    assert evening.played() == [(Seat.N, [Piece.RED])] * 3
    assert (last.phase, last.sides[0].pocketed, evening.out()) == (Phase.READY, 3, 3)


def test_a_forgotten_press_lets_the_next_seats_puck_fall_in_the_shooters_turn(
    evening: Evening,
) -> None:
    evening.happens_at(6, Mishap.FORGOTTEN_PRESS)
    last = evening.until(14)
    assert last.phase is Phase.REVIEW
    assert evening.rig.table.truth().on_board[Piece.GREEN] == 11
    assert evening.played() == []


def test_a_late_fall_comes_after_its_stroke_was_entered_as_a_miss(evening: Evening) -> None:
    evening.happens_at(6, Mishap.LATE_FALL)
    last = evening.until(14)
    assert evening.played() == [(Seat.N, [])]
    assert last.proposal is not None
    assert any(each.before for each in last.readings), "it may belong to the stroke before"
    assert evening.rig.table.truth().in_pockets == {Pocket.NE: {Piece.RED: 1}}


@pytest.mark.parametrize(
    ("mishap", "pulses", "pieces"),
    [(Mishap.TUMBLE, 2, 1), (Mishap.TWO_AT_ONCE, 1, 2), (Mishap.BESIDE_BEAM, 0, 1)],
)
def test_pieces_fall_with_as_many_pulses_as_they_make(
    evening: Evening, mishap: Mishap, pulses: int, pieces: int
) -> None:
    evening.happens_at(6, mishap)
    last = evening.until(14)
    broken = [edge for edge in evening.rig.table.edges() if edge.wire == "pocket_ne"]
    assert len(broken) == 2 * pulses
    assert evening.out() == pieces
    assert last.phase is (Phase.REVIEW if pulses else Phase.READY)


def test_a_hand_that_fetches_a_striker_is_sensed_and_has_it(evening: Evening) -> None:
    evening.at(6, lambda: evening.rig.table.drop(Pocket.SW, [Piece.STRIKER]))
    evening.happens_at(7, Mishap.FETCH_HAND)
    evening.until(14)
    assert evening.out() == 0
    assert [each.manner for each in evening.rig.table.happenings()] == [
        Manner.CLEAN,
        Manner.HAND,
    ]


def test_there_is_no_striker_to_fetch_before_one_fell(evening: Evening) -> None:
    with pytest.raises(CannotHappen, match="no striker lies in a pocket"):
        evening.mishaps.happen(Mishap.FETCH_HAND)


def test_a_stray_hand_breaks_a_beam_and_moves_no_piece(evening: Evening) -> None:
    evening.happens_at(6, Mishap.STRAY_HAND)
    evening.until(14)
    assert "pocket_ne" in {edge.wire for edge in evening.rig.table.edges()}
    assert evening.out() == 0


@pytest.mark.parametrize("mishap", [Mishap.DOUBLE_PRESS, Mishap.TWO_PRESS])
def test_two_presses_for_one_thing_make_one_entry(evening: Evening, mishap: Mishap) -> None:
    evening.happens_at(6, mishap)
    last = evening.until(14)
    assert evening.played() == [(Seat.N, [])]
    assert last.shooter is Seat.S


def test_two_people_press_two_buttons_and_one_person_the_same_twice(evening: Evening) -> None:
    evening.happens_at(6, Mishap.TWO_PRESS)
    evening.happens_at(12, Mishap.DOUBLE_PRESS)
    evening.until(20)
    downs = [edge.wire for edge in evening.rig.table.edges() if edge.active]
    pressed = list(dict.fromkeys(downs))
    assert pressed == ["referee_ok", "seat_s_ok"]


def test_a_loose_contact_is_named_and_heals_and_counts_nothing_by_itself(
    evening: Evening,
) -> None:
    evening.happens_at(6, Mishap.CHATTER)
    last = evening.until(16)
    named = {fault.trouble for view in evening.views for fault in view.faults}
    assert named == {Trouble.CHATTER}
    assert last.faults == ()
    assert last.proposal is not None, "what flickered before it was known as such is asked about"
    assert evening.played() == []


@pytest.mark.parametrize("mishap", [Mishap.SHOOT_ON, Mishap.TUMBLE, Mishap.LATE_FALL])
def test_nobody_shoots_before_the_match_begins(tmp_path: Path, mishap: Mishap) -> None:
    evening = Evening(tmp_path)
    refused: list[str] = []

    def tries() -> None:
        with pytest.raises(CannotHappen) as caught:
            evening.mishaps.happen(mishap)
        refused.append(str(caught.value))

    evening.at(2, tries)
    evening.until(3)
    assert refused == ["nobody is to shoot; start a match with OK"]


def test_a_late_fall_waits_for_what_is_open(evening: Evening) -> None:
    refused: list[str] = []

    def tries() -> None:
        with pytest.raises(CannotHappen) as caught:
            evening.mishaps.happen(Mishap.LATE_FALL)
        refused.append(str(caught.value))

    evening.happens_at(6, Mishap.TUMBLE)
    evening.at(9, tries)
    evening.until(10)
    assert refused == ["a late fall follows a stroke; settle what is open first"]


def test_a_mishap_whose_piece_is_gone_by_then_ends_early(evening: Evening) -> None:
    evening.happens_at(6, Mishap.FORGOTTEN_PRESS)
    evening.at(7, lambda: evening.rig.table.fly_off([Piece.GREEN] * 12))
    last = evening.until(14)
    assert last.phase is Phase.READY


def test_each_mishap_goes_round_the_pockets(evening: Evening) -> None:
    for seconds in (6, 7, 8, 9, 10):
        evening.happens_at(seconds, Mishap.BESIDE_BEAM)
    evening.until(12)
    pockets = [each.pocket for each in evening.rig.table.happenings()]
    assert pockets == [Pocket.NE, Pocket.SE, Pocket.SW, Pocket.NW, Pocket.NE]


def test_every_mishap_but_the_power_cut_happens_at_the_table() -> None:
    assert set(HOW) == set(Mishap) - {Mishap.POWER_CUT}


@pytest.mark.parametrize("rules", [RuleSystem.KAGW, RuleSystem.POINTS])
def test_every_mishap_can_happen_with_the_pieces_of_any_rules(
    tmp_path: Path, rules: RuleSystem
) -> None:
    evening = Evening(tmp_path, rules)
    evening.ok_at(1)
    for number, mishap in enumerate(HOW, start=1):
        if mishap is Mishap.FETCH_HAND:
            striker = partial(evening.rig.table.drop, Pocket.NE, [Piece.STRIKER])
            evening.at(40 * number - 8, striker)
        evening.happens_at(40 * number, mishap)
        evening.ok_at(*(40 * number + after for after in (12, 16, 20, 24, 28)))
    seen = evening.until(40 * (len(HOW) + 1))
    assert seen.rules is rules
    known = {piece for piece, _n in seen.on_board}
    assert {piece for _seat, pieces in evening.played() for piece in pieces} <= known | {
        Piece.STRIKER
    }
    assert evening.out() > 0
    assert len(evening.rig.table.happenings()) >= 8, "fingers and loose contacts drop nothing"
