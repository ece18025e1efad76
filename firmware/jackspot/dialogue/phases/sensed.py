"""What a fall means in each phase: :data:`FALLS`.

In *ready* a fall begins a stroke, in *falling* it joins it. While anything else is open it
waits; after the end of a board it is asked about. Every fall is written down first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from jackspot.core.phrases import EMPTY, _
from jackspot.dialogue.lists.item import open_list
from jackspot.dialogue.lists.sensors import is_trying, try_fall
from jackspot.dialogue.proposals.answers import called_now
from jackspot.dialogue.proposals.dark import dark_pockets, sees_again
from jackspot.dialogue.proposals.hands import grow
from jackspot.dialogue.proposals.keeping import waits
from jackspot.dialogue.proposals.open_falls import joined
from jackspot.dialogue.proposals.proposing import propose, read_anew, to_shoot
from jackspot.dialogue.proposals.queueing import gap_before
from jackspot.dialogue.proposals.scenes import hands_now
from jackspot.dialogue.proposals.spanning import late_now
from jackspot.dialogue.state.desk import Desk
from jackspot.dialogue.state.entries import Kind, fall_body
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Group, Proposal
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.steps.free_play import count_fall
from jackspot.sensing.events import Fall


def take_fall(talk: Talk, fall: Fall) -> None:
    """Write a fall down and let it mean what its phase says."""
    talk.record(Kind.FALL, **fall_body(fall))
    talk.sound(Sound.TICK)
    sees_again(talk, fall)
    talk.change(broken=tuple(each for each in talk.desk.broken if each is not fall.pocket))
    if is_trying(talk.desk):
        try_fall(talk, fall)
    if not grow(talk, fall):
        FALLS[talk.desk.phase](talk, fall)


def _fall_in_setup(talk: Talk, fall: Fall) -> None:
    if talk.desk.free is not None:
        count_fall(talk, fall)
        return
    width_ms = round(max(fall.widths_ns) / 1_000_000)
    talk.change(note=_("{pocket} sees {ms} ms", pocket=fall.pocket.value, ms=width_ms))


def _fall_in_ready(talk: Talk, fall: Fall) -> None:
    if talk.desk.menu is not None:
        _fall_waits(talk, fall)
        return
    desk = talk.desk
    told = Proposal(
        to_shoot(talk.game), (fall,), (), called=called_now(desk, to_shoot(talk.game)),
        opened_ns=talk.now_ns, hands=hands_now(desk), gap_ns=gap_before(desk, fall),
        late=late_now(desk, fall.start_ns),
        dark=dark_pockets(desk),
    )  # fmt: skip
    talk.change(proposal=propose(desk, (fall,), talk.now_ns, like=told), note=EMPTY)
    talk.go(Phase.FALLING)


def _fall_joins(talk: Talk, fall: Fall) -> None:
    shown = talk.proposal
    falls = joined((*shown.falls, fall))
    talk.change(proposal=propose(talk.desk, falls, talk.now_ns, like=shown))


def _fall_waits(talk: Talk, fall: Fall) -> None:
    """Let a fall wait: no stroke is lost because something else is open."""
    desk = talk.desk
    if desk.proposal is not None and _holds(desk.proposal, fall):
        talk.change(proposal=_regrown(talk, desk.proposal, fall))
        return
    for at, parked in enumerate(desk.parked):
        newest = at == 0 and not desk.waiting and _near(desk, parked, fall)
        if newest or _holds(parked, fall):
            grown = _regrown(talk, parked, fall)
            talk.change(parked=(*desk.parked[:at], grown, *desk.parked[at + 1 :]))
            return
    hands = hands_now(desk)
    for at, group in enumerate(desk.waiting):
        newest = at == len(desk.waiting) - 1 and _near(desk, group, fall)
        if newest or _holds(group, fall):
            likelier = dict(sorted({*group.hands, *hands}))  # of two for a pocket the higher
            grown_group = replace(
                group, falls=joined((*group.falls, fall)), hands=tuple(likelier.items())
            )
            talk.change(waiting=(*desk.waiting[:at], grown_group, *desk.waiting[at + 1 :]))
            return
    talk.change(waiting=(*desk.waiting, Group((fall,), hands, gap_before(desk, fall))))


def _holds(group: Group | Proposal, fall: Fall) -> bool:
    """Whether a fall is one of these that has just grown by a further pulse."""
    return any(each.number == fall.number for each in group.falls)


def _near(desk: Desk, group: Group | Proposal, fall: Fall) -> bool:
    """Whether a fall came so soon after others that it belongs to the same stroke."""
    if not group.falls:
        return False
    gap_ns = fall.start_ns - group.falls[-1].end_ns
    return abs(gap_ns) < desk.customs.settle_ns


def _regrown(talk: Talk, shown: Proposal, fall: Fall) -> Proposal:
    """Read a proposal anew that has just grown by a fall, or by a further pulse of one."""
    falls = joined((*shown.falls, fall))
    return read_anew(talk.desk, replace(shown, falls=falls), talk.now_ns)


def _fall_after_end(talk: Talk, fall: Fall) -> None:
    """Ask about a fall just after the end: it may belong to the last stroke."""
    desk = talk.desk
    if waits(desk):
        _fall_waits(talk, fall)
        return
    asked = desk.menu.falls if desk.menu and desk.menu.kind is MenuKind.LATE else ()
    over_ns = desk.over_ns
    soon = over_ns is not None and fall.start_ns < over_ns + desk.customs.late_fall_ns
    if soon or any(each.number == fall.number for each in asked):
        talk.button = None
        open_list(talk, MenuKind.LATE, falls=joined((*asked, fall)))
    else:
        talk.record(Kind.CLEARING, falls=[fall.number])


FALLS: Mapping[Phase, Callable[[Talk, Fall], None]] = {
    Phase.SETUP: _fall_in_setup,
    Phase.READY: _fall_in_ready,
    Phase.FALLING: _fall_joins,
    Phase.REVIEW: _fall_waits,
    Phase.PLACING: _fall_waits,
    Phase.PAUSED: _fall_waits,
    Phase.BOARD_OVER: _fall_after_end,
    Phase.MATCH_OVER: _fall_after_end,
}
"""What a fall does in each phase."""
