"""Displays that vanish and a disk that is full: the match goes on, the fault is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jackspot.core.record import read_record
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.displays.oled.layout import draw
from jackspot.displays.oled.light import ORBIT, moved
from jackspot.displays.words import translator
from jackspot.sensing.events import Trouble
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.keeper import Keeper
from jackspot_sim.boards.rehearsal import board_config, exported, rehearse
from jackspot_sim.boards.rig import Onlookers, Rig, RigHands
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from jackspot_sim.people.play import Player

RECORD = Path(__file__).parents[1] / "records" / "whole_match.carom"


class Saboteur:
    """A display that does something at certain views, and remembers all of them."""

    name = "saboteur"

    def __init__(self, deeds: dict[int, Callable[[], None]]) -> None:
        self._deeds = deeds
        self.views: list[BoardView] = []
        self.glass: Callable[[], bytes] = bytes
        self.pictures: list[bytes] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """See a view, and act where there is something to do."""
        self.views.append(view)
        self.pictures.append(self.glass())
        self._deeds.get(len(self.views), lambda: None)()

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True

    def told(self, part: str, trouble: Trouble) -> list[bool]:
        """Return view by view whether this fault was shown."""
        return [(part, trouble) in {(f.part, f.trouble) for f in v.faults} for v in self.views]


def test_an_oled_pulled_out_in_mid_match_is_told_and_comes_back_whole(tmp_path: Path) -> None:
    record = read_record(RECORD.read_text(encoding="utf-8"))
    deeds: dict[int, Callable[[], None]] = {}
    saboteur = Saboteur(deeds)

    def meet(rig: Rig) -> None:
        saboteur.glass = lambda: rig.bus.picture().tobytes()
        deeds[20] = rig.bus.unplug
        deeds[60] = rig.bus.plug

    entries = [step.entry for step in record.match.steps]
    rig = rehearse(record.settings, entries, tmp_path / "j.sqlite3", further=[saboteur], meet=meet)
    told = saboteur.told("oled", Trouble.GONE)
    assert any(told), "the fault is shown"
    assert not told[-1], "and goes when the display is back"
    assert rig.board.dialogue.phase is Phase.MATCH_OVER
    last = draw(saboteur.views[-1], translator("en"))
    wherever = {moved(last, shift).tobytes() for shift in ORBIT}
    assert saboteur.pictures[-1] in wherever, "the picture is whole"


class FullDisk(Keeper):
    """A journal on a disk that is full while ``full``."""

    full = False

    def _write(self, *, forced: bool) -> None:
        if self.full:
            raise JournalUnwritable(self.path, f"{self.path}: no space left", "disk full")
        super()._write(forced=forced)


def test_a_disk_that_fills_up_in_mid_match_loses_nothing(tmp_path: Path) -> None:
    record = read_record(RECORD.read_text(encoding="utf-8"))
    entries = [step.entry for step in record.match.steps]
    clock = SimClock(None)
    deeds: dict[int, Callable[[], None]] = {}
    saboteur = Saboteur(deeds)
    people: list[Player] = []

    class Looking(Saboteur):
        def start(self) -> None:
            people[0].start()

        def post(self, view: BoardView) -> None:
            people[0].post(view)

    rig = Rig(
        board_config(record.settings), tmp_path / "j.sqlite3", clock,
        Onlookers(further=(Looking({}), saboteur)), keep=FullDisk,
    )  # fmt: skip
    keeper = rig.keeper
    assert isinstance(keeper, FullDisk)
    deeds[30] = lambda: setattr(keeper, "full", True)
    deeds[80] = lambda: setattr(keeper, "full", False)
    people.append(
        Player(record.settings, entries, RigHands(clock, rig.table), clock, Habits(), clock.close)
    )
    rig.run()
    told = saboteur.told("journal", Trouble.DISK)
    assert any(told), "the fault is shown"
    assert not told[-1], "and goes when there is room again"
    again = Rig(board_config(record.settings), tmp_path / "j.sqlite3", SimClock(None))
    assert exported(again) == exported(rig), "everything reached the disk in the end"
    assert again.board.dialogue.phase is Phase.MATCH_OVER
    again.keeper.close()


def test_a_piece_stuck_in_a_beam_is_told_and_play_goes_on_by_hand(tmp_path: Path) -> None:
    record = read_record(RECORD.read_text(encoding="utf-8"))
    entries = [step.entry for step in record.match.steps]
    deeds: dict[int, Callable[[], None]] = {}
    saboteur = Saboteur(deeds)

    def meet(rig: Rig) -> None:
        deeds[25] = lambda: rig.table.jam("pocket_ne")

    rig = rehearse(record.settings, entries, tmp_path / "j.sqlite3", further=[saboteur], meet=meet)
    assert saboteur.told("pocket_ne", Trouble.BLOCKED)[-1], "the banner stays"
    played = [step.entry for step in read_record(exported(rig)).match.steps]
    assert len(played) >= len(entries)
    assert read_record(exported(rig)).match.state.points == record.match.state.points
