"""The board in two numbers and one line, for signs that show little and are read from afar.

Pure: a view in, text out. The numbers are confirmed ones only. A proposal stands between
question marks, so that it looks like no confirmed line even where a sign has one colour.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from jackspot.core.settings import RuleSystem
from jackspot.table.phrases import Phrase, Translate
from jackspot.table.view import BoardView, Phase

_OVER = frozenset({Phase.BOARD_OVER, Phase.MATCH_OVER})
_LATIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "→": ">"}
)
_UNSHOWABLE = re.compile(r"[^ -~]")


@dataclass(frozen=True, slots=True)
class SignText:
    """What a one-line sign shows: left and right side, then a line that says what is next."""

    left: str
    """``>R 7``: a mark if this side shoots, letter, count."""
    right: str
    """``  G 5``: with the gap before it and its mark behind it."""
    prompt: str
    """Empty when there is nothing to say."""
    proposed: bool
    """The prompt tells of something that nobody has confirmed."""


def sign_text(view: BoardView, translate: Translate) -> SignText:
    """Put a view into the words of a sign; everything is printable ASCII, upper case."""
    left, right = view.sides
    prompt, proposed = _prompt(view, translate)
    return SignText(
        left=f"{'>' if is_marked(view, 0) else ' '}{left.letter}{_count(view, 0)}",
        right=f"  {right.letter}{_count(view, 1)}{'<' if is_marked(view, 1) else ' '}",
        prompt=prompt.upper(),
        proposed=proposed,
    )


def score(view: BoardView, index: int) -> int:
    """Give the number to show for a side: its points in points carrom, else its pieces in.

    When a board or match is over, its points, where the rules give any.
    """
    if view.phase in _OVER and view.result_points is not None:
        return view.result_points[index]
    side = view.sides[index]
    return side.points if view.rules is RuleSystem.POINTS else side.pocketed


def is_marked(view: BoardView, index: int) -> bool:
    """Tell whether a side carries the mark: it shoots, or it has won what is over."""
    side = view.sides[index]
    if view.phase in _OVER:
        return view.winner is side.side
    return side.shoots


def _count(view: BoardView, index: int) -> str:
    """Give ``' 7'``, and ``' 0-2'`` for a side that owes two."""
    owed = view.sides[index].owed if view.phase not in _OVER else 0
    return f"{score(view, index):2d}" + (f"-{owed}" if owed else "")


def _prompt(view: BoardView, translate: Translate) -> tuple[str, bool]:
    """Say what is next, and whether it is only proposed."""
    proposed = False
    if view.menu is not None and view.menu.items:
        chosen = view.menu.items[view.menu.chosen]
        text = f"{plain(view.menu.title, translate)}: {plain(chosen, translate)}"
    elif view.proposal is not None:
        proposed = True
        doubt = "??" if view.proposal.doubtful else "?"
        text = f"{doubt} {plain(view.proposal.what, translate)} {doubt}"
    else:
        text = plain(view.headline, translate) or plain(view.detail, translate)
    if view.faults:
        text = f"{text} ! {plain(view.faults[0].what, translate)}".strip()
    return text, proposed


def plain(phrase: Phrase, translate: Translate) -> str:
    """Render a phrase in printable ASCII.

    Umlauts are spelt out. A translation that cannot be written so, Japanese say, gives way
    to the English sentence; what is then left over, such as a name, becomes stars.
    """
    for text in (phrase.render(translate), str(phrase)):
        letters = unicodedata.normalize("NFKD", text.translate(_LATIN))
        letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
        if not _UNSHOWABLE.search(letters):
            break
    return _UNSHOWABLE.sub("*", letters)
