"""The buttons at the seats and on the referee's box, one wire each.

A button connects its GPIO to ground, against the chip's own pull-up; the config describes buttons
that are wired otherwise. The table (:mod:`jackspot.sensing.signals`), not this module, makes
short, held and chorded presses of the edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jackspot.inputs.edges import Inputs, Submit
from jackspot.inputs.factory import Gpio
from jackspot.inputs.pins import Wire, WireKind


def open_buttons(
    gpio: Gpio, wires: Iterable[Wire], submit: Submit, now_ns: Callable[[], int]
) -> Inputs:
    """Claim the buttons among a board's wires; see :class:`Inputs`."""
    return Inputs(gpio, (w for w in wires if w.kind is WireKind.BUTTON), submit, now_ns)
