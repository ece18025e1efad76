"""What a hub asks of its boards at its start: results that it acknowledged and no longer has."""

from __future__ import annotations

from jackspot_hub.desk.catching_up import AGAIN_S, PATIENCE_S, CatchingUp


def test_each_board_is_asked_for_what_comes_after_the_newest_until_it_has_no_more() -> None:
    on_disk = {1: {"old": 90, "new": 7}, 2: {}}
    catching = CatchingUp(on_disk)
    assert catching.question(1, on_disk, 1.0) == {"journal": "new", "since": 7}
    assert catching.question(1, on_disk, 1.1) is None, "its answer is waited for"
    assert not catching.takes(1, 1.2), "a younger result must not come before an older one"
    assert catching.takes(2, 1.0), "nothing is known of its results"
    assert catching.question(2, on_disk, 1.0) is None
    assert catching.question(3, on_disk, 1.0) is None
    catching.answered(1, 2, 1.2)
    assert catching.takes(1, 1.3)
    assert catching.question(1, on_disk, 1.3) is None, "they are on their way"
    on_disk = {1: {"old": 90, "new": 31}}
    assert catching.question(1, on_disk, 3.0) == {"journal": "new", "since": 31}
    catching.answered(1, 0, 3.1)
    assert catching.question(1, on_disk, 100.0) is None
    assert catching.takes(1, 100.0)


def test_a_board_that_does_not_answer_is_asked_again_and_then_taken_at_its_word() -> None:
    on_disk = {1: {"a": 7}}
    catching = CatchingUp(on_disk)
    asked = [at for at in range(100, 200) if catching.question(1, on_disk, float(at))]
    assert asked == [100 + AGAIN_S * times for times in range(round(PATIENCE_S / AGAIN_S) + 1)]
    assert catching.takes(1, 200.0)


def test_a_board_that_seems_away_and_sends_results_is_not_shut_out() -> None:
    catching = CatchingUp({1: {"a": 7}})
    assert not catching.takes(1, 50.0)
    assert not catching.takes(1, 50.0 + PATIENCE_S)
    assert catching.takes(1, 50.1 + PATIENCE_S)


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    catching = CatchingUp({1: {"a": 7}})
    catching.answered(2, 3, 1.0)
    assert not catching.takes(1, 1.0)


def test_whoever_goes_on_with_a_copy_asks_boards_of_which_it_has_nothing_for_all() -> None:
    on_disk: dict[int, dict[str, int]] = {3: {"k": 9}}
    catching = CatchingUp(on_disk, everyone=True)
    assert not catching.takes(7, 1.0), "a younger result must not come before an older one"
    assert catching.question(7, on_disk, 1.0) == {"since": 0}
    assert catching.question(7, on_disk, 1.0 + AGAIN_S) == {"since": 0}
    catching.answered(7, 100, 5.0)
    assert catching.takes(7, 5.0)
    catching.heard(7, "early")
    catching.heard(7, "late")
    on_disk[7] = {"early": 200, "late": 300}
    assert catching.question(7, on_disk, 20.0) == {"journal": "late", "since": 300}
    catching.answered(7, 0, 20.1)
    assert catching.question(7, on_disk, 100.0) is None
    assert catching.takes(7, 100.0)
    alone = CatchingUp({}, everyone=False)
    assert alone.question(7, {}, 1.0) is None, "an event that begins has told nobody anything"


def test_a_board_that_has_another_journal_now_is_asked_for_all_of_it_at_once() -> None:
    on_disk = {3: {"k": 9}}
    catching = CatchingUp(on_disk)
    assert catching.question(3, on_disk, 1.0) == {"journal": "k", "since": 9}
    catching.refused(3)
    assert catching.question(3, on_disk, 1.1) == {"since": 0}
    assert not catching.takes(3, 1.1)
    catching.refused(3)
    assert catching.question(3, on_disk, 1.2) is None, "it has no journal that can be read"
    assert catching.question(3, on_disk, 1.1 + AGAIN_S) == {"since": 0}
    catching.answered(3, 2, 5.0)
    catching.heard(3, "m")
    assert catching.question(3, on_disk, 9.0) == {"journal": "m", "since": 0}
    on_disk[3]["m"] = 4
    catching.answered(3, 1, 9.1)
    assert catching.question(3, on_disk, 19.0) == {"journal": "m", "since": 4}


def test_a_board_that_has_answered_and_then_refuses_everything_is_left_alone() -> None:
    on_disk = {3: {"k": 9}}
    catching = CatchingUp(on_disk)
    catching.question(3, on_disk, 1.0)
    catching.answered(3, 2, 1.1)
    catching.refused(3)
    assert catching.question(3, on_disk, 9.0) == {"since": 0}
    catching.refused(3)
    assert catching.question(3, on_disk, 1_000.0) is None
    assert catching.takes(3, 1_000.0)


def test_a_journal_that_was_restored_meanwhile_is_asked_for_by_its_last_name() -> None:
    """Else what came since would be asked for without end."""
    on_disk = {3: {"k": 9}}
    catching = CatchingUp(on_disk)
    catching.question(3, on_disk, 1.0)
    catching.answered(3, 1, 1.1)
    catching.heard(3, "m")
    on_disk[3]["m"] = 30
    assert catching.question(3, on_disk, 9.0) == {"journal": "m", "since": 30}
    catching.refused(8)
    catching.heard(8, "z")
    assert catching.question(8, on_disk, 9.0) is None
