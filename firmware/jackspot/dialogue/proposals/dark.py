"""Pockets whose beams are not to be trusted: what falls there is entered by hand.

A beam that is blocked or flickers shows it: its pocket is entered by hand for as long as the
fault lasts, and nobody needs to say so. A beam that never breaks shows nothing. So after two
pieces entered by hand for one pocket the board asks whether to mark it; after two without a
pocket it asks which pocket it was. A fall that the beam sees removes the mark, and so does the
menu.

While a pocket is by hand, readings of a stroke also allow for a piece in it that nobody saw, and
entries by hand name it first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.transition import Transition
from jackspot.dialogue.state.view import Phase
from jackspot.readings.reading import PRIORS, Reading, Scene
from jackspot.sensing.events import Fall, Trouble, beam_wire
from jackspot.values import changed

ASKED_AFTER = 2
"""After this many pieces entered by hand for one pocket, the board asks whether to mark it."""

MOST_UNSEEN = 8
"""How many pieces entered by hand are remembered."""

ALSO_UNSEEN = 0.05
"""How likely it is that a stroke of which something was seen also sent a piece into one given
pocket without a beam. A guess at ordinary play: one stroke in five that pockets anything pockets
two, and the second falls into any of the four pockets."""

READINGS_GROWN = 6
"""This many of the likeliest readings are also read with an unseen piece."""


def dark_pockets(dialogue: DialogueState) -> tuple[Pocket, ...]:
    """Return the pockets entered by hand now: those marked, and those whose beam has a fault."""
    faulty = _with_fault(dialogue, Trouble.BLOCKED, Trouble.CHATTER)
    if not faulty:
        return dialogue.dark
    return tuple(p for p in Pocket if p in dialogue.dark or beam_wire(p) in faulty)


def _with_fault(dialogue: DialogueState, *troubles: Trouble) -> set[str]:
    """Name the parts that have one of these faults now."""
    return {fault.part for fault in dialogue.faults if fault.trouble in troubles}


# --- marking ---------------------------------------------------------------------------


def mark(transition: Transition, pocket: Pocket) -> None:
    """Let a pocket be entered by hand from now on."""
    marked = tuple(p for p in Pocket if p in transition.dialogue.dark or p is pocket)
    unseen = tuple(each for each in transition.dialogue.unseen if each not in (pocket, None))
    transition.change(dark=marked, unseen=unseen, note=_("{pocket} manual", pocket=pocket.value))


def unmark(transition: Transition, pocket: Pocket) -> None:
    """Trust a pocket's beam again."""
    transition.change(dark=tuple(each for each in transition.dialogue.dark if each is not pocket))


def forget_unseen(transition: Transition, pocket: Pocket | None) -> None:
    """Forget the pieces entered by hand for a pocket so far; None: those without a pocket."""
    transition.change(
        unseen=tuple(each for each in transition.dialogue.unseen if each is not pocket)
    )


def sees_again(transition: Transition, fall: Fall) -> None:
    """Take a fall as a sign that its beam works."""
    pocket = fall.pocket
    if pocket in transition.dialogue.unseen:
        forget_unseen(transition, pocket)
    if pocket in transition.dialogue.dark:
        unmark(transition, pocket)
        transition.change(note=_("beam {pocket} sees again", pocket=pocket.value))


def note_unseen(transition: Transition, line: Line, replaced: Iterable[Line]) -> None:
    """Remember where pieces fell that people entered and no beam saw.

    Those of the lines that it replaced are remembered already; where these were wrong, no longer.
    Pockets that are by hand, for good or while something lies in the beam, are left out.
    """
    fallen, before = _fallen((line,)), _fallen(replaced)
    unseen = list(transition.dialogue.unseen)
    for pocket in (before - fallen).elements():
        if pocket in unseen:
            unseen.remove(pocket)
    blocked = _with_fault(transition.dialogue, Trouble.BLOCKED)
    known = {*transition.dialogue.dark, *(p for p in Pocket if beam_wire(p) in blocked)}
    pockets = [pocket for pocket in (fallen - before).elements() if pocket not in known]
    transition.change(unseen=(*unseen, *pockets)[-MOST_UNSEEN:])


def _fallen(lines: Iterable[Line]) -> Counter[Pocket | None]:
    """Count by pocket what the strokes of these lines have sent there."""
    strokes = (line.stroke for line in lines if line.stroke is not None)
    fallen = (each for stroke in strokes for each in stroke.departures if not each.flew_off)
    return Counter(each.pocket for each in fallen)


def ask_about_a_beam(transition: Transition) -> None:
    """Ask whether to mark a pocket, where pieces entered by hand suggest it."""
    dialogue = transition.dialogue
    if dialogue.menu is not None or dialogue.phase not in (Phase.READY, Phase.PLACING):
        return
    for pocket, n in Counter(dialogue.unseen).items():
        if n < ASKED_AFTER:
            continue
        kind = MenuKind.WHICH_DARK if pocket is None else MenuKind.DARK
        transition.change(menu=Menu(kind, 0, transition.now_ns, None, (), pocket))
        return


def pockets_listed(dialogue: DialogueState) -> tuple[Pocket, ...]:
    """Return the pockets that the open list shows: those by hand, or all in its order."""
    match dialogue.menu and dialogue.menu.kind:
        case MenuKind.DARK_POCKETS | MenuKind.WHICH_DARK:
            return dialogue.dark
        case MenuKind.NAME_POCKET:
            return dark_first(dialogue)
    return ()


def dark_first(dialogue: DialogueState) -> tuple[Pocket, ...]:
    """Return all pockets, those by hand first."""
    dark = dark_pockets(dialogue)
    return (*dark, *(pocket for pocket in Pocket if pocket not in dark))


# --- reading ---------------------------------------------------------------------------


def also_unseen(
    scene: Scene, readings: tuple[Reading, ...], dark: tuple[Pocket, ...]
) -> tuple[Reading, ...]:
    """Add readings with one piece that fell unseen into a pocket by hand.

    The probabilities keep their sum. Without such pockets nothing changes.
    """
    strokes = [each for each in readings if each.stroke][:READINGS_GROWN]
    if not dark or not strokes:
        return readings
    grown: list[Reading] = []
    left = 1.0 - ALSO_UNSEEN * len(dark)
    kept = [e.as_likely(e.probability * left) if e in strokes else e for e in readings]
    for reading in strokes:
        shares = _shares(scene, reading)
        if not shares:
            kept[readings.index(reading)] = reading
            continue
        grown += [
            changed(
                reading,
                departures=(*reading.departures, Departure(piece, pocket)),
                probability=reading.probability * ALSO_UNSEEN * share,
            )
            for pocket in dark
            for piece, share in shares.items()
        ]
    merged: dict[tuple[tuple[Departure, ...], bool], Reading] = {}
    for each in (*kept, *grown):
        key = (each.departures, each.stroke)
        before = merged[key].probability if key in merged else 0.0
        merged[key] = each.as_likely(before + each.probability)
    return tuple(sorted(merged.values(), key=lambda e: (-e.probability, str(e.departures))))


def _shares(scene: Scene, reading: Reading) -> dict[Piece, float]:
    """Return how likely each kind is to have fallen unseen, besides the pieces of a reading."""
    used = Counter(each.piece for each in reading.departures)
    weights = {
        piece: PRIORS[scene.roles[piece]]
        for piece, count in scene.available.items()
        if count > used[piece]
    }
    total = sum(weights.values())
    return {piece: weight / total for piece, weight in weights.items()} if total else {}


Combination = tuple[tuple[Piece, ...], float]
"""Pieces that are entered by hand together, and how usual that is."""

ELSEWHERE = 0.1
"""How often a piece entered by hand fell somewhere other than into a pocket marked by hand."""


def named(
    usual: list[Combination], dark: tuple[Pocket, ...]
) -> list[tuple[tuple[Departure, ...], float]]:
    """Name the pockets by hand in the usual entries; pieces may also have fallen elsewhere."""
    found: list[tuple[tuple[Departure, ...], float]] = []
    for pieces, weight in usual:
        plain = tuple(Departure(piece) for piece in pieces)
        if not dark or not pieces:
            found.append((plain, weight))
            continue
        share = (1.0 - ELSEWHERE) * weight / len(dark)
        found += [(tuple(Departure(piece, pocket) for piece in pieces), share) for pocket in dark]
        found.append((plain, ELSEWHERE * weight))
    return found
