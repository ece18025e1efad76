"""The break beams under the pockets, one wire each.

The usual receivers (Adafruit 2167 and 2168) are open collectors: low when the beam is broken,
pulled up to 3.3 V otherwise. The config describes other receivers, wire by wire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jackspot.inputs.edges import Inputs, Submit
from jackspot.inputs.factory import Gpio
from jackspot.inputs.pins import Wire, WireKind


def open_beams(
    gpio: Gpio, wires: Iterable[Wire], submit: Submit, now_ns: Callable[[], int]
) -> Inputs:
    """Claim the beams among a board's wires; see :class:`Inputs`."""
    return Inputs(gpio, (w for w in wires if w.kind is WireKind.BEAM), submit, now_ns)
