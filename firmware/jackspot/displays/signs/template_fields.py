"""The fields of a view that an owner's frames may show, by name.

Pure: a view in, numbers and words out. Numbers are confirmed ones only, as on every sign. None
means nothing to show: before the first match, or while the displays are to be dark.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from jackspot.core.phrases import EMPTY, Phrase, Translate
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.dialogue.words.tally import OVER, score
from jackspot.dialogue.words.wording import side_letter
from jackspot.displays.signs.template_text import Value
from jackspot.displays.signs.text import first_two, is_dark, is_marked, plain, sign_text, spelt

_SECOND_NS = 1_000_000_000
_SIDES = ("left", "right")
_FAINTEST = 10
"""The brightness of a list that is open on displays that are dark, in per cent."""

_OF_A_SIDE: Mapping[str, type] = {
    "count": int,
    "owed": int,
    "letter": str,
    "name": str,
    "points": int,
    "boards": int,
    "turn": bool,
}
_OF_THE_BOARD: Mapping[str, type] = {
    "turn": str,
    "clock": str,
    "clock.minutes": int,
    "clock.seconds": int,
    "clock.runs": bool,
    "headline": str,
    "detail": str,
    "proposal": str,
    "prompt": str,
    "fault": str,
    "phase": str,
    "board": int,
    "brightness": int,
    "proposed": bool,
    "doubtful": bool,
    "paused": bool,
    "over": bool,
    "faulty": bool,
    "dark": bool,
}

FIELDS: Mapping[str, type] = MappingProxyType(
    {
        **{f"{side}.{name}": kind for side in _SIDES for name, kind in _OF_A_SIDE.items()},
        **_OF_THE_BOARD,
    }
)
"""Every field with its type: a number, a text, or yes and no."""


def values_of(view: BoardView, translate: Translate, encoding: str) -> dict[str, Value]:
    """Return each field's value for a view; ``encoding`` can write all texts."""

    def said(phrase: Phrase) -> str:
        return plain(phrase, translate, encoding)

    dark = is_dark(view) or view.farewell
    rests = view.attract is not None and view.phase is Phase.SETUP and view.free is None
    text = sign_text(view, translate, encoding)
    values: dict[str, Value] = {
        "turn": view.shooter.value if view.shooter and view.phase not in OVER else "",
        **_clock(view),
        "headline": said(view.headline),
        "detail": said(view.detail),
        "proposal": said(view.proposal.what if view.proposal else EMPTY),
        "prompt": text.prompt,
        "fault": said(view.faults[0].what if view.faults else EMPTY),
        "phase": view.phase.value,
        "board": view.board,
        "brightness": view.preferences.brightness or (0 if is_dark(view) else _FAINTEST),
        "proposed": text.proposed,
        "doubtful": view.proposal is not None and view.proposal.doubtful,
        "paused": view.phase is Phase.PAUSED,
        "over": view.phase in OVER,
        "faulty": bool(view.faults),
        "dark": dark,
    }
    for index, side in enumerate(_SIDES):
        own = _side(view, index, translate, encoding)
        values |= {f"{side}.{name}": value for name, value in own.items()}
    if dark:
        kept = {"dark", "brightness", "prompt", "phase"}
        values = {name: each if name in kept else None for name, each in values.items()}
    elif rests:
        values |= {f"{side}.{name}": None for side in _SIDES for name in ("count", "owed")}
    return values


def _side(view: BoardView, index: int, translate: Translate, encoding: str) -> dict[str, Value]:
    side = view.sides[index]
    count = score(view, index) if view.free is None else first_two(view.free)[index][1]
    letter = plain(side_letter(side.side), translate)
    name = "/".join(spelt(name, encoding) for name in side.names if name) or letter
    return {
        "count": count,
        "owed": side.owed,
        "letter": letter,
        "name": name,
        "points": side.points,
        "boards": side.games_won if view.game else side.boards_won,
        "turn": view.free is None and is_marked(view, index),
    }


def _clock(view: BoardView) -> dict[str, Value]:
    if not view.clock.limit_ns:
        return {"clock": "", "clock.minutes": None, "clock.seconds": None, "clock.runs": False}
    seconds = -(-max(0, view.clock.remaining_ns) // _SECOND_NS)
    minutes = seconds // 60
    return {
        "clock": f"{minutes}:{seconds % 60:02d}",
        "clock.minutes": minutes,
        "clock.seconds": seconds % 60,
        "clock.runs": view.clock.running,
    }
