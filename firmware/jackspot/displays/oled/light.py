"""How bright the OLED is and where its picture is: by people's settings, and to spare its dots.

An OLED's dots fade with the light they give. Four rules spare them:

- Help that nobody reads is dimmed after a while, and switched off after a longer one. Help covers
  everything, and the press that removes it does nothing else, so nobody presses blindly.
- A fault, a notice or a desk that looks for the board wakes a sleeping display when it comes or
  goes, for as long as at first.
- In play the picture is moved by a dot to the left or right, and only with a fall, an entry or a
  pause, which change all of it: nothing moves under a reader's eyes.
- It never moves up or down, because the top row has the tops of digits and the bottom row the
  tails of letters. At the sides only the rims of boxes are lost.

Pure: views and instants in, numbers out.
"""

from __future__ import annotations

from msgspec import Struct
from PIL import Image

from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.values import changed

FAINTEST = 10
"""The least brightness of lists and of the last picture, in per cent: otherwise nobody who made
the display dark would find the way back."""

IDLE_SHARE = 4
"""Dimmed help has one part in this many of the brightness."""

ORBIT: tuple[int, ...] = (0, 1, 0, -1)
"""By how many dots the picture is moved to the right, in turn."""

_SECOND_NS = 1_000_000_000


class Lighting(Struct, frozen=True):
    """How the panel is lit and its dots are spared; a duration of 0: never.

    ``contrast`` is full brightness, 0 to 255, None for the driver's own. ``dim_ns`` and
    ``sleep_ns`` count from when help came or there was news; ``shift_ns`` is the shortest time that
    the picture stays in its place.
    """

    contrast: int | None = None
    dim_ns: int = 300 * _SECOND_NS
    sleep_ns: int = 1_800 * _SECOND_NS
    shift_ns: int = 180 * _SECOND_NS

    def __post_init__(self) -> None:
        """Refuse a contrast that is not a byte."""
        if self.contrast is not None and not 0 <= self.contrast <= 255:
            raise ValueError(f"OLED: contrast must be 0 to 255, not {self.contrast}")


class Light(Struct, frozen=True):
    """How to show a view: brightness in per cent (0: dark), and shift in dots to the right."""

    percent: int
    shift: int = 0


class Care(Struct, frozen=True):
    """What is remembered from view to view. ``at_ns`` are monotonic nanoseconds."""

    idle_since_ns: int | None = None
    """Since when help has been shown, counted again where there is news; None: somebody plays."""
    faults: tuple[object, ...] = ()
    place: int = 0
    """Index in :data:`ORBIT`."""
    moved_ns: int | None = None
    entry: tuple[object, ...] = ()

    def step(self, view: BoardView, at_ns: int, lighting: Lighting) -> tuple[Care, Light]:
        """Return what to remember, and how to show a view."""
        idle = _idle(self, view, at_ns)
        after = _placed(idle, view, at_ns, lighting)
        idle_ns = 0 if after.idle_since_ns is None else at_ns - after.idle_since_ns
        shift = 0 if view.attract is not None else ORBIT[after.place]
        return after, Light(brightness(view, idle_ns, lighting), shift)


def _idle(care: Care, view: BoardView, at_ns: int) -> Care:
    """Count from when help came, and again from zero when there is news."""
    looked_for = view.hall.identified if view.hall is not None else None
    faults = (*((fault.part, fault.trouble) for fault in view.faults), view.notice, looked_for)
    if view.attract is None:
        return changed(care, idle_since_ns=None, faults=faults)
    if care.idle_since_ns is None or faults != care.faults:
        return changed(care, idle_since_ns=at_ns, faults=faults)
    return care


def _placed(care: Care, view: BoardView, at_ns: int, lighting: Lighting) -> Care:
    """Move on when the whole picture changes, or with help, which moves on its own."""
    if care.moved_ns is None:
        return changed(care, moved_ns=at_ns, entry=_entry(view))
    is_due = 0 < lighting.shift_ns <= at_ns - care.moved_ns
    is_read = view.attract is None and _entry(view) == care.entry
    if is_due and not is_read:
        place = (care.place + 1) % len(ORBIT)
        return changed(care, place=place, moved_ns=at_ns, entry=_entry(view))
    return changed(care, entry=_entry(view))


def _entry(view: BoardView) -> tuple[object, ...]:
    """Return what changes with the whole picture; the rest may change while somebody reads."""
    counts = tuple((side.pocketed, side.owed, side.points) for side in view.sides)
    settled = view.phase in {Phase.READY, Phase.PLACING, Phase.BOARD_OVER, Phase.MATCH_OVER}
    return (settled, view.board, view.game, view.shooter, counts)


def brightness(view: BoardView, idle_ns: int, lighting: Lighting) -> int:
    """Return the brightness of a view in per cent; 0: dark.

    ``idle_ns`` is how long help has been shown over everything.
    """
    percent = view.preferences.brightness
    is_needed = view.menu is not None or view.farewell
    if view.attract is not None and not is_needed:
        if 0 < lighting.sleep_ns <= idle_ns:
            return 0
        if 0 < lighting.dim_ns <= idle_ns:
            percent = -(-percent // IDLE_SHARE)
    return max(percent, FAINTEST) if is_needed else percent


def contrast(full: int, percent: int) -> int:
    """Return the controller's contrast, at least 1, for a share of ``full``.

    Light is proportional to contrast, but perceived brightness is not: half as bright is a
    quarter of the light.
    """
    return max(1, round(full * (percent / 100) ** 2)) if full else 0


def moved(image: Image.Image, shift: int) -> Image.Image:
    """Return a picture moved to the right by ``shift`` dots, dark where it came from."""
    if not shift:
        return image
    shown = Image.new("1", image.size)
    shown.paste(image, (shift, 0))
    return shown
