"""The OLED's row between the counts and the words: debts, clock, match, dead beams.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from jackspot.core.phrases import Phrase, Translate, _
from jackspot.core.rules import facts_of
from jackspot.dialogue.state.view import BoardView, SideView
from jackspot.dialogue.words.tally import Tally, match_score, score, tally_word
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import WIDTH, Sheet, clock_text
from jackspot.displays.text import (
    PLAIN,
    SMALL,
    TINY,
    Block,
    Box,
    Choice,
    fit,
    measure,
    place,
    write,
)

_AT_EDGE = 38
"""The dots of a result's row that belong to each side."""


def has_standing(view: BoardView) -> bool:
    """Return whether the row has anything to show."""
    marked = any(side.owed or side.all_in for side in view.sides) or _is_by_hand_standing(view)
    return bool(clock_text(view)) or marked or _counts_further(view)


def draw_standing(sheet: Sheet, top: int, room: int) -> int:
    """Draw the row; return its height, 0: there is nothing."""
    view, image = sheet.view, sheet.image
    if not has_standing(view):
        return 0
    clock = clock_text(view)
    tags = _tags(view, sheet.translate)
    tall = 12 if room >= 12 else 8
    faces: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1)) if tall == 12 else ((TINY, 1),)
    clock_wide = 0
    if clock:
        block = fit(clock, 58, ((PLAIN, 1), *faces) if tall == 12 and not all(tags) else faces)
        row = (0, top, WIDTH, top + tall)
        place(image, row, block)
        if view.clock.armed and not all(tags):
            _armed(image, row, block)
        clock_wide = block.width + (22 if view.clock.armed else 4)
    further = _further(view, sheet.translate)
    is_shared = bool(clock) or all(tags) or any(further)
    room = (WIDTH - clock_wide) // 2 if is_shared else WIDTH
    taken = [_draw_tag(sheet, top + (tall - 8) // 2, index, room) for index in (0, 1)]
    _write_further(sheet, (top, tall), taken, room, further)
    return tall


def _draw_tag(sheet: Sheet, top: int, index: int, room: int) -> int:
    """Draw a side's remark, shortened if there is no room; return its width."""
    text = _tags(sheet.view, sheet.translate)[index]
    owed = sheet.view.sides[index].owed
    short = text if parts.tag_width(text) <= room else parts.debt(owed) if owed else ""
    if not short:
        return 0
    wide = parts.tag_width(short)
    parts.tag(sheet.image, 0 if index == 0 else WIDTH - wide, top, short)
    return wide


def _write_further(
    sheet: Sheet, rows: tuple[int, int], taken: Sequence[int], room: int, texts: Sequence[str]
) -> None:
    """Write the sides' further counts behind their tags, both in the same face.

    A count that does not fit is left out.
    """
    top, tall = rows
    starts = [wide + 4 if wide else 1 for wide in taken]
    fits = all(start + measure(SMALL, text) <= room
               for start, text in zip(starts, texts, strict=True))  # fmt: skip
    face = SMALL if tall >= SMALL.height and fits else TINY
    for index, (start, text) in enumerate(zip(starts, texts, strict=True)):
        wide = measure(face, text)
        if start + wide <= room:
            left = start if index == 0 else WIDTH - start - wide
            write(sheet.image, left, top + (tall - face.height) // 2, text, face)


def _counts_further(view: BoardView) -> bool:
    """Return whether sides count more than their cards show: match points, or pieces."""
    return facts_of(view.rules).counts_points or any(_points_of(view))


def _further(view: BoardView, translate: Translate) -> list[str]:
    """Return each side's points in the match, or its pieces where its card shows points."""
    if not _counts_further(view):
        return ["", ""]
    if facts_of(view.rules).counts_points:
        return [words(_("{n} in", n=side.pocketed), translate) for side in view.sides]
    return _points_words(view, translate)


def _points_words(view: BoardView, translate: Translate) -> list[str]:
    return [words(_("{n} pts", n=n), translate) for n in _points_of(view)]


def _points_of(view: BoardView) -> tuple[int, int]:
    """Return the points of the match or game beyond the running board."""
    found = ((n, m) for tally, n, m in match_score(view) if tally is Tally.POINTS)
    return next(found, (0, 0))


def has_result(view: BoardView) -> bool:
    """Return whether a match's points are shown beside a result, and are not the result itself."""
    return bool(_beside_the_result(view, Tally.POINTS))


def draw_result(sheet: Sheet, top: int) -> int:
    """Draw how the match stands below a result: points at both sides; return the row's height."""
    points = _points_words(sheet.view, sheet.translate)
    _write_further(sheet, (top, TINY.height), (0, 0), _AT_EDGE, points)
    won = _beside_the_result(sheet.view, Tally.GAMES) or _beside_the_result(
        sheet.view, Tally.BOARDS
    )
    if won:
        text = words(tally_word(*won[0]), sheet.translate)
        block = fit(text, WIDTH - 2 * _AT_EDGE, ((TINY, 1),))
        if block.is_whole:
            place(sheet.image, (_AT_EDGE, top, WIDTH - _AT_EDGE, top + TINY.height), block)
    return TINY.height


def result_words(view: BoardView) -> list[Phrase]:
    """Return how the match stands, except what the result says already."""
    return [tally_word(*each) for tally in Tally for each in _beside_the_result(view, tally)]


def _beside_the_result(view: BoardView, tally: Tally) -> list[tuple[Tally, int, int]]:
    shown = (score(view, 0), score(view, 1))
    return [
        each
        for each in match_score(view)
        if each[0] is tally and any(each[1:]) and each[1:] != shown
    ]


def _armed(image: Image.Image, box: Box, clock: Block) -> None:
    """Draw the bars of a stopped clock on both sides of it."""
    left, top, right, bottom = box
    middle = (top + bottom) // 2
    half = clock.width // 2
    for x in (left + right) // 2 - half - 9, (left + right) // 2 + half + 4:
        for shift in (0, 4):
            parts.fill(image, (x + shift, middle - 4, x + shift + 2, middle + 4))


def _tags(view: BoardView, translate: Translate) -> list[str]:
    """Return the text left and right of the clock: sides' remarks, and pockets by hand."""
    tags = [_side_remark(side, translate) for side in view.sides]
    if _is_by_hand_standing(view):
        tags[tags.index("")] = _by_hand(view, translate)
    return tags


def _is_by_hand_standing(view: BoardView) -> bool:
    """Return whether pockets by hand fit beside what sides owe; else they are in the line below."""
    is_free = not all(side.owed or side.all_in for side in view.sides)
    return bool(view.by_hand) and is_free and not clock_text(view) and not _counts_further(view)


def with_by_hand(view: BoardView, detail: str, translate: Translate) -> str:
    """Return the second line, with the pockets by hand unless they are beside the sides."""
    each = {words(parts.by_hand(pocket.value), translate) for pocket in view.by_hand}
    told, _dash, remark = detail.partition(" - ")
    said = [part for part in told.split(", ") if part and part not in each]
    if view.by_hand and not _is_by_hand_standing(view):
        said.append(_by_hand(view, translate))
    return " - ".join(part for part in (", ".join(said), remark) if part)


def _by_hand(view: BoardView, translate: Translate) -> str:
    """Return the pockets whose pieces people enter by hand; empty: none."""
    pockets = " ".join(pocket.value for pocket in view.by_hand)
    return words(parts.by_hand(pockets), translate) if pockets else ""


def _side_remark(side: SideView, translate: Translate) -> str:
    """Return what a side owes, or that it has all its pucks in."""
    if side.owed:
        return words(parts.owes(side.owed), translate)
    return words(parts.ALL_IN, translate) if side.all_in else ""
