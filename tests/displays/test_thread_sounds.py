"""Sounds through a thread: in order, the oldest dropped, never in the way of a view."""

from __future__ import annotations

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.thread import SOUNDS_KEPT, SoundingDisplay
from tests.conftest import PATIENCE_S
from tests.displays.screens import Journal, Screen, Speaker, Start
from tests.displays.views import board


def test_sounds_are_played_in_order_and_the_oldest_waiting_are_dropped(start: Start) -> None:
    speaker = Speaker()
    assert isinstance(speaker, SoundingDisplay)
    speaker.gate.clear()
    thread = start(speaker)
    thread.drain(PATIENCE_S)
    thread.post_sound(Sound.HORN)
    assert speaker.entered.wait(PATIENCE_S)
    for _ in range(20):
        thread.post_sound(Sound.TICK)
    thread.post_sound(Sound.AGAIN)
    thread.post_sound(Sound.PASS)
    speaker.gate.set()
    assert thread.drain(PATIENCE_S)
    ticks = [Sound.TICK] * (SOUNDS_KEPT - 2)
    assert speaker.log.of(Sound) == [Sound.HORN, *ticks, Sound.AGAIN, Sound.PASS]


def test_a_sound_does_not_draw_the_view_again(start: Start) -> None:
    speaker = Speaker()
    thread = start(speaker)
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    thread.post_sound(Sound.TICK)
    assert thread.drain(PATIENCE_S)
    assert speaker.log.of(BoardView) == [board()]
    assert speaker.log.of(Sound) == [Sound.TICK]


def test_a_sound_for_a_display_without_one_is_nothing(start: Start) -> None:
    screen = Screen()
    thread = start(screen)
    thread.post_sound(Sound.TICK)
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    assert screen.log.of(Sound) == []


def test_a_display_that_broke_with_a_sound_shows_its_view_again(
    start: Start, faults: Journal
) -> None:
    speaker = Speaker()
    thread = start(speaker)
    thread.post(board())
    assert thread.drain(PATIENCE_S)
    speaker.plugged = False
    thread.post_sound(Sound.TICK)
    faults.wait_for(len)
    speaker.plugged = True
    faults.wait_for(lambda entries: len(entries) == 2)
    assert speaker.log.of(BoardView) == [board(), board()]
    assert speaker.log.of(Sound) == []


def test_sounds_of_the_time_when_it_was_broken_are_not_played_later(
    start: Start, faults: Journal
) -> None:
    speaker = Speaker()
    speaker.plugged = False
    thread = start(speaker)
    faults.wait_for(len)
    for sound in (Sound.HORN, Sound.TICK, Sound.WIN):
        thread.post_sound(sound)
    speaker.log.wait_for(lambda entries: entries.count("open") >= 4)
    speaker.plugged = True
    faults.wait_for(lambda entries: len(entries) == 2)
    thread.post_sound(Sound.AGAIN)
    assert thread.drain(PATIENCE_S)
    assert speaker.log.of(Sound) == [Sound.AGAIN]


def test_a_view_does_not_wait_for_all_the_sounds_before_it(start: Start) -> None:
    speaker = Speaker()
    thread = start(speaker)
    assert thread.drain(PATIENCE_S)
    speaker.gate.clear()
    thread.post_sound(Sound.HORN)
    assert speaker.entered.wait(PATIENCE_S)
    thread.post_sound(Sound.TICK)
    thread.post_sound(Sound.WIN)
    thread.post(board())
    speaker.gate.set()
    assert thread.drain(PATIENCE_S)
    heard = [entry for entry in speaker.log.entries if isinstance(entry, Sound | BoardView)]
    assert heard == [Sound.HORN, board(), Sound.TICK, Sound.WIN]


def test_stopping_drops_the_sounds_that_wait(start: Start) -> None:
    speaker = Speaker()
    thread = start(speaker)
    assert thread.drain(PATIENCE_S)
    speaker.gate.clear()
    for sound in (Sound.HORN, Sound.TICK, Sound.WIN):
        thread.post_sound(sound)
        assert speaker.entered.wait(PATIENCE_S)
    assert not thread.stop(0.01)
    speaker.gate.set()
    assert thread.stop(PATIENCE_S)
    assert speaker.log.of(Sound) == [Sound.HORN]
