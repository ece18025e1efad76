"""Every step of ``make hardware``, in the order in which they run: one line a step."""

from __future__ import annotations

from hardware.generate import bom, connectors, pins, wiring, wiring_drawing
from hardware.generate.step import Step

STEPS: tuple[Step, ...] = (
    pins.STEP,
    bom.STEP,
    connectors.STEP,
    wiring.STEP,
    wiring_drawing.STEP,
)
