"""Nothing ends the board: a failure inside changes nothing and is reported, and play goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jackspot import board as loop
from jackspot.assembly import KINDS
from jackspot.board import Board, BoardParts
from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Pocket
from jackspot.dialogue.phases import deadlines, failures, scorekeeper
from jackspot.dialogue.proposals.open_falls import open_falls as falls_of
from jackspot.dialogue.restart import restoring
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.ops.doctor.findings import Severity
from jackspot.ops.doctor.wired_parts import check_journal
from jackspot.ops.watchdog import Watchdog
from jackspot.sensing.events import Edge, Fall, Gesture, Tick
from jackspot.sensing.limits import MS
from jackspot.storage.high_water import starts_path
from jackspot.storage.journal import read_checked
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from tests.conftest import failed_inside
from tests.ops.written_machine import Written
from tests.test_board import FIX, OK, Driven, Hands

pytestmark = pytest.mark.fails_inside


class Broken(RuntimeError):
    """The error with which the program is made to fail."""


def breaks(*_args: object, **_named: object) -> Any:
    raise Broken("it was made to")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def driven(journal: Path) -> Iterator[Driven]:
    with closing(Driven(journal)) as board:
        yield board


def test_what_a_board_has_failed_at_fails_the_test_whatever_process_it_is_in(
    driven: Driven, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not list(failed_inside(journal.parent))
    monkeypatch.setattr(loop, "step", breaks)
    driven.press()
    assert "Broken: it was made to" in "".join(failed_inside(journal.parent))


def in_review(driven: Driven) -> None:
    """Start a match and let something fall that waits for an answer."""
    driven.press()
    driven.take(lambda at_ns: Edge(at_ns, Pocket.NE, active=True), 5 * SECOND_NS)
    driven.take(lambda at_ns: Edge(at_ns, Pocket.NE, active=False), 9 * MS)
    for _ in range(4):
        driven.wait(SECOND_NS)
    assert driven.view.phase is Phase.REVIEW


def open_falls(dialogue: DialogueState) -> tuple[Fall, ...]:
    return falls_of(dialogue, dialogue.proposal)


def failed(journal: Path) -> list[Any]:
    return [entry for entry in read_checked(journal, None) if entry.kind == EntryKind.FAILED]


def test_a_press_that_fails_changes_nothing_and_is_told(
    driven: Driven, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_review(driven)
    was = driven.board.dialogue
    monkeypatch.setattr(scorekeeper, "_press", breaks)
    driven.press()
    assert str(driven.board.dialogue.note) == "that did not work, nothing was changed"
    assert (driven.board.dialogue.proposal, driven.board.dialogue.game) == (was.proposal, was.game)
    [entry] = failed(journal)
    assert "Broken: it was made to" in entry.body["trace"]
    assert "Press" in entry.body["event"]
    monkeypatch.undo()
    driven.press()
    assert driven.view.phase is Phase.READY
    assert len(driven.board.dialogue.game.lines if driven.board.dialogue.game else ()) == 1


def test_what_fails_by_itself_is_put_aside_and_people_compare_the_counts(
    driven: Driven, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_review(driven)
    driven.press()
    in_review_again = driven.board.dialogue
    assert in_review_again.game is not None
    driven.press(FIX)
    run = deadlines.run_until
    monkeypatch.setattr(
        scorekeeper,
        "run_until",
        lambda transition: breaks() if transition.dialogue.proposal else run(transition),
    )
    driven.press()
    dialogue = driven.board.dialogue
    assert (dialogue.phase, dialogue.glance, dialogue.proposal) == (
        Phase.PAUSED,
        Glance.POWER,
        None,
    )
    assert dialogue.game is not None
    assert dialogue.game.lines == in_review_again.game.lines
    driven.press()
    assert driven.view.phase is Phase.READY
    kinds = [entry.kind for entry in read_checked(journal, None)]
    assert kinds.count(EntryKind.FAILED) == 1


@pytest.mark.parametrize("part", ["show", "next_wake_ns"])
def test_a_desk_that_cannot_be_shown_or_waited_on_is_put_aside(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    in_review(driven)
    real: Callable[..., Any] = getattr(loop, part)
    monkeypatch.setattr(
        loop, part, lambda dialogue, *rest: breaks() if dialogue.proposal else real(dialogue, *rest)
    )
    driven.press(FIX)
    driven.board._wake_ns()
    assert driven.board.dialogue.phase is Phase.PAUSED
    driven.press()
    assert driven.view.phase is Phase.READY


@pytest.mark.parametrize("part", ["visible_part", "looks_alike", "seen_faults"])
def test_what_no_net_of_its_own_holds_ends_nothing_either(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    in_review(driven)
    monkeypatch.setattr(loop, part, breaks)
    driven.press(FIX)
    driven.press(FIX)
    assert driven.board._failed_ns is not None
    monkeypatch.undo()
    driven.press()
    assert driven.view.phase is Phase.READY


def test_a_failure_that_comes_each_time_does_not_make_the_loop_spin(
    driven: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_review(driven)
    monkeypatch.setattr(scorekeeper, "run_until", breaks)
    driven.wait(SECOND_NS)
    driven.board._look_ns = None  # this wire has been looked at
    wake_ns = driven.board._wake_ns()
    assert wake_ns is None or wake_ns >= driven.hands.at_ns + SECOND_NS


def test_a_signal_that_fails_is_dropped_and_the_next_one_counts(
    driven: Driven, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven.press()
    monkeypatch.setattr(driven.board, "_sensed", breaks)
    driven.take(lambda at_ns: Edge(at_ns, Pocket.NE, active=True), 5 * SECOND_NS)
    monkeypatch.undo()
    assert len(failed(journal)) == 1
    driven.press()
    assert len(driven.board.dialogue.game.lines if driven.board.dialogue.game else ()) == 1


def test_the_doctor_names_what_failed(
    driven: Driven, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorekeeper, "_press", breaks)
    driven.press()
    found = [each for each in check_journal(Written(), journal) if each.what == "program"]
    assert [each.mark for each in found] == [Severity.DOUBTFUL]
    assert "Broken: it was made to" in found[0].found


# --- starts ----------------------------------------------------------------------------


def killed(journal: Path) -> Driven:
    """Start a board and kill it before it has run for long: nothing is closed in order."""
    board = Driven(journal)
    board.keeper._journal.close() if board.keeper._journal else None
    return board


def test_after_two_failed_starts_on_the_same_desk_what_is_open_is_put_aside(
    journal: Path,
) -> None:
    with closing(Driven(journal)) as board:
        in_review(board)
    assert not starts_path(journal).exists(), "a stop in order is no failure"
    phases = [killed(journal).view.phase for _ in range(3)]
    assert phases == [Phase.REVIEW, Phase.REVIEW, Phase.PAUSED]
    with closing(Driven(journal)) as board:
        board.press()
        assert board.view.phase is Phase.READY


def test_a_start_that_lasts_has_succeeded(journal: Path) -> None:
    with closing(Driven(journal)) as board:
        in_review(board)
    for _ in range(4):
        board = Driven(journal)
        board.wait(loop.SURVIVED_NS)
        board.keeper._journal.close() if board.keeper._journal else None
        assert board.view.phase is Phase.REVIEW


def test_putting_aside_keeps_every_entry_and_settles_every_fall(driven: Driven) -> None:
    in_review(driven)
    dialogue: DialogueState = driven.board.dialogue
    aside, effects = failures.put_aside(dialogue, dialogue.timing.now_ns)
    assert aside.game is not None
    assert dialogue.game is not None
    assert aside.game.lines == dialogue.game.lines
    cleared = [each.body["falls"] for each in effects.records if each.kind is EntryKind.CLEARING]
    assert cleared == [
        [fall.number for fall in dialogue.proposal.falls] if dialogue.proposal else []
    ]
    again, _ = scorekeeper.step(aside, Tick(aside.timing.now_ns + SECOND_NS))
    assert again.phase is Phase.PAUSED


@pytest.mark.parametrize(
    "part", ["laid_out", "gathered", "_on_the_same_line", "_stopped", "disagreed"]
)
def test_whatever_fails_as_a_desk_is_laid_out_again_the_board_starts_and_nothing_fallen_is_lost(
    journal: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    with closing(Driven(journal)) as board:
        in_review(board)
        board.press(FIX, Gesture.HOLD)  # a list is open, too
        numbers = [fall.number for fall in open_falls(board.board.dialogue)]
    real = getattr(restoring, part)
    first = iter((True,))

    def fails_once(*args: Any) -> Any:
        return breaks() if next(first, False) else real(*args)

    monkeypatch.setattr(restoring, part, fails_once)
    with closing(Driven(journal)) as board:
        dialogue = board.board.dialogue
        assert dialogue.game is not None
        assert dialogue.glance
        assert [fall.number for fall in open_falls(dialogue)] == numbers


def test_a_start_is_counted_before_anything_of_it_can_fail(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "restore", breaks)
    for _start in range(3):
        keeper = Keeper(journal, KINDS, SystemWall())
        with pytest.raises(Broken):
            Board(BoardParts(Hands(), Hands(), keeper, Watchdog({}), ()), [])
        if keeper._journal:
            keeper._journal.close()  # killed, and not stopped in order
    assert starts_path(journal).read_text(encoding="ascii").split()[1] == "3"


# --- neighbours ------------------------------------------------------------------------


def is_marked(driven: Driven, line: str) -> bool:
    """Return whether this line of the open list is marked, whatever reached the display."""
    shown = show(driven.board.dialogue, driven.board.dialogue.timing.now_ns).menu
    assert shown is not None
    return str(shown.items[shown.chosen]) == line


@pytest.mark.parametrize("part", ["look", "post", "post_sound", "feed", "back_up", "survived"])
def test_whatever_stands_beside_the_loop_may_fail_and_play_goes_on(
    driven: Driven, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    where = {
        "look": driven.hands, "post": driven.seen, "post_sound": driven.seen,
        "feed": driven.board._parts.watchdog,
    }.get(part, driven.keeper)  # fmt: skip
    monkeypatch.setattr(where, part, breaks)
    monkeypatch.setattr(driven.board._parts.watchdog, "interval_ns", SECOND_NS)
    monkeypatch.setattr(driven.hands, "next", lambda _deadline_ns: None)
    driven.wait(loop.SURVIVED_NS)
    driven.press()
    driven.board.turn()
    driven.press()
    dialogue = driven.board.dialogue
    assert dialogue.game is not None
    assert len(dialogue.game.lines) == 1
    driven.press(FIX, Gesture.HOLD)
    while not is_marked(driven, "resign"):
        driven.press(FIX)
    driven.press()
    driven.press(OK, Gesture.HOLD)
    assert driven.board.dialogue.phase is Phase.MATCH_OVER
