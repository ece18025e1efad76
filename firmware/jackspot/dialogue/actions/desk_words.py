"""What a hall's desk says to people at a board: a notice, and "which board is this?".

A notice takes one line of the displays, but only where it interrupts nothing of a match: no list or
question is open, nothing waits to be confirmed, and no clock runs that people read. Otherwise it
waits beneath. A board that the desk is looking for shows its number large and blinks its lamps
where no match is shown; in a match it only marks itself, and the lamps go on saying whose turn it
is. All of it ends on its own and none of it is written down: after a start the desk sends it again.
"""

from __future__ import annotations

from typing import TypeVar

from jackspot.core.clock import SECOND_NS
from jackspot.core.pieces import Seat
from jackspot.dialogue.actions import gong
from jackspot.dialogue.actions.shot_clock import shot_view
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.hall_state import DeskLine, HallState, Identified
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import HallView, NoticeView, Phase
from jackspot.sensing.events import IdentifyTold, NoticeTold
from jackspot.values import changed

BLINK_NS = SECOND_NS // 4
"""How long the lamps are lit, and how long dark."""
TAKES_NOTICES = frozenset({Phase.SETUP, Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER})
WITHOUT_A_MATCH = frozenset({Phase.SETUP, Phase.MATCH_OVER})
ALL_SEATS = frozenset(Seat)
EndingT = TypeVar("EndingT", DeskLine, Identified)


def hear(transition: Transition, hall: HallState, told: NoticeTold | IdentifyTold) -> None:
    """Take a message from the desk; one that should have ended by now is not shown."""
    ends = told.until_ns <= transition.now_ns
    if isinstance(told, IdentifyTold):
        found = Identified(told.number, transition.now_ns, told.until_ns)
        transition.change(hall=changed(hall, identified=None if ends else found))
        return
    notice = None if ends or told.text is None else DeskLine(told.text, told.until_ns)
    if told.own:
        transition.change(hall=changed(hall, own_notice=notice))
    else:
        transition.change(hall=changed(hall, notice=notice))


def ends_at_ns(dialogue: DialogueState) -> int | None:
    """Return when one of the messages ends next; None: there are none."""
    ends = [each.until_ns for each in _lasting(dialogue.hall)]
    return min(ends, default=None)


def end(transition: Transition, at_ns: int) -> None:
    """Drop the messages that have ended."""
    hall = transition.dialogue.hall
    if hall is not None:
        transition.change(
            hall=changed(
                hall,
                notice=_still(hall.notice, at_ns),
                own_notice=_still(hall.own_notice, at_ns),
                identified=_still(hall.identified, at_ns),
            )
        )


def _lasting(hall: HallState | None) -> list[DeskLine | Identified]:
    if hall is None:
        return []
    return [e for e in (hall.own_notice, hall.notice, hall.identified) if e is not None]


def _still(each: EndingT | None, at_ns: int) -> EndingT | None:
    return each if each is not None and at_ns < each.until_ns else None


def seen(transition: Transition) -> None:
    """Stop showing the number: somebody presses a button, so it was seen."""
    hall = transition.dialogue.hall
    if hall is not None and hall.identified is not None:
        transition.change(hall=changed(hall, identified=None))


# --- what is shown of it ---------------------------------------------------------------


def notice_shown(dialogue: DialogueState, now_ns: int) -> NoticeView | None:
    """Return what the desk tells this board, else what it tells all; None: nothing, or not now."""
    hall = dialogue.hall
    told = None if hall is None else hall.own_notice or hall.notice
    if told is None or not _is_quiet(dialogue, now_ns):
        return None
    return NoticeView(told.text, everywhere=True)


def _is_quiet(dialogue: DialogueState, now_ns: int) -> bool:
    """Whether one more line interrupts nothing."""
    if _asks(dialogue) or gong.count(dialogue, now_ns) is not None:
        return False
    if dialogue.attract is not None:
        return True
    game = dialogue.game
    runs = game is not None and game.clock.running and game.clock.limit_ns > 0
    return (
        dialogue.phase in TAKES_NOTICES
        and not (runs or dialogue.waiting or dialogue.assumed)
        and shot_view(dialogue, now_ns) is None
    )


def _asks(dialogue: DialogueState) -> bool:
    """Whether a list or a question for people is open."""
    glance = dialogue.glance if dialogue.phase is not Phase.MATCH_OVER else None
    return any(e is not None for e in (dialogue.menu, dialogue.offered, glance, dialogue.moved_to))


def identified(dialogue: DialogueState, view: HallView | None) -> HallView | None:
    """Add the number of a board that the desk is looking for."""
    found = dialogue.hall.identified if dialogue.hall is not None else None
    if view is None or found is None:
        return view
    return changed(view, identified=found.number, alone=_is_alone(dialogue))


def _is_alone(dialogue: DialogueState) -> bool:
    """Whether the displays show nothing of a match."""
    return not _asks(dialogue) and (
        dialogue.attract is not None or dialogue.phase in WITHOUT_A_MATCH
    )


def lamps_shown(dialogue: DialogueState, lamps: frozenset[Seat], now_ns: int) -> frozenset[Seat]:
    """Blink all lamps if the desk is looking for the board and no match is there."""
    found = dialogue.hall.identified if dialogue.hall is not None else None
    if found is None or not _is_alone(dialogue):
        return lamps
    is_lit = (now_ns - found.since_ns) // BLINK_NS % 2 == 0
    return ALL_SEATS if is_lit else frozenset()


def blinks_at_ns(dialogue: DialogueState) -> int | None:
    """Return when the lamps change next; None: they do not blink."""
    found = dialogue.hall.identified if dialogue.hall is not None else None
    if found is None or not _is_alone(dialogue):
        return None
    now_ns = dialogue.timing.now_ns
    return now_ns + BLINK_NS - (now_ns - found.since_ns) % BLINK_NS
