"""Results that belong to no order: free play, attaching, putting aside, and what follows."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any, Literal
from unicodedata import normalize

import pytest

from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from jackspot.festival.messages import What, crc32
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach, attach_free, loose_results, put_aside
from jackspot_hub.desk.revising import TakenMatch, correct, preview, undo
from jackspot_hub.desk.step import EARLIER_MS, give_notice
from jackspot_hub.event.contest import Knockout, OpenPlay, uncounted
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Person
from jackspot_hub.web.organising import needs
from tests.hub.halls import PlayedHall, hall, programme


def free_hall(meetings: int = 1) -> PlayedHall:
    return PlayedHall(programme(2, f=OpenPlay(meetings), k=Knockout()), Random(1))


def played_freely(
    hall: PlayedHall, north: str, south: str, body: str = "N 12*red\nN jack\n", seq: int = 1,
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Let a board report the result of a match that nobody ordered."""
    names = f'[names]\nN = "{north}"\nS = "{south}"\n' if north else ""
    text = f'rules = "hikone"\n{names}---\n{body}'
    state = read_record(text).match.state
    said = {
        "v": 1, "id": f"b002-y-{seq}", "journal": "y", "seq": seq, "match": 1, "revision": 1,
        "order": None, "winner": state.winner, "points": dict(state.points),
        "boards": dict(state.boards_won), "by": None, "record": text, "crc32": crc32(text),
        "wall_ms": 0, "synchronised": False, **more,
    }  # fmt: skip
    hall.say(2, What.RESULT, said)
    return said


def wins(hall: PlayedHall) -> dict[int, int]:
    (table,) = hall.desk.drawn("f").tables.values()
    return {each.entrant: each.tally.won for each in table if each.tally.played}


def test_free_play_counts_by_the_names_on_a_board() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "F  1")
    assert wins(hall) == {3: 1, 1: 0}
    assert not hall.desk.unattached
    assert hall.restarted() == hall.desk
    played_freely(hall, "f 1", "f 3", seq=3, match=2, id="b002-y-3")
    assert wins(hall) == {3: 1, 1: 0}, "of the same two the first meeting counts"
    assert len(hall.desk.results["f"]) == 2
    twice = free_hall(meetings=2)
    played_freely(twice, "f 3", "f 1")
    played_freely(twice, "f 1", "f 3", seq=3, match=2, id="b002-y-3")
    assert wins(twice) == {3: 1, 1: 1}


@pytest.mark.parametrize("meetings", [1, 2])
@pytest.mark.parametrize(
    ("times", "order"),
    [
        ((30, 10, 20), (1, 2, 0)),
        ((10, 10, 10), (0, 1, 2)),
        ((30, None, 20), (2, 1, 0)),
        ((None, 20, 10), (0, 2, 1)),
        ((None, None, None), (0, 1, 2)),
    ],
)
def test_of_the_same_two_those_count_that_were_played_first_by_clocks_that_are_right(
    times: tuple[int | None, ...], order: tuple[int, ...], meetings: int
) -> None:
    """Their results come late, as of a board that was away."""
    hall = free_hall(meetings)
    played_freely(hall, "f 2", "f 4", seq=1, wall_ms=0, synchronised=True)
    for at, wall_ms in enumerate(times):
        said = {"wall_ms": wall_ms or 0, "synchronised": wall_ms is not None}
        lines = f"! resign {'NS'[at % 2]}\n"
        played_freely(hall, "f 3", "f 1", lines, seq=2 * at + 3, match=2 * at + 3,
                      id=f"b002-y-{2 * at + 3}", **said)  # fmt: skip
    keys = [key for key, each in hall.desk.results["f"].items() if set(each.sides) == {1, 3}]
    left = uncounted(hall.desk.programme.classes["f"].contest, hall.desk.drawn("f"))
    assert left == {keys[at] for at in order[meetings:]}
    won = Counter(hall.desk.results["f"][keys[at]].winner() for at in order[:meetings])
    assert {each: wins(hall)[each] for each in (1, 3)} == {1: won[1], 3: won[3]}
    first = keys[order[0]]
    hall.write(correct(hall.desk, first, Outcome(1, (0, 3)), "desk"))
    assert first not in uncounted(hall.desk.programme.classes["f"].contest, hall.desk.drawn("f"))
    assert hall.restarted() == hall.desk


def test_a_match_that_is_taken_from_its_board_by_a_loose_result_is_named_first() -> None:
    hall = free_hall()
    hall.tick()
    board, number = next(iter(hall.desk.open_orders.items()))
    key = hall.desk.orders[number].key
    said = played_freely(hall, "", "")
    seen = preview(hall.desk, attach(hall.desk, said["id"], key, Side.GREEN, "desk"))
    assert seen.taken == (TakenMatch(key, board),)


def test_undo_at_a_board_of_free_play_is_a_revision_of_the_same_match() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "f 1")
    played_freely(hall, "f 3", "f 1", "N -\nS 12*green\nS jack\n", seq=3, revision=2,
                  id="b002-y-3")  # fmt: skip
    assert wins(hall) == {3: 0, 1: 1}
    assert len(hall.desk.results["f"]) == 1


def test_undo_at_a_board_does_not_change_what_the_desk_has_said_of_that_match() -> None:
    hall = free_hall()
    played_freely(hall, "f 3", "f 1")
    (key,) = hall.desk.results["f"]
    hall.write(correct(hall.desk, key, Outcome(1, (2, 9)), "desk"))
    said = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="b002-y-3")
    assert wins(hall) == {3: 0, 1: 1}
    assert [each["id"] for each in loose_results(hall.desk)] == [said["id"]]


def test_a_match_that_is_corrected_after_its_journal_was_restored_counts_once() -> None:
    """By then the journal has another name; a match that begins at the same number is another."""
    hall = free_hall()
    played_freely(hall, "f 3", "f 1", seq=3)
    later = partial(played_freely, hall, journal="z")
    later(
        "f 3", "f 1", "N -\nS 12*green\nS jack\n", 5, id="b002-z-5", revision=2,
        match_journal="y",
    )  # fmt: skip
    assert wins(hall) == {1: 1, 3: 0}
    later("f 2", "f 3", seq=9, id="b002-z-9", match_journal="z")
    assert wins(hall) == {1: 1, 2: 1, 3: 0}
    assert hall.restarted() == hall.desk


def test_a_later_end_of_what_the_desk_has_put_aside_waits_whatever_its_board_calls_it() -> None:
    hall = free_hall()
    first = played_freely(hall, "f 3", "Zoe", id="no number")
    hall.write(put_aside(hall.desk, first["id"], "desk"))
    said = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="none either")
    (found,) = needs(hall.desk)
    assert (found["id"], found["board"], found["of"]) == (said["id"], 2, None)
    assert wins(hall) == {}
    hall.write(attach_free(hall.desk, said["id"], "f", (3, 1), "desk"))
    assert wins(hall) == {3: 1, 1: 0}
    assert hall.restarted() == hall.desk


def test_a_result_that_the_desk_has_given_to_a_match_stands_when_its_board_has_another() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    record = 'rules = "hikone"\n---\nN 12*red\nN jack\n'
    other = {
        "v": 1, "id": "b009-y-1", "journal": "y", "seq": 1, "match": 1, "revision": 1,
        "order": None, "winner": "red", "points": {}, "boards": {}, "by": None, "record": record,
        "crc32": crc32(record), "wall_ms": 0, "synchronised": False,
    }  # fmt: skip
    played.say(9, What.RESULT, other)
    played.write(attach(played.desk, "b009-y-1", key, Side.RED, "desk"))
    before = played.desk.results
    said = played.result(board, "! resign N\n")
    assert played.desk.results == before
    assert [each["id"] for each in played.desk.unattached] == [said["id"]]
    assert needs(played.desk)[0]["of"] == key
    assert played.restarted() == played.desk


@pytest.mark.parametrize("north", ["f 3", "Ｆ　３", "３", "F\u00a03"])
def test_people_are_known_in_full_width_too(north: str) -> None:
    hall = free_hall()
    played_freely(hall, north, "f 1")
    assert wins(hall) == {3: 1, 1: 0}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_people_are_known_however_their_letters_have_marks(form: Literal["NFC", "NFD"]) -> None:
    hall = free_hall()
    people = {**hall.desk.programme.people, 3: Person(3, normalize("NFC", "Jürgen"))}
    hall.desk = changed(hall.desk, programme=changed(hall.desk.programme, people=people))
    played_freely(hall, normalize(form, "Jürgen"), "f 1")
    assert wins(hall) == {3: 1, 1: 0}


def under(hall: PlayedHall, board: int, said: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Let a board send a result under this number."""
    again = {**said, "id": f"b{board:03}-{said['journal']}-{said['seq']}", **more}
    hall.say(board, What.RESULT, again)
    return again


@pytest.mark.parametrize("numbers", [(3,), (3, 2), (3, 4), (3, 2, 3)])
@pytest.mark.parametrize("names", ["f 1", "Zoe"], ids=["counts", "waits"])
def test_what_a_board_sends_again_under_another_number_is_only_acknowledged(
    names: str, numbers: tuple[int, ...]
) -> None:
    hall = free_hall(meetings=9)
    said = played_freely(hall, "f 3", names)
    before = wins(hall), hall.desk.results, loose_results(hall.desk)
    for number in numbers:
        under(hall, number, said)
        assert hall.desk.on_disk[number] == {"y": 1}
    assert (wins(hall), hall.desk.results, loose_results(hall.desk)) == before
    assert len(loose_results(hall.desk)) == (names == "Zoe")
    assert hall.restarted() == hall.desk


RESTORED = {"journal": "z", "match_journal": "y"}


@pytest.mark.parametrize(("revision", "more"), [(1, RESTORED), (2, RESTORED), (2, {})])
@pytest.mark.parametrize("numbers", [(), (3,), (3, 4), (3, 2)])
@pytest.mark.parametrize("names", ["f 1", "Zoe"], ids=["counts", "waits"])
def test_a_match_that_ends_again_is_the_same_match_whatever_number_its_board_has_now(
    names: str, revision: int, numbers: tuple[int, ...], more: dict[str, str]
) -> None:
    """Once its journal was restored from in the middle of it, the next end is its first again."""
    hall = free_hall(meetings=9)
    said = played_freely(hall, "f 3", names)
    for number in numbers:
        under(hall, number, said)
    other = free_hall()
    anew = played_freely(other, "f 3", names, "N -\nS 12*green\nS jack\n", 3, revision=revision)
    board = (2, *numbers)[-1]
    again = under(hall, board, {**anew, **more})
    assert wins(hall) == ({3: 0, 1: 1} if names == "f 1" else {})
    waiting = [again["id"]] if names == "Zoe" else []
    assert [each["id"] for each in loose_results(hall.desk)] == waiting
    under(hall, 9, again)
    assert [each["id"] for each in loose_results(hall.desk)] == waiting
    assert sum(each.tally.played for (table,) in [hall.desk.drawn("f").tables.values()]
               for each in table) == (2 if names == "f 1" else 0)  # fmt: skip
    assert hall.restarted() == hall.desk


@pytest.mark.parametrize("differs", ["record", "wall_ms", "seq", "match"])
def test_what_boards_made_from_one_card_have_played_since_counts_for_each(differs: str) -> None:
    hall = free_hall(meetings=9)
    said = played_freely(hall, "f 3", "f 1", seq=5, match=3)
    won = 'rules = "hikone"\n[names]\nN = "f 3"\nS = "f 1"\n---\nN 12*red\nN jack\n# b\n'
    other: dict[str, Any] = {
        "record": {"record": won, "crc32": crc32(won)}, "wall_ms": {"wall_ms": 7},
        "seq": {"seq": 7}, "match": {"match": 4},
    }  # fmt: skip
    clone = under(hall, 3, {**said, **other[differs]})
    assert wins(hall) == {3: 2, 1: 0}
    under(hall, 3, {**clone, "seq": 9, "revision": 2})
    assert wins(hall) == {3: 2, 1: 0}
    assert not loose_results(hall.desk)


@pytest.mark.parametrize("names", ["f 1", "Zoe"], ids=["counts", "waits"])
def test_a_spare_made_from_one_card_that_takes_the_number_too_plays_matches_of_its_own(
    names: str,
) -> None:
    """Its first match may have the number, in the journal, of the first that the board played."""
    hall = free_hall(meetings=9)
    first = played_freely(hall, "f 3", names, seq=5, match=3, id="b002-y-5")
    other = played_freely(hall, "f 5", names, seq=9, match=3, id="b002-y-9")
    assert wins(hall) == ({3: 1, 5: 1, 1: 0} if names == "f 1" else {})
    waiting = [first["id"], other["id"]] if names == "Zoe" else []
    assert [each["id"] for each in loose_results(hall.desk)] == waiting
    assert hall.restarted() == hall.desk


def test_a_later_end_at_a_board_that_never_sent_the_first_waits_if_another_board_did() -> None:
    """It has another number now, or was made from the same card; nobody can tell."""
    hall = free_hall(meetings=9)
    said = played_freely(hall, "f 3", "f 1")
    again = under(hall, 3, {**said, "seq": 3, "revision": 2, "wall_ms": 9})
    assert wins(hall) == {3: 1, 1: 0}
    assert [each["id"] for each in loose_results(hall.desk)] == [again["id"]]


def test_the_result_of_an_order_comes_again_under_another_number_and_does_not_wait() -> None:
    played = hall(s=Knockout())
    played.tick()
    played.sit_down(1)
    said = played.result(1)
    before = played.desk.results
    under(played, 3, said)
    assert played.desk.results == before
    assert not loose_results(played.desk)
    assert played.restarted() == played.desk


LAST_YEAR_MS, TODAY_MS = 1_764_000_000_000, 1_795_563_200_000


def begun_today(is_free: bool) -> PlayedHall:
    """Return an event that began today: with its first entry, or, still empty, with its hub."""
    hall = free_hall()
    hall.now_ms = TODAY_MS
    if is_free:
        hall.desk = changed(hall.desk, started_ms=TODAY_MS)
    else:
        hall.tick(0)
    hall.now_ms += 3_600_000
    return hall


@pytest.mark.parametrize("is_free", [True, False], ids=["nothing called", "called"])
@pytest.mark.parametrize("order", [None, 99])
@pytest.mark.parametrize(
    ("wall_ms", "synchronised", "stays"),
    [
        (LAST_YEAR_MS, True, False),
        (TODAY_MS - EARLIER_MS - 1, True, False),
        (TODAY_MS - EARLIER_MS, True, True),
        (TODAY_MS, True, True),
        (TODAY_MS + 1_800_000, True, True),
        (LAST_YEAR_MS, False, True),
    ],
)  # fmt: skip
def test_what_ended_long_before_the_event_began_waits_for_the_desk(
    is_free: bool, order: int | None, wall_ms: int, synchronised: bool, stays: bool
) -> None:
    """A board that comes into an event sends every match of its journal."""
    hall = begun_today(is_free)
    when: dict[str, Any] = {"order": order, "wall_ms": wall_ms, "synchronised": synchronised}
    old = played_freely(hall, "f 3", "f 1", seq=5, match=3, id="b002-y-5", **when)
    assert hall.desk.on_disk[2] == {"y": 5}
    assert hall.entries[-1][0].body.get("message") == old or order is None
    assert bool(loose_results(hall.desk)) == (not stays or order is not None)
    assert wins(hall) == ({3: 1, 1: 0} if stays and order is None else {})
    now: dict[str, Any] = {"wall_ms": hall.now_ms, "synchronised": True}
    played_freely(hall, "f 1", "f 3", seq=9, match=7, id="b002-y-9", **now)
    assert wins(hall) == ({3: 1, 1: 0} if stays and order is None else {3: 0, 1: 1})
    assert hall.restarted() == changed(hall.desk, started_ms=0)


def test_what_ended_before_the_first_result_came_counts_also_once_the_hub_was_restarted() -> None:
    hall = begun_today(is_free=True)
    played_freely(hall, "f 3", "f 1", wall_ms=hall.now_ms - 10, synchronised=True)
    hall.now_ms += 3_600_000
    hall.desk = changed(hall.restarted(), started_ms=hall.now_ms)
    late: dict[str, Any] = {"wall_ms": TODAY_MS + 60_000, "synchronised": True}
    played_freely(hall, "f 2", "f 1", seq=3, match=2, id="b002-y-3", **late)
    assert wins(hall) == {3: 1, 2: 1, 1: 0}


def test_what_ended_meanwhile_counts_though_the_hubs_clock_was_ahead_when_the_event_began() -> None:
    hall = begun_today(is_free=True)
    hall.write(give_notice({"en": "welcome"}, 60, "desk"))
    hall.now_ms -= 3_600_000
    hall.desk = changed(hall.desk, started_ms=hall.now_ms)
    now: dict[str, Any] = {"wall_ms": hall.now_ms, "synchronised": True}
    played_freely(hall, "f 3", "f 1", **now)
    assert wins(hall) == {3: 1, 1: 0}


def test_people_are_known_by_their_numbers_too() -> None:
    hall = free_hall()
    played_freely(hall, "3", "f  1")
    assert wins(hall) == {3: 1, 1: 0}
    people = dict(hall.desk.programme.people)
    people[5] = changed(people[5], name="f 3")
    hall.desk = changed(hall.desk, programme=changed(hall.desk.programme, people=people))
    played_freely(hall, "f 3", "f 2", seq=3, match=3, id="b002-y-3")
    assert len(hall.desk.unattached) == 1, "two have this name"
    played_freely(hall, "5", "f 2", seq=5, match=5, id="b002-y-5")
    assert wins(hall) == {3: 1, 1: 0, 5: 1, 2: 0}


def test_the_desk_says_who_has_played_freely_and_a_revision_is_of_the_same_people() -> None:
    hall = free_hall()
    said = played_freely(hall, "Aika", "f 1")
    assert wins(hall) == {}
    hall.write(attach_free(hall.desk, said["id"], "f", (4, 1), "desk"))
    assert wins(hall) == {4: 1, 1: 0}
    assert not loose_results(hall.desk)
    played_freely(hall, "Aika", "f 1", "N -\nS 12*green\nS jack\n", seq=3, revision=2,
                  id="b002-y-3")  # fmt: skip
    assert wins(hall) == {4: 0, 1: 1}
    assert len(hall.desk.results["f"]) == 1
    assert hall.restarted() == hall.desk


def test_only_the_newest_revision_of_a_loose_result_waits_for_the_desk() -> None:
    hall = free_hall()
    first = played_freely(hall, "Zoe", "f 1")
    newest = played_freely(hall, "Zoe", "f 1", seq=3, revision=2, id="b002-y-3")
    other = played_freely(hall, "Zoe", "f 1", seq=5, match=4, id="b002-y-5")
    assert [each["id"] for each in loose_results(hall.desk)] == [newest["id"], other["id"]]
    hall.write(attach_free(hall.desk, newest["id"], "f", (4, 1), "desk"))
    assert [each["id"] for each in loose_results(hall.desk)] == [other["id"]]
    assert [each["id"] for each in needs(hall.desk)] == [other["id"]]
    hall.write(undo(hall.desk, len(hall.desk.past), "desk"))
    assert loose_results(hall.desk)[0]["id"] == newest["id"]
    assert first["id"] not in {each["id"] for each in loose_results(hall.desk)}


def test_a_revision_of_what_was_given_to_a_match_of_another_contest_waits() -> None:
    hall = free_hall()
    said = played_freely(hall, "f 3", "Zoe")
    key = next(each.key for each in hall.desk.drawn("k").fixtures if each.is_ready)
    hall.write(attach(hall.desk, said["id"], key, Side.RED, "desk"))
    again = played_freely(hall, "f 3", "f 1", seq=3, revision=2, id="b002-y-3")
    assert [each["id"] for each in loose_results(hall.desk)] == [again["id"]]
    assert wins(hall) == {}


@pytest.mark.parametrize(
    ("contest", "entrants", "says"),
    [
        ("k", (8, 9), "k is not played freely"),
        ("f", (3, 3), "two who are entered in f, found 3 and 3"),
        ("f", (3, 99), "two who are entered in f, found 3 and 99"),
        ("x", (3, 1), "there is no contest 'x'"),
    ],
)
def test_what_cannot_be_free_play_says_why(
    contest: str, entrants: tuple[int, int], says: str
) -> None:
    hall = free_hall()
    said = played_freely(hall, "Zoe", "f 1")
    with pytest.raises(CannotBe, match=says):
        attach_free(hall.desk, said["id"], contest, entrants, "desk")


@pytest.mark.parametrize(
    ("north", "south"), [("", ""), ("f 3", "Zoe"), ("k 1", "k 2"), ("f 3", "k 1"), ("f 3", "f 3")]
)
def test_a_result_that_names_others_waits_for_the_organiser(north: str, south: str) -> None:
    hall = free_hall()
    said = played_freely(hall, north, south)
    assert wins(hall) == {}
    assert [each["id"] for each in hall.desk.unattached] == [said["id"]]


def test_a_loose_result_is_attached_or_put_aside_and_that_can_be_undone() -> None:
    hall = free_hall()
    said = played_freely(hall, "", "")
    key = next(each.key for each in hall.desk.drawn("k").fixtures if each.is_ready)
    hall.write(attach(hall.desk, said["id"], key, Side.GREEN, "desk"))
    match = hall.desk.results["k"][key]
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.by_jack) == (1, True)
    assert not hall.desk.unattached
    hall.write(undo(hall.desk, len(hall.desk.past), "desk"))
    assert [each["id"] for each in hall.desk.unattached] == [said["id"]]
    assert key not in hall.desk.results.get("k", {})
    hall.write(put_aside(hall.desk, said["id"], "desk"))
    assert not hall.desk.unattached
    with pytest.raises(CannotBe, match="there is no loose result"):
        attach(hall.desk, said["id"], key, Side.RED, "desk")


def test_what_the_desk_has_said_of_a_match_stands_and_a_later_result_waits() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    played.write(correct(played.desk, key, Outcome(1, (2, 9)), "desk"))
    said = played.result(board, "N 12*red\nN jack\n")
    outcome = played.desk.results["s"][key].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points) == (1, (2, 9))
    assert [each["id"] for each in played.desk.unattached] == [said["id"]]
    assert played.entries[-1][0].body["differs"].startswith("the desk had said otherwise")
    played.write(attach(played.desk, said["id"], key, Side.RED, "desk"))
    assert played.desk.results["s"][key].winner() == played.desk.orders[number].sides[0]


def test_a_match_that_is_called_again_counts_as_it_is_played_then() -> None:
    played = hall(s=Knockout())
    played.tick()
    board, number = next(iter(played.desk.open_orders.items()))
    key = played.desk.orders[number].key
    played.sit_down(board)
    played.result(board)
    played.write(correct(played.desk, key, None, "desk"))
    played.tick(5)
    again = next(at for at, each in played.desk.open_orders.items()
                 if played.desk.orders[each].key == key)  # fmt: skip
    played.sit_down(again)
    played.result(again, "N 12*red\nN jack\n")
    assert played.desk.results["s"][key].outcome is not None
    assert not played.desk.unattached
