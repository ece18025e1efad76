"""A display that is drawn on directly, in virtual time, with no thread in between."""

from __future__ import annotations

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.thread import DirectDisplay, Retry
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from tests.displays.screens import Anxious, Clock, Journal, Screen, Speaker
from tests.displays.views import board


def test_a_direct_display_has_shown_a_view_when_post_returns() -> None:
    screen = Screen()
    display = DirectDisplay(screen, Journal().add, Clock())
    display.start()
    for number in range(3):
        display.post(board(sequence=number))
        assert screen.picture == board(sequence=number)
        assert display.drain()
    assert display.stop()
    assert screen.log.entries[-1] == "close"


def test_a_direct_display_reports_and_mends_in_virtual_time() -> None:
    clock, faults, speaker = Clock(), Journal(), Speaker()
    display = DirectDisplay(speaker, faults.add, clock, Retry(first_ns=100))
    speaker.plugged = False
    display.start()
    display.post(board(sequence=1))
    assert not display.drain()
    speaker.plugged = True
    display.post_sound(Sound.HORN)  # its moment will have passed
    clock.now_ns = 99
    display.post(board(sequence=2))
    assert speaker.log.of(BoardView) == []
    clock.now_ns = 100
    display.post_sound(Sound.TICK)
    assert speaker.picture == board(sequence=2)
    display.post_sound(Sound.AGAIN)
    assert speaker.log.of(Sound) == [Sound.AGAIN]
    assert faults.entries == [
        FaultRaised(0, "speaker", Trouble.GONE, "nothing at 0x3c"),
        FaultCleared(100, "speaker", Trouble.GONE),
    ]


def test_a_direct_display_is_tended_with_the_next_post_when_it_is_time() -> None:
    clock, told, screen = Clock(), Journal(), Anxious()
    direct = DirectDisplay(screen, told.add, clock)
    direct.start()
    direct.post(board())
    assert screen.log.entries.count("tend") == 1
