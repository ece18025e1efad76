"""The buzzer: every sound can be told from the others by its rhythm alone."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from jackspot.dialogue.state.view import BoardView, PreferencesView, Sound
from jackspot.displays.buzzer import Buzzer, BuzzerKind
from jackspot.displays.errors import DisplayError
from jackspot.displays.sounds import SOUNDS, Note
from jackspot.displays.thread import DisplayThread, Interruptible, SoundingDisplay
from tests.conftest import PATIENCE_S
from tests.displays.screens import Journal, is_interrupted
from tests.displays.views import board

PIN = 18


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    mock = MockFactory(pin_class=MockPWMPin)
    yield mock
    mock.close()


class Ear:
    """Hears what a pin does, in the time that the buzzer thinks has passed."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self.heard: list[tuple[int, int]] = []
        self.duty: set[float] = set()

    def wait(self, seconds: float) -> None:
        pin = self._factory.pin(PIN)
        hz = round(pin.frequency) if pin.frequency and pin.state else 0
        hz = hz or (1 if pin.state and not pin.frequency else 0)
        self.heard.append((hz, round(seconds * 1000)))
        if pin.state:
            self.duty.add(float(pin.state))


def loud(volume: int) -> BoardView:
    return board(preferences=PreferencesView(volume=volume))


def playing(
    factory: MockFactory, kind: BuzzerKind | str = BuzzerKind.PASSIVE, volume: int = 100
) -> tuple[Buzzer, Ear]:
    ear = Ear(factory)
    buzzer = Buzzer(PIN, kind=kind, pin_factory=factory, wait=ear.wait)
    buzzer.open()
    buzzer.show(loud(volume))
    return buzzer, ear


@pytest.mark.parametrize("sound", Sound)
def test_a_passive_buzzer_plays_the_tones_and_falls_silent(
    factory: MockFactory, sound: Sound
) -> None:
    buzzer, ear = playing(factory)
    buzzer.play(sound)
    assert ear.heard == [(note.hz, note.length_ms) for note in SOUNDS[sound]]
    assert not factory.pin(PIN).state
    buzzer.close()


@pytest.mark.parametrize("sound", Sound)
def test_an_active_buzzer_keeps_the_rhythm(sound: Sound) -> None:
    factory = MockFactory()  # pins that can only be switched
    buzzer, ear = playing(factory, kind="active")
    buzzer.play(sound)
    assert [(bool(hz), ms) for hz, ms in ear.heard] == [
        (bool(note.hz), note.length_ms) for note in SOUNDS[sound]
    ]
    assert not factory.pin(PIN).state
    buzzer.close()


def rhythm(notes: tuple[Note, ...]) -> tuple[str, ...]:
    """Return the lengths that a person hears: blips, short, middling and long notes."""
    steps = ((40, "blip"), (100, "short"), (150, "middling"), (400, "long"), (1000, "horn"))
    return tuple(
        next(name for longest, name in steps if note.length_ms <= longest)
        for note in notes
        if note.hz
    )


def test_every_sound_has_tones_and_rhythm_of_its_own() -> None:
    assert set(SOUNDS) == set(Sound)
    for one, other in itertools.combinations(Sound, 2):
        assert rhythm(SOUNDS[one]) != rhythm(SOUNDS[other]), (one, other)


def tones(sound: Sound) -> list[int]:
    return [note.hz for note in SOUNDS[sound] if note.hz]


def test_again_rises_and_pass_falls_and_a_foul_is_two_low_notes() -> None:
    again, passing, foul = tones(Sound.AGAIN), tones(Sound.PASS), tones(Sound.FOUL)
    assert len(again) == len(passing) == len(foul) == 2
    assert again[0] < again[1]
    assert passing[0] > passing[1]
    assert max(foul) < min(again + passing)
    assert len(tones(Sound.TICK)) == len(tones(Sound.REFUSED)) == len(tones(Sound.HORN)) == 1
    assert tones(Sound.REFUSED)[0] < min(again)


def test_no_sound_keeps_the_next_one_waiting_for_more_than_a_second() -> None:
    for sound, notes in SOUNDS.items():
        assert sum(note.length_ms for note in notes) <= 1000, sound


def test_volume_makes_it_quieter_and_nothing_is_silence(factory: MockFactory) -> None:
    heard = {}
    for volume in (0, 30, 100):
        buzzer, ear = playing(factory, volume=volume)
        buzzer.play(Sound.HORN)
        heard[volume] = ear.duty
        buzzer.close()
    assert heard[0] == set()
    assert heard[100] == {0.5}
    assert 0 < max(heard[30]) < 0.5


def test_an_active_buzzer_can_be_silenced(factory: MockFactory) -> None:
    buzzer, ear = playing(factory, kind=BuzzerKind.ACTIVE, volume=0)
    buzzer.play(Sound.HORN)
    assert ear.heard == []
    buzzer.close()


def test_the_volume_can_be_changed_while_the_buzzer_is_open(factory: MockFactory) -> None:
    buzzer, ear = playing(factory, volume=0)
    buzzer.play(Sound.HORN)
    assert ear.heard == []
    buzzer.show(loud(100))
    buzzer.play(Sound.HORN)
    assert ear.duty == {0.5}
    assert buzzer.cares(loud(100)) != buzzer.cares(loud(0))
    assert buzzer.cares(loud(0)) == buzzer.cares(board(8, preferences=PreferencesView(volume=0)))
    buzzer.close()


def test_an_unknown_kind_of_buzzer_is_refused() -> None:
    with pytest.raises(ValueError, match="loud"):
        Buzzer(PIN, kind="loud")


def test_a_pin_that_is_taken_is_a_display_error(factory: MockFactory) -> None:
    buzzer, _ = playing(factory)
    second = Buzzer(PIN, pin_factory=factory)
    with pytest.raises(DisplayError, match=r"GPIO 18 cannot be used.*check the pin"):
        second.open()
    second.close()
    buzzer.close()


def test_a_closed_buzzer_frees_its_pin_and_plays_nothing(factory: MockFactory) -> None:
    buzzer, ear = playing(factory)
    buzzer.close()
    buzzer.play(Sound.TICK)
    assert ear.heard == []
    again, _ = playing(factory)
    again.close()


def test_no_timer_runs_while_a_buzzer_is_silent(factory: MockFactory) -> None:
    buzzer, _ear = playing(factory)
    pin = factory.pin(PIN)
    assert pin.frequency is None
    buzzer.play(Sound.WIN)
    assert (pin.frequency, pin.state) == (None, 0)
    buzzer.close()


class BusyEar(Ear):
    """Hears on a machine where every wait takes this much longer."""

    def __init__(self, factory: MockFactory, longer_s: float) -> None:
        super().__init__(factory)
        self.longer_s = longer_s
        self.now_s = 50.0

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self.now_s += seconds + self.longer_s

    def clock(self) -> float:
        return self.now_s


@pytest.mark.parametrize("sound", Sound)
def test_a_sound_keeps_its_length_and_all_its_notes_on_a_busy_machine(
    factory: MockFactory, sound: Sound
) -> None:
    ear = BusyEar(factory, 0.02)
    buzzer = Buzzer(PIN, pin_factory=factory, wait=ear.wait, clock=ear.clock)
    buzzer.open()
    buzzer.show(loud(100))
    before_s = ear.now_s
    buzzer.play(sound)
    whole_s = sum(note.length_ms for note in SOUNDS[sound]) / 1000
    assert ear.now_s - before_s == pytest.approx(whole_s + 0.02), "late once, not at every note"
    assert [hz for hz, _ in ear.heard] == [note.hz for note in SOUNDS[sound]]
    buzzer.close()


def test_a_note_is_heard_however_late_it_begins(factory: MockFactory) -> None:
    ear = BusyEar(factory, 1.0)
    buzzer = Buzzer(PIN, pin_factory=factory, wait=ear.wait, clock=ear.clock)
    buzzer.open()
    buzzer.show(loud(100))
    buzzer.play(Sound.TEN_SECONDS)
    notes = SOUNDS[Sound.TEN_SECONDS]
    assert [hz for hz, _ in ear.heard] == [note.hz for note in notes]
    assert [ms for _, ms in ear.heard[1:]] == [note.length_ms // 2 for note in notes[1:]]
    buzzer.close()


def silences(ear: Ear) -> list[int]:
    """Return how long the buzzer was silent each time between two notes."""
    runs = itertools.groupby(ear.heard, key=lambda note: bool(note[0]))
    return [sum(ms for _, ms in notes) for sounds, notes in runs if not sounds]


@pytest.mark.parametrize("first", [Sound.TICK, Sound.PASS, Sound.HORN, Sound.TEN_SECONDS])
@pytest.mark.parametrize("second", [Sound.TICK, Sound.AGAIN, Sound.WIN])
@pytest.mark.parametrize("timed", [False, True])
def test_two_sounds_are_further_apart_than_the_notes_of_either(
    factory: MockFactory, first: Sound, second: Sound, timed: bool
) -> None:
    ear = BusyEar(factory, 0.0)
    clock = ear.clock if timed else None
    buzzer = Buzzer(PIN, pin_factory=factory, wait=ear.wait, clock=clock)
    buzzer.open()
    buzzer.show(loud(100))
    buzzer.play(first)
    buzzer.play(second)
    notes = [note for sound in (first, second) for note in SOUNDS[sound]]
    assert [each for each in ear.heard if each[0]] == [
        (note.hz, note.length_ms) for note in notes if note.hz
    ]
    between = len([note for note in SOUNDS[first] if not note.hz])
    within = [note.length_ms for note in notes if not note.hz]
    assert silences(ear)[between] >= 2 * max(within, default=60)
    buzzer.close()


def test_a_sound_that_comes_later_begins_at_once(factory: MockFactory) -> None:
    ear = BusyEar(factory, 0.0)
    buzzer = Buzzer(PIN, pin_factory=factory, wait=ear.wait, clock=ear.clock)
    buzzer.open()
    buzzer.show(loud(100))
    buzzer.play(Sound.TICK)
    ear.now_s += 1.0
    buzzer.play(Sound.TICK)
    assert ear.heard == [(2000, 15), (2000, 15)]
    buzzer.close()


def test_no_further_note_follows_an_interruption(factory: MockFactory) -> None:
    buzzer, ear = playing(factory)
    plain = ear.wait

    def interrupt(seconds: float) -> None:
        plain(seconds)
        buzzer.interrupt()

    buzzer._wait = interrupt
    buzzer.play(Sound.WIN)
    assert len(ear.heard) == 1
    assert not factory.pin(PIN).state
    buzzer.close()


def test_a_sound_is_cut_short_when_the_board_stops(factory: MockFactory) -> None:
    sounding = threading.Event()

    class Watched(Buzzer):
        def _start(self, note: Note) -> None:
            super()._start(note)
            sounding.set()

    monkey = dict.fromkeys(Sound, (Note(440, 3_600_000),))
    buzzer = Watched(PIN, pin_factory=factory)
    assert isinstance(buzzer, SoundingDisplay)
    assert isinstance(buzzer, Interruptible)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jackspot.displays.buzzer.SOUNDS", monkey)
        thread = DisplayThread(buzzer, Journal().add)
        thread.start()
        thread.post(board())
        assert thread.drain(PATIENCE_S)
        thread.post_sound(Sound.HORN)
        assert sounding.wait(PATIENCE_S)
        assert is_interrupted(thread)
    assert not factory.pin(PIN).state


def test_no_view_wakes_a_buzzer(factory: MockFactory) -> None:
    buzzer, _ear = playing(factory)
    assert buzzer.cares(board(red=1)) == buzzer.cares(board(red=2))
    buzzer.close()
