"""What must be true of every desk, whatever was pressed and whatever fell."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from jackspot.board import looks_alike, seen_of
from jackspot.core.match import Match, MatchState
from jackspot.core.phrases import EMPTY
from jackspot.dialogue.lists.menu import marked_again, marked_line, still_marked
from jackspot.dialogue.lists.sensors import is_trying
from jackspot.dialogue.phases.scorekeeper import DeskEvent
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.desk import Asked, Desk, Tried
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Press
from tests.dialogue.playing import Table


def refolded(game: Game) -> MatchState:
    """Fold the lines of a match from its beginning."""
    match = Match.begin(game.match.settings)
    for line in game.lines:
        for entry in line.entries:
            match = match.enter(entry)
    return match.state


def question(desk: Desk, now_ns: int) -> tuple[object, ...]:
    """What a person who looks at the board is asked: what OK, FIX and UNDO would do."""
    view = show(desk, now_ns)
    if view.attract is not None:
        return ("asleep", str(view.ok), str(view.fix))
    phase = Phase.REVIEW if view.phase is Phase.FALLING else view.phase
    shows = () if is_trying(desk) or view.menu is None else tuple(map(str, view.menu.items))
    turns = desk.menu is not None and bool(view.codes)  # by itself; every line says the same
    chosen = view.menu and (desk.menu.chosen if turns and desk.menu else view.menu.chosen)
    menu = view.menu and (str(view.menu.title), chosen, shows)
    falls = tuple(fall.number for fall in desk.proposal.falls) if desk.proposal else ()
    late = tuple(fall.number for fall in desk.menu.falls) if desk.menu else ()
    shown = view.proposal and (
        view.shooter, str(view.proposal.what), str(view.proposal.follows), falls,
        view.proposal.ends_board, desk.proposal is not None and desk.proposal.reopened is None,
        bool(view.place),
        desk.history is None,
    )  # fmt: skip
    game = desk.game
    stands = game and (
        len(game.lines), len(game.undone), game.match.state.next, game.match.state.time_up,
        game.match.state.position.counts,
    )  # fmt: skip
    gathered = desk.gathered.falls if desk.gathered else ()
    opener = desk.menu.opener if desk.menu else None
    plan = (desk.plan, desk.previous is None, desk.free) if game is None else None
    falling = phase is Phase.READY and desk.menu is None and bool(desk.broken)
    falling = falling and str(view.ok) != "gong!"  # the gong is struck whatever falls
    hands = desk.assumed[-1].falls if phase is Phase.READY and desk.assumed else ()
    offered = tuple(fall.number for fall in hands)
    buttons = (str(view.ok), str(view.fix), falling, offered)
    return (phase, buttons, menu, opener, late, gathered, shown, stands, desk.glance, plan)


class Questions:
    """What was asked at the last desk that was looked at, which is where the next step begins."""

    def __init__(self) -> None:
        self._last: tuple[Desk, tuple[object, ...]] | None = None

    def of(self, desk: Desk) -> tuple[object, ...]:
        """Give what is asked at this desk."""
        if self._last is None or self._last[0] is not desk:
            self._last = (desk, question(desk, desk.now_ns))
        return self._last[1]


_questions = Questions()


def watch_the_question(before: Desk, event: DeskEvent, after: Desk) -> None:
    """``ask`` changes exactly when what a button means changes; ``sequence`` only grows."""
    assert after.sequence >= before.sequence
    if after != before:
        assert after.sequence > before.sequence, "what changed must be shown"
    was, now = _questions.of(before), _questions.of(after)
    assert (after.asked.token == before.asked.token) == (was == now), (event, was, now)


class Seen:
    """What the displays got last, as the board's loop gives it to them."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._posted: BoardView | None = None

    def watch(self, _before: Desk, _event: DeskEvent, after: Desk) -> None:
        """A view is shown whenever one worked out anew would look another to people."""
        seen, view = seen_of(after), show(after, after.now_ns)
        if self._posted is None or seen != self._seen:
            self._seen, self._posted = seen, view
        bars = (self._posted.hold, view.hold)
        assert (bars[0] is None) == (bars[1] is None), "a bar that grows is shown as it is"
        alike = looks_alike(replace(self._posted, hold=None), replace(view, hold=None))
        assert alike, "what is seen has changed and was not shown"


def bare(proposal: Proposal | None) -> Proposal | None:
    """A proposal without its instants, and without what it no longer says of flown pieces."""
    return proposal and replace(
        proposal,
        opened_ns=0,
        changed_ns=0,
        readings=tuple(
            replace(
                each,
                probability=round(each.probability, 9),
                flown=each.flown if proposal.flown else (),
            )
            for each in proposal.readings
        ),
    )


def unread(proposal: Proposal) -> Proposal:
    """A parked proposal without its readings: it is read anew when it comes back."""
    edited = proposal.edited
    if proposal.chosen and edited is None and proposal.reading.stroke:
        edited = proposal.reading.departures
    return replace(
        proposal, opened_ns=0, changed_ns=0, chosen=0, readings=(), edited=edited, before=None
    )


def bare_game(game: Game | None) -> Game | None:
    """A match without what its clock says."""
    if game is None:
        return None
    return replace(game, clock=replace(game.clock, used_ns=0, since_ns=None), used={})


def without_instants(desk: Desk) -> Desk:
    """What a desk holds that must outlast a power cut."""
    return replace(
        desk,
        game=bare_game(desk.game), previous=bare_game(desk.previous),
        proposal=bare(desk.proposal),
        parked=tuple(map(unread, desk.parked)),
        menu=desk.menu and replace(desk.menu, used_ns=0, opener=None),
        over_ns=None, tried=Tried(), note=EMPTY, faults=(), broken=(), downs=(),
        asked=Asked(), entered_ns=None, answered_ns=0, last_entry=None, last_undo=None,
        clock_noted_ns=0, now_ns=0, sequence=0,
        touched_ns=0, attract=None, shot=None,
    )  # fmt: skip


def check_a_restart(table: Table) -> None:
    """A power cut now would bring back the same desk, its clock stopped, before a glance."""
    restored = restore(table.records, table.customs, table.plan, 77)
    assert not restored.troubles, restored.troubles
    lived = table.desk
    back = replace(restored.desk, faults=lived.faults)  # a beam that is blocked says so again
    playing = lived.phase not in (Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER)
    expected = lived
    if playing:
        phase = Phase.PAUSED if lived.phase is Phase.READY else lived.phase
        expected = replace(lived, phase=phase, glance=True)
    if lived.menu is not None:
        line = marked_line(lived)
        anybodys = replace(lived.menu, opener=None)  # a seat's own list may have other lines
        expected = marked_again(replace(expected, menu=anybodys), line)
        back = still_marked(restored.desk, back)
        assert expected.menu is None or marked_line(back) == line, (marked_line(back), line)
    found, wanted = without_instants(back), without_instants(expected)
    for field in fields(Desk):
        assert getattr(found, field.name) == getattr(wanted, field.name), field.name
    assert restored.next_fall == table.falls.next_number
    if lived.game is not None and back.game is not None:
        assert not back.game.clock.running
        lost_ns = lived.game.clock.used_at(table.now_ns) - back.game.clock.used_ns
        noted = lived.game.clock.limit_ns > 0
        assert not noted or 0 <= lost_ns <= table.customs.clock_note_ns, lost_ns


def check_the_view(desk: Desk, view: BoardView) -> None:
    """What is shown as confirmed is what is recorded; readings add up to one."""
    assert view.sequence == desk.sequence
    assert view.ask == desk.asked.token
    if desk.game is not None:
        state = desk.game.match.state
        for side in view.sides:
            count = state.position.count(side.side)
            assert (side.pocketed, side.owed) == (count.pocketed, count.owed)
            named = desk.game.match.settings.sides[side.seats[0]]
            assert side.boards_won == state.boards_won[named]
    if desk.proposal is not None:
        total = sum(each.probability for each in desk.proposal.readings)
        assert total == pytest.approx(1.0)
    assert (view.proposal is None) == (desk.phase not in (Phase.FALLING, Phase.REVIEW))
    assert str(view.ok), "what to do next is always said in words"
    assert (view.free is not None) == (desk.free is not None)
    if view.free is not None and desk.free is not None:
        assert desk.game is None
        counted = dict(view.free.counts)
        assert [side.pocketed for side in view.sides] == list(counted.values())[:2]
        assert all(0 <= n <= 12 for n in counted.values())


def falls_on(desk: Desk) -> list[int]:
    """The numbers of all falls that lie somewhere on the desk, once for each place."""
    groups: list[Any] = [group.falls for group in (*desk.waiting, *desk.assumed)]
    groups += [each.falls for each in desk.parked]
    if desk.proposal is not None:
        own = desk.proposal.reopened.falls if desk.proposal.reopened else ()
        groups.append(tuple(fall for fall in desk.proposal.falls if fall not in own))
    if desk.menu is not None:
        groups.append(desk.menu.falls)
    if desk.game is not None:
        groups += [line.falls for line in (*desk.game.lines, *desk.game.undone)]
    if desk.kept is not None:
        groups += [each.line.falls for each in desk.kept.lines]
    return [fall.number for falls in groups for fall in falls]


def watch_the_evidence(table: Table) -> Any:
    """Nothing sensed is dropped: each fall lies on the desk once, or was cleared away."""
    seen: set[int] = set()

    def watch(before: Desk, event: DeskEvent, after: Desk) -> None:
        on_desk = falls_on(after)
        assert len(on_desk) == len(set(on_desk)), f"a fall lies there twice: {on_desk}"
        new = {each.body["number"] for each in table.records if each.kind == Kind.FALL} - seen
        cleared = {
            number
            for each in table.records
            if each.kind in (Kind.CLEARING, Kind.LEFT_OUT)
            for number in each.body["falls"]
        }
        if before.game is not None and after.game is not None:
            open_before = set(falls_on(before))
            assert open_before | new <= set(on_desk) | cleared, (event, open_before, on_desk)
        if before.free is not None and after.free is not None:
            assert new <= {fall.number for fall in after.free.falls}, (event, new)
        seen.update(new)

    return watch


def watch_the_presses(table: Table) -> Any:
    """A press that changes nothing is swallowed: written down with its reason."""
    seen = len(table.records)

    def watch(before: Desk, event: DeskEvent, after: Desk) -> None:
        nonlocal seen
        new, seen = table.records[seen:], len(table.records)
        if not isinstance(event, Press):
            return
        written = {each.kind for each in new} - {Kind.DESK, Kind.CLOCK}
        same = without_instants(before) == without_instants(after)
        assert written or not same, (event, after.phase, after.menu)

    return watch


def check_all(table: Table) -> None:
    """Check everything that must be true of a table at any time."""
    desk = table.desk
    check_the_view(desk, table.view)
    check_a_restart(table)
    if desk.game is not None:
        assert refolded(desk.game) == desk.game.match.state
        assert desk.phase is not Phase.SETUP
    else:
        assert desk.phase is Phase.SETUP


ASKED_BY_THE_RULES = frozenset(
    {MenuKind.CALL, MenuKind.BANKED, MenuKind.NAME_POCKET, MenuKind.IN_TIME, MenuKind.TOUCHED}
)
"""Questions that are asked again and again until somebody answers them."""


def _leave(table: Table, menu: Menu) -> None:
    """Answer what the rules must know and what is asked of all; other lists close alone."""
    if menu.kind in ASKED_BY_THE_RULES:
        table.ok(menu.opener.value if menu.opener else "referee")
    elif menu.kind is MenuKind.GATHERED:
        table.hold("referee", "ok")
    else:
        table.wait(21.0)
        if table.desk.menu is not None:
            table.hold("referee", "ok")


def lead_on(table: Table, steps: int = 60) -> None:
    """Press on until a seat can shoot: from every state some presses lead there."""
    for _ in range(steps):
        table.wait(7.0)
        if table.phase is Phase.READY and table.desk.menu is None and not table.game.undone:
            return
        if table.desk.menu is not None:
            _leave(table, table.desk.menu)
        elif table.view.attract is not None:
            table.ok("referee")  # the press that wakes the board does nothing else
        elif table.desk.free is not None:
            table.hold("referee", "fix").pick("play a match")
        elif table.phase is Phase.MATCH_OVER:
            table.hold("referee", "ok")
        elif table.phase is Phase.REVIEW and table.view.proposal is not None:
            after = str(table.view.proposal.follows)
            if after == "not possible here" or after.endswith("too many"):
                table.fix("referee")
            else:
                table.hold("referee", "ok")
        else:
            table.ok("referee")
    raise AssertionError(f"nothing leads on from {table.phase}: {table.view}")
