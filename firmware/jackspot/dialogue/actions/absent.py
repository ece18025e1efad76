"""Who answers when the person who may answer is away, and who objects meanwhile.

``confirm`` says whose presses count. A box may be unplugged and a referee may be away. So when an
answer is due and nobody who may give it has pressed anything for a while, any seat that plays can
settle by holding OK. Objections of seats that may not decide are shown beside the question until
it is answered.
"""

from __future__ import annotations

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.controls import referee_sits, whole_places
from jackspot.dialogue.state.dialogue_settings import Confirm
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Place

DUE = frozenset({Phase.REVIEW, Phase.PLACING, Phase.PAUSED, Phase.BOARD_OVER, Phase.MATCH_OVER})
"""Phases that wait for an answer. *ready* waits for a stroke, and the shooter and the next seat may
both pass the turn; only after UNDO does it wait for an answer too."""


def answer_is_due(dialogue: DialogueState) -> bool:
    """Whether the board waits for somebody to answer; a list that somebody works does not count."""
    if dialogue.game is None or dialogue.attract is not None:
        return False
    if dialogue.menu is not None:
        return dialogue.menu.opener is None
    return dialogue.phase in DUE or (dialogue.phase is Phase.READY and bool(dialogue.game.undone))


def open_to_all_ns(dialogue: DialogueState) -> int | None:
    """Return from when any playing seat may settle; None: no answer is due, or all may."""
    confirm, buttons = dialogue.settings.confirm, dialogue.settings.buttons
    all_may = confirm is Confirm.REFEREE and not referee_sits(buttons)
    if confirm is Confirm.ANYONE or all_may or not answer_is_due(dialogue):
        return None
    return (
        max(dialogue.timing.asked.since_ns, dialogue.timing.answered_ns)
        + dialogue.settings.absent_ns
    )


def may_stand_in(dialogue: DialogueState, seat: Seat, at_ns: int) -> bool:
    """Whether a seat may settle at an instant because nobody who may has answered.

    It must be a seat that plays; where no such seat has the buttons, any seat may.
    """
    from_ns = open_to_all_ns(dialogue)
    if dialogue.game is None or from_ns is None or at_ns < from_ns:
        return False
    order = dialogue.game.match.state.position.order
    whole = whole_places(dialogue.settings.buttons)
    return seat in order or not any(Place(each.value) in whole for each in order)


def remarks(dialogue: DialogueState, now_ns: int) -> tuple[Phrase, ...]:
    """Say beside the question who objects, and that any seat may answer."""
    said = [_("{seat} objects", seat=seat.value) for seat in dialogue.objections]
    from_ns = open_to_all_ns(dialogue)
    if from_ns is not None and now_ns >= from_ns:
        said.append(_("anyone: hold OK"))
    return tuple(said)


def with_objection(dialogue: DialogueState, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the seats that object, including one more, each once."""
    return tuple(dict.fromkeys((*dialogue.objections, *((seat,) if seat else ()))))


def question_of(dialogue: DialogueState) -> tuple[object, ...]:
    """Return what an objection is about, as a value to compare: it changes with the answer."""
    if dialogue.game is None:
        return (dialogue.phase,)
    phase = Phase.REVIEW if dialogue.phase is Phase.FALLING else dialogue.phase
    falls = dialogue.proposal.falls[:1] if dialogue.proposal is not None else ()
    menu = dialogue.menu.kind if dialogue.menu is not None else None
    about = tuple(fall.number for fall in falls)
    alone = dialogue.by_itself is not None
    return (phase, menu, about, alone, len(dialogue.game.lines), len(dialogue.game.undone))
