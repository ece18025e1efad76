"""Checks that hold for every dialogue, whatever was pressed and whatever fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import pytest
from msgspec import Struct

from jackspot.core.match import Match, MatchState
from jackspot.core.phrases import EMPTY
from jackspot.dialogue.actions.codes import code_shown
from jackspot.dialogue.actions.gathering import gathered
from jackspot.dialogue.lists.menu import marked_again, marked_line, still_marked
from jackspot.dialogue.lists.sensors import sensor_test
from jackspot.dialogue.phases.scorekeeper import DialogueEvent
from jackspot.dialogue.proposals.answers import ANSWERS
from jackspot.dialogue.proposals.permitted import missed_from, sure_from
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.show.showing import looks_alike, show, visible_part
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance, InMatch, StateKey, Tried
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.hall_state import HallState
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import Falling, Paused, Question, Review
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.history.chronicle import Chapters, chronicle
from jackspot.sensing.events import Key, Press
from jackspot.values import changed, same
from tests.dialogue.playing import Table


def refolded(game: Game) -> MatchState:
    """Fold the lines of a match from its beginning."""
    match = Match.begin(game.match.settings)
    for line in game.lines:
        for entry in line.entries:
            match = match.enter(entry)
    return match.state


def question(dialogue: DialogueState, view: BoardView) -> tuple[object, ...]:
    """Return what a person at the board is asked: what OK, FIX and UNDO would do."""
    if view.attract is not None:
        return ("asleep", str(view.ok), str(view.fix))
    phase = Phase.REVIEW if view.phase is Phase.FALLING else view.phase
    shows = () if sensor_test(dialogue) or view.menu is None else tuple(map(str, view.menu.items))
    turns = dialogue.menu is not None and bool(view.codes)  # on its own; every line says the same
    chosen = view.menu and (dialogue.menu.chosen if turns and dialogue.menu else view.menu.chosen)
    held = () if view.menu is None else tuple(line.held for line in view.menu.lines)
    menu = view.menu and (str(view.menu.title), chosen, shows, held)
    falls = tuple(fall.number for fall in dialogue.proposal.falls) if dialogue.proposal else ()
    late = tuple(fall.number for fall in dialogue.menu.falls) if dialogue.menu else ()
    shown = view.proposal and (
        view.shooter, str(view.proposal.what), str(view.proposal.follows), falls,
        view.proposal.ends_board,
        dialogue.proposal is not None and dialogue.proposal.reopened is None,
        bool(view.place),
        dialogue.history is None,
    )  # fmt: skip
    game = dialogue.game
    stands = game and (
        len(game.lines), len(game.undone), game.match.state.next, game.match.state.time_up,
        game.match.state.position.counts,
    )  # fmt: skip
    gathered = dialogue.gathered.falls if dialogue.gathered else ()
    opener = dialogue.menu.opener if dialogue.menu else None
    plan = (dialogue.plan, dialogue.previous is None, dialogue.free) if game is None else None
    falling = phase is Phase.READY and dialogue.menu is None and bool(dialogue.broken)
    falling = falling and str(view.ok) != "gong!"  # the gong is struck whatever falls
    hands = dialogue.assumed[-1].falls if phase is Phase.READY and dialogue.assumed else ()
    offered = tuple(fall.number for fall in hands)
    buttons = (str(view.ok), str(view.fix), falling, offered)
    order = dialogue.offered if dialogue.menu is None else None
    open_now = (menu, opener, late, gathered, shown)
    return (phase, buttons, *open_now, stands, dialogue.glance, dialogue.moved_to, plan, order)


_asking: Callable[[BoardView], tuple[object, ...]] = attrgetter(
    "attract", "ok", "fix", "phase", "menu", "codes", "proposal", "shooter", "place"
)
"""All that :func:`question` takes from a dialogue's view."""


class Looks:
    """What a dialogue shows and asks, each computed once, as several watchers look at each step.

    The last dialogue is remembered, because the next step begins there.
    """

    def __init__(self) -> None:
        self._shown: tuple[DialogueState, BoardView] | None = None
        self._of: DialogueState | None = None
        self._parts: tuple[object, ...] = ()
        self._asked: tuple[object, ...] = ()

    def shown(self, dialogue: DialogueState) -> BoardView:
        """Return what this dialogue shows."""
        if self._shown is None or self._shown[0] is not dialogue:
            self._shown = (dialogue, show(dialogue, dialogue.timing.now_ns))
        return self._shown[1]

    def asked(self, dialogue: DialogueState) -> tuple[object, ...]:
        """Return what this dialogue asks, which stays the same while only time passes."""
        if self._of is not dialogue:
            parts = (*StateKey(dialogue).parts, *_asking(self.shown(dialogue)))
            if not same(parts, self._parts):
                self._asked = question(dialogue, self.shown(dialogue))
            self._of, self._parts = dialogue, parts
        return self._asked


_looks = Looks()


def watch_the_question(before: DialogueState, event: DialogueEvent, after: DialogueState) -> None:
    """Check that ``ask`` changes exactly when a button's meaning does; ``sequence`` only grows."""
    assert after.timing.sequence >= before.timing.sequence
    if after != before:
        assert after.timing.sequence > before.timing.sequence, "what changed must be shown"
    was, now = _looks.asked(before), _looks.asked(after)
    assert (after.timing.asked.token == before.timing.asked.token) == (was == now), (
        event,
        was,
        now,
    )


def watch_what_is_entered(
    before: DialogueState, event: DialogueEvent, after: DialogueState
) -> None:
    """Check that OK enters the stroke that was shown, with its seat and what was called."""
    open_review = isinstance(before.question, Review) and before.menu is None
    pressed = isinstance(event, Press) and event.button.key is Key.OK
    if not (open_review and pressed and before.game and after.game):
        return
    entered = after.game.lines[len(before.game.lines) :]
    if not entered or before.proposal is None or before.kept is not None:
        return
    shown = show(before, before.timing.now_ns).proposal
    if shown is None:
        return
    stroke = entered[0].stroke
    assert (stroke is not None) == shown.stroke, (event, shown, entered)
    if stroke is not None and before.proposal.reopened is None:
        said = (
            stroke.seat,
            stroke.flags - ANSWERS,
            Counter(each.piece for each in stroke.departures),
        )
        pieces = Counter(each.piece for each in shown.departures)
        assert said == (shown.seat, shown.flags - ANSWERS, pieces), (event, shown, entered)


class Seen:
    """What the board's loop last gave to the displays."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._posted: BoardView | None = None

    def watch(self, _before: DialogueState, _event: DialogueEvent, after: DialogueState) -> None:
        """Check that a view is shown whenever a newly computed one would look different."""
        seen, view = visible_part(after), _looks.shown(after)
        if self._posted is None or seen != self._seen:
            self._seen, self._posted = seen, view
            return
        posted = self._posted
        if posted.hold is not view.hold:
            both = posted.hold is not None and view.hold is not None
            assert both, "a bar that grows is shown as it is"
            posted = changed(posted, hold=view.hold)
        assert looks_alike(posted, view), "what is seen has changed and was not shown"


def bare(question: Question) -> Question:
    """Return the question; a proposal without its instants and outdated words on flown pieces."""
    if not isinstance(question, Falling | Review):
        return question
    proposal = question.proposal
    plain = changed(
        proposal,
        opened_ns=0,
        changed_ns=0,
        readings=tuple(
            changed(
                each,
                probability=round(each.probability, 9),
                flown=each.flown if proposal.flown else (),
            )
            for each in proposal.readings
        ),
    )
    return changed(question, proposal=plain)


def unread(proposal: Proposal) -> Proposal:
    """Return a parked proposal without its readings: it is read again when it comes back."""
    edited = proposal.edited
    if proposal.chosen and edited is None and proposal.reading.stroke:
        edited = proposal.reading.departures
    return changed(
        proposal, opened_ns=0, changed_ns=0, chosen=0, readings=(), edited=edited, before=None
    )


def bare_game(game: Game) -> Game:
    """Return a match without what its clock says."""
    return changed(game, clock=changed(game.clock, used_ns=0, since_ns=None), used={})


def without_instants(dialogue: DialogueState) -> DialogueState:
    """Return the part of a dialogue that must outlast a power cut."""
    if isinstance(dialogue, InMatch):
        dialogue = changed(dialogue, game=bare_game(dialogue.game))
    return changed(
        dialogue,
        previous=dialogue.previous and bare_game(dialogue.previous),
        question=bare(dialogue.question),
        parked=tuple(map(unread, dialogue.parked)),
        menu=dialogue.menu and changed(dialogue.menu, used_ns=0, opener=None),
        over_ns=None, tried=Tried(), note=EMPTY, faults=(), broken=(),
        entered_ns=None, attract=None, timing=Timing(), hall=answered(dialogue.hall),
        hall_place=None, shakes=(), fixable_until_ns=None,
    )  # fmt: skip


def answered(hall: HallState | None) -> HallState | None:
    """Return what people have answered to a hall; the hall repeats what it says itself."""
    if hall is None or (hall.answer is None and hall.stays is None):
        return None
    return HallState(number=hall.number, answer=hall.answer, stays=hall.stays)


def check_a_restart(table: Table) -> DialogueState:
    """Check that a power cut brings back the same dialogue, its clock stopped, before a glance.

    Return what it brings back.
    """
    restored = restore(table.records, table.dialogue_settings, table.plan, 77)
    assert not restored.troubles, restored.troubles
    lived = table.dialogue
    back = changed(restored.dialogue, faults=lived.faults)  # a blocked beam is reported again
    if isinstance(back, InMatch) and back.gathered is not None:
        heard = changed(back, time_due=getattr(lived, "time_due", None))  # with what 0:00 waits for
        back = changed(back, gathered=gathered(heard, 77))  # and what waits is computed with both
    playing = lived.phase not in (Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER)
    expected = lived
    if playing:
        question = Paused() if lived.phase is Phase.READY else lived.question
        expected = changed(lived, question=question, glance=Glance.POWER)
    if lived.menu is not None:
        line = marked_line(lived)
        anybodys = changed(lived.menu, opener=None)  # a seat's own list may have other lines
        told = changed(expected, menu=anybodys, hall=answered(lived.hall), hall_place=None)
        expected = marked_again(told, line)
        back = still_marked(restored.dialogue, back)
        assert expected.menu is None or marked_line(back) == line, (marked_line(back), line)
    found, wanted = without_instants(back), without_instants(expected)
    for field in InMatch.__struct_fields__:
        assert getattr(found, field) == getattr(wanted, field), field
    assert restored.next_fall == table.falls.next_number
    if lived.game is not None and back.game is not None:
        assert not back.game.clock.running
        lost_ns = lived.game.clock.used_at(table.now_ns) - back.game.clock.used_ns
        noted = lived.game.clock.limit_ns > 0
        assert not noted or 0 <= lost_ns <= table.dialogue_settings.clock_note_ns, lost_ns
    return restored.dialogue


def check_the_view(dialogue: DialogueState, view: BoardView) -> None:
    """Check that the view shows as confirmed what is recorded; readings add up to one."""
    assert view.sequence == dialogue.timing.sequence
    assert view.ask == dialogue.timing.asked.token
    if dialogue.game is not None:
        state = dialogue.game.match.state
        for side in view.sides:
            count = state.position.count(side.side)
            assert (side.pocketed, side.owed) == (count.pocketed, count.owed)
            named = dialogue.game.match.settings.sides[side.seats[0]]
            assert side.boards_won == state.boards_won[named]
    if dialogue.proposal is not None:
        total = sum(each.probability for each in dialogue.proposal.readings)
        assert total == pytest.approx(1.0)
    assert (view.proposal is None) == (dialogue.phase not in (Phase.FALLING, Phase.REVIEW))
    assert str(view.ok), "what to do next is always said in words"
    assert (view.free is not None) == (dialogue.free is not None)
    if view.free is not None and dialogue.free is not None:
        assert dialogue.game is None
        counted = dict(view.free.counts)
        assert [side.pocketed for side in view.sides] == list(counted.values())[:2]
        assert all(0 <= n <= 12 for n in counted.values())


def falls_on(dialogue: DialogueState) -> list[int]:
    """Return the numbers of all falls in the dialogue, once for each place where they are."""
    groups: list[Any] = [group.falls for group in (*dialogue.waiting, *dialogue.assumed)]
    groups += [each.falls for each in dialogue.parked]
    if dialogue.proposal is not None:
        own = dialogue.proposal.reopened.falls if dialogue.proposal.reopened else ()
        groups.append(tuple(fall for fall in dialogue.proposal.falls if fall not in own))
    if dialogue.menu is not None:
        groups.append(dialogue.menu.falls)
    if dialogue.game is not None:
        groups += [line.falls for line in (*dialogue.game.lines, *dialogue.game.undone)]
    if dialogue.kept is not None:
        groups += [each.line.falls for each in dialogue.kept.lines]
    return [fall.number for falls in groups for fall in falls]


def watch_the_evidence(table: Table) -> Any:
    """Return a check that no fall is dropped: each is in the dialogue once, or was cleared away."""
    seen: set[int] = set()
    cleared: set[int] = set()
    noted, read = len(table.records), 0

    def watch(before: DialogueState, event: DialogueEvent, after: DialogueState) -> None:
        nonlocal noted, read
        on_dialogue = falls_on(after)
        assert len(on_dialogue) == len(set(on_dialogue)), f"a fall lies there twice: {on_dialogue}"
        written, read = table.records[read:], len(table.records)
        new = {each.body["number"] for each in written if each.kind == EntryKind.FALL} - seen
        for each in written:
            if each.kind in (EntryKind.CLEARING, EntryKind.LEFT_OUT):
                cleared.update(each.body["falls"])
        began = any(each.kind == EntryKind.MATCH for each in table.records[noted:])
        noted = len(table.records)
        if before.game is not None and after.game is not None and not began:
            open_before = set(falls_on(before))
            assert open_before | new <= set(on_dialogue) | cleared, (
                event,
                open_before,
                on_dialogue,
            )
        if before.free is not None and after.free is not None:
            assert new <= {fall.number for fall in after.free.falls}, (event, new)
        seen.update(new)

    return watch


def watch_what_enters_itself(
    before: DialogueState, event: DialogueEvent, after: DialogueState
) -> None:
    """Check that what enters itself is sure, plain and alone, and is answered as the page says."""
    assert after.by_itself is None or after.timing.shot is None, "a shot clock that nobody is told"
    assert not (before.by_itself and before.objections and after.objections and not after.by_itself)
    if not (isinstance(before, InMatch) and isinstance(after, InMatch)):
        return
    if isinstance(event, Press) and before.menu is None and before.attract is None:
        _answered(before, event, after)
    fresh = [line for line in after.game.lines[len(before.game.lines) :] if line.alone]
    if not fresh or fresh[0] in before.game.undone:
        return
    [line], state = fresh, after.game.match.state
    assert line.probability is not None
    sure = (sure_from if line.falls else missed_from)(before.settings)
    assert before.game.trust.of(line.falls).weighed(line.probability) >= sure - 1e-4 > 0
    ends = (state.result, state.over, state.place, state.ruling is not None and state.ruling.foul)
    assert ends == (None, False, (), False), ends
    first = (before.menu, before.glance, before.kept, before.moved_to, before.attract)
    assert first == (None,) * len(first), first
    more = (before.game.undone, before.objections, before.broken, before.waiting, before.parked)
    assert more == ((),) * len(more), more
    held = (before.dark, before.waits_for_gong, before.game.trust.is_lost)
    assert held == ((), False, False), held
    assert line.stroke is not None
    assert (line.stroke.seat, line.missed) == (before.game.to_shoot, ())
    assert before.proposal is None or not (before.proposal.flags or before.proposal.flown)


def _answered(before: InMatch, event: Press, after: InMatch) -> None:
    """Check that, while it is shown, OK enters nothing more and FIX and UNDO take it back."""
    line, lines = before.by_itself, len(before.game.lines)
    if line is None or not before.fixable_until_ns or before.fixable_until_ns <= event.at_ns:
        return
    if event.button.key is Key.OK:
        assert len(after.game.lines) == lines
    elif event.button.key in (Key.FIX, Key.UNDO) and len(after.game.lines) != lines:
        assert after.game.undone[-1] == line
        assert after.phase is (Phase.REVIEW if line.falls else Phase.READY)


def watch_the_presses(table: Table) -> Any:
    """Return a check that a press that changes nothing is swallowed: recorded with its reason.

    Codes advance on their own; stepping from the last to the first changes only what is shown.
    """
    seen = len(table.records)

    def watch(before: DialogueState, event: DialogueEvent, after: DialogueState) -> None:
        nonlocal seen
        new, seen = table.records[seen:], len(table.records)
        if not isinstance(event, Press):
            return
        written = {each.kind for each in new} - {EntryKind.DESK, EntryKind.CLOCK}
        same = without_instants(before) == without_instants(after)
        shown = [code_shown(each, event.at_ns) for each in (before, after)]
        assert written or not same or shown[0] != shown[1], (event, after.phase, after.menu)

    return watch


class _Noted(Struct, frozen=True):
    """An entry as the history reads it."""

    seq: int
    kind: str
    at_ns: int
    body: Mapping[str, Any]
    boot: str = "one"
    wall_ns: int = 0
    synchronised: bool = False


def check_the_history(table: Table) -> None:
    """Check that the match read from the journal is the match on the board."""
    chapters, mine = Chapters(), dict[int | None, list[_Noted]]()
    for seq, each in enumerate(table.records, start=1):
        owner = chapters.read_on(seq, each.kind)
        mine.setdefault(owner, []).append(_Noted(seq, each.kind, each.at_ns, each.body))
    told = chronicle(mine[chapters.current])
    assert told.match.state == table.game.match.state
    assert [each.entry for each in told.match.steps] == [
        each.entry for each in table.game.match.steps
    ]


def check_all(table: Table) -> DialogueState:
    """Check everything that must be true of a table at any time; return what a restart gives."""
    dialogue = table.dialogue
    check_the_view(dialogue, table.view)
    back = check_a_restart(table)
    if dialogue.game is not None:
        assert refolded(dialogue.game) == dialogue.game.match.state
        assert dialogue.phase is not Phase.SETUP
        check_the_history(table)
    else:
        assert dialogue.phase is Phase.SETUP
    return back


ASKED_BY_THE_RULES = frozenset(
    {MenuKind.CALL, MenuKind.BANKED, MenuKind.NAME_POCKET, MenuKind.IN_TIME, MenuKind.TOUCHED}
)
"""Questions that are asked again and again until somebody answers them."""


def _leave(table: Table, menu: Menu) -> None:
    """Answer what the rules must know and what all are asked; other lists close on their own."""
    if menu.kind in ASKED_BY_THE_RULES:
        table.ok(menu.opener.value if menu.opener else "referee")
    elif menu.kind is MenuKind.GATHERED:
        table.hold("referee", "ok")
    else:
        table.wait(21.0)
        if table.dialogue.menu is not None:
            table.hold("referee", "ok")


def lead_on(table: Table, steps: int = 60) -> None:
    """Press on until a seat can shoot, which some presses reach from every state.

    At most ``steps`` steps in a row enter nothing: a dozen strokes may wait, at four presses each.
    """
    left, entered = steps, 0
    while left:
        left -= 1
        table.wait(7.0)
        if isinstance(table.dialogue, InMatch) and len(table.game.lines) > entered:
            left, entered = steps, len(table.game.lines)
        if table.phase is Phase.READY and table.dialogue.menu is None and not table.game.undone:
            return
        if table.dialogue.menu is not None:
            _leave(table, table.dialogue.menu)
        elif table.view.attract is not None:
            table.ok("referee")  # the press that wakes the board does nothing else
        elif table.dialogue.free is not None:
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
