"""What every OLED picture has: counts at the top; prompts, what waits and a fault at the bottom.

Pure, like all of the drawing; no device.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import Phrase, Translate, _
from jackspot.core.pieces import Piece, Side
from jackspot.core.rules import rules_for
from jackspot.dialogue.state.view import BoardView, ClockView, NoticeView, QueuedKind, QueuedView
from jackspot.dialogue.words.tally import score
from jackspot.dialogue.words.wording import side_letter
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import Card, Centre, Prompt, words
from jackspot.displays.text import TINY, Box, fit, measure, write
from jackspot.sensing.events import Key

WIDTH = 128
HEIGHT = 64
_HEADER = 12
_BANNER = 17
_BANNER_TEXT = 13
"""Where the banner's text begins."""
_ONE_LINE_BANNER = 9
_QUEUE_ROW = 9


class Sheet:
    """A view that is being drawn: the picture, and its free rows ``top`` to ``bottom``."""

    def __init__(
        self,
        view: BoardView,
        translate: Translate,
        right: int = WIDTH,
        *,
        prompts: Sequence[Prompt] | None = None,
    ) -> None:
        self.view = view
        self.translate = translate
        self.image = parts.blank(WIDTH, HEIGHT)
        self.right = right
        self.top = 0
        if prompts is None:
            prompts = prompts_of(view, translate)
        named = [each for each in view.queue if words(each.what, translate) != self.detail]
        waits = max(view.waiting, len(named)) if prompts else 0
        waiting = f"+{waits}" if waits else ""
        queue = _queue_line(named, right - parts.tag_width(waiting) - 3, translate)
        rows = parts.prompt_rows(prompts, right, "" if queue else waiting)
        has_room = HEIGHT - TINY.height * len(rows) - _QUEUE_ROW >= 11 + self.rows(WIDTH - 20) + 4
        if queue and not (has_room and not view.faults and view.notice is None):
            queue = ""
            rows = parts.prompt_rows(prompts, right, waiting)
        self.bottom = parts.draw_prompts(self.image, right, rows, "" if queue else waiting)
        if queue:
            self.bottom -= _QUEUE_ROW
            parts.tag(self.image, 0, self.bottom, waiting)
            write(self.image, parts.tag_width(waiting) + 3, self.bottom, queue, TINY)
        self._number = _number_shown(view)
        has_room = has_room and not queue and not view.faults
        if self._number is not None and has_room and view.proposal is None and view.menu is None:
            self.bottom -= _QUEUE_ROW
            parts.tag(self.image, 0, self.bottom, str(self._number))
            self._number = None
        if view.faults or view.notice is not None:
            is_crowded = self.bottom - _BANNER < self.rows(WIDTH - 20) + 4 or self._is_short()
            high = _ONE_LINE_BANNER if is_crowded else _BANNER
            self._banner((0, self.bottom - high, right, self.bottom - 1))
            self.bottom -= high

    def _is_short(self) -> bool:
        """Return whether one line holds the whole banner."""
        notice = self._notice()
        if notice is None or not notice.everywhere:
            return False
        text = words(notice.what, self.translate)
        return measure(TINY, text) <= self.right - _BANNER_TEXT

    def _notice(self) -> NoticeView | None:
        """Return the notice that the banner is for; faults come before a notice to everybody."""
        notice = self.view.notice
        return None if notice is not None and notice.everywhere and self.view.faults else notice

    def _banner(self, box: Box) -> None:
        """Draw a notice, else the first fault with the number of others."""
        view, notice = self.view, self._notice()
        told = notice or view.faults[0]
        further = len(view.faults) - (notice is None)
        what, remedy = words(told.what, self.translate), words(told.remedy, self.translate)
        sign = "i" if notice is not None and notice.good else "!"
        parts.banner(self.image, box, what, remedy, further, sign)

    def done(self, corners: Box | None = None) -> Image.Image:
        """Return the picture, with pockets lit in the corners of its free box, or of ``corners``.

        A lit pocket is the first answer to a falling piece: a few dozen bytes on the wire, over
        whatever people are looking at. The whole reading follows when the piece has fallen.
        """
        if self._number is not None:
            drawn = parts.board_tag(self._number)
            parts.mark(self.image, self.right, drawn, anywhere=True)
        if self.view.hall is not None and self.view.hall.call is not None:
            parts.mark(self.image, self.right, parts.desk_called())
        if self.view.hall is not None and self.view.hall.away:
            parts.mark(self.image, self.right, parts.desk_away())
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

    @property
    def ok(self) -> str:
        """What OK does."""
        return words(self.view.ok, self.translate)

    def header(self, rows: int = 0) -> int:
        """Draw counts, clock and the jack in the top eleven rows; return the first free row.

        If fewer than ``rows`` would be left below, nothing is drawn: words come first.
        """
        if not self.below_header(rows):
            return 0
        cards = [card_of(self.view, index, self.translate) for index in (0, 1)]
        centre = clock_text(self.view)
        left, _top, right, _bottom = parts.header(self.image, cards, centre)
        if not centre:
            parts.jack_mark(self.image, (left + right - 11) // 2, 0, centre_of(self.view))
        self.top = _HEADER
        return self.top

    def below_header(self, rows: int) -> int:
        """Return the first row that :meth:`header` leaves free; 0: it would not be drawn."""
        return _HEADER if self.bottom - _HEADER >= rows else 0

    def rows(self, width: int) -> int:
        """Return the fewest rows of dots that headline and detail take."""
        return rows_of((self.headline, self.detail), width)


def _number_shown(view: BoardView) -> int | None:
    """Return the board's number if the desk looks for it and it is not shown large."""
    return None if view.hall is None or view.hall.alone else view.hall.identified


def _queue_line(queue: Sequence[QueuedView], room: int, translate: Translate) -> str:
    """Return what waits, the next first, as much as one line holds; empty: none, or no room."""
    named = [words(queued_word(queued), translate) for queued in queue]
    for count in range(len(named), 0, -1):
        line = ", ".join(named[:count])
        if queue[0].kind is not QueuedKind.HAND:
            line = words(_("then {what}", what=line), translate)
        if measure(TINY, line) <= room:
            return line
    return ""


def queued_word(queued: QueuedView) -> Phrase:
    """Return what waits, with a question mark if nobody has said it yet."""
    if queued.kind in {QueuedKind.HAND, QueuedKind.KEPT}:
        return queued.what
    return _("{what}?", what=queued.what)


def prompts_of(view: BoardView, translate: Translate) -> list[Prompt]:
    """Return what OK and FIX do, with a bar for the one that is held, or another key's bar alone.

    If FIX goes through readings, its text has which of how many is shown.
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


def card_of(view: BoardView, index: int, translate: Translate) -> Card:
    """Return a side's card: its number, and whether it shoots."""
    side = view.sides[index]
    is_covered = view.red is RedPlace.COVERED
    has_queen = red_letter(view) == "Q" and view.red_side is side.side
    return Card(
        letter=side_letter(side.side).render(translate),
        filled=_is_filled(view, index),
        stays_light=_stays_light(view, index),
        number=score(view, index),
        owed=side.owed,
        lit=side.shoots,
        seat=view.shooter if side.shoots else None,
        queen="" if not has_queen else "Q" if is_covered else "Q?",
    )


def _is_filled(view: BoardView, index: int) -> bool:
    """Return whether a side's puck is light on a dark card: white is light and black dark.

    Sides of other colours, or of none, are distinguished by their places: the first is filled.
    """
    return view.sides[index].side is Side.WHITE if _stays_light(view, index) else index == 0


def _stays_light(view: BoardView, index: int) -> bool:
    """Return whether a side's puck is as light or dark as its pieces, on any card."""
    return view.sides[index].side in {Side.WHITE, Side.BLACK}


def result_cards(view: BoardView, translate: Translate) -> list[Card]:
    """Return both sides' cards with the result, with the winner's lit."""
    return [
        Card(side_letter(side.side).render(translate), _is_filled(view, index),
             score(view, index), lit=view.winner is side.side,
             stays_light=_stays_light(view, index))
        for index, side in enumerate(view.sides)
    ]  # fmt: skip


def red_letter(view: BoardView) -> str:
    """Return the letter of the red piece: jack or queen."""
    return "Q" if rules_for(view.rules).red is Piece.QUEEN else "J"


def centre_of(view: BoardView) -> Centre:
    """Return the jack or queen, where it is and whose."""
    owners = [side.side for side in view.sides]
    owner = owners.index(view.red_side) if view.red_side in owners else None
    return Centre(red_letter(view), view.red, owner if red_letter(view) == "Q" else None)


def clock_text(view: BoardView) -> str:
    """Return the remaining time, rounded up to a second as countdown clocks are.

    The shot clock in seconds follows it, or is shown alone.
    """
    shown = []
    if view.clock.limit_ns:
        seconds = _seconds(view.clock)
        shown.append(f"{seconds // 60}:{seconds % 60:02}")
    if view.shot is not None:
        shown.append(f"{_seconds(view.shot)}s")
    return " ".join(shown)


def _seconds(clock: ClockView) -> int:
    return -(-max(0, clock.remaining_ns) // 1_000_000_000)


def rows_of(texts: Sequence[str], width: int) -> int:
    """Return the fewest rows of dots that texts take."""
    return TINY.height * sum(len(fit(text, width, ((TINY, 9),)).lines) for text in texts)
