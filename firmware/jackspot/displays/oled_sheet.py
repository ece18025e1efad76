"""What every picture of the OLED has: prompts and a fault's banner below, the counts above.

Pure, like all of the drawing; no device.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from jackspot.core.settings import RuleSystem
from jackspot.displays import oled_parts as parts
from jackspot.displays.oled_parts import Card, Prompt, words
from jackspot.displays.oled_text import TINY, Box, fit
from jackspot.table.events import Key
from jackspot.table.phrases import Translate
from jackspot.table.view import BoardView

WIDTH = 128
HEIGHT = 64
_BANNER = 17
_ONE_LINE_BANNER = 9
_QUEEN_SYSTEMS = frozenset(
    {RuleSystem.KAGW, RuleSystem.GRUNDREGELN, RuleSystem.POINTS, RuleSystem.ICF}
)


class Sheet:
    """A view on its way to a picture: the picture, and its free box ``top`` to ``bottom``."""

    def __init__(self, view: BoardView, translate: Translate, right: int = WIDTH) -> None:
        self.view = view
        self.translate = translate
        self.image = parts.blank(WIDTH, HEIGHT)
        self.right = right
        self.top = 0
        prompts = prompts_of(view, translate)
        waiting = f"+{view.waiting}" if view.waiting else ""
        rows = parts.prompt_rows(prompts, right, waiting)
        self.bottom = parts.draw_prompts(self.image, right, rows, waiting)
        if view.faults:
            is_crowded = self.bottom - _BANNER < self.rows(WIDTH - 20) + 4
            high = _ONE_LINE_BANNER if is_crowded else _BANNER
            box = (0, self.bottom - high, right, self.bottom - 1)
            fault = view.faults[0]
            what, remedy = words(fault.what, translate), words(fault.remedy, translate)
            parts.banner(self.image, box, what, remedy, len(view.faults) - 1)
            self.bottom -= high

    def done(self, corners: Box | None = None) -> Image.Image:
        """Give the picture, with the pockets lit in the corners of its free box, or of another.

        That is the first answer to a piece that falls: a few dozen bytes on the wire, over
        whatever people are looking at. The whole reading follows when it has fallen.
        """
        for pocket in self.view.lit:
            box = corners or (0, self.top, self.right, self.bottom)
            parts.light(self.image, box, pocket)
        return self.image

    @property
    def headline(self) -> str:
        """The one thing to know."""
        return words(self.view.headline, self.translate)

    @property
    def detail(self) -> str:
        """The second line."""
        return words(self.view.detail, self.translate)

    def header(self, rows: int = 0) -> int:
        """Draw counts, clock and the jack in the top ten rows; give the first free row.

        Where less than ``rows`` would be left below, nothing is drawn: words come first.
        """
        if self.bottom - 11 < rows:
            return 0
        cards = [card_of(self.view, index) for index in (0, 1)]
        left, _top, right, _bottom = parts.header(self.image, cards, clock_text(self.view))
        if not clock_text(self.view):
            letter = red_letter(self.view)
            parts.jack_mark(self.image, (left + right - 11) // 2, 0, letter, self.view.red)
        self.top = 11
        return self.top

    def rows(self, width: int) -> int:
        """Give the rows of dots that headline and detail take at least."""
        return rows_of((self.headline, self.detail), width)


def prompts_of(view: BoardView, translate: Translate) -> list[Prompt]:
    """Give what OK and FIX do, with a bar for the one that is held, or for another key.

    Where FIX goes through readings it says which of how many is shown.
    """
    fix = words(view.fix, translate)
    if fix and view.menu is None and view.proposal in view.readings and len(view.readings) > 1:
        fix += f" {view.readings.index(view.proposal) + 1}/{len(view.readings)}"
    held = view.hold.button.key if view.hold else None
    progress = view.hold.progress if view.hold else None
    prompts = [
        Prompt(key.value.upper(), text, progress if held is key else None)
        for key, text in (
            (Key.OK, words(view.ok, translate)),
            (Key.FIX, fix),
        )
        if text or held is key
    ]
    if held is not None and held not in {Key.OK, Key.FIX}:
        prompts = [Prompt(held.value.upper(), words(parts.HOLD_ON, translate), progress)]
    return prompts


def card_of(view: BoardView, index: int) -> Card:
    """Give a side's card: its count, and whether it shoots."""
    side = view.sides[index]
    return Card(
        letter=side.letter,
        filled=index == 0,
        number=side.pocketed,
        owed=side.owed,
        lit=side.shoots,
        seat=view.shooter if side.shoots else None,
    )


def red_letter(view: BoardView) -> str:
    """Give the letter of the red piece: jack or queen."""
    return "Q" if view.rules in _QUEEN_SYSTEMS else "J"


def clock_text(view: BoardView) -> str:
    """Give the time that remains, rounded up to a second as clocks that count down are."""
    if not view.clock.limit_ns:
        return ""
    seconds = -(-max(0, view.clock.remaining_ns) // 1_000_000_000)
    return f"{seconds // 60}:{seconds % 60:02}"


def rows_of(texts: Sequence[str], width: int) -> int:
    """Give the rows of dots that texts take at least."""
    return TINY.height * sum(len(fit(text, width, ((TINY, 9),)).lines) for text in texts)
