"""What the organiser may do when: one table, against which all requests are checked.

A class and a match go through the same stages. What is *allowed* is done. What is *warned* about is
done too, and a page first says why. What is *refused* comes with what can be done instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from jackspot.core.phrases import Phrase, _
from jackspot_hub.desk.state import UNSETTLED, DeskState, contest_of
from jackspot_hub.event.entries import CannotBe, class_of, title_of


class OrganiserAction(StrEnum):
    """What an organiser asks for: for a class, and from ``correct`` on for a match."""

    REWORD = "change words"
    ENTER = "enter"
    ENTER_LATE = "enter late"
    CHECK_IN = "check in"
    WITHDRAW = "withdraw"
    MERGE = "merge"
    DRAW = "draw"
    UNDO_DRAW = "undo the draw"
    REDRAW = "draw it otherwise by the file"
    """The event's file has another format, other groups or rounds, another seed or other rules."""
    CORRECT = "correct"
    REPLAY = "play again"
    FORFEIT = "forfeit"
    ABANDON = "abandon"


class Stage(StrEnum):
    """The stage of a class or a match."""

    BEFORE = "before the draw"
    LATER = "later"
    """A match whose sides are not both known."""
    NEXT = "next"
    """A class in which nothing was called; a match that can be called."""
    RUNNING = "running"
    PAST = "past"


class Verdict(StrEnum):
    """The table's answer."""

    ALLOWED = "allowed"
    WARNED = "warned"
    REFUSED = "refused"


class Judged(Struct, frozen=True):
    """The table's answer for an action at a stage, and why."""

    verdict: Verdict
    why: str | Phrase = ""
    """As a phrase where pages show it to people, in their language."""


def _warned(why: str) -> Judged:
    return Judged(Verdict.WARNED, why)


def _refused(why: str | Phrase) -> Judged:
    return Judged(Verdict.REFUSED, why)


_ALLOWED = Judged(Verdict.ALLOWED)
_UNDO_FIRST = _refused(_("it is drawn: undo its draw first, on the page /people"))
_CALLED = _refused(_("matches were called: it stays drawn as it is"))
_FILE_CALLED = _refused("matches were called: it stays drawn as it is, so put the file back")
_OVER = _refused(_("all of it is played"))
_UNKNOWN = _refused(UNSETTLED)

TABLE: Mapping[OrganiserAction, Mapping[Stage, Judged]] = {
    OrganiserAction.REWORD: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _warned("clubs and families are kept apart as they were at the draw"),
        Stage.RUNNING: _warned("boards show the new name from the next match on"),
        Stage.PAST: _warned("records keep the name that was played under"),
    },
    OrganiserAction.ENTER: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _UNDO_FIRST,
        Stage.RUNNING: _refused(
            _(
                "it is being played: only rounds and free play take late entries; "
                "enter them elsewhere"
            )
        ),
        Stage.PAST: _OVER,
    },
    OrganiserAction.ENTER_LATE: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _warned("the first round is drawn anew"),
        Stage.RUNNING: _warned("from the next round on, of which nothing was called"),
        Stage.PAST: _warned("it goes on with them, if a round is left"),
    },
    OrganiserAction.CHECK_IN: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _ALLOWED,
        Stage.RUNNING: _ALLOWED,
        Stage.PAST: _ALLOWED,
    },
    OrganiserAction.WITHDRAW: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _warned("all is forfeited; or undo the draw first"),
        Stage.RUNNING: _warned("all that is left is forfeited; in a Swiss, not drawn any more"),
        Stage.PAST: _OVER,
    },
    OrganiserAction.MERGE: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _UNDO_FIRST,
        Stage.RUNNING: _CALLED,
        Stage.PAST: _OVER,
    },
    OrganiserAction.DRAW: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _UNDO_FIRST,
        Stage.RUNNING: _CALLED,
        Stage.PAST: _OVER,
    },
    OrganiserAction.UNDO_DRAW: {
        Stage.BEFORE: _refused(_("it is not drawn")),
        Stage.NEXT: _ALLOWED,
        Stage.RUNNING: _CALLED,
        Stage.PAST: _OVER,
    },
    OrganiserAction.REDRAW: {
        Stage.BEFORE: _ALLOWED,
        Stage.NEXT: _refused(
            "it is drawn: put the file back and undo its draw on the page /people; there it can be "
            "drawn in other groups, and then the file may be changed"
        ),
        Stage.RUNNING: _FILE_CALLED,
        Stage.PAST: _FILE_CALLED,
    },
    OrganiserAction.CORRECT: {
        Stage.LATER: _UNKNOWN,
        Stage.NEXT: _warned("nobody was called to it"),
        Stage.RUNNING: _warned("it is taken from its board"),
        Stage.PAST: _warned("matches after it may change, or conflict"),
    },
    OrganiserAction.REPLAY: {
        Stage.LATER: _UNKNOWN,
        Stage.NEXT: _refused(_("nobody was called to it: it is still to be played")),
        Stage.RUNNING: _warned("it is taken from its board, and called anew"),
        Stage.PAST: _warned("matches after it may change, or conflict"),
    },
    OrganiserAction.FORFEIT: {
        Stage.LATER: _UNKNOWN,
        Stage.NEXT: _ALLOWED,
        Stage.RUNNING: _warned("it is taken from its board"),
        Stage.PAST: _refused("it is over: correct it"),
    },
    OrganiserAction.ABANDON: {
        Stage.LATER: _UNKNOWN,
        Stage.NEXT: _refused("nobody was called to it: forfeit it"),
        Stage.RUNNING: _warned("it counts as tied; a knockout waits until you say who goes on"),
        Stage.PAST: _refused("it is over: correct it"),
    },
}


def judge(desk: DeskState, action: OrganiserAction, of: str) -> Judged:
    """Return the table's answer for an action now; ``of`` is a contest, or the key of a match."""
    stage = stage_of_match(desk, of) if "-" in of else stage_of(desk, of)
    if stage not in TABLE[action]:  # of matches only, or of classes only
        class_of(desk.programme, of)
        raise CannotBe(_("{title}: there is no match {match}",
                         title=title_of(desk.programme, of), match=repr(of)))  # fmt: skip
    return TABLE[action][stage]


def require(desk: DeskState, action: OrganiserAction, of: str) -> None:
    """Raise CannotBe for an action refused now; it says why, and what can be done."""
    said = judge(desk, action, of)
    if said.verdict is Verdict.REFUSED:
        raise CannotBe(_("{what}: {why}", what=called(desk, of), why=said.why))


def called(desk: DeskState, of: str) -> str:
    """Return what people call a contest or, by its key, a match: ``Open singles A-3-2``."""
    contest, _dash, number = of.partition("-")
    return f"{title_of(desk.programme, contest)} {number}".rstrip()


def kept_as_drawn(desk: DeskState, contest: str) -> str:
    """Return why the event's file may not change a class's draw now; empty: it may.

    Nothing is drawn for this, since what the file says may not even fit.
    """
    played = desk.programme.classes.get(contest)  # one that was merged no longer exists
    if played is None or not played.is_drawn:
        return ""
    stage = Stage.RUNNING if _was_called(desk, contest) else Stage.NEXT
    return str(TABLE[OrganiserAction.REDRAW][stage].why)


def _was_called(desk: DeskState, contest: str) -> bool:
    called = any(each.contest == contest for each in desk.orders.values())
    return called or bool(desk.results.get(contest))


def stage_of(desk: DeskState, contest: str) -> Stage:
    """Return the stage of a class. CannotBe if there is no such class."""
    if not class_of(desk.programme, contest).is_drawn:
        return Stage.BEFORE
    if not _was_called(desk, contest):
        return Stage.NEXT
    return Stage.PAST if desk.is_over(contest) else Stage.RUNNING


def stage_of_match(desk: DeskState, key: str) -> Stage:
    """Return the stage of a match. CannotBe if there is no such match."""
    contest = contest_of(desk, key)
    played = desk.played(contest).get(key)
    if played is not None and played.called:
        return Stage.RUNNING if played.outcome is None else Stage.PAST
    fixture = next((each for each in desk.drawn(contest).fixtures if each.key == key), None)
    if fixture is None:
        raise CannotBe(_("{title}: there is no match {match}",
                         title=title_of(desk.programme, contest), match=repr(key)))  # fmt: skip
    return Stage.NEXT if fixture.is_ready else Stage.LATER
